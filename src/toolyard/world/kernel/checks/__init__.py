"""What a machine can say about the world: what it promises, whether it agrees with itself, what a seed changes.

    report = check_world(range(20))
    report.counts["promise"].defects      # (Defect("Weather/weatherapi/marine", "tides[2].height: ..."), ...)

A single fact is never a defect; outside these checks only a crash, a leak or a document that cannot be followed is one.
"""

from collections.abc import Callable, Sequence

from toolyard.world.kernel.checks.call_checks import (
    check_bounds,
    check_collection,
    check_determinism,
    check_freshness,
    check_promises,
    check_state,
    closure,
)
from toolyard.world.kernel.checks.check_counts import Count, WorldReport
from toolyard.world.kernel.checks.entity_agreement import check_agreement
from toolyard.world.kernel.checks.process_answers import compare_in_new_process
from toolyard.world.kernel.checks.refusal_steps import check_repairs
from toolyard.world.kernel.checks.seen_calls import SeenCall, closure_calls, drawn_calls, example_calls

__all__ = ["Count", "SeenCall", "WorldReport", "check_world"]

# What hears how many seeds are done, and how many there are.
Progress = Callable[[int, int], None]


def _show_nothing(done: int, total: int) -> None:
    """Nobody watches."""


def check_world(
    seeds: Sequence[int],
    *,
    share: float = 1.0,
    elsewhere: bool = True,
    progress: Progress = _show_nothing,
) -> WorldReport:
    """All checks over some seeds, of which there are two at least.

    `share` of the parameters are given what other tools return, that share of the tools is called with an argument
    drawn from its schema, and three times that share, as refusals are few, is misspelt; with `elsewhere` another
    process must give the same answers, too.
    """
    report = WorldReport()
    first: list[SeenCall] = []
    for done, seed in enumerate(seeds):
        progress(done, len(seeds))
        examples = example_calls(seed)
        drawn = closure_calls(examples, share)
        report.add("closure", closure(drawn))
        answered = [*examples, *drawn_calls(seed, share), *(each for each in drawn if each.error is None)]
        report.add("promise", check_promises(answered))
        report.add("bounds", check_bounds(answered))
        report.add("collection", check_collection(answered))
        report.add("agreement", check_agreement([*examples, *drawn]))
        report.add("state", check_state(examples))
        report.add("determinism", check_determinism(examples))
        if not first:
            first = examples
            report.add("repair", check_repairs(seed, min(1.0, 3 * share)))
            if elsewhere:
                report.add("determinism", compare_in_new_process(seed, examples))
        elif done == 1:
            report.add("freshness", check_freshness(first, examples))
    progress(len(seeds), len(seeds))
    return report
