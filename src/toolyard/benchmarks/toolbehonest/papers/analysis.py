"""Tables beyond the figures: errors by scenario, calibration, consistency, length, second thoughts."""

import math
from collections import Counter
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from toolyard.benchmarks.toolbehonest.data.rows import SCENARIOS
from toolyard.benchmarks.toolbehonest.data.sample import ToolBeHonestSample
from toolyard.benchmarks.toolbehonest.data.tool_list import UNSOLVABLE_QUERY
from toolyard.benchmarks.toolbehonest.scoring.errors import ALL_LABELS, plan_labels
from toolyard.benchmarks.toolbehonest.scoring.metrics import L3_MEAN
from toolyard.benchmarks.toolbehonest.scoring.official import text_in_answer_tags
from toolyard.core.benchmark import Derived, Table
from toolyard.core.metrics import Row
from toolyard.core.types import Completion, JsonValue, Profile, Score, Transcript
from toolyard.stats.bootstrap import metric_values

Scored: TypeAlias = tuple[ToolBeHonestSample, Transcript, Score]
MEASURES = (("level_1", "l1_em"), ("level_2", "l2_pr"), ("level_3", "l3_pr"), ("level_3", "l3_ms"))
CHARACTERS_PER_TOKEN = 4


def analysis(graded: Sequence[Scored], _profile: Profile) -> tuple[Table, ...]:
    """Every table that the answers have something to say to."""
    scored = [item for item in graded if item[2].unscored is None]
    tables = (
        error_table(scored),
        calibration_table(scored),
        consistency_table(scored),
        length_table(scored),
        outside_table(scored),
        reprompt_table(scored),
        abstention_table(scored),
    )
    return tuple(table for table in tables if table is not None and table.rows)


def _members_of_groups(scored: Sequence[Scored], **groups: str) -> list[Scored]:
    return [item for item in scored if all(item[0].groups.get(name) == key for name, key in groups.items())]


def error_table(scored: Sequence[Scored]) -> Table:
    """Labels of the unsolvable plans by level and scenario (Figures 4, 7 and 8)."""
    rows: list[tuple[JsonValue, ...]] = []
    for level in ("level_2", "level_3"):
        for scenario in (*SCENARIOS, ""):
            wanted = {"level": level, **({"scenario": scenario} if scenario else {})}
            counts: Counter[str] = Counter()
            for _, _, score in _members_of_groups(scored, variant="unsolvable", **wanted):
                counts.update(plan_labels(score.errors, level))
            if counts.total():
                rows.append((level, scenario or "all", *(counts[label] for label in ALL_LABELS)))
    return Table("Errors on unsolvable plans", ("level", "scenario", *ALL_LABELS), tuple(rows))


def calibration_table(scored: Sequence[Scored]) -> Table:
    """How far a verdict of unsolvable can be trusted, over both twins together."""
    rows: list[tuple[JsonValue, ...]] = []
    for scenario in (*SCENARIOS, ""):
        members = _members_of_groups(scored, level="level_1", **({"scenario": scenario} if scenario else {}))
        counts = [score.counts["verdict"] for _, _, score in members if "verdict" in score.counts]
        if not counts:
            continue
        hits, refused, wanted = (
            sum(getattr(count, name) for count in counts) for name in ("matched", "predicted", "gold")
        )
        solvable = len(counts) - wanted
        rows.append(
            (
                scenario or "all",
                len(counts),
                _share_or_none(hits, refused),
                _share_or_none(hits, wanted),
                _share_or_none(2 * hits, refused + wanted),
                _share_or_none(refused - hits, solvable),
            )
        )
    columns = ("scenario", "verdicts", "precision", "recall", "f1", "false refusals")
    note = "a model that always refuses has recall 1, precision 0.5 and F1 0.667"
    return Table("Calibration of the verdict", columns, tuple(rows), note)


def derived_metrics(scored: Sequence[Scored]) -> Derived:
    """Level 3 in one number, as the unsolvable side of Table 3 has it."""
    rows = [Row(score, sample.cluster, sample.groups) for sample, _, score in scored]
    return {("", L3_MEAN.name): metric_values([L3_MEAN], rows)[L3_MEAN.name]}


def _share_or_none(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def consistency_table(scored: Sequence[Scored]) -> Table:
    """Whether levels 2 and 3 see the same gap in the same unsolvable task (Appendix E.4)."""
    plans: dict[tuple[str, int], dict[str, tuple[str, ...]]] = {}
    for sample, transcript, score in _members_of_groups(scored, variant="unsolvable"):
        if sample.groups["level"] != "level_1":
            key = (sample.cluster, transcript.trial)
            plans.setdefault(key, {})[sample.groups["level"]] = tuple(score.graded["plan"])
    pairs = [(plan["level_2"], plan["level_3"]) for plan in plans.values() if len(plan) == 2]
    seen = Counter((UNSOLVABLE_QUERY in second, UNSOLVABLE_QUERY in third) for second, third in pairs)
    both = [pair for pair in pairs if all(UNSOLVABLE_QUERY in plan for plan in pair)]
    same_place = sum(
        second.index(UNSOLVABLE_QUERY) == third.index(UNSOLVABLE_QUERY) for second, third in both
    )
    row = (
        len(pairs),
        seen[True, True],
        seen[True, False],
        seen[False, True],
        seen[False, False],
        _share_or_none(same_place, len(both)),
        _share_or_none(sum(second == third for second, third in pairs), len(pairs)),
    )
    columns = (
        "tasks",
        "gap at both",
        "at level 2 only",
        "at level 3 only",
        "at neither",
        "same place (of both)",
        "same plan",
    )
    return Table("Consistency of levels 2 and 3 (E.4)", columns, (row,) if pairs else ())


def answer_length(transcript: Transcript) -> float:
    """Tokens of the first answer: as counted by the endpoint, else a quarter of its characters."""
    if not transcript.completions:
        return 0.0
    first = transcript.completions[0]
    return float(first.usage.completion_tokens or len(first.text) / CHARACTERS_PER_TOKEN)


def outside_length(transcript: Transcript) -> float:
    """Tokens of the first answer that stand outside its first pair of tags, at four characters each."""
    text = transcript.completions[0].text if transcript.completions else ""
    body = text_in_answer_tags(text)
    inside = 0 if body is None else len(body) + len("<answer></answer>")
    return (len(text.strip()) - min(inside, len(text.strip()))) / CHARACTERS_PER_TOKEN


def pearson_r(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Pearson's r, which is also the slope between the standardised values; None where one is constant."""
    if len(first) < 3 or np.ptp(first) == 0 or np.ptp(second) == 0:
        return None
    return float(np.corrcoef(first, second)[0, 1])


def _values_of_metric(members: Sequence[Scored], figure: str) -> list[tuple[Transcript, float]]:
    return [
        (transcript, value)
        for _, transcript, score in members
        if (value := score.values.get(figure)) is not None
    ]


def length_table(scored: Sequence[Scored]) -> Table:
    """Answer length against score over this run's own answers; the paper's Figures 5 and 6 are over models."""
    rows: list[tuple[JsonValue, ...]] = []
    for level, figure in MEASURES:
        for scenario in SCENARIOS:
            measured = _values_of_metric(
                _members_of_groups(scored, variant="unsolvable", level=level, scenario=scenario), figure
            )
            if not measured:
                continue
            lengths = [answer_length(transcript) for transcript, _ in measured]
            values = [value for _, value in measured]
            mean_length, mean_value = float(np.mean(lengths)), float(np.mean(values))
            slope = pearson_r(lengths, values)
            rows.append((figure, scenario, len(measured), mean_length, mean_value, slope))
    columns = ("metric", "scenario", "answers", "mean tokens", "mean score", "correlation")
    note = (
        "tokens as the endpoint counts them, else characters / 4; over the answers of this one run, while the paper's "
        "Figures 5 and 6 use the means of models (`toolyard compare`); a dash where one side does not vary"
    )
    return Table("Answer length and score within this run", columns, tuple(rows), note)


def outside_table(scored: Sequence[Scored]) -> Table:
    """Scores of answers that keep to the tags and of answers that talk around them (E.2)."""
    rows: list[tuple[JsonValue, ...]] = []
    for level, figure in MEASURES[:3]:
        measured = _values_of_metric(_members_of_groups(scored, variant="unsolvable", level=level), figure)
        if not measured:
            continue
        outside = [outside_length(transcript) for transcript, _ in measured]
        values = [value for _, value in measured]
        bare = [value for value, tokens in zip(values, outside, strict=True) if tokens == 0]
        wordy = [value for value, tokens in zip(values, outside, strict=True) if tokens > 0]
        rows.append(
            (
                figure,
                len(bare),
                float(np.mean(bare)) if bare else None,
                len(wordy),
                float(np.mean(wordy)) if wordy else None,
                float(np.mean(outside)),
                pearson_r(outside, values),
            )
        )
    columns = (
        "metric",
        "only tags",
        "their score",
        "with words around",
        "their score",
        "mean tokens around",
        "correlation",
    )
    return Table("Words outside the tags and score (E.2)", columns, tuple(rows), "tokens as characters / 4")


def reprompt_table(scored: Sequence[Scored]) -> Table:
    """Verdicts of solvable that were questioned: corrected where wrong, kept where right (E.3, Table 5)."""
    rows: list[tuple[JsonValue, ...]] = []
    for variant, outcome in (("unsolvable", "corrected"), ("solvable", "kept")):
        values = [
            value
            for _, _, score in _members_of_groups(scored, level="level_1", variant=variant)
            if (value := score.values.get("second_verdict_right")) is not None
        ]
        if values:
            rows.append((variant, len(values), outcome, sum(values), sum(values) / len(values)))
    columns = ("twin", "questioned", "outcome", "verdicts", "share")
    note = "every verdict of solvable is questioned, so that the question does not give the gold away"
    return Table("After a second question (E.3)", columns, tuple(rows), note)


COVERAGES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
_OPEN, _CLOSE = "<answer>", "</answer>"


def verdict_probability(completion: Completion) -> float | None:
    """Joint probability of the tokens between the answer tags; None without log-probabilities or tags."""
    text = "".join(token.token for token in completion.logprobs)
    start = text.find(_OPEN)
    end = text.find(_CLOSE, start + len(_OPEN)) if start >= 0 else -1
    if end < 0:
        return None
    begin, position, total = start + len(_OPEN), 0, 0.0
    for token in completion.logprobs:
        stop = position + len(token.token)
        # The body's tokens are those that end inside it or begin inside it; tags alone are certain anyway.
        if position < end and stop > begin:
            total += token.logprob
        position = stop
    return math.exp(min(total, 0.0))


def abstention_table(scored: Sequence[tuple[ToolBeHonestSample, Transcript, Score]]) -> Table | None:
    """Accuracy of the surest verdicts, both twins together, at growing coverage; None without confidences."""
    verdicts: list[tuple[float, float]] = []
    for sample, transcript, score in scored:
        if sample.groups["level"] != "level_1" or not transcript.completions:
            continue
        confidence = verdict_probability(transcript.completions[0])
        right = score.values.get("l1_em", score.values.get("solvable_l1_em"))
        if confidence is not None and right is not None:
            verdicts.append((confidence, right))
    if not verdicts:
        return None
    verdicts.sort(key=lambda item: -item[0])
    rows: list[tuple[JsonValue, ...]] = []
    for coverage in COVERAGES:
        kept = verdicts[: max(1, round(coverage * len(verdicts)))]
        accuracy = sum(right for _, right in kept) / len(kept)
        rows.append((coverage, len(kept), kept[-1][0], accuracy))
    columns = ("coverage", "verdicts", "least confidence", "accuracy")
    note = f"confidence = joint probability of the verdict's tokens; area under the curve {_area_of_accuracy(verdicts):.4f}"
    return Table("Abstention curve of the verdict", columns, tuple(rows), note)


def _area_of_accuracy(verdicts: Sequence[tuple[float, float]]) -> float:
    """Mean accuracy over all coverages, the surest verdict first."""
    hits, total = 0.0, 0.0
    for count, (_, right) in enumerate(verdicts, 1):
        hits += right
        total += hits / count
    return total / len(verdicts)
