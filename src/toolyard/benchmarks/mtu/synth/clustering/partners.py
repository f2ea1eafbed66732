"""Which parameters of two tools are the same: one to one, by what name and description say.

    leaving_date     departure_date      partners
    from_station     to_station          never: opposite directions
    check_in_date    number_of_days      never: a day is no number
    has_wifi         pets_welcome        left alone: not alike enough

A wrong partner puts a value where it means something else, a missing one only adds an optional parameter. So what
is doubtful is left alone: a pair must be alike enough, and clearly more so than either is to anything else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from toolyard.benchmarks.mtu.synth.clustering.clusters import DECIMALS, vectors_of
from toolyard.benchmarks.mtu.synth.clustering.verbs import words_of
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import CorpusParameter, CorpusTool
from toolyard.core.benchmark import Embed
from toolyard.text.assignment import cheapest_assignment

# Chosen on the same half of the services as the threshold of the clusters (`bench/mtu_clusters.py`).
PARAMETER_THRESHOLD = 0.55
MARGIN = 0.05
SAME_NAME = 2.0
NEVER = 0.0
# Words of a name that say which end is meant; names that say different ends are never partners.
END_WORDS: Mapping[str, str] = {
    "near": "from origin source depart departure departing leaving start begin pickup outbound sender payer "
    "minimum min lowest",
    "far": "to destination arrive arrival arriving end dropoff return returning inbound receiver recipient "
    "maximum max highest",
}
TWO_WORDS: Mapping[tuple[str, str], str] = {
    ("check", "in"): "near",
    ("check", "out"): "far",
    ("pick", "up"): "near",
    ("drop", "off"): "far",
}
# Words of a name that say what kind of value it is; the last one in the name counts.
KIND_WORDS: Mapping[str, str] = {
    "date": "date day",
    "time": "time hour",
    "number": "number num count size length days nights amount quantity seats tickets rooms",
    "money": "price fare cost rent fee total",
    "rating": "rating score stars",
    "phone": "phone telephone",
    "name": "name title",
    "place": "location city town place area state country destination",
    "address": "address street",
    "sort": "genre category type class kind",
}
# A name that says one of these has no partner that says nothing: whoever has a date calls it one.
MEASURED = ("date", "time", "number", "money", "rating", "phone")
ENDS = {word: end for end, words in END_WORDS.items() for word in words.split()}
KINDS = {word: kind for kind, words in KIND_WORDS.items() for word in words.split()}

Cosine: TypeAlias = Callable[[CorpusParameter, CorpusParameter], float]


def match(
    given: Sequence[CorpusParameter],
    standard: Mapping[str, CorpusParameter],
    cosine: Cosine,
    threshold: float = PARAMETER_THRESHOLD,
    margin: float = MARGIN,
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
        if scores[row, column] > NEVER and _clear(scores, row, column, margin)
    }


def _clear(scores: NDArray[np.float64], row: int, column: int, margin: float) -> bool:
    """Whether nothing else comes near; what already has its namesake is nobody's alternative."""
    if scores[row, column] == SAME_NAME:
        return True
    free_rows = scores.max(axis=1) < SAME_NAME
    free_columns = scores.max(axis=0) < SAME_NAME
    free_rows[row] = free_columns[column] = False
    others = (*scores[row, free_columns], *scores[free_rows, column])
    return bool(max(others, default=NEVER) + margin <= scores[row, column])


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
