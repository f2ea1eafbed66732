"""The paper's tables and figures over models: open against proprietary, errors, lengths, embedders."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from statistics import fmean

from toolyard.benchmarks.toolbehonest.data.rows import SCENARIOS
from toolyard.benchmarks.toolbehonest.data.sample import ToolBeHonestSample
from toolyard.benchmarks.toolbehonest.papers.analysis import MEASURES, answer_length
from toolyard.benchmarks.toolbehonest.papers.published import OPEN, PROPRIETARY, PUBLISHED, TABLE_3_FIGURES
from toolyard.benchmarks.toolbehonest.scoring.errors import ALL_LABELS, plan_labels
from toolyard.core.exhibits import (
    Exhibit,
    Mark,
    ModelRun,
    Source,
    drop_empty_exhibits,
    model_mean,
    runs_by_model,
    share_marks,
)
from toolyard.core.types import Score, Transcript
from toolyard.stats.box_statistics import fitted_line, standardise_values

# What the papers call open-weight and proprietary, in the words of `--models`.
CLOSED = "closed"
LEVELS = {"level 1": ("l1_em",), "level 2": ("l2_pr",), "level 3": ("l3_pr", "l3_ms")}
FEWEST_MODELS = 3


def exhibits(runs: Sequence[ModelRun]) -> tuple[Exhibit, ...]:
    """Table 3 with its ratio, Table 4 with its gap, and Figures 3-8, as far as these runs have what they show."""
    return drop_empty_exhibits(
        (
            open_against_proprietary(runs),
            embedder_exhibit(runs),
            scenario_and_level_exhibit(runs),
            *(error_counts(runs, level) for level in ("level_2", "level_3")),
            *(length_against_score(runs, own) for own in (True, False)),
        )
    )


def open_against_proprietary(runs: Sequence[ModelRun]) -> Exhibit:
    """Solvable and unsolvable scores of each model, then what open models reach of the proprietary ones."""
    names = TABLE_3_FIGURES
    marks = [run.mark("", name, x=name) for run in runs for name in names]
    rows = [row for row in PUBLISHED if row.table == "Table 3"]
    marks += [
        Mark(row.model, row.figures.get(name), x=name, source="published", kind=row.kind)
        for row in rows
        for name in names
    ]
    printed = {kind: [row.figures for row in rows if row.kind == kind] for kind in (OPEN, PROPRIETARY)}
    for name in names:
        ours = [model_mean(some, "", name) for some in _runs_by_model(runs, closed=False)]
        theirs = [model_mean(some, "", name) for some in _runs_by_model(runs, closed=True)]
        if (ratio := _ratio_of_means(ours, theirs)) is not None:
            marks.append(Mark("ratio, these models", ratio, x=name, source="fit"))
        open_ones, others = ([figures.get(name) for figures in printed[kind]] for kind in (OPEN, PROPRIETARY))
        marks.append(Mark("ratio, published", _ratio_of_means(open_ones, others), x=name, source="published"))
    note = "ratio: mean of the open models over mean of the proprietary ones; kinds come from --models"
    return Exhibit(
        "Table 3", "Solvable and unsolvable tasks, open against proprietary", "table", tuple(marks), note=note
    )


def _runs_by_model(runs: Sequence[ModelRun], *, closed: bool) -> list[list[ModelRun]]:
    wanted = {CLOSED} if closed else {"open", "tool-oriented"}
    return [some for some in runs_by_model(runs).values() if some[0].kind in wanted]


def _ratio_of_means(first: Sequence[float | None], second: Sequence[float | None]) -> float | None:
    one, other = ([value for value in values if value is not None] for values in (first, second))
    return fmean(one) / fmean(other) if one and other and fmean(other) else None


def embedder_exhibit(runs: Sequence[ModelRun]) -> Exhibit:
    """Level 3's matching score of one model under several embedders, and the mean gap between them."""
    several = {
        model: some for model, some in runs_by_model(runs).items() if len({run.embedder for run in some}) > 1
    }
    marks = [run.mark(key, "l3_ms", x=key) for some in several.values() for run in some for key in SCENARIOS]
    for key in SCENARIOS:
        gaps = [
            abs(one.value - other.value)
            for some in several.values()
            for first, second in combinations(some, 2)
            if first.embedder != second.embedder
            if (one := first.mark(key, "l3_ms")).value is not None
            if (other := second.mark(key, "l3_ms")).value is not None
        ]
        marks.append(Mark("average gap", fmean(gaps) if gaps else None, x=key, source="fit"))
    if several:
        rows = [row for row in PUBLISHED if row.table == "Table 4"]
        marks += [
            Mark(f"{row.model}, {row.note}", row.figures["l3_ms"], x=row.group, source="published")
            for row in rows
        ]
    return Exhibit("Table 4", "Matching score under several embedders", "table", tuple(marks))


def scenario_and_level_exhibit(runs: Sequence[ModelRun]) -> Exhibit:
    """Mean of the four metrics in each scenario, and of the scenarios at each level, with the best published models."""
    marks: list[Mark] = []
    for run in runs:
        cells = {key: {name: run.mark(key, name).value for _, name in MEASURES} for key in SCENARIOS}
        marks += _marks_of_means(run.label, cells, run.kind)
    rows: dict[str, dict[str, dict[str, float | None]]] = {}
    for row in PUBLISHED:
        if row.table == "Table 2" and row.group:
            rows.setdefault(row.model, {})[row.group] = dict(row.figures)
    best = sorted(rows, key=lambda model: -_overall_mean(rows[model]))[:3]
    marks += [mark for model in best for mark in _marks_of_means(model, rows[model], "", published=True)]
    return Exhibit(
        "Figure 3", "Scenarios and levels", "bars", tuple(marks), y_title="mean score",
        note="mean of the metrics of a scenario, or of the scenarios at a level; the three best published models beside",
    )  # fmt: skip


def _overall_mean(cells: dict[str, dict[str, float | None]]) -> float:
    return fmean(value or 0.0 for figures in cells.values() for value in figures.values())


def _marks_of_means(
    label: str, cells: dict[str, dict[str, float | None]], kind: str, *, published: bool = False
) -> list[Mark]:
    source: Source = "published" if published else "run"
    found = []
    for key, figures in cells.items():
        known = [value for value in figures.values() if value is not None]
        found.append(
            Mark(label, fmean(known) if known else None, x=key, panel="scenario", source=source, kind=kind)
        )
    for level, names in LEVELS.items():
        known = [
            value for figures in cells.values() for name in names if (value := figures.get(name)) is not None
        ]
        found.append(
            Mark(label, fmean(known) if known else None, x=level, panel="level", source=source, kind=kind)
        )
    return found


def error_counts(runs: Sequence[ModelRun], level: str) -> Exhibit:
    """Labels of the wrong plans on unsolvable tasks, by scenario."""
    marks: list[Mark] = []
    for scenario in SCENARIOS:

        def counts(run: ModelRun, scenario: str = scenario) -> dict[str, int]:
            found: Counter[str] = Counter()
            wanted = {"level": level, "scenario": scenario, "variant": "unsolvable"}
            for sample, _, score in run.scored:
                if all(sample.groups.get(key) == value for key, value in wanted.items()):
                    found.update(plan_labels(score.errors, level))
            return {label: found[label] for label in ALL_LABELS if label != "correct"}

        marks += share_marks(runs, counts, panel=scenario, absolute=True)
    title = f"Errors of {level.replace('_', ' ')} by scenario"
    return Exhibit("Figures 4, 7 and 8", title, "stack", tuple(marks), y_title="error cases", unit="count")


def length_against_score(runs: Sequence[ModelRun], open_models: bool) -> Exhibit:
    """Mean answer length against score over models, both standardised, with the line of least squares."""
    models = _runs_by_model(runs, closed=not open_models)
    marks: list[Mark] = []
    for level, name in MEASURES:
        for scenario in SCENARIOS:
            if len(models) >= FEWEST_MODELS:
                marks += _length_panel(models, level, name, scenario)
    whose = "open" if open_models else "proprietary"
    return Exhibit(
        "Figure 5" if open_models else "Figure 6", f"Answer length against score, {whose} models", "scatter",
        tuple(marks), "mean tokens, standardised", "score, standardised", unit="number",
        note=f"one point per model, its configurations averaged; {FEWEST_MODELS} models at least, kinds by --models",
    )  # fmt: skip


def _length_panel(models: Sequence[Sequence[ModelRun]], level: str, name: str, scenario: str) -> list[Mark]:
    points = [_length_and_score(some, level, name, scenario) for some in models]
    known = [(some[0], point) for some, point in zip(models, points, strict=True) if point is not None]
    xs, ys = ([point[place] for _, point in known] for place in (0, 1))
    lengths, scores = standardise_values(xs), standardise_values(ys)
    if lengths is None or scores is None:
        return []
    panel = f"{scenario}, {name.upper().replace('_', '-')}"
    marks = [
        Mark(run.model, y, part=run.model, panel=panel, at=x, count=int(point[2]), kind=run.kind)
        for (run, point), x, y in zip(known, lengths, scores, strict=True)
    ]
    line = fitted_line(lengths, scores)
    ends = (min(lengths), max(lengths)) if line is not None else ()
    return marks + [
        Mark("least squares", line.at(x), part="least squares", panel=panel, at=x, source="fit")
        for x in ends
        if line is not None
    ]


def _length_and_score(
    some: Sequence[ModelRun], level: str, name: str, scenario: str
) -> tuple[float, float, float] | None:
    wanted = {"level": level, "scenario": scenario, "variant": "unsolvable"}

    def fits(item: tuple[ToolBeHonestSample, Transcript, Score]) -> bool:
        return all(item[0].groups.get(key) == value for key, value in wanted.items())

    members = [item for run in some for item in run.scored if fits(item)]
    known = [
        (answer_length(transcript), value)
        for _, transcript, score in members
        if (value := score.values.get(name)) is not None
    ]
    if not known:
        return None
    return fmean(length for length, _ in known), fmean(value for _, value in known), float(len(known))
