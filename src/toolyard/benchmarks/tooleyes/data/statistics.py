"""Table 1: categories, subcategories, tools and queries of each scenario; what our own plans cover."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from toolyard.benchmarks.tooleyes.data.documents import tool_documents
from toolyard.benchmarks.tooleyes.data.rows import SCENARIOS
from toolyard.benchmarks.tooleyes.data.sample import ASK, FINISH, QueryGold, ToolEyesSample
from toolyard.core.benchmark import Table
from toolyard.core.types import JsonValue

PRINTED = {
    "categories": (5, 5, 6, 8, 9, 6, 2, 41),
    "subcategories": (6, 5, 14, 30, 19, 7, 14, 95),
    "tools": (27, 26, 75, 164, 150, 164, 96, 568),
    "queries": (58, 49, 56, 70, 54, 45, 50, 382),
}
NOTE = "the paper prints 164 tools for AM; its documents hold 30, and with 30 the row sums to the printed 568"


def statistics(_path: Path, samples: tuple[ToolEyesSample, ...]) -> tuple[Table, ...]:
    """The counts by scenario, then what kinds of query there are and which tools the plans call."""
    tables = [scenario_table(samples)]
    if any(isinstance(sample.gold, QueryGold) for sample in samples):
        tables += [kind_table(samples), coverage_table(samples)]
    return tuple(tables)


def scenario_table(samples: tuple[ToolEyesSample, ...]) -> Table:
    """Table 1, measured and printed."""
    tools = {sample.groups["subcategory"]: len(tool_documents(sample)) for sample in samples}
    where = {sample.groups["subcategory"]: sample.groups["scenario"] for sample in samples}
    queries = Counter(sample.groups["scenario"] for sample in samples)
    counts: dict[str, list[int]] = {name: [] for name in PRINTED}
    for scenario in SCENARIOS:
        groups = [group for group, home in where.items() if home == scenario]
        counts["categories"].append(len({group.split("/")[0] for group in groups}))
        counts["subcategories"].append(len(groups))
        counts["tools"].append(sum(tools[group] for group in groups))
        counts["queries"].append(queries[scenario])
    rows: list[tuple[JsonValue, ...]] = []
    for name, values in counts.items():
        rows.append((name, *values, sum(values)))
        rows.append((f"{name} in the paper", *PRINTED[name]))
    return Table("Table 1: data by scenario", ("", *SCENARIOS, "total"), tuple(rows), NOTE)


def kind_table(samples: tuple[ToolEyesSample, ...]) -> Table:
    """How many queries with a plan need one tool or several, a question to the user, or take a change."""
    own = [(sample, sample.gold) for sample in samples if isinstance(sample.gold, QueryGold)]
    called = [len(_called_tools(gold)) for _, gold in own]
    counts: Mapping[str, int] = {
        "queries": len(own),
        "one tool": sum(count == 1 for count in called),
        "several tools": sum(count > 1 for count in called),
        "something must be asked": sum(any(step.tool == ASK for step in gold.plan) for _, gold in own),
        "the request changes midway": sum("change" in sample.input for sample, _ in own),
        "facts are checked": sum(bool(gold.facts) for _, gold in own),
        "the world is checked": sum(bool(gold.state) for _, gold in own),
    }
    title = f"Queries with a plan to check against: {len(own)} of {len(samples)}"
    return Table(title, ("", "count"), tuple(counts.items()))


def coverage_table(samples: tuple[ToolEyesSample, ...]) -> Table:
    """Per subcategory: queries, tools, and how many of them some plan calls."""
    rows: list[tuple[JsonValue, ...]] = []
    for group in sorted({sample.groups["subcategory"] for sample in samples}):
        members = [sample for sample in samples if sample.groups["subcategory"] == group]
        offered = {str(document["name"]) for document in tool_documents(members[0])}
        called = {
            name for each in members if isinstance(each.gold, QueryGold) for name in _called_tools(each.gold)
        }
        rows.append(
            (
                group,
                len(members),
                len(offered),
                len(called & offered),
                len(called & offered) / max(1, len(offered)),
            )
        )
    columns = ("subcategory", "queries", "tools", "called by plans", "coverage")
    return Table("tool coverage", columns, tuple(rows))


def _called_tools(gold: QueryGold) -> set[str]:
    return {step.tool for step in gold.plan if step.tool not in (ASK, FINISH)}
