"""The paper's figures over models: scenarios, turns, dimensions, correlations, errors, distributions; and Table 9."""

from collections import Counter
from collections.abc import Iterable, Sequence

from toolyard.benchmarks.tooleyes.data.rows import SCENARIOS
from toolyard.benchmarks.tooleyes.data.sample import ToolEyesSample
from toolyard.benchmarks.tooleyes.papers.published import AT_LEAST, PUBLISHED, TABLE_9_FIGURES
from toolyard.benchmarks.tooleyes.scoring.score import DIMENSIONS
from toolyard.core.exhibits import (
    BOX_PARTS,
    Exhibit,
    Mark,
    ModelRun,
    drop_empty_exhibits,
    model_mean,
    over_keys,
    runs_by_model,
)
from toolyard.core.types import Score, Transcript
from toolyard.stats.agreement import wilson_share
from toolyard.stats.box_statistics import five_numbers
from toolyard.stats.significance import pearson_correlation

MODELS_FOR_CORRELATION = 3
# What rules see of the dimensions that only a judge can grade; shown where no run was judged.
RULE_BASED = ("tool_reality", "parameter_correctness", "answer_pass", "grounding")


def exhibits(runs: Sequence[ModelRun]) -> tuple[Exhibit, ...]:
    """Figures 3-7, 10 and 12, and Table 9, as far as these runs have what they show."""
    figure = headline_of_runs(runs)
    return drop_empty_exhibits(
        (
            Exhibit(
                "Figure 3", f"{figure.capitalize()} by scenario", "bars", over_keys(runs, SCENARIOS, figure),
                y_title=figure,
            ),
            turn_exhibit(runs),
            dimension_exhibit(runs, "Figure 5", "Dimensions over all scenarios", ("",)),
            correlation_exhibit(runs),
            keyword_error_exhibit(runs),
            distribution_exhibit(runs),
            dimension_exhibit(runs, "Figure 12", "Dimensions in each scenario", SCENARIOS),
            share_at_reference_exhibit(runs),
        )
    )  # fmt: skip


def headline_of_runs(runs: Sequence[ModelRun]) -> str:
    """The overall score where any run was judged, else what needs no judge."""
    known = (run.figures.get("overall") for run in runs)
    judged = any(item is not None and item.value is not None for item in known)
    return (
        "overall" if judged or any(run.withheld and run.headline == "overall" for run in runs) else "outcome"
    )


def turn_exhibit(runs: Sequence[ModelRun]) -> Exhibit:
    """How many turns the episodes of each model took."""
    marks = []
    for run in runs:
        counts = Counter(int(score.graded["rounds_used"]) for _, _, score in run.scored if score.graded)
        for turn in range(1, max(counts, default=0) + 1):
            share = counts[turn] / counts.total()
            marks.append(
                Mark(run.label, share, x=str(turn), at=float(turn), count=counts.total(), kind=run.kind)
            )
    note = "share of episodes that took so many turns; the paper prints 2.8 turns for GPT-4, 7.0 for LLaMA-2-chat-7B"
    return Exhibit("Figure 4", "Turns per episode", "lines", tuple(marks), "turns", "episodes", note=note)


def dimension_exhibit(runs: Sequence[ModelRun], paper: str, title: str, parts: Iterable[str]) -> Exhibit:
    """The five dimensions as a radar chart; its table also has the headline."""
    figures = shown_dimensions(runs)
    marks = tuple(
        run.mark(part, name, x=name, panel=part) for part in parts for run in runs for name in figures
    )
    note = "" if headline_of_runs(runs) == "overall" else NOT_JUDGED
    return Exhibit(paper, title, "radar", marks if len(figures) > 1 else (), note=note)


NOT_JUDGED = "no run was judged: in place of the judge's dimensions stands what rules see of them"


def shown_dimensions(runs: Sequence[ModelRun]) -> tuple[str, ...]:
    """The dimensions that any run has, or what needs no judge, and the headline."""
    names = DIMENSIONS if headline_of_runs(runs) == "overall" else (DIMENSIONS[0], *RULE_BASED)
    known = [name for name in names if any(model_mean([run], "", name) is not None for run in runs)]
    return (*known, headline_of_runs(runs))


def correlation_exhibit(runs: Sequence[ModelRun]) -> Exhibit:
    """Pearson's r between dimensions over models, each counted once."""
    models = runs_by_model(runs)
    judged = headline_of_runs(runs) == "overall"
    names = (*DIMENSIONS, *(() if judged else RULE_BASED), "outcome")
    columns = {name: [model_mean(some, "", name) for some in models.values()] for name in names}
    known = [name for name, values in columns.items() if sum(value is not None for value in values) >= 2]
    marks = []
    if len(models) >= MODELS_FOR_CORRELATION:
        for first in known:
            for second in known:
                found = pearson_correlation(columns[first], columns[second], unit="models")
                marks.append(Mark(second, found.value, x=second, part=first, count=found.pairs))
    note = f"Pearson's r over {len(models)} models, the configurations of one model averaged"
    note = note if judged else f"{note}; {NOT_JUDGED}"
    title = "Correlation of dimensions over models"
    return Exhibit("Figure 6", title, "heat", tuple(marks), unit="number", note=note)


def keyword_error_exhibit(runs: Sequence[ModelRun]) -> Exhibit:
    """Turns with missing keywords and with redundant text, as shares of all turns, smallest model first."""
    marks = []
    for run in sorted(runs, key=lambda run: run.size or 0.0):
        total = sum(len(score.graded["rounds"]) for _, _, score in run.scored if score.graded)
        counts = Counter[str]()
        for _, _, score in run.scored:
            counts.update(score.errors.get("format", {}))
        marks += [
            Mark(
                run.label, found.value, x=label, low=found.low, high=found.high, at=run.size, count=total,
                kind=run.kind,
            )
            for label in ("missing_keywords", "redundant_text")
            if (found := wilson_share(min(counts[label], total), total)).value is not None
        ]  # fmt: skip
    note = "share of turns with Wilson's 95 % interval; models in the order of their size where it is known"
    title = "Missing keywords and redundant text"
    return Exhibit("Figure 7", title, "bars", tuple(marks), y_title="turns", note=note)


def distribution_exhibit(runs: Sequence[ModelRun]) -> Exhibit:
    """Where the scores of each dimension lie in each scenario."""
    marks = []
    for scenario in SCENARIOS:
        for name in shown_dimensions(runs):
            for run in runs:
                marks += _box_marks(run, scenario, name)
    note = "" if headline_of_runs(runs) == "overall" else NOT_JUDGED
    return Exhibit(
        "Figure 10", "Score distributions by scenario and dimension", "box", tuple(marks), note=note
    )


def _box_marks(run: ModelRun, scenario: str, name: str) -> list[Mark]:
    members = [item for item in run.scored if item[0].groups.get("scenario") == scenario]
    values = [value for _, _, score in members if (value := score.values.get(name)) is not None]
    found = five_numbers(values)
    if found is None:
        return []
    return [
        Mark(run.label, value, x=name, panel=scenario, part=part, count=len(values), kind=run.kind)
        for part, value in zip(BOX_PARTS, found, strict=True)
    ]


def share_at_reference_exhibit(runs: Sequence[ModelRun]) -> Exhibit:
    """Share of queries on which a model scores at least what the best of them does."""
    best = max(runs, key=lambda run: model_mean([run], "", headline_of_runs(runs)) or 0.0)
    figures = [name for name in TABLE_9_FIGURES if _values_by_sample(best, name)]
    figures = figures or [
        name for name in ("format_alignment", "tool_reality", "outcome") if _values_by_sample(best, name)
    ]
    marks = [
        _share_at_least_as_good(run, best, name)
        for run in runs
        if run.label != best.label
        for name in figures
    ]
    if figures and figures[0] in TABLE_9_FIGURES:
        marks += [
            Mark(row.model, row.figures[f"{name}{AT_LEAST}"], x=name, source="published")
            for row in PUBLISHED
            if row.table == "Table 9"
            for name in TABLE_9_FIGURES
        ]
    note = f"reference: {best.label}; the published rows stand against GPT-4"
    title = "Share of queries scored at least as high as the reference"
    return Exhibit("Table 9", title, "table", tuple(marks), note=note)


def _values_by_sample(run: ModelRun, name: str) -> dict[str, float]:
    def own(item: tuple[ToolEyesSample, Transcript, Score]) -> float | None:
        return item[2].values.get(name)

    return {item[0].id: value for item in run.scored if (value := own(item)) is not None}


def _share_at_least_as_good(run: ModelRun, best: ModelRun, name: str) -> Mark:
    mine, theirs = _values_by_sample(run, name), _values_by_sample(best, name)
    shared = [sample for sample in mine if sample in theirs]
    share = sum(mine[sample] >= theirs[sample] for sample in shared) / len(shared) if shared else None
    return Mark(run.label, share, x=name, count=len(shared), kind=run.kind)
