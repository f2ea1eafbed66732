"""The figures: Table 2's columns, Table 3's solvable side, and the calibration of the verdict."""

from collections.abc import Sequence

import numpy as np

from toolyard.benchmarks.toolbehonest.data.rows import SCENARIOS, SUBTASKS
from toolyard.core.benchmark import Grouping
from toolyard.core.metrics import (
    Floats,
    Metric,
    Row,
    average,
    cluster_mean,
    f1,
    mean,
    precision,
    ratio,
    recall,
)
from toolyard.core.ordered_sums import sum_in_order
from toolyard.core.types import Counts

# Above this share of similarities that nobody computed, the matching score is not known.
MOST_MISSING = 0.02
OUTCOMES = ("outcome", "outcome_unsolvable", "outcome_solvable", "outcome_l1", "outcome_l2", "outcome_l3")
LEVEL_VALUES = {1: "l1_em", 2: "l2_pr", 3: "l3_pr"}


def matching_mean(key: str) -> Metric:
    """Mean of the matching scores; undefined where the similarities it needs were not computed.

    Plans that never say UnsolvableQuery score 0 without any similarity. Their mean alone would pass for the
    figure when there is no embedder, so what counts is the share of similarities that are missing.
    """

    def terms(rows: Sequence[Row]) -> tuple[float, float, float, float]:
        known = [value for row in rows if (value := row.score.values.get(key)) is not None]
        wanted = sum((row.score.counts.get("matching", Counts()) for row in rows), Counts())
        return (sum_in_order(known), float(len(known)), float(wanted.matched), float(wanted.predicted))

    def value(sums: Floats) -> Floats:
        lacking = sums[..., 2] < (1 - MOST_MISSING) * sums[..., 3]
        return np.where(lacking, np.nan, ratio(sums[..., 0], sums[..., 1]))

    return Metric(key, terms, value, 4)


def _perfect_twins(level: int) -> Metric:
    """Share of pairs of which both twins are perfect at one level, averaged over trials."""
    figure = LEVEL_VALUES[level]

    def both(rows: Sequence[Row]) -> float | None:
        trials: dict[int, list[bool]] = {}
        for row in rows:
            for key in (figure, f"solvable_{figure}"):
                if (value := row.score.values.get(key)) is not None:
                    trials.setdefault(row.score.trial, []).append(value == 1.0)
        pairs = [all(right) for right in trials.values() if len(right) == 2]
        return sum_in_order(pairs) / len(pairs) if pairs else None

    return cluster_mean("twin" if level == 1 else f"twin_l{level}", both)


_L1, _L2, _L3 = mean("l1_em"), mean("l2_pr"), mean("l3_pr")
_L2_SOFT, _L3_SOFT = mean("l2_pr_soft"), mean("l3_pr_soft")
_MS = matching_mean("l3_ms")
_SOLVABLE = tuple(mean(f"solvable_{name}") for name in LEVEL_VALUES.values())
_SOLVABLE_SOFT = tuple(mean(f"solvable_l{level}_pr_soft") for level in (2, 3))

METRICS: tuple[Metric, ...] = (
    average("overall", (_L1, _L2, _L3, _MS)),
    _L1,
    _L2,
    _L3,
    _MS,
    average("overall_soft", (_L1, _L2_SOFT, _L3_SOFT, _MS)),
    _L2_SOFT,
    _L3_SOFT,
    average("solvable_overall", _SOLVABLE),
    *_SOLVABLE,
    average("solvable_overall_soft", (_SOLVABLE[0], *_SOLVABLE_SOFT)),
    *_SOLVABLE_SOFT,
    precision("verdict"),
    recall("verdict"),
    f1("verdict"),
    *(_perfect_twins(level) for level in LEVEL_VALUES),
    *(mean(name) for name in OUTCOMES),
    precision("outcome_verdict"),
    recall("outcome_verdict"),
    f1("outcome_verdict"),
    mean("format"),
)
# Level 3 of Table 3, where the paper gives one number for its two figures.
L3_MEAN = average("l3_mean", (_L3, _MS))
_BREAKDOWN = (
    "l1_em",
    "l2_pr",
    "l3_pr",
    "l3_ms",
    "l2_pr_soft",
    "l3_pr_soft",
    "solvable_l1_em",
    "solvable_l2_pr",
    "solvable_l3_pr",
    "verdict_f1",
    "twin",
    *OUTCOMES,
    "format",
)
GROUPINGS = (
    Grouping("scenario", SCENARIOS, _BREAKDOWN),
    Grouping("subtask", SUBTASKS, _BREAKDOWN, main=True),
    Grouping(
        "solvable",
        ("level_1", "level_2", "level_3"),
        figures_of={
            "level_1": ("solvable_l1_em",),
            "level_2": ("solvable_l2_pr", "solvable_l2_pr_soft"),
            "level_3": ("solvable_l3_pr", "solvable_l3_pr_soft"),
        },
    ),
    # Whether acting in the place of the gap would change the world; known where records have tags.
    Grouping("trace", ("left", "none"), _BREAKDOWN),
)
