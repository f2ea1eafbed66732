"""Plans out of wishes: one thing that people ask in their own words, executed (single steps)."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from toolyard.benchmarks.toolbehonest.synth.world.executed_plans import TRIES, TaskPlan
from toolyard.benchmarks.toolbehonest.synth.world.listed_tools import offered
from toolyard.core.types import Failure, derived_seed
from toolyard.synth.chains.chain import execute
from toolyard.synth.wishes.book import wishes

SINGLE = "single_step"


@dataclass(frozen=True, slots=True)
class WishedPlan:
    """A plan and what is said for it."""

    plan: TaskPlan
    line: str


def wished(seed: int, n: int) -> WishedPlan | Failure:
    """Plan n, each wish in its turn, or why none of some tries stands."""
    rng = Random(derived_seed(seed, "toolbehonest/wishes", n))
    book = [wish for wish in wishes() if wish.tool in offered()]
    Random(derived_seed(seed, "toolbehonest/wishes", -1)).shuffle(book)
    wish = book[n % len(book)]
    failure = Failure("no_plan", wish.tool)
    for _ in range(TRIES):
        values = wish.drawn(rng)
        chain = execute([wish.call(values)])
        if not isinstance(chain, Failure):
            line = wish.said(wish.ask, values, rng)
            return WishedPlan(TaskPlan(chain), line[:1].upper() + line[1:])
        failure = chain
    return failure
