"""How a model is asked beyond the request itself: effort, room for thoughts, streaming, extra parameters.

openai/NAME?reasoning=low&reasoning_tokens=4096&thoughts=sent&stream=yes&extra={"top_k":20,"min_p":0.05}
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from toolyard.core.errors import UsageError
from toolyard.core.types import JsonValue
from toolyard.models.http.address import ADVICE, looks_like_key
from toolyard.models.spec import ModelSpec

SETTINGS = ("reasoning", "reasoning_tokens", "thoughts", "stream", "strict", "extra")
# Tokens beside the answer's own limit, for each effort; and for a model that is found to think unasked.
ROOM = {"none": 0, "minimal": 1024, "low": 2048, "medium": 8192, "high": 24576}
ROOM_UNASKED = 8192
# What a run itself decides, and what would change the meaning of the answer's form.
KEY_NAME = re.compile(r"api_?key|authorization|secret|passw|access_?token|credential", re.IGNORECASE)
RESERVED = ("model", "messages", "input", "tools", "stream", "stream_options", "n")


@dataclass(frozen=True, slots=True)
class Asking:
    """What the MODEL argument asks of every request."""

    effort: str = ""
    # None: nothing was said, so that a model that thinks all the same gets room when it is first seen to
    thought_tokens: int | None = None
    sends_thoughts: bool = False
    streams: bool = False
    strict: bool = False
    extra: Mapping[str, JsonValue] = field(default_factory=dict)

    @property
    def identity(self) -> str:
        """What answers depend on; empty where nothing was asked."""
        parts = {
            "reasoning": self.effort,
            "reasoning_tokens": self.thought_tokens,
            "thoughts": "sent" if self.sends_thoughts else "",
            "strict": "yes" if self.strict else "",
            "extra": json.dumps(self.extra, sort_keys=True) if self.extra else "",
        }
        return "".join(f"&{name}={value}" for name, value in parts.items() if value not in ("", None))


def read_asking(spec: ModelSpec) -> Asking:
    """What the settings of a MODEL argument ask for."""
    effort = _require_one_of(spec, "reasoning", ("", *ROOM))
    return Asking(
        effort=effort,
        thought_tokens=_thought_room(spec, effort),
        sends_thoughts=_require_one_of(spec, "thoughts", ("", "dropped", "sent")) == "sent",
        streams=_require_one_of(spec, "stream", ("", "no", "yes")) == "yes",
        strict=_require_one_of(spec, "strict", ("", "no", "yes")) == "yes",
        extra=_extra_fields(spec.settings.get("extra", "")),
    )


def _require_one_of(spec: ModelSpec, name: str, known: tuple[str, ...]) -> str:
    value = spec.settings.get(name, "")
    if value not in known:
        raise UsageError(f"{name}={value[:40]}: wanted {', '.join(word for word in known if word)}")
    return value


def _thought_room(spec: ModelSpec, effort: str) -> int | None:
    text = spec.settings.get("reasoning_tokens", "")
    if not text:
        return ROOM[effort] if effort else None
    if not text.isdecimal() or int(text) > 10**6:
        raise UsageError(
            f"reasoning_tokens={text[:40]}: wanted a number of tokens, e.g. reasoning_tokens=4096"
        )
    return int(text)


def _holds_key(value: JsonValue, name: str = "") -> bool:
    """Whether a parameter is called like a key, or is one by its look; it would be written down with the model's name."""
    if isinstance(value, dict):
        return any(_holds_key(item, key) for key, item in value.items())
    if isinstance(value, list):
        return any(_holds_key(item, name) for item in value)
    return (
        isinstance(value, str)
        and bool(value)
        and (KEY_NAME.search(name) is not None or looks_like_key(value))
    )


def _extra_fields(text: str) -> Mapping[str, JsonValue]:
    if not text:
        return {}
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(
            f'extra={text[:60]}: not JSON ({error}); wanted e.g. extra={{"top_k":20}}, with & written as %26'
        ) from None
    taken = sorted(set(value) & set(RESERVED)) if isinstance(value, dict) else ["no object"]
    if taken:
        raise UsageError(
            f"extra={text[:60]}: {taken[0]} cannot be given there; wanted an object of parameters"
        )
    if _holds_key(value):
        raise UsageError(f"extra= holds a key, which would be written down; leave it out and {ADVICE}")
    found: dict[str, JsonValue] = value
    return found
