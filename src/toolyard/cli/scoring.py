"""score and report: figures from files, without a model."""

from __future__ import annotations

from pathlib import Path

import typer

from toolyard.cli.output import benchmark_options, print_json, print_tables, wants_paper


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
    judge_trials: int | None = typer.Option(
        None, "--judge-trials", help="Askings of every judged question of a run; scores are the first's."
    ),
    judge_temperature: float | None = typer.Option(
        None, "--judge-temperature", help="Default: the benchmark's; at 0 judge trials may all be alike."
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
    from toolyard.report.tables.run_tables import summary_tables
    from toolyard.run.scoring import ScoreWish, score_wish

    wish = ScoreWish(
        what=what, data=data, predictions=predictions, evidence=evidence, profile=profile, judge=judge,
        judge_trials=judge_trials, judge_temperature=judge_temperature, embedder=embedder,
        options=benchmark_options(context),
    )  # fmt: skip
    scored = score_wish(wish)
    if json:
        print_json(scored.to_json(per_sample=per_sample))
    else:
        spread = () if scored.judge_spread is None else (scored.judge_spread.table(scored.summary.profile),)
        print_tables([*summary_tables(scored.benchmark, scored.summary), *spread])


def report(
    runs: list[Path] = typer.Argument(help="Run directories."),
    compare: str | None = typer.Option(
        None, "--compare", help="paper: show the published rows beside the run."
    ),
    full: bool = typer.Option(False, "--full", help="Every figure, every breakdown and all error counts."),
    json: bool = typer.Option(False, "--json", help="Print report.json."),
) -> None:
    """Write the reports of runs again and print their tables; exit 2 where a headline is withheld.

    Example: toolyard report runs/nestools_* --compare paper
    """
    from toolyard.report.build import PAGE, write_report
    from toolyard.report.tables.contamination_tables import contamination_tables
    from toolyard.report.tables.run_tables import report_tables

    published = wants_paper(compare)
    written = [write_report(run) for run in runs]
    if json:
        content = [report.to_json() for report in written]
        print_json(content if len(content) > 1 else content[0])
    else:
        for report in written:
            print_tables(report_tables(report, published=published, full=full))
            print_tables(contamination_tables(report))
            typer.echo(f"report: {report.folder / PAGE}")
    if any(report.summaries["paper"].withheld for report in written):
        raise typer.Exit(2)
