"""compare: several runs against each other, or one model over all benchmarks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from toolyard.cli.output import print_json, print_tables, table_json, write_output, write_page
from toolyard.cli.signature import takes_options
from toolyard.core.errors import UsageError
from toolyard.core.options import option
from toolyard.core.types import PROFILES, Profile
from toolyard.run.settings import PROFILE
from toolyard.text.printable import printable_line

if TYPE_CHECKING:
    from toolyard.core.exhibits import Exhibit
    from toolyard.report.compare.comparison import Comparison
    from toolyard.report.compare.model_facts import ModelFacts

MODELS = (
    'JSON or TOML with kinds and sizes: {"local": {"kind": "open", "size": 0.135}}; '
    "kinds: open, tool-oriented, closed; sizes in billions; * in names matches anything."
)


@dataclass(frozen=True, slots=True)
class CompareSettings:
    """What a user can ask of `compare`, each option stated once."""

    runs: list[Path] = option(..., help="Run directories, of one or several benchmarks.")
    profile: str = option("paper", "--profile", help=PROFILE, choices=PROFILES)
    capabilities: bool = option(
        False,
        "--capabilities",
        help="One profile per model over all its benchmarks, instead of a comparison.",
    )
    judges: bool = option(
        False, "--judges", help="Instead: how each judge rates each model, and whether it favours its own."
    )
    figures: tuple[str, ...] = option(
        (),
        "--figures",
        help="Metrics to test, separated by commas, or all; default: the headline.",
        commas=True,
    )
    sequential: bool = option(
        False, "--sequential", help="Instead: after how many items it was clear which run is better."
    )
    sensitivity: bool = option(
        False,
        "--sensitivity",
        help="Instead: base runs against their variations, and which conclusions survive.",
    )
    shared: bool = option(
        False, "--shared", help="Score all runs of a benchmark on the samples that they share."
    )
    short: bool = option(
        False, "--short", help="Print one line per benchmark: the best model, its score, the best baseline."
    )
    full: bool = option(
        False, "--full", help="Print all statistics of the paired differences, and how to read the tables."
    )
    margin: float = option(
        0.0, "--margin", help="With --sequential: also stop where both are alike within this, e.g. 0.02."
    )
    order: str = option(
        "seeded",
        "--order",
        help="With --sequential: seeded, or run (as the answers came).",
        choices=("seeded", "run"),
    )
    models: Path | None = option(None, "--models", help=MODELS)
    force: bool = option(
        False, "--force", help="Mix benchmark versions or data hashes in one table all the same."
    )
    papers: bool = option(
        False, "--papers", help="Add the papers' tables and figures over models, as tables and in --json."
    )
    latex: Path | None = option(None, "--latex", help="Also write all tables to this file, for LaTeX.")
    charts: Path | None = option(
        None, "--charts", help="Also draw the papers' charts into this folder, as SVG and PNG."
    )
    html: Path | None = option(None, "--html", help="Also write one self-contained page to this file.")
    json: bool = option(False, "--json", help="Print JSON instead of tables.")

    @property
    def wants_exhibits(self) -> bool:
        """Whether the papers' tables and figures are shown anywhere."""
        return self.papers or not (self.latex is self.html is self.charts is None)


@takes_options(CompareSettings)
def compare(settings: CompareSettings) -> None:
    """Compare runs: leaderboard, paired differences, flipped samples.

    Examples: toolyard compare runs/nestools_a runs/nestools_b --html compare.html;
    toolyard compare --capabilities runs/*_local_*; toolyard compare --judges runs/tooleyes_*
    """
    from toolyard.report.compare.model_facts import read_model_facts
    from toolyard.run.grade.scoring import require_profile

    profile = require_profile(settings.profile)
    if settings.short and settings.figures:
        raise UsageError("--short shows the headline of each benchmark; leave it out to see --figures")
    settings = replace(settings, runs=_finished_runs(settings.runs))
    if settings.judges:
        _show_judges(settings, profile)
        return
    if settings.sensitivity:
        from toolyard.cli.sensitivity_commands import show_sensitivity

        show_sensitivity(settings.runs, profile, html=settings.html, json=settings.json)
        return
    if settings.sequential:
        _show_sequential_tests(settings, profile)
        return
    known = read_model_facts(settings.models) if settings.models else {}
    if settings.capabilities:
        _show_capabilities(settings, profile, known)
        return
    _show_comparison(settings, profile, known)


def _finished_runs(runs: list[Path]) -> list[Path]:
    """The runs that have scores, with a note about each of the others; all runs where fewer than two would be left."""
    from toolyard.report.compare.compared_runs import is_unfinished

    finished = [run for run in runs if not is_unfinished(run)]
    if len(finished) < 2:
        return runs
    for run in runs:
        if run not in finished:
            typer.echo(
                printable_line(f"left out: {run} is not finished; to finish it, repeat its command"), err=True
            )
    return finished


def _show_comparison(settings: CompareSettings, profile: Profile, known: Mapping[str, ModelFacts]) -> None:
    from toolyard.report.compare.comparison import compare_runs
    from toolyard.report.compare.exhibits import paper_exhibits

    found = compare_runs(
        settings.runs,
        profile=profile,
        known=known,
        figures=settings.figures,
        force=settings.force,
        shared=settings.shared,
    )
    shown = {name: paper_exhibits(item) if settings.wants_exhibits else () for name, item in found.items()}
    _print_all(settings, found, shown)
    if settings.latex is not None:
        write_latex(settings.latex, found, shown)
    if settings.charts is not None:
        write_charts(settings.charts, shown)
    if settings.html is not None:
        from toolyard.report.page.comparison_page import render_comparison

        write_page(settings.html, render_comparison(found, shown))


def _print_all(
    settings: CompareSettings, found: Mapping[str, Comparison], shown: Mapping[str, Sequence[Exhibit]]
) -> None:
    from toolyard.report.compare.exhibits import exhibit_json
    from toolyard.report.tables.exhibit_tables import exhibit_table

    if settings.json:
        papers = {name: {"exhibits": [exhibit_json(each) for each in shown[name]]} for name in found}
        print_json(
            {
                name: {**item.to_json(), **(papers[name] if settings.papers else {})}
                for name, item in found.items()
            }
        )
        return
    _say_unpaired(settings.runs, [*found])
    if settings.short:
        from toolyard.report.tables.overview_tables import overview_table

        print_tables([overview_table(found.values())])
        return
    for name, comparison in found.items():
        _print_comparison(comparison, full=settings.full)
        print_tables([exhibit_table(item) for item in shown[name]] if settings.papers else [])


def _say_unpaired(runs: Sequence[Path], benchmarks: Sequence[str]) -> None:
    """One line where every run is of another benchmark: the tables below then stand side by side, no more."""
    if len(benchmarks) == len(runs) > 1:
        typer.echo(
            f"nothing is paired: every run is of another benchmark ({', '.join(benchmarks)}); "
            "give runs of the same one",
            err=True,
        )


def _print_comparison(comparison: Comparison, *, full: bool) -> None:
    """The tables of one benchmark, and under them what they come to in words."""
    from toolyard.report.compare.short_verdict import short_verdict
    from toolyard.report.tables.comparison_tables import comparison_tables

    print_tables(comparison_tables(comparison, full=full))
    for line in short_verdict(comparison).lines:
        typer.echo(printable_line(line))


def _show_judges(settings: CompareSettings, profile: Profile) -> None:
    from toolyard.report.compare.self_preference import self_preference_tables

    tables = self_preference_tables(settings.runs, profile, force=settings.force)
    if settings.json:
        print_json(table_json(tables))
    else:
        print_tables(tables)


def _show_sequential_tests(settings: CompareSettings, profile: Profile) -> None:
    from toolyard.report.compare.sequential import compare_sequentially, sequential_table

    found = compare_sequentially(
        settings.runs,
        profile=profile,
        figures=settings.figures,
        margin=settings.margin,
        order=settings.order,
        force=settings.force,
    )
    if settings.json:
        print_json([item.to_json() for item in found])
    else:
        print_tables([sequential_table(found, settings.margin)])


def _show_capabilities(settings: CompareSettings, profile: Profile, known: Mapping[str, ModelFacts]) -> None:
    from toolyard.report.compare.capability import capability_profiles, profile_table
    from toolyard.report.page.capability_page import render_profiles

    profiles = capability_profiles(settings.runs, profile, known, force=settings.force)
    if settings.json:
        print_json([item.to_json() for item in profiles])
    else:
        print_tables([profile_table(item) for item in profiles])
    if settings.html is not None:
        write_page(settings.html, render_profiles(profiles))


def write_latex(path: Path, found: Mapping[str, Comparison], shown: Mapping[str, Sequence[Exhibit]]) -> None:
    """Leaderboards, differences and the papers' tables and figures as LaTeX tables."""
    from toolyard.report.export.latex import latex_tables
    from toolyard.report.tables.comparison_tables import difference_table, leaderboard
    from toolyard.report.tables.exhibit_tables import exhibit_table

    tables = []
    for name, comparison in found.items():
        tables += [leaderboard(comparison), difference_table(comparison), *map(exhibit_table, shown[name])]
    write_output(path, latex_tables([table for table in tables if table.rows]).encode())
    typer.echo(f"latex: {path}", err=True)


def write_charts(folder: Path, shown: Mapping[str, Sequence[Exhibit]]) -> None:
    """The papers' figures as SVG and PNG."""
    from toolyard.report.charts.exhibit_charts import exhibit_charts

    folder.mkdir(parents=True, exist_ok=True)
    for name, exhibits in shown.items():
        for chart in exhibit_charts(exhibits):
            write_output(folder / f"{name}-{chart.name}.svg", chart.svg().encode())
            write_output(folder / f"{name}-{chart.name}.png", chart.png())
    typer.echo(f"charts: {folder}", err=True)
