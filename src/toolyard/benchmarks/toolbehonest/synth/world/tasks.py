"""Tasks in words: a setting, the requirements as numbered lines, and what makes the twin unsolvable."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping, Sequence
from importlib import resources
from random import Random

from toolyard.benchmarks.toolbehonest.synth.world.executed_plans import TaskPlan, thing
from toolyard.core.types import Json
from toolyard.synth.wording.phrasing import request, written
from toolyard.text.numbers import ONES
from toolyard.world.phrase import phrases

NUMBERS = ("no", *ONES[1:8])
_CLOSING = 0.35
_ANY_SETTING = 0.15


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


def setting(field: str, rng: Random, *, several: bool = True) -> str:
    """A sentence on who asks and why; with several errands it may be a general one."""
    name = "any" if several and field not in ("os", "web") and rng.random() < _ANY_SETTING else field
    return str(rng.choice(words()["settings"][name]))


def requirements(plan: TaskPlan, rng: Random) -> list[str]:
    """One sentence per step; the repeated one in other words than the first time."""
    lines = [request(step, plan.chain, rng) for step in plan.chain.steps]
    if plan.again is not None:
        lines[plan.again] = _in_other_words(plan, plan.again, rng)
    return [sentence(line) for line in lines]


def _in_other_words(plan: TaskPlan, index: int, rng: Random) -> str:
    step = plan.chain.steps[index]
    value = next(iter(step.literals.values()))
    template: str = rng.choice(words()["again"])
    return template.format(noun=phrases()[step.tool].noun, value=written(value))


def sentence(text: str) -> str:
    """The text with a capital at its beginning and a stop at its end."""
    ended = text if text.rstrip('"').endswith((".", "!", "?")) else f"{text}."
    return ended[:1].upper() + ended[1:]


def single(field: str, line: str, rng: Random) -> str:
    """A task with one step in running text."""
    template: str = rng.choice(words()["single"])
    bare = line.rstrip(".")
    if bare.endswith(("!", "?", '"')):
        template = words()["single"][0]
    lowered = bare[:1].lower() + bare[1:]
    return template.format(setting=setting(field, rng, several=False), sentence=line, request=lowered)


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
