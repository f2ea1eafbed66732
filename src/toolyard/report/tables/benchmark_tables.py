"""What is installed, as a table."""

from typing import TypedDict

from toolyard.benchmarks import benchmark_names, load_benchmark
from toolyard.core.benchmark import RunSetup
from toolyard.core.metrics import OWN_HEADLINE
from toolyard.core.table import Table
from toolyard.run.plan.run_config import style_names


class BenchmarkRow(TypedDict):
    """What `toolyard list --json` says of one benchmark."""

    name: str
    version: str
    title: str
    paper: str
    headline: str
    own_headline: str
    headline_without_judge: str
    figures: list[str]
    groups: list[str]
    styles: list[str]
    options: dict[str, list[str]]
    defaults: dict[str, str]
    baselines: list[str]


def benchmark_rows() -> list[BenchmarkRow]:
    """One object per benchmark."""
    return [
        {
            "name": benchmark.name,
            "version": benchmark.version,
            "title": benchmark.about.title,
            "paper": benchmark.about.paper.title,
            "headline": benchmark.scoring.headline,
            "own_headline": next(
                iter(benchmark.scoring.metrics_tagged(OWN_HEADLINE)), benchmark.scoring.headline
            ),
            "headline_without_judge": RunSetup.default(benchmark).headline,
            "figures": [metric.name for metric in benchmark.scoring.metrics],
            "groups": [grouping.name for grouping in benchmark.scoring.groupings],
            "styles": style_names(benchmark),
            "options": {choice.flag: list(choice.choices) for choice in benchmark.task.choices},
            "defaults": {choice.flag: choice.default for choice in benchmark.task.choices},
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
            _headline_names(row),
            ", ".join(row["styles"]),
            " ".join(
                _option_with_values(name, values, row["defaults"][name])
                for name, values in row["options"].items()
            ),
        )
        for row in benchmark_rows()
    )
    note = (
        "the first style is the default, official is the paper's own text; VALUE (x): any, x by default; "
        "--json has metrics, groups and scripted models"
    )
    return Table("benchmarks", ("name", "version", "title", "headline", "styles", "options"), rows, note)


def _headline_names(row: BenchmarkRow) -> str:
    """The headline metric, with the one that stands in for it without a judge or on our own data."""
    usual = row["headline"]
    if row["headline_without_judge"] != usual:
        return f"{usual} ({row['headline_without_judge']} without --judge)"
    return usual if row["own_headline"] == usual else f"{usual} ({row['own_headline']} on starter)"


def _option_with_values(name: str, values: list[str], default: str) -> str:
    """An option with its values; one that takes any shows its default."""
    return f"--{name} {'|'.join(values) if values else f'VALUE ({default})'}"
