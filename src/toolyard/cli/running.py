"""run and estimate: the verbs that need a model, and what they would cost."""

from __future__ import annotations

from dataclasses import fields
from datetime import date
from typing import TYPE_CHECKING

import typer

from toolyard.cli.output import print_json, print_tables, wants_paper
from toolyard.cli.signature import takes
from toolyard.models.settings import Requests
from toolyard.run.settings import Settings

if TYPE_CHECKING:
    from toolyard.cli.finished import Showing


@takes(Settings)
def run(
    context: typer.Context,
    settings: Settings,
    variants: str = typer.Option(
        "",
        "--variants",
        help="Also run these variations of the same samples, separated by commas, or all; ends in a sensitivity table.",
    ),
    compare: str | None = typer.Option(
        None, "--compare", help="paper: show the published rows beside the run."
    ),
    fresh: bool = typer.Option(
        False, "--fresh", help="Run a set made from the world; with --data also that, and the difference."
    ),
    fresh_seed: int | None = typer.Option(
        None, "--fresh-seed", min=0, help="Seed of the fresh set; default: one per month, e.g. 202611."
    ),
    full: bool = typer.Option(
        False, "--full", help="Print every figure, every breakdown and all error counts."
    ),
    no_report: bool = typer.Option(
        False, "--no-report", help="Draw no report; `toolyard report RUN` draws the same one later."
    ),
    json: bool = typer.Option(False, "--json", help="Print the figures as JSON."),
) -> None:
    """Run a benchmark on a model, or go on with a run that was stopped: the same command again.

    Options of the benchmark itself, e.g. --history own for mtu, are given in the same way.

    Examples: toolyard run nestools -m local --limit 3;
    toolyard run all -m "openai/my-model?base_url=http://localhost:8000/v1"
    """
    from toolyard.cli.finished import Showing

    showing = Showing(published=wants_paper(compare), full=full, draw=not no_report, json=json)
    wanted = _wanted_runs(context, settings, fresh=fresh, fresh_seed=fresh_seed)
    raise typer.Exit(_watched(wanted, variants, showing))


def _wanted_runs(
    context: typer.Context, settings: Settings, *, fresh: bool, fresh_seed: int | None
) -> list[Settings]:
    """The runs that are asked for: one of each benchmark, or of a fresh set beside the named data."""
    from toolyard.cli.progress import fresh_settings
    from toolyard.run.estimate import per_benchmark

    if not fresh and fresh_seed is None:
        return list(per_benchmark(settings))
    source = context.get_parameter_source("data")
    beside = source is not None and source.name == "COMMANDLINE"
    number = int(f"{date.today():%Y%m}") if fresh_seed is None else fresh_seed
    return fresh_settings(settings, number, beside=beside)


def _watched(wanted: list[Settings], variants: str, showing: Showing) -> int:
    from toolyard.cli.progress import watch
    from toolyard.cli.varying import watch_variants

    return watch_variants(wanted, variants, showing) if variants else watch(wanted, showing)


@takes(Settings, without=[item.name for item in fields(Requests)])
def estimate(
    context: typer.Context,  # noqa: ARG001 - the benchmark's own options are read from it
    settings: Settings,
    json: bool = typer.Option(False, "--json", help="Print JSON instead of a table."),
) -> None:
    """Requests, tokens and price of a run, counted by the same planner; sends nothing.

    Example: toolyard estimate nestools -m "openai/gpt-4o-mini?price=0.15,0.60" --data official
    """
    from toolyard.report.tables.estimate_tables import estimate_table
    from toolyard.run.estimate import estimates

    found = estimates(settings)
    if json:
        print_json([item.to_json() for item in found])
    else:
        print_tables([estimate_table(found)])
