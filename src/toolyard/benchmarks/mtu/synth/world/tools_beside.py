"""Distractor tools of a dialogue: of related kinds, or sharing words with its turns; none could serve a turn.

Two tools are alike where their names or nouns say the same thing, where one takes what the other takes and returns
most of what the other returns, or where both take the same kind of record (a recipe id, an IP address) and return
something in common. Search engines, chat robots and interpreters can be bent to any job and are never listed.

A look-alike shares more words with a turn than the tool it wants: whoever chooses by shared words takes it. None shares a
word with a turn without a call. Dialogues of the hard set have long lists: what is nearest in subject and words.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from random import Random

from toolyard.benchmarks.mtu.synth.world.tool_documents import document, names
from toolyard.core.types import Record
from toolyard.synth.chains.plausibility import WIDE
from toolyard.synth.chains.rivals import rivals
from toolyard.text.overlap import overlaps, telling_stems
from toolyard.world.kernel.categories import are_related_categories
from toolyard.world.kernel.graph import consumed_meanings, produced_meanings
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
def _pass_for(wanted: str) -> frozenset[str]:
    """The tools that might pass for the wanted one."""
    return frozenset(tool for tool in speakable() if alike(wanted, tool))


@functools.cache
def _words(text: str) -> frozenset[str]:
    return frozenset(word.removesuffix("s")[:6] for word in _WORD.findall(text.lower())) - _EMPTY


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one | other else 0.0


@functools.cache
def _takes(tool_id: str) -> frozenset[str]:
    return frozenset(meaning for _, meaning in consumed_meanings(library()[tool_id]))


@functools.cache
def _gives(tool_id: str) -> frozenset[str]:
    return frozenset(produced_meanings(library()[tool_id]))


def distractors(used: Sequence[str], removed: Iterable[str], rng: Random) -> list[str]:
    """Some tools near those used or removed, most of them of the same categories; none that is like one of them."""
    wanted = [*used, *removed]
    unfit = frozenset[str]().union(*map(_pass_for, wanted))
    fitting = [tool_id for tool_id, tool in speakable().items() if not tool.general and tool_id not in unfit]
    categories = {library()[each].category for each in wanted}
    near = [each for each in fitting if library()[each].category in categories]
    around = [
        each
        for each in fitting
        if each not in near
        and any(are_related_categories(library()[each].category, known) for known in categories)
    ]
    count = rng.randint(FEWEST, MOST)
    close = min(len(near), round(count * _NEAR))
    chosen = rng.sample(near, close)
    chosen += rng.sample(around, min(len(around), count - close))
    rest = [each for each in fitting if each not in chosen]
    return chosen + rng.sample(rest, max(0, FEWEST - len(chosen)))


MOST_LOOK_ALIKES = 2
_TRIED = 30
# Half of the long lists are short, a quarter is of the middle length, and a quarter is long; the last takes all that fits.
_LENGTHS = ((50, 80), (110, 130), (50, 80), (200, 350), (50, 80), (110, 130), (50, 80), (400, 568))


def look_alikes(turns: Sequence[Record], listed: Sequence[str]) -> list[str]:
    """At most two extra tools, each similar to a turn with one call but unable to serve it."""
    used = list(dict.fromkeys(tool for turn in turns for tool in _called_tools(turn)))
    unserved = frozenset[str]().union(
        *(telling_stems(turn["user"]) for turn in turns if not _called_tools(turn))
    )
    chosen: list[str] = []
    for turn in turns:
        called = _called_tools(turn)
        shown = [*listed, *chosen]
        if (
            len(chosen) == MOST_LOOK_ALIKES
            or len(called) != 1
            or not _shares_most_words(called[0], turn["user"], shown)
        ):
            continue
        fitting = (
            tool
            for tool in _nearest_tools(turn["user"], called[0])
            if tool not in shown
            and not _telling_words(tool) & unserved
            and not any(alike(each, tool) or alike(tool, each) or rivals(each, tool) for each in used)
        )
        found = (tool for tool in fitting if not _shares_most_words(called[0], turn["user"], [*shown, tool]))
        chosen += [tool for tool in [next(found, None)] if tool is not None]
    return chosen


def list_length(number: int, rng: Random) -> int:
    """How many tools the list of a hard dialogue has."""
    return rng.randint(*_LENGTHS[number % len(_LENGTHS)])


def tools_beside(
    used: Sequence[str], lacking: Iterable[str], said: str, length: int, rng: Random
) -> list[str]:
    """That many distractor tools, the nearest first; none that could replace a used or a lacking tool."""
    wanted = [*used, *lacking]
    fitting = [
        tool for tool in _special() if tool not in wanted and not any(rivals(each, tool) for each in wanted)
    ]
    stems = telling_stems(said)
    categories = {library()[each].category for each in wanted}

    def distance(tool: str) -> tuple[int, float]:
        category = library()[tool].category
        near = (
            0
            if category in categories
            else 1
            if any(are_related_categories(category, each) for each in categories)
            else 2
        )
        return near - min(2, len(stems & _telling_words(tool))), rng.random()

    return sorted(fitting, key=distance)[: max(0, length - len(used))]


def _called_tools(turn: Record) -> list[str]:
    return [next(iter(entry)) for entry in turn.get("calls", ())]


def _shares_most_words(tool: str, text: str, shown: Sequence[str]) -> bool:
    """Whether no other tool that is shown shares more words with the text."""
    shared = overlaps(text, [_text(each) for each in shown])
    best = max(shared)
    return best >= 1 and shared[shown.index(tool)] == best


def _nearest_tools(text: str, wanted: str) -> list[str]:
    """Tools that share words with a text, those of the wanted one's category first."""
    said = telling_stems(text)
    shared = {tool: len(said & _telling_words(tool)) for tool in _special()}
    most = sorted((tool for tool in shared if shared[tool]), key=lambda tool: (-shared[tool], tool))[:_TRIED]
    return sorted(most, key=lambda tool: library()[tool].category != library()[wanted].category)


@functools.cache
def _special() -> tuple[str, ...]:
    """The tools that can be listed and cannot be bent to any job."""
    return tuple(tool for tool in names() if tool in speakable() and not library()[tool].general)


@functools.cache
def _telling_words(tool: str) -> frozenset[str]:
    return telling_stems(_text(tool))


@functools.cache
def _text(tool: str) -> str:
    shown = document(tool, names()[tool])
    return f"{shown['name']} {shown['description']}"
