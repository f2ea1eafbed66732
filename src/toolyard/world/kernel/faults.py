"""What a tool says when it cannot do what was asked: a value with a stable kind, never a traceback."""

from collections.abc import Callable, Iterable, Sequence

from toolyard.core.types import JsonValue

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

    def __init__(self, kind: str, message: str, **details: JsonValue) -> None:
        if kind not in KINDS:
            raise ValueError(f"fault kind {kind!r} is none of {sorted(KINDS)}")
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.details = details
        self.listed_by = ""
        # The key that was not found, by which the argument that held it is recognised.
        self.wanted: object = None

    def as_json(self, name_of: Callable[[str], str | None] | None = None) -> object:
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
    count: int | None = None,
    such_as: Sequence[str] = (),
    listed_by: str = "",
) -> ToolFault:
    """The fault for a key that no row has, with what helps to find one: near ones, and how many there are.

    known: Keys that exist; those written most like the wanted one are named, else the first five.
    nearest: Keys that the caller found to be near, instead.
    count: How many exist, where `known` are only some of them.
    such_as: What may be given instead, where no list could hold all that exist.
    listed_by: The id of the tool that lists them; the executor looks for one where none is named.
    """
    keys = list(known)
    names = [str(value) for value in keys]
    total = len(names) if count is None else count
    alike = [str(value) for value in nearest][:5] if nearest else _similar_names(str(wanted), names)
    in_all = f" ({total:,} in all)" if total else ""
    hint = f"; did you mean {' or '.join(alike)}?{in_all}" if alike else ""
    if not alike and names:
        hint = f"; known ones are {_key_range(keys) or ', '.join(names[:5])}{in_all}"
    if not hint and such_as:
        hint = f"; want one such as {' or '.join(such_as)}"
    if not hint and total:
        hint = f"; {total:,} are known"
    fault = ToolFault("not_found", f"no {what} {wanted!r}{hint}")
    fault.listed_by = listed_by
    fault.wanted = wanted
    return fault


def _key_range(keys: list[object]) -> str:
    """Numbers that follow each other, as `1 to 80`; empty for other keys."""
    numbers = sorted(key for key in keys if isinstance(key, int) and not isinstance(key, bool))
    if len(numbers) < max(3, len(keys)):
        return ""
    return f"{numbers[0]} to {numbers[-1]}" if numbers[-1] - numbers[0] == len(numbers) - 1 else ""


def _similar_names(wanted: str, names: list[str]) -> list[str]:
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


def join_faults(faults: Sequence[ToolFault]) -> ToolFault:
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
