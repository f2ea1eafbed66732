"""Thought, action, action input, observation and response of every turn; hard rows made on purpose; tags.

After this a turn reads
    {"user": "Thai food in Oslo.", "label": "call", "thought": "This takes a call of FindRestaurants: ...",
     "calls": [{"name": "FindRestaurants", "arguments": {"city": "Oslo"}, "returned": {"restaurant_name": "..."}}],
     "assistant": "How about The Blue Spoon?"}
The response is the recorded reply; where a corpus has none it is empty.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from toolyard.benchmarks.mtu.hard import hard_types
from toolyard.benchmarks.mtu.synth.corpora.dates import TODAY
from toolyard.benchmarks.mtu.synth.instruct.observations import observed, returned
from toolyard.benchmarks.mtu.synth.instruct.thoughts import thought
from toolyard.core.types import Json, Sample, derived_seed
from toolyard.synth.stages import Context, Kept, Outcome, Row

NONSENSE = "abcdefghjklmnpqrstuvwxyz"


def synthesised(row: Row, context: Context) -> Outcome:
    """The row with thoughts and observations; a share of the single turns is made hard before."""
    row = {**row, **hardened(row, float(context.options["hard-share"]), context.seed)}
    rng = random.Random(derived_seed(context.seed, f"thought/{row['id']}", 0))
    turns = [
        {
            "user": turn["user"],
            "label": turn["label"],
            "thought": thought(turn, row["documents"], rng),
            "calls": [_call(call) for call in turn["calls"]],
            "assistant": turn["assistant"],
        }
        for turn in row["turns"]
    ]
    return Kept({"turns": turns, "documents": row["documents"], "made_hard": row["made_hard"]})


def hardened(row: Row, share: float, seed: int) -> dict[str, Json]:
    """What changes where a single turn loses its tool, or has it under a name that says nothing (Table 8).

    Only turns without a recorded reply: a reply would still speak of what the tool did.
    """
    rng = random.Random(derived_seed(seed, f"harden/{row['id']}", 0))
    turn = row["turns"][0]
    fits = (
        len(row["turns"]) == 1
        and not row["composed"]
        and not turn["assistant"]
        and len(row["documents"]) == 1
    )
    if not fits or not row["others"] or rng.random() >= share:
        return {"made_hard": ""}
    if rng.random() < 0.5:
        unable = {**turn, "calls": [], "label": "unable", "wants": []}
        return {"turns": [unable], "documents": [], "made_hard": "inability"}
    name = rng.choice(NONSENSE) * 3
    calls = [{**call, "name": name} for call in turn["calls"]]
    document = {**row["documents"][0], "name": name}
    renamed = {**turn, "calls": calls, "wants": [name]}
    return {"turns": [renamed], "documents": [document], "made_hard": "nonsensical_names"}


def _call(call: Json) -> dict[str, Json]:
    kept = {name: call[name] for name in ("name", "arguments", "resolved") if name in call}
    return {**kept, "returned": returned(call)}


def tagged(row: Row, context: Context) -> Outcome:  # noqa: ARG001
    """The row with the hard types of each of its turns."""
    tools = [*row["documents"], *({"name": name} for name in row["others"])]
    history: list[Json] = []
    tags = []
    for turn in row["turns"]:
        tags.append(list(hard_types(_sample(row, turn, history, tools))))
        history.append(past_of(turn))
    return Kept({"hard": tags})


def past_of(turn: Json) -> dict[str, Json]:
    """A turn as the history of the next shows it."""
    return {
        "user": turn["user"],
        "thought": turn["thought"],
        "calls": [{"name": call["name"], "arguments": call["arguments"]} for call in turn["calls"]],
        "observation": observed(turn["calls"]),
        "assistant": turn["assistant"],
    }


def _sample(row: Row, turn: Json, history: Sequence[Json], tools: Sequence[Mapping[str, Json]]) -> Sample:
    prompt = {
        "setting": row["setting"],
        "kind": row["setting"],
        "instructions": f"Today is {TODAY}.",
        "tools": [*tools],
        "shared_parameters": [],
        "history": [*history],
        "user": turn["user"],
    }
    return Sample(row["id"], prompt, {"calls": turn["calls"]}, row["id"], {})
