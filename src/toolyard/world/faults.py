"""What a tool says when it cannot do what was asked: a value with a stable kind, never a traceback."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

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


# How alike two names must be to be taken for each other, in per cent.
ALIKE = 75


class ToolFault(Exception):
    """A structured refusal; the message tells a model what to do instead."""

    def __init__(self, kind: str, message: str, **details: Json) -> None:
        if kind not in KINDS:
            raise ValueError(f"fault kind {kind!r} is none of {sorted(KINDS)}")
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.details = details
        self.listed_by = ""

    def as_json(self, name_of: Callable[[str], str | None] | None = None) -> Json:
        """The value that stands in place of a result; the tool that lists what exists is called as the caller knows it."""
        name = self.listed_by.rsplit("/", 1)[-1] if name_of is None else name_of(self.listed_by)
        message = (
            f"{self.message}{'' if self.message.endswith('?') else ';'} {name} lists them"
            if name
            else self.message
        )
        return {"error": {"kind": self.kind, "message": message, **self.details}}


def not_found(
    what: str,
    wanted: object,
    *,
    known: Iterable[object] = (),
    nearest: Iterable[object] | None = None,
    listed_by: str = "",
) -> ToolFault:
    """The fault for a key that no row has, with what helps to find one.

    known: Keys that exist; those written most like the wanted one are named, else the first five.
    nearest: Keys that the caller found to be near, instead.
    listed_by: The id of the tool that lists them.
    """
    names = [str(value) for value in known] if nearest is None else []
    alike = [str(value) for value in nearest][:5] if nearest is not None else _alike(str(wanted), names)
    hint = f"; did you mean {' or '.join(alike)}?" if alike else ""
    if not alike and names:
        count = f" ({len(names):,} in all)" if len(names) > 5 else ""
        hint = f"; known ones are {', '.join(names[:5])}{count}"
    fault = ToolFault("not_found", f"no {what} {wanted!r}{hint}")
    fault.listed_by = listed_by
    return fault


def _alike(wanted: str, names: list[str]) -> list[str]:
    """Up to three names that are written almost like the wanted one."""
    from rapidfuzz import fuzz, process

    if sum(sign.isalpha() for sign in wanted) < 3:  # numbers and ids that look alike are not near
        return []
    folded = {name: name.casefold() for name in dict.fromkeys(names)}
    found = process.extract(wanted.casefold()[:80], folded, scorer=fuzz.ratio, limit=3, score_cutoff=ALIKE)
    return [name for _, _, name in found]


def invalid(parameter: str, found: object, wanted: str) -> ToolFault:
    """The fault for a value of the right type that makes no sense."""
    return ToolFault("invalid_value", f"{parameter}={found!r}: {wanted}", parameter=parameter)


def out_of_range(parameter: str, found: object, wanted: str) -> ToolFault:
    """The fault for a value beyond what the tool covers."""
    return ToolFault("out_of_range", f"{parameter}={found!r}: {wanted}", parameter=parameter)


def together(faults: Sequence[ToolFault]) -> ToolFault:
    """One fault that names all the mistakes of a call, of the kind of the first one."""
    if len(faults) == 1:
        return faults[0]
    first = faults[0]
    message = f"{len(faults)} mistakes: " + "; ".join(fault.message for fault in faults)
    return ToolFault(
        first.kind,
        message,
        **first.details,
        parameters=[fault.details["parameter"] for fault in faults if "parameter" in fault.details],
    )
