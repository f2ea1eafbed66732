"""Goals of the book as requests to train on: each with values and in words of its own."""

import functools
import random
from collections.abc import Iterator
from typing import Any

from toolyard.core.types import Failure, JsonValue, Record, derived_seed
from toolyard.synth.chains.chain import execute
from toolyard.synth.chains.projection import returned_fields
from toolyard.synth.goals.goal_book import Filling, Goal, all_goals
from toolyard.synth.mixture.held_out import is_held_out_goal

SOURCE = "goals"
# Another world than that of the starter sets, whose seed is 0.
WORLD_SEED = 4711


@functools.cache
def trained_goals() -> tuple[Goal, ...]:
    """The goals that are not held out."""
    return tuple(goal for goal in all_goals() if not is_held_out_goal(goal))


def goal_drafts(count: int, seed: int) -> Iterator[dict[str, Any]]:
    """So many requests: goals in turn, every time with other values or words, from the start when all are used."""
    orders = []
    for goal in trained_goals():
        rng = random.Random(derived_seed(seed, f"goal/{goal.name}", 0))
        orders.append(rng.sample(range(_count_requests(goal)), _count_requests(goal)))
    for number in range(count):
        turn, place = divmod(number, len(orders))
        again, which = divmod(turn, len(orders[place]))
        yield goal_draft(place, orders[place][which], again)


def goal_draft(goal: int, which: int, again: int = 0) -> dict[str, JsonValue]:
    """The draft of one request; `again` tells those of the same words apart."""
    name = trained_goals()[goal].name
    return {"id": f"goal/{goal}/{which}/{again}", "origin": name, "goal": goal, "which": which}


def all_goal_drafts() -> Iterator[dict[str, JsonValue]]:
    """Every goal with every set of values in every phrasing, once."""
    for place, goal in enumerate(trained_goals()):
        yield from (goal_draft(place, which) for which in range(_count_requests(goal)))


def draft_filling(draft: Record) -> Filling:
    """The request that a draft means."""
    goal = trained_goals()[draft["goal"]]
    phrasing, values = divmod(draft["which"], goal.fillings)
    return goal.fill(values, phrasing)


def execution_failure(draft: Record) -> str:
    """Why the calls of a draft do not run in the world; empty where they do."""
    return _outcome_of_goal(draft["goal"], draft["which"] % trained_goals()[draft["goal"]].fillings)


@functools.cache
def _outcome_of_goal(goal: int, values: int) -> str:
    """Executed once for all phrasings: the words of a request change no call, nor do other names."""
    chain = execute(trained_goals()[goal].fill(values, 0).plan, WORLD_SEED, returned_fields)
    return chain.kind if isinstance(chain, Failure) else ""


def _count_requests(goal: Goal) -> int:
    return goal.fillings * len(goal.ask)
