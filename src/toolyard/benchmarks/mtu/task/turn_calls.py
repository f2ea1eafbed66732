"""The calls of one turn that are answered before the turn ends: natively in a loop, or by a program.

In a row that was made from the world a call is made there, and the model gets what the tool's document promises; in any
other row, and under `--style code`, a result is a reference (`tool.result`), as the text styles write it.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from toolyard.benchmarks.mtu.data.sample import MtuSample
from toolyard.benchmarks.mtu.scoring.baselines import CALLS_MADE, call_lines
from toolyard.benchmarks.mtu.scoring.calls import Call
from toolyard.benchmarks.mtu.scoring.returned_values import RETURNED
from toolyard.benchmarks.mtu.task.prompt import LOOPS, offered_tools, python_tools, result_names
from toolyard.core.episodes import WRITTEN, Functions, RepeatedCalls, answer_once, call_loop
from toolyard.core.perturbations import MOMENTARY, PerturbedCalls, SeenResult, sample_perturbation
from toolyard.core.programs import CallAnswer, program_answer, write_program
from toolyard.core.scene import DocumentedTool, PlannedCall, Scene
from toolyard.core.tool_search import SEARCH, SEARCH_TOOLS, ToolSearch
from toolyard.core.types import (
    Conversation,
    Effects,
    Execute,
    Failure,
    JsonValue,
    Observation,
    Options,
    Record,
    Request,
)
from toolyard.text.json_values import mapping
from toolyard.text.tool_calling import name_of, read_arguments

# Twice as many as the longest turn of gold takes.
MOST_ROUNDS = 16
PARALLEL = LOOPS[1]


def scene(sample: MtuSample, options: Options) -> Scene:  # noqa: ARG001 - the signature of every scene
    """The row's own world after the calls of earlier turns; without tools where the row was not made from the world."""
    row = sample.gold.get("execution") or sample.gold.get("world")
    if row is None:
        return Scene(part=())
    return Scene(
        part=(),
        seed=row["seed"],
        documented={
            str(tool["name"]): DocumentedTool(str(tool.get("description", "")), result_names(tool))
            for tool in sample.input["tools"]
            if isinstance(tool, Mapping) and "name" in tool
        },
        before=tuple(PlannedCall(call["tool"], call["arguments"]) for call in row["before"]),
    )


def run_program(sample: MtuSample, request: Request, *, executed: bool) -> Effects[Conversation]:
    """The turn's calls as a program; words where no call is needed."""
    calls = TurnCalls(
        python_tools(sample), executed and is_executed(sample), PerturbedCalls(sample_perturbation(sample))
    )
    talk = yield from write_program(
        request, tuple(calls.tools), calls.answer_program, calls.answer_text, calls.perturbed, words=True
    )
    return replace(talk, notes={**talk.notes, **calls.returned_note()})


def call_natively(sample: MtuSample, request: Request, style: str) -> Effects[Conversation]:
    """The turn's calls through the endpoint's own interface, until a reply makes none."""
    documents = {name_of(each): each for each in offered_tools(sample)}
    known = {str(each.get("name", "")): each for each in sample.input["tools"] if isinstance(each, Mapping)}
    calls = TurnCalls(known, is_executed(sample), PerturbedCalls(sample_perturbation(sample)))
    repeats, search = RepeatedCalls(), ToolSearch(documents)
    if style == SEARCH:
        calls.tools, calls.unoffered = {}, " (not found yet)"

    def answer(call: Record) -> Effects[str | None]:
        if style == SEARCH and name_of(call) == SEARCH_TOOLS:
            found = yield from search.search(mapping(read_arguments(call)))
            calls.tools = {name: known[name] for name in search.found}
            return found
        return (yield from calls.answer(call))

    functions = Functions(
        search.functions if style == SEARCH else lambda: tuple(documents.values()),
        answer_once(answer, repeats, lambda: calls.failed),
        # Failures and further pages take rounds of their own.
        MOST_ROUNDS * (2 if calls.perturbed.perturbation else 1),
        one_by_one=style != PARALLEL,
        several=style == PARALLEL,
    )
    messages, completions = yield from call_loop(request, functions)
    notes = {**repeats.notes(), **calls.perturbed.notes(), **calls.returned_note()}
    text = calls.answer_text()
    return Conversation(messages, completions, {**notes, **({WRITTEN: text} if text else {})})


def is_executed(sample: MtuSample) -> bool:
    """Whether the row's calls can be made in a world."""
    return "execution" in sample.gold or "world" in sample.gold


@dataclass(slots=True)
class TurnCalls:
    """The calls of one turn so far and what each returned; tools by the name that the model calls them by."""

    tools: Mapping[str, Record]
    executed: bool
    perturbed: PerturbedCalls
    # What is put behind the name of a tool that was not offered, so that it matches none.
    unoffered: str = ""
    lines: list[str] = field(default_factory=list)
    returned: list[JsonValue] = field(default_factory=list)
    # whether the last call failed and may be made again
    failed: bool = False

    def answer_text(self) -> str:
        """The calls as the text styles write them; empty where there are none."""
        return "\n".join([CALLS_MADE, *self.lines]) if self.lines else ""

    def returned_note(self) -> dict[str, JsonValue]:
        """What the transcript says of results: nothing where they were references."""
        return {RETURNED: list(self.returned)} if self.executed and self.returned else {}

    def answer(self, call: Record) -> Effects[str]:
        """What the model sees of a native call."""
        self.failed = False
        name, arguments = name_of(call), read_arguments(call)
        if isinstance(arguments, Failure):
            # What cannot be read is kept as it is: the call was made, its format is at fault.
            self._keep_returned([f"Action: {name}", f"Action Input: {arguments.detail}"], None)
            return json.dumps({"error": "the arguments are no JSON object"})
        if name not in self.tools:
            # A search may find it, and then the same call is another one.
            self.failed = bool(self.unoffered)
            self._keep_returned(call_lines(Call(f"{name}{self.unoffered}", arguments)), None)
            return json.dumps({"error": f"there is no function {name}"}, ensure_ascii=False)
        seen = yield from self._perform(name, arguments)
        self.failed = seen.error in MOMENTARY
        return seen.text

    def answer_program(self, name: str, arguments: Mapping[str, JsonValue]) -> Effects[CallAnswer]:
        """What a call of a program returns; a refusal is an exception."""
        return program_answer((yield from self._perform(name, arguments)))

    def _perform(self, name: str, arguments: Mapping[str, JsonValue]) -> Effects[SeenResult]:
        tool = str(self.tools[name].get("name", ""))

        def make(given: Mapping[str, JsonValue]) -> Effects[Observation]:
            if self.executed:
                found: Observation = yield Execute(tool, given)
            else:
                value = {result: f"{tool}.{result}" for result in result_names(self.tools[name])}
                found = Observation(json.dumps(value, ensure_ascii=False), dict(value))
            self._keep_returned(call_lines(Call(tool, dict(given))), found.value)
            return found

        return (yield from self.perturbed.perform(tool, arguments, make))

    def _keep_returned(self, lines: list[str], returned: JsonValue) -> None:
        self.lines += lines
        self.returned.append(returned)
