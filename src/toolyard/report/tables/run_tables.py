"""The tables of a run, the same for terminal, Markdown and page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from toolyard.core.benchmark import Benchmark, PublishedRow, Table
from toolyard.core.types import Json, Profile
from toolyard.report.charts.chart import abilities
from toolyard.report.compare.verdict import verdict_of
from toolyard.report.content import Report
from toolyard.run.baselines import Baseline
from toolyard.stats.bootstrap import Estimate
from toolyard.stats.summary import Summary


def percent(value: float | None) -> str:
    """A fraction in percent with one decimal; a dash where it is undefined."""
    return "–" if value is None else f"{100 * value:.1f}"


def with_interval(figure: Estimate) -> str:
    """`63.8 [60.1, 67.4]`."""
    if figure.value is None or figure.low is None or figure.high is None:
        return percent(figure.value)
    return f"{percent(figure.value)} [{percent(figure.low)}, {percent(figure.high)}]"


def words(name: str) -> str:
    """A figure's name for people."""
    return name.replace("_", " ")


def summary_tables(benchmark: Benchmark, summary: Summary) -> list[Table]:
    """Figures, groups and error counts under one profile."""
    tables = [figure_table(benchmark, summary), *group_tables(summary)]
    if summary.errors:
        tables.append(error_table(summary))
    return tables


def figure_table(benchmark: Benchmark, summary: Summary) -> Table:
    """Every figure with its interval."""
    rows = tuple((words(name), with_interval(figure)) for name, figure in summary.figures.items())
    return Table(
        f"{benchmark.about.title} {summary.version}, profile {summary.profile}",
        ("figure", "percent [95 % interval]"),
        rows,
        unscored_note(summary),
    )


def unscored_note(summary: Summary) -> str:
    """How many samples the figures stand on, and what was left out."""
    note = f"{summary.samples} scored"
    if not summary.unscored:
        return note
    reasons = ", ".join(f"{reason} {count}" for reason, count in summary.unscored_reasons.items())
    return f"{note}, {summary.unscored} unscored ({reasons})"


def group_tables(summary: Summary) -> list[Table]:
    """One table per breakdown."""
    return [group_table(summary, name) for name, members in summary.groups.items() if members]


def group_table(summary: Summary, name: str) -> Table:
    """The figures of each key of a breakdown, keys side by side because they are the fewer."""
    members = summary.groups[name]
    figures = list(dict.fromkeys(figure for values in members.values() for figure in values))
    sizes = summary.group_sizes.get(name, {})
    rows = tuple(
        (words(figure), *(percent(_value(values, figure)) for values in members.values()))
        for figure in figures
    )
    heads = (f"{key} (n={sizes.get(key, 0)})" for key in members)
    return Table(f"by {name}", ("figure", *heads), rows)


def _value(figures: Mapping[str, Estimate], name: str) -> float | None:
    return figures[name].value if name in figures else None


def error_table(summary: Summary) -> Table:
    """How often each error label was given."""
    rows = tuple(
        (words(kind), words(label), count)
        for kind, labels in summary.errors.items()
        for label, count in labels.items()
    )
    return Table("errors", ("class", "label", "count"), rows)


def report_tables(report: Report, *, published: bool = False, full: bool = True) -> list[Table]:
    """Figures beside baselines; in full also every figure, the groups and the errors."""
    paper = report.summaries["paper"]
    tables = [results_table(report, full=full)]
    if full:
        tables.extend(group_tables(paper))
        if paper.errors:
            tables.append(error_table(paper))
    if published:
        tables.extend(published_tables(report, full=full))
    return tables


def results_table(report: Report, *, full: bool = True) -> Table:
    """Figures under both profiles, beside the trivial baselines and corrected for chance."""
    paper, official = report.summaries["paper"], report.summaries["official"]
    names = [baseline.name.removeprefix("scripted/") for baseline in report.baselines["paper"]]
    shown = {report.setup.headline, *abilities(report.setup, paper.figures)}
    rows = tuple(
        (
            words(name),
            with_interval(figure),
            percent(official.figures[name].value),
            above(report.corrected(name)),
            *(percent(baseline.figures.get(name)) for baseline in report.baselines["paper"]),
        )
        for name, figure in paper.figures.items()
        if full or name in shown
    )
    columns = ("figure", "paper [95 %]", "official", "above chance", *names)
    title = f"{report.benchmark.about.title} {paper.version} · {report.model} · {report.plan.config.data}"
    return Table(title, columns, rows, results_note(report))


def results_note(report: Report) -> str:
    """What the reader must know about the table above."""
    paper = report.summaries["paper"]
    parts = [unscored_note(paper)]
    if paper.withheld:
        parts.append("headline withheld: more than 2 % of the samples are unscored")
    if report.overflows:
        parts.append(f"{report.overflows} prompts did not fit the context and scored as empty answers")
    parts.append(
        "in percent; right-hand columns are trivial baselines; "
        "above chance = share of the way from the best of them to 100"
    )
    return "; ".join(parts)


def above(share: float | None) -> str:
    """The share of the way from chance to perfect; how far below chance says nothing."""
    return "below" if share is not None and share < 0 else percent(share)


def published_tables(report: Report, *, full: bool = True) -> list[Table]:
    """The paper's rows, one table each, with the run at the top."""
    tables: dict[str, list[PublishedRow]] = {}
    for row in report.benchmark.published:
        tables.setdefault(row.table, []).append(row)
    return [published_table(report, name, rows, full=full) for name, rows in tables.items()]


def published_table(report: Report, name: str, rows: Sequence[PublishedRow], *, full: bool = True) -> Table:
    """One published table beside the run's official figures, with the verdict on comparing them."""
    figures = list(dict.fromkeys(figure for row in rows for figure in row.figures))
    main = {report.setup.headline, *abilities(report.setup, report.summaries["paper"].figures)}
    if not full and main & set(figures):
        figures = [figure for figure in figures if figure in main]
    parts = any(row.group for row in rows)
    official = report.summaries["official"]
    own: tuple[Json, ...] = (
        f"{report.model} (this run, official profile)",
        *([""] if parts else []),
        *(percent(_value(official.figures, figure)) for figure in figures),
    )
    body = tuple(
        (
            row.model,
            *([row.group] if parts else []),
            *(percent(row.figures.get(figure)) for figure in figures),
        )
        for row in rows
    )
    columns = ("model", *(["part"] if parts else []), *map(words, figures))
    return Table(f"{name} (published)", columns, (own, *body), verdict_of(report).among(figures).line)


def baseline_rows(baselines: Sequence[Baseline], figures: Sequence[str]) -> list[tuple[str, ...]]:
    """The trivial baselines as rows."""
    return [
        (baseline.name, *(percent(baseline.figures.get(figure)) for figure in figures))
        for baseline in baselines
    ]


def profile_difference(report: Report, figure: str, profile: Profile = "official") -> float | None:
    """How far a profile's figure is from the paper's definition."""
    first, second = report.summaries[profile].figures[figure], report.summaries["paper"].figures[figure]
    if first.value is None or second.value is None:
        return None
    return first.value - second.value
