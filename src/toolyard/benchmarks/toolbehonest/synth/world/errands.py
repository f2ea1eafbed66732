"""Plans of errands and subjects: why somebody wants these steps together, executed, with a line in their own words for each.

    [[errand]]                                                             os: all steps, in this order
    opening = ["The minutes are on the office computer, and the board wants them today:"]
    slots = {mark = ["DRAFT", "COPY"]}
    tempting = ["I'm at that computer now and have a terminal open."]      what the surroundings offer, in both twins
    steps = [["File/Pdf/office_to_pdf", {file_path = "/workspace/minutes.docx"}, ["Turn the minutes into a PDF."]], ...]

    [[subject]]                                                            as many wishes as are wanted, in any order
    subtasks = ["multi_step_wo_rep", "multi_step_w_rep", "single_step"]
    opening = ["We spend a week in {town}:"]
    both = ["We start in {town} and go on to {town2}:"]                    the opening where a wish comes back
    slots = {"town+town2" = [["Madrid", "Lisbon"]]}
    idle = ["It all goes on one sheet."]                                   a remark behind the list that needs no tool
    wishes = [["BMTool_Travel/carProducts", {pickup_location = "{town}"}, ["Which cars ...?"], ["And in {town2}?"]], ...]

Slots and `$1.field` are those of goals. A wish is repeated with the values whose names end in 2. The tools of wishes that
were not drawn are listed beside those that were: whatever may be missing in one pair is spare in another.
"""

import functools
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from random import Random
from typing import Any

from toolyard.benchmarks.toolbehonest.synth.world.executed_plans import TaskPlan, repeat_index, run_entry
from toolyard.benchmarks.toolbehonest.synth.world.listed_tools import offered_tools
from toolyard.benchmarks.toolbehonest.synth.world.missing_tool_proof import stands_in
from toolyard.core.types import Failure, JsonValue
from toolyard.synth.chains.chain import PlannedStep, execute
from toolyard.synth.goals.goal_book import fill_phrasing, fill_slots, fill_values
from toolyard.synth.goals.goal_plans import plan
from toolyard.text.names import capitalise

REPEATING = "multi_step_w_rep"
# How many steps a task has, by weight, so that the means are the paper's (Table 1).
STEPS: Mapping[str, Mapping[int, float]] = {
    "single_step": {1: 1},
    "multi_step_wo_rep": {4: 4, 5: 4, 6: 2},
    REPEATING: {5: 1, 6: 4, 7: 4},
    "os": {2: 2, 3: 6, 4: 2},
    "web": {4: 6, 5: 4},
}
_SECOND = "2"


@dataclass(frozen=True, slots=True)
class Wish:
    """One step with the ways to say it, the first time and once more."""

    step: PlannedStep
    ways: tuple[str, ...]
    again: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Errand:
    """One entry of the book; `whole` if all of its wishes are wanted in their order."""

    opening: tuple[str, ...]
    both: tuple[str, ...]
    wishes: tuple[Wish, ...]
    slots: Mapping[str, tuple[JsonValue, ...]]
    tempting: tuple[str, ...]
    idle: tuple[str, ...]
    subtasks: tuple[str, ...]
    whole: bool


@dataclass(frozen=True, slots=True)
class ErrandPlan:
    """An executed errand with its words, and tools that others would want around the same thing."""

    plan: TaskPlan
    opening: str
    lines: tuple[str, ...]
    tempting: str = ""
    idle: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


@functools.cache
def errands_of_subtask(subtask: str) -> tuple[Errand, ...]:
    """The entries of a subtask, in the order of the book."""
    return tuple(errand for errand in _read_book() if subtask in errand.subtasks)


@functools.cache
def _read_book() -> tuple[Errand, ...]:
    book = tomllib.loads(resources.files(__package__).joinpath("errands.toml").read_text("utf-8"))
    entries = [*((entry, True) for entry in book["errand"]), *((entry, False) for entry in book["subject"])]
    return tuple(
        Errand(
            tuple(entry["opening"]),
            tuple(entry.get("both", ())),
            _read_wishes(entry["steps" if whole else "wishes"], entry["opening"][0]),
            {name: tuple(values) for name, values in entry["slots"].items()},
            tuple(entry.get("tempting", ())),
            tuple(entry.get("idle", ())),
            tuple(entry.get("subtasks", ("os",))),
            whole,
        )
        for entry, whole in entries
    )


def _read_wishes(written: Sequence[Any], where: str) -> tuple[Wish, ...]:
    steps = plan([wish[:2] for wish in written], where)
    return tuple(Wish(step, *map(tuple, wish[2:])) for step, wish in zip(steps, written, strict=True))


def draw_errand(subtask: str, seed: int, n: int) -> ErrandPlan | Failure:
    """Errand n of a subtask, each in its turn, or why none of some tries stands."""
    return run_entry(
        errands_of_subtask(subtask),
        f"toolbehonest/errands/{subtask}",
        seed,
        n,
        functools.partial(_execute_errand, subtask),
    )


def _execute_errand(subtask: str, chosen: Errand, rng: Random) -> ErrandPlan | Failure:
    values: dict[str, JsonValue] = {}
    words: dict[str, str] = {}
    for name, options in chosen.slots.items():
        fill_slots(name.split("+"), rng.choice(options), values, words)
    drawn = [(wish, False) for wish in chosen.wishes] if chosen.whole else _draw_wishes(subtask, chosen, rng)
    unlisted = [wish.step.tool for wish, _ in drawn if wish.step.tool not in offered_tools()]
    if unlisted:
        return Failure("twin_tool", unlisted[0])
    steps = [_fill_step(wish.step, _values_of_second(values) if again else values) for wish, again in drawn]
    twice = repeat_index([step.tool for step in steps])
    rivals = [step.tool for step in steps if twice is not None and _could_do(step.tool, steps[twice].tool)]
    if rivals:
        return Failure("answered_elsewhere", rivals[0])
    chain = execute(steps)
    if isinstance(chain, Failure):
        return chain
    lines = tuple(
        _fill_sentence(rng.choice(wish.again if again else wish.ways), words) for wish, again in drawn
    )
    tempting = _fill_sentence(rng.choice(chosen.tempting), words) if chosen.tempting else ""
    others = {wish.step.tool for wish in chosen.wishes} - {step.tool for step in steps}
    return ErrandPlan(
        TaskPlan(chain, twice),
        _fill_sentence(rng.choice(chosen.both if subtask == REPEATING else chosen.opening), words),
        lines,
        tempting,
        chosen.idle,
        tuple(sorted(others & offered_tools().keys())),
    )


def _could_do(other: str, needed: str) -> bool:
    return other != needed and stands_in(other, needed)


def _draw_wishes(subtask: str, chosen: Errand, rng: Random) -> list[tuple[Wish, bool]]:
    """Wishes in an order of chance; where one comes back, at two places that are drawn evenly."""
    weights = STEPS[subtask]
    count = rng.choices(list(weights), list(weights.values()))[0]
    if subtask != REPEATING:
        return [(wish, False) for wish in rng.sample(chosen.wishes, min(count, len(chosen.wishes)))]
    twice = rng.choice([wish for wish in chosen.wishes if wish.again])
    rest = [wish for wish in chosen.wishes if wish is not twice]
    drawn = [(wish, False) for wish in rng.sample(rest, min(count - 2, len(rest)))]
    first, second = sorted(rng.sample(range(len(drawn) + 2), 2))
    drawn.insert(first, (twice, False))
    drawn.insert(second, (twice, True))
    return drawn


def _values_of_second(values: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    return {name: values.get(f"{name}{_SECOND}", value) for name, value in values.items()}


def _fill_step(step: PlannedStep, values: Mapping[str, JsonValue]) -> PlannedStep:
    return PlannedStep(step.tool, {name: fill_values(each, values) for name, each in step.arguments.items()})


def _fill_sentence(phrasing: str, words: Mapping[str, str]) -> str:
    text = fill_phrasing(phrasing, words)
    return capitalise(text)
