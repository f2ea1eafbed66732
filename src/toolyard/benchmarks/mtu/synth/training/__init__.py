"""The MTU part of a training mixture: turns in the prompt of a run, with the answer that scores 1 there."""

import random
from collections.abc import Iterator

from toolyard.benchmarks.mtu.synth.training.dialogue_turns import (
    dialogue_from_draft,
    training_row,
    world_drafts,
    world_rows,
)
from toolyard.benchmarks.mtu.synth.training.turn_drafts import chosen_drafts
from toolyard.core.types import Failure, JsonValue, Record, derived_seed
from toolyard.synth.mixture.goal_requests import execution_failure
from toolyard.synth.mixture.mixture_settings import MixtureSettings
from toolyard.synth.mixture.rows import TrainingRow
from toolyard.synth.stages import Context, Rows

# How many of the turns are of dialogues over the world's tools.
WORLD_SHARE = 0.15


def drafts(rows: Rows, count: int, context: Context) -> Iterator[dict[str, JsonValue]]:
    """So many turns: of corpora and requests, and of dialogues over the world's tools."""
    over_world = round(count * WORLD_SHARE)
    yield from chosen_drafts(rows, count - over_world, context)
    yield from world_drafts(over_world, context.seed)


def rows(draft: Record, settings: MixtureSettings) -> Iterator[TrainingRow | Failure]:
    """The rows of a draft, or why there are none."""
    if "world" in draft:
        yield from world_rows(draft, settings)
        return
    failed = next(filter(None, map(execution_failure, draft.get("goals", ()))), "")
    if failed:
        yield Failure(failed, draft["id"])
        return
    rng = random.Random(derived_seed(settings.seed, f"row/{draft['id']}", 0))
    yield training_row(dialogue_from_draft(draft, settings, rng), settings.most_tokens, rng)
