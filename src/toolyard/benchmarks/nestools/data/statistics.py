"""The paper's description of its data (Table 1, sections 5.2 and 5.3), counted for any data set."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from toolyard.benchmarks.nestools.data.rows import nested_calls, tool_key
from toolyard.benchmarks.nestools.data.sample import NestoolsSample
from toolyard.core.benchmark import Table
from toolyard.core.nesting import STRUCTURES, depth, edges, labels_in
from toolyard.core.types import JsonValue
from toolyard.stats.means import mean_or_none


def statistics(path: Path, samples: tuple[NestoolsSample, ...]) -> tuple[Table, ...]:  # noqa: ARG001
    """Table 1, then records by number of calls, by nesting depth and by structure, then values by type."""
    return (
        _table_1(samples),
        _count_table(
            "records by number of calls", "calls", (len(sample.gold["calls"]) for sample in samples)
        ),
        _count_table("records by nesting depth", "depth", (_nesting_depth(sample) for sample in samples)),
        _structure_table(samples),
        _value_table(samples),
    )


def _table_1(samples: tuple[NestoolsSample, ...]) -> Table:
    tools = {tool_key(tool): tool for sample in samples for tool in sample.input["tools"]}.values()
    calls = [len(sample.gold["calls"]) for sample in samples]
    nested = [sample for sample in samples if any(labels_in(value) for value in _gold_arguments(sample))]
    rows: tuple[tuple[str, JsonValue], ...] = (
        ("tools", len(tools)),
        ("distinct tool names", len({tool["api_name"] for tool in tools})),
        ("required parameters per tool", mean_or_none(len(tool["required"]) for tool in tools)),
        ("parameters per tool", mean_or_none(len(tool["parameters"]) for tool in tools)),
        ("instances", len(samples)),
        ("instances with several calls", sum(count > 1 for count in calls)),
        ("instances with nested calls", len(nested)),
        ("share of instances with nested calls", len(nested) / len(samples) if samples else None),
        ("calls", sum(calls)),
        ("calls per instance", mean_or_none(calls)),
        ("domains", len({sample.groups["domain"] for sample in samples})),
    )
    return Table("Table 1", ("figure", "value"), rows)


def _structure_table(samples: tuple[NestoolsSample, ...]) -> Table:
    counts = Counter(sample.groups["structure"] for sample in samples)
    shapes = len(
        {(len(sample.gold["calls"]), edges(nested_calls(sample.gold["calls"]))) for sample in samples}
    )
    rows = [(name, counts[name]) for name in STRUCTURES]
    rows.append(("other", len(samples) - sum(count for _, count in rows)))
    return Table(
        "records by structure", ("structure", "records"), tuple(rows), f"{shapes} different structures occur"
    )


def _value_table(samples: tuple[NestoolsSample, ...]) -> Table:
    values = [value for sample in samples for value in _gold_arguments(sample)]
    nested = [value for value in values if labels_in(value)]
    kinds = Counter(type(value).__name__ for value in values)
    rows: list[tuple[str, int]] = [("all", len(values)), ("nested", len(nested))]
    rows += [("nested inside a list or a text", sum(labels_in(value) != (value,) for value in nested))]
    return Table("gold parameters", ("kind", "parameters"), (*rows, *kinds.most_common()))


def _count_table(title: str, column: str, values: Iterable[int]) -> Table:
    return Table(title, (column, "records"), tuple(sorted(Counter(values).items())))


def _nesting_depth(sample: NestoolsSample) -> int:
    calls = nested_calls(sample.gold["calls"])
    return depth(len(calls), edges(calls))


def _gold_arguments(sample: NestoolsSample) -> list[JsonValue]:
    return [value for call in sample.gold["calls"] for value in call["parameters"].values()]
