"""Exhibits as tables: runs on top, published rows by kind of model below; curves and stacks as the numbers they show."""

from collections.abc import Iterable, Sequence

from toolyard.core.exhibits import Exhibit, Mark
from toolyard.core.table import Cell, Part, Table, TableValue
from toolyard.report.tables.formats import figure_text, words

Column = tuple[str, str, str]
# Beyond this a figure's panels stand below each other: side by side nobody can read them.
MOST_COLUMNS = 15


def exhibit_table(exhibit: Exhibit) -> Table:
    """One line per model, one column per place; points of a scatter one below the other."""
    if exhibit.kind == "scatter":
        return _table_of_points(exhibit)
    if exhibit.kind == "heat":
        return _table_as_matrix(exhibit)
    columns = list(dict.fromkeys((mark.panel, mark.x, mark.part) for mark in exhibit.marks))
    if exhibit.kind == "stack":
        columns = list(dict.fromkeys((mark.panel, "", mark.part) for mark in exhibit.marks))
    if (
        exhibit.kind != "table"
        and len(columns) > MOST_COLUMNS
        and len({panel for panel, _, _ in columns}) > 1
    ):
        return _long_table(exhibit)
    lines = _lines_by_model(exhibit, columns)
    parts = [Part(title, len(rows)) for title, rows in lines.items()]
    spans = _head_spans(columns)
    return Table(
        title=f"{exhibit.paper}: {exhibit.title}",
        columns=("model", *(_column_head(column, spanned=bool(spans)) for column in columns)),
        rows=tuple(row for rows in lines.values() for row in rows),
        note=exhibit_note(exhibit),
        spans=spans,
        parts=tuple(parts),
        kinds=dict.fromkeys(range(len(next(iter(lines.values()), []))), "run"),
    )


def _long_table(exhibit: Exhibit) -> Table:
    """One line per panel and model, and per place in the panel where these are too many for columns."""
    inner = list(dict.fromkeys((mark.x, mark.part) for mark in exhibit.marks))
    by_place = len(inner) > MOST_COLUMNS and len({part for _, part in inner}) > 1
    columns = list(dict.fromkeys(("", part) if by_place else (x, part) for x, part in inner))
    lines: dict[tuple[str, ...], dict[tuple[str, str], Mark]] = {}
    for mark in exhibit.marks:
        place = words(mark.x) if by_place and mark.x != mark.panel else ""
        line = lines.setdefault((words(mark.panel), place, mark.model), {})
        line["" if by_place else mark.x, mark.part] = mark
    placed = any(place for _, place, _ in lines)
    rows = tuple(
        (
            panel, *([place] if placed else []), model, max((mark.count or 0 for mark in found.values()), default=0) or None,
            *(_mark_cell(exhibit, ("", x, part), found.get((x, part))) for x, part in columns),
        )
        for (panel, place, model), found in lines.items()
    )  # fmt: skip
    heads = ("part", *(["metric"] if placed else []), "model", "n")
    title = f"{exhibit.paper}: {exhibit.title}"
    names = (_column_head(("", x, part), spanned=True) for x, part in columns)
    return Table(title, (*heads, *names), rows, exhibit.note, heads=len(heads))


# So many parts can be named one by one in a line below a picture.
MOST_PARTS = 16


def answer_counts(exhibit: Exhibit) -> str:
    """On how many answers the runs' marks stand: one number, or from the fewest to the most, by part where they differ."""
    marks = [mark for mark in exhibit.marks if mark.source == "run" and mark.count and mark.value is not None]
    if not marks or exhibit.kind in ("scatter", "heat") or exhibit.unit == "count":
        return ""
    if exhibit.kind == "stack":
        totals: dict[tuple[str, str], int] = {}
        for mark in marks:
            totals[mark.model, mark.panel] = totals.get((mark.model, mark.panel), 0) + (mark.count or 0)
        return f"n {_span_of_counts(totals.values())} errors a bar"
    runs: dict[str, set[int]] = {}
    parts: dict[str, set[int]] = {}
    several = len({mark.panel for mark in marks}) > 1
    for mark in marks:
        runs.setdefault(mark.model, set()).add(mark.count or 0)
        parts.setdefault((mark.panel or "all") if several else mark.x, set()).add(mark.count or 0)
    if all(len(counts) == 1 for counts in runs.values()) or len(parts) > MOST_PARTS:
        return f"n {_span_of_counts(count for counts in runs.values() for count in counts)}"
    return "n: " + ", ".join(f"{_span_of_counts(counts)} ({words(part)})" for part, counts in parts.items())


def _span_of_counts(counts: Iterable[int]) -> str:
    found = sorted(set(counts))
    return f"{found[0]:,}" if len(found) == 1 else f"{found[0]:,} to {found[-1]:,}"


def exhibit_note(exhibit: Exhibit) -> str:
    """What must be known about an exhibit: its own note, and on how many answers it stands."""
    return "; ".join(text for text in (exhibit.note, answer_counts(exhibit)) if text)


def _lines_by_model(exhibit: Exhibit, columns: Sequence[Column]) -> dict[str, list[tuple[TableValue, ...]]]:
    """The models' rows: runs first, then what was published, by kind."""
    cells: dict[tuple[str, str], dict[Column, Mark]] = {}
    order = {"run": 0, "fit": 1, "published": 2}
    for mark in sorted(exhibit.marks, key=lambda mark: order[mark.source]):
        title = "published" if mark.source == "published" else ""
        if mark.source == "published" and mark.kind:
            title = f"published, {mark.kind}"
        place = (mark.panel, "" if exhibit.kind == "stack" else mark.x, mark.part)
        cells.setdefault((title, mark.model), {})[place] = mark
    lines: dict[str, list[tuple[TableValue, ...]]] = {}
    for (title, model), found in cells.items():
        row = (model, *(_mark_cell(exhibit, column, found.get(column)) for column in columns))
        lines.setdefault(title, []).append(row)
    return lines


def _mark_cell(exhibit: Exhibit, column: Column, mark: Mark | None) -> TableValue:
    if mark is None or mark.value is None:
        return "–"
    text = value_text(exhibit, mark.value, column[1])
    if mark.low is None or mark.high is None:
        return text
    return Cell(text, f"{value_text(exhibit, mark.low)} – {value_text(exhibit, mark.high)}")


def value_text(exhibit: Exhibit, value: float | None, figure: str = "") -> str:
    """A value in the exhibit's unit."""
    if value is None:
        return "–"
    if exhibit.unit == "count":
        return f"{value:.0f}"
    return figure_text(figure, value) if exhibit.unit == "percent" else f"{value:.2f}"


def _column_head(column: Column, *, spanned: bool) -> str:
    panel, x, part = column
    names = ([] if spanned or not panel else [panel]) + [name for name in (x, part) if name]
    return words(", ".join(names)) or "value"


def _head_spans(columns: Sequence[Column]) -> tuple[tuple[str, int], ...]:
    panels = [panel for panel, _, _ in columns]
    if len(set(panels)) < 2:
        return ()
    spans: list[tuple[str, int]] = []
    for panel in panels:
        if spans and spans[-1][0] == (words(panel) or "all"):
            spans[-1] = (spans[-1][0], spans[-1][1] + 1)
        else:
            spans.append((words(panel) or "all", 1))
    return tuple(spans)


def _table_of_points(exhibit: Exhibit) -> Table:
    rows = tuple(
        (
            mark.model, mark.panel, mark.source, "–" if mark.at is None else f"{mark.at:g}"[:8],
            value_text(exhibit, mark.value), mark.count,
        )
        for mark in exhibit.marks
    )  # fmt: skip
    columns = ("model", "panel", "source", exhibit.x_title or "x", exhibit.y_title or "y", "n")
    return Table(f"{exhibit.paper}: {exhibit.title}", columns, rows, exhibit.note)


def _table_as_matrix(exhibit: Exhibit) -> Table:
    names = list(dict.fromkeys(mark.x for mark in exhibit.marks))
    cells = {(mark.part, mark.x): mark.value for mark in exhibit.marks}
    rows = tuple(
        (words(first), *("–" if (r := cells.get((first, name))) is None else f"{r:.2f}" for name in names))
        for first in dict.fromkeys(mark.part for mark in exhibit.marks)
    )
    return Table(f"{exhibit.paper}: {exhibit.title}", ("", *map(words, names)), rows, exhibit.note)
