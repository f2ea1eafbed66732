"""A comparison as tables, the same for terminal, Markdown and page."""

from collections.abc import Sequence

from toolyard.core.table import Part, Table
from toolyard.report.abilities import ability_figures
from toolyard.report.compare.compared_runs import ComparedRun, ItemSet
from toolyard.report.compare.comparison import ALL_SAMPLES, Comparison, PairedDifference, best_first
from toolyard.report.compare.model_facts import KINDS
from toolyard.report.tables.formats import p_text, percent, with_interval, words
from toolyard.report.tables.statistics_tables import sample_score_words, statistics_tables
from toolyard.stats.paired import PERMUTATIONS
from toolyard.stats.significance import DETECTABLE_FORMULA, SIGNIFICANCE, too_few_clusters
from toolyard.text.counted_nouns import how_many

SHOWN_FLIPS = 20
MOST_ABILITIES = 6


def comparison_tables(comparison: Comparison, *, full: bool = True) -> list[Table]:
    """Leaderboard, differences, records and flipped samples; in full also all statistics and how to read them."""
    tables = [leaderboard(comparison, full=full)]
    if comparison.differences:
        tables.append(difference_table(comparison) if full else short_differences(comparison))
    if comparison.records:
        tables.append(record_table(comparison, full=full))
    if comparison.flipped:
        tables.append(flipped_table(comparison, SHOWN_FLIPS, full=full))
    return tables


def leaderboard(comparison: Comparison, *, full: bool = True) -> Table:
    """Runs by kind of model, best first, then the trivial baselines, with quality, cost and speed."""
    setup = comparison.setup
    figures = shown_abilities(comparison)
    priced = ("cost ($)",) if any(run.cost is not None for run in comparison.runs) else ()
    columns = (
        "model", f"{words(setup.headline)} [95 %]", "n", "kind", "size (B)", *map(words, figures),
        *priced, "seconds", "unscored",
    )  # fmt: skip
    lines = [_lines_beside(comparison, some, figures, priced=bool(priced)) for some in comparison.sets]
    title = setup.benchmark.title_with_version(comparison.runs[0].version, comparison.profile)
    note = leaderboard_note(comparison) if full else "; ".join(comparison.remarks)
    return Table(
        title,
        columns,
        tuple(line for own in lines for line in own),
        note,
        parts=tuple(
            Part(_set_title(comparison, some), len(own))
            for some, own in zip(comparison.sets, lines, strict=True)
        ),
    )


def _set_title(comparison: Comparison, some: ItemSet) -> str:
    """Above runs on other samples than those of the first set: that they do not rank with them."""
    if some is comparison.sets[0]:
        return ""
    return f"{how_many(some.size, 'sample')}: ranked apart"


def _lines_beside(
    comparison: Comparison, some: ItemSet, figures: Sequence[str], *, priced: bool
) -> list[tuple[object, ...]]:
    """The runs on the same samples, and the trivial baselines on those."""
    headline = comparison.setup.headline
    runs = [_leaderboard_row(run, figures, priced=priced) for run in runs_by_kind(best_first(some.runs))]
    baselines = [
        (
            baseline.name,
            percent(baseline.figures.get(headline)),
            None,
            "baseline",
            None,
            *(percent(baseline.figures.get(figure)) for figure in figures),
            *([None] if priced else []),
            None,
            None,
        )
        for baseline in comparison.strongest_beside(some)
    ]
    return [*runs, *baselines]


def shown_abilities(comparison: Comparison) -> list[str]:
    """The metrics besides the headline that any of the runs has."""
    found = dict.fromkeys(
        name for run in comparison.runs for name in ability_figures(comparison.setup, run.summary.figures)
    )
    return list(found)[:MOST_ABILITIES]


def runs_by_kind(runs: Sequence[ComparedRun]) -> list[ComparedRun]:
    """The ranked runs grouped by kind, in the papers' order; unknown kinds last."""
    order = {kind: place for place, kind in enumerate(("closed", "open", "tool-oriented"))}
    return sorted(runs, key=lambda run: order.get(run.facts.kind, len(KINDS)))


def _leaderboard_row(run: ComparedRun, figures: Sequence[str], *, priced: bool) -> tuple[object, ...]:
    headline = run.summary.figures[run.setup.headline]
    return (
        run.label,
        "withheld" if run.summary.withheld else with_interval(headline),
        run.answers,
        run.facts.kind or None,
        run.facts.size,
        *(percent(run.summary.figures[figure].value) for figure in figures),
        *([None if run.cost is None else f"{run.cost:.4f}{run.price_date}"] if priced else []),
        None if run.latency is None else f"{run.latency:.2f}",
        run.summary.unscored,
    )


def leaderboard_note(comparison: Comparison, *, remarks: bool = True) -> str:
    """What the reader must know about the leaderboard."""
    parts = [
        "percent; seconds: median per sample; baselines need no ability"
        if comparison.baselines
        else "percent; seconds: median per sample; no baselines: the data of these runs are gone or changed"
    ]
    if any(run.summary.withheld for run in comparison.runs):
        parts.append("withheld: more than 2 % of the samples are unscored")
    return "; ".join([*parts, *(comparison.remarks if remarks else ())])


def difference_table(comparison: Comparison) -> Table:
    """Every pair with interval, p-value, correction and effect sizes."""
    columns = (
        "first", "second", "metric", "difference [95 %]", "verdict", "p", "p (Holm)", "q (BH)", "d",
        "rank-biserial", "detectable", "clusters",
    )  # fmt: skip
    rows = tuple(_difference_row(item) for item in comparison.differences)
    note = (
        "first minus second in points on shared clusters; interval: paired cluster bootstrap, or what may have stayed "
        "unseen where no cluster differs; p: two-sided "
        f"permutation test (exact or {PERMUTATIONS} draws); Holm and Benjamini-Hochberg over the {len(rows)} "
        "tests of this table; d: Cohen's d of the paired differences; verdict at Holm-corrected "
        f"{SIGNIFICANCE:g}; {DETECTABLE_FORMULA}"
    )
    few = few_clusters_note(comparison)
    return Table("paired differences", columns, rows, f"{note}; {few}" if few else note)


def short_differences(comparison: Comparison) -> Table:
    """Every pair with its difference, the verdict and the corrected p-value."""
    several = len({item.figure for item in comparison.differences}) > 1
    columns = (
        "first", "second", *(["metric"] if several else []), "difference [95 %]", "verdict", "p (Holm)", "n",
    )  # fmt: skip
    rows = tuple(
        (
            item.first,
            item.second,
            *([words(item.figure)] if several else []),
            with_interval(item.test.difference),
            pair_verdict(item),
            p_text(item.p_holm),
            item.test.clusters,
        )
        for item in comparison.differences
    )
    return Table("paired differences", columns, rows, "first minus second, in points")


def few_clusters_note(comparison: Comparison) -> str:
    """Why some pairs of runs cannot differ beyond chance; empty where all of them could."""
    return undecidable_note([item.test.clusters for item in comparison.differences])


def undecidable_note(clusters: Sequence[int]) -> str:
    """Why tests on so many clusters each, corrected together, cannot all show a difference."""
    tested = [count for count in clusters if count]
    # The correction spares a test only beside others that are clearer.
    return too_few_clusters(max(tested, default=0), len(tested)) or too_few_clusters(min(tested, default=0))


def _difference_row(item: PairedDifference) -> tuple[object, ...]:
    test = item.test
    return (
        item.first,
        item.second,
        words(item.figure),
        with_interval(test.difference),
        pair_verdict(item),
        p_text(test.p_value),
        p_text(item.p_holm),
        p_text(item.q_value),
        _effect_text(test.cohens_d),
        _effect_text(test.rank_biserial),
        percent(test.detectable),
        test.clusters,
    )


def pair_verdict(item: PairedDifference) -> str:
    """Which of the two is better beyond chance."""
    if not item.better:
        return "no difference shown"
    return "first is better" if item.better == item.first else "second is better"


def _effect_text(value: float | None) -> str:
    return "–" if value is None else f"{value:+.2f}"


def record_table(comparison: Comparison, *, full: bool = True) -> Table:
    """Wins, ties and losses of every pair, in total and, in full, by group."""
    rows = tuple(
        (
            item.first,
            item.second,
            "all samples" if item.group == ALL_SAMPLES else words(item.group),
            "" if item.group == ALL_SAMPLES else item.key,
            item.wins,
            item.ties,
            item.losses,
        )
        for item in comparison.records
        if full or item.group == ALL_SAMPLES
    )
    note = f"samples on which the first run's own {words(comparison.setup.headline)} is higher, equal, lower"
    return Table("wins, ties and losses", ("first", "second", "by", "key", "win", "tie", "loss"), rows, note)


def flipped_table(comparison: Comparison, flips: int | None, *, full: bool = True) -> Table:
    """The samples that one run of a pair solves and the other does not."""
    found = comparison.flipped
    rows = tuple(
        (
            item.sample,
            item.solved_by,
            item.second if item.solved_by == item.first else item.first,
            percent(min(item.first_score, item.second_score)),
            ", ".join(f"{name} {key}" for name, key in item.groups.items()),
        )
        for item in (found if flips is None else found[:flips])
    )
    notes = [f"solved: {sample_score_words(comparison.setup)} is 100"] if full else []
    if len(rows) < len(found):
        notes.append(f"{len(found) - len(rows)} more: --json lists all")
    columns = ("sample", "solved by", "not by", "its score", "groups")
    return Table(f"{how_many(len(found), 'sample')} that flipped", columns, rows, "; ".join(notes))


def run_statistics(run: ComparedRun) -> list[Table]:
    """The statistics of one run, titled with its name."""
    tables = statistics_tables(run.setup, run.graded, run.summary, seed=run.manifest["identity"]["seed"])
    return [Table(f"{run.label}: {table.title}", table.columns, table.rows, table.note) for table in tables]
