"""The published rows together with the run: one row per model and part, or in the paper's layout."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from statistics import fmean

from toolyard.core.benchmark import Derived, PublishedRow
from toolyard.core.ordered_sums import group_items
from toolyard.core.table import Cell, Part, Table, TableValue
from toolyard.core.types import Profile
from toolyard.report.abilities import main_figures
from toolyard.report.compare.verdict import Verdict, paper_verdict
from toolyard.report.content import Report
from toolyard.report.tables.formats import figure_text, words
from toolyard.report.tables.group_tables import figure_value
from toolyard.run.grade.baselines import Baseline
from toolyard.stats.summary import Summary

# A column of a published table: the part of the data, and the figure on it.
Column = tuple[str, str]
Line = tuple[TableValue, ...]
# Published rows of each part of the data that a short table shows.
BEST_PUBLISHED = 3


def published_tables(report: Report, *, full: bool = True) -> list[Table]:
    """The paper's rows, one table each, with the run at the top; short: one of them, with the best published rows."""
    tables = _rows_by_table(report)
    if not full:
        return [_shortest_table(report, tables)] if tables else []
    verdict = paper_verdict(report) if tables else None
    return [published_table(report, name, rows, verdict) for name, rows in tables.items()]


def _shortest_table(report: Report, tables: Mapping[str, Sequence[PublishedRow]]) -> Table:
    """The published table that has the headline and most of the run, its best rows for each part that the run has."""
    headline = report.setup.headline
    figures = {
        name: list(dict.fromkeys(figure for row in rows for figure in row.figures))
        for name, rows in tables.items()
    }
    own = {name: run_lines_by_part(report, rows, figures[name]) for name, rows in tables.items()}
    known = {each: sum(cell != "–" for line in lines for cell in line) for each, lines in own.items()}
    name = max(tables, key=lambda each: (known[each] > 0, headline in figures[each], known[each]))
    by = headline if headline in figures[name] else figures[name][0]
    parts = dict.fromkeys(row.group for row in tables[name])
    held = {str(line[1]) for line in own[name]} if any(parts) else {""}
    rows: list[PublishedRow] = []
    for part in parts:
        some = [row for row in tables[name] if row.group == part and part in held]
        rows += sorted(some, key=lambda row: -_ranking_value(row, by))[:BEST_PUBLISHED]
    table = published_table(report, name, rows or tables[name][:BEST_PUBLISHED], full=False)
    others = ", ".join(other for other in tables if other != name)
    explanation = f"the {BEST_PUBLISHED} best published rows of each part; all" + (
        f", and {others}" if others else ""
    )
    return replace(table, note=f"{table.note}; {explanation}: --full, or the page")


def _ranking_value(row: PublishedRow, figure: str) -> float:
    """What a published row is ranked by: the figure, or the mean of all that it has."""
    values = [value for value in row.figures.values() if value is not None]
    named = row.figures.get(figure)
    return fmean(values) if named is None and values else named or 0.0


def _rows_by_table(report: Report) -> dict[str, list[PublishedRow]]:
    return group_items(report.benchmark.published, lambda row: row.table)


def published_table(
    report: Report,
    name: str,
    rows: Sequence[PublishedRow],
    verdict: Verdict | None = None,
    *,
    full: bool = True,
) -> Table:
    """One published table with the run's official metrics on the same parts, and whether they are comparable."""
    figures = list(dict.fromkeys(figure for row in rows for figure in row.figures))
    main = {report.setup.headline, *main_figures(report)}
    if not full and main & set(figures):
        figures = [figure for figure in figures if figure in main]
    parts = any(row.group for row in rows)
    own = run_lines_by_part(report, rows, figures)
    body = tuple(
        (
            row.model,
            *([row.group] if parts else []),
            *(figure_text(figure, row.figures.get(figure)) for figure in figures),
        )
        for row in rows
    )
    columns = ("model", *(["part"] if parts else []), *map(words, figures))
    line = (verdict or paper_verdict(report)).among(figures).line
    if not own:
        line += "; the run has none of these parts"
    return Table(f"{name} (published)", columns, (*own, *body), line)


def run_lines_by_part(report: Report, rows: Sequence[PublishedRow], figures: Sequence[str]) -> list[Line]:
    """The run on each part of the data that the published rows stand on and the run has."""
    known = known_values(report, "official")
    groups = list(dict.fromkeys(row.group for row in rows))
    printed = {(row.group, figure) for row in rows for figure in row.figures}
    lines: list[Line] = []
    for group in groups:
        values = [known(group, figure) if (group, figure) in printed else None for figure in figures]
        if group and all(value is None for value in values):
            continue
        cells = (figure_text(figure, value) for figure, value in zip(figures, values, strict=True))
        name = f"{report.model} (this run, official profile)"
        lines.append((name, *([group] if any(groups) else []), *cells))
    return lines


def known_values(report: Report, profile: Profile) -> Callable[[str, str], float | None]:
    """The run's value of a metric on a part of the data, or of what the benchmark derives from metrics."""
    summary, derived = report.summaries[profile], derived_values(report, profile)

    def value(group: str, figure: str) -> float | None:
        if summary.withheld and figure == report.setup.headline:
            return None
        # What is derived is about all of a published part, of which a breakdown may have a piece.
        return (
            derived.get((group, figure))
            if (group, figure) in derived
            else value_in_summary(summary, group, figure)
        )

    return value


def derived_values(report: Report, profile: Profile) -> Derived:
    """The printed figures of the run that are no metric."""
    reference = report.benchmark.reference
    if reference is None or reference.printed.derived is None:
        return {}
    graded = (item for item in report.graded[profile] if item.score.unscored is None)
    return reference.printed.derived([(item.sample, item.transcript, item.score) for item in graded])


def printed_tables(report: Report) -> list[Table]:
    """The paper's tables as it prints them, with the run and the baselines on top."""
    return [printed_table(report, name, rows) for name, rows in _rows_by_table(report).items()]


def printed_table(report: Report, name: str, rows: Sequence[PublishedRow]) -> Table:
    """One line per model, one block of columns per part of the data, as in the paper."""
    blocks: dict[str, dict[str, None]] = {}
    for row in sorted(rows, key=lambda row: row.group == ""):
        blocks.setdefault(row.group, {}).update(dict.fromkeys(row.figures))
    columns = [(group, figure) for group, figures in blocks.items() for figure in figures]
    heads = ("model", "size") if any(row.size is not None for row in rows) else ("model",)
    notes = {row.note for row in rows}
    shared = notes.pop() if len(notes) == 1 else ""
    own = _own_lines(report, columns, len(heads))
    models = _model_lines(rows, columns, sized=len(heads) > 1, notes=not shared)
    return Table(
        title=name,
        columns=(*heads, *(words(figure) for _, figure in columns)),
        rows=(*(line for _, line in own), *(line for lines in models.values() for line in lines)),
        note=shared,
        heads=len(heads),
        spans=_head_spans(blocks),
        parts=(Part("", len(own)), *(Part(kind, len(lines)) for kind, lines in models.items())),
        kinds={place: kind for place, (kind, _) in enumerate(own)},
    )


def _model_lines(
    rows: Sequence[PublishedRow], columns: Sequence[Column], *, sized: bool, notes: bool
) -> dict[str, list[Line]]:
    """The published models by kind, each with all its parts in one line."""
    models: dict[tuple[str, str, str, str], dict[Column, float | None]] = {}
    for row in rows:
        size = f"{row.size:g} B" if row.size is not None else "–"
        values = models.setdefault((row.kind, row.model, size, row.note if notes else ""), {})
        values.update({(row.group, figure): value for figure, value in row.figures.items()})
    lines: dict[str, list[Line]] = {}
    for (kind, model, size, note), values in models.items():
        head = (Cell(model, note), size) if sized else (Cell(model, note),)
        cells = (figure_text(column[1], values.get(column)) for column in columns)
        lines.setdefault(kind, []).append((*head, *cells))
    return lines


def _head_spans(blocks: Mapping[str, Mapping[str, None]]) -> tuple[tuple[str, int], ...]:
    if set(blocks) == {""}:
        return ()
    return tuple((words(group) if group else "all", len(figures)) for group, figures in blocks.items())


def _own_lines(report: Report, columns: Sequence[Column], heads: int) -> list[tuple[str, Line]]:
    """The run under both profiles and the trivial baselines, each with the kind of its row."""
    rest = ("",) * (heads - 1)
    profiles: tuple[Profile, ...] = ("official", "paper")
    lines: list[tuple[str, Line]] = []
    for profile in profiles:
        known = known_values(report, profile)
        values = (figure_text(column[1], known(*column)) for column in columns)
        lines.append(("run", (f"{report.model} · {profile} profile", *rest, *values)))
    for baseline in report.baselines["official"]:
        reached = (figure_text(column[1], baseline_value(baseline, *column)) for column in columns)
        lines.append(("baseline", (baseline.name, *rest, *reached)))
    return lines


def value_in_summary(summary: Summary, group: str, figure: str) -> float | None:
    """The figure in total, or for the key of whichever breakdown has that key."""
    if not group:
        return figure_value(summary.figures, figure)
    for members in summary.groups.values():
        if group in members and figure in members[group]:
            return members[group][figure].value
    return None


def baseline_value(baseline: Baseline, group: str, figure: str) -> float | None:
    """The same for a trivial baseline."""
    if not group:
        return baseline.figures.get(figure)
    found = (members[group].get(figure) for members in baseline.groups.values() if group in members)
    return next((value for value in found if value is not None), None)
