"""Tools whose sameness is known: SGD and its five paraphrases (SGD-X), and how well clusters agree with that.

    Labelled(CorpusTool("FindRoutes", "Buses_11", "Find buses from ..."), base="Buses_1", intent="FindBus")

SGD-X rewrites every schema five times, in the same order of intents and slots. Three readings of "the same":
`intent`: the base intent's name (46 in SGD), `domain`: that name within a domain, with the four kinds of
providers that SGD calls Services apart, `service`: only a tool and its own paraphrases.
Services are divided into two halves, one to choose on and one to measure on. Since the base name is shared by
sibling services (Buses_1, Buses_2), dividing whole domains is the stricter test.

How well parameters find their partners is known, too, since SGD-X keeps the order of a service's slots. A tool and its
paraphrase have all parameters in common, which no threshold could get wrong. Therefore every third parameter, drawn at
random, is taken from the tool and others from the paraphrase before they are matched.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from toolyard.benchmarks.mtu.synth.clustering.clusters import TEXTS, Cluster, Forest, key_of
from toolyard.benchmarks.mtu.synth.clustering.standard_names import Cosine, cosine_of, match
from toolyard.benchmarks.mtu.synth.corpora.corpus_files import entries_in
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import CorpusParameter, CorpusTool
from toolyard.benchmarks.mtu.synth.corpora.sgd import SPLITS, service_tools
from toolyard.core.benchmark import Embed
from toolyard.core.errors import DataError
from toolyard.core.types import Counts, Record, derived_seed

VARIANTS = (1, 2, 3, 4, 5)
THRESHOLDS = tuple(round(0.10 + 0.02 * step, 2) for step in range(31))
LEAST_HOMOGENEITY = 0.9
# The paper takes a low threshold first, so that a cluster holds one tool: of nearly equal ones the lowest.
NEARLY = 0.02
PARTNER_THRESHOLDS = tuple(round(0.05 * step, 2) for step in range(20))
TAKEN_AWAY = 1 / 3
LEAST_PRECISION = 0.97


@dataclass(frozen=True, slots=True)
class Labelled:
    """A tool, the SGD service and the intent that it is a paraphrase of; `slots` are places in the service."""

    tool: CorpusTool
    base: str
    intent: str
    slots: Mapping[str, int]


Reading: TypeAlias = Callable[[Labelled], str]


def domain_of(service: str) -> str:
    """The domain of an SGD service, e.g. `Buses` of `Buses_1`."""
    return service.rpartition("_")[0]


def kind_of_service(service: str) -> str:
    """The domain, with hair, dentist, doctor and therapist (`Services_1` to `_4`) apart."""
    domain = domain_of(service)
    return service if domain == "Services" else domain


READINGS: Mapping[str, Reading] = {
    "intent": lambda labelled: labelled.intent,
    "domain": lambda labelled: f"{kind_of_service(labelled.base)}.{labelled.intent}",
    "service": lambda labelled: f"{labelled.base}.{labelled.intent}",
}
UNITS: Mapping[str, Callable[[str], str]] = {"service": lambda service: service, "domain": domain_of}


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far clusters agree with labels."""

    homogeneity: float
    adjusted_rand_index: float
    tools: int
    clusters: int


@dataclass(frozen=True, slots=True)
class Chosen:
    """A text and a threshold, and what they reach on the tools they were chosen on."""

    text: str
    threshold: float
    agreement: Agreement


@dataclass(frozen=True, slots=True)
class Halves:
    """What to choose on and what to measure on; no service is in both."""

    selection: tuple[Labelled, ...]
    held_out: tuple[Labelled, ...]


def labelled_tools(folder: Path) -> tuple[Labelled, ...]:
    """All intents of SGD and SGD-X below the folder of the corpus, each service once."""
    bases = _schemas(folder)
    found = [each for schema in bases.values() for each in _tools(schema, schema)]
    for variant in VARIANTS:
        place = folder / "sgd_x" / "data" / f"v{variant}"
        for name, schema in _schemas(place).items():
            base = bases.get(name.removesuffix(str(variant)))
            if base is None or len(base["intents"]) != len(schema["intents"]):
                raise DataError(f"{place}: service {name} does not fit SGD; fetch both again")
            found += _tools(schema, base)
    return tuple(found)


def _schemas(folder: Path) -> dict[str, Record]:
    paths = [folder / split / "schema.json" for split in SPLITS]
    absent = [path for path in paths if not path.is_file()]
    if absent:
        raise DataError(f"{absent[0]} is not there, wanted a schema of SGD; give the folder of the corpus")
    services = [entry.value for path in paths for entry in entries_in(path)]
    return {service["service_name"]: service for service in services}


def _tools(schema: Record, base: Record) -> Iterator[Labelled]:
    places = {slot["name"]: place for place, slot in enumerate(schema["slots"])}
    for tool, original in zip(service_tools(schema), base["intents"], strict=True):
        sections = (tuple(map(_typed, part)) for part in (tool.required, tool.optional, tool.results))
        required, optional, results = sections
        typed = replace(tool, required=required, optional=optional, results=results)
        yield Labelled(typed, base["service_name"], original["name"], places)


def _typed(parameter: CorpusParameter) -> CorpusParameter:
    """The parameter with the type that its choices show; SGD itself has none."""
    choices = parameter.choices
    kind = "boolean" if set(choices) == {"True", "False"} else "string"
    return replace(
        parameter, type="integer" if choices and all(str(choice).isdecimal() for choice in choices) else kind
    )


def halves(labelled: Sequence[Labelled], seed: int, unit: str = "service") -> Halves:
    """The tools of a random half of the services (or domains), and those of the others."""
    of = UNITS[unit]
    units = sorted({of(each.base) for each in labelled})
    random.Random(derived_seed(seed, f"clusters/{unit}", 0)).shuffle(units)
    first = set(units[: len(units) // 2])
    return Halves(
        tuple(each for each in labelled if of(each.base) in first),
        tuple(each for each in labelled if of(each.base) not in first),
    )


def choose(
    labelled: Sequence[Labelled], embed: Embed, texts: Sequence[str] = tuple(TEXTS), reading: str = "intent"
) -> Chosen:
    """The text and threshold with the best adjusted Rand index at a homogeneity of 0.9 or more."""
    tried = [each for text in texts for each in scan(labelled, embed, text, reading)]
    pure = [each for each in tried if each.agreement.homogeneity >= LEAST_HOMOGENEITY]
    if not pure:
        raise DataError("no threshold gives clusters of homogeneity 0.9; these tools cannot be distinguished")
    best = max(pure, key=lambda each: each.agreement.adjusted_rand_index)
    near = best.agreement.adjusted_rand_index - NEARLY
    return min(
        (each for each in pure if each.text == best.text and each.agreement.adjusted_rand_index >= near),
        key=lambda each: each.threshold,
    )


def scan(
    labelled: Sequence[Labelled], embed: Embed, text: str, reading: str = "intent"
) -> tuple[Chosen, ...]:
    """What every threshold reaches on these tools."""
    forest = Forest([each.tool for each in labelled], embed, TEXTS[text])
    return tuple(
        Chosen(text, threshold, agreement(forest.cut(threshold), labelled, reading))
        for threshold in THRESHOLDS
    )


def agreement(
    clusters: Sequence[Cluster], labelled: Sequence[Labelled], reading: str = "intent"
) -> Agreement:
    """How far the clusters agree with the labels in one reading."""
    place = {key_of(tool): index for index, cluster in enumerate(clusters) for tool in cluster.members}
    assigned = [place[key_of(each.tool)] for each in labelled]
    counts = contingency([READINGS[reading](each) for each in labelled], assigned)
    return Agreement(homogeneity(counts), adjusted_rand_index(counts), len(labelled), len(clusters))


def contingency(labels: Sequence[str], clusters: Sequence[int]) -> NDArray[np.float64]:
    """How many items have which label (row) in which cluster (column)."""
    rows = np.unique(np.array(labels), return_inverse=True)[1]
    columns = np.unique(np.array(clusters), return_inverse=True)[1]
    counts = np.zeros((rows.max() + 1, columns.max() + 1))
    np.add.at(counts, (rows, columns), 1)
    return counts


def homogeneity(counts: NDArray[np.float64]) -> float:
    """1 - H(label | cluster) / H(label); 1 where there is one label only."""
    total = counts.sum()
    labels = counts.sum(axis=1) / total
    entropy = -float((labels * np.log(labels)).sum())
    if entropy == 0:
        return 1.0
    within = counts / counts.sum(axis=0)
    filled = counts > 0
    return 1.0 + float((counts[filled] / total * np.log(within[filled])).sum()) / entropy


def adjusted_rand_index(counts: NDArray[np.float64]) -> float:
    """Agreement on pairs above chance (Hubert and Arabie, 1985); 1 for equal partitions, 0 expected by chance."""
    both, rows, columns, all_pairs = (
        float((each * (each - 1) / 2).sum())
        for each in (counts, counts.sum(axis=1), counts.sum(axis=0), counts.sum())
    )
    expected = rows * columns / all_pairs if all_pairs else 0.0
    most = (rows + columns) / 2
    return 1.0 if most == expected else (both - expected) / (most - expected)


def safe_threshold(labelled: Sequence[Labelled], embed: Embed, seed: int) -> float:
    """The lowest threshold at which partners are right as often as wanted; the highest where none is."""
    cosine = cosine_of((each.tool for each in labelled), embed)
    for threshold in PARTNER_THRESHOLDS:
        if precision(aligned(labelled, cosine, threshold, seed)) >= LEAST_PRECISION:
            return threshold
    return PARTNER_THRESHOLDS[-1]


def aligned(labelled: Sequence[Labelled], cosine: Cosine, threshold: float, seed: int) -> Counts:
    """Partners found, partners claimed and partners there are, over all tools and their paraphrases."""
    return sum((_counts(*pair, cosine, threshold, seed) for pair in _pairs(labelled)), Counts(0, 0, 0))


def precision(counts: Counts) -> float:
    """The share of claimed partners that are partners; 0 where none is claimed."""
    return counts.matched / counts.predicted if counts.predicted else 0.0


def recall(counts: Counts) -> float:
    """The share of partners that were found; 0 where there are none."""
    return counts.matched / counts.gold if counts.gold else 0.0


def _pairs(labelled: Sequence[Labelled]) -> Iterator[tuple[Labelled, Labelled]]:
    bases = {(each.base, each.intent): each for each in labelled if each.tool.service == each.base}
    for each in labelled:
        if each.tool.service != each.base:
            yield bases[each.base, each.intent], each


def _counts(base: Labelled, paraphrase: Labelled, cosine: Cosine, threshold: float, seed: int) -> Counts:
    rng = random.Random(derived_seed(seed, ".".join(key_of(paraphrase.tool)), 0))
    standard = {each.name: each for each in _some(base, rng)}
    given = _some(paraphrase, rng)
    found = match(given, standard, cosine, threshold)
    there = {base.slots[name] for name in standard}
    gold = sum(paraphrase.slots[each.name] in there for each in given)
    right = sum(paraphrase.slots[name] == base.slots[partner] for name, partner in found.items())
    return Counts(right, len(found), gold)


def _some(labelled: Labelled, rng: random.Random) -> list[CorpusParameter]:
    """Some of the tool's parameters; choices go, since SGD-X copies their values and would give the answer away."""
    every = (*labelled.tool.required, *labelled.tool.optional)
    return [replace(each, choices=()) for each in every if rng.random() >= TAKEN_AWAY]
