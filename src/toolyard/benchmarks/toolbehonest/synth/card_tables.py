"""The paper's statistics on rows of a pipeline, with the paper's own figures beside them."""

from collections.abc import Mapping
from pathlib import Path
from statistics import fmean

from toolyard.benchmarks.toolbehonest.data.rows import SUBTASKS, items_to_samples
from toolyard.benchmarks.toolbehonest.data.statistics import NOTE, TITLES, statistics
from toolyard.benchmarks.toolbehonest.synth.data_files import DATA_FILE, rows_to_items
from toolyard.core.benchmark import Table
from toolyard.synth.stages import Context, Rows

# Table 1, in the order of SUBTASKS.
PAPER: Mapping[str, tuple[float, ...]] = {
    "length of user query (avg.)": (364.1, 449.5, 476.2, 412.9, 450.2, 471.6, 525.0),
    "# of tools provided (avg.)": (4.3, 6.0, 6.0, 4.2, 6.1, 5.5, 5.9),
    "# of tools used (avg.)": (2.0, 5.8, 6.8, 3.9, 5.3, 5.6, 2.0),
    "# of unsolvable tools (avg.)": (1.0, 1.0, 2.0, 1.0, 1.0, 1.1, 1.0),
    "# of samples (solvable)": (50.0,) * 7,
    "# of samples (unsolvable)": (50.0,) * 7,
}


def tables(rows: Rows, _context: Context) -> tuple[Table, ...]:
    """Table 1 of the rows, each statistic followed by the paper's."""
    items = rows_to_items(rows)
    if not items:
        return ()
    (ours,) = statistics(Path(DATA_FILE), items_to_samples(items, "en"))
    present = [name for name in SUBTASKS if TITLES[name] in ours.columns]
    lines: list[tuple[object, ...]] = []
    for title, *cells in ours.rows:
        lines += [
            (title, *(round(cell, 1) for cell in cells)),
            ("in the paper", *_published_figures(title, present)),
        ]
    return (Table(ours.title, ours.columns, tuple(lines), f"{NOTE}; the paper's overall is its own"),)


def _published_figures(title: str, present: list[str]) -> tuple[float, ...]:
    figures = dict(zip(SUBTASKS, PAPER[title], strict=True))
    overall = sum(figures.values()) if title.startswith("# of samples") else fmean(figures.values())
    return (*(figures[name] for name in present), round(overall, 1))
