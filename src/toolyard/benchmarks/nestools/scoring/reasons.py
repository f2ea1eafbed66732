"""Short sentences that say where the points of an answer went."""

from collections.abc import Iterable, Mapping, Sequence

from toolyard.benchmarks.nestools.data.sample import NestoolsCall
from toolyard.benchmarks.nestools.scoring.official import UNKNOWN
from toolyard.benchmarks.nestools.scoring.parse import Calls, ParsedCall
from toolyard.core.types import Counts, JsonValue
from toolyard.text.documents.dialect_parts import json_kind
from toolyard.text.parsing import excerpt, json_safe


def call_reasons(
    gold: Sequence[NestoolsCall], predicted: Calls, matched: Mapping[int, int], hallucinated: Sequence[bool]
) -> list[str]:
    """One sentence for every gold call nobody made and every call nobody wanted."""
    made = set(matched.values())
    missing = [f"{call['api_name']} is not called" for i, call in enumerate(gold) if i not in made]
    extra = [
        f"{_name_excerpt(call)} is called but {'was not offered' if hallucinated[row] else 'not wanted'}"
        for row, call in enumerate(predicted)
        if row not in matched
    ]
    return [*missing, *extra]


def redundant_reasons(gold: NestoolsCall, names: Iterable[JsonValue]) -> list[str]:
    """One sentence for every argument that the gold call does not have."""
    return [f"{gold['api_name']}.{_value_excerpt(name)} is filled but not wanted" for name in names]


def order_reason(counts: Counts) -> list[str]:
    """One sentence where adjacent calls are not those of the gold chain."""
    if counts.matched == counts.predicted == counts.gold:
        return []
    return [
        f"{counts.matched:g} of {counts.gold:g} gold pairs of adjacent calls are in the answer, "
        f"which has {counts.predicted:g}"
    ]


def value_reason(call: NestoolsCall, name: str, wanted: JsonValue, given: JsonValue, earned: float) -> str:
    """One sentence for one argument that is missing or not right."""
    where = f"{call['api_name']}.{name}"
    if given == UNKNOWN:
        return f"{where} is not filled; wanted {_value_excerpt(wanted)}"
    part = f" (earned {earned:.2f})" if earned else ""
    said = _value_excerpt(wanted), _value_excerpt(given)
    kinds = json_kind(wanted), json_kind(given)
    if said[0] == said[1] and kinds[0] != kinds[1]:
        said = f"{said[0]} ({kinds[0]})", f"{said[1]} ({kinds[1]})"
    return f"{where}: wanted {said[0]}, got {said[1]}{part}"


def _name_excerpt(call: ParsedCall) -> str:
    return _value_excerpt(call.name if call.name is not None else call.tool_id)


def _value_excerpt(value: JsonValue) -> str:
    safe = json_safe(value)
    return excerpt(safe if isinstance(safe, str) and safe else repr(safe))
