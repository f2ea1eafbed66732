"""Plans as native calls (`--style native`): the listed tools are functions, and so is "cannot be solved".

Every call takes the goal of its step and is answered with nothing but that it is noted: the paper executes no
tool, so no answer may tell whether the plan is right. The calls in order are the plan (levels 2 and 3); at level
1 a task is held for unsolvable where UnsolvableQuery is among them. A program (`--style code`) makes the same calls.
"""

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from toolyard.benchmarks.toolbehonest.data.sample import ToolBeHonestSample
from toolyard.benchmarks.toolbehonest.data.tool_list import FINISH, UNSOLVABLE_QUERY, listed_tools
from toolyard.benchmarks.toolbehonest.scoring.plan_progress import PlanStep
from toolyard.core.episodes import WRITTEN, call_reply, count_replies
from toolyard.core.programs import MOST_FAILURES, REPAIR_PLAN, CallAnswer, ProgramLog, program_in, run_program
from toolyard.core.types import (
    Completion,
    Conversation,
    Effects,
    Failure,
    Generate,
    JsonValue,
    Message,
    Request,
)
from toolyard.text.tool_calling import (
    function_names,
    name_of,
    python_arguments,
    python_names,
    python_stub,
    read_arguments,
)

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
_UNDEFINED = re.compile(r"NameError: name '(\w+)' is not defined")


@dataclass(slots=True)
class Plan:
    """The calls of one sample so far."""

    sample: ToolBeHonestSample
    steps: list[PlanStep] = field(default_factory=list)
    name_tools: Callable[[Sequence[str]], tuple[str, ...]] = function_names

    def functions(self) -> tuple[Mapping[str, JsonValue], ...]:
        """The listed tools, and the two that every list has."""
        return tuple(
            _function_schema(name, description)
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
        return dict(zip(tools, self.name_tools(tools), strict=True))

    def answer(self, call: Mapping[str, JsonValue]) -> str | None:
        """That the step is noted; None after the last one."""
        called, arguments = name_of(call), read_arguments(call)
        known = {name: tool for tool, name in self.names().items()}
        given = {} if isinstance(arguments, Failure) else arguments
        goal = given.get(GOAL) or given.get(MISSING) or ""
        self.steps.append(PlanStep(" ".join(str(goal).split()), known.get(called, called)))
        ends = (FINISH, UNSOLVABLE_QUERY) if self.sample.input["level"] == 1 else (FINISH,)
        return None if known.get(called) in ends else NOTED

    def answer_text(self) -> str:
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


def functions_text(sample: ToolBeHonestSample) -> str:
    """The functions as a program sees them."""
    entries = [entry["function"] for entry in Plan(sample, name_tools=python_names).functions()]
    return "\n\n".join(
        python_stub(str(entry["name"]), entry) for entry in entries if isinstance(entry, Mapping)
    )


def write_program(sample: ToolBeHonestSample, request: Request) -> Effects[Conversation]:
    """The plan as a program; one that failed is written once more, and the calls of the last one are the plan.

    A call of a function that is not listed is a step with that name, as in the other styles, and repairs nothing.
    """
    plan, log = Plan(sample, name_tools=python_names), ProgramLog()

    def answer(name: str, arguments: Mapping[str, JsonValue]) -> Effects[CallAnswer]:
        return CallAnswer(ends=plan.answer({"function": {"name": name, "arguments": arguments}}) is None)
        yield

    completions: tuple[Completion, ...] = ()
    messages = request.messages
    for _ in range(MOST_FAILURES):
        completion: Completion = yield Generate(replace(request, messages=messages))
        completions, messages = (*completions, completion), (*messages, completion.message)
        plan.steps.clear()
        source = program_in(completion.text)
        error = yield from run_program(source, tuple(plan.names().values()), answer, log)
        undefined = _UNDEFINED.search(error)
        if undefined is not None and re.search(rf"\b{undefined[1]}\s*\(", source):
            plan.steps.append(PlanStep("", undefined[1]))
            break
        if not error:
            break
        messages = (*messages, Message("user", REPAIR_PLAN.format(error=error)))
    written = {WRITTEN: plan.answer_text()} if plan.steps else {}
    return Conversation(messages, completions, {**log.notes(), **written})


def gold_program(sample: ToolBeHonestSample, messages: Sequence[Message], rng: random.Random) -> str:  # noqa: ARG001
    """The steps of the gold plan as a program."""
    names = Plan(sample, name_tools=python_names).names()
    lines = [
        f"{names.get(tool, tool)}({python_arguments({key: repr(value) for key, value in said.items()})})"
        for tool, said in gold_calls(sample)
    ]
    return "```python\n" + "\n".join(lines) + "\n```"


def gold_calls(sample: ToolBeHonestSample) -> list[tuple[str, dict[str, JsonValue]]]:
    """The calls of the gold plan; at level 1 an unsolvable task is told at once."""
    gold = sample.gold
    at_once = sample.input["level"] == 1 and gold.verdict == "unsolvable"
    steps = (UNSOLVABLE_QUERY,) if at_once else (*(tool.strip() for tool in gold.plan), FINISH)
    needed = {place.position: place.description for place in gold.needed}

    def arguments_of(tool: str, place: int) -> dict[str, JsonValue]:
        if tool == FINISH:
            return {}
        return {MISSING: needed.get(place, "")} if tool == UNSOLVABLE_QUERY else {GOAL: tool}

    return [(tool, arguments_of(tool, place)) for place, tool in enumerate(steps)]


def gold_step(sample: ToolBeHonestSample, messages: Sequence[Message]) -> Completion:
    """The next step of the gold plan as a call."""
    number, calls = count_replies(messages), gold_calls(sample)
    tool, said = calls[min(number, len(calls) - 1)]
    return call_reply(number, Plan(sample).names().get(tool, tool), said)


def _function_schema(name: str, description: str) -> dict[str, JsonValue]:
    wanted = {FINISH: (), UNSOLVABLE_QUERY: (MISSING,)}.get(name, (GOAL,))
    schema: dict[str, JsonValue] = {
        "type": "object",
        "properties": {key: {"type": "string", "description": DESCRIPTIONS[key]} for key in wanted},
        "required": list(wanted),
    }
    return {"type": "function", "function": {"name": name, "description": description, "parameters": schema}}
