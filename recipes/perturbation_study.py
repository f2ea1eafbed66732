"""How scores and orders of models change when tools misbehave: the same samples without and with every perturbation.

    python recipes/perturbation_study.py tooleyes MODEL MODEL... [--style native] [--limit 200] [--levels 1,3] [--out FILE]

Writes two tables: the headline of each model without and under each perturbation, with the paired difference and its 95 %
interval; and for each pair of models its paired difference without and under each perturbation. An order is `reversed`
where both differences are clearly on opposite sides of 0, `kept` where both are clearly on the same side. Runs resume:
the same command again asks only for what is missing.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path

from toolyard import evaluate
from toolyard.core.perturbations import LEVELS, NAMES
from toolyard.core.table import Table
from toolyard.report.compare.compared_runs import ComparedRun
from toolyard.report.compare.studies import StudyCell, study_cells
from toolyard.report.tables.formats import with_interval
from toolyard.stats.bootstrap import Estimate
from toolyard.stats.paired import paired_test
from toolyard.stats.summary import rows_of
from toolyard.text.markdown import markdown_tables

WITHOUT = "none"
KEPT, REVERSED, UNCLEAR = "kept", "reversed", "not clear"
Cells = Mapping[str, Mapping[str, StudyCell]]


def main() -> None:
    """Plays the runs, then writes both tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("benchmark", choices=("tooleyes", "nestools"))
    parser.add_argument("models", nargs="+")
    parser.add_argument("--style", default="native")
    parser.add_argument("--limit", type=int, default=200)
    parser.add_argument("--levels", default=",".join(map(str, LEVELS[1:])))
    parser.add_argument("--runs", type=Path, default=Path("runs/perturbed"))
    parser.add_argument("--out", type=Path, default=None)
    given = parser.parse_args()
    settings = [WITHOUT, *(f"{name}={level}" for name in NAMES for level in given.levels.split(","))]
    cells = {
        model: play_settings(given.benchmark, model, settings, given.style, given.limit, given.runs)
        for model in given.models
    }
    note = f"{given.benchmark} --style {given.style}, {given.limit} samples; differences are paired"
    text = markdown_tables([level_table(cells, note), order_table(cells, note)])
    if given.out is not None:
        given.out.write_text(f"{text}\n", encoding="utf-8")
    print(text)


def play_settings(
    benchmark: str, model: str, settings: Sequence[str], style: str, limit: int, runs: Path
) -> dict[str, StudyCell]:
    """The runs of one model, by perturbation."""
    folders = [
        (
            name,
            evaluate(
                benchmark, model, style=style, limit=limit, runs=runs, perturb="" if name == WITHOUT else name
            ).folder,
        )
        for name in settings
    ]
    return {cell.label: cell for cell in study_cells(folders)}


def level_table(cells: Cells, note: str) -> Table:
    """The headline of each model under each perturbation."""
    rows = [
        (
            model,
            name,
            with_interval(cell.score),
            None if cell.test is None else with_interval(cell.test.difference),
            None if (asked := cell.mean("requests")) is None else f"{asked:.1f}",
            changed_results(cell.run),
        )
        for model, found in cells.items()
        for name, cell in found.items()
    ]
    columns = ("model", "perturbation", "score [95 %]", "against none [95 %]", "requests", "changed results")
    return Table("Scores under perturbations", columns, tuple(rows), note)


def changed_results(run: ComparedRun) -> int:
    """How many results were changed in the run: a model that calls nothing meets no perturbation."""
    return sum(len(item.notes.get("perturbed", ())) for item in run.transcripts.values())


def order_table(cells: Cells, note: str) -> Table:
    """Each pair of models without and under each perturbation."""
    rows = [row for pair in combinations(cells, 2) for row in order_rows(*pair, cells)]
    columns = ("first - second", "perturbation", "without [95 %]", "with [95 %]", "order")
    reversed_rows = sum(row[-1] == REVERSED for row in rows)
    return Table("Order of models", columns, tuple(rows), f"{note}; reversed: {reversed_rows} of {len(rows)}")


def order_rows(first: str, second: str, cells: Cells) -> Iterator[tuple[str | None, ...]]:
    """One row for each perturbation of one pair."""
    without = difference(cells[first][WITHOUT], cells[second][WITHOUT])
    for name, cell in cells[first].items():
        if name == WITHOUT:
            continue
        found = difference(cell, cells[second][name])
        yield (
            f"{first} - {second}", name, with_interval(without), with_interval(found), order_verdict(without, found),
        )  # fmt: skip


def difference(one: StudyCell, other: StudyCell) -> Estimate:
    """The paired difference of two models in one setting."""
    metric = one.run.benchmark.scoring.metric(one.run.setup.headline)
    return paired_test(metric, rows_of(one.run.graded), rows_of(other.run.graded)).difference


def order_verdict(without: Estimate, found: Estimate) -> str:
    """What becomes of the order of two models; it is only clear where neither interval holds 0."""
    signs = (sign_of(without), sign_of(found))
    if 0 in signs:
        return UNCLEAR
    return KEPT if signs[0] == signs[1] else REVERSED


def sign_of(estimate: Estimate) -> int:
    """The side of 0 that the whole interval is on; 0 where it is on none."""
    if estimate.low is None or estimate.high is None:
        return 0
    return (estimate.low > 0) - (estimate.high < 0)


if __name__ == "__main__":
    main()
