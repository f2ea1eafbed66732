"""The published rows as data: Tables 2-5 and 9-12 in fractions, Table 16 as shares of its errors."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from toolyard.benchmarks.mtu.scoring.errors import CLASSES
from toolyard.benchmarks.mtu.scoring.metrics import FIGURES_OF, TURN_RATES
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
# Turns and dialogues of the normal and the hard sets. Those of M-S fit the printed shares exactly; M-M's turns fit best.
TURNS: Mapping[str, tuple[int, int]] = {"M-S": (294, 179), "M-M": (144, 122)}
DIALOGUES: Mapping[str, tuple[int, int]] = {"M-S": (54, 31), "M-M": (42, 37)}
# Tables with the normal and the hard rows of a setting, and what their rows together are called.
POOLED: Mapping[tuple[str, str], str] = {
    ("Table 2", "Table 11"): "Tables 2 and 11, pooled",
    ("Table 3", "Table 12"): "Tables 3 and 12, pooled",
    ("Table 9", "Table 9"): "Table 9, pooled",
    ("Table 10", "Table 10"): "Table 10, pooled",
}
POOLED_NOTE = (
    "the release does not mark which dialogues are hard, so the paper's normal and hard rows stand together here, "
    "weighted by turns (M-S 294 and 179, M-M 144 and 122) or dialogues (54 and 31, 42 and 37)"
)


def published_rows() -> tuple[PublishedRow, ...]:
    """All rows in the order of the paper, then those of normal and hard dialogues together."""
    text = (Path(__file__).parent / "published.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    rows = [row for line in lines for row in _rows_of_line(line)]
    return (*rows, *_pooled_rows(rows))


def _pooled_rows(rows: Sequence[PublishedRow]) -> Iterator[PublishedRow]:
    """M-S and M-M of each model whose normal and hard rows are both printed."""
    known = {(row.table, row.model, row.group): row for row in rows}
    for (normal, hard), table in POOLED.items():
        for row in rows:
            setting, _, level = row.group.partition(" ")
            other = known.get((hard, row.model, f"{setting} hard"))
            if row.table == normal and level == "normal" and setting in TURNS and other is not None:
                figures = pool_normal_and_hard(setting, row.figures, other.figures)
                yield PublishedRow(table, row.model, figures, setting, row.kind, note=POOLED_NOTE)


def pool_normal_and_hard(
    setting: str, normal: Mapping[str, float | None], hard: Mapping[str, float | None]
) -> dict[str, float | None]:
    """The figures of normal and hard dialogues together, and their mean; None where one of them is not printed."""
    found: dict[str, float | None] = {}
    for name in FIGURES_OF[setting]:
        first, second = (DIALOGUES if name in TURN_RATES else TURNS)[setting]
        values = normal[name], hard[name]
        found[name] = (
            None
            if values[0] is None or values[1] is None
            else (values[0] * first + values[1] * second) / (first + second)
        )
    known = [value for value in found.values() if value is not None]
    return {**found, "average": sum(known) / len(known) if len(known) == len(found) else None}


def _rows_of_line(line: str) -> Iterator[PublishedRow]:
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
    for setting, part in zip(settings, _split_by_setting(shares, settings), strict=True):
        names = (*FIGURES_OF[setting], "average")
        group = f"{setting} {level}" if level else rest
        yield PublishedRow(
            f"Table {number}", model, dict(zip(names, part, strict=True)), group, kind, note=note
        )


def _split_by_setting(
    values: Sequence[float | None], settings: Sequence[str]
) -> Iterator[Sequence[float | None]]:
    start = 0
    for setting in settings:
        width = len(FIGURES_OF[setting]) + 1
        yield values[start : start + width]
        start += width


PUBLISHED = published_rows()
