"""Distractors for records from the world: tools that sound like the gold ones and can do the job of none.

Similarity by embeddings alone would offer tools that answer the request as well as the gold ones do, and a model
that calls one of those would be marked wrong.
"""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from toolyard.benchmarks.nestools.distractors import PER_GOLD_TOOL, distinct
from toolyard.synth.chains.projection import spoken
from toolyard.synth.chains.rivals import rivals
from toolyard.world.naming import short_names
from toolyard.world.phrase import speakable
from toolyard.world.registry import copies, library


@functools.cache
def names() -> Mapping[str, str]:
    """Tool id -> the name it has in every record."""
    return {tool_id: name for name, tool_id in short_names(tuple(speakable())).items()}


@functools.cache
def pool() -> tuple[str, ...]:
    """The tools that may be offered: all but copies of others."""
    return tuple(tool for tool in speakable() if tool not in copies())


def distractors(gold: Sequence[str]) -> tuple[str, ...]:
    """The tools most similar to each gold tool in turn, five per gold tool, fewer where no more may be offered."""
    gold_names = [names()[tool] for tool in gold]
    chosen: list[str] = []
    for position, tool in enumerate(gold, start=1):
        for other in _nearest(tool):
            if len(chosen) == position * PER_GOLD_TOOL:
                break
            if other in chosen or any(rivals(other, each) for each in gold):
                continue
            if distinct(names()[other], gold_names):
                chosen.append(other)
    return tuple(chosen)


@functools.cache
def _nearest(tool: str) -> tuple[str, ...]:
    """The pool by falling similarity of words, ties in the order of the library."""
    own = _weights()[tool]
    scores = {other: _cosine(own, _weights()[other]) for other in pool()}
    return tuple(sorted(scores, key=lambda other: -scores[other]))


def _cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    return math.fsum(weight * other[word] for word, weight in one.items() if word in other)


@functools.cache
def _weights() -> Mapping[str, Mapping[str, float]]:
    """Tool -> its words, each weighing more the fewer tools have it, as a vector of length one."""
    said = {tool: frozenset(_words(tool)) for tool in speakable()}
    having = Counter(word for words in said.values() for word in words)
    found = {}
    for tool, words in said.items():
        weights = {word: math.log(len(said) / having[word]) for word in sorted(words)}
        length = math.sqrt(math.fsum(weight * weight for weight in weights.values())) or 1.0
        found[tool] = {word: weight / length for word, weight in weights.items()}
    return found


def _words(tool: str) -> Iterator[str]:
    """The words of name, category and description, without a plural's ending."""
    for part in (spoken(tool.replace("/", " ")), library()[tool].document.description):
        for word in spoken(part).casefold().split():
            yield word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
