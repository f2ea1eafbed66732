"""The papers' tables and figures over the runs of a comparison, with the published rows."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, replace

import orjson

from toolyard.core.benchmark import Derived, PublishedRow
from toolyard.core.errors import ToolyardError
from toolyard.core.exhibits import Exhibit, Mark, ModelRun, drop_empty_exhibits, has_values, runs_by_model
from toolyard.core.ordered_sums import group_items
from toolyard.core.types import JsonValue, Sample
from toolyard.models.spec import ModelSpec
from toolyard.report.compare.compared_runs import ComparedRun, distinct_setups, refusing_other_forms
from toolyard.report.compare.comparison import Comparison
from toolyard.report.tables.formats import words
from toolyard.run.run import Run
from toolyard.stats.summary import group_sizes, groups_of, rows_of

BY_RELEASE = (
    "runs are scored as the paper defines its metrics, the published rows were by the released scorer: "
    "--profile official scores both alike"
)


def paper_exhibits(comparison: Comparison) -> tuple[Exhibit, ...]:
    """Every table and figure of the paper that the runs have something to say to, in the paper's order."""
    reference = comparison.benchmark.reference
    if reference is None:
        return ()
    runs = model_runs(comparison.runs)
    with refusing_other_forms(*(run.folder for run in comparison.runs)):
        own = () if reference.printed.exhibits is None else reference.printed.exhibits(runs)
    replaced = {item.paper for item in own if item.kind == "table"}
    by_release = BY_RELEASE if comparison.profile == "paper" and reference.deviations else ""
    tables = [
        published_exhibit(runs, name, rows, by_release)
        for name, rows in rows_by_table(reference.published).items()
        if name not in replaced
    ]
    ordered = sorted((*tables, *(item for item in own if item.kind == "table")), key=_number_of_table)
    found = drop_empty_exhibits((*ordered, *(item for item in own if item.kind != "table")))
    shown = (_mark_withheld(item, runs) for item in found if has_values(item))
    return (*shown, *_note_missing_data([item.paper for item in found if not has_values(item)], runs))


def _mark_withheld(exhibit: Exhibit, runs: Sequence[ModelRun]) -> Exhibit:
    """The exhibit, with a word on the runs whose headline it would show if it were not withheld."""
    shows = {exhibit.y_title, *(mark.x for mark in exhibit.marks)}
    names = [run.label for run in runs if run.withheld and run.headline in shows]
    if not names:
        return exhibit
    told = f"{words(runs[0].headline)} withheld, with more than 2 % unscored: {', '.join(names)}"
    return replace(exhibit, note="; ".join(filter(None, [exhibit.note, told])))


def _note_missing_data(papers: Sequence[str], runs: Sequence[ModelRun]) -> list[Exhibit]:
    """One line in place of the exhibits that show samples, where no run's data are at hand."""
    if not papers:
        return []
    told = f"the data of {', '.join(run.label for run in runs)} are not where the runs found them, or have changed"
    return [Exhibit(", ".join(papers), "left out", "table", (), note=told)]


def _number_of_table(exhibit: Exhibit) -> int:
    """The first number in the name of a table."""
    found = re.search(r"\d+", exhibit.paper)
    return int(found.group()) if found else 0


def rows_by_table(rows: Iterable[PublishedRow]) -> dict[str, list[PublishedRow]]:
    """The published rows of each table."""
    return group_items(rows, lambda row: row.table)


def published_exhibit(
    runs: Sequence[ModelRun], name: str, rows: Sequence[PublishedRow], remark: str = ""
) -> Exhibit:
    """A published table with the runs in it, each on the parts of the data that it has; a remark stands below."""
    columns = dict.fromkeys((row.group, figure) for row in rows for figure in row.figures)
    own = [run.mark(part, figure, x=figure, panel=part) for run in runs for part, figure in columns]
    known = {mark.model for mark in own if mark.value is not None}
    marks = [
        Mark(row.model, value, x=figure, panel=row.group, source="published", kind=row.kind)
        for row in rows
        for figure, value in row.figures.items()
    ]
    notes = {row.note for row in rows}
    note = "; ".join(filter(None, [notes.pop() if len(notes) == 1 else "", remark]))
    mine = [mark for mark in own if mark.model in known]
    return Exhibit(name, "with the published rows", "table", (*mine, *marks) if mine else (), note=note)


def model_runs(runs: Sequence[ComparedRun]) -> list[ModelRun]:
    """The runs as exhibits see them; runs of one model are labelled by what differs between them."""
    known: dict[bytes, dict[str, Sample]] = {}
    plain = [_model_run(run, known) for run in runs]
    folders = {id(model): run for model, run in zip(plain, runs, strict=True)}
    named = {}
    for some in runs_by_model(plain).values():
        for model, setup in zip(some, distinct_setups([folders[id(model)] for model in some]), strict=True):
            named[id(model)] = replace(model, setup=setup)
    return [named[id(model)] for model in plain]


def _model_run(run: ComparedRun, known: dict[bytes, dict[str, Sample]]) -> ModelRun:
    identity = run.manifest["identity"]
    scored = [item for item in run.graded if item.score.unscored is None]
    asked = _what_was_asked(run)
    # Read once for all runs that differ in their model only.
    samples = known[asked] if asked in known else known.setdefault(asked, _samples_of_run(run))
    graded_rows = rows_of(run.graded)
    rows = [(samples.get(item.sample.id, item.sample), item.transcript, item.score) for item in scored]
    derive = run.benchmark.reference.printed.derived if run.benchmark.reference is not None else None
    found = ModelRun(
        model=run.facts.name or ModelSpec.parse(run.model).display,
        setup="",
        kind=run.facts.kind,
        size=run.facts.size,
        figures=run.summary.figures,
        groups=groups_of(run.benchmark, graded_rows, seed=identity["seed"]),
        group_sizes=group_sizes(run.benchmark, graded_rows),
        scored=rows,
        derived={} if derive is None else derive(rows),
        options=identity["options"],
        embedder=str(run.manifest["similarity"]),
        headline=run.setup.headline,
    )
    return _drop_headline(found, derive) if run.summary.withheld else found


def _drop_headline(run: ModelRun, derive: Callable[..., Derived] | None) -> ModelRun:
    """The run without its withheld headline: over all samples, in breakdowns, in single scores and what comes of them."""
    name = run.headline
    rows = [
        (
            sample,
            transcript,
            replace(score, values={key: score.values[key] for key in score.values if key != name}),
        )
        for sample, transcript, score in run.scored
    ]
    derived = {} if derive is None else derive(rows)
    return replace(
        run,
        figures={key: run.figures[key] for key in run.figures if key != name},
        groups={
            grouping: {
                part: {key: figures[key] for key in figures if key != name} for part, figures in parts.items()
            }
            for grouping, parts in run.groups.items()
        },
        scored=rows,
        derived={key: value for key, value in derived.items() if key[1] != name},
        withheld=True,
    )


def _what_was_asked(run: ComparedRun) -> bytes:
    """All of a run's identity but its model; a run whose queries a model rewrote shares its samples with none."""
    identity = {name: value for name, value in run.manifest["identity"].items() if name != "model"}
    own = str(run.folder) if identity.get("rewriter") else ""
    return orjson.dumps(
        [run.benchmark.name, str(run.manifest["data"]), own, identity], option=orjson.OPT_SORT_KEYS
    )


def _samples_of_run(run: ComparedRun) -> dict[str, Sample]:
    """What the samples show; nothing where the data are gone or changed."""
    try:
        return {sample.id: sample for sample in Run.open(run.folder).samples}
    except ToolyardError:
        return {}


def exhibit_json(exhibit: Exhibit) -> dict[str, JsonValue]:
    """The exhibit as data: every mark with its interval, count and source."""
    return {
        "paper": exhibit.paper,
        "title": exhibit.title,
        "kind": exhibit.kind,
        "unit": exhibit.unit,
        "note": exhibit.note,
        "marks": [
            {
                name: value
                for name, value in asdict(mark).items()
                if value not in (None, "") or name == "value"
            }
            for mark in exhibit.marks
        ],
    }
