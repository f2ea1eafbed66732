"""Thought, action, action input, observation and response of every turn; hard rows made on purpose; tags.

The response is the recorded reply; where a corpus has none it is empty.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from toolyard.benchmarks.mtu.hard_types import hard_types
from toolyard.benchmarks.mtu.sample import MtuGold, MtuInput, MtuTurn
from toolyard.benchmarks.mtu.synth.corpora.sgd_calendar import TODAY
from toolyard.benchmarks.mtu.synth.instruct.dialogue_rows import (
    Document,
    StandardCall,
    StandardTurn,
    all_written,
    standard_turns,
)
from toolyard.benchmarks.mtu.synth.instruct.said_before import observed
from toolyard.benchmarks.mtu.synth.instruct.written_thoughts import thought
from toolyard.core.types import Sample, derived_seed
from toolyard.synth.stages import Context, Kept, Outcome, Row

NONSENSE = "abcdefghjklmnpqrstuvwxyz"


def synthesised(row: Row, context: Context) -> Outcome:
    """The row with thoughts and observations; a share of the single turns is made hard before."""
    turns, documents, made_hard = hardened(row, float(context.options["hard-share"]), context.seed)
    rng = random.Random(derived_seed(context.seed, f"thought/{row['id']}", 0))
    final = [final_turn(turn, thought(turn, documents, rng)) for turn in turns]
    return Kept({"turns": all_written(final), "documents": documents, "made_hard": made_hard})


def final_turn(turn: StandardTurn, text: str) -> StandardTurn:
    """The turn with this thought and what its calls returned, and without what only led to them."""
    calls = (
        StandardCall(call.name, call.arguments, resolved=call.resolved, returned=call.observation)
        for call in turn.calls
    )
    return StandardTurn(turn.user, turn.assistant, turn.label, calls=tuple(calls), thought=text)


def hardened(row: Row, share: float, seed: int) -> tuple[tuple[StandardTurn, ...], Sequence[Document], str]:
    """Turns and documents, where a single turn may lose its tool, or have it under a name that says nothing (Table 8).

    Only turns without a recorded reply: a reply would still speak of what the tool did.
    """
    rng = random.Random(derived_seed(seed, f"harden/{row['id']}", 0))
    turns, documents = standard_turns(row), row["documents"]
    single = len(turns) == 1 and not row["composed"] and not turns[0].assistant and len(documents) == 1
    if not single or not row["others"] or rng.random() >= share:
        return turns, documents, ""
    if rng.random() < 0.5:
        return (replace(turns[0], calls=(), label="unable", wants=()),), (), "inability"
    name = rng.choice(NONSENSE) * 3
    calls = tuple(replace(call, name=name) for call in turns[0].calls)
    renamed = replace(turns[0], calls=calls, wants=(name,))
    return (renamed,), ({**documents[0], "name": name},), "nonsensical_names"


def tagged(row: Row, context: Context) -> Outcome:  # noqa: ARG001
    """The row with the hard types of each of its turns."""
    tools = [*row["documents"], *({"name": name} for name in row["others"])]
    history: list[MtuTurn] = []
    tags = []
    for turn in standard_turns(row):
        prompt: MtuInput = {
            "setting": row["setting"],
            "kind": row["setting"],
            "question": "",
            "instructions": f"Today is {TODAY}.",
            "tools": tools,
            "shared_parameters": [],
            "history": [*history],
            "form": "",
            "user": turn.user,
            "after": "",
        }
        gold: MtuGold = {
            "calls": [{"name": call.name, "arguments": call.arguments} for call in turn.calls],
            "unreadable": "",
            "row": 0,
            "turn": len(history),
            "paper": {"dialogue": 0, "turns": None},
            "official": {"dialogue": 0, "turns": None},
        }
        tags.append(list(hard_types(Sample(row["id"], prompt, gold, row["id"], {}))))
        history.append(past_of(turn))
    return Kept({"hard": tags})


def past_of(turn: StandardTurn) -> MtuTurn:
    """A turn as the history of the next shows it."""
    return {
        "user": turn.user,
        "thought": turn.thought,
        "calls": [{"name": call.name, "arguments": call.arguments} for call in turn.calls],
        "observation": observed(turn.calls),
        "assistant": turn.assistant,
    }
