"""Tools beside a written dialogue that share more words with a turn than the one it wants, and can do none of it.

Whoever chooses by shared words takes them. None could stand in for a tool that is called, and none shares a word with a
turn without a call. Dialogues of the hard set have long lists: what is nearest to them in subject and words.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from random import Random

from toolyard.benchmarks.mtu.synth.world.distractor_tools import alike
from toolyard.benchmarks.mtu.synth.world.tool_documents import document, names
from toolyard.core.types import Record
from toolyard.synth.chains.rivals import rivals
from toolyard.text.overlap import overlaps, telling_stems
from toolyard.world.kernel.categories import related
from toolyard.world.kernel.phrase import speakable
from toolyard.world.kernel.registry import library

MOST = 2
_TRIED = 30
# Half of the long lists are short, a quarter is of the middle length, and a quarter is long; the last takes all that fits.
_LENGTHS = ((50, 80), (110, 130), (50, 80), (200, 350), (50, 80), (110, 130), (50, 80), (400, 568))


def look_alikes(turns: Sequence[Record], listed: Sequence[str]) -> list[str]:
    """At most two tools to list besides, each drawing a turn with one call away from what it wants."""
    used = list(dict.fromkeys(tool for turn in turns for tool in _called(turn)))
    unserved = frozenset[str]().union(*(telling_stems(turn["user"]) for turn in turns if not _called(turn)))
    chosen: list[str] = []
    for turn in turns:
        called = _called(turn)
        shown = [*listed, *chosen]
        if len(chosen) == MOST or len(called) != 1 or not _wins(called[0], turn["user"], shown):
            continue
        fitting = (
            tool
            for tool in _nearest(turn["user"], called[0])
            if tool not in shown
            and not _words(tool) & unserved
            and not any(alike(each, tool) or alike(tool, each) or rivals(each, tool) for each in used)
        )
        found = (tool for tool in fitting if not _wins(called[0], turn["user"], [*shown, tool]))
        chosen += [tool for tool in [next(found, None)] if tool is not None]
    return chosen


def list_length(number: int, rng: Random) -> int:
    """How many tools the list of a hard dialogue has."""
    return rng.randint(*_LENGTHS[number % len(_LENGTHS)])


def tools_beside(
    used: Sequence[str], lacking: Iterable[str], said: str, length: int, rng: Random
) -> list[str]:
    """So many tools beside those used, the nearest first; none that could do what a used or a lacking tool does."""
    wanted = [*used, *lacking]
    fitting = [
        tool for tool in _special() if tool not in wanted and not any(rivals(each, tool) for each in wanted)
    ]
    stems = telling_stems(said)
    categories = {library()[each].category for each in wanted}

    def distance(tool: str) -> tuple[int, float]:
        category = library()[tool].category
        near = (
            0 if category in categories else 1 if any(related(category, each) for each in categories) else 2
        )
        return near - min(2, len(stems & _words(tool))), rng.random()

    return sorted(fitting, key=distance)[: max(0, length - len(used))]


def _called(turn: Record) -> list[str]:
    return [next(iter(entry)) for entry in turn.get("calls", ())]


def _wins(tool: str, text: str, shown: Sequence[str]) -> bool:
    """Whether no other tool that is shown shares more words with the text."""
    shared = overlaps(text, [_text(each) for each in shown])
    best = max(shared)
    return best >= 1 and shared[shown.index(tool)] == best


def _nearest(text: str, wanted: str) -> list[str]:
    """Tools that share words with a text, those of the wanted one's category first."""
    said = telling_stems(text)
    shared = {tool: len(said & _words(tool)) for tool in _special()}
    most = sorted((tool for tool in shared if shared[tool]), key=lambda tool: (-shared[tool], tool))[:_TRIED]
    return sorted(most, key=lambda tool: library()[tool].category != library()[wanted].category)


@functools.cache
def _special() -> tuple[str, ...]:
    """The tools that can be listed and cannot be bent to any job."""
    return tuple(tool for tool in names() if tool in speakable() and not library()[tool].general)


@functools.cache
def _words(tool: str) -> frozenset[str]:
    return telling_stems(_text(tool))


@functools.cache
def _text(tool: str) -> str:
    shown = document(tool, names()[tool])
    return f"{shown['name']} {shown['description']}"
