"""Dialogues over the world's tools (`synth.world`) as rows: missing values, confirmations, changes, refusals.

They have more tools and more reasons for a turn without a call than corpora do. Every call was executed; the turns of
a dialogue are as many rows.
"""

from __future__ import annotations

import functools
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from toolyard.benchmarks.mtu.synth.instruct.dialogue_rows import Document, StandardCall, StandardTurn
from toolyard.benchmarks.mtu.synth.training.dialogue_turns import TrainingDialogue, named, training_row
from toolyard.benchmarks.mtu.synth.world.dialogue_rules import TODAY
from toolyard.benchmarks.mtu.synth.world.pipeline import drafts as world_dialogues
from toolyard.benchmarks.mtu.synth.world.pipeline import draw_goal, talk
from toolyard.benchmarks.mtu.synth.world.tool_documents import names
from toolyard.core.types import Failure, JsonValue, Record, derived_seed
from toolyard.synth.mixture.held_out import is_held_out
from toolyard.synth.mixture.mixture_settings import MixtureSettings
from toolyard.synth.mixture.rows import TrainingRow
from toolyard.synth.stages import Context, Rejected

SOURCE = "world"
# Turns of a dialogue in the mean.
TURNS = 2.5
SHARES: Mapping[str, float] = {"S-S": 0.2, "S-M": 0.1, "M-S": 0.5, "M-M": 0.2}


def world_drafts(count: int, seed: int) -> Iterator[dict[str, JsonValue]]:
    """Drafts of dialogues that give about so many turns."""
    wanted = round(count / TURNS)
    found: dict[str, list[Record]] = {setting: [] for setting in SHARES}
    for draft in world_dialogues(Context(own_seed(seed), 2 * wanted)):
        if not isinstance(draft, Rejected):
            found[draft["setting"]].append(draft)
    for setting, share in SHARES.items():
        for draft in found[setting][: round(share * wanted)]:
            name = f"world/{draft['id']}"
            yield {"id": name, "origin": f"{name}/{seed}", "world": draft}


def own_seed(seed: int) -> int:
    """The seed of dialogues to train on: another than that of an evaluation set made with the same number."""
    return derived_seed(seed, "training", 0)


def world_rows(draft: Record, settings: MixtureSettings) -> Iterator[TrainingRow | Failure]:
    """A row for every turn of the dialogue."""
    context = Context(own_seed(settings.seed))
    goal = draw_goal(draft["world"], context)
    if isinstance(goal, Rejected):
        yield Failure(goal.reason, draft["id"])
        return
    made = talk({**draft["world"], **_fields(goal)}, context)
    if isinstance(made, Rejected):
        yield Failure(made.reason, draft["id"])
        return
    turns = [_turn(turn) for turn in _fields(made)["turns"]]
    called = {call.name for turn in turns for call in turn.calls}
    if called & held_out_names():
        yield Failure("held_out", draft["id"])
        return
    tools = [tool for tool in _fields(made)["tools"] if tool["name"] not in held_out_names()]
    rng = random.Random(derived_seed(settings.seed, draft["id"], 0))
    whole = _dialogue(draft, turns, called, tools)
    whole = named(whole, settings, rng)
    for place in range(len(turns)):
        yield training_row(whole.until(place), settings.most_tokens, rng)


def _dialogue(
    draft: Record, turns: Sequence[StandardTurn], called: set[str], tools: Sequence[Document]
) -> TrainingDialogue:
    own = tuple(tool for tool in tools if tool["name"] in called)
    others = tuple(tool for tool in tools if tool["name"] not in called)
    return TrainingDialogue(draft["id"], SOURCE, draft["world"]["setting"], tuple(turns), own, others, TODAY)


def _fields(kept: Any) -> Record:
    found: Record = kept.fields
    return found


def _turn(turn: Record) -> StandardTurn:
    seen = json.loads(turn["observation"]) if turn["observation"] else {}
    calls = tuple(StandardCall(call["name"], call["arguments"], returned=seen) for call in turn["calls"])
    return StandardTurn(turn["user"], turn["assistant"], calls=calls, thought=turn["thought"])


@functools.cache
def held_out_names() -> frozenset[str]:
    """The names of tools that no row may show."""
    return frozenset(name for tool, name in names().items() if is_held_out(tool))
