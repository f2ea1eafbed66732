"""Several runs of one benchmark against each other: what differs, how surely, and on which samples."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from statistics import fmean

from toolyard.core.benchmark import Benchmark, RunSetup
from toolyard.core.errors import UsageError, did_you_mean
from toolyard.core.metrics import Row
from toolyard.core.types import JsonValue, Profile
from toolyard.report.compare.compared_runs import (
    ComparedRun,
    ItemSet,
    differences_in_words,
    item_sets,
    keep_shared_samples,
    load_runs,
)
from toolyard.report.compare.model_facts import ModelFacts
from toolyard.report.tables.statistics_tables import SOLVED, sample_scores
from toolyard.run.grade.baselines import Baseline
from toolyard.stats.paired import PairedTest, ResultTerms, paired_tests, result_terms
from toolyard.stats.significance import SIGNIFICANCE, adjust_holm, benjamini_hochberg
from toolyard.stats.summary import figure_intervals, figure_values, rows_of

SAME = 1e-9
ALL_SAMPLES = "all"


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """One pair of runs in one figure; corrected for all tests of the comparison."""

    first: str
    second: str
    figure: str
    test: PairedTest
    p_holm: float | None
    q_value: float | None

    @property
    def better(self) -> str:
        """The run that is better beyond chance, or nothing."""
        value = self.test.difference.value
        if self.p_holm is None or self.p_holm >= SIGNIFICANCE or not value:
            return ""
        return self.first if value > 0 else self.second


@dataclass(frozen=True, slots=True)
class WinTieLoss:
    """On how many samples of a group the first run scores higher, the same, lower."""

    first: str
    second: str
    group: str
    key: str
    wins: int
    ties: int
    losses: int


@dataclass(frozen=True, slots=True)
class Flipped:
    """A sample that one run solves and the other does not."""

    sample: str
    groups: Mapping[str, str]
    first: str
    second: str
    first_score: float
    second_score: float

    @property
    def solved_by(self) -> str:
        """The run that solves it."""
        return self.first if self.first_score > self.second_score else self.second


@dataclass(frozen=True, slots=True)
class Comparison:
    """All that is said about several runs of one benchmark under one profile."""

    setup: RunSetup
    profile: Profile
    runs: tuple[ComparedRun, ...]
    sets: tuple[ItemSet, ...]
    differences: tuple[PairedDifference, ...]
    records: tuple[WinTieLoss, ...]
    flipped: tuple[Flipped, ...]
    remarks: tuple[str, ...]

    @property
    def ranked_runs(self) -> list[ComparedRun]:
        """Runs on most samples first, each set with the best headline first; withheld and undefined ones last."""
        return [run for some in self.sets for run in best_first(some.runs)]

    @property
    def baselines(self) -> tuple[Baseline, ...]:
        """The trivial baselines on the samples of the largest set of runs."""
        return self.sets[0].baselines

    @property
    def strongest_first(self) -> list[Baseline]:
        """The same by their headline."""
        return self.strongest_beside(self.sets[0])

    def strongest_beside(self, some: ItemSet) -> list[Baseline]:
        """The trivial baselines on the samples of a set of runs, by their headline."""
        name = self.setup.headline
        return sorted(some.baselines, key=lambda item: -(item.figures.get(name) or 0.0))

    def set_of(self, run: ComparedRun) -> ItemSet:
        """The runs that answered the same samples."""
        return next(some for some in self.sets if run.items == some.runs[0].items)

    @property
    def benchmark(self) -> Benchmark:
        """The benchmark that was run."""
        return self.setup.benchmark

    def to_json(self) -> dict[str, JsonValue]:
        """What `toolyard compare --json` prints for one benchmark."""
        return {
            "profile": self.profile,
            "headline": self.setup.headline,
            "remarks": list(self.remarks),
            "runs": [run_json(run) for run in self.ranked_runs],
            "baselines": _baselines_json(self.sets[0]),
            "other_samples": [_set_json(some) for some in self.sets[1:]],
            "differences": [difference_json(item) for item in self.differences],
            "win_tie_loss": [
                {"first": item.first, "second": item.second, "group": item.group, "key": item.key}
                | {"wins": item.wins, "ties": item.ties, "losses": item.losses}
                for item in self.records
            ],
            "flipped": [
                {
                    "sample": item.sample,
                    "groups": dict(item.groups),
                    "solved_by": item.solved_by,
                    "first": item.first,
                    "first_score": item.first_score,
                    "second": item.second,
                    "second_score": item.second_score,
                }
                for item in self.flipped
            ],
        }


def best_first(runs: Sequence[ComparedRun]) -> list[ComparedRun]:
    """By headline; withheld and undefined ones last."""
    return sorted(runs, key=lambda run: (run.headline is None, -(run.headline or 0.0)))


def _baselines_json(some: ItemSet) -> dict[str, JsonValue]:
    return {baseline.name: dict(baseline.figures) for baseline in some.baselines}


def _set_json(some: ItemSet) -> dict[str, JsonValue]:
    """Runs on other samples than those of the first set, with the trivial baselines there."""
    return {
        "runs": [run.label for run in some.runs],
        "samples": some.size,
        "baselines": _baselines_json(some),
    }


def run_json(run: ComparedRun) -> dict[str, JsonValue]:
    """One run with its figures, price and pace."""
    return {
        "run": run.folder.name,
        "model": run.model,
        "label": run.label,
        "kind": run.facts.kind,
        "size": run.facts.size,
        "version": run.version,
        "data_sha256": run.data_sha256,
        "samples": run.summary.samples,
        "answers": run.answers,
        "unscored": run.summary.unscored,
        "withheld": run.summary.withheld,
        "figures": figure_values(run.summary.figures),
        "intervals": figure_intervals(run.summary.figures),
        "cost": run.cost,
        "tokens": run.tokens,
        "latency": run.latency,
    }


def difference_json(item: PairedDifference) -> dict[str, JsonValue]:
    """One paired difference with everything that was computed about it."""
    test = item.test
    return {
        "first": item.first,
        "second": item.second,
        "figure": item.figure,
        "difference": test.difference.value,
        "interval": test.difference.interval,
        "p": test.p_value,
        "p_holm": item.p_holm,
        "q_benjamini_hochberg": item.q_value,
        "clusters": test.clusters,
        "cohens_d": test.cohens_d,
        "rank_biserial": test.rank_biserial,
        "smallest_detectable": test.detectable,
        "better": item.better,
    }


def compare_runs(
    folders: Sequence[Path],
    *,
    profile: Profile = "paper",
    known: Mapping[str, ModelFacts] | None = None,
    figures: Sequence[str] = (),
    force: bool = False,
    shared: bool = False,
) -> dict[str, Comparison]:
    """The comparison of each benchmark among the runs, by its name; `shared`: on the samples that all runs have."""
    by_benchmark = load_runs(folders, profile, known or {}, force=force)
    if shared:
        by_benchmark = {name: keep_shared_samples(runs, profile) for name, runs in by_benchmark.items()}
    return {name: compare(runs, profile, figures) for name, runs in by_benchmark.items()}


def compare(runs: Sequence[ComparedRun], profile: Profile, figures: Sequence[str] = ()) -> Comparison:
    """One benchmark's runs against each other; tests are on the headline unless figures are named."""
    setup = runs[0].setup
    scores = [scores_by_sample(run) for run in runs]
    pairs = list(combinations(range(len(runs)), 2))
    names = figures_to_test(setup, figures)
    return Comparison(
        setup=setup,
        profile=profile,
        runs=tuple(runs),
        sets=item_sets(runs, profile),
        differences=paired_differences([(runs[a], runs[b]) for a, b in pairs], names),
        records=tuple(
            record for a, b in pairs for record in win_tie_loss_rows(runs[a], runs[b], scores[a], scores[b])
        ),
        flipped=tuple(
            item for a, b in pairs for item in flipped_samples(runs[a], runs[b], scores[a], scores[b])
        ),
        remarks=tuple(differences_in_words(runs)),
    )


def figures_to_test(setup: RunSetup, figures: Sequence[str]) -> list[str]:
    """The figures to test: those asked for, or the headline."""
    known = [metric.name for metric in setup.benchmark.scoring.metrics]
    if list(figures) == ["all"]:
        return known
    unknown = [name for name in figures if name not in known]
    if unknown:
        raise UsageError(
            f"{setup.benchmark.name} has no metric {', '.join(unknown)}; "
            f"{did_you_mean(unknown[0], known)}it has {', '.join(known)}, or all"
        )
    return list(figures) or [setup.headline]


def paired_differences(
    pairs: Sequence[tuple[ComparedRun, ComparedRun]], figures: Sequence[str]
) -> tuple[PairedDifference, ...]:
    """Every pair in every figure, corrected over all of them together; withheld runs are not tested."""
    cases = [
        (first, second, figure)
        for first, second in pairs
        if not (first.summary.withheld or second.summary.withheld)
        for figure in figures
    ]
    tests = paired_tests(_terms_of_pairs(cases))
    known = [place for place, test in enumerate(tests) if test.p_value is not None]
    p_values = [test.p_value for test in tests if test.p_value is not None]
    corrected = dict(
        zip(known, zip(adjust_holm(p_values), benjamini_hochberg(p_values), strict=True), strict=True)
    )
    return tuple(
        PairedDifference(first.label, second.label, figure, test, *corrected.get(place, (None, None)))
        for place, ((first, second, figure), test) in enumerate(zip(cases, tests, strict=True))
    )


def _terms_of_pairs(
    cases: Sequence[tuple[ComparedRun, ComparedRun, str]],
) -> list[tuple[ResultTerms, ResultTerms]]:
    """The terms of both runs of every case, computed once for all cases in which a run has the same rows."""
    # By the run itself: two configurations of one model may have one label.
    rows = {id(run): rows_of(run.graded) for case in cases for run in case[:2]}
    known: dict[tuple[int, str], tuple[Sequence[Row], ResultTerms]] = {}

    def terms(some: Sequence[Row], run: ComparedRun, figure: str) -> ResultTerms:
        # The rows are kept beside their terms, so that no other list gets their identity.
        if (id(some), figure) not in known:
            known[id(some), figure] = some, result_terms(run.benchmark.scoring.metric(figure), some)
        return known[id(some), figure][1]

    found = []
    for first, second, figure in cases:
        mine, theirs = keep_shared_rows(rows[id(first)], rows[id(second)])
        found.append((terms(mine, first, figure), terms(theirs, second, figure)))
    return found


def keep_shared_rows(first: Sequence[Row], second: Sequence[Row]) -> tuple[Sequence[Row], Sequence[Row]]:
    """Both sides without the rows of a shared cluster that the other lacks: a dialogue is compared on the same turns."""
    keys = [{(row.score.sample, row.score.trial) for row in side} for side in (first, second)]
    if keys[0] == keys[1]:
        return first, second
    shared = keys[0] & keys[1]
    both = {row.cluster for row in first} & {row.cluster for row in second}
    sides = [
        [row for row in side if row.cluster not in both or (row.score.sample, row.score.trial) in shared]
        for side in (first, second)
    ]
    return sides[0], sides[1]


@dataclass(frozen=True, slots=True)
class SampleScore:
    """One sample's score in one run, its trials averaged."""

    score: float
    groups: Mapping[str, str]


def scores_by_sample(run: ComparedRun) -> dict[str, SampleScore]:
    """Each scored sample's own headline."""
    trials: dict[str, list[float]] = {}
    groups: dict[str, Mapping[str, str]] = {}
    for item, score in zip(run.graded, sample_scores(run.setup, run.graded), strict=True):
        if score is not None:
            trials.setdefault(item.sample.id, []).append(score)
            groups[item.sample.id] = item.sample.groups
    return {name: SampleScore(fmean(values), groups[name]) for name, values in trials.items()}


def win_tie_loss_rows(
    first: ComparedRun,
    second: ComparedRun,
    first_scores: Mapping[str, SampleScore],
    second_scores: Mapping[str, SampleScore],
) -> list[WinTieLoss]:
    """Wins, ties and losses over all shared samples, then by every breakdown."""
    tallies: dict[tuple[str, str], list[int]] = {(ALL_SAMPLES, ALL_SAMPLES): [0, 0, 0]}
    for grouping in first.benchmark.scoring.groupings:
        tallies.update({(grouping.name, key): [0, 0, 0] for key in grouping.keys})
    names = [grouping.name for grouping in first.benchmark.scoring.groupings]
    for sample, mine in first_scores.items():
        if sample not in second_scores:
            continue
        gap = mine.score - second_scores[sample].score
        outcome = 1 if abs(gap) <= SAME else 0 if gap > 0 else 2
        places = [(name, mine.groups[name]) for name in names if name in mine.groups]
        for place in [(ALL_SAMPLES, ALL_SAMPLES), *places]:
            tallies.setdefault(place, [0, 0, 0])[outcome] += 1
    return [
        WinTieLoss(first.label, second.label, group, key, *counts)
        for (group, key), counts in tallies.items()
        if any(counts)
    ]


def flipped_samples(
    first: ComparedRun,
    second: ComparedRun,
    first_scores: Mapping[str, SampleScore],
    second_scores: Mapping[str, SampleScore],
) -> list[Flipped]:
    """The samples that exactly one of the two solves, the largest gaps first."""
    found = [
        Flipped(sample, mine.groups, first.label, second.label, mine.score, second_scores[sample].score)
        for sample, mine in first_scores.items()
        if sample in second_scores and (mine.score >= SOLVED) != (second_scores[sample].score >= SOLVED)
    ]
    return sorted(found, key=lambda item: -abs(item.first_score - item.second_score))
