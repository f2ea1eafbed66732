"""The OpenAI chat format, both ways; pure functions, nothing here talks to anybody.

{"model": "m", "messages": [{"role": "user", "content": "..."}], "temperature": 0.0, "max_tokens": 64}
{"choices": [{"message": {"content": "..."}, "finish_reason": "stop"}],
 "usage": {"prompt_tokens": 12, "completion_tokens": 3}}
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

import orjson

from toolyard.core.json_safe import json_safe
from toolyard.core.types import Completion, Failure, Json, Message, Request, TokenLogprob, Usage
from toolyard.models.base import estimated_usage
from toolyard.models.scrub import Scrubber

TOP_LOGPROBS = 5
CONTEXT_OVERFLOW = "context_overflow"
# What endpoints may refuse and the request can do without; `tools` are not among them, because the answer would
# be a different one. An answer that was not stopped is cut where it should have been.
OPTIONAL = ("seed", "top_p", "temperature", "logprobs", "top_logprobs", "stop")
RENAMED = "max_completion_tokens"
MESSAGE_LIMIT = 4000
LABEL_LIMIT = 200
NEVER = -9999.0
# More than any model reads or writes at once: a count beyond it is none.
MOST_TOKENS = 10**8

OVERFLOW = re.compile(
    r"context_length_exceeded|exceed_context_size|exceeds? the (available|maximum|model'?s?) context"
    r"|maximum context length|maximum model length|max_model_len|context window"
    r"|prompt is too long|input is too long|prompt too long|too many input tokens",
    re.IGNORECASE,
)
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


def to_json(body: Mapping[str, Json]) -> bytes:
    """The body as JSON; what JSON cannot hold (lone surrogates in quoted model text) is made safe."""
    try:
        return orjson.dumps(body)
    except TypeError:
        return orjson.dumps(json_safe(body))


def from_json(data: bytes) -> Json | Failure:
    """The value that a response body holds, or why it holds none."""
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        # orjson is strict; the next reader also takes NaN, lone surrogates and a broken character
        text = data.decode("utf-8-sig", "replace")
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        return Failure("bad_response", f"not JSON but {len(data)} bytes: {error.msg} at {error.pos}")
    except (ValueError, RecursionError) as error:
        return Failure("bad_response", f"no usable JSON: {error}"[:200])


def request_body(name: str, request: Request, dropped: Set[str] = frozenset()) -> dict[str, Json]:
    """What is posted for one request, less the parameters that this endpoint refused before."""
    decoding = request.decoding
    limit = RENAMED if RENAMED in dropped else "max_tokens"
    body: dict[str, Json] = {
        "model": name,
        "messages": [_message(message) for message in request.messages],
        "temperature": decoding.temperature,
        limit: decoding.max_tokens,
    }
    if decoding.top_p != 1.0:
        body["top_p"] = decoding.top_p
    if decoding.stop:
        body["stop"] = list(decoding.stop)
    if decoding.logprobs:
        body |= {"logprobs": True, "top_logprobs": TOP_LOGPROBS}
    if request.seed is not None:
        body["seed"] = request.seed
    if request.tools:
        body["tools"] = [dict(tool) for tool in request.tools]
    for name in dropped - {limit}:
        body.pop(name, None)
    return body


def _message(message: Message) -> dict[str, Json]:
    wire: dict[str, Json] = {"role": message.role, "content": message.content}
    if message.name is not None:
        wire["name"] = message.name
    if message.tool_calls:
        wire["tool_calls"] = [dict(call) for call in message.tool_calls]
    if message.tool_call_id is not None:
        wire["tool_call_id"] = message.tool_call_id
    return wire


def read_completion(payload: Json, request: Request, latency: float) -> Completion | Failure:
    """The completion in a response; token counts are estimated where the endpoint gives none."""
    choice = _first_choice(payload)
    if choice is None:
        return Failure("bad_response", f"no choices in {str(payload)[:120]}")
    message = choice["message"]
    text = cut_at(_text(message.get("content")), request.decoding.stop)
    reasoning = _text(message.get("reasoning_content") or message.get("reasoning"))
    calls = _tool_calls(message.get("tool_calls"))
    return Completion(
        text=text,
        finish_reason=str(choice.get("finish_reason") or "stop")[:LABEL_LIMIT],
        usage=_usage(
            payload.get("usage"), estimated_usage(request.messages, _written(text, reasoning, calls))
        ),
        latency=latency,
        model=str(payload.get("model") or "")[:LABEL_LIMIT],
        tool_calls=calls,
        logprobs=_logprobs(choice.get("logprobs")),
        reasoning=reasoning,
    )


def cut_at(text: str, stops: Sequence[str]) -> str:
    """The text up to the first stop sequence, as an endpoint that takes them would send it."""
    places = [place for place in (text.find(stop) for stop in stops if stop) if place >= 0]
    return text[: min(places)] if places else text


def _first_choice(payload: Json) -> dict[str, Json] | None:
    choices = payload.get("choices") if isinstance(payload, dict) else None
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        return None
    return choices[0] if isinstance(choices[0].get("message"), dict) else None


def _text(content: Json) -> str:
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    return "".join(_part(part) for part in content)


def _part(part: Json) -> str:
    if isinstance(part, dict) and part.get("type", "text") in ("text", "output_text"):
        part = part.get("text")
    return part if isinstance(part, str) else ""


def _written(text: str, reasoning: str, calls: tuple[Mapping[str, Json], ...]) -> str:
    """All that the model wrote, as far as it is known, for estimates."""
    return text + reasoning + "".join(str(call.get("function", "")) for call in calls)


def counts_are_missing(payload: Json, completion: Completion) -> bool:
    """Whether the completion's token counts are, in part, estimates."""
    counted = payload.get("usage") if isinstance(payload, dict) else None
    given = counted if isinstance(counted, dict) else {}
    usage = completion.usage
    return (usage.prompt_tokens, usage.completion_tokens) != (
        given.get("prompt_tokens"),
        given.get("completion_tokens"),
    )


def _usage(counted: Json, estimate: Usage) -> Usage:
    """The endpoint's counts; where it has none, or none that can be true, the estimate.

    Nothing at all for a prompt that has words would let a cost limit be passed without notice.
    """
    given = counted if isinstance(counted, dict) else {}
    read = _count(given.get("prompt_tokens"), estimate.prompt_tokens)
    return Usage(read, _count(given.get("completion_tokens"), estimate.completion_tokens))


def _count(found: Json, estimate: int) -> int:
    if isinstance(found, bool) or not isinstance(found, int | float) or not 0 <= found <= MOST_TOKENS:
        return estimate
    return int(found) or estimate


def _tool_calls(calls: Json) -> tuple[Mapping[str, Json], ...]:
    return tuple(call for call in calls if isinstance(call, dict)) if isinstance(calls, list) else ()


def _logprobs(found: Json) -> tuple[TokenLogprob, ...]:
    content = found.get("content") if isinstance(found, dict) else None
    if not isinstance(content, list):
        return ()
    tokens = ((_token(item), item) for item in content)
    return tuple(TokenLogprob(*token, _tops(item)) for token, item in tokens if token is not None)


def _tops(item: Mapping[str, Json]) -> tuple[tuple[str, float], ...]:
    found = item.get("top_logprobs")
    return tuple(filter(None, map(_token, found))) if isinstance(found, list) else ()


def _token(item: Json) -> tuple[str, float] | None:
    if not isinstance(item, dict):
        return None
    token, logprob = item.get("token"), item.get("logprob")
    if not isinstance(token, str) or isinstance(logprob, bool) or not isinstance(logprob, int | float):
        return None
    # JSON has no infinity: what cannot happen gets the number that endpoints write for it.
    return (token, float(max(NEVER, min(logprob, -NEVER)))) if logprob == logprob else None


def read_refusal(status: int, data: bytes, scrub: Scrubber) -> Refusal:
    """What the endpoint says is wrong, in whichever of the usual forms it says it, without the key."""
    payload = scrub.value(from_json(data))
    if not isinstance(payload, dict):
        return Refusal(status, " ".join(scrub.text(data.decode("utf-8", "replace")).split())[:300])
    return refusal_in(status, payload)


def refusal_in(status: int, payload: Mapping[str, Json]) -> Refusal:
    """What an error object says is wrong."""
    error = payload.get("error", payload)
    if not isinstance(error, dict):
        return Refusal(status, str(error)[:MESSAGE_LIMIT])
    detail = error.get("detail")
    message = error.get("message") or error.get("msg") or (detail if isinstance(detail, str) else None)
    return Refusal(
        status,
        str(message or json.dumps(json_safe(error)))[:MESSAGE_LIMIT],
        code=f"{error.get('code') or ''} {error.get('type') or ''}".strip(),
        parameter=str(error.get("param") or _location(detail)),
    )


def _location(detail: Json) -> str:
    """The parameter that a validation error of a pydantic server points at."""
    first = detail[0] if isinstance(detail, list) and detail else None
    place = first.get("loc") if isinstance(first, dict) else None
    return str(place[-1]) if isinstance(place, list) and place else ""


def error_in_answer(payload: Json) -> Refusal | None:
    """An error that came with status 200, as some relays send it."""
    if not isinstance(payload, dict) or not payload.get("error") or payload.get("choices"):
        return None
    error = payload["error"]
    code = error.get("code") if isinstance(error, dict) else None
    status = code if isinstance(code, int) and 400 <= code < 600 else 500
    return refusal_in(status, payload)


def is_overflow(refusal: Refusal) -> bool:
    """Whether the prompt did not fit the model's context."""
    if refusal.status not in (400, 413, 422, 500):
        return False
    return OVERFLOW.search(f"{refusal.code} {refusal.message}") is not None


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
