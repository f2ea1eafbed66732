"""The figures of NesTools: format, tree, and precision, recall and F1 of four aspects (paper section 4.2)."""

from toolyard.benchmarks.nestools.scoring.score import ASPECTS
from toolyard.core.benchmark import Grouping
from toolyard.core.metrics import Metric, average, f1, mean, precision, recall
from toolyard.core.nesting import STRUCTURES


def _make_metrics() -> tuple[Metric, ...]:
    """Format, Tree, the average of the four F1, then P, R and F1 of each aspect, then what is ours: the relative order of
    matched calls, the tool set, and the outcome."""
    parts = [figure(aspect) for aspect in ASPECTS for figure in (precision, recall, f1)]
    return (
        mean("format"),
        mean("tree"),
        average("average", [f1(aspect) for aspect in ASPECTS]),
        *parts,
        recall("relative_order").named("relative_order"),
        mean("tool_set"),
        mean("outcome"),
    )


METRICS = _make_metrics()
GROUPINGS = (Grouping("depth", ("1", "2", "3+")), Grouping("structure", tuple(STRUCTURES)))
