"""list, new, fetch, stats, check: what there is and whether it is sound."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from toolyard.benchmarks import CASE_FILES
from toolyard.cli.output import benchmark_options, print_json, print_tables, table_json
from toolyard.cli.progress_bars import stages_bar
from toolyard.cli.signature import takes_options
from toolyard.core.options import option
from toolyard.run.settings import DATA_FORMS, ENGINES, PIECE_ENGINE, RAY_ADDRESS

if TYPE_CHECKING:
    from toolyard.run.grade.checking import CheckResult

LIST_WIDTH = 100
# Of `check`: no benchmark, but what they play in.
WORLD = "world"
JSON = typer.Option(False, "--json", help="Print JSON instead of a table.")
DATA = typer.Option("starter", "--data", help=DATA_FORMS)


def list_benchmarks(json: bool = JSON) -> None:
    """All benchmarks that are installed.

    Example: toolyard list --json
    """
    from toolyard.report.tables.benchmark_tables import benchmark_rows, catalogue_table

    if json:
        print_json(benchmark_rows())
    else:
        print_tables([catalogue_table()], LIST_WIDTH)


def new(
    name: str = typer.Argument(
        help="Name of the benchmark (a lower-case Python identifier), or cases.yaml for a file of your own cases."
    ),
    into: Path = typer.Option(Path(), "--into", help="Folder in which the new folder is made."),
) -> None:
    """Make a benchmark folder with a passing test, or a case file.

    Examples: toolyard new weatherbench --into .; toolyard new cases.yaml
    """
    if name.endswith(CASE_FILES):
        from toolyard.owntools.cases.case_file import write_example

        typer.echo(f"made {write_example(into / name)}; next: toolyard run {into / name} -m scripted/oracle")
        return
    from toolyard.scaffold import scaffold

    typer.echo(f"made {scaffold(name, into)}; next: see its README.md")


def fetch(
    what: str = typer.Argument(help="A benchmark's name, model, or embedder."),
    into: Path | None = typer.Option(None, "--into", help="Folder for benchmark data; default: your cache."),
    prompts: bool = typer.Option(
        False,
        "--prompts",
        help="The paper's own prompts, for --style official, where a pinned file holds them.",
    ),
) -> None:
    """Download official data or weights, checked by sha256.

    Repeat the command to resume a download.

    Examples: toolyard fetch nestools; toolyard fetch model; toolyard fetch embedder
    """
    from toolyard.fetch import fetch_by_name, fetch_prompts

    get = fetch_prompts if prompts else fetch_by_name
    typer.echo(f"ready: {get(what, into, typer.echo)}")


def stats(
    context: typer.Context,
    benchmark: str = typer.Argument(help="Name of a benchmark."),
    data: str = DATA,
    json: bool = JSON,
) -> None:
    """The paper's own statistics table for any data set.

    Examples: toolyard stats nestools; toolyard stats mtu --data official
    """
    from toolyard.run.grade.checking import data_statistics

    tables = data_statistics(benchmark, data, benchmark_options(context))
    if json:
        print_json(table_json(tables))
    else:
        print_tables(tables)


@dataclass(frozen=True, slots=True)
class CheckSettings:
    """What a user can ask of `check`, each option stated once."""

    benchmark: str = option(
        "all", help="Name of a benchmark, all, a case file, or world: the simulated tools."
    )
    data: str = option("starter", "--data", help=DATA_FORMS)
    seeds: int = option(
        20, "--seeds", help="With world: how many seeds to check; each takes about 20 s.", minimum=2
    )
    strict: bool = option(False, "--strict", help="Exit 1 when the audit finds a defect in the data.")
    attack: bool = option(
        False, "--attack", help="Score answers that try to trick the scorer; exit 1 if one earns too much."
    )
    workers: int = option(
        0,
        "--workers",
        help="Check large sets in pieces, in this many processes; memory stays small.",
        minimum=0,
        shown="none, all at once",
    )
    engine: str = option("local", "--engine", help=PIECE_ENGINE, choices=ENGINES)
    ray_address: str = option("", "--ray-address", help=RAY_ADDRESS)
    verbose: bool = option(
        False, "--verbose", help="Print every note on the data and every kind of changed answer."
    )
    json: bool = option(False, "--json", help="Print JSON instead of a table.")
    options: Mapping[str, str] = field(default_factory=dict)


@takes_options(CheckSettings)
def check(
    context: typer.Context,  # noqa: ARG001 - the benchmark's own options are read from it
    settings: CheckSettings,
) -> None:
    """Check installation and data offline.

    The oracle must score 1.0 and an empty answer the floor; no prompt may show the gold answer.

    check world calls every simulated tool under several seeds: results fit their schemas, tools agree with each other,
    equal calls give equal answers. It is for people who change the tools.

    Exit code 0: all checks passed, whatever was noted on the data; 1: a check failed, or your mistake.

    Examples: toolyard check; toolyard check nestools --data official; toolyard check mtu --attack; toolyard check world
    """
    if settings.benchmark == WORLD:
        _check_world(settings)
        return
    if settings.attack:
        _attack_benchmark(settings)
        return
    from toolyard.report.tables.check_tables import checks_tables, closing_line
    from toolyard.run.grade.checking import checks_to_json

    results = _run_checks(settings)
    if settings.json:
        print_json(checks_to_json(results))
    else:
        print_tables(checks_tables(results, verbose=settings.verbose))
        for result in results:
            typer.echo(closing_line(result))
    defects = any(finding.severity == "defect" for result in results for finding in result.findings)
    if not all(result.passed for result in results) or (settings.strict and defects):
        raise typer.Exit(1)


def _run_checks(settings: CheckSettings) -> tuple[CheckResult, ...]:
    """The checks of one or all benchmarks, at once or piece by piece."""
    from toolyard.run.grade.checking import check_benchmarks

    wanted = (settings.benchmark, settings.data, settings.options)
    if settings.workers or settings.engine != ENGINES[0]:
        from toolyard.run.grade.pieces import PieceEngine
        from toolyard.run.grade.piecewise_checking import check_in_pieces

        where = PieceEngine(settings.engine, max(1, settings.workers), settings.ray_address)
        return (check_in_pieces(*wanted, where),)
    # A single set may be small; all starter sets together are worth further processes.
    jobs = os.cpu_count() or 1 if settings.benchmark == "all" else 1
    with stages_bar() as progress:
        return check_benchmarks(*wanted, progress, jobs)


def _check_world(settings: CheckSettings) -> None:
    """What machines can say about the tools; exit 1 where a check found more defects than it may."""
    from toolyard.world.kernel.checks import check_world

    with stages_bar() as progress:
        report = check_world(
            range(settings.seeds), progress=lambda done, total: progress("seeds of the world", done, total)
        )
    if settings.json:
        print_json(report.to_json())
    else:
        print_tables([report.table(), *([report.defects_table()] if settings.verbose else [])])
    if not report.passed:
        raise typer.Exit(1)


def _attack_benchmark(settings: CheckSettings) -> None:
    from toolyard.benchmarks import benchmark_names
    from toolyard.run.grade.attacks import attack_benchmark

    names = benchmark_names() if settings.benchmark == "all" else (settings.benchmark,)
    results = [attack_benchmark(name, settings.data, settings.options) for name in names]
    if settings.json:
        print_json([result.to_json() for result in results])
    else:
        print_tables([result.table() for result in results])
    if not all(result.held for result in results):
        raise typer.Exit(1)
