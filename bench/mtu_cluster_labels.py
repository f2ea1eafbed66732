"""Tools whose sameness is known: SGD and its five paraphrases (SGD-X), and how well clusters agree with that.

    Labelled(CorpusTool("FindRoutes", "Buses_11", "Find buses from ..."), base="Buses_1", intent="FindBus")

SGD-X rewrites every schema five times, in the same order of intents and slots. Three readings of "the same":
`intent`: the base intent's name (46 in SGD), `domain`: that name within a domain, with the four kinds of
providers that SGD calls Services apart, `service`: only a tool and its own paraphrases.
Services are divided into two halves, one to choose on and one to measure on. Since the base name is shared by
sibling services (Buses_1, Buses_2), dividing whole domains is the stricter test.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from toolyard.benchmarks.mtu.synth.corpora.corpus_files import entries_in_file
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import CorpusTool
from toolyard.benchmarks.mtu.synth.corpora.sgd import SPLITS, service_tools
from toolyard.benchmarks.mtu.synth.instruct.tool_library import (
    Cluster,
    Text,
    cluster_tools,
    tool_key,
    tool_text,
    words_of,
)
from toolyard.core.benchmark import Embed
from toolyard.core.errors import DataError
from toolyard.core.types import Record, derived_seed
from toolyard.text.documents import Parameter

VARIANTS = (1, 2, 3, 4, 5)
THRESHOLDS = tuple(round(0.10 + 0.02 * step, 2) for step in range(31))
LEAST_HOMOGENEITY = 0.9
# The paper takes a low threshold first, so that a cluster holds one tool: of nearly equal ones the lowest.
NEARLY = 0.02
TEXTS: Mapping[str, Text] = {
    "name": lambda tool: " ".join(words_of(tool.name)),
    "description": lambda tool: tool.description,
    "name and description": lambda tool: f"{' '.join(words_of(tool.name))}: {tool.description}",
    "name, description and parameters": tool_text,
}


@dataclass(frozen=True, slots=True)
class Labelled:
    """A tool, the SGD service and the intent that it is a paraphrase of."""

    tool: CorpusTool
    base: str
    intent: str


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
    services = [entry.value for path in paths for entry in entries_in_file(path)]
    return {service["service_name"]: service for service in services}


def _tools(schema: Record, base: Record) -> Iterator[Labelled]:
    for tool, original in zip(service_tools(schema), base["intents"], strict=True):
        sections = (tuple(map(_typed, part)) for part in (tool.required, tool.optional, tool.results))
        required, optional, results = sections
        typed = replace(tool, required=required, optional=optional, results=results)
        yield Labelled(typed, base["service_name"], original["name"])


def _typed(parameter: Parameter) -> Parameter:
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
    tools = [each.tool for each in labelled]
    once = functools.lru_cache(maxsize=1)(lambda texts: embed(list(texts)))

    def embed_once(texts: Sequence[str]) -> NDArray[np.float32]:
        return once(tuple(texts))

    cuts = (cluster_tools(tools, embed_once, threshold, TEXTS[text]) for threshold in THRESHOLDS)
    return tuple(
        Chosen(text, threshold, agreement(clusters, labelled, reading))
        for threshold, clusters in zip(THRESHOLDS, cuts, strict=True)
    )


def agreement(
    clusters: Sequence[Cluster], labelled: Sequence[Labelled], reading: str = "intent"
) -> Agreement:
    """How far the clusters agree with the labels in one reading."""
    place = {tool_key(tool): index for index, cluster in enumerate(clusters) for tool in cluster.members}
    assigned = [place[tool_key(each.tool)] for each in labelled]
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
