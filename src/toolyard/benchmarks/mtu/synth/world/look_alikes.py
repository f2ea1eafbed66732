"""Tools beside a written dialogue that share more words with a turn than the one it wants, and can do none of it.

Whoever chooses by shared words takes them. None could stand in for a tool that is called, and none shares a word with a
turn without a call.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

from toolyard.benchmarks.mtu.synth.world.distractor_tools import alike
from toolyard.benchmarks.mtu.synth.world.tool_documents import document, names
from toolyard.core.types import Record
from toolyard.synth.chains.rivals import rivals
from toolyard.text.overlap import overlaps, telling_stems
from toolyard.world.kernel.phrase import speakable
from toolyard.world.kernel.registry import library

MOST = 2
_TRIED = 30


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
