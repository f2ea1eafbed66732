"""compare: several runs against each other, or one model over all benchmarks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from toolyard.cli.output import print_json, print_tables, table_json, write_page
from toolyard.core.types import Profile
from toolyard.text.printable import printable_line

if TYPE_CHECKING:
    from toolyard.core.exhibits import Exhibit
    from toolyard.report.compare.comparison import Comparison
    from toolyard.report.compare.model_facts import ModelFacts

# Verdicts in words under the tables; all stand in them.
MOST_VERDICTS = 10
MODELS = typer.Option(
    None,
    "--models",
    help='JSON or TOML with kinds and sizes: {"local": {"kind": "open", "size": 0.135}}; '
    "kinds: open, tool-oriented, closed; sizes in billions; * in names stands for anything.",
)

CAPABILITIES = typer.Option(
    False, "--capabilities", help="One profile per model over all its benchmarks, instead of a comparison."
)
FIGURES = typer.Option(
    "", "--figures", help="Figures to test, separated by commas, or all; default: the headline."
)
FORCE = typer.Option(
    False, "--force", help="Mix benchmark versions or data hashes in one table all the same."
)


def compare(
    runs: list[Path] = typer.Argument(help="Run directories, of one or several benchmarks."),
    profile: str = typer.Option("paper", "--profile", help="paper (as printed) or official (as released)."),
    capabilities: bool = typer.Option(
        False,
        "--capabilities",
        help="One profile per model over all its benchmarks, instead of a comparison.",
    ),
    judges: bool = typer.Option(
        False, "--judges", help="Instead: how each judge rates each model, and whether it favours its own."
    ),
    figures: str = typer.Option(
        "", "--figures", help="Figures to test, separated by commas, or all; default: the headline."
    ),
    sequential: bool = typer.Option(
        False, "--sequential", help="Instead: after how many items it was clear which run is better."
    ),
    sensitivity: bool = typer.Option(
        False,
        "--sensitivity",
        help="Instead: base runs against their variations, and which conclusions survive.",
    ),
    margin: float = typer.Option(
        0.0, "--margin", help="With --sequential: also stop where both are alike within this, e.g. 0.02."
    ),
    order: str = typer.Option(
        "seeded", "--order", help="With --sequential: seeded, or run (as the answers came)."
    ),
    models: Path | None = MODELS,
    force: bool = typer.Option(
        False, "--force", help="Mix benchmark versions or data hashes in one table all the same."
    ),
    papers: bool = typer.Option(
        False, "--papers", help="Add the papers' tables and figures over models, as tables and in --json."
    ),
    latex: Path | None = typer.Option(None, "--latex", help="Also write all tables to this file, for LaTeX."),
    charts: Path | None = typer.Option(
        None, "--charts", help="Also draw the papers' figures into this folder, as SVG and PNG."
    ),
    html: Path | None = typer.Option(None, "--html", help="Also write one self-contained page to this file."),
    json: bool = typer.Option(False, "--json", help="Print JSON instead of tables."),
) -> None:
    """Leaderboard, paired differences with significance, wins and flipped samples of several runs.

    Examples: toolyard compare runs/nestools_a runs/nestools_b --html compare.html;
    toolyard compare --capabilities runs/*_local_*; toolyard compare --judges runs/tooleyes_*
    """
    from toolyard.report.compare.model_facts import read_model_facts
    from toolyard.run.scoring import checked_profile

    chosen = checked_profile(profile)
    if judges:
        _judges(runs, chosen, force=force, json=json)
        return
    if sensitivity:
        from toolyard.cli.varying import show_sensitivity

        show_sensitivity(runs, chosen, html=html, json=json)
        return
    if sequential:
        _sequential(runs, chosen, figures, margin=margin, order=order, force=force, json=json)
        return
    known = read_model_facts(models) if models else {}
    if capabilities:
        _capabilities(runs, chosen, known, force=force, html=html, json=json)
        return
    from toolyard.report.compare.comparison import compare_runs
    from toolyard.report.compare.exhibits import exhibit_json, exhibits_of
    from toolyard.report.tables.exhibit_tables import exhibit_table

    names = [name for name in figures.split(",") if name]
    found = compare_runs(runs, profile=chosen, known=known, figures=names, force=force)
    wanted = papers or latex is not None or html is not None or charts is not None
    shown = {name: exhibits_of(item) if wanted else () for name, item in found.items()}
    if json:
        print_json(
            {
                name: {
                    **item.to_json(),
                    **({"exhibits": list(map(exhibit_json, shown[name]))} if papers else {}),
                }
                for name, item in found.items()
            }
        )
    else:
        _say_unpaired(runs, [*found])
        for name, comparison in found.items():
            _print_comparison(comparison)
            print_tables([exhibit_table(item) for item in shown[name]] if papers else [])
    if latex is not None:
        write_latex(latex, found, shown)
    if charts is not None:
        write_charts(charts, shown)
    if html is not None:
        from toolyard.report.page.comparison_page import render_comparison

        write_page(html, render_comparison(found, shown))


def _say_unpaired(runs: Sequence[Path], benchmarks: Sequence[str]) -> None:
    """One line where every run is of another benchmark: the tables below then stand side by side, no more."""
    if len(benchmarks) == len(runs) > 1:
        typer.echo(
            f"nothing is paired: every run is of another benchmark ({', '.join(benchmarks)}); "
            "give runs of the same one",
            err=True,
        )


def _print_comparison(comparison: Comparison) -> None:
    """The tables of one benchmark, and under them what they come to in words."""
    from toolyard.report.compare.short_verdict import short_verdict
    from toolyard.report.tables.comparison_tables import comparison_tables, verdict_lines

    print_tables(comparison_tables(comparison))
    for line in short_verdict(comparison).lines:
        typer.echo(printable_line(line))
    for line in verdict_lines(comparison)[:MOST_VERDICTS]:
        typer.echo(printable_line(line))


def _judges(runs: list[Path], profile: Profile, *, force: bool, json: bool) -> None:
    from toolyard.report.compare.self_preference import self_preference_tables

    tables = self_preference_tables(runs, profile, force=force)
    if json:
        print_json(table_json(tables))
    else:
        print_tables(tables)


def _sequential(
    runs: list[Path], profile: Profile, figures: str, *, margin: float, order: str, force: bool, json: bool
) -> None:
    from toolyard.report.compare.sequential import compare_sequentially, sequential_table

    names = [name for name in figures.split(",") if name]
    found = compare_sequentially(
        runs, profile=profile, figures=names, margin=margin, order=order, force=force
    )
    if json:
        print_json([item.to_json() for item in found])
    else:
        print_tables([sequential_table(found, margin)])


def _capabilities(
    runs: list[Path],
    profile: Profile,
    known: Mapping[str, ModelFacts],
    *,
    force: bool,
    html: Path | None,
    json: bool,
) -> None:
    from toolyard.report.compare.capability import capability_profiles, profile_table
    from toolyard.report.page.capability_page import render_profiles

    profiles = capability_profiles(runs, profile, known, force=force)
    if json:
        print_json([item.to_json() for item in profiles])
    else:
        print_tables([profile_table(item) for item in profiles])
    if html is not None:
        write_page(html, render_profiles(profiles))


def write_latex(path: Path, found: Mapping[str, Comparison], shown: Mapping[str, Sequence[Exhibit]]) -> None:
    """Leaderboards, differences and the papers' tables and figures as LaTeX tables."""
    from toolyard.report.export.latex import latex
    from toolyard.report.tables.comparison_tables import difference_table, leaderboard
    from toolyard.report.tables.exhibit_tables import exhibit_table

    tables = []
    for name, comparison in found.items():
        tables += [leaderboard(comparison), difference_table(comparison), *map(exhibit_table, shown[name])]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(latex([table for table in tables if table.rows]), encoding="utf-8")
    typer.echo(f"latex: {path}", err=True)


def write_charts(folder: Path, shown: Mapping[str, Sequence[Exhibit]]) -> None:
    """The papers' figures as SVG and PNG."""
    from toolyard.report.charts.exhibit_charts import exhibit_charts

    folder.mkdir(parents=True, exist_ok=True)
    for name, exhibits in shown.items():
        for chart in exhibit_charts(exhibits):
            (folder / f"{name}-{chart.name}.svg").write_text(chart.svg(), encoding="utf-8")
            (folder / f"{name}-{chart.name}.png").write_bytes(chart.png())
    typer.echo(f"charts: {folder}", err=True)
