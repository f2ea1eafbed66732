"""Plans out of wishes: what people ask in their own words, each executed, with a line of text for every step.

Single steps and one tool for several values are made of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from toolyard.benchmarks.toolbehonest.synth.world.executed_plans import TRIES, TaskPlan, ToolRun
from toolyard.benchmarks.toolbehonest.synth.world.listed_tools import offered
from toolyard.benchmarks.toolbehonest.synth.world.needs import conflict
from toolyard.core.types import Failure, derived_seed
from toolyard.synth.chains.chain import execute
from toolyard.synth.wishes.book import Values, Wish, wishes

ITERATED = (3, 3, 4)
SINGLE, ITER = "single_step", "iter"
WISHED = frozenset({SINGLE, ITER})


@dataclass(frozen=True, slots=True)
class WishedPlan:
    """A plan and what is said for each of its steps."""

    plan: TaskPlan
    lines: tuple[str, ...]


def wished(subtask: str, seed: int, n: int) -> WishedPlan | Failure:
    """Plan n of a subtask, or why none of some tries stands."""
    rng = Random(derived_seed(seed, f"toolbehonest/wishes/{subtask}", n))
    failure = Failure("no_plan", subtask)
    for _ in range(TRIES):
        made = _iterated(rng) if subtask == ITER else _single(rng)
        if not isinstance(made, Failure):
            return made
        failure = made
    return failure


def _single(rng: Random) -> WishedPlan | Failure:
    """One wish."""
    wish = rng.choice([wish for wish in wishes() if wish.tool in offered()])
    return _executed([(wish, wish.drawn(rng))], rng)


def _iterated(rng: Random) -> WishedPlan | Failure:
    """One wish for several values, and sometimes another errand behind."""
    count = rng.choice(ITERATED)
    pool = [wish for wish in wishes() if len(wish.slots[wish.lacks]) >= count and wish.tool in offered()]
    wish = rng.choice(pool)
    values = wish.drawn(rng)
    chosen = [(wish, values)]
    while len(chosen) < count:
        values = wish.changed(values, rng)
        if values.values not in [each.values for _, each in chosen]:
            chosen.append((wish, values))
    others = [
        each for each in wishes() if each.theme == wish.theme and each is not wish and each.tool in offered()
    ]
    if others and rng.random() < 1 / 2:
        other = rng.choice(others)
        chosen.append((other, other.drawn(rng)))
    parameter = next(name for name, given in wish.step.arguments.items() if given == f"{{{wish.lacks}}}")
    return _executed(chosen, rng, run=ToolRun(0, count, parameter))


def _executed(
    chosen: Sequence[tuple[Wish, Values]], rng: Random, run: ToolRun | None = None
) -> WishedPlan | Failure:
    trouble = conflict([wish.tool for wish, _ in chosen])
    if trouble:
        return Failure("rival_tools", trouble)
    chain = execute([wish.call(values) for wish, values in chosen])
    if isinstance(chain, Failure):
        return chain
    # The same wish comes back in other words, from the first ones on.
    ways = {wish.tool: _beginning_apart(rng.sample(wish.ask, len(wish.ask))) for wish, _ in chosen}
    lines = [wish.said((ways[wish.tool].pop(0),), values, rng) for wish, values in chosen]
    return WishedPlan(TaskPlan(chain, None, run), tuple(line[:1].upper() + line[1:] for line in lines))


def _beginning_apart(phrasings: Sequence[str]) -> list[str]:
    """The phrasings, those first that begin like none before them."""
    begun: set[tuple[str, ...]] = set()
    found: tuple[list[str], list[str]] = ([], [])
    for phrasing in phrasings:
        first = tuple(phrasing.casefold().split()[:2])
        found[first in begun].append(phrasing)
        begun.add(first)
    return [*found[0], *found[1]]
