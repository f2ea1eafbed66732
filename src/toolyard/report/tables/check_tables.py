"""The outcome of `toolyard check`, as tables."""

from __future__ import annotations

from collections.abc import Sequence

from toolyard.core.table import Table
from toolyard.run.checking import CheckResult

SHOWN_FINDINGS = 40


def checks_tables(results: Sequence[CheckResult]) -> list[Table]:
    """The checks of all benchmarks, then the findings of each."""
    rows = tuple(
        (result.benchmark, check.name, "ok" if check.passed else "FAILED", check.detail)
        for result in results
        for check in result.checks
    )
    tables = [Table("checks", ("benchmark", "check", "", "detail"), rows)]
    tables.extend(findings_table(result) for result in results if result.findings)
    tables.extend(mutations_table(result) for result in results if result.mutations)
    return tables


def mutations_table(result: CheckResult) -> Table:
    """How many changed gold answers of each kind were judged as they should be."""
    rows = tuple(
        (each.kind, "pass" if each.right else "fail", each.number, each.share, each.unseen)
        for each in result.mutations
    )
    title = f"changed gold answers of {result.benchmark}, {result.data}"
    return Table(title, ("kind", "must", "number", "share", "needs a judge"), rows)


def findings_table(result: CheckResult) -> Table:
    """What the audit of one data set found."""
    found = sorted(result.findings, key=lambda finding: finding.severity != "defect")
    rows = tuple((finding.where, finding.severity, finding.what) for finding in found[:SHOWN_FINDINGS])
    note = "" if len(found) <= SHOWN_FINDINGS else f"{len(found) - SHOWN_FINDINGS} more: --json lists all"
    return Table(f"audit of {result.benchmark}, {result.data}", ("where", "", "what"), rows, note)
