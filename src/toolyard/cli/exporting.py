"""export: a run for papers, spreadsheets, other tools and the Hub."""

from dataclasses import dataclass
from pathlib import Path

import typer

from toolyard.cli.output import print_json
from toolyard.cli.signature import takes_options
from toolyard.core.options import option


@dataclass(frozen=True, slots=True)
class ExportSettings:
    """What a user can ask of `export`, each option stated once."""

    run: Path = option(..., help="A run directory.")
    to: str = option("", "--to", help="markdown | csv | json | latex | charts | atif | inspect | hub")
    out: Path | None = option(None, "--out", help="Folder for the files; made where it does not exist.")
    json: bool = option(False, "--json", help="Print the paths as JSON.")


@takes_options(ExportSettings)
def export(settings: ExportSettings) -> None:
    """Write a run's results in another form; nothing is uploaded.

    Examples: toolyard export runs/nestools_local_1a2b3c4d --to latex --out paper/;
    toolyard export RUN --to inspect --out logs && inspect view --log-dir logs
    """
    from toolyard.core.errors import UsageError, refuse_unknown
    from toolyard.report.export.run_export import FORMS
    from toolyard.report.export.run_export import export_run as write
    from toolyard.run.run import Run

    run, to, out = settings.run, settings.to, settings.out
    Run.open(run)
    if to:
        refuse_unknown("--to", to, FORMS)
    if not to or out is None:
        raise UsageError(
            f"no {'--out' if to else '--to'}; wanted e.g. toolyard export {run} --to {to or 'csv'} --out FOLDER, "
            f"with one of {', '.join(FORMS)}"
        )
    written = write(run, to, out)
    if settings.json:
        print_json([str(path) for path in written])
        return
    for path in written:
        typer.echo(path)
