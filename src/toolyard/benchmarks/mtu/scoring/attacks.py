"""Answers that guess at the scorer: every tool, every value, always no."""

import random
from collections.abc import Mapping, Sequence

from toolyard.benchmarks.mtu.data.hard_types import tool_inputs
from toolyard.benchmarks.mtu.data.sample import MtuSample
from toolyard.benchmarks.mtu.scoring.baselines import answer_text, required_parameters, tool_names
from toolyard.benchmarks.mtu.scoring.calls import Call
from toolyard.core.benchmark import Attack
from toolyard.core.types import Message

REFUSAL = "Thought: None of the tools fits, so I cannot do that for you."


def call_everything(sample: MtuSample, messages: Sequence[Message], rng: random.Random) -> str:  # noqa: ARG001
    """Every listed tool, each required value the user's turn."""
    tools = sample.input["tools"]
    return answer_text(
        Call(name, dict.fromkeys(required_parameters(tools, name), sample.input["user"]))
        for name in tool_names(tools)
    )


def list_all(sample: MtuSample, messages: Sequence[Message], rng: random.Random) -> str:  # noqa: ARG001
    """Every listed tool with all its parameters, each a list of all words of the turn."""
    tools, words = sample.input["tools"], sample.input["user"].split()
    return answer_text(
        Call(name, {str(each.get("name")): words for each in tool_inputs(tools, name)})
        for name in tool_names(tools)
    )


def refuse_all(sample: MtuSample, messages: Sequence[Message], rng: random.Random) -> str:  # noqa: ARG001
    """Never a call, always a reason."""
    return REFUSAL


def no_call_share(samples: tuple[MtuSample, ...]) -> float:
    """The share of turns in which a refusal is right: no call is wanted, and it may be that nothing can be done."""
    from toolyard.benchmarks.mtu.scoring.accepted_answers import wanted_of
    from toolyard.benchmarks.mtu.scoring.prompted_turn import turn_of

    decided = [sample for sample in samples if turn_of(sample).reachable]
    right = [
        turn_of(sample).refusable and any(not each.calls for each in wanted_of(sample).accepted)
        for sample in decided
    ]
    return sum(right) / len(right) if right else 0.0


ATTACKS: Mapping[str, Attack] = {
    "call-everything": Attack(call_everything, "every listed tool with the turn in it"),
    "list-all": Attack(list_all, "every tool with every word"),
    "refuse-all": Attack(refuse_all, "no call, and a reason", no_call_share),
}
