"""Plans of errands: why somebody wants these steps together, executed, with a line in their own words for every step.

    [[errand]]
    subtask = "os"
    opening = ["The minutes are on the office computer, and the board wants them today:"]
    slots = {mark = ["DRAFT", "COPY"]}
    tempting = ["I'm at that computer now and have a terminal open."]      os and web: what the twin adds
    steps = [["File/Pdf/office_to_pdf", {file_path = "/workspace/minutes.docx"}, ["Turn the minutes into a PDF."]], ...]

Slots and `$1.field` are those of goals. That no step can be done by another's tool is seen to where they are written; that
none of the tools left over shows what the missing one found is tried when a pair is made.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from random import Random
from typing import Any

from toolyard.benchmarks.toolbehonest.synth.world.executed_plans import TaskPlan, in_turn
from toolyard.benchmarks.toolbehonest.synth.world.listed_tools import offered
from toolyard.core.types import Failure, JsonValue
from toolyard.synth.chains.chain import PlannedStep, execute
from toolyard.synth.goals.goal_book import fill_slots, spelled, with_values
from toolyard.synth.goals.goal_plans import plan

ERRANDS = frozenset({"os", "web", "multi_step_wo_rep", "multi_step_w_rep"})


@dataclass(frozen=True, slots=True)
class Errand:
    """One errand of the book: how it begins, its steps, and the ways to say each of them."""

    opening: tuple[str, ...]
    plan: tuple[PlannedStep, ...]
    lines: tuple[tuple[str, ...], ...]
    slots: Mapping[str, tuple[JsonValue, ...]]
    tempting: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ErrandPlan:
    """An executed errand with its words."""

    plan: TaskPlan
    opening: str
    lines: tuple[str, ...]
    tempting: str = ""


@functools.cache
def errands(subtask: str) -> tuple[Errand, ...]:
    """The errands of a subtask, in the order of the book."""
    text = resources.files(__package__).joinpath("errands.toml").read_text("utf-8")
    return tuple(
        Errand(
            tuple(entry["opening"]),
            plan([step[:2] for step in entry["steps"]], entry["opening"][0]),
            tuple(tuple(step[2]) for step in entry["steps"]),
            {name: tuple(values) for name, values in entry["slots"].items()},
            tuple(entry.get("tempting", ())),
        )
        for entry in tomllib.loads(text)["errand"]
        if entry["subtask"] == subtask
    )


def errand(subtask: str, seed: int, n: int) -> ErrandPlan | Failure:
    """Errand n of a subtask, each in its turn, or why none of some tries stands."""
    return in_turn(errands(subtask), f"toolbehonest/errands/{subtask}", seed, n, _executed)


def _executed(chosen: Errand, rng: Random) -> ErrandPlan | Failure:
    values: dict[str, Any] = {}
    words: dict[str, str] = {}
    for name, options in chosen.slots.items():
        fill_slots(name.split("+"), rng.choice(options), values, words)
    tools = [step.tool for step in chosen.plan]
    unlisted = [tool for tool in tools if tool not in offered()]
    if unlisted:
        return Failure("twin_tool", unlisted[0])
    chain = execute(
        [
            PlannedStep(step.tool, {key: with_values(given, values) for key, given in step.arguments.items()})
            for step in chosen.plan
        ]
    )
    if isinstance(chain, Failure):
        return chain
    lines = tuple(_said(rng.choice(ways), words) for ways in chosen.lines)
    tempting = _said(rng.choice(chosen.tempting), words) if chosen.tempting else ""
    opening = _said(rng.choice(chosen.opening), words)
    return ErrandPlan(TaskPlan(chain, _again(tools)), opening, lines, tempting)


def _again(tools: Sequence[str]) -> int | None:
    """The step at which a tool comes back."""
    return next((place for place, tool in enumerate(tools) if tool in tools[:place]), None)


def _said(phrasing: str, words: Mapping[str, str]) -> str:
    text = spelled(phrasing, words)
    return text[:1].upper() + text[1:]
