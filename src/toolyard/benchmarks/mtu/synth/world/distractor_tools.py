"""Tools that stand beside those of a dialogue: of related kinds, none of which could do the job.

Two tools are alike where their names or nouns say the same thing, where one takes what the other takes and returns
most of what the other returns, or where both take the same kind of record (a recipe id, an IP address) and return
something in common. Search engines, chat robots and interpreters can be bent to any job and are
never listed beside others.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from random import Random

from toolyard.benchmarks.mtu.synth.world.tool_documents import names
from toolyard.synth.chains.plausibility import WIDE
from toolyard.world.kernel.categories import related
from toolyard.world.kernel.graph import consumed, produced
from toolyard.world.kernel.phrase import phrases, speakable
from toolyard.world.kernel.registry import library

FEWEST, MOST = 2, 6
_WORD = re.compile(r"[a-z]{3,}")
_SAID_ALIKE = 0.5
_DESCRIBED_ALIKE = 0.34
_GIVEN_ALIKE = 0.5
_NEAR = 0.6
# Words that say nothing about what a tool is for.
_EMPTY = frozenset(
    {
        *("all", "and", "are", "data", "details", "each", "find", "for", "found", "from", "get", "given"),
        *("has", "have", "how", "information", "into", "its", "list", "many", "one", "only", "out", "per"),
        *("record", "records", "results", "search", "show", "some", "that", "the", "this", "what", "which"),
        "with",
    }
)


@functools.cache
def alike(one: str, other: str) -> bool:
    """Whether `other` might pass for `one`, by what the list says of both; `rivals` goes by what tools can do."""
    if one == other:
        return True
    said = max(
        _overlap(_words(names()[one]), _words(names()[other])),
        _overlap(_words(phrases()[one].noun), _words(phrases()[other].noun)),
    )
    described = [
        _words(f"{library()[each].document.description} {phrases()[each].noun}") for each in (one, other)
    ]
    if said >= _SAID_ALIKE or _overlap(*described) >= _DESCRIBED_ALIKE:
        return True
    takes, others_take = _takes(one), _takes(other)
    gives = _gives(one) - takes
    shared = gives & _gives(other)
    if takes & others_take - WIDE.keys() and shared:
        return True
    same_input = bool(takes & others_take) or not others_take
    return same_input and bool(gives) and len(shared) >= _GIVEN_ALIKE * len(gives)


@functools.cache
def _words(text: str) -> frozenset[str]:
    return frozenset(word.removesuffix("s")[:6] for word in _WORD.findall(text.lower())) - _EMPTY


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one | other else 0.0


@functools.cache
def _takes(tool_id: str) -> frozenset[str]:
    return frozenset(meaning for _, meaning in consumed(library()[tool_id]))


@functools.cache
def _gives(tool_id: str) -> frozenset[str]:
    return frozenset(produced(library()[tool_id]))


def distractors(used: Sequence[str], removed: Iterable[str], rng: Random) -> list[str]:
    """Some tools near those used or removed, most of them of the same categories; none that is like one of them."""
    wanted = [*used, *removed]
    fitting = [
        tool_id
        for tool_id, tool in speakable().items()
        if not tool.general and not any(alike(each, tool_id) for each in wanted)
    ]
    categories = {library()[each].category for each in wanted}
    near = [each for each in fitting if library()[each].category in categories]
    around = [
        each
        for each in fitting
        if each not in near and any(related(library()[each].category, known) for known in categories)
    ]
    count = rng.randint(FEWEST, MOST)
    close = min(len(near), round(count * _NEAR))
    chosen = rng.sample(near, close)
    chosen += rng.sample(around, min(len(around), count - close))
    rest = [each for each in fitting if each not in chosen]
    return chosen + rng.sample(rest, max(0, FEWEST - len(chosen)))
