"""What an endpoint says when it does not answer: read once, and what follows from it."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from toolyard.core.types import Failure, JsonValue, Usage
from toolyard.core.untrusted.json_safe import json_safe
from toolyard.models.http.usage import read_usage
from toolyard.models.http.wire import RENAMED, decode_json
from toolyard.models.key_scrubbing import Scrubber

# What endpoints may refuse and the request can do without; `tools` are not among them, because the answer would
# be a different one. An answer that was not stopped is cut where it should have been.
OPTIONAL = ("seed", "top_p", "temperature", "logprobs", "top_logprobs", "stop", "parallel_tool_calls")
MESSAGE_LIMIT = 4000

OVERFLOW = re.compile(
    r"context_length_exceeded|exceed_context_size|exceeds? the (available|maximum|model'?s?) context"
    r"|maximum context length|maximum model length|max_model_len|context window"
    r"|prompt is too long|input is too long|prompt too long|too many input tokens",
    re.IGNORECASE,
)
TOOLS = re.compile(r"schema|tools?\b|\bfunctions?\b|grammar|tool[_ ](?:choice|calls?)", re.IGNORECASE)
LENGTH_LIMIT = re.compile(r"maximum context length (?:is|of) (\d{1,9})", re.IGNORECASE)
LENGTH_READ = re.compile(
    r"(?:has (\d{1,9}) input tokens|(\d{1,9}) in the (?:messages|prompt|input))", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """What an endpoint said when it did not answer: HTTP status, its own code and words."""

    status: int
    message: str
    code: str = ""
    parameter: str = ""
    # what it counted for the request all the same
    usage: Usage = Usage()


def read_refusal(status: int, data: bytes, scrub: Scrubber) -> Refusal:
    """What the endpoint says is wrong, in whichever of the usual forms it says it, without the key."""
    found = decode_json(data)
    payload = None if isinstance(found, Failure) else scrub.value(found)
    if not isinstance(payload, dict):
        return Refusal(status, " ".join(scrub.text(data.decode("utf-8", "replace")).split())[:300])
    return refusal_in_payload(status, payload)


def refusal_in_payload(status: int, payload: Mapping[str, JsonValue]) -> Refusal:
    """What an error object says is wrong."""
    error = payload.get("error", payload)
    usage = read_usage(payload.get("usage"), Usage())
    if not isinstance(error, dict):
        return Refusal(status, str(error)[:MESSAGE_LIMIT], usage=usage)
    detail = error.get("detail")
    message = error.get("message") or error.get("msg") or (detail if isinstance(detail, str) else None)
    return Refusal(
        status,
        str(message or json.dumps(json_safe(error)))[:MESSAGE_LIMIT],
        code=f"{error.get('code') or ''} {error.get('type') or ''}".strip(),
        parameter=str(error.get("param") or _refused_parameter(detail)),
        usage=usage,
    )


def _refused_parameter(detail: JsonValue) -> str:
    """The parameter that a validation error of a pydantic server points at."""
    first = detail[0] if isinstance(detail, list) and detail else None
    place = first.get("loc") if isinstance(first, dict) else None
    return str(place[-1]) if isinstance(place, list) and place else ""


def error_in_answer(payload: JsonValue) -> Refusal | None:
    """An error that came with status 200, as some relays send it."""
    if not isinstance(payload, dict) or not payload.get("error") or payload.get("choices"):
        return None
    error = payload["error"]
    code = error.get("code") if isinstance(error, dict) else None
    status = code if isinstance(code, int) and 400 <= code < 600 else 500
    return refusal_in_payload(status, payload)


def is_overflow(refusal: Refusal) -> bool:
    """Whether the prompt did not fit the model's context."""
    if refusal.status not in (400, 413, 422, 500):
        return False
    return OVERFLOW.search(f"{refusal.code} {refusal.message}") is not None


def concerns_tools(refusal: Refusal) -> bool:
    """Whether the endpoint will not take the tools of a request: their schemas, their names, or tools at all."""
    said = f"{refusal.parameter} {refusal.code} {refusal.message}"
    return refusal.status in (400, 422, 501) and TOOLS.search(said) is not None


def remaining_tokens(refusal: Refusal) -> int | None:
    """Tokens left to write where the prompt fits and only prompt plus token limit does not."""
    limit, read = LENGTH_LIMIT.search(refusal.message), LENGTH_READ.search(refusal.message)
    if limit is None or read is None:
        return None
    left = int(limit.group(1)) - int(read.group(1) or read.group(2))
    return left if left > 0 else None


def refused_parameters(refusal: Refusal, sent: Sequence[str]) -> frozenset[str]:
    """Which of the parameters sent the endpoint will not take; RENAMED stands for the token limit."""
    if refusal.status not in (400, 422):
        return frozenset()
    if "max_tokens" in sent and RENAMED in refusal.message:
        return frozenset({RENAMED})
    if refusal.parameter:
        named = {refusal.parameter} & set(OPTIONAL)
    else:
        words = set(re.findall(r"\w+", refusal.message))
        named = words & set(OPTIONAL)
    if named & {"logprobs", "top_logprobs"}:
        named |= {"logprobs", "top_logprobs"}
    return frozenset(named & set(sent))
