"""compare: several runs against each other, or one model over all benchmarks."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from toolyard.cli.output import print_json, print_tables, table_json
from toolyard.core.types import Profile

if TYPE_CHECKING:
    from toolyard.report.compare.model_facts import ModelFacts

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
    models: Path | None = MODELS,
    force: bool = typer.Option(
        False, "--force", help="Mix benchmark versions or data hashes in one table all the same."
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
    known = read_model_facts(models) if models else {}
    if capabilities:
        _capabilities(runs, chosen, known, force=force, html=html, json=json)
        return
    from toolyard.report.compare.comparison import compare_runs
    from toolyard.report.page.comparison_page import render_comparison
    from toolyard.report.tables.comparison_tables import comparison_tables

    names = [name for name in figures.split(",") if name]
    found = compare_runs(runs, profile=chosen, known=known, figures=names, force=force)
    if json:
        print_json({name: comparison.to_json() for name, comparison in found.items()})
    else:
        for comparison in found.values():
            print_tables(comparison_tables(comparison))
    if html is not None:
        write_page(html, render_comparison(found))


def _judges(runs: list[Path], profile: Profile, *, force: bool, json: bool) -> None:
    from toolyard.report.compare.self_preference import self_preference_tables

    tables = self_preference_tables(runs, profile, force=force)
    if json:
        print_json(table_json(tables))
    else:
        print_tables(tables)


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


def write_page(path: Path, text: str) -> None:
    """Writes a page and says where, on stderr, so that --json stays JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    typer.echo(f"page: {path}", err=True)
