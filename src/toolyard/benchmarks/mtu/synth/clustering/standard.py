"""One name and one set of parameters for all tools of a cluster (MTU-Bench Section 2.2, after clustering).

    {("Buses_1", "FindBus"): Rename("FindBus", {"from_location": "from_location"}, {...}),
     ("Buses_11", "FindRoutes"): Rename("FindBus", {"departure_city": "from_location"}, {...})}

Parameters of a member are matched one to one with those of the standard by the likeness of name and description;
what finds no partner is added, so that no call loses a value. Two clusters never share a name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from toolyard.benchmarks.mtu.synth.clustering.clusters import Cluster, Key, key_of
from toolyard.benchmarks.mtu.synth.clustering.partners import PARAMETER_THRESHOLD, Cosine, cosine_of, match
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import CorpusParameter
from toolyard.core.benchmark import Embed
from toolyard.core.types import JsonValue


@dataclass(frozen=True, slots=True)
class Rename:
    """A member's standard name, and the standard names of its parameters and results; both maps are one to one."""

    name: str
    parameters: Mapping[str, str]
    results: Mapping[str, str]


def standardise(
    clusters: Sequence[Cluster], embed: Embed, threshold: float = PARAMETER_THRESHOLD
) -> dict[Key, Rename]:
    """Every tool's renaming, by (service, name)."""
    cosine = cosine_of((tool for cluster in clusters for tool in cluster.members), embed)
    renames: dict[Key, Rename] = {}
    for cluster, name in zip(clusters, standard_names(clusters), strict=True):
        renames |= _renames(cluster, name, cosine, threshold)
    return renames


def standard_names(clusters: Sequence[Cluster]) -> list[str]:
    """A name of its own for every cluster: its centroid's, else another member's, else one with the service.

    Larger clusters choose first; names that differ in case only count as equal.
    """
    order = sorted(
        range(len(clusters)), key=lambda i: (-len(clusters[i].members), key_of(clusters[i].centroid))
    )
    taken: set[str] = set()
    names = [""] * len(clusters)
    for index in order:
        cluster = clusters[index]
        candidates = [cluster.centroid.name, *(tool.name for tool in cluster.members)]
        candidates.append(f"{cluster.centroid.name}_{cluster.centroid.service}")
        name = next((each for each in candidates if each.casefold() not in taken), candidates[-1])
        names[index] = _free(name, taken)
        taken.add(names[index].casefold())
    return names


def _renames(cluster: Cluster, name: str, cosine: Cosine, threshold: float) -> dict[Key, Rename]:
    """The renaming of every member; the centroid goes first, and what a later one adds is there for the next."""
    parameters: dict[str, CorpusParameter] = {}
    results: dict[str, CorpusParameter] = {}
    renames = {}
    for tool in (cluster.centroid, *(tool for tool in cluster.members if tool is not cluster.centroid)):
        given = [*tool.required, *tool.optional]
        mapped = _mapped(given, parameters, {}, cosine, threshold)
        returned = _mapped(tool.results, results, mapped, cosine, threshold)
        for standard, own, names in ((parameters, given, mapped), (results, tool.results, returned)):
            for each in own:
                standard.setdefault(names[each.name], each)
        renames[key_of(tool)] = Rename(name, mapped, returned)
    return renames


def _mapped(
    given: Sequence[CorpusParameter],
    standard: Mapping[str, CorpusParameter],
    fixed: Mapping[str, str],
    cosine: Cosine,
    threshold: float,
) -> dict[str, str]:
    """Standard names for what a member has; a result that is also a parameter is called as that parameter is."""
    names = {each.name: fixed[each.name] for each in given if each.name in fixed}
    unnamed = [each for each in given if each.name not in names]
    used = set(names.values())
    free = {name: held for name, held in standard.items() if name not in used}
    names |= match(unnamed, free, cosine, threshold)
    taken = {name.casefold() for name in (*standard, *names.values())}
    for each in unnamed:
        if each.name not in names:
            names[each.name] = _free(each.name, taken)
            taken.add(names[each.name].casefold())
    return {each.name: names[each.name] for each in given}


def rekeyed(values: Mapping[str, JsonValue], names: Mapping[str, str]) -> dict[str, JsonValue]:
    """The values under their standard names; one without a standard name never takes the place of another."""
    taken = {names[key].casefold() for key in values if key in names}
    renamed_values: dict[str, JsonValue] = {}
    for key, value in values.items():
        name = names[key] if key in names else _free(key, taken)
        taken.add(name.casefold())
        renamed_values[name] = value
    return renamed_values


def _free(name: str, taken: set[str]) -> str:
    """The name, or the first of name_2, name_3 ... that nothing else has."""
    if name.casefold() not in taken:
        return name
    number = 2
    while f"{name}_{number}".casefold() in taken:
        number += 1
    return f"{name}_{number}"
