"""What one turn earns: TS and PS, TN and TO, and whether the whole turn is right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from toolyard.benchmarks.mtu import errors, official
from toolyard.benchmarks.mtu.calls import Call, TurnPrediction, calls_of
from toolyard.benchmarks.mtu.data import MULTI_TURN
from toolyard.benchmarks.mtu.paper import tool_number, tool_order
from toolyard.benchmarks.mtu.value_equality import arguments_equal, exactly_equal, reference_day
from toolyard.core.types import Evidence, Profile, Sample, Score


@dataclass(frozen=True, slots=True)
class Grade:
    """The flags and figures of one turn under one profile."""

    tools_right: bool
    right: bool
    exact: bool | None
    number: float
    order: float
    order_printed: float | None


def score(
    sample: Sample,
    prediction: TurnPrediction,
    evidence: Mapping[str, Evidence],  # noqa: ARG001
    profile: Profile,
) -> Score:
    """The turn's figures, its error labels, and what was compared."""
    gold = calls_of(sample.gold["calls"])
    grade = (
        grade_paper(sample, prediction, gold)
        if profile == "paper"
        else grade_official(sample, prediction, gold)
    )
    found = errors.classify(sample, prediction, gold, right=grade.right, profile=profile)
    return Score(
        sample=sample.id,
        values=_values(sample, grade, profile),
        errors={} if found is None else found.counts(sample.input["setting"]),
        graded={
            "called": [call.to_json() for call in prediction.calls],
            "wanted": sample.gold["calls"],
            "failure": None if prediction.failure is None else prediction.failure.kind,
        },
        reasons=() if found is None else found.reasons,
    )


def grade_paper(sample: Sample, prediction: TurnPrediction, gold: tuple[Call, ...]) -> Grade:
    """The printed definitions; an answer that cannot be read is wrong in every respect."""
    if prediction.failure is not None:
        return Grade(False, False, False, 0.0, 0.0, 0.0)
    # Two official gold names end on a full stop that no tool list has; the reading of answers drops it too.
    names, wanted = prediction.names, tuple(call.name.rstrip(".") for call in gold)
    today = reference_day(sample.input["instructions"])
    pairs = list(zip(prediction.calls, gold, strict=False))
    in_order = names == wanted
    return Grade(
        tools_right=set(names) == set(wanted),
        right=in_order
        and all(arguments_equal(call.arguments, want.arguments, today) for call, want in pairs),
        exact=in_order
        and all(exactly_equal(dict(call.arguments), dict(want.arguments)) for call, want in pairs),
        number=tool_number(names, wanted),
        order=tool_order(names, wanted),
        order_printed=tool_order(names, wanted, first=1),
    )


def grade_official(sample: Sample, prediction: TurnPrediction, gold: tuple[Call, ...]) -> Grade:
    """What the released scorer computes for the row."""
    if sample.input["kind"][2] == "S":
        right = official.call_right(prediction.calls, gold)
        return Grade(official.tool_right(prediction.calls, gold), right, None, 0.0, 0.0, None)
    figures = official.tool_figures(prediction.calls, gold)
    right = figures.number == 1 and figures.order == 1
    # Only for OOD, where the released scorer has no rule and the paper reports single-tool figures.
    tools = {name.strip() for name in prediction.names} == {call.name for call in gold}
    return Grade(tools, right, None, figures.number, figures.order, None)


def _values(sample: Sample, grade: Grade, profile: Profile) -> dict[str, float | None]:
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
        values |= {"dialogue": place["dialogue"], "turns": place["turns"]}
        values |= {"turn": sample.gold["turn"], "row": sample.gold["row"]}
    return values
