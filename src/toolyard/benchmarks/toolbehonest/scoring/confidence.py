"""How sure a verdict was, and what is gained by leaving the unsure ones out."""

from __future__ import annotations

import math
from collections.abc import Sequence

from toolyard.benchmarks.toolbehonest.data.sample import ToolBeHonestSample
from toolyard.core.benchmark import Table
from toolyard.core.types import Completion, JsonValue, Score, Transcript

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
