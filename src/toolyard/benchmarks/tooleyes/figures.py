"""The figures: five dimensions, their parts, and what needs no judge."""

from __future__ import annotations

from toolyard.benchmarks.tooleyes.data import SCENARIOS
from toolyard.benchmarks.tooleyes.score import DIMENSIONS
from toolyard.core.benchmark import Grouping
from toolyard.core.metrics import Metric, mean

PARTS = (
    "behavior_validity",
    "behavior_integrity",
    "tool_reality",
    "tool_match",
    "answer_pass",
    "answer_quality",
)
BEYOND = ("outcome", "grounding", "parameter_correctness")
METRICS: tuple[Metric, ...] = tuple(mean(name) for name in ("overall", *DIMENSIONS, *PARTS, *BEYOND))
# Ninety-five subcategories are a table of their own, see `analysis.subcategory_table`.
GROUPINGS = (Grouping("scenario", tuple(SCENARIOS)), Grouping("kind"))
