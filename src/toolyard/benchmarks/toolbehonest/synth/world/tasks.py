"""Tasks in words: an opening, the requirements as numbered lines, and what makes the twin unsolvable."""

import functools
import json
from collections.abc import Sequence
from importlib import resources
from random import Random

from toolyard.core.types import Record
from toolyard.text.counted_nouns import ONES

NUMBERS = ("no", *ONES[1:8])
_CLOSING = 0.35
_FEWEST_LINES = 2
_JOINED = 0.75
_REMARK = 0.4


@functools.cache
def task_phrases() -> Record:
    """The shipped sentences by their use."""
    text = (
        resources.files("toolyard.benchmarks.toolbehonest.synth.world")
        .joinpath("settings.json")
        .read_text("utf-8")
    )
    found: Record = json.loads(text)
    return found


def itemise_task(head: Sequence[str], lines: Sequence[str], closing: str) -> str:
    """A task with numbered requirements."""
    numbered = [f"{number}. {line}" for number, line in enumerate(lines, 1)]
    return "\n".join([" ".join(part for part in head if part), *numbered, *([closing] if closing else ())])


def lay_out_lines(lines: Sequence[str], rng: Random) -> list[str]:
    """The lines of a list; mostly two steps share one, so that their number tells little."""
    found, drawn = list(lines), rng.random()
    place = rng.randrange(len(found))
    if drawn < _JOINED and len(found) > _FEWEST_LINES:
        place = min(place, len(found) - 2)
        found[place : place + 2] = [" ".join(found[place : place + 2])]
    return found


def closing_sentence(rng: Random) -> str:
    """A sentence behind the list, or none."""
    return str(rng.choice(task_phrases()["closings"])) if rng.random() < _CLOSING else ""


def text_after_list(idle: Sequence[str], tempting: str, rng: Random) -> str:
    """What stands behind the list: something of the occasion that needs no tool, what the surroundings offer, or nothing."""
    remark = rng.choice(idle) if idle and rng.random() < _REMARK else ""
    return " ".join(filter(None, (remark, tempting))) or closing_sentence(rng)


def one_tool_sentence(rng: Random) -> str:
    """A sentence that opens a list of constraints, all to be met by one tool in one answer."""
    return str(rng.choice(task_phrases()["one_tool"]))


def join_with_and(values: Sequence[str]) -> str:
    """`a, b and c`."""
    return " and ".join([", ".join(values[:-1]), values[-1]] if len(values) > 1 else values)
