"""What is installed, as a table."""

from __future__ import annotations

from toolyard.benchmarks import benchmark_names, load_benchmark
from toolyard.core.benchmark import Table
from toolyard.core.types import Json


def benchmark_rows() -> list[dict[str, Json]]:
    """One object per benchmark."""
    return [
        {
            "name": benchmark.name,
            "version": benchmark.version,
            "title": benchmark.about.title,
            "paper": benchmark.about.paper.title,
            "headline": benchmark.scoring.headline,
            "figures": [metric.name for metric in benchmark.scoring.metrics],
            "groups": [grouping.name for grouping in benchmark.scoring.groupings],
            "styles": list(benchmark.task.styles),
            "options": {choice.name: list(choice.choices) for choice in benchmark.task.choices},
            "baselines": ["empty", *benchmark.checks.baselines],
        }
        for benchmark in map(load_benchmark, benchmark_names())
    ]


def catalogue_table() -> Table:
    """Name, version, headline, styles and options of each benchmark."""
    rows = tuple(
        (
            row["name"],
            row["version"],
            row["title"],
            row["headline"],
            ", ".join(row["styles"]),
            " ".join(f"--{name} {'|'.join(values)}" for name, values in row["options"].items()),
        )
        for row in benchmark_rows()
    )
    return Table("benchmarks", ("name", "version", "title", "headline", "styles", "options"), rows)
