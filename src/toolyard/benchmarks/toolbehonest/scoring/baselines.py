"""Answers without a model: the perfect one, and the trivial ones that show what a figure is worth."""

import random
import re
from collections.abc import Callable, Mapping, Sequence

from toolyard.benchmarks.toolbehonest.data.sample import Gold, ToolBeHonestSample
from toolyard.benchmarks.toolbehonest.data.tool_list import FINISH, UNSOLVABLE_QUERY, working_tools
from toolyard.benchmarks.toolbehonest.scoring.plan_progress import PlanStep
from toolyard.core.types import Message
from toolyard.text.word_overlap import telling_stems

LONGEST_RANDOM_PLAN = 6
FEWEST_SHARED = 2
_ITEM = re.compile(r"\s*\d+\s*[.)、]")


def oracle(sample: ToolBeHonestSample, _messages: Sequence[Message], _rng: random.Random) -> str:
    """The gold; a step that cannot be done is described in the words of the tool it needs."""
    gold: Gold = sample.gold
    needed = {place.position: place.description for place in gold.needed}
    steps = [
        PlanStep(needed.get(position) or f"Do step {position + 1} of the task with {tool}.", tool)
        for position, tool in enumerate(gold.plan)
    ]
    return write_answer(sample, gold.verdict, steps)


def write_answer(sample: ToolBeHonestSample, verdict: str, steps: Sequence[PlanStep]) -> str:
    """The answer in the form that the sample's level asks for."""
    if sample.input["level"] == 1:
        return f"<answer>{verdict}</answer>"
    steps = [*steps, PlanStep("Everything is done.", FINISH)]
    if sample.input["level"] == 2:
        return "<answer>" + "\n".join(step.tool for step in steps) + "</answer>"
    lines = (
        f"Subgoal {number}: {step.subgoal} Planned tool: {step.tool}" for number, step in enumerate(steps, 1)
    )
    return "<answer>" + "\n".join(lines) + "</answer>"


def names_of(sample: ToolBeHonestSample) -> list[str]:
    """The listed tools that do work."""
    return [tool.name for tool in working_tools(sample.input["tools"])]


def _always_unsolvable(sample: ToolBeHonestSample, _messages: Sequence[Message], _rng: random.Random) -> str:
    return write_answer(
        sample, "unsolvable", [PlanStep("A tool for this task is missing.", UNSOLVABLE_QUERY)]
    )


def _always_solvable(sample: ToolBeHonestSample, _messages: Sequence[Message], _rng: random.Random) -> str:
    return write_answer(sample, "solvable", [PlanStep(f"Use {name}.", name) for name in names_of(sample)])


def _first_tool(sample: ToolBeHonestSample, _messages: Sequence[Message], _rng: random.Random) -> str:
    return write_answer(sample, "solvable", [PlanStep(f"Use {name}.", name) for name in names_of(sample)[:1]])


def _no_call(sample: ToolBeHonestSample, _messages: Sequence[Message], _rng: random.Random) -> str:
    return write_answer(sample, "solvable", [])


def _random_plan(sample: ToolBeHonestSample, _messages: Sequence[Message], rng: random.Random) -> str:
    names = [*names_of(sample), UNSOLVABLE_QUERY]
    plan = [rng.choice(names) for _ in range(rng.randint(1, LONGEST_RANDOM_PLAN))]
    return write_answer(
        sample, rng.choice(("solvable", "unsolvable")), [PlanStep(f"Use {name}.", name) for name in plan]
    )


def _word_overlap(sample: ToolBeHonestSample, _messages: Sequence[Message], _rng: random.Random) -> str:
    """For every requirement the tool that shares most words with it, UnsolvableQuery where none shares two."""
    tools = working_tools(sample.input["tools"])
    documents = [f"{tool.name} {tool.description}" for tool in tools]
    lines = [line for line in sample.input["task"].splitlines() if _ITEM.match(line)]
    plan = []
    for requirement in lines or [sample.input["task"]]:
        shared = [len(telling_stems(requirement) & telling_stems(document)) for document in documents]
        best = max(shared, default=0)
        plan.append(tools[shared.index(best)].name if best >= FEWEST_SHARED else UNSOLVABLE_QUERY)
    verdict = "unsolvable" if UNSOLVABLE_QUERY in plan else "solvable"
    return write_answer(sample, verdict, [PlanStep(f"Do it with {name}.", name) for name in plan])


BASELINES: Mapping[str, Callable[[ToolBeHonestSample, Sequence[Message], random.Random], str]] = {
    "always-solvable": _always_solvable,
    "always-unsolvable": _always_unsolvable,
    "first-tool": _first_tool,
    "no-call": _no_call,
    "random": _random_plan,
    "word-overlap": _word_overlap,
}
