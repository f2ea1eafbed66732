"""gate: whether a run may replace its baseline."""

from dataclasses import dataclass
from pathlib import Path

import typer

from toolyard.cli.output import print_json, print_tables, write_output
from toolyard.cli.signature import takes_options
from toolyard.core.options import option


@dataclass(frozen=True, slots=True)
class GateSettings:
    """What a user can ask of `gate`, each option stated once."""

    run: Path = option(..., help="Run directory of the candidate.")
    baseline: Path = option(..., "--baseline", help="Run directory of the baseline.")
    policy: Path | None = option(
        None, "--policy", help="YAML or JSON: metrics, allowed drops, level; see docs/gate.md."
    )
    junit: Path | None = option(None, "--junit", help="Also write JUnit XML to this file.")
    markdown: Path | None = option(None, "--markdown", help="Also write Markdown to this file.")
    json: bool = option(False, "--json", help="Print JSON instead of a table.")


@takes_options(GateSettings)
def gate(settings: GateSettings) -> None:
    """Decide GO, NO-GO or INCONCLUSIVE for a run against its baseline.

    It decides by paired tests with an allowed drop.

    Exit code 0: GO; 3: NO-GO; 4: INCONCLUSIVE; 1: your mistake, e.g. runs that do not compare.

    Example: toolyard gate runs/candidate --baseline runs/main --policy policy.yaml --junit gate.xml
    """
    from toolyard.report.gate.decision import gate_runs
    from toolyard.report.gate.gate_outputs import gate_junit, gate_markdown, gate_table
    from toolyard.report.gate.policy import Policy, read_policy

    policy = Policy() if settings.policy is None else read_policy(settings.policy)
    found = gate_runs(settings.run, settings.baseline, policy)
    for path, text in ((settings.junit, gate_junit), (settings.markdown, gate_markdown)):
        if path is not None:
            write_output(path, text(found).encode("utf-8", "backslashreplace"))
    if settings.json:
        print_json(found.to_json())
    else:
        print_tables([gate_table(found)])
    raise typer.Exit(found.exit_code)
