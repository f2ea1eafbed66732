"""Completions as JSON objects, as the cache and the files that are replayed hold them.

{"text": "...", "finish_reason": "stop", "usage": {"prompt_tokens": 9, "completion_tokens": 4}}
"""

from dataclasses import asdict

from toolyard.core.types import Completion, JsonValue, Record, TokenLogprob, Usage


def completion_json(completion: Completion) -> dict[str, JsonValue]:
    """The completion as plain data."""
    return asdict(completion)


def read_completion(value: JsonValue) -> Completion | None:
    """The completion that a JSON object stands for; None where it stands for none."""
    if not isinstance(value, dict) or not isinstance(value.get("text"), str):
        return None
    reason = value.get("finish_reason")
    try:
        return Completion(
            text=value["text"],
            finish_reason="stop" if reason is None else str(reason),
            usage=_restore_usage(value.get("usage") or {}),
            latency=float(value.get("latency") or 0.0),
            model=str(value.get("model") or ""),
            tool_calls=tuple(value.get("tool_calls") or ()),
            logprobs=tuple(_restore_logprob(item) for item in value.get("logprobs") or ()),
            reasoning=str(value.get("reasoning") or ""),
            first_token=float(value.get("first_token") or 0.0),
            kept=value.get("kept") is True,
            lost=Usage(**(value.get("lost") or {})),
            dropped_calls=int(value.get("dropped_calls") or 0),
            dropped_characters=int(value.get("dropped_characters") or 0),
        )
    except (TypeError, ValueError, KeyError, OverflowError):
        return None


def _restore_usage(counts: Record) -> Usage:
    if not isinstance(counts, dict) or any(type(count) is not int for count in counts.values()):
        raise TypeError("tokens are counted in whole numbers")
    return Usage(**counts)


def _restore_logprob(item: Record) -> TokenLogprob:
    top = tuple((str(token), float(logprob)) for token, logprob in item.get("top") or ())
    return TokenLogprob(item["token"], float(item["logprob"]), top)
