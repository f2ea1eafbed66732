"""Breakdowns by groups of samples: narrow for terminal and Markdown, with totals and baselines for page and paper."""

from collections.abc import Iterable, Mapping, Sequence

from toolyard.core.benchmark import Benchmark
from toolyard.core.table import Cell, Part, Table
from toolyard.report.content import Report
from toolyard.report.tables.formats import interval_text, percent, words
from toolyard.report.tables.pooled_notes import pooled_keys_note
from toolyard.stats.bootstrap import Estimate
from toolyard.stats.summary import Summary

FEW_COLUMNS = 7
# Groups of fewer samples are folded on pages and left out of charts.
FEW_IN_GROUP = 5


def group_tables(benchmark: Benchmark, summary: Summary) -> list[Table]:
    """One table per breakdown."""
    return [group_table(benchmark, summary, name) for name, members in summary.groups.items() if members]


def group_table(benchmark: Benchmark, summary: Summary, name: str) -> Table:
    """The figures of each key of a breakdown, keys side by side because they are the fewer."""
    members = summary.groups[name]
    figures = list(dict.fromkeys(figure for values in members.values() for figure in values))
    sizes = summary.group_sizes.get(name, {})
    rows = tuple(
        (words(figure), *(percent(figure_value(values, figure)) for values in members.values()))
        for figure in figures
    )
    heads = (f"{key} (n={sizes.get(key, 0)})" for key in members)
    return Table(f"by {name}", ("metric", *heads), rows, _note_on_keys(benchmark, summary, name))


def _note_on_keys(benchmark: Benchmark, summary: Summary, name: str) -> str:
    """What the keys pool, and how many samples have none of them."""
    members = summary.groups[name]
    others = sum(size for key, size in summary.group_sizes.get(name, {}).items() if key not in members)
    rest = f"{others:,} of {summary.samples:,} answers have another {words(name)} or none: they count in all samples alone"
    return "; ".join(text for text in (pooled_keys_note(benchmark, members), rest if others else "") if text)


def figure_value(figures: Mapping[str, Estimate], name: str) -> float | None:
    """The figure of that name; None where it is undefined or not there."""
    return figures[name].value if name in figures else None


def group_tables_with_baselines(report: Report) -> list[tuple[Table | None, Table | None]]:
    """Per breakdown the groups of some size, and those of fewer samples; None where there are none of them."""
    summary = report.summaries["paper"]
    found = []
    for name, members in summary.groups.items():
        large = largest_groups(summary, name)
        small = [key for key in members if key not in large]
        tables = [group_table_with_baselines(report, name, keys) if keys else None for keys in (large, small)]
        found += [(tables[0], tables[1])] if members else []
    return found


def largest_groups(summary: Summary, name: str) -> list[str]:
    """The keys of a breakdown with enough samples for a score of their own."""
    sizes = summary.group_sizes.get(name, {})
    return [key for key in summary.groups[name] if sizes.get(key, 0) >= FEW_IN_GROUP]


def group_table_with_baselines(report: Report, name: str, chosen: Sequence[str]) -> Table:
    """The figures of the chosen keys of a breakdown, of all samples, and of the best trivial baseline on each."""
    summary = report.summaries["paper"]
    members = {key: summary.groups[name][key] for key in chosen}
    figures = list(dict.fromkeys(figure for values in members.values() for figure in values))
    known = [f for f in figures if any(figure_value(values, f) is not None for values in members.values())]
    # The headline first: it must not go out of sight in a narrow window.
    known.sort(key=lambda figure: figure != report.setup.headline)
    sizes = summary.group_sizes.get(name, {})
    roomy = len(known) <= FEW_COLUMNS
    keys = [
        (key, f"{sizes.get(key, 0):,}", *_figure_cells(values, known, roomy))
        for key, values in members.items()
    ]
    total = ("all samples", f"{summary.samples:,}", *_figure_cells(summary.figures, known, roomy))
    chance = _chance_rows(report, name, members, known)
    first = len(keys) + 1
    return Table(
        title=f"By {words(name)}",
        columns=(words(name), "n", *map(words, known)),
        rows=(*keys, total, *chance),
        note=_note_on_keys(report.benchmark, summary, name),
        heads=2,
        parts=(Part("", first), Part("best trivial baseline", len(chance))),
        kinds={len(keys): "total", **dict.fromkeys(range(first, first + len(chance)), "baseline")},
    )


def _figure_cells(figures: Mapping[str, Estimate], names: Sequence[str], intervals: bool) -> tuple[Cell, ...]:
    found = (figures.get(name, Estimate(None, None, None)) for name in names)
    return tuple(Cell(percent(item.value), interval_text(item) if intervals else "") for item in found)


def _chance_rows(
    report: Report, name: str, keys: Iterable[str], figures: Sequence[str]
) -> tuple[tuple[str, ...], ...]:
    """What the best trivial baseline reaches on each key and on all samples."""
    baselines = report.baselines["paper"]
    known = [key for key in keys if any(key in item.groups.get(name, {}) for item in baselines)]
    reached: list[tuple[str, list[Mapping[str, float | None]]]] = [
        (key, [item.groups.get(name, {}).get(key, {}) for item in baselines]) for key in known
    ]
    reached.append(("all samples", [item.figures for item in baselines]))
    return tuple(
        (key, "", *(percent(_best_value(some, figure)) for figure in figures)) for key, some in reached
    )


def _best_value(some: Sequence[Mapping[str, float | None]], figure: str) -> float | None:
    return max((value for item in some if (value := item.get(figure)) is not None), default=None)
