"""Plans as native calls (`--style native`): the listed tools are functions, and so is "cannot be solved".

Every call takes the goal of its step and is answered with nothing but that it is noted: the paper executes no
tool, so no answer may tell whether the plan is right. The calls in order are the plan (levels 2 and 3); at level
1 a task is held for unsolvable where UnsolvableQuery is among them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from toolyard.benchmarks.toolbehonest.plan_progress import PlanStep
from toolyard.benchmarks.toolbehonest.sample import ToolBeHonestSample
from toolyard.benchmarks.toolbehonest.toollist import FINISH, UNSOLVABLE_QUERY, listed_tools
from toolyard.core.episodes import call_reply, step_of
from toolyard.core.types import Completion, Failure, JsonValue, Message
from toolyard.text.functions import function_names, name_of, read_arguments

GOAL, MISSING = "goal", "missing_tool"
MOST_ROUNDS = 16
NOTED = "Noted. Go on with the next step."
DESCRIPTIONS = {
    GOAL: "What this step achieves for the task.",
    MISSING: "The tool that would be needed here: what it would do, with what input and result.",
}
ENDINGS = {
    FINISH: "Ends the plan once every requirement has been met.",
    UNSOLVABLE_QUERY: "Says that none of the functions can do the step that would come next.",
}


@dataclass(slots=True)
class Plan:
    """The calls of one sample so far."""

    sample: ToolBeHonestSample
    steps: list[PlanStep] = field(default_factory=list)

    def functions(self) -> tuple[Mapping[str, JsonValue], ...]:
        """The listed tools, and the two that every list has."""
        return tuple(
            _function(name, description)
            for name, description in zip(self.names().values(), self._tools().values(), strict=True)
        )

    def _tools(self) -> dict[str, str]:
        return {
            **ENDINGS,
            **{tool.name: tool.description for tool in listed_tools(self.sample.input["tools"])},
        }

    def names(self) -> dict[str, str]:
        """What each tool is called as a function."""
        tools = list(self._tools())
        return dict(zip(tools, function_names(tools), strict=True))

    def answer(self, call: Mapping[str, JsonValue]) -> str | None:
        """That the step is noted; None after the last one."""
        called, arguments = name_of(call), read_arguments(call)
        known = {name: tool for tool, name in self.names().items()}
        given = {} if isinstance(arguments, Failure) else arguments
        goal = given.get(GOAL) or given.get(MISSING) or ""
        self.steps.append(PlanStep(" ".join(str(goal).split()), known.get(called, called)))
        ends = (FINISH, UNSOLVABLE_QUERY) if self.sample.input["level"] == 1 else (FINISH,)
        return None if known.get(called) in ends else NOTED

    def written(self) -> str:
        """The plan in the form that the sample's level asks of the text styles; empty without a call."""
        if not self.steps:
            return ""
        if self.sample.input["level"] == 1:
            unsolvable = any(step.tool == UNSOLVABLE_QUERY for step in self.steps)
            return f"<answer>{'unsolvable' if unsolvable else 'solvable'}</answer>"
        if self.sample.input["level"] == 2:
            return "<answer>" + "\n".join(step.tool for step in self.steps) + "</answer>"
        lines = (
            f"Subgoal {number}: {step.subgoal} Planned tool: {step.tool}"
            for number, step in enumerate(self.steps, 1)
        )
        return "<answer>" + "\n".join(lines) + "</answer>"


def gold_step(sample: ToolBeHonestSample, messages: Sequence[Message]) -> Completion:
    """The next step of the gold plan as a call; at level 1 an unsolvable task is told at once."""
    gold, number = sample.gold, step_of(messages)
    at_once = sample.input["level"] == 1 and gold.verdict == "unsolvable"
    steps = (UNSOLVABLE_QUERY,) if at_once else (*(tool.strip() for tool in gold.plan), FINISH)
    tool = steps[min(number, len(steps) - 1)]
    needed = {place.position: place.description for place in gold.needed}
    said = {FINISH: {}, UNSOLVABLE_QUERY: {MISSING: needed.get(number, "")}}.get(tool, {GOAL: tool})
    return call_reply(number, Plan(sample).names().get(tool, tool), said)


def _function(name: str, description: str) -> dict[str, JsonValue]:
    wanted = {FINISH: (), UNSOLVABLE_QUERY: (MISSING,)}.get(name, (GOAL,))
    schema: dict[str, JsonValue] = {
        "type": "object",
        "properties": {key: {"type": "string", "description": DESCRIPTIONS[key]} for key in wanted},
        "required": list(wanted),
    }
    return {"type": "function", "function": {"name": name, "description": description, "parameters": schema}}
