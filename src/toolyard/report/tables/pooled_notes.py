"""What a figure pools that the paper prints apart, as notes below tables."""

from collections.abc import Iterable

from toolyard.core.benchmark import Benchmark
from toolyard.report.tables.formats import words


def pooled_figures(benchmark: Benchmark, figures: Iterable[str]) -> list[str]:
    """The figures over all samples that the paper prints for parts of the data only."""
    whole = {name for row in benchmark.published if not row.group for name in row.figures}
    parts = {name for row in benchmark.published if row.group for name in row.figures}
    return [name for name in figures if name in parts - whole]


def pooled_keys(benchmark: Benchmark, keys: Iterable[str]) -> list[str]:
    """The keys of a breakdown whose parts the paper prints apart: `S-S` where it has `S-S normal` and `S-S hard`."""
    return [
        key
        for key in keys
        if _figures_published_for(benchmark, f"{key} ") - _figures_published_for(benchmark, key, whole=True)
    ]


def _figures_published_for(benchmark: Benchmark, key: str, *, whole: bool = False) -> set[str]:
    rows = (row for row in benchmark.published if (row.group == key if whole else row.group.startswith(key)))
    return {name for row in rows for name in row.figures}


def pooled_note(benchmark: Benchmark, figures: Iterable[str]) -> str:
    """One line about pooled figures; empty where there are none."""
    found = pooled_figures(benchmark, figures)
    if not found:
        return ""
    return f"pooled over parts that the paper prints apart, so no published row compares: {', '.join(map(words, found))}"


def pooled_keys_note(benchmark: Benchmark, keys: Iterable[str]) -> str:
    """One line about pooled keys; empty where there are none."""
    found = pooled_keys(benchmark, keys)
    return f"{', '.join(found)}: all together, while the paper prints their parts apart" if found else ""
