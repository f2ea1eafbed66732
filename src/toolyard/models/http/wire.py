"""The OpenAI chat format, both ways; pure functions, nothing here talks to anybody.

{"model": "m", "messages": [{"role": "user", "content": "..."}], "temperature": 0.0, "max_tokens": 64}
{"choices": [{"message": {"content": "..."}, "finish_reason": "stop"}],
 "usage": {"prompt_tokens": 12, "completion_tokens": 3}}
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

import orjson

from toolyard.core.types import Completion, Failure, JsonValue, Message, Request, TokenLogprob
from toolyard.core.untrusted.json_size import reason_too_large
from toolyard.lines import encode
from toolyard.models.base import estimated_usage
from toolyard.models.http.request_settings import Asking
from toolyard.models.http.thoughts import reasoning_field, separate_thought
from toolyard.models.http.tool_calls import chat_choice, read_calls, strict_tools
from toolyard.models.http.usage import read_usage
from toolyard.text.json_values import mapping

TOP_LOGPROBS = 5
LABEL_LIMIT = 200
NEVER = -9999.0
RENAMED = "max_completion_tokens"
PLAIN = Asking()


def encode_json(body: Mapping[str, JsonValue]) -> bytes:
    """The body as JSON; what JSON cannot hold (lone surrogates in quoted model text) is made safe."""
    return encode(body, 0)


def decode_json(data: bytes) -> JsonValue | Failure:
    """The value that a response body holds, or why it holds none."""
    why = reason_too_large(data)
    if why:
        return Failure("too_large", f"too large to be read at once: {why}")
    try:
        strict: JsonValue = orjson.loads(data)
        return strict
    except orjson.JSONDecodeError:
        # orjson is strict; the next reader also takes NaN, lone surrogates and a broken character
        text = data.decode("utf-8-sig", "replace")
    try:
        found: JsonValue = json.loads(text)
        return found
    except json.JSONDecodeError as error:
        return Failure("bad_response", f"not JSON but {len(data)} bytes: {error.msg} at {error.pos}")
    except (ValueError, RecursionError) as error:
        return Failure("bad_response", f"no usable JSON: {error}"[:200])


def request_body(
    name: str, request: Request, dropped: Set[str] = frozenset(), asking: Asking = PLAIN, room: int = 0
) -> dict[str, JsonValue]:
    """The body of one request, without the parameters that this endpoint has refused.

    `room` is what thoughts may take beside the answer's own limit.
    """
    decoding = request.decoding
    limit = RENAMED if RENAMED in dropped else "max_tokens"
    body: dict[str, JsonValue] = {
        "model": name,
        "messages": [_message_fields(message, asking) for message in request.messages],
        "temperature": decoding.temperature,
        limit: decoding.max_tokens + room,
    }
    if decoding.top_p != 1.0:
        body["top_p"] = decoding.top_p
    # A stop sequence would end a thought that mentions it: where there may be one, the answer is cut afterwards.
    if decoding.stop and not room:
        body["stop"] = list(decoding.stop)
    if decoding.logprobs:
        body |= {"logprobs": True, "top_logprobs": TOP_LOGPROBS}
    if request.seed is not None:
        body["seed"] = request.seed
    body |= _tool_fields(request, asking)
    if asking.effort:
        body["reasoning_effort"] = asking.effort
    if asking.streams:
        body |= {"stream": True, "stream_options": {"include_usage": True}}
    for refused in dropped - {limit}:
        body.pop(refused, None)
    return {**body, **asking.extra}


def _tool_fields(request: Request, asking: Asking) -> dict[str, JsonValue]:
    if not request.tools:
        return {}
    tools = strict_tools(request.tools) if asking.strict else [dict(tool) for tool in request.tools]
    found: dict[str, JsonValue] = {"tools": tools}
    if request.tool_choice:
        found["tool_choice"] = chat_choice(request.tool_choice)
    if request.parallel_calls is not None:
        found["parallel_tool_calls"] = request.parallel_calls
    return found


def _message_fields(message: Message, asking: Asking) -> dict[str, JsonValue]:
    wire: dict[str, JsonValue] = {"role": message.role, "content": message.content}
    if message.name is not None:
        wire["name"] = message.name
    if message.tool_calls:
        wire["tool_calls"] = [dict(call) for call in message.tool_calls]
    if message.tool_call_id is not None:
        wire["tool_call_id"] = message.tool_call_id
    if asking.sends_thoughts and message.reasoning:
        wire["reasoning_content"] = message.reasoning
    return wire


def read_completion(payload: JsonValue, request: Request, latency: float) -> Completion | Failure:
    """The completion in a response; token counts are estimated where the endpoint gives none."""
    choice = _first_choice(payload)
    if choice is None or not isinstance(payload, dict):
        return Failure("bad_response", f"no choices in {str(payload)[:120]}")
    message = mapping(choice["message"])
    text, reasoning = read_text(message.get("content")), reasoning_field(message)
    found = read_calls(message)
    estimate = estimated_usage(request, written_text(text, reasoning, found.calls))
    completion = separate_thought(
        Completion(
            text=text,
            finish_reason=str(choice.get("finish_reason") or "stop")[:LABEL_LIMIT],
            usage=read_usage(payload.get("usage"), estimate),
            latency=latency,
            model=str(payload.get("model") or "")[:LABEL_LIMIT],
            tool_calls=found.calls,
            logprobs=_read_logprobs(choice.get("logprobs")),
            reasoning=reasoning,
            dropped_calls=found.dropped,
        )
    )
    text = cut_at_stop(completion.text, request.decoding.stop)
    return completion if text == completion.text else replace(completion, text=text)


def cut_at_stop(text: str, stops: Sequence[str]) -> str:
    """The text up to the first stop sequence, as an endpoint that takes them would send it."""
    places = [place for place in (text.find(stop) for stop in stops if stop) if place >= 0]
    return text[: min(places)] if places else text


def _first_choice(payload: JsonValue) -> dict[str, JsonValue] | None:
    choices = payload.get("choices") if isinstance(payload, dict) else None
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        return None
    return choices[0] if isinstance(choices[0].get("message"), dict) else None


def read_text(content: JsonValue) -> str:
    """The words of a content, be it a text or a list of parts."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    return "".join(_text_of_part(part) for part in content)


def _text_of_part(part: JsonValue) -> str:
    if isinstance(part, dict) and part.get("type", "text") in ("text", "output_text"):
        part = part.get("text")
    return part if isinstance(part, str) else ""


def written_text(text: str, reasoning: str, calls: tuple[Mapping[str, JsonValue], ...]) -> str:
    """Everything the model wrote, as far as known, to estimate its tokens."""
    return text + reasoning + "".join(str(call.get("function", "")) for call in calls)


def _read_logprobs(found: JsonValue) -> tuple[TokenLogprob, ...]:
    content = found.get("content") if isinstance(found, dict) else None
    if not isinstance(content, list):
        return ()
    tokens = ((_read_token(item), item) for item in content)
    return tuple(
        TokenLogprob(*token, _read_top_logprobs(item)) for token, item in tokens if token is not None
    )


def _read_top_logprobs(item: Mapping[str, JsonValue]) -> tuple[tuple[str, float], ...]:
    found = item.get("top_logprobs")
    return tuple(filter(None, map(_read_token, found[:TOP_LOGPROBS]))) if isinstance(found, list) else ()


def _read_token(item: JsonValue) -> tuple[str, float] | None:
    if not isinstance(item, dict):
        return None
    token, logprob = item.get("token"), item.get("logprob")
    if not isinstance(token, str) or isinstance(logprob, bool) or not isinstance(logprob, int | float):
        return None
    # JSON has no infinity: what cannot happen gets the number that endpoints write for it.
    return (token, float(max(NEVER, min(logprob, -NEVER)))) if logprob == logprob else None
