"""A small pipeline for the tests: it lies in a module so that other processes can import its functions."""

import time
from collections.abc import Iterator
from pathlib import Path

from json_files import write_lines
from toolyard.core.benchmark import Table
from toolyard.core.types import Message
from toolyard.synth.stages import (
    Ask,
    Context,
    Each,
    Kept,
    Outcome,
    Pipeline,
    Provenance,
    Rejected,
    Row,
    Rows,
    RowSource,
    Whole,
)


def numbers(context: Context) -> Iterator[Row | Rejected]:
    for number in range(context.rows):
        yield Rejected("thirteen", row="13") if number == 13 else {"id": str(number), "n": number}


def halve(row: Row, context: Context) -> Outcome:
    n = row["n"] + context.seed
    return Kept({"half": n // 2}, ("rounded",) if n % 2 else ()) if n % 7 else Rejected("seven", str(n))


def twice(row: Row, context: Context) -> Outcome:
    return [Kept({"id": f"{row['id']}.{part}", "part": part}) for part in range(2)]


def prompt(row: Row, context: Context) -> tuple[Message, ...]:
    return (Message("user", f"square {row['half']}"),)


def accept(row: Row, text: str, context: Context) -> Outcome:
    return Kept({"square": int(text)}) if text.isdigit() else Rejected("not_a_number", text)


def evens(rows: Rows, context: Context) -> Iterator[Row | Rejected]:
    for row in rows:
        yield row if row["square"] % 2 == 0 else Rejected("odd", row=row["id"])


def write(rows: Rows, folder: Path, context: Context) -> None:
    write_lines(folder / "squares.jsonl", rows)


def provenance(context: Context) -> Provenance:
    return Provenance("Counted.", {"numbers": "CC0"})


def no_tables(rows: Rows, context: Context) -> tuple[Table, ...]:
    return ()


SOURCE = RowSource("numbers", 1, ("n",), numbers)
HALVE = Each("halve", 1, ("n",), ("half",), halve)
TWICE = Each("twice", 1, (), ("part",), twice)
SQUARE = Ask("square", 1, ("half",), ("square",), prompt, accept, attempts=2)
EVENS = Whole("evens", 1, ("square",), (), evens)
PIPELINE = Pipeline("test", "none", (SOURCE, HALVE, TWICE, SQUARE, EVENS), write, provenance, no_tables)


async def squaring(messages: list[dict[str, str]]) -> str:
    return str(int(messages[0]["content"].split()[1]) ** 2)


def slowly(row: Row, context: Context) -> Outcome:
    time.sleep(0.01)
    return Kept({"slow": True})


SLOW = Pipeline(
    "slow", "none", (SOURCE, HALVE, Each("slowly", 1, (), ("slow",), slowly)), write, provenance, no_tables
)
