"""Why a turn is wrong: the five classes of Table 16 and the sub-types of Tables 13-15, by decidable rules.

The paper gives no rules. Here the first that holds decides (specification 5): *format*, a call was begun
and cannot be read; *missed*, *excessive* or *incorrect*, by the sets of called and wanted names;
*parameter*, right names with wrong parameters, or in a wrong order or number.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date

from toolyard.benchmarks.mtu.data.rows import SETTINGS
from toolyard.benchmarks.mtu.data.sample import MtuSample
from toolyard.benchmarks.mtu.scoring import official
from toolyard.benchmarks.mtu.scoring.accepted_answers import wanted_of
from toolyard.benchmarks.mtu.scoring.calls import Call, TurnPrediction
from toolyard.benchmarks.mtu.scoring.value_sources import PromptValues, prompt_values
from toolyard.core.types import JsonValue, Profile
from toolyard.text.canonical_values import values_equal

CLASSES = ("missed", "excessive", "incorrect", "parameter", "format")
ACTION_LABELS = ("fewer_tools", "more_tools", "wrong_tool", "repeated_call", "order")
PARAMETER_LABELS = ("omission", "misalignment", "hallucination", "inheritance")
ERROR_LABELS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(SETTINGS, CLASSES),
    "action": ACTION_LABELS,
    "parameter": PARAMETER_LABELS,
    "turn": ("went_on",),
}


@dataclass(frozen=True, slots=True)
class Mistake:
    """One wrong turn: its class, its sub-types, and a sentence for each."""

    kind: str
    action: Mapping[str, int] = field(default_factory=dict)
    parameter: Mapping[str, int] = field(default_factory=dict)
    reasons: tuple[str, ...] = ()

    def label_counts(self, setting: str) -> dict[str, dict[str, int]]:
        """The labels as a score stores them."""
        parts = {setting: {self.kind: 1}, "action": dict(self.action), "parameter": dict(self.parameter)}
        return {name: labels for name, labels in parts.items() if labels}


@dataclass(frozen=True, slots=True)
class _Slip:
    label: str
    reason: str


def count_error_labels(
    mistake: Mistake | None, prediction: TurnPrediction, setting: str
) -> dict[str, dict[str, int]]:
    """The labels of a turn, right or wrong: one that went on after its call has that fault in any case."""
    labels = {} if mistake is None else mistake.label_counts(setting)
    return {**labels, "turn": {"went_on": 1}} if prediction.went_on else labels


def classify_mistake(
    sample: MtuSample, prediction: TurnPrediction, gold: tuple[Call, ...], *, right: bool, profile: Profile
) -> Mistake | None:
    """The mistake of a wrong turn, None where the turn is right."""
    if right:
        return None
    if prediction.failure is not None:
        return Mistake("format", reasons=(f"{prediction.failure.kind}: {prediction.failure.detail}",))
    called = {name.strip() for name in prediction.names}
    if profile == "paper":
        gold = tuple(Call(call.name.rstrip("."), call.arguments) for call in gold)
    wanted = {call.name for call in gold}
    ground = prompt_values(sample.input)
    if called != wanted:
        return _action_mistake(called, wanted, prediction, ground)
    today = wanted_of(sample).today
    slips = list(_parameter_slips(prediction.calls, gold, ground, _Comparison(profile, sample, today)))
    if not slips:
        return Mistake(
            "parameter", action={"order": 1}, reasons=("the right calls in a wrong order or number",)
        )
    labels = Counter(slip.label for slip in slips)
    return Mistake("parameter", parameter=labels, reasons=tuple(slip.reason for slip in slips))


def _action_mistake(
    called: set[str], wanted: set[str], prediction: TurnPrediction, ground: PromptValues
) -> Mistake:
    missing, extra = sorted(wanted - called), sorted(called - wanted)
    kind = "missed" if not extra else "excessive" if not missing else "incorrect"
    label = {"missed": "fewer_tools", "excessive": "more_tools", "incorrect": "wrong_tool"}[kind]
    action = Counter({label: 1})
    reasons = [f"not called: {name}" for name in missing] + [
        f"called and not wanted: {name}" for name in extra
    ]
    parameter: Counter[str] = Counter()
    for call in prediction.calls:
        if call.name not in extra:
            continue
        if kind == "excessive" and ground.called_before(call.name):
            action["repeated_call"] += 1
            reasons.append(f"{call.name} was called before")
        elif kind == "excessive" and not wanted:
            for key, value in call.arguments.items():
                if not ground.holds(value):
                    parameter["hallucination"] += 1
                    reasons.append(f"{call.name}.{key} = {value!r} stands nowhere in the dialogue")
    return Mistake(kind, action, parameter, tuple(reasons[:20]))


class _Comparison:
    """Whether one predicted value counts as the gold one under a profile."""

    def __init__(self, profile: Profile, sample: MtuSample, today: date | None) -> None:
        self.official = profile == "official"
        self.single = sample.input["kind"][2] == "S"
        self.today = today

    def __call__(self, predicted: JsonValue, gold: JsonValue) -> bool:
        if not self.official:
            return values_equal(predicted, gold, self.today)
        inner, outer = (gold, predicted) if self.single else (predicted, gold)
        return official.are_same_arguments({"value": inner}, {"value": outer})


def _parameter_slips(
    called: tuple[Call, ...], gold: tuple[Call, ...], ground: PromptValues, same: _Comparison
) -> Iterable[_Slip]:
    last = {call.name.strip(): call for call in called}
    for want in gold:
        given = last[want.name].arguments
        for key, value in want.arguments.items():
            if key not in given:
                yield _Slip("omission", f"{want.name}.{key} is missing, wanted {value!r}"[:300])
            elif not same(given[key], value):
                label = "inheritance" if ground.is_only_in_history(value) else "misalignment"
                yield _Slip(label, f"{want.name}.{key} is {given[key]!r}, wanted {value!r}"[:300])
        # In the order of the answer: a set's order would differ from one process to the next.
        for key in (each for each in given if each not in want.arguments):
            yield _Slip("hallucination", f"{want.name}.{key} = {given[key]!r} is not wanted"[:300])
