"""export: a run for papers, spreadsheets, other tools and the Hub."""

from __future__ import annotations

from pathlib import Path

import typer

from toolyard.cli.output import print_json


def export(
    run: Path = typer.Argument(help="A run directory."),
    to: str = typer.Option(..., "--to", help="markdown | csv | json | latex | charts | inspect | hub"),
    out: Path = typer.Option(..., "--out", help="Folder for the files; made where it does not exist."),
    json: bool = typer.Option(False, "--json", help="Print the paths as JSON."),
) -> None:
    """Write a run's results in another form; nothing is uploaded.

    Examples: toolyard export runs/nestools_local_1a2b3c4d --to latex --out paper/;
    toolyard export RUN --to inspect --out logs && inspect view --log-dir logs
    """
    from toolyard.report.export.run_export import export as write

    written = write(run, to, out)
    if json:
        print_json([str(path) for path in written])
        return
    for path in written:
        typer.echo(path)
