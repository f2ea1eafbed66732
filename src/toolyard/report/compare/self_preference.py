"""Whether judges favour their own model (ToolEyes, Table 9): runs that several judges have judged, side by side.

Every judge's replies stay in a run's evidence.jsonl, so `toolyard score RUN --judge OTHER` adds one. A judge's own
model is the run whose model has the judge's name.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from toolyard.core.errors import DataError, UsageError
from toolyard.core.table import Table
from toolyard.core.types import Decoding, JsonValue, Profile
from toolyard.models.loading import model_identity
from toolyard.report.compare.compared_runs import ComparedRun, load_runs
from toolyard.run.grade.evidence import Instruments
from toolyard.run.grade.judge_trials import all_figures, figures_by_judge
from toolyard.run.plan.run_config import display_name
from toolyard.run.run import Run
from toolyard.stats.judge_spread import SelfPreference, self_preferences, share_at_least
from toolyard.stats.summary import Graded


@dataclass(frozen=True, slots=True)
class Rated:
    """One judge's view of one run, on the samples that all judges of the run could score."""

    judge: str
    model: str
    samples: int
    figures: Mapping[str, float | None]
    values: Mapping[str, Mapping[str, float]]


def self_preference_tables(folders: Sequence[Path], profile: Profile, *, force: bool) -> list[Table]:
    """Ratings by judge and model, each judge on its own model, and Table 9 for each judge."""
    loaded = load_runs(folders, profile, {}, force=force)
    if len(loaded) != 1:
        raise UsageError(f"--judges looks at one benchmark at a time; these are runs of {', '.join(loaded)}")
    (runs,) = loaded.values()
    names = [display_name(run.model) for run in runs]
    if len(set(names)) < len(names):
        raise UsageError("--judges wants one run for each model; two of these runs have the same one")
    rated = [item for run in runs for item in judge_ratings(run, profile)]
    own = models_of_judges({item.judge for item in rated}, names)
    figures = list(dict.fromkeys(name for item in rated for name in item.figures))
    ratings = {(item.judge, item.model): item.figures for item in rated}
    tables = [
        _ratings_table(rated, figures),
        _preference_table(self_preferences(ratings, own)),
        _at_least_table(rated, own, figures),
    ]
    return [table for table in tables if table.rows]


def models_of_judges(judges: set[str], models: Sequence[str]) -> dict[str, str]:
    """The model among those of the runs that each judge is, for judges that are one."""
    return {judge: display_name(judge) for judge in sorted(judges) if display_name(judge) in models}


def judge_ratings(run: ComparedRun, profile: Profile) -> list[Rated]:
    """What every judge that the run's evidence knows says of it."""
    opened = Run.open(run.folder)
    embedder = str(run.manifest["similarity"])
    # A judge that was asked at several temperatures counts with the last.
    temperatures = {item.model: item.temperature for item in opened.store.evidence() if item.reply}
    if not temperatures:
        raise DataError(
            f"{run.folder} holds no judge's reply; add one: toolyard score {run.folder} --judge MODEL"
        )
    graded = {
        judge: opened.graded(
            Instruments(judge_name=judge, embedder=embedder, decoding=Decoding(temperature))
        )[profile]
        for judge, temperature in temperatures.items()
    }
    unjudged = all_figures(opened.benchmark, opened.graded(Instruments(embedder=embedder))[profile])
    shared = set.intersection(
        *(
            {_key_of_item(item) for item in items if (item.score.unscored is None)}
            for items in graded.values()
        )
    )
    found = []
    for judge, items in graded.items():
        kept = [item for item in items if _key_of_item(item) in shared]
        figures = figures_by_judge(all_figures(opened.benchmark, kept), unjudged)
        values = {name: _values_by_item(kept, name) for name in figures}
        found.append(Rated(model_identity(judge), display_name(run.model), len(kept), figures, values))
    return found


def _key_of_item(item: Graded) -> str:
    return f"{item.sample.id}#{item.score.trial}"


def _values_by_item(graded: Sequence[Graded], figure: str) -> dict[str, float]:
    return {
        _key_of_item(item): value for item in graded if (value := item.score.values.get(figure)) is not None
    }


def _ratings_table(rated: Sequence[Rated], figures: Sequence[str]) -> Table:
    samples = {item.model: item.samples for item in rated}
    rows = _judge_by_model(rated, figures, lambda item, figure: item.figures.get(figure))
    counts = ", ".join(f"{model} {count}" for model, count in samples.items())
    note = f"each model on the samples that all its judges could score: {counts}"
    return Table("judged figures by judge and model", ("figure", "judge", *samples), rows, note)


def _judge_by_model(
    rated: Sequence[Rated], figures: Sequence[str], value: Callable[[Rated, str], float | None]
) -> tuple[tuple[JsonValue, ...], ...]:
    """A row for each figure and judge, with a value for each model; a judge without any has no row."""
    by_pair = {(item.judge, item.model): item for item in rated}
    judges, models = sorted({item.judge for item in rated}), dict.fromkeys(item.model for item in rated)
    rows = []
    for figure in figures:
        for judge in judges:
            found = [by_pair.get((judge, model)) for model in models]
            values = [None if item is None else value(item, figure) for item in found]
            if any(each is not None for each in values):
                rows.append((figure, judge, *values))
    return tuple(rows)


def _preference_table(found: Sequence[SelfPreference]) -> Table:
    rows = tuple(
        (item.judge, item.figure, item.own, item.others, item.difference, item.elsewhere, item.favour)
        for item in found
    )
    columns = ("judge", "figure", "own model", "by other judges", "difference", "on other models", "favour")
    note = (
        "favour: the difference on its own model less the mean difference from other judges on the other models; "
        "two judges of each other's models show the same favour, a third tells whose it is"
    )
    return Table("judges on their own model", columns, rows, note)


def _at_least_table(rated: Sequence[Rated], own: Mapping[str, str], figures: Sequence[str]) -> Table:
    by_pair = {(item.judge, item.model): item for item in rated}

    def share(item: Rated, figure: str) -> float | None:
        mine = by_pair.get((item.judge, own.get(item.judge, "")))
        if mine is None or mine is item:
            return None
        return share_at_least(mine.values.get(figure, {}), item.values.get(figure, {}))

    models = dict.fromkeys(item.model for item in rated)
    note = "share of samples on which the model scores at least what the judge's own model does (Table 9)"
    rows = _judge_by_model(rated, figures, share)
    return Table("at least the judge's own model", ("figure", "judge", *models), rows, note)
