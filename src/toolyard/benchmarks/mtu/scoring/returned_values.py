"""What calls returned, read back from what later calls pass on: gold writes it as a reference, `tool.result`.

A model that sees results passes on values. Where an accepted answer has a reference, a value that an earlier call of the
turn returned stands for the reference to it: for gold's own, if that is its value. The words of the reference stand for
nothing there: the call was made with them.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from toolyard.benchmarks.mtu.data.sample import MtuSample
from toolyard.benchmarks.mtu.scoring.accepted_answers import wanted_of
from toolyard.benchmarks.mtu.scoring.baselines import tool_names
from toolyard.benchmarks.mtu.scoring.calls import Call
from toolyard.core.types import JsonValue
from toolyard.text.canonical_values import values_equal
from toolyard.text.json_values import leaves
from toolyard.text.names import letters_of_name

# The note of an episode whose calls were made: what each of them returned.
RETURNED = "returned"
UNRESOLVED = "not its value"
_REFERENCE = re.compile(r"([\w ]+)\.([\w.]+)")


def restore_references(
    sample: MtuSample, calls: Sequence[Call], returned: Sequence[JsonValue]
) -> tuple[Call, ...]:
    """The calls with references in the place of values that earlier ones returned, wherever gold has one."""
    seen: list[tuple[str, Mapping[str, JsonValue]]] = []
    found = []
    for call, result in zip(calls, returned, strict=True):
        arguments = {
            name: _restore_value(value, list(_accepted_references(sample, call, name)), seen)
            for name, value in call.arguments.items()
        }
        found.append(replace(call, arguments=arguments))
        if isinstance(result, Mapping):
            seen.insert(0, (call.name, result))
    return tuple(found)


def _accepted_references(sample: MtuSample, call: Call, name: str) -> Iterator[str]:
    """The references that accepted answers have in an argument, gold's first."""
    offered = {letters_of_name(tool) for tool in tool_names(sample.input["tools"])}
    for accepted in wanted_of(sample).accepted:
        for want, beside in zip(accepted.calls, accepted.beside, strict=True):
            if letters_of_name(want.name) == letters_of_name(call.name):
                values = [want.arguments.get(name), *beside.values.get(name, ())]
                said = (leaf for leaf in leaves(values) if isinstance(leaf, str))
                yield from (
                    text
                    for text in said
                    if _REFERENCE.fullmatch(text.strip())
                    and letters_of_name(text.partition(".")[0]) in offered
                )


def _restore_value(
    value: JsonValue, wanted: Sequence[str], seen: Sequence[tuple[str, Mapping[str, JsonValue]]]
) -> JsonValue:
    """The reference that a value stands for; the value where it stands for none."""
    if isinstance(value, list):
        return [_restore_value(item, wanted, seen) for item in value]
    if not wanted or isinstance(value, bool | Mapping) or value in (None, ""):
        return value
    if isinstance(value, str) and _returned_value(value, seen) is not None:
        # The model saw the value and did not pass it on: the call was made with these words.
        return f"{value} ({UNRESOLVED})"
    known = (f"{name}.{key}" for name, values in seen for key in values)
    return next((text for text in (*wanted, *known) if _is_value(value, _returned_value(text, seen))), value)


def _returned_value(reference: str, seen: Sequence[tuple[str, Mapping[str, JsonValue]]]) -> JsonValue:
    """What the last call of the tool returned under that name; None where nothing is known of it."""
    tool, _, path = reference.strip().partition(".")
    found = (values for name, values in seen if letters_of_name(name) == letters_of_name(tool))
    return next(found, {}).get(path.rpartition(".")[2])


def _is_value(given: JsonValue, returned: JsonValue) -> bool:
    return returned is not None and values_equal(given, returned)
