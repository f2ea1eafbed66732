"""score and report: figures from files, without a model."""

from __future__ import annotations

from pathlib import Path

import typer

from toolyard.cli.output import benchmark_options, print_json, print_tables


def score(
    context: typer.Context,
    what: str = typer.Argument(help="Name of a benchmark (with --predictions), or a run directory."),
    data: str = typer.Option("starter", "--data", help="starter, official, or a path."),
    predictions: Path | None = typer.Option(
        None, "--predictions", help="Answers in the official results form."
    ),
    evidence: Path | None = typer.Option(None, "--evidence", help="Judge replies that you already have."),
    profile: str = typer.Option("paper", "--profile", help="paper (as printed) or official (as released)."),
    judge: str = typer.Option(
        "", "--judge", help="Model that answers judged questions; repeats only the judging."
    ),
    embedder: str = typer.Option("", "--embedder", help="Embedder for similarity questions."),
    per_sample: bool = typer.Option(
        False, "--per-sample", help="With --json: add the scores of every sample."
    ),
    json: bool = typer.Option(False, "--json", help="Print JSON instead of tables."),
) -> None:
    """Score saved predictions, or a run again; no generation is repeated.

    Examples: toolyard score nestools --data DIR --predictions FILE --profile official --json;
    toolyard score runs/nestools_local_1a2b3c4d
    """
    from toolyard.report.tables import summary_tables
    from toolyard.run.scoring import ScoreWish, score_wish

    wish = ScoreWish(
        what=what, data=data, predictions=predictions, evidence=evidence, profile=profile, judge=judge,
        embedder=embedder, options=benchmark_options(context),
    )  # fmt: skip
    scored = score_wish(wish)
    if json:
        print_json(scored.to_json(per_sample=per_sample))
    else:
        print_tables(summary_tables(scored.benchmark, scored.summary))


def report(
    run: Path = typer.Argument(help="A run directory."),
    compare: str | None = typer.Option(
        None, "--compare", help="paper: show the published rows beside the run."
    ),
    json: bool = typer.Option(False, "--json", help="Print report.json."),
) -> None:
    """Write report.html, report.md and report.json of a run again, and print the table.

    Example: toolyard report runs/nestools_local_1a2b3c4d --compare paper
    """
    from toolyard.report.build import PAGE, write_report
    from toolyard.report.tables import report_tables

    written = write_report(run)
    if json:
        print_json(written.to_json())
    else:
        print_tables(report_tables(written, published=compare == "paper"))
        typer.echo(f"report: {run / PAGE}")
