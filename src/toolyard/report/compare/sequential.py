"""Two runs compared cluster by cluster: when would it have been clear which is better, and what would that have saved."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from toolyard.core.errors import UsageError, refuse_unknown
from toolyard.core.table import Table
from toolyard.core.types import JsonValue, Profile
from toolyard.lines import read_lines
from toolyard.report.compare.compared_runs import ComparedRun, load_runs
from toolyard.report.compare.comparison import figures_to_test
from toolyard.report.tables.formats import percent, signed_points, words
from toolyard.run.store.run_directory import TRANSCRIPTS
from toolyard.stats.bootstrap import rows_by_cluster
from toolyard.stats.paired import cluster_differences, pair_terms
from toolyard.stats.sequential import LEVEL, SequentialStop, find_stop
from toolyard.stats.summary import rows_of

SEEDED, AS_RUN = "seeded", "run"
VERDICTS = {"first": "first is better", "second": "second is better", "alike": "alike within the margin"}


@dataclass(frozen=True, slots=True)
class SequentialPair:
    """One pair of runs in one figure, and where it stopped; None where they share nothing."""

    first: str
    second: str
    figure: str
    stopped: SequentialStop | None

    def to_json(self) -> dict[str, JsonValue]:
        """What `toolyard compare --sequential --json` prints for it."""
        found = {"first": self.first, "second": self.second, "figure": self.figure}
        if self.stopped is None:
            return {**found, "verdict": "unclear", "clusters": 0, "of": 0}
        look = self.stopped.look
        return {
            **found,
            "verdict": self.stopped.verdict,
            "clusters": look.count,
            "of": self.stopped.of,
            "saved": self.stopped.saved_share,
            "difference": look.mean,
            "interval": [look.low, look.high],
        }


def compare_sequentially(
    folders: Sequence[Path],
    *,
    profile: Profile = "paper",
    figures: Sequence[str] = (),
    margin: float = 0.0,
    order: str = SEEDED,
    seed: int = 0,
    force: bool = False,
) -> list[SequentialPair]:
    """Every pair of runs of one benchmark; several pairs or figures share the level (Bonferroni)."""
    refuse_unknown("--order", order, (SEEDED, AS_RUN))
    if not 0 <= margin < 1:
        raise UsageError(f"--margin {margin:g} is not a fraction from 0 to 1 (0.02 is two points)")
    cases = [
        (first, second, figure)
        for runs in load_runs(folders, profile, {}, force=force).values()
        for first, second in combinations(runs, 2)
        for figure in figures_to_test(first.setup, figures)
    ]
    level = LEVEL / max(1, len(cases))
    return [
        SequentialPair(
            first.label,
            second.label,
            figure,
            find_stop(ordered_differences(first, second, figure, order, seed), level=level, margin=margin),
        )
        for first, second, figure in cases
    ]


def ordered_differences(
    first: ComparedRun, second: ComparedRun, figure: str, order: str, seed: int
) -> list[float]:
    """Each shared cluster's own difference in the figure, in a seeded order or in that in which both were answered."""
    metric = first.benchmark.scoring.metric(figure)
    left, right = (
        {rows[0].cluster: rows for rows in rows_by_cluster(rows_of(run.graded))} for run in (first, second)
    )
    shared = [name for name in left if name in right]
    if order == AS_RUN:
        places = [completion_lines(run) for run in (first, second)]
        shared.sort(key=lambda name: max(found.get(name, 0) for found in places))
    else:
        random.Random(seed).shuffle(shared)
    found = []
    for name in shared:
        pairs = pair_terms(metric, left[name], right[name])
        if pairs is not None:
            found += [float(value) for value in cluster_differences(metric, pairs)]
    return found


def completion_lines(run: ComparedRun) -> dict[str, int]:
    """For each cluster, the line of transcripts.jsonl with which it was complete."""
    cluster_of = {item.sample.id: item.sample.cluster for item in run.graded}
    lines = enumerate(read_lines(run.folder / TRANSCRIPTS))
    return {cluster_of[line["sample"]]: place for place, line in lines if line["sample"] in cluster_of}


def sequential_table(found: Sequence[SequentialPair], margin: float) -> Table:
    """Every pair with the look at which it was clear."""
    columns = ("first", "second", "metric", "verdict", "clear after", "of", "saved", "difference [95 %]")
    rows = tuple(_table_row(item) for item in found)
    within = f"; alike: inside of ±{percent(margin)}" if margin else ""
    note = (
        "clusters in a fixed order, mean of their own differences in points; the interval holds at all looks together "
        f"(hedged capital of bets), so that stopping at the first clear one is wrong at most 5 % of the time over the "
        f"{len(found)} comparisons of this table{within}"
    )
    return Table("sequential comparison", columns, rows, note)


def _table_row(item: SequentialPair) -> tuple[object, ...]:
    names = (item.first, item.second, words(item.figure))
    if item.stopped is None:
        return (*names, "nothing shared", None, 0, None, None)
    look, verdict = item.stopped.look, item.stopped.verdict
    clear = verdict in VERDICTS
    return (
        *names,
        VERDICTS.get(verdict, "not clear yet"),
        look.count if clear else None,
        item.stopped.of,
        f"{100 * item.stopped.saved_share:.0f} %" if clear else None,
        f"{signed_points(look.mean)} [{signed_points(look.low)}, {signed_points(look.high)}]",
    )
