"""The part of the data that a budget buys: drawn within the benchmark's own groups, weighted to stand for all."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from toolyard.core.benchmark import Benchmark
from toolyard.core.errors import DataError, UsageError
from toolyard.core.metrics import Floats, Metric, Row
from toolyard.core.types import Sample, derived_seed
from toolyard.lines import read_lines
from toolyard.run.plan.run_config import RunConfig, setup_of_manifest
from toolyard.run.store.records import read_score
from toolyard.run.store.run_directory import SCORES, RunStore
from toolyard.stats.bootstrap import TermMatrices, rows_by_cluster
from toolyard.stats.sample_strata import FEWEST, allocate_samples, floor_spreads, standard_deviation

ALL = "all"
# With fewer places a stratum gets what every stratum gets at least, and nothing is left to be spent well.
PLACES = 4


@dataclass(frozen=True, slots=True)
class DrawnPart:
    """The samples of a run with their strata and weights, and how the budget was spent."""

    samples: tuple[Sample, ...]
    allocation: Mapping[str, int]


def drawn_part(benchmark: Benchmark, samples: Sequence[Sample], config: RunConfig) -> DrawnPart:
    """The part that a budget buys; an allocation that the config already has is kept."""
    budget = config.budget or 0
    names = stratifying_groupings(benchmark, samples, budget)
    strata = clusters_by_stratum(samples, names)
    sizes = {name: len(clusters) for name, clusters in strata.items()}
    spreads = None if config.pilot is None else pilot_spreads(benchmark, config.pilot, names, sizes)
    allocation = dict(config.allocation) or allocate_samples(sizes, budget, spreads)
    if allocation.keys() != sizes.keys():
        raise DataError(
            "the budget of this run was spent on other strata; the data or their groups have changed"
        )
    places: dict[str, tuple[str, float]] = {}
    for name, clusters in strata.items():
        taken = clusters_in_seed_order(clusters, config.seed)[: allocation[name]]
        places |= {cluster: (name, len(clusters) / len(taken)) for cluster in taken}
    chosen = tuple(
        replace(sample, stratum=places[sample.cluster][0], weight=places[sample.cluster][1])
        for sample in samples
        if sample.cluster in places
    )
    return DrawnPart(chosen, allocation)


def clusters_in_seed_order(clusters: Sequence[str], seed: int) -> list[str]:
    """The clusters in the order that a seed gives them, whichever others there are."""
    return sorted(clusters, key=lambda cluster: (derived_seed(seed, cluster, 0), cluster))


def stratifying_groupings(benchmark: Benchmark, samples: Sequence[Sample], budget: int) -> tuple[str, ...]:
    """The groupings whose keys make the strata: as many as leave four places for each stratum on average."""
    clusters = len({sample.cluster for sample in samples})
    if budget > clusters:
        raise UsageError(f"--budget {budget} is more than the {clusters} items of the data; leave it out")
    main = benchmark.scoring.main_group
    ordered = [main, *(item.name for item in benchmark.scoring.groupings if item.name != main)]
    names: tuple[str, ...] = ()
    for name in filter(None, ordered):
        if PLACES * len(clusters_by_stratum(samples, (*names, name))) <= budget:
            names = (*names, name)
    return names


def clusters_by_stratum(samples: Sequence[Sample], names: Sequence[str]) -> dict[str, list[str]]:
    """The clusters of every combination of keys, a dialogue by its first sample."""
    first = {sample.cluster: sample for sample in reversed(samples)}
    found: dict[str, list[str]] = defaultdict(list)
    for cluster in dict.fromkeys(sample.cluster for sample in samples):
        found[stratum_name(first[cluster].groups, names)].append(cluster)
    return dict(sorted(found.items()))


def stratum_name(groups: Mapping[str, str], names: Sequence[str]) -> str:
    """The name of the stratum, its keys in order."""
    return ", ".join(groups.get(name, "none") for name in names) or ALL


def pilot_spreads(
    benchmark: Benchmark, folder: Path, names: Sequence[str], sizes: Mapping[str, int]
) -> dict[str, float]:
    """How far the clusters of each stratum of an earlier run pull its headline apart."""
    manifest = RunStore(folder).manifest()
    if manifest is None or not (folder / SCORES).exists():
        raise DataError(f"--pilot {folder} holds no finished run; give a directory that `toolyard run` made")
    if manifest["identity"]["benchmark"] != benchmark.name:
        raise UsageError(
            f"--pilot {folder} is a run of {manifest['identity']['benchmark']}; wanted one of {benchmark.name}"
        )
    setup = setup_of_manifest(benchmark, manifest)
    scored = [
        Row(score, line["cluster"], line["groups"])
        for line in read_lines(folder / SCORES)
        if (score := read_score(line["sample"], line["trial"], line["profiles"]["paper"])).unscored is None
    ]
    clusters = rows_by_cluster(scored)
    pulls = cluster_influences(benchmark.scoring.metric(setup.headline), clusters)
    found: dict[str, list[float]] = defaultdict(list)
    for rows, pull in zip(clusters, pulls, strict=True):
        found[stratum_name(rows[0].groups, names)].append(float(pull))
    return floor_spreads(
        {name: standard_deviation(values) for name, values in found.items() if len(values) >= FEWEST}, sizes
    )


def cluster_influences(metric: Metric, clusters: Sequence[Sequence[Row]]) -> Floats:
    """How much each cluster moves the figure: n times the change from leaving it out, 0 where that is undefined."""
    import numpy as np

    terms = TermMatrices(clusters, {}).matrix(metric)
    total = terms.sum(axis=0)
    moved: Floats = len(clusters) * (metric.value(total) - metric.value(total - terms))
    return np.where(np.isnan(moved), 0.0, moved)
