"""The answers that a row accepts: its gold calls first, then what its `alternatives` say is right as well."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from toolyard.benchmarks.alternatives import FIELD, NOTHING_ELSE, Accepted, Alternatives, read_alternatives
from toolyard.benchmarks.mtu.data.sample import MtuSample
from toolyard.benchmarks.mtu.scoring.calls import Call, calls_of, gold_calls
from toolyard.benchmarks.mtu.scoring.paper import tool_order
from toolyard.benchmarks.mtu.scoring.value_equality import arguments_equal, reference_day
from toolyard.core.cache_by_object import PerObject
from toolyard.core.types import Failure, JsonValue
from toolyard.text.canonical_values import values_equal


@dataclass(frozen=True)
class AcceptedCalls:
    """One right answer: its calls, what else is right about each, and whether their order is free."""

    calls: tuple[Call, ...]
    beside: tuple[Accepted, ...]
    free_order: bool = False

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The tools in order."""
        return tuple(call.name for call in self.calls)

    @cached_property
    def tools(self) -> frozenset[str]:
        """The tools in no order."""
        return frozenset(self.names)

    @cached_property
    def order_printed(self) -> float:
        """What the right tools in the right order earn where positions count from 1."""
        return tool_order(self.names, self.names, first=1)


@dataclass(frozen=True, slots=True)
class WantedTurn:
    """What a row wants, made ready once: the gold calls, every accepted answer, and the prompt's day."""

    gold: tuple[Call, ...]
    accepted: tuple[AcceptedCalls, ...]
    today: date | None


def _build_wanted_turn(sample: MtuSample) -> WantedTurn:
    gold = calls_of(sample.gold["calls"])
    # Two official gold names end on a full stop that no tool list has; the reading of answers drops it too.
    plain = tuple(Call(call.name.rstrip("."), call.arguments) for call in gold)
    alternatives = read_alternatives(sample.gold.get(FIELD), len(gold), sample.id)
    return WantedTurn(
        gold, tuple(_accepted_answers(plain, alternatives)), reference_day(sample.input["instructions"])
    )


wanted_of: PerObject[MtuSample, WantedTurn] = PerObject(_build_wanted_turn)


def _accepted_answers(gold: tuple[Call, ...], alternatives: Alternatives) -> Iterator[AcceptedCalls]:
    beside = tuple(alternatives.of(place) for place in range(len(gold)))
    free = alternatives.free_order
    yield AcceptedCalls(gold, beside, free)
    for other in alternatives.others:
        arguments = gold[other.call].arguments if other.parameters is None else other.parameters
        calls = (*gold[: other.call], Call(other.tool, arguments), *gold[other.call + 1 :])
        yield AcceptedCalls(calls, (*beside[: other.call], NOTHING_ELSE, *beside[other.call + 1 :]), free)
    for answer in alternatives.answers:
        found = gold_calls(answer)
        if not isinstance(found, Failure):
            yield AcceptedCalls(found, (NOTHING_ELSE,) * len(found), free)


def arguments_accepted(
    given: Mapping[str, JsonValue], gold: Mapping[str, JsonValue], beside: Accepted, today: date | None
) -> bool:
    """Whether the parameters are gold's by meaning, or others that the row accepts."""
    if beside is NOTHING_ELSE:
        return arguments_equal(given, gold, today)
    if any(name not in given and name not in beside.absent for name in gold):
        return False
    return all(
        (name in gold and values_equal(value, gold[name], today))
        or name in beside.free
        or any(values_equal(value, other, today) for other in beside.values.get(name, ()))
        for name, value in given.items()
    )


def order_as_wanted(called: Sequence[Call], wanted: AcceptedCalls, today: date | None) -> tuple[Call, ...]:
    """The calls as they are, or in gold's order where the row leaves the order free and nothing else differs."""
    if not wanted.free_order or len(called) != len(wanted.calls):
        return tuple(called)
    left, ordered = list(called), []
    for want, beside in zip(wanted.calls, wanted.beside, strict=True):
        same = [call for call in left if call.name == want.name]
        right = [call for call in same if arguments_accepted(call.arguments, want.arguments, beside, today)]
        if not same:
            return tuple(called)
        ordered.append((right or same)[0])
        left.remove(ordered[-1])
    return tuple(ordered) if not _refers_forward(called) else tuple(called)


def _refers_forward(called: Sequence[Call]) -> bool:
    """Whether a call takes a result of one that the answer makes only later."""
    later = {call.name for call in called}
    for call in called:
        texts = [value for value in call.arguments.values() if isinstance(value, str)]
        if any(text.partition(".")[0].strip() in later for text in texts if "." in text):
            return True
        later.discard(call.name)
    return False
