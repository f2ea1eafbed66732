"""The published rows as data: Tables 2-5 and 9-12 in fractions, Table 16 as shares of its errors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from toolyard.benchmarks.mtu.errors import CLASSES
from toolyard.benchmarks.mtu.figures import FIGURES_OF
from toolyard.core.benchmark import PublishedRow

_SINGLE, _MULTI = ("S-S", "M-S"), ("S-M", "M-M")
# table -> its settings and, where the table holds one, its difficulty
COLUMNS: Mapping[str, tuple[tuple[str, ...], str]] = {
    "2": (_SINGLE, "normal"),
    "3": (_MULTI, "normal"),
    "9 normal": (_SINGLE, "normal"),
    "9 hard": (_SINGLE, "hard"),
    "10 normal": (_MULTI, "normal"),
    "10 hard": (_MULTI, "hard"),
    "11": (_SINGLE, "hard"),
    "12": (_MULTI, "hard"),
}
NOTES = {
    "9 normal": "the header prints TN and TO over TS and PS",
    "9 hard": "the header prints TN and TO over TS and PS",
    "16 M-S": "not a partition: format errors stand among parameter errors again (GPT-4: 96 = 82 + 14)",
}
ROUNDING = 0.00011


def published_rows() -> tuple[PublishedRow, ...]:
    """All rows in the order of the paper."""
    text = (Path(__file__).parent / "published.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return tuple(row for line in lines for row in _rows(line))


def _rows(line: str) -> Iterator[PublishedRow]:
    table, kind, model, numbers = (part.strip() for part in line.split("|"))
    values = [None if word == "-" else float(word) for word in numbers.split()]
    number, _, rest = table.partition(" ")
    note = NOTES.get(table, "")
    if number == "16":
        counts = [value or 0.0 for value in values]
        shares_of = {name: count / sum(counts) for name, count in zip(CLASSES, counts, strict=True)}
        note = f"shares of {sum(counts):.0f} errors" + (f"; {note}" if note else "")
        yield PublishedRow("Table 16", model, shares_of, rest, kind, note=note, total=int(sum(counts)))
        return
    shares = [None if value is None else round(value / 100, 6) for value in values]
    if number == "4":
        for setting, share in zip(("S-S", "M-S", "S-M", "M-M"), shares, strict=True):
            yield PublishedRow("Table 4", model, {"average": share}, f"{setting} hard", kind)
        return
    settings, level = COLUMNS.get(table, (("OOD",), ""))
    for setting, part in zip(settings, _parts(shares, settings), strict=True):
        names = (*FIGURES_OF[setting], "average")
        group = f"{setting} {level}" if level else rest
        yield PublishedRow(
            f"Table {number}", model, dict(zip(names, part, strict=True)), group, kind, note=note
        )


def _parts(values: Sequence[float | None], settings: Sequence[str]) -> Iterator[Sequence[float | None]]:
    start = 0
    for setting in settings:
        width = len(FIGURES_OF[setting]) + 1
        yield values[start : start + width]
        start += width


PUBLISHED = published_rows()


def average_slips() -> tuple[tuple[PublishedRow, float], ...]:
    """The rows whose printed average is not the mean of their parts, with that mean."""
    slips = []
    for row in PUBLISHED:
        parts = [value for name, value in row.figures.items() if name != "average"]
        average = row.figures.get("average")
        known = [part for part in parts if part is not None]
        if average is None or not parts or len(known) < len(parts):
            continue
        mean = sum(known) / len(known)
        if abs(mean - average) > ROUNDING:
            slips.append((row, mean))
    return tuple(slips)
