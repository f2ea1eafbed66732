"""What is to be executed before a turn is called wrong: its calls and gold's, after those of earlier turns."""

from __future__ import annotations

import re
from collections.abc import Sequence

from toolyard.benchmarks.execution_verdict import (
    StatedCall,
    execution_question,
    stated_values,
    unstated_wish,
)
from toolyard.benchmarks.mtu.accepted import AcceptedCalls, wanted_of
from toolyard.benchmarks.mtu.calls import Call, TurnPrediction, calls_of
from toolyard.benchmarks.mtu.outcome import outcome, stated_arguments, tool_letters
from toolyard.benchmarks.mtu.outcome_turn import turn_of
from toolyard.benchmarks.mtu.sample import MtuSample
from toolyard.benchmarks.mtu.score import grade_paper
from toolyard.core.nesting import texts
from toolyard.core.types import Question

_REFERENCE = re.compile(r"([\w ]+)\.([\w.]+)")


def executions(sample: MtuSample, prediction: TurnPrediction) -> tuple[Question, ...]:
    """The question about a turn that calls gold's tools and that the value rules refuse."""
    row, gold = sample.gold.get("execution"), wanted_of(sample).gold
    if row is None or prediction.failure is not None or len(prediction.calls) != len(gold):
        return ()
    if outcome(sample, prediction, right=grade_paper(sample, prediction).right).right is not False:
        return ()
    turn = turn_of(sample)
    before = [call for each in sample.input["history"] for call in calls_of(each["calls"])]
    known = {tool_letters(name): name for name in (call.name for call in gold)}
    called = [
        Call(call.name, stated_arguments(call, known.get(tool_letters(call.name), ""), turn))
        for call in prediction.calls
    ]
    given = _stated(called, before)
    accepted = [_stated(each.calls, before) for each in wanted_of(sample).accepted if _is_gold(each, gold)]
    besides = [each.beside for each in wanted_of(sample).accepted if _is_gold(each, gold)]

    def unstated(place: int, call: StatedCall) -> str:
        documents = turn.parameters(gold[place].name)
        found = [
            unstated_wish(calls[place], call, documents, beside[place], stated_values(calls))
            for calls, beside in zip(accepted, besides, strict=True)
        ]
        return "" if "" in found else found[0]

    return execution_question(row, _stated(gold, before), given, unstated)


def _is_gold(accepted: AcceptedCalls, gold: Sequence[Call]) -> bool:
    """Whether an accepted answer calls gold's tools in gold's places."""
    return [tool_letters(name) for name in accepted.names] == [tool_letters(call.name) for call in gold]


def _stated(calls: Sequence[Call], before: Sequence[Call]) -> list[StatedCall]:
    """The calls as they may be executed; `tool.result` is what the last earlier call of that tool returned."""
    places = {tool_letters(call.name): place for place, call in enumerate(before)}
    found = []
    for place, call in enumerate(calls, start=len(before)):
        labels: dict[str, tuple[int, str]] = {}
        for text in texts([*call.arguments.values()]):
            reference = _REFERENCE.fullmatch(text.strip())
            if reference is not None and tool_letters(reference.group(1)) in places:
                result = reference.group(2).rpartition(".")[2]
                labels[text] = (places[tool_letters(reference.group(1))], result)
        found.append(StatedCall(tool_letters(call.name), call.arguments, labels))
        places[tool_letters(call.name)] = place
    return found
