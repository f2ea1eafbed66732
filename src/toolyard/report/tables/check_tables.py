"""The outcome of `toolyard check`, as tables."""

from collections.abc import Sequence

from toolyard.core.benchmark import Finding
from toolyard.core.table import Table
from toolyard.run.grade.checking import CheckResult

SHOWN_DEFECTS = 40
# Notes that begin alike are of one kind.
WORDS_OF_A_KIND = 4


def checks_tables(results: Sequence[CheckResult], *, verbose: bool = False) -> list[Table]:
    """The checks of all benchmarks, then what their data show: defects one by one, notes by kind, or everything."""
    rows = tuple(
        (result.benchmark, check.name, "ok" if check.passed else "FAILED", check.detail)
        for result in results
        for check in result.checks
    )
    tables = [Table("checks", ("benchmark", "check", "", "detail"), rows)]
    if verbose:
        tables.extend(findings_table(result) for result in results if result.findings)
        tables.extend(mutations_table(result) for result in results if result.mutations)
        return tables
    tables.extend(defects_table(result) for result in results if _defects_of(result))
    notes = notes_table(results)
    return [*tables, notes] if notes.rows else tables


def closing_line(result: CheckResult) -> str:
    """The verdict. Only the checks decide; findings on data are reported, and fail only if requested."""
    failed = sum(not check.passed for check in result.checks)
    passed = (
        f"{failed} of {len(result.checks)} checks FAILED"
        if failed
        else f"all {len(result.checks)} checks passed"
    )
    defects = len(_defects_of(result))
    others = len(result.findings) - defects
    findings = (
        f"{defects} defects and {others} notes on its data"
        if result.findings
        else "nothing found in its data"
    )
    hint = "; --strict would fail on the defects" if defects else "; notes are not failures" if others else ""
    return f"{result.benchmark}, {result.data}: {passed}; {findings}{hint}"


def mutations_table(result: CheckResult) -> Table:
    """How many changed gold answers of each kind were judged as they should be."""
    rows = tuple(
        (each.kind, "pass" if each.right else "fail", each.number, each.share, each.unseen)
        for each in result.mutations
    )
    title = f"changed gold answers of {result.benchmark}, {result.data}"
    return Table(title, ("kind", "must", "number", "share", "needs a judge"), rows)


def findings_table(result: CheckResult) -> Table:
    """All that the audit of one data set found, defects first."""
    found = sorted(result.findings, key=lambda finding: finding.severity != "defect")
    rows = tuple((finding.where, finding.severity, finding.what) for finding in found)
    return Table(f"audit of {result.benchmark}, {result.data}", ("where", "", "what"), rows)


def defects_table(result: CheckResult) -> Table:
    """The defects of one data set, the first of many."""
    found = _defects_of(result)
    rows = tuple((finding.where, finding.what) for finding in found[:SHOWN_DEFECTS])
    more = len(found) - SHOWN_DEFECTS
    note = f"{more} more: --verbose prints all, --json lists them" if more > 0 else ""
    return Table(f"defects of {result.benchmark}, {result.data}", ("where", "what"), rows, note)


def notes_table(results: Sequence[CheckResult]) -> Table:
    """How many notes of each kind there are on the data, with the first as an example."""
    rows = []
    for result in results:
        kinds: dict[str, list[Finding]] = {}
        for finding in result.findings:
            if finding.severity != "defect":
                kind = finding.kind or " ".join(finding.what.split()[:WORDS_OF_A_KIND])
                kinds.setdefault(kind, []).append(finding)
        rows += [
            (result.benchmark, len(found), f"{found[0].where}: {found[0].what}") for found in kinds.values()
        ]
    return Table(
        "notes on the data, by kind", ("benchmark", "notes", "the first"), tuple(rows), "--verbose prints all"
    )


def _defects_of(result: CheckResult) -> list[Finding]:
    return [finding for finding in result.findings if finding.severity == "defect"]
