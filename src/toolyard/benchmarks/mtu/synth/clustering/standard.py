"""One name and one set of parameters for all tools of a cluster (MTU-Bench Section 2.2, after clustering).

    Standard(tool=CorpusTool("FindBus", ...), renames={
        ("Buses_1", "FindBus"): Rename("FindBus", {"from_location": "from_location"}, {...}),
        ("Buses_11", "FindRoutes"): Rename("FindBus", {"departure_city": "from_location"}, {...})})

Parameters of a member are matched one to one with those of the standard by the likeness of name and description;
what finds no partner is added, so that no call loses a value. A parameter is required only where every member
requires it, and restricted to choices only where every member that has it is: no call of a member then
contradicts the document. Two clusters never share a name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from toolyard.benchmarks.mtu.synth.clustering.clusters import Cluster, Key, key_of
from toolyard.benchmarks.mtu.synth.clustering.partners import PARAMETER_THRESHOLD, Cosine, cosine_of, match
from toolyard.benchmarks.mtu.synth.corpora.schema import Call, CorpusTool, Parameter
from toolyard.core.benchmark import Embed
from toolyard.core.types import Failure, Json


@dataclass(frozen=True, slots=True)
class Rename:
    """A member's standard name, and the standard names of its parameters and results; both maps are one to one."""

    name: str
    parameters: Mapping[str, str]
    results: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Standard:
    """The one tool that stands for a cluster, and how each member is written in its terms."""

    tool: CorpusTool
    renames: Mapping[Key, Rename]


@dataclass(slots=True)
class _Section:
    """Standard parameters in the making: by standard name, what the members have there, best described first."""

    held: dict[str, list[Parameter]] = field(default_factory=dict)
    required: dict[str, int] = field(default_factory=dict)

    def take(self, name: str, parameter: Parameter, required: bool) -> None:
        self.held.setdefault(name, []).append(parameter)
        self.required[name] = self.required.get(name, 0) + required

    def parameters(self, required: bool, members: int) -> tuple[Parameter, ...]:
        """The merged parameters that all members require, or the others."""
        return tuple(
            _merged(name, held, required)
            for name, held in self.held.items()
            if (self.required[name] == members) == required
        )


def standardise(
    clusters: Sequence[Cluster], embed: Embed, threshold: float = PARAMETER_THRESHOLD
) -> tuple[Standard, ...]:
    """The standard tool of every cluster, in the clusters' order."""
    cosine = cosine_of((tool for cluster in clusters for tool in cluster.members), embed)
    names = standard_names(clusters)
    return tuple(
        _standard(cluster, name, cosine, threshold) for cluster, name in zip(clusters, names, strict=True)
    )


def renames_of(standards: Iterable[Standard]) -> dict[Key, Rename]:
    """Every tool's renaming, by (service, name)."""
    return {key: rename for standard in standards for key, rename in standard.renames.items()}


def renamed(call: Call, renames: Mapping[Key, Rename]) -> Call | Failure:
    """The call in standard terms; a parameter that its document lacks keeps its name, or gets a free one."""
    rename = renames.get((call.service, call.tool))
    if rename is None:
        return Failure("undefined_tool", f"{call.service}.{call.tool}")
    results = call.results
    if results is not None:
        results = tuple(rekeyed(each, rename.results) for each in results)
    return replace(
        call, tool=rename.name, parameters=rekeyed(call.parameters, rename.parameters), results=results
    )


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
        wished = [cluster.centroid.name, *(tool.name for tool in cluster.members)]
        wished.append(f"{cluster.centroid.name}_{cluster.centroid.service}")
        name = next((each for each in wished if each.casefold() not in taken), wished[-1])
        names[index] = _free(name, taken)
        taken.add(names[index].casefold())
    return names


def _standard(cluster: Cluster, name: str, cosine: Cosine, threshold: float) -> Standard:
    parameters, results = _Section(), _Section()
    others = [tool for tool in cluster.members if tool is not cluster.centroid]
    renames = {}
    for tool in (cluster.centroid, *others):
        given = [*tool.required, *tool.optional]
        mapped = _mapped(given, parameters, {}, cosine, threshold)
        returned = _mapped(tool.results, results, mapped, cosine, threshold)
        required = {each.name for each in tool.required}
        for each in given:
            parameters.take(mapped[each.name], each, each.name in required)
        for each in tool.results:
            results.take(returned[each.name], each, True)
        renames[key_of(tool)] = Rename(name, mapped, returned)
    members = len(cluster.members)
    tool = replace(
        cluster.centroid,
        name=name,
        required=parameters.parameters(True, members),
        optional=parameters.parameters(False, members),
        results=(*results.parameters(True, members), *results.parameters(False, members)),
        topics=tuple(sorted({topic for tool in cluster.members for topic in tool.topics})),
    )
    return Standard(tool, renames)


def _mapped(
    given: Sequence[Parameter], section: _Section, fixed: Mapping[str, str], cosine: Cosine, threshold: float
) -> dict[str, str]:
    """Standard names for what a member has; a result that is also a parameter is called as that parameter is."""
    names = {each.name: fixed[each.name] for each in given if each.name in fixed}
    unnamed = [each for each in given if each.name not in names]
    used = set(names.values())
    standard = {name: held[0] for name, held in section.held.items() if name not in used}
    names |= match(unnamed, standard, cosine, threshold)
    taken = {name.casefold() for name in (*section.held, *names.values())}
    for each in unnamed:
        if each.name not in names:
            names[each.name] = _free(each.name, taken)
            taken.add(names[each.name].casefold())
    return {each.name: names[each.name] for each in given}


def _merged(name: str, held: Sequence[Parameter], required: bool) -> Parameter:
    """One parameter that allows whatever any of them does."""
    choices: tuple[Json, ...] = ()
    if all(each.choices for each in held):
        for each in held:
            choices += tuple(choice for choice in each.choices if choice not in choices)
    formats = {each.format for each in held}
    return replace(
        held[0],
        name=name,
        choices=choices,
        default=None if required else held[0].default,
        format=held[0].format if len(formats) == 1 else "",
    )


def rekeyed(values: Mapping[str, Json], names: Mapping[str, str]) -> dict[str, Json]:
    """The values under their standard names; one without a standard name never takes the place of another."""
    taken = {names[key].casefold() for key in values if key in names}
    renamed_values: dict[str, Json] = {}
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
