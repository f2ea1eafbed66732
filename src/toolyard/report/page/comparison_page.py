"""A comparison as one self-contained page, in the report's look and under the report's policy."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations

from markupsafe import Markup

from toolyard import __version__
from toolyard.core.exhibits import Exhibit
from toolyard.report.charts.comparison_charts import comparison_charts
from toolyard.report.charts.exhibit_charts import exhibit_charts
from toolyard.report.compare.comparison import Comparison, Flipped
from toolyard.report.compare.short_verdict import short_verdict
from toolyard.report.page.run_page import Assets, draw_charts, join_assets, page_environment
from toolyard.report.tables.comparison_tables import (
    difference_table,
    leaderboard,
    leaderboard_note,
    run_statistics,
    short_differences,
)
from toolyard.report.tables.exhibit_tables import exhibit_table
from toolyard.report.tables.overview_tables import overview_table
from toolyard.report.tables.statistics_tables import sample_score_words
from toolyard.text.counted_nouns import how_many

STYLES = ("base.css", "tables.css", "charts.css", "print.css", "compare.css")
SCRIPTS = ("theme.js", "compare.js")
# Rows that a page draws without a pause; the JSON holds all.
MOST_FLIPPED = 2000


@cache
def comparison_assets() -> Assets:
    """Style and script of the comparison and the capability pages."""
    return join_assets(STYLES, SCRIPTS)


def page_text(template: str, **content: object) -> str:
    """A page of this family: its shell is filled in here, everything is escaped by the template."""
    parts = comparison_assets()
    page = page_environment().get_template(template).render(
        style=Markup(parts.style),  # noqa: S704  our own file
        script=Markup(parts.script),  # noqa: S704  our own file
        policy=parts.policy,
        package_version=__version__,
        **{"verdict": None, "notices": (), **content},
    )  # fmt: skip
    return page.encode("utf-8", "backslashreplace").decode("utf-8")


@dataclass(frozen=True, slots=True)
class ShownTranscript:
    """One sample's conversation, which is shown and not scored: who said what, in order."""

    title: str
    sample: str
    turns: tuple[tuple[str, str], ...]


def render_comparison(
    comparisons: Mapping[str, Comparison],
    exhibits: Mapping[str, Sequence[Exhibit]] | None = None,
    *,
    title: str = "",
    notices: Sequence[str] = (),
    transcripts: Iterable[ShownTranscript] = (),
    statistics: bool = True,
) -> str:
    """All comparisons, one section per benchmark, each with the paper's tables and figures over the runs.

    `notices` stand below the title, `transcripts` after the last section: they are read last, and may still be on
    their way. `statistics` adds those of each run.
    """
    shown = exhibits or {}
    parts = [
        benchmark_part(name, comparison, shown.get(name, ()), statistics=statistics)
        for name, comparison in comparisons.items()
    ]
    runs = [run for item in comparisons.values() for run in item.runs]
    labels = dict.fromkeys(run.label for run in runs)
    models = {run.facts.name or run.model for run in runs}
    counted = how_many(len(models), "model")
    if len(models) < len(runs):
        counted = f"{how_many(len(runs), 'run')} of {counted}"
    return page_text(
        "compare.html.j2",
        title=title or f"{counted} compared",
        kicker=", ".join(labels),
        links=[
            (name, comparison.benchmark.about.title.partition(":")[0])
            for name, comparison in comparisons.items()
        ],
        notices=notices,
        overview=overview_table(comparisons.values()) if len(comparisons) > 1 else None,
        parts=parts,
        transcripts=list(transcripts),
    )


def benchmark_part(
    name: str, comparison: Comparison, exhibits: Sequence[Exhibit] = (), *, statistics: bool = True
) -> dict[str, object]:
    """What the template shows of one benchmark."""
    flipped, charts = largest_flips(comparison), comparison_charts(comparison)
    labels = [run.label for run in comparison.runs]
    return {
        "name": name,
        "title": comparison.benchmark.about.title,
        "own_headline": sample_score_words(comparison.setup),
        "verdict": short_verdict(comparison),
        "remarks": comparison.remarks,
        # The remarks stand below it by themselves.
        "leaderboard": replace(leaderboard(comparison), note=leaderboard_note(comparison, remarks=False)),
        "differences": short_differences(comparison) if comparison.differences else None,
        "tests": replace(difference_table(comparison), title="Tests of the pairs"),
        "records": comparison.records,
        "pairs": [f"{first} / {second}" for first, second in combinations(labels, 2)],
        "labels": labels,
        "flipped": flipped,
        "flipped_left_out": len(comparison.flipped) - len(flipped),
        "dots": draw_charts(charts[:1]),
        "charts": draw_charts(charts[1:]),
        "exhibits": [exhibit_table(item) for item in exhibits if item.kind == "table"],
        "figures": draw_charts(exhibit_charts(exhibits)),
        "statistics": [
            table for run in comparison.ranked_runs if statistics for table in run_statistics(run)
        ],
    }


def largest_flips(comparison: Comparison) -> list[Flipped]:
    """The flipped samples with the largest gaps, pairs in order."""
    gaps = sorted(comparison.flipped, key=lambda item: -abs(item.first_score - item.second_score))
    kept = set(map(id, gaps[:MOST_FLIPPED]))
    return [item for item in comparison.flipped if id(item) in kept]
