"""The tables of a run, the same for terminal, Markdown and page."""

from toolyard.core.benchmark import Benchmark
from toolyard.core.table import Table
from toolyard.core.untrusted.limits import CALLS_PER_REPLY
from toolyard.models.shown_tools import unseen_tools_note
from toolyard.report.abilities import main_figures
from toolyard.report.content import Report
from toolyard.report.tables.formats import percent, share_above_chance, with_interval, words
from toolyard.report.tables.group_tables import group_tables
from toolyard.report.tables.pooled_notes import pooled_note
from toolyard.report.tables.published_tables import published_tables
from toolyard.report.tables.resource_tables import resource_tables
from toolyard.report.tables.statistics_tables import trial_rates
from toolyard.run.plan.minutes import reached_in
from toolyard.stats.significance import FEW_SAMPLES
from toolyard.stats.summary import Summary
from toolyard.text.counted_nouns import how_many
from toolyard.text.printable import printable_line


def summary_tables(benchmark: Benchmark, summary: Summary) -> list[Table]:
    """Figures, groups and error counts under one profile."""
    tables = [figure_table(benchmark, summary), *group_tables(benchmark, summary)]
    if summary.errors:
        tables.append(error_table(summary))
    return tables


def figure_table(benchmark: Benchmark, summary: Summary) -> Table:
    """Every figure with its interval."""
    rows = tuple(
        (words(name), with_interval(figure), figure.count) for name, figure in summary.figures.items()
    )
    return Table(
        benchmark.title_with_version(summary.version, summary.profile),
        ("metric", "percent [95 % interval]", "n"),
        rows,
        "; ".join(filter(None, [unscored_note(summary), pooled_note(benchmark, summary.figures)])),
    )


def few_note(summary: Summary) -> str:
    """That intervals stand on few clusters; empty where there are enough."""
    if not 0 < summary.clusters < FEW_SAMPLES:
        return ""
    within = "" if summary.clusters == summary.samples else f" in {how_many(summary.clusters, 'cluster')}"
    return f"{summary.samples} scored{within}, too few to say much: the intervals are wide and rough"


def unscored_note(summary: Summary) -> str:
    """How many samples the figures stand on, and what was left out."""
    note = few_note(summary) or f"{summary.samples} scored"
    if not summary.unscored:
        return note
    reasons = ", ".join(f"{reason} {count}" for reason, count in summary.unscored_reasons.items())
    return f"{note}, {summary.unscored} unscored ({reasons})"


def answers_note(report: Report) -> str:
    """On how many of the scored answers the headline is based; empty where it is all of them."""
    paper, headline = report.summaries["paper"], report.setup.headline
    count = paper.figures[headline].count
    if count is None or count == paper.samples:
        return ""
    return f"{words(headline)} is based on {count:,} of them"


def error_table(summary: Summary) -> Table:
    """How often each error label was given."""
    rows = tuple(
        (words(kind), words(label), count)
        for kind, labels in summary.errors.items()
        for label, count in labels.items()
    )
    return Table("errors", ("class", "label", "count"), rows)


def report_tables(report: Report, *, published: bool = False, full: bool = True) -> list[Table]:
    """Metrics with baselines; `full` adds every metric, the groups and the errors."""
    paper = report.summaries["paper"]
    tables = [results_table(report, full=full)]
    if full:
        tables.extend(group_tables(report.benchmark, paper))
        if paper.errors:
            tables.append(error_table(paper))
        tables.extend(resource_tables(report))
    if published:
        tables.extend(published_tables(report, full=full))
    return tables


def results_table(report: Report, *, full: bool = True) -> Table:
    """Metrics under each profile, with the trivial baselines and corrected for chance."""
    paper = report.summaries["paper"]
    both = "official" in report.summaries
    names = [baseline.name.removeprefix("scripted/") for baseline in report.strongest_first]
    shown = {report.setup.headline, *main_figures(report)}
    rows = tuple(
        (
            f"{words(name)} (headline)" if name == report.setup.headline else words(name),
            with_interval(figure),
            *([percent(report.official_value(name))] if both else []),
            share_above_chance(report.chance_corrected(name)),
            *(percent(baseline.figures.get(name)) for baseline in report.strongest_first),
        )
        for name, figure in paper.figures.items()
        if full or name in shown
    )
    scores = ("paper [95 %]", "official") if both else ("percent [95 %]",)
    columns = ("metric", *scores, "above chance", *names)
    config = report.run.config
    parts = [f"{report.benchmark.about.title} {paper.version}", report.model, config.data]
    if config.style and config.style != report.benchmark.task.styles[0]:
        parts.append(f"style {config.style}")
    if config.variation:
        parts.append(f"variation {config.variation}")
    if config.catalogue:
        parts.append(f"{config.catalogue} tools")
    if config.perturb:
        parts.append(config.perturb)
    title = " · ".join(parts)
    return Table(title, columns, (*rows, *_trial_rows(report, len(columns))), results_note(report, full=full))


def _trial_rows(report: Report, columns: int) -> tuple[tuple[str, ...], ...]:
    """What any and all of a sample's trials reach, where there are several."""
    rates = trial_rates(report.setup, report.graded["paper"])[-1:]
    empty = ("–",) * (columns - 2)
    return tuple(
        (f"{name}{rate.k}", percent(value), *empty)
        for rate in rates
        for name, value in (("pass@", rate.at_least_one), ("pass^", rate.all_of_them))
    )


def budget_note(report: Report) -> str:
    """That figures stand on a weighted part of the data, and how it was drawn."""
    clusters = {sample.cluster: sample.weight for sample in report.run.samples}
    strata = len(report.run.config.allocation)
    return (
        f"a part: {len(clusters)} of {sum(clusters.values()):.0f} items, drawn at random within {strata} strata and "
        "weighted to stand for all; intervals resample within the strata"
    )


def minutes_note(report: Report) -> str:
    """How many items were asked in how many minutes, and for what they stand; empty where all were asked."""
    reached = reached_in(report.manifest)
    if report.run.config.minutes is None or reached is None:
        return ""
    asked = (
        f"{reached.items} of {reached.of} items ({how_many(len(report.run.samples), 'sample')}) asked in "
        f"{reached.minutes:g} min, a random part of every kind"
    )
    weights = {sample.cluster: sample.weight for sample in report.run.samples}
    beyond = reached.of - round(sum(weights.values()))
    left = f"; kinds with {how_many(beyond, 'item')} were not reached" if beyond > 0 else ""
    return f"{asked}, weighted to stand for all{left}; the same command again asks more"


def first_failure(report: Report) -> list[str]:
    """What the first sample without an answer met, in its own words."""
    errors = (each.error for each in report.run.transcripts() if each.error is not None)
    found = next(errors, None)
    return [] if found is None else [f"the first: {printable_line(found.detail or found.kind)[:200]}"]


def cut_note(report: Report) -> str:
    """How many answers ended at the token limit and what gives them room, and calls beyond the limit of a reply."""
    notes = []
    if report.cut_answers:
        limit = report.setup.decoding.max_tokens
        cut = how_many(report.cut_answers, "answer")
        notes.append(f"{cut} cut at the limit of {limit} tokens: --max-tokens N gives more room")
    if report.dropped_calls:
        notes.append(f"{report.dropped_calls:,} tool calls dropped: {CALLS_PER_REPLY} of a reply are kept")
    return "; ".join(notes)


def perturbed_note(report: Report) -> str:
    """In how many answers the perturbation changed a result: a model that calls nothing is not tried by it."""
    answers = how_many(len(report.graded["paper"]), "answer")
    changed = f"{report.run.config.perturb} changed results in {report.perturbed_samples:,} of {answers}"
    return changed if report.perturbed_samples else f"{changed}: it was not tried, as no call showed a result"


def results_note(report: Report, *, full: bool = False) -> str:
    """What the reader must know about the table above; in full also how to read it."""
    paper = report.summaries["paper"]
    parts = [unscored_note(paper), answers_note(report)]
    if paper.withheld:
        parts.append("headline withheld: more than 2 % of the samples are unscored")
        parts.extend(first_failure(report))
    if report.overflows:
        parts.append(f"{report.overflows} prompts did not fit the context and scored as empty answers")
    if cut := cut_note(report):
        parts.append(cut)
    if unseen := unseen_tools_note(report.manifest):
        parts.append(unseen)
    if report.run.config.perturb:
        parts.append(perturbed_note(report))
    if report.run.config.shortest:
        parts.append("the items with the shortest prompts of every kind: easier than the rest, perhaps")
    if report.run.config.budget is not None:
        parts.append(budget_note(report))
    if part := minutes_note(report):
        parts.append(part)
    if full:
        parts.append(pooled_note(report.benchmark, paper.figures))
        parts.append(
            "in percent; right-hand columns are trivial baselines, the strongest first; "
            "above chance = share of the way from the best of them to 100"
        )
    return "; ".join(filter(None, parts))
