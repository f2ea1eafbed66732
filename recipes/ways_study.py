"""The study of docs/ways.md: ways to call, longer lists, perturbations; from stored answers, no model is asked.

    python recipes/ways_study.py [--answers records/answers/ways] [--work build/ways] [--page PAGE.html] [--jobs 2]

Packed runs that differ in the way alone (or in the list, or in the perturbation) stand in one table, each against the
first on the same samples. How a model was served is what its label says behind the comma (`--label "qwen, hermes parser"`);
rows name it. Writes the tables between the marks of docs/ways.md; --page also writes them with charts.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from perturbation_study import WITHOUT, order_table
from results_runs import BUILD, HERE, Scored, score_packs

from toolyard.benchmarks import load_benchmark
from toolyard.charts.chart import Chart
from toolyard.core.table import Table
from toolyard.models.spec import ModelSpec
from toolyard.report.compare.compared_runs import ComparedRun
from toolyard.report.compare.studies import (
    StudyCell,
    conditions_line,
    find_knee,
    study_cells,
    study_chart,
    study_table,
)
from toolyard.report.page.tables_page import render_tables
from toolyard.run.store.run_directory import RunStore
from toolyard.text.markdown import markdown_tables

ANSWERS = HERE.parent / "records" / "answers" / "ways"
PAGE = HERE.parent / "docs" / "ways.md"
PLACE = re.compile(r"(<!-- study:start -->\n).*?(<!-- study:end -->)", re.DOTALL)
WAY, TOOLS, PERTURBATION = "way", "tools", "perturbation"
TITLES = {WAY: "ways to call", TOOLS: "how many tools", PERTURBATION: "when tools misbehave"}
# What a table of a page has no room for: money that nobody paid, and seconds of a shared machine.
LEFT_OUT = ("cost", "seconds")


class Setting(NamedTuple):
    """What a run was asked, apart from its samples."""

    benchmark: str
    model: str
    data: str
    style: str
    served: str
    tools: str
    perturbation: str

    @property
    def way(self) -> str:
        """The style, and how its calls were read where that is known."""
        return f"{self.style}, {self.served}" if self.served else self.style


def main() -> None:
    """Scores the packed runs, then writes the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--answers", type=Path, default=ANSWERS)
    parser.add_argument("--work", type=Path, default=BUILD / "ways")
    parser.add_argument("--official", type=Path, default=HERE.parents[1] / "shared" / "data")
    parser.add_argument("--page", type=Path, default=None)
    parser.add_argument("--jobs", type=int, default=None)
    given = parser.parse_args()
    files = {
        path: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(given.answers.glob("*.xz"))
    }
    scored, left_out = score_packs(files, given.work, given.official, given.jobs)
    for why in left_out:
        print(f"left out: {why}", file=sys.stderr)
    tables, charts = study(scored)
    text = PLACE.sub(lambda mark: f"{mark[1]}{markdown_tables(tables)}\n{mark[2]}", PAGE.read_text("utf-8"))
    PAGE.write_text(text, encoding="utf-8")
    if given.page is not None:
        title = "Which way should an agent call tools?"
        given.page.write_text(render_tables(title, "", tables, charts), encoding="utf-8")


def study(scored: Sequence[Scored]) -> tuple[list[Table], list[Chart]]:
    """Every table and chart of the study, question by question."""
    runs = {setting_of(item): item.folder for item in scored}
    groups = {question: list(comparisons(runs, question)) for question in TITLES}
    tables = [table_of(question, cells) for question, found in groups.items() for cells in found]
    drawn = [study_chart(question, cells) for question, found in groups.items() for cells in found]
    charts = [replace(chart, title=table.title) for chart, table in zip(drawn, tables, strict=True)]
    return tables + orders(groups[PERTURBATION]), charts


def setting_of(item: Scored) -> Setting:
    """What a scored run was asked."""
    manifest = RunStore(item.folder).required_manifest()
    identity = manifest["identity"]
    return Setting(
        identity["benchmark"],
        ModelSpec.parse(identity["model"]).display,
        item.data,
        identity["style"],
        str(manifest.get("label", "")).partition(", ")[2],
        str(identity.get("catalogue", "")),
        str(identity.get("perturb", "")),
    )


def comparisons(runs: Mapping[Setting, Path], question: str) -> Iterator[tuple[StudyCell, ...]]:
    """The cells of each table: runs that differ in what is asked about, and in nothing else."""
    field = {WAY: "way", TOOLS: "tools", PERTURBATION: "perturbation"}[question]
    asked = ("style", "served") if question == WAY else (field,)
    groups: dict[Setting, list[Setting]] = {}
    for setting in runs:
        if question == WAY and (setting.tools or setting.perturbation):
            continue
        groups.setdefault(setting._replace(**dict.fromkeys(asked, "")), []).append(setting)
    for _, group in sorted(groups.items(), key=lambda item: item[0]):
        members = [each for each in group if question != TOOLS or each.tools]
        if len(members) > 1:
            ordered = sorted(members, key=lambda each: place_in_table(each, question))
            cells = study_cells([(getattr(each, field) or WITHOUT, runs[each]) for each in ordered])
            yield tuple(replace(cell, run=without_address(cell.run)) for cell in cells)


def without_address(run: ComparedRun) -> ComparedRun:
    """The run under its model's name, without the address of the server that it was asked at."""
    identity = {**run.manifest["identity"], "model": ModelSpec.parse(run.model).display}
    return replace(run, manifest={**run.manifest, "identity": identity})


def place_in_table(setting: Setting, question: str) -> tuple[int, str]:
    """Ways in their benchmark's order, lists by length, perturbations by name after the run without."""
    if question == WAY:
        return load_benchmark(setting.benchmark).task.styles.index(setting.style), setting.served
    if question == TOOLS:
        return int(setting.tools.partition(":")[0]), setting.tools
    return 0, setting.perturbation


def table_of(question: str, cells: tuple[StudyCell, ...]) -> Table:
    """One table of the page."""
    run = cells[0].run
    same = [] if question == WAY else [style_of(cells), str(run.manifest.get("label", "")).partition(", ")[2]]
    hard = str(run.manifest["data"]) if run.manifest["data"] != "starter" else ""
    parts = [run.benchmark.about.title.partition(":")[0], hard, *same, run.model]
    title = f"{', '.join(filter(None, parts))}: {TITLES[question]}"
    knee = f"; knee: {find_knee(cells) or 'none in this range'}" if question == TOOLS else ""
    return study_table(title, question, cells, conditions_line(cells) + knee).without(*LEFT_OUT)


def style_of(cells: Sequence[StudyCell]) -> str:
    """The way that the first run was asked in."""
    return str(cells[0].run.manifest["identity"]["style"])


def orders(perturbed: Sequence[tuple[StudyCell, ...]]) -> list[Table]:
    """For each benchmark and way that several models met under perturbations: what becomes of their order."""
    found = []
    for place in dict.fromkeys((group[0].run.benchmark.name, style_of(group)) for group in perturbed):
        alike = [group for group in perturbed if (group[0].run.benchmark.name, style_of(group)) == place]
        shared = set.intersection(*({cell.label for cell in group} for group in alike))
        if len(alike) > 1 and len(shared) > 1:
            cells = {
                group[0].run.model: {cell.label: cell for cell in group if cell.label in shared}
                for group in alike
            }
            title = f"{alike[0][0].run.benchmark.about.title.partition(':')[0]}, {place[1]}: order of models"
            found.append(replace(order_table(cells, "paired differences on the same samples"), title=title))
    return found


if __name__ == "__main__":
    main()
