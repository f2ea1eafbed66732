"""The figures: five dimensions, their parts, and what needs no judge."""

from toolyard.benchmarks.tooleyes.data.rows import SCENARIOS
from toolyard.benchmarks.tooleyes.scoring.score import DIMENSIONS
from toolyard.benchmarks.tooleyes.scoring.score import JUDGED as JUDGED_METRICS
from toolyard.core.benchmark import Grouping
from toolyard.core.metrics import (
    BESIDE,
    CAPABILITY,
    COMPARED,
    JUDGED,
    UNJUDGED_HEADLINE,
    Metric,
    mean,
    tag_metrics,
)

PARTS = (
    "behavior_validity", "behavior_integrity", "tool_reality", "tool_match", "answer_pass", "answer_quality",
)  # fmt: skip
BEYOND = ("outcome", "grounding", "parameter_correctness")
METRICS: tuple[Metric, ...] = tag_metrics(
    [mean(name) for name in ("overall", *DIMENSIONS, *PARTS, *BEYOND)],
    {
        JUDGED: JUDGED_METRICS,
        CAPABILITY: DIMENSIONS,
        # ours, which stand beside the paper's dimensions and need no judge
        BESIDE: (*BEYOND, "tool_reality", "answer_pass"),
        # Table 8
        COMPARED: (
            "intent_comprehension",
            "behavior_validity",
            "behavior_integrity",
            "tool_match",
            "answer_quality",
        ),
        UNJUDGED_HEADLINE: ("outcome",),
    },
)
# Ninety-five subcategories are a table of their own, see `analysis.subcategory_table`.
GROUPINGS = (Grouping("scenario", tuple(SCENARIOS)), Grouping("kind"))
