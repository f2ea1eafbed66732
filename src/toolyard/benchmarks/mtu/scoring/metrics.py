"""The figures of MTU-Bench as reducers over turns and dialogues (paper section 2.2.2)."""

from collections.abc import Callable, Mapping, Sequence

from toolyard.benchmarks.mtu.data.rows import SETTINGS
from toolyard.benchmarks.mtu.scoring.paper import DIALOGUE_FIGURES
from toolyard.core.benchmark import Grouping
from toolyard.core.cache_by_object import PerObject
from toolyard.core.metrics import Metric, Row, average, average_of_defined, mean, ratio, within
from toolyard.core.ordered_sums import sum_in_order

TURN_RATES = tuple(DIALOGUE_FIGURES)
SINGLE = ("tool_selection", "parameter_selection")
MULTI = ("tool_number", "tool_order")
FIGURES_OF: Mapping[str, tuple[str, ...]] = {
    "S-S": SINGLE,
    "S-M": MULTI,
    "M-S": (*SINGLE, *TURN_RATES),
    "M-M": (*MULTI, *TURN_RATES),
    "OOD": (*SINGLE, *TURN_RATES),
}
OUTCOMES = ("outcome", "outcome_call", "outcome_no_call")
BESIDE = {"S-M": ("tool_order_printed",), "M-M": ("tool_order_printed",)}


def _turn_flags(rows: Sequence[Row]) -> list[list[bool]]:
    """The right and wrong turns of every complete dialogue among the rows, in order of turns.

    Of rows with the same turn the later one in the file counts, as in the released scorer. A dialogue with
    an unscored turn has no rates: which turn came first wrong is not known. The released scorer stops at
    such a gap too, but takes a dialogue that merely ends early for a shorter one.
    """
    dialogues: dict[tuple[int, float], dict[float, Row]] = {}
    placed = [row for row in rows if row.score.values.get("turn") is not None]
    for row in sorted(placed, key=lambda row: _value_or_zero(row, "row")):
        turns = dialogues.setdefault((row.score.trial, _value_or_zero(row, "dialogue")), {})
        turns[_value_or_zero(row, "turn")] = row
    return [
        [_value_or_zero(turns[turn], "right") == 1 for turn in sorted(turns)]
        for turns in dialogues.values()
        if len(turns) == _dialogue_length(turns)
    ]


# All rates of a dialogue follow from the same flags.
turn_flags: PerObject[Sequence[Row], list[list[bool]]] = PerObject(_turn_flags, most_kept=4096)


def _dialogue_length(turns: Mapping[float, Row]) -> float:
    known = [row.score.values["turns"] for row in turns.values()]
    return max((turn for turn in known if turn is not None), default=max(turns) + 1)


def _value_or_zero(row: Row, key: str) -> float:
    return float(row.score.values[key] or 0)


def dialogue_rate(name: str, figure: Callable[[Sequence[bool]], float]) -> Metric:
    """Mean over dialogues of a figure of their turns; a cluster may hold several dialogues."""

    def terms(rows: Sequence[Row]) -> tuple[float, float]:
        values = [figure(flags) for flags in turn_flags(rows)]
        return (sum_in_order(values), float(len(values)))

    return Metric(name, terms, lambda sums: ratio(sums[..., 0], sums[..., 1]), 2)


def _metrics_by_name() -> dict[str, Metric]:
    means = [mean(name) for name in (*SINGLE, *MULTI)]
    rates = [dialogue_rate(name, figure) for name, figure in DIALOGUE_FIGURES.items()]
    return {metric.name: metric for metric in (*means, *rates)}


PARTS = _metrics_by_name()
SETTING_AVERAGES = tuple(
    average(setting, [within(PARTS[name], "setting", setting) for name in FIGURES_OF[setting]])
    for setting in SETTINGS
)
METRICS: tuple[Metric, ...] = (
    average_of_defined("average", SETTING_AVERAGES),
    *PARTS.values(),
    mean("tool_order_printed"),
    mean("right", "turn_success"),
    mean("exact"),
    mean("tools_right", "tool_set"),
    *(mean(name) for name in OUTCOMES),
)


def _append_average(figures: tuple[str, ...], beside: tuple[str, ...] = ()) -> tuple[str, ...]:
    return (*figures, "average", *beside, "exact", *OUTCOMES)


GROUPINGS = (
    Grouping(
        "setting",
        SETTINGS,
        figures_of={
            name: _append_average(figures, BESIDE.get(name, ())) for name, figures in FIGURES_OF.items()
        },
    ),
    Grouping(
        "difficulty",
        ("normal", "hard"),
        figures=(*SINGLE, *MULTI, "average", "turn_success", "exact", *OUTCOMES),
    ),
    Grouping(
        "setting_difficulty",
        tuple(f"{name} {level}" for name in SETTINGS for level in ("normal", "hard")),
        figures_of={
            f"{name} {level}": _append_average(figures)
            for name, figures in FIGURES_OF.items()
            for level in ("normal", "hard")
        },
    ),
    Grouping(
        "ood_kind",
        SETTINGS[:4],
        figures_of={name: (*FIGURES_OF[name], "turn_success", "exact", *OUTCOMES) for name in SETTINGS[:4]},
    ),
    Grouping("turn_kind", figures=("turn_success", *OUTCOMES)),
    Grouping("source", figures=("average", "turn_success", *OUTCOMES)),
)
