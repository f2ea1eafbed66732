"""How well parameters find their partners: SGD-X keeps the order of a service's slots, so partners are known.

A tool and its paraphrase have all parameters in common, which no threshold could get wrong. Therefore every third
parameter, drawn at random, is taken from the tool and others from the paraphrase before they are matched.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from toolyard.benchmarks.mtu.synth.clustering.clusters import key_of
from toolyard.benchmarks.mtu.synth.clustering.labelled import Labelled
from toolyard.benchmarks.mtu.synth.clustering.partners import Cosine, cosine_of, match
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import CorpusParameter
from toolyard.core.benchmark import Embed
from toolyard.core.types import Counts, derived_seed

THRESHOLDS = tuple(round(0.05 * step, 2) for step in range(20))
TAKEN_AWAY = 1 / 3
LEAST_PRECISION = 0.97


def safe_threshold(labelled: Sequence[Labelled], embed: Embed, seed: int) -> float:
    """The lowest threshold at which partners are right as often as wanted; the highest where none is."""
    cosine = cosine_of((each.tool for each in labelled), embed)
    for threshold in THRESHOLDS:
        if precision(aligned(labelled, cosine, threshold, seed)) >= LEAST_PRECISION:
            return threshold
    return THRESHOLDS[-1]


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
