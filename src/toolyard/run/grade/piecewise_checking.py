"""`toolyard check` on a very large set: every check on every piece; one holds where it holds everywhere."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from toolyard.benchmarks import load_benchmark
from toolyard.core.errors import UsageError
from toolyard.run.grade.checking import Check, CheckResult, add_classes, check_benchmark
from toolyard.run.grade.pieces import DATA, PieceEngine, split_into_pieces
from toolyard.run.plan.data_sources import data_path

# Findings that are kept word by word; the others are counted.
MOST_FINDINGS = 10_000


@dataclass(frozen=True, slots=True)
class PieceChecking:
    """How every piece is checked."""

    benchmark: str
    options: Mapping[str, str]

    def __call__(self, piece: Path) -> CheckResult:
        """The checks of one piece, without changed gold answers and without what would embed all its tools."""
        data = str(piece / DATA)
        return check_benchmark(
            load_benchmark(self.benchmark), data, self.options, mutate=False, prepare=False
        )


def check_in_pieces(name: str, data: str, options: Mapping[str, str], where: PieceEngine) -> CheckResult:
    """The checks of a data set, piece by piece."""
    if name == "all":
        raise UsageError(
            "--workers is for one large set; name a benchmark, e.g.: toolyard check mtu --data PATH"
        )
    benchmark = load_benchmark(name)
    total = CheckResult(name, data, (), ())
    number = 0
    with split_into_pieces(benchmark, data_path(benchmark, data), None) as pieces:
        for found in where.map(PieceChecking(name, options), pieces):
            number += 1
            total = merge_results(total, found)
    checks = tuple(replace(check, detail=_detail_for_pieces(check, number)) for check in total.checks)
    return replace(total, checks=checks)


def _detail_for_pieces(check: Check, pieces: int) -> str:
    return f"in each of {pieces} pieces, e.g. {check.detail}" if check.passed and pieces > 1 else check.detail


def merge_results(first: CheckResult, second: CheckResult) -> CheckResult:
    """The checks of two sets as one: a failure stays one, and what it says stays."""
    checks = {check.name: check for check in first.checks}
    for check in second.checks:
        known = checks.get(check.name)
        if known is None or known.passed:
            checks[check.name] = check
    findings = (*first.findings, *second.findings)[:MOST_FINDINGS]
    return replace(
        first,
        checks=tuple(checks.values()),
        findings=findings,
        mutations=add_classes((*first.mutations, *second.mutations)),
    )
