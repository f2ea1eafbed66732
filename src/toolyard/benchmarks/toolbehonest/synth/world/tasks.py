"""Tasks in words: an opening, the requirements as numbered lines, and what makes the twin unsolvable."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping, Sequence
from importlib import resources
from random import Random

from toolyard.benchmarks.toolbehonest.synth.world.executed_plans import TaskPlan, thing
from toolyard.core.types import Json
from toolyard.text.numbers import ONES

NUMBERS = ("no", *ONES[1:8])
_CLOSING = 0.35


@functools.cache
def words() -> Mapping[str, Json]:
    """The shipped sentences by their use."""
    text = (
        resources.files("toolyard.benchmarks.toolbehonest.synth.world")
        .joinpath("settings.json")
        .read_text("utf-8")
    )
    found: Mapping[str, Json] = json.loads(text)
    return found


def sentence(text: str) -> str:
    """The text with a capital at its beginning and a stop at its end."""
    ended = text if text.rstrip('"').endswith((".", "!", "?")) else f"{text}."
    return ended[:1].upper() + ended[1:]


def itemised(head: Sequence[str], lines: Sequence[str], closing: str) -> str:
    """A task with numbered requirements."""
    numbered = [f"{number}. {line}" for number, line in enumerate(lines, 1)]
    return "\n".join([" ".join(part for part in head if part), *numbered, *([closing] if closing else ())])


def closing(rng: Random) -> str:
    """A sentence behind the list, or none."""
    return str(rng.choice(words()["closings"])) if rng.random() < _CLOSING else ""


def lead(rng: Random) -> str:
    """A sentence that opens the list."""
    return str(rng.choice(words()["leads"]))


def one_tool(rng: Random) -> str:
    """A sentence that opens a list of constraints, all to be met by one tool in one answer."""
    return str(rng.choice(words()["one_tool"]))


def surroundings(subtask: str, rng: Random) -> str:
    """What lies about and tempts: a shell, a browser."""
    return str(rng.choice(words()[subtask]))


def one_per_call(plan: TaskPlan, values: Sequence[str], rng: Random) -> str:
    """The limits of the iterated tool, with the values it covers where they are few."""
    what = iterated_thing(plan)
    if not values:
        return str(rng.choice(words()["one_per_call"])).format(thing=what)
    return sentence(str(rng.choice(words()["covered"])).format(thing=what, values=listed(values)))


def limit(calls: int, rng: Random) -> str:
    """The sentence that limits the number of calls."""
    return str(rng.choice(words()["limits"])).format(limit=NUMBERS[calls])


def iterated_thing(plan: TaskPlan) -> str:
    """What changes from call to call, in words."""
    assert plan.run is not None
    return thing(plan.chain.steps[plan.run.first].tool, plan.run.parameter)


def listed(values: Sequence[str]) -> str:
    """`a, b and c`."""
    return " and ".join([", ".join(values[:-1]), values[-1]] if len(values) > 1 else values)
