"""What is to be executed before a turn is called wrong: its calls and gold's, after those of earlier turns."""

import re
from collections.abc import Sequence
from dataclasses import replace

from toolyard.benchmarks.alternatives import Accepted
from toolyard.benchmarks.execution_verdict import StatedCall, execution_question, unstated_wish, used_names
from toolyard.benchmarks.mtu.data.sample import MtuSample
from toolyard.benchmarks.mtu.scoring.accepted_answers import AcceptedCalls, wanted_of
from toolyard.benchmarks.mtu.scoring.calls import Call, TurnPrediction, calls_of
from toolyard.benchmarks.mtu.scoring.outcome import (
    argument_differences,
    given_arguments,
    readable_calls,
    turn_outcome,
)
from toolyard.benchmarks.mtu.scoring.prompted_turn import PromptedTurn, turn_of
from toolyard.benchmarks.mtu.scoring.score import grade_paper
from toolyard.core.nesting import texts_in
from toolyard.core.types import Question
from toolyard.text.names import letters_of_name

_REFERENCE = re.compile(r"([\w ]+)\.([\w.]+)")


def execution_questions(sample: MtuSample, prediction: TurnPrediction) -> tuple[Question, ...]:
    """The question about a turn that calls gold's tools and that the value rules refuse."""
    row, gold, turn = sample.gold.get("execution"), wanted_of(sample).gold, turn_of(sample)
    called = readable_calls(prediction, turn)
    if row is None or isinstance(called, str) or len(called) != len(gold):
        return ()
    if sorted(letters_of_name(call.name) for call in called) != sorted(
        letters_of_name(call.name) for call in gold
    ):
        return ()
    if turn_outcome(sample, prediction, right=grade_paper(sample, prediction).right).right is not False:
        return ()
    before = [call for each in sample.input["history"] for call in calls_of(each["calls"])]
    accepted = [each for each in wanted_of(sample).accepted if _is_gold(each, gold)]
    pairings = [_pair_calls(called, each, turn) for each in accepted]
    nearest = min(range(len(pairings)), key=lambda place: sum(len(found) for _, found in pairings[place]))
    wanted, paired = accepted[nearest], pairings[nearest]
    plan = _stated_calls(wanted.calls, before)
    given = _stated_calls(
        [
            _normalise_arguments(call, wanted.calls[place], differing, wanted.beside[place], turn)
            for call, (place, differing) in zip(called, paired, strict=True)
        ],
        before,
    )

    def with_used(call: StatedCall, place: int, differing: frozenset[str]) -> StatedCall:
        only_more = differing and not differing & wanted.calls[place].arguments.keys()
        return replace(call, used=used_names(plan, place, len(before))) if only_more else call

    given = [with_used(call, *pair) for call, pair in zip(given, paired, strict=True)]

    known = [*(StatedCall(letters_of_name(call.name), call.arguments) for call in before), *plan]

    def missing_wish(place: int, call: StatedCall) -> str:
        return unstated_wish(plan[place], call, turn.parameters(gold[place].name), known, turn.user)

    return execution_question(row, plan, given, [place for place, _ in paired], missing_wish)


def _pair_calls(
    called: Sequence[Call], accepted: AcceptedCalls, turn: PromptedTurn
) -> list[tuple[int, frozenset[str]]]:
    """The wanted call that each call stands for, the one that it differs from in the fewest arguments, and these."""
    left, found = list(range(len(accepted.calls))), []
    for index, call in enumerate(called):
        differing = {
            place: frozenset(
                argument_differences(called, index, accepted.calls[place], accepted.beside[place], turn)
            )
            for place in left
            if letters_of_name(accepted.calls[place].name) == letters_of_name(call.name)
        }
        place = min(differing, key=lambda place: len(differing[place]))
        left.remove(place)
        found.append((place, differing[place]))
    return found


def _normalise_arguments(
    call: Call, want: Call, differing: frozenset[str], beside: Accepted, turn: PromptedTurn
) -> Call:
    """The call with gold's value for each argument that is right; only the others are executed as they are written."""
    given = given_arguments(call, want, turn)
    written = {
        name: value
        for name, value in given.items()
        # What the row accepts may mean something else beside an argument that it does not know.
        if name in differing
        or (differing and (name not in want.arguments or value in beside.values.get(name, ())))
    }
    right = {
        name: value
        for name, value in want.arguments.items()
        if name not in written and (name in given or name not in differing)
    }
    return Call(call.name, {**right, **written})


def _is_gold(accepted: AcceptedCalls, gold: Sequence[Call]) -> bool:
    """Whether an accepted answer calls gold's tools in gold's places."""
    return [letters_of_name(name) for name in accepted.names] == [letters_of_name(call.name) for call in gold]


def _stated_calls(calls: Sequence[Call], before: Sequence[Call]) -> list[StatedCall]:
    """The calls as they may be executed; `tool.result` is what the last earlier call of that tool returned."""
    places = {letters_of_name(call.name): place for place, call in enumerate(before)}
    found = []
    for place, call in enumerate(calls, start=len(before)):
        labels: dict[str, tuple[int, str]] = {}
        for text in texts_in([*call.arguments.values()]):
            reference = _REFERENCE.fullmatch(text.strip())
            if reference is not None and letters_of_name(reference.group(1)) in places:
                result = reference.group(2).rpartition(".")[2]
                labels[text] = (places[letters_of_name(reference.group(1))], result)
        found.append(StatedCall(letters_of_name(call.name), call.arguments, labels))
        places[letters_of_name(call.name)] = place
    return found
