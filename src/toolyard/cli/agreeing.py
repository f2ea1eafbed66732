"""agreement: do figures and people prefer the same run?"""

from __future__ import annotations

from pathlib import Path

import typer

from toolyard.cli.output import print_json, print_tables


def agreement(
    first: Path = typer.Argument(help="Run directory of the first model."),
    second: Path = typer.Argument(help="Run directory of the second model."),
    labels: Path = typer.Option(
        ..., "--labels", help="jsonl with sample, annotator and label (1 first, 0 tie, -1 second)."
    ),
    figures: str = typer.Option("", "--figures", help="Figures, separated by commas; default: the headline."),
    dimension: str = typer.Option("", "--dimension", help="Only votes on this dimension."),
    profile: str = typer.Option("paper", "--profile", help="paper (as printed) or official (as released)."),
    json: bool = typer.Option(False, "--json", help="Print JSON instead of a table."),
) -> None:
    """Correlation between the differences of two runs and human preferences, people beside it.

    Example: toolyard agreement runs/mtu_a runs/mtu_b --labels votes.jsonl --figures tool_number,tool_order
    """
    from toolyard.report.compare.human_agreement import agreement as agreement_of
    from toolyard.report.compare.human_agreement import (
        agreement_json,
        agreement_table,
        read_labels,
        vote_table,
    )
    from toolyard.run.scoring import checked_profile

    names = [name.strip() for name in figures.split(",") if name.strip()]
    votes = read_labels(labels, dimension, (first.resolve().name, second.resolve().name))
    found = agreement_of(first, second, votes, figures=names, profile=checked_profile(profile))
    if json:
        print_json(agreement_json(found))
    else:
        print_tables([agreement_table(found), vote_table(found)])
