"""What a budget and a sequential comparison save, and how often they are wrong, on recorded answers.

    python bench/budget.py [resamplings]       # default 1000; about four minutes on one core

Budget: parts of several sizes are drawn again and again from a recorded run of all clusters, by chance alone (`--limit`
would be no better), stratified in proportion, and stratified after Neyman with another model as the pilot. Beside the error
of the headline stands how often the 95 % interval covers the headline of all clusters.

Sequential: the clusters of two recorded runs come in random order until the comparison is clear. Equal pairs are made by
swapping the two results of clusters by a fair coin; whoever calls one of them better is wrong. Looking with an ordinary
test after every tenth cluster is shown beside it. Writes results/budget.md.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from recorded import RESULTS, Pair, Recorded, mtu_models, nestools_models, paired

from toolyard.core.metrics import Metric, Row
from toolyard.run.cost.budget import cluster_influences, stratum_name
from toolyard.stats.agreement import wilson_share
from toolyard.stats.bootstrap import KnownTerms, estimate, rows_by_cluster
from toolyard.stats.distributions import t_tail
from toolyard.stats.paired import cluster_differences
from toolyard.stats.sample_strata import allocate_samples, floor_spreads, standard_deviation
from toolyard.stats.sequential import find_stop
from toolyard.stats.summary import rows_of

BUDGETS = (40, 160)
RESAMPLES = 200
# Of all resamplings, the share that a line of the first table takes: its figures are means, not rare events.
SHARE = 0.2
LEVEL = 0.05
LOOKS_EVERY = 10

Clusters = list[list[Row]]


@dataclass(frozen=True, slots=True)
class Population:
    """A recorded run by strata, with the spreads that a pilot of another model would give."""

    title: str
    metric: Metric
    strata: dict[str, Clusters]
    spreads: dict[str, float]
    # rows with their weights and terms of clusters, each made once
    weighted: dict[tuple[str, int], Clusters] = field(default_factory=dict)
    known: KnownTerms = field(default_factory=dict)

    @property
    def sizes(self) -> dict[str, int]:
        """Clusters of each stratum."""
        return {name: len(clusters) for name, clusters in self.strata.items()}

    @property
    def truth(self) -> float:
        """The headline of all clusters."""
        rows = [row for clusters in self.strata.values() for cluster in clusters for row in cluster]
        value = estimate([self.metric], rows, resamples=0)[self.metric.name].value
        assert value is not None
        return value


def by_stratum(clusters: Sequence[list[Row]], group: str) -> dict[str, Clusters]:
    """The clusters of each key of the benchmark's main group."""
    found: dict[str, Clusters] = {}
    for rows in clusters:
        found.setdefault(stratum_name(rows[0].groups, (group,)), []).append(rows)
    return found


def population(model: Recorded, pilot: Recorded) -> Population:
    """One model's run, with a pilot of another."""
    scoring = model.benchmark.scoring
    metric, group = scoring.metric(scoring.headline), scoring.main_group
    strata = by_stratum(rows_by_cluster(rows_of(model.graded)), group)
    first = rows_by_cluster(rows_of(pilot.graded))
    pulls: dict[str, list[float]] = {}
    for rows, pull in zip(first, cluster_influences(metric, first), strict=True):
        pulls.setdefault(stratum_name(rows[0].groups, (group,)), []).append(float(pull))
    sizes = {name: len(clusters) for name, clusters in strata.items()}
    spreads = floor_spreads({name: standard_deviation(values) for name, values in pulls.items()}, sizes)
    title = f"{model.name}, {model.benchmark.name} (pilot {pilot.name})"
    return Population(title, metric, strata, spreads)


def by_chance(whole: Population, budget: int, generator: np.random.Generator) -> list[Row]:
    """Clusters drawn without strata or weights."""
    clusters = [rows for members in whole.strata.values() for rows in members]
    taken = generator.choice(len(clusters), budget, replace=False)
    return [row for place in taken for row in clusters[place]]


def stratified(
    whole: Population, budget: int, generator: np.random.Generator, spreads: dict[str, float] | None = None
) -> list[Row]:
    """Clusters drawn within strata, weighted to stand for all."""
    rows = []
    for name, count in allocate_samples(whole.sizes, budget, spreads).items():
        members = standing_for_all(whole, name, count)
        for place in generator.choice(len(members), count, replace=False):
            rows += members[place]
    return rows


def standing_for_all(whole: Population, name: str, count: int) -> Clusters:
    """The clusters of a stratum with the weight that they have when so many are drawn."""
    if (name, count) not in whole.weighted:
        weight = len(whole.strata[name]) / count
        whole.weighted[name, count] = [
            [Row(row.score, row.cluster, row.groups, name, weight) for row in rows]
            for rows in whole.strata[name]
        ]
    return whole.weighted[name, count]


def with_pilot(whole: Population, budget: int, generator: np.random.Generator) -> list[Row]:
    """The same, after Neyman."""
    return stratified(whole, budget, generator, whole.spreads)


WAYS: dict[str, Callable[[Population, int, np.random.Generator], list[Row]]] = {
    "by chance": by_chance,
    "`--budget`": stratified,
    "`--budget --pilot`": with_pilot,
}


def budget_lines(whole: Population, times: int) -> list[str]:
    """One line per size and way of drawing."""
    lines, truth = [], whole.truth
    total = sum(whole.sizes.values())
    for budget in [size for size in BUDGETS if size < 0.6 * total]:
        for way, draw in WAYS.items():
            generator = np.random.default_rng(20261116)
            errors, widths, covered = [], [], 0
            for number in range(times):
                rows = draw(whole, budget, generator)
                found = estimate([whole.metric], rows, seed=number, resamples=RESAMPLES, known=whole.known)[
                    whole.metric.name
                ]
                if found.value is None or found.low is None or found.high is None:
                    continue
                errors.append(found.value - truth)
                widths.append(found.high - found.low)
                covered += found.low <= truth <= found.high
            error = math.sqrt(float(np.mean(np.square(errors))))
            lines.append(
                f"| {whole.title} | {budget} of {total} | {way} | {100 * error:.2f} | {100 * float(np.mean(errors)):+.2f} | "
                f"{100 * float(np.mean(widths)):.1f} | {shown(covered, times)} | {100 * (1 - budget / total):.0f} % |"
            )
    return lines


def shown(hits: int, total: int) -> str:
    """A share in percent with its interval."""
    found = wilson_share(hits, total)
    assert found.value is not None and found.low is not None and found.high is not None
    return f"{100 * found.value:.1f} [{100 * found.low:.1f}, {100 * found.high:.1f}]"


def peeking(differences: Sequence[float]) -> str:
    """What somebody says who looks with a t test after every tenth cluster and stops when it is significant."""
    values = np.asarray(differences)
    for count in range(LOOKS_EVERY, len(values) + 1, LOOKS_EVERY):
        seen = values[:count]
        error = float(seen.std(ddof=1)) / math.sqrt(count)
        if error > 0 and 2 * t_tail(abs(float(seen.mean())) / error, count - 1) < LEVEL:
            return "first" if seen.mean() > 0 else "second"
    return "unclear"


def sequential_line(pair: Pair, times: int, *, equal: bool) -> str:
    """How often each verdict is given, after how many clusters, and how often it is wrong."""
    own = cluster_differences(pair.metric, pair.terms)
    truth = "neither" if equal else ("first" if own.mean() > 0 else "second")
    generator = np.random.default_rng(20261116)
    verdicts, counts, wrong, wrong_peeks = [], [], 0, 0
    for _ in range(times):
        drawn = generator.permutation(own) if not equal else generator.choice(own, len(own))
        signs = generator.choice([-1.0, 1.0], len(own)) if equal else np.ones(len(own))
        found = find_stop(list(drawn * signs), level=LEVEL)
        assert found is not None
        verdicts.append(found.verdict)
        counts.append(found.look.count)
        wrong += found.verdict not in (truth, "unclear")
        wrong_peeks += peeking(list(drawn * signs)) not in (truth, "unclear")
    clear = times - verdicts.count("unclear")
    saved = 1 - float(np.mean(counts)) / len(own)
    difference = 0.0 if equal else 100 * float(own.mean())
    return (
        f"| {pair.title} | {difference:+.1f} | {len(own)} | {shown(clear, times)} | {np.median(counts):.0f} | "
        f"{100 * saved:.0f} % | {shown(wrong, times)} | {shown(wrong_peeks, times)} |"
    )


def report(times: int) -> str:
    """The whole page."""
    mtu, nestools = mtu_models(), nestools_models()
    populations = [
        population(mtu["GPT-4"], mtu["SmolLM2-135M tuned"]),
        population(nestools["drop_calls_10"], nestools["rename_id_10"]),
    ]
    pairs = [
        paired(mtu["GPT-4"], mtu["SmolLM2-135M tuned"], "average"),
        paired(mtu["SmolLM2-135M tuned"], mtu["SmolLM2-135M"], "average"),
        paired(mtu["Qwen2.5-Coder-1.5B"], mtu["SmolLM2-135M"], "average"),
        paired(mtu["perfect"], mtu["unparsable_5"], "average"),
        paired(mtu["wrong_value_15"], mtu["dropped_call_20"], "average"),
        paired(nestools["perfect"], nestools["invalid_json_05"], "average"),
    ]
    head = (
        "| pair | difference | clusters | clear % | median clusters | requests saved | wrong % | wrong when peeking % |\n"
        "|---|---:|---:|---:|---:|---:|---:|---:|"
    )
    parts = [
        f"# Cheaper evaluation: what is saved, what goes wrong\n\n`bench/budget.py {times}`\n",
        f"## A part of the data on a budget ({round(SHARE * times)} draws a line)\n\nPoints; error: root mean square, "
        "headline of the part minus that of all.\n",
        "| run | clusters | drawn | error | bias | width of the interval | covers % | requests saved |",
        "|---|---:|---|---:|---:|---:|---:|---:|",
        *[line for whole in populations for line in budget_lines(whole, round(SHARE * times))],
        f"\n## Sequential comparison, level {LEVEL:g} ({times} resamplings a line)\n\n"
        "The recorded pairs, clusters in random order; saved: on average, "
        "clusters not needed, 0 where it never got clear. Wrong: the verdict names the other one.\n",
        head,
        *[sequential_line(pair, times, equal=False) for pair in pairs],
        "\n## Sequential comparison of equal pairs\n\nEvery verdict for one side is wrong.\n",
        head,
        *[sequential_line(pair, times, equal=True) for pair in pairs[:4]],
    ]
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    text = report(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
    (RESULTS / "budget.md").write_text(text, encoding="utf-8")
    print(text)
