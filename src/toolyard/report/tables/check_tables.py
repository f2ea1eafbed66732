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


def closing_line(result: CheckResult) -> str:
    """What it comes to: the checks decide; findings on data are told, and fail nothing unless asked to."""
    failed = sum(not check.passed for check in result.checks)
    passed = (
        f"{failed} of {len(result.checks)} checks FAILED"
        if failed
        else f"all {len(result.checks)} checks passed"
    )
    defects = sum(finding.severity == "defect" for finding in result.findings)
    others = len(result.findings) - defects
    told = (
        f"{defects} defects and {others} notes on its data"
        if result.findings
        else "nothing found in its data"
    )
    hint = "; --strict would fail on the defects" if defects else "; notes are no failure" if others else ""
    return f"{result.benchmark}, {result.data}: {passed}; {told}{hint}"


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
