"""Dialogues out of scripts and chains: the turns, the names of the tools, and the list that the prompts show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from toolyard.benchmarks.mtu.synth.world.dialogue_goals import Script
from toolyard.benchmarks.mtu.synth.world.distractor_tools import distractors
from toolyard.benchmarks.mtu.synth.world.moves import MOVES
from toolyard.benchmarks.mtu.synth.world.talk import DialogueDraft
from toolyard.benchmarks.mtu.synth.world.tool_documents import document, names
from toolyard.benchmarks.mtu.synth.world.words import said
from toolyard.core.types import Failure
from toolyard.synth.chains.chain import Chain, ChainStep
from toolyard.world.kernel.state import World

NONSENSE = ("aaa", "bbb", "ddd", "eee", "hhh", "kkk", "mmm", "ppp", "qqq", "sss", "ttt", "vvv", "www", "zzz")
_PLAINLY = 0.4


@dataclass(frozen=True, slots=True)
class WrittenDialogue:
    """Turns as plain data, and the tool documents that all of them are shown."""

    turns: tuple[dict[str, Any], ...]
    tools: tuple[dict[str, Any], ...]


def compose(script: Script, chain: Chain, unable: ChainStep | None, rng: Random) -> WrittenDialogue | Failure:
    """The dialogue of a script over a chain, or why there is none."""
    plainly = script.hard != "specific_values" and rng.random() < _PLAINLY
    used = [] if script.moves == (("refuse", ()),) else [step.tool for step in chain.steps]
    talk = DialogueDraft(
        chain,
        said(chain, plainly),
        _names(used, script, rng),
        _turns_of(script),
        observed=script.setting[2] == "S",
        rng=rng,
        world=World.fresh(chain.seed),
        unable=unable or (None if used else chain.steps[0]),
    )
    for name, indices in script.moves:
        trouble = MOVES[name](talk, indices)
        if trouble is not None:
            return trouble
    removed = [talk.unable.tool] if talk.unable is not None else []
    return WrittenDialogue(tuple(talk.turns), tuple(_listed(talk, used, removed)))


def _turns_of(script: Script) -> dict[int, int]:
    """Step -> the turn that calls it first."""
    found: dict[int, int] = {}
    for turn, (name, indices) in enumerate(script.moves):
        if name in ("ask", "supply", "agree"):
            for index in indices:
                found.setdefault(index, turn)
    return found


def _names(used: list[str], script: Script, rng: Random) -> Mapping[str, str]:
    found = {tool: names()[tool] for tool in used}
    if script.hard == "nonsensical_names":
        found[rng.choice(used)] = rng.choice(NONSENSE)
    return found


def _listed(talk: DialogueDraft, used: list[str], removed: list[str]) -> list[dict[str, Any]]:
    given = {step.tool: frozenset(step.arguments) for step in talk.chain.steps if step.tool in used}
    found = [document(tool, talk.names[tool], used=given[tool]) for tool in used]
    found += [document(tool, names()[tool]) for tool in distractors(used, removed, talk.rng)]
    talk.rng.shuffle(found)
    return found
