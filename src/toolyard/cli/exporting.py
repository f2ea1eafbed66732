"""export: a run for papers, spreadsheets, other tools and the Hub."""

from __future__ import annotations

from pathlib import Path

import typer

from toolyard.cli.output import print_json


def export(
    run: Path = typer.Argument(help="A run directory."),
    to: str = typer.Option("", "--to", help="markdown | csv | json | latex | charts | inspect | hub"),
    out: Path | None = typer.Option(
        None, "--out", help="Folder for the files; made where it does not exist."
    ),
    json: bool = typer.Option(False, "--json", help="Print the paths as JSON."),
) -> None:
    """Write a run's results in another form; nothing is uploaded.

    Examples: toolyard export runs/nestools_local_1a2b3c4d --to latex --out paper/;
    toolyard export RUN --to inspect --out logs && inspect view --log-dir logs
    """
    from toolyard.core.errors import UsageError
    from toolyard.report.export.run_export import FORMS
    from toolyard.report.export.run_export import export as write
    from toolyard.run.run import Run

    Run.open(run)
    if to not in FORMS or out is None:
        found = f"--to {to!r}" if to and to not in FORMS else "no --to" if not to else "no --out"
        raise UsageError(
            f"{found}; wanted e.g. toolyard export {run} --to {to if to in FORMS else 'csv'} --out FOLDER, "
            f"with one of {', '.join(FORMS)}"
        )
    written = write(run, to, out)
    if json:
        print_json([str(path) for path in written])
        return
    for path in written:
        typer.echo(path)
