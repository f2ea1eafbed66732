"""Calls ready for comparison: which offered tool, and arguments in which every label is followed to its source."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from toolyard.benchmarks.alternatives import NOTHING_ELSE, Accepted, Alternatives, OtherCall
from toolyard.benchmarks.nestools.data.rows import accepted_alternatives, nested_calls, offered_tools
from toolyard.benchmarks.nestools.data.sample import NestoolsCall, NestoolsSample
from toolyard.benchmarks.nestools.scoring.parse import Calls, ParsedCall
from toolyard.benchmarks.nestools.scoring.value_equality import Normal, are_equal, normal_form, normal_text
from toolyard.core.cache_by_object import PerObject
from toolyard.core.nesting import LABEL_BEGINS, Edge, ReturnValue, edges, is_label, mentions_label
from toolyard.core.types import JsonValue

Key: TypeAlias = Hashable
Returns: TypeAlias = Sequence[tuple[int, str]]
Same: TypeAlias = Callable[[ReturnValue, ReturnValue], bool]
NOT_NESTED: frozenset[JsonValue] = frozenset()
NO_VALUES: Mapping[JsonValue, tuple[Normal, ...]] = MappingProxyType({})


class GradedCall(NamedTuple):
    """One call ready for comparison: which tool, and its arguments in normal form."""

    key: Key
    arguments: Mapping[JsonValue, Normal]
    nested: frozenset[JsonValue]
    # what else is right about a gold call, where the data say so
    values: Mapping[Any, tuple[Normal, ...]] = NO_VALUES
    free: frozenset[JsonValue] = frozenset()
    absent: frozenset[JsonValue] = frozenset()

    def accepts(self, name: JsonValue, value: Normal, same: Same) -> bool:
        """Whether this gold call takes the value: its own, or one that the data accept beside it."""
        wanted = self.arguments.get(name)
        # Most values are texts, of which a look is enough; a label is right by what it stands for.
        if wanted is not None and (
            wanted == value if type(wanted) is str else are_equal(wanted, value, same)
        ):
            return True
        if name in self.free:
            return True
        others = self.values.get(name)
        return others is not None and any(are_equal(other, value, same) for other in others)

    def fits(self, step: "GradedCall", same: Same) -> bool:
        """Whether a predicted call of the same tool is this one in every argument."""
        made = step.arguments
        for name in self.arguments:
            if name not in made and name not in self.absent:
                return False
        # A loop, not `all`: this is asked of every call of every answer.
        for name, value in made.items():  # noqa: SIM110
            if not self.accepts(name, value, same):
                return False
        return True


class Offer:
    """The tools of a prompt, found by name and by id."""

    def __init__(self, sample: NestoolsSample) -> None:
        self.tools = offered_tools(sample)
        # Backwards, so that the gold tools, which stand first, win over a distractor of the same name.
        self.by_name = {self.tools[i]["api_name"]: i for i in reversed(range(len(self.tools)))}
        self._returns: dict[int, Mapping[str, int]] = {}

    @cached_property
    def by_id(self) -> Mapping[str, int]:
        """The places of the tools by their ids; few answers need it, whose calls have no name."""
        return {plain_id(self.tools[i]["api_id"]): i for i in reversed(range(len(self.tools)))}

    def index_by_name(self, name: JsonValue) -> int | None:
        """The offered tool of that name."""
        return self.by_name.get(name.strip()) if isinstance(name, str) else None

    def index_by_id(self, tool_id: JsonValue) -> int | None:
        """The offered tool of that id."""
        return self.by_id.get(plain_id(tool_id))

    def key(self, name: JsonValue, tool_id: JsonValue) -> Key:
        """The offered tool: of that name, or of that id where the call has no name; no tool for a name that is not there."""
        nameless = name is None or name == ""
        place = self.index_by_id(tool_id) if nameless else self.index_by_name(name)
        if place is not None:
            return place
        return ("not offered", name if isinstance(name, str) else repr(name), plain_id(tool_id))

    def returns(self, key: Key) -> Mapping[str, int]:
        """Names of the tool's return values, with their places in declared order."""
        if not isinstance(key, int):
            return {}
        if key not in self._returns:
            self._returns[key] = {name: place for place, name in enumerate(self.tools[key]["responses"])}
        return self._returns[key]


def plain_id(tool_id: JsonValue) -> str:
    """An id as text, so that 9031, 9031.0 and "9031" are one id."""
    if isinstance(tool_id, float) and tool_id.is_integer():
        return str(int(tool_id))
    return str(tool_id).strip()


class GoldLetters(NamedTuple):
    """A gold call as an answer may write it: its arguments, and the labels by the names of return values."""

    arguments: Mapping[Any, Any]
    responses: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class WantedRecord:
    """The gold of one record, made ready once: its offer, its calls, what else is right, what feeds what."""

    offer: Offer
    calls: tuple[GradedCall, ...]
    alternatives: Alternatives
    links: frozenset[Edge]
    # the calls that each call takes something from
    needs: tuple[frozenset[int], ...]
    keys: list[Key]
    pairs: list[tuple[Key, Key]]
    # how many arguments, and how many of them are nested
    arguments: int
    nested: int
    letters: tuple[GoldLetters, ...]
    # whether all tools of gold are offered and all their return values have labels
    sound: bool
    # whether moreover nothing is right but gold
    only_gold: bool


def _build_wanted_record(sample: NestoolsSample) -> WantedRecord:
    offer, gold = Offer(sample), sample.gold["calls"]
    alternatives = accepted_alternatives(sample)
    calls = gold_steps(gold, offer, alternatives)
    keys = [call.key for call in calls]
    links = edges(nested_calls(gold))
    sound = all(isinstance(key, int) for key in keys) and all(
        len(offer.returns(key)) == len(call["responses"]) and all(map(is_label, call["responses"]))
        for call, key in zip(gold, keys, strict=True)
    )
    return WantedRecord(
        offer,
        calls,
        alternatives,
        links,
        tuple(frozenset(first for first, later in links if later == place) for place in range(len(calls))),
        keys,
        list(pairwise(keys)),
        sum(len(call.arguments) for call in calls),
        sum(len(call.nested) for call in calls),
        tuple(
            GoldLetters(call["parameters"], dict(zip(offer.returns(key), call["responses"], strict=False)))
            for call, key in zip(gold, keys, strict=True)
        ),
        sound,
        sound and not (alternatives.calls or alternatives.others or alternatives.free_order),
    )


wanted_of: PerObject[NestoolsSample, WantedRecord] = PerObject(_build_wanted_record)


class GoldCalls(NamedTuple):
    """The gold calls as the data have them, and ready for comparison."""

    written: Sequence[NestoolsCall]
    steps: tuple[GradedCall, ...]


def gold_nearest_answer(sample: NestoolsSample, called: Sequence[Key]) -> GoldCalls:
    """The gold calls, each replaced by an accepted one of another tool where the answer calls that instead."""
    wanted = wanted_of(sample)
    if not wanted.alternatives.others:
        return GoldCalls(sample.gold["calls"], wanted.calls)
    calls, left = list(sample.gold["calls"]), list(called)
    for step in wanted.calls:
        if step.key in left:
            left.remove(step.key)
    replaced: dict[int, OtherCall] = {}
    for other in wanted.alternatives.others:
        key = wanted.offer.key(other.tool, None)
        if key in left and wanted.calls[other.call].key not in called:
            left.remove(key)
            replaced.setdefault(other.call, other)
    for place, other in replaced.items():
        calls[place] = {
            "api_name": other.tool,
            "parameters": calls[place]["parameters"] if other.parameters is None else dict(other.parameters),
            "responses": list(other.responses),
        }
    if not replaced:
        return GoldCalls(calls, wanted.calls)
    return GoldCalls(calls, gold_steps(calls, wanted.offer, wanted.alternatives))


def gold_steps(
    gold: Sequence[NestoolsCall], offer: Offer, alternatives: Alternatives
) -> tuple[GradedCall, ...]:
    """The gold calls ready for comparison."""
    return _graded_steps(
        (
            offer.key(call["api_name"], None),
            call["parameters"],
            tuple(enumerate(call["responses"])),
            alternatives.of(place),
        )
        for place, call in enumerate(gold)
    )


def predicted_steps(calls: Calls, offer: Offer) -> tuple[GradedCall, ...]:
    """The predicted calls ready for comparison."""
    keys = [offer.key(call.name, call.tool_id) for call in calls]
    return _graded_steps(
        (key, call.parameters, labelled_returns(call, offer.returns(key)), NOTHING_ELSE)
        for key, call in zip(keys, calls, strict=True)
    )


def comparable_steps(calls: Calls, wanted: WantedRecord) -> tuple[GradedCall, ...]:
    """The predicted calls ready for comparison; those of an answer that is gold to the letter are gold's."""
    if is_verbatim(calls, wanted):
        return wanted.calls
    return predicted_steps(calls, wanted.offer)


def is_verbatim(calls: Calls, wanted: WantedRecord) -> bool:
    """Whether the answer makes gold's calls in gold's order, with its very arguments and labels."""
    if not wanted.sound or len(calls) != len(wanted.letters):
        return False
    key_of = wanted.offer.key
    for call, key, letters in zip(calls, wanted.keys, wanted.letters, strict=True):
        arguments = letters.arguments
        if call.responses != letters.responses or len(call.parameters) != len(arguments):
            return False
        for name, value in call.parameters.items():
            if name not in arguments or not _equals_letter_for_letter(value, arguments[name]):
                return False
        if key_of(call.name, call.tool_id) != key:
            return False
    return True


def _equals_letter_for_letter(value: JsonValue, gold: JsonValue) -> bool:
    if type(value) is not type(gold) or value != gold:
        return False
    return not isinstance(value, list | dict) or repr(value) == repr(gold)


def _graded_steps(
    calls: Iterable[tuple[Key, Mapping[Any, JsonValue], Returns, Accepted]],
) -> tuple[GradedCall, ...]:
    """A label means its latest earlier definition; a call repeated in full returns what the first did."""
    known: dict[str, ReturnValue] = {}
    steps: list[GradedCall] = []
    keys: list[Key] = []
    resolve = known.get
    for index, (key, arguments, returns, accepted) in enumerate(calls):
        normals: dict[JsonValue, Normal] = {}
        labels: list[JsonValue] = []
        for name, value in arguments.items():
            if type(value) is str and LABEL_BEGINS not in value:
                normals[name] = normal_text(value)
                continue
            normals[name] = normal_form(value, resolve)
            if mentions_label(value):
                labels.append(name)
        nested = frozenset(labels) if labels else NOT_NESTED
        if accepted is NOTHING_ELSE:
            step = GradedCall(key, normals, nested)
        else:
            values = {
                name: tuple(normal_form(value, resolve) for value in others)
                for name, others in accepted.values.items()
            }
            step = GradedCall(key, normals, nested, values, accepted.free, accepted.absent)
        first = index
        if key in keys:
            earlier = (place for place, other in enumerate(keys) if other == key)
            first = next((place for place in earlier if steps[place].arguments == normals), index)
        steps.append(step)
        keys.append(key)
        for position, name in returns:
            known[name] = ReturnValue(first, position)
    return tuple(steps)


def labelled_returns(call: ParsedCall, declared: Mapping[str, int]) -> Returns:
    """The (position, label) pairs of a call: by declared name where all names are declared, else by place."""
    if isinstance(call.responses, dict):
        pairs = call.responses.items()
        if all(map(declared.__contains__, call.responses)):
            return [(declared[name], label) for name, label in pairs if is_label(label)]
        return [(position, label) for position, (_, label) in enumerate(pairs) if is_label(label)]
    if isinstance(call.responses, list | tuple):
        return [(position, label) for position, label in enumerate(call.responses) if is_label(label)]
    return [(0, call.responses)] if is_label(call.responses) else []
