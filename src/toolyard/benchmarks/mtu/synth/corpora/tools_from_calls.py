"""Tool documents read off the calls themselves, for corpora that say nothing about what is required."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import (
    CorpusDialogue,
    CorpusParameter,
    CorpusTool,
    DialogueCall,
    Item,
    Verb,
)
from toolyard.core.types import JsonValue
from toolyard.text.names import name_in_words

# A parameter that at least this share of a tool's calls has is required.
REQUIRED_SHARE = 0.8
_TYPES = {bool: "boolean", int: "integer", float: "number", list: "array", dict: "object", str: "string"}
_PLAYING = frozenset({"play"})
_CREATING = frozenset(
    {"add", "book", "buy", "create", "delete", "finish", "make", "order", "rate", "remove", "reserve"}
    | {"send", "set", "transfer", "update"}
)


@dataclass(slots=True)
class Use:
    """What the calls of one tool show."""

    calls: int = 0
    parameters: Counter[str] = field(default_factory=Counter)
    types: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    results: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))


def tools_of_calls(
    calls: Iterable[DialogueCall],
    descriptions: Callable[[str], str],
    topics: Callable[[DialogueCall], tuple[str, ...]],
) -> tuple[CorpusTool, ...]:
    """One tool per (service, name), sorted; required is what `REQUIRED_SHARE` of its calls have."""
    uses: dict[tuple[str, str], Use] = {}
    subjects: dict[tuple[str, str], tuple[str, ...]] = {}
    for call in calls:
        key = call.service, call.name
        subjects.setdefault(key, topics(call))
        _count(uses.setdefault(key, Use()), call)
    return tuple(
        _tool(service, name, uses[service, name], descriptions(name), subjects[service, name])
        for service, name in sorted(uses)
    )


def calls_of(items: Iterable[Item]) -> Iterator[DialogueCall]:
    """The calls of all dialogues in a stream."""
    for item in items:
        if isinstance(item, CorpusDialogue):
            yield from (call for turn in item.turns for call in turn.calls)


def one_or_all(found: Mapping[str, Sequence[JsonValue]]) -> dict[str, JsonValue]:
    """Values by name: the value where there is one, a list where a name has several."""
    return {name: values[0] if len(values) == 1 else [*values] for name, values in found.items()}


def verb_of(name: str) -> Verb:
    """What a tool does by the first word of its name; one that neither plays nor changes anything asks."""
    first = name_in_words(name).partition(" ")[0]
    if first in _PLAYING:
        return "play"
    return "create" if first in _CREATING else "query"


def _count(use: Use, call: DialogueCall) -> None:
    use.calls += 1
    for name, value in call.arguments.items():
        use.parameters[name] += 1
        use.types[name][_type(value)] += 1
    for result in call.results or ():
        for name, value in result.items():
            use.results[name][_type(value)] += 1


def _tool(service: str, name: str, use: Use, description: str, topics: tuple[str, ...]) -> CorpusTool:
    ranked = sorted(use.parameters, key=lambda parameter: (-use.parameters[parameter], parameter))
    required = [one for one in ranked if use.parameters[one] >= REQUIRED_SHARE * use.calls]
    optional = [one for one in ranked if one not in required]
    return CorpusTool(
        name,
        service,
        description,
        tuple(_parameter(one, use.types[one]) for one in required),
        tuple(_parameter(one, use.types[one]) for one in optional),
        tuple(_parameter(one, types) for one, types in sorted(use.results.items())),
        verb_of(name),
        topics,
    )


def _parameter(name: str, types: Counter[str]) -> CorpusParameter:
    common = max(sorted(types), key=lambda kind: types[kind])
    return CorpusParameter(name, common, f"The {name_in_words(name)}.")


def _type(value: JsonValue) -> str:
    return _TYPES.get(type(value), "string")
