"""What one turn earns: TS and PS, TN and TO, and whether the whole turn is right."""

from collections.abc import Mapping
from typing import NamedTuple

from toolyard.benchmarks.execution_verdict import EXECUTION, executed_verdict
from toolyard.benchmarks.mtu.data.rows import MULTI_TURN
from toolyard.benchmarks.mtu.data.sample import MtuSample
from toolyard.benchmarks.mtu.scoring import errors, official
from toolyard.benchmarks.mtu.scoring.accepted_answers import (
    AcceptedCalls,
    WantedTurn,
    arguments_accepted,
    order_as_wanted,
    wanted_of,
)
from toolyard.benchmarks.mtu.scoring.calls import Call, TurnPrediction
from toolyard.benchmarks.mtu.scoring.outcome import UNASKED, TurnOutcome, answer_values, turn_outcome
from toolyard.benchmarks.mtu.scoring.paper import tool_number, tool_order
from toolyard.benchmarks.mtu.scoring.value_equality import exactly_equal
from toolyard.core.types import Evidence, Profile, Score


class Grade(NamedTuple):
    """The flags and figures of one turn under one profile."""

    tools_right: bool
    right: bool
    exact: bool | None
    number: float
    order: float
    order_printed: float | None
    # the accepted calls that the answer was held against
    against: tuple[Call, ...] = ()


def score(
    sample: MtuSample, prediction: TurnPrediction, evidence: Mapping[str, Evidence], profile: Profile
) -> Score:
    """The turn's figures, its error labels, and what was compared."""
    gold = wanted_of(sample).gold
    if profile == "paper":
        grade = grade_paper(sample, prediction)
        gold = grade.against
    else:
        grade = grade_official(sample, prediction, gold)
    found = errors.classify_mistake(sample, prediction, gold, right=grade.right, profile=profile)
    values = _values_of_grade(sample, grade, profile)
    judged = turn_outcome(sample, prediction, right=grade.right) if profile == "paper" else UNASKED
    if judged.right is False:
        judged = TurnOutcome(*executed_verdict(judged.reason, evidence.get(EXECUTION)))
    values |= dict(answer_values(sample, judged))
    return Score(
        sample=sample.id,
        values=values,
        errors=errors.count_error_labels(found, prediction, sample.input["setting"]),
        graded={
            "called": [call.to_json() for call in prediction.calls],
            "wanted": sample.gold["calls"],
            "failure": None if prediction.failure is None else prediction.failure.kind,
            **({"outcome": judged.reason} if judged.reason else {}),
            **({"went_on": True} if prediction.went_on else {}),
        },
        reasons=() if found is None else found.reasons,
        missing={"outcome": judged.reason} if judged.right is None and judged.reason else {},
    )


def score_metrics_only(sample: MtuSample, prediction: TurnPrediction, profile: Profile) -> Score:
    """The turn's own figures alone: no error labels, reasons or outcome."""
    if profile == "paper":
        grade = grade_paper(sample, prediction)
    else:
        grade = grade_official(sample, prediction, wanted_of(sample).gold)
    return Score(sample.id, values=_values_of_grade(sample, grade, profile))


def grade_paper(sample: MtuSample, prediction: TurnPrediction) -> Grade:
    """The printed definitions, held against the accepted answer that fits best, gold's where none fits better.

    An answer that cannot be read is wrong in every respect.
    """
    wanted = wanted_of(sample)
    if prediction.failure is not None:
        return Grade(False, False, False, 0.0, 0.0, 0.0, wanted.gold)
    grades = [_grade_calls(prediction.calls, accepted, wanted) for accepted in wanted.accepted]
    if len(grades) == 1:
        return grades[0]
    return max(grades, key=lambda grade: (grade.right, grade.tools_right, grade.number))


def _grade_calls(called: tuple[Call, ...], accepted: AcceptedCalls, wanted: WantedTurn) -> Grade:
    calls = order_as_wanted(called, accepted, wanted.today) if accepted.free_order else called
    names, gold = tuple([call.name for call in calls]), accepted.names
    if names == gold:
        right, exact = _arguments_right(calls, accepted, wanted)
        return Grade(True, right, exact, 1.0, 1.0, accepted.order_printed, accepted.calls)
    if accepted.tools.isdisjoint(names):
        return Grade(False, False, False, 0.0, 0.0, 0.0, accepted.calls)
    return Grade(
        tools_right=accepted.tools == set(names),
        right=False,
        exact=False,
        number=tool_number(names, gold),
        order=tool_order(names, gold),
        order_printed=tool_order(names, gold, first=1),
        against=accepted.calls,
    )


class _ArgumentsRight(NamedTuple):
    """Whether the parameters of all calls are accepted, and whether they are gold's to the letter."""

    right: bool
    exact: bool


def _arguments_right(calls: tuple[Call, ...], accepted: AcceptedCalls, wanted: WantedTurn) -> _ArgumentsRight:
    right = exact = True
    for call, want, beside in zip(calls, accepted.calls, accepted.beside, strict=True):
        given = call.arguments
        # Equal texts are right by any rule; other values may be equal and yet not the same.
        if given == want.arguments and {str}.issuperset(map(type, given.values())):
            continue
        exact = exact and exactly_equal(dict(given), dict(want.arguments))
        right = right and arguments_accepted(given, want.arguments, beside, wanted.today)
        if not right and not exact:
            break
    return _ArgumentsRight(right, exact)


def grade_official(sample: MtuSample, prediction: TurnPrediction, gold: tuple[Call, ...]) -> Grade:
    """What the released scorer computes for the row."""
    if sample.input["kind"][2] == "S":
        right = official.is_call_right(prediction.calls, gold)
        return Grade(official.is_tool_right(prediction.calls, gold), right, None, 0.0, 0.0, None)
    figures = official.tool_figures(prediction.calls, gold)
    right = figures.number == 1 and figures.order == 1
    # Only for OOD, where the released scorer has no rule and the paper reports single-tool figures.
    tools = {name.strip() for name in prediction.names} == {call.name for call in gold}
    return Grade(tools, right, None, figures.number, figures.order, None)


def _values_of_grade(sample: MtuSample, grade: Grade, profile: Profile) -> dict[str, float | None]:
    setting, kind = sample.input["setting"], sample.input["kind"]
    values: dict[str, float | None] = {
        "right": float(grade.right),
        "exact": None if grade.exact is None else float(grade.exact),
        "tools_right": float(grade.tools_right),
    }
    if kind[2] == "S" or setting == "OOD":
        values["tool_selection"] = float(grade.tools_right)
        values["parameter_selection"] = float(grade.right)
    if kind[2] == "M":
        values["tool_number"] = grade.number
        values["tool_order"] = grade.order
        values["tool_order_printed"] = grade.order_printed
    if setting in MULTI_TURN:
        place = sample.gold[profile]
        values["dialogue"], values["turns"] = place["dialogue"], place["turns"]
        values["turn"], values["row"] = sample.gold["turn"], sample.gold["row"]
    return values
