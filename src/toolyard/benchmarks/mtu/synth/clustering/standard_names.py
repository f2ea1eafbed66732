"""One name and one set of parameters for all tools of a cluster (MTU-Bench Section 2.2, after clustering).

    {("Buses_1", "FindBus"): Rename("FindBus", {"from_location": "from_location"}, {...}),
     ("Buses_11", "FindRoutes"): Rename("FindBus", {"departure_city": "from_location"}, {...})}

Parameters of a member are matched one to one with those of the standard by the likeness of name and description;
what finds no partner is added, so that no call loses a value. Two clusters never share a name.

    leaving_date     departure_date      partners
    from_station     to_station          never: opposite directions
    check_in_date    number_of_days      never: a day is no number
    has_wifi         pets_welcome        left alone: not alike enough

A wrong partner puts a value where it means something else, a missing one only adds an optional parameter. So a pair
must be alike enough, and clearly more so than either is to anything else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from toolyard.benchmarks.mtu.synth.clustering.clusters import (
    DECIMALS,
    WORDS,
    Cluster,
    Key,
    key_of,
    vectors_of,
    words_of,
)
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import CorpusParameter, CorpusTool
from toolyard.core.benchmark import Embed
from toolyard.core.types import JsonValue
from toolyard.text.assignment import cheapest_assignment

# Chosen on the same half of the services as the threshold of the clusters (`bench/mtu_clusters.py`).
PARAMETER_THRESHOLD = 0.55
MARGIN = 0.05
SAME_NAME = 2.0
NEVER = 0.0
TWO_WORDS: Mapping[tuple[str, str], str] = {
    ("check", "in"): "near",
    ("check", "out"): "far",
    ("pick", "up"): "near",
    ("drop", "off"): "far",
}
# A name that says one of these has no partner that says nothing: whoever has a date calls it one.
MEASURED = ("date", "time", "number", "money", "rating", "phone")
ENDS, KINDS = WORDS["ends"], WORDS["kinds"]

Cosine: TypeAlias = Callable[[CorpusParameter, CorpusParameter], float]


def match(
    given: Sequence[CorpusParameter],
    standard: Mapping[str, CorpusParameter],
    cosine: Cosine,
    threshold: float = PARAMETER_THRESHOLD,
) -> dict[str, str]:
    """Standard names for the parameters that have a partner there: one to one, greatest total likeness.

    Equal names of one type go together before anything else.
    """
    if not given or not standard:
        return {}
    names = list(standard)
    scores = np.array([[_score(one, standard[name], cosine, threshold) for name in names] for one in given])
    return {
        given[row].name: names[column]
        for row, column in cheapest_assignment(-scores).items()
        if scores[row, column] > NEVER and _is_clear_match(scores, row, column)
    }


def _is_clear_match(scores: NDArray[np.float64], row: int, column: int) -> bool:
    """Whether no other candidate is close; one that already has a namesake is no alternative."""
    if scores[row, column] == SAME_NAME:
        return True
    free_rows = scores.max(axis=1) < SAME_NAME
    free_columns = scores.max(axis=0) < SAME_NAME
    free_rows[row] = free_columns[column] = False
    others = (*scores[row, free_columns], *scores[free_rows, column])
    return bool(max(others, default=NEVER) + MARGIN <= scores[row, column])


def may_be_partners(one: CorpusParameter, other: CorpusParameter) -> bool:
    """Whether nothing speaks against it: types, choices, which end and which kind of value the names say."""
    if one.type != other.type or bool(one.choices) != bool(other.choices):
        return False
    if one.choices and not any(choice in other.choices for choice in one.choices):
        return False
    ends = _end(one), _end(other)
    return not (all(ends) and ends[0] != ends[1]) and _same_kind(_kind(one), _kind(other))


def _same_kind(one: str, other: str) -> bool:
    return one == other or not ((one and other) or one in MEASURED or other in MEASURED)


def _score(one: CorpusParameter, other: CorpusParameter, cosine: Cosine, threshold: float) -> float:
    if one.name == other.name and one.type == other.type:
        return SAME_NAME
    if not may_be_partners(one, other):
        return NEVER
    likeness = cosine(one, other)
    return likeness if likeness >= threshold else NEVER


def _end(parameter: CorpusParameter) -> str:
    words = words_of(parameter.name)
    pairs = (TWO_WORDS.get(pair, "") for pair in pairwise(words))
    return next((found for found in (*pairs, *(ENDS.get(word, "") for word in words)) if found), "")


def _kind(parameter: CorpusParameter) -> str:
    words = words_of(parameter.name)
    if words and words[0] in ("number", "num", "count"):
        return "number"
    return next((KINDS[word] for word in reversed(words) if word in KINDS), "")


def parameter_text(parameter: CorpusParameter) -> str:
    """What a parameter says: the words of its name, and its description."""
    return f"{' '.join(words_of(parameter.name))}: {parameter.description}"


def cosine_of(tools: Iterable[CorpusTool], embed: Embed) -> Cosine:
    """What tells the cosine of any two parameters of the tools; every distinct text is embedded once."""
    every = (each for tool in tools for each in (*tool.required, *tool.optional, *tool.results))
    texts = sorted({parameter_text(each) for each in every})
    vectors = dict(zip(texts, vectors_of(texts, embed), strict=True))

    def cosine(one: CorpusParameter, other: CorpusParameter) -> float:
        return round(float(vectors[parameter_text(one)] @ vectors[parameter_text(other)]), DECIMALS)

    return cosine


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
        names[index] = _unused_name(name, taken)
        taken.add(names[index].casefold())
    return names


def _renames(cluster: Cluster, name: str, cosine: Cosine, threshold: float) -> dict[Key, Rename]:
    """The renaming of every member; the centroid goes first, and what a later one adds is there for the next."""
    parameters: dict[str, CorpusParameter] = {}
    results: dict[str, CorpusParameter] = {}
    renames = {}
    for tool in (cluster.centroid, *(tool for tool in cluster.members if tool is not cluster.centroid)):
        given = [*tool.required, *tool.optional]
        mapped = _map_to_standard_names(given, parameters, {}, cosine, threshold)
        returned = _map_to_standard_names(tool.results, results, mapped, cosine, threshold)
        for standard, own, names in ((parameters, given, mapped), (results, tool.results, returned)):
            for each in own:
                standard.setdefault(names[each.name], each)
        renames[key_of(tool)] = Rename(name, mapped, returned)
    return renames


def _map_to_standard_names(
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
            names[each.name] = _unused_name(each.name, taken)
            taken.add(names[each.name].casefold())
    return {each.name: names[each.name] for each in given}


def rename_keys(values: Mapping[str, JsonValue], names: Mapping[str, str]) -> dict[str, JsonValue]:
    """The values under their standard names; one without a standard name never takes the place of another."""
    taken = {names[key].casefold() for key in values if key in names}
    renamed_values: dict[str, JsonValue] = {}
    for key, value in values.items():
        name = names[key] if key in names else _unused_name(key, taken)
        taken.add(name.casefold())
        renamed_values[name] = value
    return renamed_values


def _unused_name(name: str, taken: set[str]) -> str:
    """The name, or the first of name_2, name_3 ... that nothing else has."""
    if name.casefold() not in taken:
        return name
    number = 2
    while f"{name}_{number}".casefold() in taken:
        number += 1
    return f"{name}_{number}"
