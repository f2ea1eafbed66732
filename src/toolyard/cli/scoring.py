"""score and report: figures from files, without a model."""

from dataclasses import dataclass
from pathlib import Path

import typer

from toolyard.cli.output import print_json, print_tables, wants_paper
from toolyard.cli.signature import takes_options
from toolyard.core.errors import UsageError
from toolyard.core.options import option
from toolyard.run.settings import PUBLISHED, ScoreSettings


@takes_options(ScoreSettings)
def score(
    context: typer.Context,  # noqa: ARG001 - the benchmark's own options are read from it
    settings: ScoreSettings,
    per_sample: bool = typer.Option(
        False, "--per-sample", help="With --json: add the scores of every sample."
    ),
    json: bool = typer.Option(False, "--json", help="Print JSON instead of tables."),
) -> None:
    """Score saved predictions, or a run again; generate nothing.

    Examples: toolyard score nestools --data DIR --predictions FILE --profile official --json;
    toolyard score mtu --data official --predictions DIR --report --name GPT-4;
    toolyard score runs/nestools_local_1a2b3c4d
    """
    from toolyard.report.tables.run_tables import summary_tables
    from toolyard.run.grade.scoring import score_settings

    if (per_sample or settings.report) and (settings.workers or settings.engine != "local"):
        raise UsageError(
            "--per-sample and --report want every sample, which pieces do not keep; leave out --workers"
        )
    scored = score_settings(settings, per_sample=per_sample)
    if settings.report:
        _report_predictions(settings)
    if json:
        print_json(scored.to_json(per_sample=per_sample))
    else:
        spread = () if scored.judge_spread is None else (scored.judge_spread.table(scored.summary.profile),)
        print_tables([*summary_tables(scored.benchmark, scored.summary), *spread])


def _report_predictions(settings: ScoreSettings) -> None:
    """Writes the run of saved predictions and says where, on stderr, so that --json stays JSON."""
    from toolyard.report.report_files import PAGE, write_report
    from toolyard.run.store.prediction_runs import run_of_predictions

    result = run_of_predictions(settings)
    write_report(result.run)
    typer.echo(f"report: {result.folder / PAGE}", err=True)


@dataclass(frozen=True, slots=True)
class ReportSettings:
    """What a user can ask of `report`, each option stated once."""

    runs: list[Path] = option(..., help="Run directories.")
    compare: str | None = option(None, "--compare", help=PUBLISHED)
    full: bool = option(
        False, "--full", help="Every metric, every breakdown, all error counts and all analyses."
    )
    json: bool = option(False, "--json", help="Print report.json.")


@takes_options(ReportSettings)
def report(settings: ReportSettings) -> None:
    """Write the reports of runs, the page with charts among them, and print their tables.

    Exit code 2: the headline metric of a run is withheld.

    Example: toolyard report runs/nestools_* --compare paper
    """
    from toolyard.report.analyses import all_analyses, report_json
    from toolyard.report.report_files import PAGE, write_report
    from toolyard.report.tables.contamination_tables import contamination_tables
    from toolyard.report.tables.run_tables import report_tables

    published = wants_paper(settings.compare)
    written = [write_report(run) for run in settings.runs]
    if settings.json:
        content = [report_json(report, all_analyses(report)) for report in written]
        print_json(content if len(content) > 1 else content[0])
    else:
        for report in written:
            print_tables(report_tables(report, published=published, full=settings.full))
            print_tables(contamination_tables(report))
            print_tables(list(all_analyses(report)) if settings.full else [])
            typer.echo(f"report: {report.folder / PAGE}")
    if any(report.summaries["paper"].withheld for report in written):
        raise typer.Exit(2)
