"""Plans of rounds: one tool for several values in a row, executed, with a line of its own for every value.

[[round]]
call = ["dish_pairing_for_wine", {wine = "{wine}"}]
changes = "wine"
thing = "wine"
slots = {wine = ["malbec", "riesling", "merlot", "chianti"]}
opening = ["Every table gets another bottle, and I need one dish for each:", ...]
lines = ["The first table has a {wine}: what should they eat?", ...]
short = ["I've {limit} lookups left and can't buy more today.", ...]
"""

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from random import Random

from toolyard.benchmarks.toolbehonest.synth.world.executed_plans import TaskPlan, ToolRun, run_entry
from toolyard.core.types import Failure, JsonValue
from toolyard.synth.chains.chain import PlannedStep, execute
from toolyard.synth.goals.goal_book import fill_phrasing, fill_slots, fill_values
from toolyard.synth.goals.goal_plans import plan
from toolyard.text.names import capitalise

ITER = "iter"
# How many calls a run has, by weight, so that the mean is the paper's (Table 1).
ITERATED: Mapping[int, float] = {3: 1, 4: 2, 5: 4, 6: 3}


@dataclass(frozen=True, slots=True)
class WrittenRound:
    """One round of the book: the call, the slot that changes, and the words around it."""

    step: PlannedStep
    changes: str
    thing: str
    slots: Mapping[str, tuple[JsonValue, ...]]
    opening: tuple[str, ...]
    lines: tuple[str, ...]
    short: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RoundPlan:
    """An executed round with its words; `values` are those that change, `unused` others of the kind, as they are said."""

    plan: TaskPlan
    opening: str
    lines: tuple[str, ...]
    values: tuple[str, ...]
    unused: tuple[str, ...]
    thing: str
    short: str


@functools.cache
def rounds_in_order() -> tuple[WrittenRound, ...]:
    """The rounds in the order of the book."""
    text = resources.files(__package__).joinpath("rounds.toml").read_text("utf-8")
    return tuple(
        WrittenRound(
            plan([entry["call"]], entry["opening"][0])[0],
            entry["changes"],
            entry["thing"],
            {name: tuple(values) for name, values in entry["slots"].items()},
            tuple(entry["opening"]),
            tuple(entry["lines"]),
            tuple(entry["short"]),
        )
        for entry in tomllib.loads(text)["round"]
    )


def draw_round(seed: int, n: int) -> RoundPlan | Failure:
    """Round n, each of the book in its turn, or why none of some tries stands."""
    return run_entry(rounds_in_order(), "toolbehonest/rounds", seed, n, _execute_round)


def _execute_round(chosen: WrittenRound, rng: Random) -> RoundPlan | Failure:
    values: dict[str, JsonValue] = {}
    words: dict[str, str] = {}
    for name, options in chosen.slots.items():
        fill_slots([name], rng.choice(options), values, words)
    count = rng.choices(list(ITERATED), list(ITERATED.values()))[0]
    # The first line says what is wanted, the others may lean on it.
    chosen_lines = [
        chosen.lines[0],
        *(chosen.lines[n] for n in sorted(rng.sample(range(1, len(chosen.lines)), count - 1))),
    ]
    drawn = list(chosen.slots[chosen.changes])
    rng.shuffle(drawn)
    steps, lines, said = [], [], []
    for number, option in enumerate(drawn):
        fill_slots([chosen.changes], option, values, words)
        said.append(words[chosen.changes])
        if number < count:
            given = {name: fill_values(each, values) for name, each in chosen.step.arguments.items()}
            steps.append(PlannedStep(chosen.step.tool, given))
            lines.append(capitalise(fill_phrasing(chosen_lines[number], words)))
    chain = execute(steps)
    if isinstance(chain, Failure):
        return chain
    slot = f"{{{chosen.changes}}}"
    parameter = next(name for name, given in chosen.step.arguments.items() if given == slot)
    run = TaskPlan(chain, None, ToolRun(0, count, parameter))
    opening = capitalise(fill_phrasing(rng.choice(chosen.opening), words))
    short = rng.choice(chosen.short)
    return RoundPlan(
        run, opening, tuple(lines), tuple(said[:count]), tuple(said[count:]), chosen.thing, short
    )
