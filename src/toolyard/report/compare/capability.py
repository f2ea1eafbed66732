"""One model over all benchmarks: nine abilities, each with the figures it comes from.

A benchmark of your own joins in through `extras["axes"] = {"honesty": ("refusal_rate",)}`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from toolyard.core.benchmark import Benchmark
from toolyard.core.metrics import Floats, Metric, Row, within
from toolyard.core.ordered_sums import group_items
from toolyard.core.table import Table
from toolyard.core.types import JsonValue, Profile
from toolyard.report.compare.compared_runs import ComparedRun, load_compared, refuse_mixture
from toolyard.report.compare.model_facts import ModelFacts
from toolyard.report.tables.formats import percent, with_interval, words
from toolyard.stats.bootstrap import (
    RESAMPLES,
    Estimate,
    bounded_estimate,
    exact_sums,
    resampling_weights,
    rows_by_cluster,
)
from toolyard.stats.summary import rows_of

AXES = (
    "format", "selection", "order", "parameters", "nesting", "multi-turn", "planning", "honesty", "answer",
)  # fmt: skip

# axis -> benchmark -> its figures; `setting=M-S:tool_selection` is the figure among rows of that group.
SOURCES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "format": {"nestools": ("format",), "tooleyes": ("format_alignment",)},
    "selection": {
        "nestools": ("selection_f1",),
        "mtu": ("setting=S-S:tool_selection", "setting=M-S:tool_selection"),
        "tooleyes": ("tool_selection",),
    },
    "order": {"nestools": ("order_f1",), "mtu": ("setting=S-M:tool_order", "setting=M-M:tool_order")},
    "parameters": {
        "nestools": ("parameter_f1",),
        "mtu": ("setting=S-S:parameter_selection", "setting=M-S:parameter_selection"),
    },
    "nesting": {"nestools": ("nested_f1", "tree")},
    "multi-turn": {
        "mtu": tuple(
            f"setting={setting}:{figure}"
            for setting in ("M-S", "M-M")
            for figure in ("average_turn_success", "success_rate", "task_process_rate")
        )
    },
    "planning": {
        "toolbehonest": ("l2_pr", "l3_pr"),
        "tooleyes": ("intent_comprehension", "behavior_planning"),
        "mtu": ("setting=S-M:tool_number", "setting=M-M:tool_number"),
    },
    "honesty": {"toolbehonest": ("l1_em", "l3_ms")},
    "answer": {"tooleyes": ("answer_organization",)},
}


@dataclass(frozen=True, slots=True)
class AxisPart:
    """One figure that an axis comes from."""

    benchmark: str
    figure: str
    value: float


@dataclass(frozen=True, slots=True)
class Axis:
    """One ability: the plain mean of its figures, with an interval, or nothing where none was measured."""

    name: str
    estimate: Estimate
    parts: tuple[AxisPart, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CapabilityProfile:
    """One model's abilities over the benchmarks it was run on."""

    model: str
    benchmarks: tuple[str, ...]
    axes: tuple[Axis, ...]

    @property
    def weakest(self) -> Axis | None:
        """The lowest of the measured axes; none where all are perfect."""
        known = [axis for axis in self.axes if axis.estimate.value is not None and axis.estimate.value < 1]
        return min(known, key=lambda axis: axis.estimate.value or 0.0, default=None)

    def to_json(self) -> dict[str, JsonValue]:
        """What `toolyard compare --capabilities --json` prints for one model."""
        return {
            "model": self.model,
            "benchmarks": list(self.benchmarks),
            "weakest": self.weakest.name if self.weakest else None,
            "axes": {axis.name: axis_json(axis) for axis in self.axes},
        }


def axis_json(axis: Axis) -> dict[str, JsonValue]:
    """One axis with its interval and its figures."""
    estimate = axis.estimate
    return {
        "value": estimate.value,
        "interval": estimate.interval,
        "figures": {f"{part.benchmark}.{part.figure}": part.value for part in axis.parts},
        "not_measured": list(axis.missing),
    }


def capability_profiles(
    folders: Sequence[Path], profile: Profile, known: Mapping[str, ModelFacts], *, force: bool = False
) -> list[CapabilityProfile]:
    """One profile per model among the runs; two runs of one benchmark by the same model are averaged."""
    loaded = [load_compared(folder, profile, known) for folder in folders]
    for name in {run.benchmark.name for run in loaded}:
        if not force:
            refuse_mixture([run for run in loaded if run.benchmark.name == name])
    models = group_items(loaded, lambda run: run.label)
    return [model_profile(model, runs) for model, runs in models.items()]


def model_profile(model: str, runs: Sequence[ComparedRun]) -> CapabilityProfile:
    """All axes of one model."""
    usable = [run for run in runs if not run.summary.withheld]
    return CapabilityProfile(
        model=model,
        benchmarks=tuple(dict.fromkeys(run.benchmark.name for run in runs)),
        axes=tuple(capability_axis(name, usable) for name in AXES),
    )


def capability_axis(name: str, runs: Sequence[ComparedRun]) -> Axis:
    """The plain mean of the axis's figures; figures of one run are resampled together."""
    parts: list[AxisPart] = []
    draws: list[Floats] = []
    clusters: list[int] = []
    for place, run in enumerate(runs):
        rows = rows_of(run.graded)
        for figure in axis_figures(run.benchmark, name):
            point, drawn, touched = drawn_figure(metric_of_figure(run.benchmark, figure), rows, seed=place)
            if point is not None:
                parts.append(AxisPart(run.benchmark.name, figure, point))
                draws.append(drawn)
                clusters.append(touched)
    measured = {part.benchmark for part in parts}
    missing = tuple(benchmark for benchmark in SOURCES[name] if benchmark not in measured)
    if not parts:
        return Axis(name, Estimate(None, None, None), (), missing)
    value = float(np.mean([part.value for part in parts]))
    # As sure as the figure that stands on the fewest clusters.
    return Axis(
        name, bounded_estimate(value, np.mean(np.stack(draws), axis=0), min(clusters)), tuple(parts), missing
    )


def axis_figures(benchmark: Benchmark, axis: str) -> tuple[str, ...]:
    """The benchmark's figures that speak for an axis; its own declaration counts first."""
    if any(benchmark.scoring.metrics_tagged(each) for each in AXES):
        return benchmark.scoring.metrics_tagged(axis)
    return SOURCES[axis].get(benchmark.name, ())


def metric_of_figure(benchmark: Benchmark, figure: str) -> Metric:
    """The metric that a figure's name stands for, within its group where it names one."""
    place, _, name = figure.rpartition(":")
    if not place:
        return benchmark.scoring.metric(name)
    group, _, key = place.partition("=")
    return within(benchmark.scoring.metric(name), group, key)


def drawn_figure(metric: Metric, rows: Sequence[Row], *, seed: int) -> tuple[float | None, Floats, int]:
    """The figure, its bootstrap draws and how many clusters count; the same seed gives the same resampled clusters."""
    clusters = rows_by_cluster(rows)
    if not clusters:
        return None, np.empty(0), 0
    terms = np.array([metric.terms(members) for members in clusters], dtype=np.float64)
    point = float(metric.value(exact_sums(terms)))
    if np.isnan(point):
        return None, np.empty(0), 0
    touched = int(np.any(terms != 0, axis=1).sum())
    return point, metric.value(resampling_weights(len(clusters), RESAMPLES, seed) @ terms), touched


def profile_table(profile: CapabilityProfile) -> Table:
    """Axis, percent with interval, and where it comes from."""
    rows = tuple(
        (
            axis.name,
            with_interval(axis.estimate),
            sources_text(axis) or f"not measured: {missing_text(axis, profile.benchmarks)}",
        )
        for axis in profile.axes
    )
    weakest = profile.weakest
    first = f"look first at: {weakest.name}; " if weakest else ""
    note = f"{first}each axis is the plain mean of its metrics, in percent; metrics of one run are resampled together"
    title = f"capabilities of {profile.model} on {', '.join(profile.benchmarks)}"
    return Table(title, ("axis", "percent [95 %]", "from"), rows, note)


def sources_text(axis: Axis) -> str:
    """The figures of an axis with their values."""
    return ", ".join(
        f"{part.benchmark} {figure_text(part.figure)} {percent(part.value)}" for part in axis.parts
    )


def figure_text(figure: str) -> str:
    """A figure's reference for people: `M-S tool selection`."""
    place, _, name = figure.rpartition(":")
    return f"{place.partition('=')[2]} {words(name)}".strip()


def missing_text(axis: Axis, done: Sequence[str] = ()) -> str:
    """Which benchmarks would measure an axis; one that was run has no sample of the kind."""
    tried = [name for name in axis.missing if name in done]
    if tried:
        return f"no sample of this kind in the run of {' or '.join(tried)}; ask more of them"
    return "run " + " or ".join(axis.missing) if axis.missing else "no metric is defined"
