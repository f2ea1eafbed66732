"""Lists of 50 tools and more around those of a dialogue: near in subject and words, none of which could do its jobs."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from random import Random

from toolyard.benchmarks.mtu.synth.world.tool_documents import document, names
from toolyard.synth.chains.rivals import rivals
from toolyard.text.overlap import telling_stems
from toolyard.world.kernel.categories import related
from toolyard.world.kernel.registry import library

# Half of the lists are short, a quarter is of the middle length, and a quarter is long; the last takes all that fits.
_LENGTHS = ((50, 80), (110, 130), (50, 80), (200, 350), (50, 80), (110, 130), (50, 80), (400, 568))


def list_length(number: int, rng: Random) -> int:
    """How many tools the list of a dialogue has."""
    return rng.randint(*_LENGTHS[number % len(_LENGTHS)])


def tools_beside(
    used: Sequence[str], lacking: Iterable[str], said: str, length: int, rng: Random
) -> list[str]:
    """So many tools beside those used, the nearest first; none that could do what a used or a lacking tool does.

    General tools, such as a web search, could be bent to most jobs and are left out.
    """
    wanted = [*used, *lacking]
    fitting = [
        tool
        for tool in names()
        if tool not in wanted
        and not library()[tool].general
        and not any(rivals(each, tool) for each in wanted)
    ]
    stems = telling_stems(said)
    categories = {library()[each].category for each in wanted}

    def distance(tool: str) -> tuple[int, float]:
        category = library()[tool].category
        near = (
            0 if category in categories else 1 if any(related(category, each) for each in categories) else 2
        )
        return near - min(2, len(stems & _stems(tool))), rng.random()

    return sorted(fitting, key=distance)[: max(0, length - len(used))]


@functools.cache
def _stems(tool: str) -> frozenset[str]:
    return telling_stems(f"{names()[tool]} {document(tool, names()[tool])['description']}")
