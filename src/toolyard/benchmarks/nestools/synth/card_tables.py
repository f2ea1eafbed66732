"""The paper's description of its data (Table 1), counted for rows that were made, beside the paper's own figures."""

from collections.abc import Mapping
from pathlib import Path

from toolyard.benchmarks.nestools.data.distractors import PER_GOLD_TOOL
from toolyard.benchmarks.nestools.data.rows import row_groups
from toolyard.benchmarks.nestools.data.sample import NestoolsSample
from toolyard.benchmarks.nestools.data.statistics import statistics
from toolyard.benchmarks.nestools.synth.data_files import pool_of_rows, short_of_distractors
from toolyard.core.benchmark import Table
from toolyard.core.types import JsonValue, Sample
from toolyard.synth.stages import Context, Row, Rows

# Table 1 and section 3.1; the shares by calls, depth and structure are counted on the released records.
PAPER: Mapping[str, JsonValue] = {
    "tools": 3034,
    "required parameters per tool": 2.24,
    "instances": 1000,
    "instances with several calls": 1000,
    "instances with nested calls": 830,
    "share of instances with nested calls": 0.83,
    "calls per instance": 3.04,
    "domains": 146,
}
RELEASE: Mapping[str, Mapping[JsonValue, int]] = {
    "records by number of calls": {2: 84, 3: 830, 4: 53, 5: 32, 6: 1},
    "records by nesting depth": {1: 170, 2: 458, 3: 354, 4: 17, 5: 1},
    "records by structure": {"1->2,2->3": 220, "1->2,1->3": 153, "1->2,2->3,1->3": 91, "1->3,2->3": 61, "other": 475},
    "gold parameters": {
        "all": 7286, "nested": 1746, "nested inside a list or a text": 7,
        "str": 5285, "int": 992, "float": 584, "list": 337, "bool": 53, "dict": 35,
    },
}  # fmt: skip


def tables(rows: Rows, context: Context) -> tuple[Table, ...]:  # noqa: ARG001
    """Table 1, then counts by calls, depth, structure and type, each beside the paper's; then the pool."""
    samples = tuple(_sample_of_row(number, row) for number, row in enumerate(rows, 1))
    first, *others = statistics(Path(), samples)
    return (_add_paper_column(first), *(_add_release_column(table) for table in others), _pool_table(rows))


def _sample_of_row(number: int, row: Row) -> NestoolsSample:
    return Sample(
        id=str(number),
        input={"query": row["task"], "tools": row["api"]},
        gold={"calls": row["call"]},
        groups=row_groups(row["call"], row["field"]),
    )


def _add_paper_column(table: Table) -> Table:
    rows = tuple((name, _round_number(value), PAPER.get(name)) for name, value in table.rows)
    return Table(table.title, ("figure", "this set", "paper"), rows, table.note)


def _round_number(value: JsonValue) -> JsonValue:
    return round(value, 3) if isinstance(value, float) else value


def _add_release_column(table: Table) -> Table:
    released = RELEASE[table.title]
    found = {row[0]: row[1] for row in table.rows}
    names = [*found, *(name for name in released if name not in found)]
    if all(isinstance(name, int) for name in names):
        names.sort()
    rows = tuple((name, found.get(name, 0), released.get(name, 0)) for name in names)
    return Table(table.title, (table.columns[0], "this set", "release"), rows, table.note)


def _pool_table(rows: Rows) -> Table:
    """How many tools distractors can be drawn from, and whether they are enough."""
    short = short_of_distractors(rows)
    listed = (("tools in the pool", len(pool_of_rows(rows))), ("records short of distractors", len(short)))
    note = f"Every record finds {PER_GOLD_TOOL} distractors per gold tool in the pool."
    if short:
        note = (
            f"The pool is too small: test_id {short[0]} and {len(short) - 1} others do not find {PER_GOLD_TOOL} "
            "distractors per gold tool, so that no run can start; make more rows, or add tools to pool.jsonl."
        )
    return Table("Pool of distractors", ("figure", "value"), listed, note)
