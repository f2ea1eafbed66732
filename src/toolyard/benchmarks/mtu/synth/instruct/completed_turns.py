"""Thought, action, action input, observation and response of every turn; hard rows made on purpose; tags.

The response is the recorded reply; where a corpus has none it is empty. Thoughts are written by grammar, one for each
situation of a turn (Section 2.2): they say what the user wants, what is known of it and what is not; the assistant's
reply is never looked at.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from toolyard.benchmarks.mtu.data.hard_types import hard_types
from toolyard.benchmarks.mtu.data.sample import MtuTurn
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import DialogueCall, DialogueTurn
from toolyard.benchmarks.mtu.synth.corpora.sgd import TODAY
from toolyard.benchmarks.mtu.synth.instruct.dialogue_filters import observation_text
from toolyard.benchmarks.mtu.synth.instruct.dialogue_rows import Document, Values, all_as_json, read_turns
from toolyard.core.types import Record, Sample, derived_seed
from toolyard.synth.stages import Context, Kept, Outcome, Row
from toolyard.text.names import join_with_and

PHRASES: Record = tomllib.loads(Path(__file__).with_name("phrases.toml").read_text("utf-8"))
A_TOOL = "the right tool"


def write_thought(turn: DialogueTurn, documents: Sequence[Document], rng: random.Random) -> str:
    """The thought of one turn."""
    calls = turn.calls
    if len(calls) > 1:
        return _thought_of_several_calls(calls, rng)
    if calls:
        return str(rng.choice(PHRASES["call"])).format(
            tool=calls[0].name, known=_known_parameters_text(calls[0].arguments)
        )
    if turn.label == "missing":
        return _missing(turn, documents, rng)
    wanted = turn.wants[-1] if turn.wants else A_TOOL
    label = turn.label if turn.label in ("confirmed", "exists", "unable") else "chat"
    return str(rng.choice(PHRASES[label])).format(tool=wanted)


def _thought_of_several_calls(calls: Sequence[DialogueCall], rng: random.Random) -> str:
    names = [call.name for call in calls]
    text: str = rng.choice(PHRASES["several"]).format(tools=join_with_and(names, "then "))
    for call in calls:
        for first in names:
            if any(str(value).startswith(f"{first}.") for value in call.arguments.values()):
                text += PHRASES["linked"].format(first=first, second=call.name)
    return text


def _missing(turn: DialogueTurn, documents: Sequence[Document], rng: random.Random) -> str:
    wanted = turn.wants[-1] if turn.wants else ""
    document = next((each for each in documents if each["name"] == wanted), None)
    required = [] if document is None else [each["name"] for each in document["required_parameters"]]
    lacking = [name for name in required if name not in turn.known.get(wanted, ())]
    if not lacking:
        return str(rng.choice(PHRASES["open"])).format(tool=wanted or A_TOOL)
    return str(rng.choice(PHRASES["missing"])).format(tool=wanted, missing=_names_with_verb(lacking))


def _known_parameters_text(arguments: Values) -> str:
    return f"{_names_with_verb([*arguments])} known" if arguments else "it needs nothing more"


def _names_with_verb(names: Sequence[str]) -> str:
    said = join_with_and([f"the {name.replace('_', ' ')}" for name in names])
    return f"{said} {'is' if len(names) == 1 else 'are'}"


NONSENSE = "abcdefghjklmnpqrstuvwxyz"


def add_thoughts(row: Row, context: Context) -> Outcome:
    """The row with thoughts and observations; a share of the single turns is made hard before."""
    turns, documents, made_hard = harden_turns(row, float(context.options["hard-share"]), context.seed)
    rng = random.Random(derived_seed(context.seed, f"thought/{row['id']}", 0))
    final = [final_turn(turn, write_thought(turn, documents, rng)) for turn in turns]
    return Kept({"turns": all_as_json(final), "documents": documents, "made_hard": made_hard})


def final_turn(turn: DialogueTurn, text: str) -> DialogueTurn:
    """The turn with this thought and what its calls returned, and without what only led to them."""
    calls = (
        DialogueCall(call.name, call.arguments, resolved=call.resolved, returned=call.observation)
        for call in turn.calls
    )
    return DialogueTurn(turn.user, turn.assistant, turn.label, calls=tuple(calls), thought=text)


def harden_turns(
    row: Row, share: float, seed: int
) -> tuple[tuple[DialogueTurn, ...], Sequence[Document], str]:
    """Turns and documents, where a single turn may lose its tool, or have it under a name that says nothing (Table 8).

    Only turns without a recorded reply: a reply would still speak of what the tool did.
    """
    rng = random.Random(derived_seed(seed, f"harden/{row['id']}", 0))
    turns, documents = read_turns(row), row["documents"]
    single = len(turns) == 1 and not row["composed"] and not turns[0].assistant and len(documents) == 1
    if not single or not row["others"] or rng.random() >= share:
        return turns, documents, ""
    if rng.random() < 0.5:
        return (replace(turns[0], calls=(), label="unable", wants=()),), (), "inability"
    name = rng.choice(NONSENSE) * 3
    calls = tuple(replace(call, name=name) for call in turns[0].calls)
    renamed = replace(turns[0], calls=calls, wants=(name,))
    return (renamed,), ({**documents[0], "name": name},), "nonsensical_names"


def tag_hard_types(row: Row, context: Context) -> Outcome:  # noqa: ARG001
    """The row with the hard types of each of its turns."""
    tools = [*row["documents"], *({"name": name} for name in row["others"])]
    history: list[MtuTurn] = []
    tags = []
    for turn in read_turns(row):
        prompt: Any = {
            "kind": row["setting"],
            "instructions": f"Today is {TODAY}.",
            "tools": tools,
            "shared_parameters": [],
            "history": [*history],
            "user": turn.user,
        }
        gold: Any = {"calls": [{"name": call.name, "arguments": call.arguments} for call in turn.calls]}
        tags.append(list(hard_types(Sample(row["id"], prompt, gold, row["id"], {}))))
        history.append(past_of(turn))
    return Kept({"hard": tags})


def past_of(turn: DialogueTurn) -> MtuTurn:
    """A turn as the history of the next shows it."""
    return {
        "user": turn.user,
        "thought": turn.thought,
        "calls": [{"name": call.name, "arguments": call.arguments} for call in turn.calls],
        "observation": observation_text(turn.calls),
        "assistant": turn.assistant,
    }
