"""The page's own tables: figures with bars, breakdowns, and published tables laid out as in the paper."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from toolyard.core.benchmark import PublishedRow, Table
from toolyard.core.types import Profile
from toolyard.report.content import Report
from toolyard.report.export.terminal import cell
from toolyard.report.tables.run_tables import percent, profile_difference, words
from toolyard.run.baselines import Baseline
from toolyard.stats.bootstrap import Estimate
from toolyard.stats.summary import Summary

FEW_COLUMNS = 7


_NUMERIC = re.compile(r"[<>]?[-−–+]?[\d.,:%\s\[\]±$/()–-]*|n/a|yes|no")


def text_columns(table: Table) -> set[int]:
    """The places of columns that hold words and so read better from the left."""
    return {
        place
        for place in range(len(table.columns))
        if any(not _NUMERIC.fullmatch(cell(row[place])) for row in table.rows)
    }


@dataclass(frozen=True, slots=True)
class FigureLine:
    """One figure as the page prints it; numbers in percent."""

    name: str
    value: str
    interval: str
    estimate: Estimate
    official: str
    difference: str
    chance: float | None
    above: str
    baselines: tuple[str, ...]
    headline: bool


@dataclass(frozen=True, slots=True)
class Cell:
    """A printed figure and, where there is room, its interval."""

    text: str
    interval: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a wide table; `kind` is run, baseline, total or empty."""

    head: tuple[str, ...]
    cells: tuple[Cell, ...]
    kind: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class WideTable:
    """A table with columns under spanning heads, and rows in titled parts."""

    title: str
    heads: tuple[str, ...]
    spans: tuple[tuple[str, int], ...]
    columns: tuple[str, ...]
    parts: tuple[tuple[str, tuple[Line, ...]], ...]
    note: str = ""


def baseline_names(report: Report) -> tuple[str, ...]:
    """The trivial baselines without the prefix that all of them share."""
    return tuple(baseline.name.removeprefix("scripted/") for baseline in report.baselines["paper"])


def interval_text(figure: Estimate) -> str:
    """`60.1 – 67.4`, or nothing."""
    if figure.low is None or figure.high is None:
        return ""
    return f"{percent(figure.low)} – {percent(figure.high)}"


def signed(value: float | None) -> str:
    """A difference in points with its sign; a plain zero, a dash where it is undefined."""
    if value is None:
        return "–"
    return "0" if abs(value) < 0.0005 else f"{100 * value:+.1f}".replace("-", "−")


def figure_lines(report: Report) -> tuple[FigureLine, ...]:
    """Every figure under both profiles, beside every trivial baseline."""
    paper, official = report.summaries["paper"], report.summaries["official"]
    return tuple(
        FigureLine(
            name=words(name),
            value=percent(figure.value),
            interval=interval_text(figure),
            estimate=figure,
            official=percent(official.figures[name].value),
            difference=signed(profile_difference(report, name)),
            chance=report.chance(name),
            above=percent(report.corrected(name)).replace("-", "−"),
            baselines=tuple(percent(item.figures.get(name)) for item in report.baselines["paper"]),
            headline=name == report.setup.headline,
        )
        for name, figure in paper.figures.items()
    )


def group_tables(report: Report) -> list[WideTable]:
    """One table per breakdown under the paper profile, closed by all samples and the baselines."""
    summary = report.summaries["paper"]
    return [group_table(report, name) for name, members in summary.groups.items() if members]


def group_table(report: Report, name: str) -> WideTable:
    """The figures of each key of a breakdown."""
    summary = report.summaries["paper"]
    members = summary.groups[name]
    figures = list(dict.fromkeys(figure for values in members.values() for figure in values))
    known = [f for f in figures if any(f in row and row[f].value is not None for row in members.values())]
    sizes = summary.group_sizes.get(name, {})
    roomy = len(known) <= FEW_COLUMNS
    keys = tuple(
        Line((key, f"{sizes.get(key, 0):,}"), cells_of(values, known, roomy))
        for key, values in members.items()
    )
    whole = Line(
        ("all samples", f"{summary.samples:,}"), cells_of(summary.figures, known, roomy), kind="total"
    )
    return WideTable(
        title=f"By {words(name)}",
        heads=(words(name), "n"),
        spans=(),
        columns=tuple(map(words, known)),
        parts=(
            ("", (*keys, whole)),
            ("best trivial baseline", chance_lines(report, name, known)),
        ),
    )


def chance_lines(report: Report, name: str, figures: Sequence[str]) -> tuple[Line, ...]:
    """What the best trivial baseline reaches on each key and on all samples."""
    baselines = report.baselines["paper"]
    keys = report.summaries["paper"].groups[name]
    known = [key for key in keys if any(key in item.groups.get(name, {}) for item in baselines)]
    parts: list[tuple[str, list[Mapping[str, float | None]]]] = [
        (key, [item.groups.get(name, {}).get(key, {}) for item in baselines]) for key in known
    ]
    parts.append(("all samples", [item.figures for item in baselines]))
    return tuple(
        Line((key, ""), tuple(Cell(percent(best(some, figure))) for figure in figures), kind="baseline")
        for key, some in parts
    )


def best(some: Sequence[Mapping[str, float | None]], figure: str) -> float | None:
    """The highest known value of a figure."""
    return max((value for item in some if (value := item.get(figure)) is not None), default=None)


def cells_of(figures: Mapping[str, Estimate], names: Sequence[str], intervals: bool) -> tuple[Cell, ...]:
    """The figures of these names, with intervals where they fit."""
    found = (figures.get(name, Estimate(None, None, None)) for name in names)
    return tuple(Cell(percent(item.value), interval_text(item) if intervals else "") for item in found)


def published_tables(report: Report) -> list[WideTable]:
    """The paper's tables with the run and the baselines on top."""
    tables: dict[str, list[PublishedRow]] = {}
    for row in report.benchmark.published:
        tables.setdefault(row.table, []).append(row)
    return [published_table(report, name, rows) for name, rows in tables.items()]


def published_table(report: Report, name: str, rows: Sequence[PublishedRow]) -> WideTable:
    """One line per model, one block of columns per part of the data, as in the paper."""
    blocks: dict[str, dict[str, None]] = {}
    for row in sorted(rows, key=lambda row: row.group == ""):
        blocks.setdefault(row.group, {}).update(dict.fromkeys(row.figures))
    columns = [(group, figure) for group, figures in blocks.items() for figure in figures]
    sized = any(row.size is not None for row in rows)
    own = _own_lines(report, columns, 2 if sized else 1)
    notes = {row.note for row in rows}
    shared = notes.pop() if len(notes) == 1 else ""
    models: dict[tuple[str, str, str], dict[tuple[str, str], float | None]] = {}
    for row in rows:
        size = f"{row.size:g} B" if row.size is not None else "–"
        cells = models.setdefault((row.kind, row.model, f"{size}|{'' if shared else row.note}"), {})
        cells.update({(row.group, figure): value for figure, value in row.figures.items()})
    parts: dict[str, list[Line]] = {}
    for (kind, model, rest), values in models.items():
        size, _, note = rest.partition("|")
        head = (model, size) if sized else (model,)
        cells_ = tuple(Cell(percent(values.get(column))) for column in columns)
        parts.setdefault(kind, []).append(Line(head, cells_, note=note))
    return WideTable(
        title=name,
        heads=("model", "size") if sized else ("model",),
        spans=_spans(blocks),
        columns=tuple(words(figure) for _, figure in columns),
        parts=(("", own), *((kind, tuple(lines)) for kind, lines in parts.items())),
        note=shared,
    )


def _spans(blocks: Mapping[str, Mapping[str, None]]) -> tuple[tuple[str, int], ...]:
    if set(blocks) == {""}:
        return ()
    return tuple((words(group) if group else "all", len(figures)) for group, figures in blocks.items())


def _own_lines(report: Report, columns: Sequence[tuple[str, str]], heads: int) -> tuple[Line, ...]:
    rest = ("",) * (heads - 1)
    profiles: tuple[tuple[Profile, str], ...] = (("official", "official"), ("paper", "paper"))
    own = tuple(
        Line(
            (f"{report.model} · {label} profile", *rest),
            tuple(Cell(percent(value_in(report.summaries[profile], *column))) for column in columns),
            kind="run",
        )
        for profile, label in profiles
    )
    baselines = tuple(
        Line(
            (item.name, *rest),
            tuple(Cell(percent(baseline_value(item, *column))) for column in columns),
            kind="baseline",
        )
        for item in report.baselines["official"]
    )
    return (*own, *baselines)


def baseline_value(baseline: Baseline, group: str, figure: str) -> float | None:
    """The same for a trivial baseline."""
    if not group:
        return baseline.figures.get(figure)
    found = (members[group].get(figure) for members in baseline.groups.values() if group in members)
    return next((value for value in found if value is not None), None)


def value_in(summary: Summary, group: str, figure: str) -> float | None:
    """The figure in total, or for the key of whichever breakdown has that key."""
    if not group:
        return summary.figures[figure].value if figure in summary.figures else None
    for members in summary.groups.values():
        if group in members and figure in members[group]:
            return members[group][figure].value
    return None
