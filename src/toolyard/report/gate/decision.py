"""Whether a run may replace its baseline: each figure tested against its allowed drop on the shared samples."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

from toolyard.core.errors import RunMismatch
from toolyard.core.metrics import Metric, Row
from toolyard.core.types import JsonValue
from toolyard.report.compare.compared_runs import ComparedRun, load_compared
from toolyard.report.compare.comparison import figures_to_test, keep_shared_rows
from toolyard.report.gate.policy import SETTINGS, Policy
from toolyard.run.run import clusters_in_set
from toolyard.stats.drop_test import DropTest, drop_test
from toolyard.stats.paired import PairedTest, paired_test
from toolyard.stats.significance import adjust_holm
from toolyard.stats.summary import rows_of

Decision: TypeAlias = Literal["GO", "NO-GO", "INCONCLUSIVE"]
GO: Final = "GO"
NO_GO: Final = "NO-GO"
INCONCLUSIVE: Final = "INCONCLUSIVE"
# 1 is the user's mistake and 2 a run that is not whole, as everywhere.
# Where one of these differs, whatever else does is no news.
DECISIVE = ("benchmark", "version")
# Known by their sums alone.
DIGESTS = ("data", "templates", "documents")
EXIT_CODES: Mapping[str, int] = {GO: 0, NO_GO: 3, INCONCLUSIVE: 4}


@dataclass(frozen=True, slots=True)
class GatedFigure:
    """One figure with its allowed drop, its test and what follows; `beyond` is corrected over all figures."""

    figure: str
    allowed: float
    # As `compare` computes it for the same runs.
    paired: PairedTest
    test: DropTest | None
    beyond: float | None
    decision: Decision

    def clusters_needed(self, available: int | None) -> int | None:
        """About how many clusters would tell the allowed drop from none; None where the set has fewer or none is allowed."""
        if self.test is None or not self.allowed or self.test.detectable == float("inf"):
            return None
        needed = math.ceil(self.test.clusters * (self.test.detectable / self.allowed) ** 2)
        return needed if available is not None and needed <= available else None

    def detectable_with(self, clusters: int) -> float | None:
        """About the smallest drop that so many clusters would tell from none."""
        if self.test is None:
            return None
        return finite_or_none(self.test.detectable * math.sqrt(self.test.clusters / clusters))


@dataclass(frozen=True, slots=True)
class Gate:
    """The decision on a run, figure by figure, with every reason that is not a test."""

    run: ComparedRun
    baseline: ComparedRun
    policy: Policy
    figures: tuple[GatedFigure, ...]
    samples: int
    reasons: tuple[str, ...]
    # The clusters of the whole data set, asked for where something stayed open; None where it cannot be read any more.
    available: int | None = None

    @property
    def decision(self) -> Decision:
        """NO-GO as soon as one figure is; GO only where all are and nothing speaks against the runs."""
        found = [item.decision for item in self.figures]
        if self.reasons:
            return INCONCLUSIVE
        if NO_GO in found:
            return NO_GO
        return GO if are_all_go(self.figures) else INCONCLUSIVE

    def decision_on(self, item: GatedFigure) -> Decision:
        """What follows for a figure; its test alone decides nothing where something speaks against the runs."""
        return INCONCLUSIVE if self.reasons else item.decision

    @property
    def exit_code(self) -> int:
        """What `toolyard gate` ends with."""
        return EXIT_CODES[self.decision]

    def to_json(self) -> dict[str, JsonValue]:
        """What `toolyard gate --json` prints."""
        return {
            "decision": self.decision,
            "exit_code": self.exit_code,
            "benchmark": self.run.benchmark.name,
            "version": self.run.version,
            "run": self.run.folder.name,
            "model": self.run.model,
            "baseline": self.baseline.folder.name,
            "baseline_model": self.baseline.model,
            "samples": self.samples,
            "reasons": list(self.reasons),
            "figures": [self._figure_json(item) for item in self.figures],
            "policy": self.policy.to_json(),
        }

    def _figure_json(self, item: GatedFigure) -> dict[str, JsonValue]:
        test, difference = item.test, item.paired.difference
        return {
            "figure": item.figure,
            "decision": self.decision_on(item),
            "decision_of_its_test": item.decision,
            "allowed_drop": item.allowed,
            "run": self.run.summary.figures[item.figure].value,
            "baseline": self.baseline.summary.figures[item.figure].value,
            "difference": None if test is None else test.difference,
            "interval": difference.interval,
            "bounds": None if test is None else [finite_or_none(test.low), finite_or_none(test.high)],
            "p_within": None if test is None else test.within,
            "p_beyond": item.beyond,
            "smallest_detectable": None if test is None else finite_or_none(test.detectable),
            "clusters": 0 if test is None else test.clusters,
            "clusters_needed": item.clusters_needed(self.available),
            "clusters_in_set": self.available,
            "smallest_detectable_in_set": item.detectable_with(self.available) if self.available else None,
        }


def finite_or_none(value: float) -> float | None:
    """The number, or None for an infinite one, which JSON cannot say."""
    return None if abs(value) == float("inf") else value


def gate_runs(run: Path, baseline: Path, policy: Policy) -> Gate:
    """The decision on a run directory against another; runs that do not compare are refused."""
    mine, theirs = (load_compared(folder, policy.profile, {}) for folder in (run, baseline))
    refuse_incomparable(mine, theirs, policy)
    names = figures_to_test(mine.setup, list(policy.figures))
    allowed = {name: policy.figures.get(name, policy.allowed_drop) for name in names}
    metrics = [mine.benchmark.scoring.metric(name) for name in names]
    first, second = keep_shared_rows(rows_of(mine.graded), rows_of(theirs.graded))
    figures = decide_figures(metrics, first, second, allowed, policy.level)
    samples = len({row.score.sample for row in first} & {row.score.sample for row in second})
    reasons = _reasons_against(mine, theirs, samples, policy)
    available = clusters_in_set(run, mine.benchmark) if reasons or not are_all_go(figures) else None
    return Gate(mine, theirs, policy, figures, samples, reasons, available)


def decide_figures(
    metrics: Sequence[Metric],
    first: Sequence[Row],
    second: Sequence[Row],
    allowed: Mapping[str, float],
    level: float,
) -> tuple[GatedFigure, ...]:
    """Every figure's decision. GO needs all of them, so each is tested at the level; NO-GO needs one, so Holm."""
    tests = [
        drop_test(metric, first, second, allowed=allowed[metric.name], level=level) for metric in metrics
    ]
    corrected = adjust_holm([1.0 if test is None else test.beyond for test in tests])
    return tuple(
        GatedFigure(
            metric.name,
            allowed[metric.name],
            paired_test(metric, first, second),
            test,
            beyond if test else None,
            _decision_of_test(test, beyond, allowed[metric.name], level),
        )
        for metric, test, beyond in zip(metrics, tests, corrected, strict=True)
    )


def _decision_of_test(test: DropTest | None, beyond: float, allowed: float, level: float) -> Decision:
    if test is None:
        return INCONCLUSIVE
    if beyond < level:
        return NO_GO
    # Without any allowed drop only a run that is better passes, and one that scores the same is not.
    return GO if test.within < level or (test.unchanged and allowed > 0) else INCONCLUSIVE


def are_all_go(figures: Sequence[GatedFigure]) -> bool:
    """Whether every figure is GO."""
    return all(item.decision == GO for item in figures)


def refuse_incomparable(run: ComparedRun, baseline: ComparedRun, policy: Policy) -> None:
    """Stops where a difference could come from something else than the model, and names it."""
    mine, theirs = _settings_of_run(run), _settings_of_run(baseline)
    differ = [name for name in mine if mine[name] != theirs[name] and name not in policy.may_differ]
    if not differ:
        return
    first = differ[0] if differ[0] in DECISIVE else ""
    differences = "; ".join(
        _differing_setting(name, mine[name], theirs[name]) for name in ([first] if first else differ)
    )
    forgiven = [name for name in differ if name in SETTINGS]
    hint = f", or allow it in the policy (may_differ: [{', '.join(forgiven)}])" if differ == forgiven else ""
    raise RunMismatch(
        f"{run.folder.name} and its baseline {baseline.folder.name} do not compare - {differences}; "
        f"{'give two runs of one benchmark' if first == 'benchmark' else f'run the baseline again like the run{hint}'}"
    )


def _differing_setting(name: str, mine: JsonValue, theirs: JsonValue) -> str:
    """What differs in a setting, side by side; of a record only the keys that differ, of digests only that they do."""
    if isinstance(mine, Mapping) and isinstance(theirs, Mapping):
        keys = [key for key in mine.keys() | theirs.keys() if mine.get(key) != theirs.get(key)]
        return ", ".join(_differing_setting(str(key), mine.get(key), theirs.get(key)) for key in sorted(keys))
    if name in DIGESTS:
        return f"{name}: not the same files"
    return f"{name}: {_shorten_value(mine)} here, {_shorten_value(theirs)} in the baseline"


def _settings_of_run(run: ComparedRun) -> dict[str, JsonValue]:
    """What must be equal, by the names that a policy uses."""
    identity = run.manifest["identity"]
    found = {"benchmark": run.benchmark.name, "version": run.version, "data": run.data_sha256}
    names = {"templates": "templates_sha256", "documents": "documents_sha256"}
    found |= {name: identity.get(names.get(name, name)) for name in SETTINGS if name != "judge"}
    return {**found, "judge": run.manifest["judge"]}


def _shorten_value(value: JsonValue) -> str:
    text = str(value) if value not in (None, "") else "none"
    return text if len(text) <= 60 else text[:12] + "…"


def _reasons_against(
    run: ComparedRun, baseline: ComparedRun, samples: int, policy: Policy
) -> tuple[str, ...]:
    found = []
    if samples < policy.minimal_samples:
        found.append(f"{samples} shared samples, the policy wants {policy.minimal_samples} (minimal_samples)")
    for name, each in (("run", run), ("baseline", baseline)):
        total = each.summary.samples + each.summary.unscored
        if total and each.summary.unscored / total > policy.maximal_unscored:
            share, most = each.summary.unscored / total, policy.maximal_unscored
            found.append(f"{share:.1%} of the {name}'s samples are unscored, the policy allows {most:.1%}")
    return tuple(found)
