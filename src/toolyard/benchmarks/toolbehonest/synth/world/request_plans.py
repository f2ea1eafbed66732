"""Plans out of requests: one thing that people ask in their own words, executed (single steps)."""

import functools
from dataclasses import dataclass
from random import Random

from toolyard.benchmarks.toolbehonest.synth.world.errands import STEPS, errands_of_subtask
from toolyard.benchmarks.toolbehonest.synth.world.executed_plans import TRIES, TaskPlan
from toolyard.benchmarks.toolbehonest.synth.world.listed_tools import offered_tools
from toolyard.core.types import Failure, derived_seed
from toolyard.synth.chains.chain import execute
from toolyard.synth.requests.request_book import user_requests
from toolyard.text.names import capitalise

SINGLE = "single_step"


@dataclass(frozen=True, slots=True)
class RequestedPlan:
    """A plan and what is said for it."""

    plan: TaskPlan
    line: str


def draw_request_plan(seed: int, n: int) -> RequestedPlan | Failure:
    """Plan n, each request in its turn, or why none of some tries stands."""
    rng = Random(derived_seed(seed, "toolbehonest/wishes", n))
    book = [request for request in user_requests() if request.tool in offered_tools()]
    Random(derived_seed(seed, "toolbehonest/wishes", -1)).shuffle(book)
    request = book[n % len(book)]
    failure = Failure("no_plan", request.tool)
    for _ in range(TRIES):
        values = request.draw_values(rng)
        chain = execute([request.call(values)])
        if not isinstance(chain, Failure):
            line = request.phrase(request.ask, values, rng)
            return RequestedPlan(TaskPlan(chain), capitalise(line))
        failure = chain
    return failure


@functools.cache
def asked_tools() -> frozenset[str]:
    """The tools that tasks of this pipeline may need: as spare ones they do not tell that they are."""
    wishes = (
        wish.step.tool
        for subtask in STEPS
        for errand in errands_of_subtask(subtask)
        for wish in errand.wishes
    )
    return frozenset(request.tool for request in user_requests()) | frozenset(wishes)
