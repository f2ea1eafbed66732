"""A row taken through the stages of a pipeline in this process, and its calls made in the world that is played."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from toolyard.core.types import Failure
from toolyard.env.gym_task import OTHER_SPLIT, ExecutedCalls, Fits
from toolyard.synth.chains.chain import Chain, execute
from toolyard.synth.chains.projection import View, output_fields
from toolyard.synth.stages import Context, Kept, Outcome, Rejected, Row

Stage: TypeAlias = Callable[[Row, Context], Outcome]


def run_stages(
    row: Row,
    stages: Sequence[Stage],
    context: Context,
    calls_of: Callable[[Row], ExecutedCalls],
    fits: Fits,
    *,
    after: Stage,
) -> Row | Failure:
    """The row after all stages; a failure where one rejects it, or its calls belong to another split.

    The calls are known after the stage `after`, and looked at then: what follows may cost much.
    """
    for stage in stages:
        outcome = stage(row, context)
        if isinstance(outcome, Rejected):
            return Failure(outcome.reason, outcome.detail)
        assert isinstance(outcome, Kept)
        row = {**row, **outcome.fields}
        if stage is after and not fits(calls_of(row)):
            return OTHER_SPLIT
    return row


def execute_in_world(chain: Chain, world_seed: int, view: View = output_fields) -> Chain | Failure:
    """The same calls in another world, or why they do not stand there.

    Tasks are drawn in world 0, so that what is asked, and in which split, is the same in all worlds.
    """
    return chain if chain.seed == world_seed else execute(chain.plan, world_seed, view)
