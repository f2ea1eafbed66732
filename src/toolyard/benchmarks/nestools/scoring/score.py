"""What one answer earned under each profile, with its error classes and the reason for every lost point."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from toolyard.benchmarks.execution_verdict import EXECUTION, OutcomeVerdict, executed_reason, executed_verdict
from toolyard.benchmarks.nestools.data.rows import has_distractors
from toolyard.benchmarks.nestools.data.sample import NestoolsCall, NestoolsSample
from toolyard.benchmarks.nestools.scoring import official, paper
from toolyard.benchmarks.nestools.scoring.errors import (
    fill_in_labels,
    official_nested_errors,
    official_parameter_errors,
    tool_errors,
)
from toolyard.benchmarks.nestools.scoring.graded_calls import plain_id, wanted_of
from toolyard.benchmarks.nestools.scoring.official import UNKNOWN
from toolyard.benchmarks.nestools.scoring.outcome import outcome_reason
from toolyard.benchmarks.nestools.scoring.parse import Calls, ParsedCall
from toolyard.benchmarks.nestools.scoring.value_equality import same_but_for_type
from toolyard.core.nesting import labels_in
from toolyard.core.types import Counts, Evidence, Failure, JsonValue, Profile, Score
from toolyard.text.documents.dialect_parts import json_kind
from toolyard.text.parsing import excerpt, json_safe

ASPECTS = ("selection", "order", "parameter", "nested")
MOST_REASONS = 50


def score(
    sample: NestoolsSample, prediction: Calls | Failure, evidence: Mapping[str, Evidence], profile: Profile
) -> Score:
    """The score of one prediction; an answer that cannot be read keeps its gold counts and earns nothing."""
    if isinstance(prediction, Failure):
        return _score_unreadable(sample, prediction, profile)
    if profile == "official":
        return _score_official(sample, prediction)
    return _score_paper(sample, prediction, evidence.get(EXECUTION))


def _score_unreadable(sample: NestoolsSample, failure: Failure, profile: Profile) -> Score:
    count = official.gold_counts if profile == "official" else paper.gold_counts
    detail = f" ({failure.detail})" if failure.detail else ""
    return Score(
        sample=sample.id,
        # There is one outcome, whatever the profile: it stands under `paper`.
        values={"format": 0.0, "tree": 0.0, "tool_set": 0.0, "outcome": 0.0 if profile == "paper" else None},
        counts=count(sample.gold["calls"]),
        errors=fill_in_labels({"tool": {"format": 1}}),
        graded=json_safe({"failure": failure.kind, "detail": failure.detail}),
        reasons=(f"the answer is not a list of calls: {failure.kind}{detail}",),
    )


def score_metrics_only(sample: NestoolsSample, prediction: Calls | Failure, profile: Profile) -> Score:
    """Format, Tree and the counts of one prediction: what the paper's figures need, without labels, reasons, outcome."""
    gold = sample.gold["calls"]
    if isinstance(prediction, Failure):
        count = official.gold_counts if profile == "official" else paper.gold_counts
        return Score(sample.id, values={"format": 0.0, "tree": 0.0, "tool_set": 0.0}, counts=count(gold))
    grading = official.grade(gold, prediction) if profile == "official" else paper.grade(sample, prediction)
    counts = {**grading.counts, "relative_order": relative_order(grading.matched)}
    return Score(sample.id, values=_values_from_counts(counts), counts=counts)


def _values_from_counts(counts: Mapping[str, Counts]) -> dict[str, float | None]:
    """The figures of a readable answer that follow from its counts."""
    selected = _is_perfect(counts["selection"])
    tree = (
        selected
        and _is_perfect(counts["order"])
        and _is_perfect(counts["parameter"])
        and _is_perfect(counts["nested"])
    )
    return {"format": 1.0, "tree": float(tree), "tool_set": float(selected)}


def _score_readable(
    sample: NestoolsSample,
    calls: Calls,
    counts: Mapping[str, Counts],
    verdict: OutcomeVerdict,
    errors: Mapping[str, Mapping[str, int]],
    reasons: tuple[str, ...],
) -> Score:
    return Score(
        sample=sample.id,
        values={
            **_values_from_counts(counts),
            "outcome": None if verdict.right is None else float(verdict.right),
        },
        counts=counts,
        errors=fill_in_labels(errors),
        graded=json_safe(
            [
                {
                    "api_name": call.name,
                    "api_id": call.tool_id,
                    "parameters": call.parameters,
                    "responses": call.responses,
                }
                for call in calls
            ]
        ),
        reasons=_shorten_reasons((*reasons, f"outcome: {verdict.reason}") if verdict.reason else reasons),
        missing={"outcome": verdict.reason} if verdict.right is None and verdict.reason else {},
    )


def _is_perfect(counts: Counts) -> bool:
    return counts.matched == counts.predicted == counts.gold


def _shorten_reasons(reasons: tuple[str, ...]) -> tuple[str, ...]:
    if len(reasons) <= MOST_REASONS:
        return reasons
    return (*reasons[:MOST_REASONS], f"and {len(reasons) - MOST_REASONS} more")


def _score_official(sample: NestoolsSample, calls: Calls) -> Score:
    gold = sample.gold["calls"]
    grading = official.grade(gold, calls)
    keys = [plain_id(call.tool_id) if _is_id(call.tool_id) else repr(call.tool_id) for call in calls]
    offer = wanted_of(sample).offer
    unreal = [has_distractors(sample) and key not in offer.by_id for key in keys]
    errors = {
        "parameter": official_parameter_errors(gold, calls, grading.matched, sample.input["query"]),
        "nested": official_nested_errors(gold, calls, grading.matched),
        "tool": tool_errors(keys, [plain_id(call["api_id"]) for call in gold], unreal),
    }
    reasons = [*call_reasons(gold, calls, grading.matched, unreal), *order_reason(grading.counts["order"])]
    for row, column in grading.matched.items():
        surplus = [name for name in calls[row].parameters if name not in gold[column]["parameters"]]
        reasons += redundant_reasons(gold[column], surplus)
        for name, value in gold[column]["parameters"].items():
            points = grading.earned[row][name].points if name in grading.earned[row] else 0.0
            if points < 1:
                given = calls[row].parameters.get(name, UNKNOWN)
                reasons.append(value_reason(gold[column], name, value, given, points))
    counts = {**grading.counts, "relative_order": relative_order(grading.matched)}
    return _score_readable(sample, calls, counts, OutcomeVerdict(None), errors, tuple(reasons))


def _is_id(tool_id: object) -> bool:
    """Whether the release could take the value for a gold id: a text never equals a number there."""
    return isinstance(tool_id, int | float)


def _score_paper(sample: NestoolsSample, calls: Calls, executed: Evidence | None) -> Score:
    grading = paper.grade(sample, calls)
    counts = {**grading.counts, "relative_order": relative_order(grading.matched)}
    if grading.without_loss:
        return _score_readable(
            sample, calls, counts, OutcomeVerdict(True), {}, tuple(order_reason(counts["order"]))
        )
    gold = grading.written
    keys = [step.key for step in grading.predicted]
    known = has_distractors(sample)
    unreal = [known and not isinstance(key, int) for key in keys]
    errors: dict[str, dict[str, int]] = {
        "parameter": {},
        "nested": {},
        "tool": tool_errors(keys, [step.key for step in grading.gold], unreal),
    }
    reasons = [*call_reasons(gold, calls, grading.matched, unreal), *order_reason(grading.counts["order"])]
    for row, column in grading.matched.items():
        wanted, made, right = gold[column]["parameters"], calls[row].parameters, grading.right[row]
        surplus = [name for name in made if name not in wanted and name not in right]
        if surplus:
            errors["parameter"]["redundancy"] = errors["parameter"].get("redundancy", 0) + len(surplus)
            reasons += redundant_reasons(gold[column], surplus)
        for name, value in wanted.items():
            if name in right:
                continue
            given = made.get(name, UNKNOWN)
            kind, label = paper_error(value, given, sample.input["query"])
            errors[kind][label] = errors[kind].get(label, 0) + 1
            reasons.append(value_reason(gold[column], name, value, given, 0.0))
    # What was executed is known to be refused otherwise.
    done = executed is not None and executed.error is None and not executed_reason(executed)
    said = "" if grading.outcome or done else outcome_reason(sample, calls)
    verdict = executed_verdict(said, executed)
    return _score_readable(sample, calls, counts, verdict, errors, tuple(reasons))


def relative_order(matched: Mapping[int, int]) -> Counts:
    """Pairs of wanted calls that the answer makes, and how many of them it makes in gold's order."""
    places = [column for _, column in sorted(matched.items())]
    pairs = len(places) * (len(places) - 1) // 2
    if places == sorted(places):
        return Counts(pairs, pairs, pairs)
    kept = sum(first < later for first, later in combinations(places, 2))
    return Counts(kept, pairs, pairs)


def paper_error(gold: JsonValue, given: JsonValue, query: str) -> tuple[str, str]:
    """Class and label of a wrong or missing argument (section 5.5.2); each wrong argument has exactly one."""
    nested = bool(labels_in(gold))
    if given == UNKNOWN:
        return ("nested" if nested else "parameter"), "omission"
    if nested:
        return "nested", "confusion" if labels_in(given) else "identification"
    if labels_in(given):
        return "nested", "hallucination"
    if same_but_for_type(gold, given):
        return "parameter", "type"
    return "parameter", "extraction" if str(gold).lower() in query.lower() else "others"


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
