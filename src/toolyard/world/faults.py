"""What a tool says when it cannot do what was asked: a value with a stable kind, never a traceback."""

from __future__ import annotations

from collections.abc import Iterable

from toolyard.core.types import Json

KINDS = frozenset(
    {
        "unknown_tool",
        "unknown_parameter",
        "missing_parameter",
        "wrong_type",
        "out_of_range",
        "invalid_value",
        "not_found",
        "denied",
        "limit_exceeded",
        "rate_limited",
        "timeout",
        "internal_error",
    }
)


class ToolFault(Exception):
    """A structured refusal; the message tells a model what to do instead."""

    def __init__(self, kind: str, message: str, **details: Json) -> None:
        if kind not in KINDS:
            raise ValueError(f"fault kind {kind!r} is none of {sorted(KINDS)}")
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.details = details

    def as_json(self) -> Json:
        """The value that stands in place of a result."""
        return {"error": {"kind": self.kind, "message": self.message, **self.details}}


def not_found(what: str, wanted: object, *, known: Iterable[object] = ()) -> ToolFault:
    """The fault for a key that no row has, with up to five keys that exist."""
    examples = [str(value) for value in known][:5]
    hint = f"; known ones are {', '.join(examples)}" if examples else ""
    return ToolFault("not_found", f"no {what} {wanted!r}{hint}")


def invalid(parameter: str, found: object, wanted: str) -> ToolFault:
    """The fault for a value of the right type that makes no sense."""
    return ToolFault("invalid_value", f"{parameter}={found!r}: {wanted}", parameter=parameter)


def out_of_range(parameter: str, found: object, wanted: str) -> ToolFault:
    """The fault for a value beyond what the tool covers."""
    return ToolFault("out_of_range", f"{parameter}={found!r}: {wanted}", parameter=parameter)
