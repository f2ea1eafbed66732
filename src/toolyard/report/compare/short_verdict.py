"""What a comparison comes to, in a few sentences: who leads, against which trivial baseline, and how surely."""

from dataclasses import dataclass

from toolyard.report.compare.compared_runs import ComparedRun, ItemSet
from toolyard.report.compare.comparison import Comparison, PairedDifference, best_first
from toolyard.report.tables.comparison_tables import few_clusters_note
from toolyard.report.tables.formats import p_text, percent, with_interval, words
from toolyard.report.tables.run_tables import few_note
from toolyard.run.grade.baselines import Baseline
from toolyard.text.counted_nouns import how_many

NO_ABILITY = "so the headline shows no ability yet"


@dataclass(frozen=True, slots=True)
class ShortVerdict:
    """The sentences about one benchmark, and whether any run leads beyond what needs no ability."""

    title: str
    lines: tuple[str, ...]
    above_chance: bool


def short_verdict(comparison: Comparison) -> ShortVerdict:
    """Who leads, the best trivial baseline, how many pairs differ, and whether there are enough answers to say so."""
    first = comparison.sets[0]
    baseline = strongest_baseline(comparison, first)
    leading = [run for run in best_first(first.runs) if run.headline is not None]
    above = [run for run in leading if baseline is not None and lies_above(run, baseline)]
    lines = [
        _leader_sentence(comparison, leading),
        *([_baseline_text(comparison, baseline, above)] if baseline is not None else []),
        *(_unranked_set_text(comparison, some) for some in comparison.sets[1:]),
        _pairs_sentence(comparison),
        _unreachable_sentence(comparison),
        _few_samples_sentence(comparison),
    ]
    return ShortVerdict(
        comparison.benchmark.about.title, tuple(filter(None, lines)), bool(above) or baseline is None
    )


def strongest_baseline(comparison: Comparison, some: ItemSet) -> Baseline | None:
    """The trivial baseline with the highest headline on the samples of these runs."""
    name = comparison.setup.headline
    found = comparison.strongest_beside(some)
    return next((item for item in found if item.figures.get(name) is not None), None)


def _unranked_set_text(comparison: Comparison, some: ItemSet) -> str:
    """What runs on other samples score, and the best trivial baseline there."""
    name = comparison.setup.headline
    baseline = strongest_baseline(comparison, some)
    chance = f"; best trivial baseline there: {percent(baseline.figures.get(name))}" if baseline else ""
    scores = ", ".join(f"{run.label} {percent(run.headline)}" for run in best_first(some.runs))
    return f"Not ranked with these, on {how_many(some.size, 'sample')} of their own: {scores}{chance}."


def lies_above(run: ComparedRun, baseline: Baseline) -> bool:
    """Whether the whole interval of a run lies above a baseline on the headline."""
    found, chance = run.summary.figures[run.setup.headline], baseline.figures.get(run.setup.headline)
    low = found.value if found.low is None else found.low
    return low is not None and chance is not None and low > chance


def _leader_sentence(comparison: Comparison, leading: list[ComparedRun]) -> str:
    if not leading:
        return "No run has a headline: more than 2 % of the samples are unscored, or it is undefined."
    best, last = leading[0], leading[-1]
    tested = _headline_differences(comparison)
    if not best.headline or (tested and not any(item.better for item in tested)):
        lowest, highest = percent(last.headline), percent(best.headline)
        between = highest if lowest == highest else f"{lowest} to {highest}"
        return f"No run stands out in {words(comparison.setup.headline)}: {between} percent."
    figure = best.summary.figures[comparison.setup.headline]
    return (
        f"Highest {words(comparison.setup.headline)}: {best.label}, {with_interval(figure)} percent "
        f"on {how_many(best.answers, 'answer')}."
    )


def _baseline_text(comparison: Comparison, baseline: Baseline, above: list[ComparedRun]) -> str:
    chance = percent(baseline.figures.get(comparison.setup.headline))
    sentence = f"Best trivial baseline: {baseline.name}, {chance}; it needs no ability."
    if above:
        count = len(comparison.sets[0].runs)
        return f"{sentence} {len(above)} of {count} runs lie above it with their whole interval."
    why = comparison.benchmark.checks.trivial.why_much(baseline.name) or NO_ABILITY
    return f"{sentence} No run lies above it with its whole interval: {why}."


def _headline_differences(comparison: Comparison) -> list[PairedDifference]:
    """The paired differences of the headline."""
    return [item for item in comparison.differences if item.figure == comparison.setup.headline]


def _pairs_sentence(comparison: Comparison) -> str:
    tested = _headline_differences(comparison)
    if not tested:
        return ""
    if len(tested) == 1:
        [item] = tested
        which = f"{item.better} is better" if item.better else "no difference shown"
        gap = f"{with_interval(item.test.difference)} points, p (Holm) {p_text(item.p_holm)}"
        return (
            f"{item.first} against {item.second}: {which} ({gap}, {how_many(item.test.clusters, 'cluster')})."
        )
    clear = sum(bool(item.better) for item in tested)
    return f"{clear} of {len(tested)} pairs of runs differ beyond chance (Holm-corrected 0.05)."


def _unreachable_sentence(comparison: Comparison) -> str:
    few = few_clusters_note(comparison)
    return f"{few}." if few else ""


def _few_samples_sentence(comparison: Comparison) -> str:
    fewest = min(comparison.runs, key=lambda run: run.summary.samples)
    note = few_note(fewest.summary)
    return f"{fewest.label}: {note}." if note else ""
