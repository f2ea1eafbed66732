"""Runs that end after so many minutes: the items of the data in one seeded order, of which a first part is asked.

    {"reached": {"items": 23, "of": 150, "minutes": 1.0}}      what the manifest keeps

An item (a sample or a dialogue, with all its trials) that was started is finished, however slow it is, and none after it
is asked. So the part that was asked depends on the order and on the time alone, and never on which answers came first.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from toolyard.core.benchmark import Benchmark
from toolyard.core.types import Record, Sample
from toolyard.run.cost.budget import ALL, clusters_by_stratum, clusters_in_seed_order
from toolyard.stats.sample_strata import FEWEST, stratum_order

REACHED = "reached"


@dataclass(frozen=True, slots=True)
class Reached:
    """How many items of the seeded order were started, and in how many minutes."""

    items: int
    of: int
    minutes: float

    def to_json(self) -> dict[str, float]:
        """What the manifest keeps."""
        return {"items": self.items, "of": self.of, "minutes": self.minutes}


def reached_in(manifest: Record | None) -> Reached | None:
    """What a manifest says of the items that were started; None where all of the run is asked."""
    found = (manifest or {}).get(REACHED)
    return None if not found else Reached(int(found["items"]), int(found["of"]), float(found["minutes"]))


def seeded_order(benchmark: Benchmark, samples: Sequence[Sample], seed: int) -> dict[str, str]:
    """Each item with its stratum, in the order in which items are asked.

    Strata are the keys of the benchmark's main group. At every point the items so far are in proportion to them, and
    within a stratum they come as a `--budget` draws them.
    """
    main = benchmark.scoring.main_group
    strata = clusters_by_stratum(samples, [main] if main else [])
    queues = {name: iter(clusters_in_seed_order(clusters, seed)) for name, clusters in strata.items()}
    sizes = {name: len(clusters) for name, clusters in strata.items()}
    return {next(queues[name]): name for name in stratum_order(sizes, sizes)}


def reached_samples(
    benchmark: Benchmark, samples: Sequence[Sample], seed: int, items: int
) -> tuple[Sample, ...]:
    """The samples of the first items of the seeded order, each weighted to stand for its stratum.

    Where a stratum has fewer than two of them, nobody knows its spread: intervals then resample over all items.
    """
    order = seeded_order(benchmark, samples, seed)
    asked = dict(list(order.items())[:items])
    sizes, counts = Counter(order.values()), Counter(asked.values())
    if len(asked) == len(order):
        return tuple(samples)
    thin = any(counts[name] < min(FEWEST, size) for name, size in sizes.items())
    weights = {name: sizes[name] / count for name, count in counts.items()}
    return tuple(
        replace(sample, stratum=ALL if thin else name, weight=weights[name])
        for sample in samples
        if (name := asked.get(sample.cluster)) is not None
    )
