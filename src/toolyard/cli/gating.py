"""gate: whether a run may replace its baseline."""

from __future__ import annotations

from pathlib import Path

import typer

from toolyard.cli.output import print_json, print_tables


def gate(
    run: Path = typer.Argument(help="Run directory of the candidate."),
    baseline: Path = typer.Option(..., "--baseline", help="Run directory to hold it against."),
    policy: Path | None = typer.Option(
        None, "--policy", help="YAML or JSON: figures, allowed drops, level; see docs/gate.md."
    ),
    junit: Path | None = typer.Option(None, "--junit", help="Also write JUnit XML to this file."),
    markdown: Path | None = typer.Option(None, "--markdown", help="Also write Markdown to this file."),
    json: bool = typer.Option(False, "--json", help="Print JSON instead of a table."),
) -> None:
    """GO, NO-GO or INCONCLUSIVE for a run against its baseline, by paired tests with an allowed drop.

    Exit code 0: GO; 3: NO-GO; 4: INCONCLUSIVE; 1: your mistake, e.g. runs that do not compare.

    Example: toolyard gate runs/candidate --baseline runs/main --policy policy.yaml --junit gate.xml
    """
    from toolyard.report.gate.decision import gate_runs
    from toolyard.report.gate.outputs import gate_junit, gate_markdown, gate_table
    from toolyard.report.gate.policy import Policy, read_policy

    found = gate_runs(run, baseline, Policy() if policy is None else read_policy(policy))
    for path, text in ((junit, gate_junit), (markdown, gate_markdown)):
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text(found), encoding="utf-8", errors="backslashreplace")
    if json:
        print_json(found.to_json())
    else:
        print_tables([gate_table(found)])
    raise typer.Exit(found.exit_code)
