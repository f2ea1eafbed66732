"""Nested calls through an endpoint's own interface, step by step (`--style native`).

Every call is answered with the labels of its return values, so that what a later call takes from an earlier
one shows in its arguments, as in the text styles:

    find_ferry(origin="Turku")  ->  {"ferry_code": "API_call_0"}      book_seats(ferry_code="API_call_0", seats=2)
"""

import json
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from toolyard.benchmarks.nestools.data.sample import NestoolsSample
from toolyard.benchmarks.nestools.scoring.parse import IDENTITY, NAME, PARAMETERS, RESPONSES
from toolyard.benchmarks.nestools.task.prompt import BESIDE, PARALLEL, prompt, prompt_tools, tool_function
from toolyard.core.benchmark import RunSetup, one_shot
from toolyard.core.episodes import (
    MCP,
    WRITTEN,
    Functions,
    RepeatedCalls,
    answer_once,
    call_loop,
    call_reply,
    count_replies,
)
from toolyard.core.nesting import LABEL, label_of_number
from toolyard.core.perturbations import (
    HANDLED,
    MOMENTARY,
    PAGE,
    Perturbation,
    PerturbedCalls,
    SeenResult,
    call_with_handling,
    read_results,
    sample_perturbation,
)
from toolyard.core.programs import CODE, CallAnswer, program_answer, write_program
from toolyard.core.tool_search import SEARCH, SEARCH_TOOLS, ToolSearch
from toolyard.core.types import (
    Completion,
    Conversation,
    Effects,
    Episode,
    Execute,
    Failure,
    JsonValue,
    Message,
    Observation,
    Record,
    Request,
    ServeTools,
)
from toolyard.core.untrusted.json_safe import json_safe
from toolyard.text.json_values import mapping
from toolyard.text.parsing import read_json
from toolyard.text.tool_calling import function_names, name_of, python_arguments, python_names, read_arguments

# Three times as many as the longest official chain takes.
MOST_ROUNDS = 24
OR_LABEL = "the label of an earlier return value may stand here"


def episode(samples: tuple[NestoolsSample, ...], setup: RunSetup) -> Episode:
    """One answer in text, or calls in the way that the style says."""
    style = setup.options.style
    if style not in (*BESIDE, CODE):
        return (yield from one_shot(samples, setup))
    conversations = []
    for sample in samples:
        tools = prompt_tools(sample, setup.options)
        names = (python_names if style == CODE else function_names)([tool[NAME] for tool in tools])
        calls = PerturbedCalls(sample_perturbation(sample))
        chain = AnsweredCalls(dict(zip(names, tools, strict=True)), perturbed=calls)
        request = Request(prompt(sample, setup.options), setup.decoding, sample=sample.id)
        if style == CODE:
            play = write_program(
                request, tuple(chain.tools), chain.answer_program, chain.answer_text, chain.perturbed
            )
        else:
            play = _call_natively(request, chain, style)
        conversations.append((yield from play))
    return tuple(conversations)


def _call_natively(request: Request, chain: "AnsweredCalls", style: str) -> Effects[Conversation]:
    """Calls through the endpoint's own interface."""
    repeats, everything = RepeatedCalls(), chain.tools
    search = ToolSearch(chain.documents())
    if style == SEARCH:
        chain.tools, chain.unoffered = {}, " (not found yet)"
    served: tuple[Record, ...] = ()
    if style == MCP:
        served = yield ServeTools(chain.functions(), chain.answer_server)

    def answer(call: Record) -> Effects[str | None]:
        if style == SEARCH and name_of(call) == SEARCH_TOOLS:
            given = read_arguments(call)
            told = yield from search.search({} if isinstance(given, Failure) else given)
            chain.tools = {name: everything[name] for name in search.found}
            return told
        arguments = read_arguments(call)
        if style == MCP and not isinstance(arguments, Failure):
            observation: Observation = yield Execute(name_of(call), arguments)
            return observation.text
        return (yield from chain.answer(call))

    def offered_tools() -> tuple[Record, ...]:
        return search.functions() if style == SEARCH else served or chain.functions()

    functions = Functions(
        offered_tools,
        answer_once(answer, repeats, lambda: chain.failed),
        # Failures and further pages take rounds of their own.
        MOST_ROUNDS * (2 if chain.perturbed.perturbation else 1),
        one_by_one=style != PARALLEL,
        several=style == PARALLEL,
    )
    messages, completions = yield from call_loop(request, functions)
    # Words without any call are an answer like that of the other styles, and read like it.
    notes = {**repeats.notes(), **chain.perturbed.notes()}
    if chain.calls:
        notes[WRITTEN] = chain.answer_text()
    return Conversation(messages, completions, notes)


@dataclass(slots=True)
class AnsweredCalls:
    """The calls of one sample so far, each with the labels that it was answered with; its tools by function name."""

    tools: Record
    # What is put behind the name of a tool that was not offered, so that it matches none.
    unoffered: str = ""
    calls: list[Record] = field(default_factory=list)
    labels: int = 0
    perturbed: PerturbedCalls = field(default_factory=PerturbedCalls)
    # whether the last call failed and may be made again
    failed: bool = False

    def functions(self) -> tuple[Record, ...]:
        """The offered tools as functions."""
        return tuple(self.documents().values())

    def documents(self) -> dict[str, Record]:
        """The offered tools as functions, by name."""
        return {
            name: _function_of_tool(tool, name, self.perturbed.perturbation)
            for name, tool in self.tools.items()
        }

    def answer(self, call: Record) -> Effects[str]:
        """The labels of a call's return values as the model sees them, or why there are none."""
        self.failed = False
        refusal = self._refusal_reason(call)
        if refusal is not None:
            return refusal
        seen = yield from self.perform(name_of(call), mapping(read_arguments(call)))
        self.failed = seen.error in MOMENTARY
        return seen.text

    def answer_server(self, call: Record) -> str:
        """The same for a server, whose results no perturbation changes."""
        refusal = self._refusal_reason(call)
        if refusal is not None:
            return refusal
        return json.dumps(self.make_labels(name_of(call), mapping(read_arguments(call))), ensure_ascii=False)

    def answer_program(self, name: str, arguments: Mapping[str, JsonValue]) -> Effects[CallAnswer]:
        """The same for a program."""
        return program_answer((yield from self.perform(name, arguments)))

    def _refusal_reason(self, call: Record) -> str | None:
        """Why a call returns nothing: there is no such function, or no arguments; both are kept as calls."""
        called, arguments = name_of(call), read_arguments(call)
        tool = self.tools.get(called)
        if isinstance(arguments, Failure):
            # What cannot be read is kept as it is: the call was made, its format is at fault.
            self.calls.append({NAME: tool[NAME] if tool else called, PARAMETERS: None})
            return json.dumps({"error": "the arguments are no JSON object"})
        if tool is not None:
            return None
        # A search may find it, and then the same call is another one.
        self.failed = bool(self.unoffered)
        self.calls.append(
            {NAME: f"{called}{self.unoffered}", IDENTITY: None, PARAMETERS: arguments, RESPONSES: {}}
        )
        return json.dumps({"error": f"there is no function {called}"}, ensure_ascii=False)

    def perform(self, name: str, arguments: Mapping[str, JsonValue]) -> Effects[SeenResult]:
        """What the model sees of the labels of a tool that there is."""

        def make(given: Mapping[str, JsonValue]) -> Effects[Observation]:
            made = dict(self.make_labels(name, dict(given)))
            return Observation(json.dumps(made, ensure_ascii=False), made)
            yield

        return (yield from self.perturbed.perform(self.tools[name][NAME], arguments, make))

    def make_labels(self, name: str, arguments: Mapping[str, JsonValue]) -> dict[str, str]:
        """The labels of the return values of a tool that there is."""
        tool = self.tools[name]
        given = {key: label_of_number(self.labels + place) for place, key in enumerate(tool[RESPONSES])}
        self.labels += len(given)
        self.calls.append(
            {NAME: tool[NAME], IDENTITY: tool[IDENTITY], PARAMETERS: dict(arguments), RESPONSES: given}
        )
        return given

    def answer_text(self) -> str:
        """The calls as the text styles write them; empty where there are none."""
        return json.dumps(json_safe(self.calls), ensure_ascii=False) if self.calls else ""


def gold_step(sample: NestoolsSample, messages: Sequence[Message]) -> Completion:
    """The next gold call, with labels where gold has them; words after the last."""
    number, page, calls = count_replies(messages), 0, sample.gold["calls"]
    if (perturbation := sample_perturbation(sample)) is not None:
        told = [read_json(message.content) for message in messages if message.role == "tool"]
        seen: list[tuple[str, JsonValue]] = [("", each) for each in told if not isinstance(each, Failure)]
        done, page = read_results(seen, perturbation)
        number = len(done)
    if number >= len(calls):
        return Completion("Done.")
    (name,) = function_names([calls[number]["api_name"]])
    more = {PAGE: page} if page else {}
    return call_reply(count_replies(messages), name, {**calls[number]["parameters"], **more})


def gold_program(sample: NestoolsSample, messages: Sequence[Message], rng: random.Random) -> str:  # noqa: ARG001
    """The gold calls as a program: what a later call takes from an earlier one is taken out of its result."""
    names = _program_names(sample, messages)
    returns = {tool["api_name"]: list(tool["responses"]) for tool in sample.input["tools"]}
    sources: dict[str, str] = {}
    perturbation = sample_perturbation(sample)
    lines = [HANDLED] if perturbation else []
    for number, call in enumerate(sample.gold["calls"]):
        given = {key: _value_expression(value, sources) for key, value in call["parameters"].items()}
        made = f"{names[call['api_name']]}({python_arguments(given)})"
        lines.append(f"r{number} = {call_with_handling(made, call['api_name'], perturbation)}")
        sources |= {
            each: f"r{number}[{key!r}]"
            for key, each in zip(returns[call["api_name"]], call["responses"], strict=False)
        }
    return "```python\n" + "\n".join(lines) + "\n```"


def _program_names(sample: NestoolsSample, messages: Sequence[Message]) -> dict[str, str]:
    """What a program calls each gold tool: tools of one name are numbered in the order of the prompt."""
    text = messages[0].content
    found = {}
    for tool in sample.input["tools"]:
        (name,) = python_names([tool["api_name"]])
        described = str(tool["api_description"])[:40]
        heads = [
            part
            for part in text.split("\ndef ")
            if part.startswith(f"{name}(") or part.startswith(f"{name}_")
        ]
        chosen = next((part for part in heads if described in part), heads[0] if heads else name)
        found[tool["api_name"]] = chosen.partition("(")[0]
    return found


def _value_expression(value: object, sources: Mapping[str, str]) -> str:
    """A gold value as Python, its labels as what calls returned."""
    if isinstance(value, str):
        if value in sources:
            return sources[value]
        parts = [sources.get(part, repr(part)) for part in re.split(f"({LABEL.pattern})", value) if part]
        return " + ".join(parts) or "''"
    if isinstance(value, list):
        return "[" + ", ".join(_value_expression(item, sources) for item in value) + "]"
    if isinstance(value, dict):
        return (
            "{"
            + ", ".join(f"{key!r}: {_value_expression(item, sources)}" for key, item in value.items())
            + "}"
        )
    return repr(value)


def gold_search(sample: NestoolsSample, messages: Sequence[Message], rng: random.Random) -> Completion:  # noqa: ARG001
    """A search for every gold tool by its own words, then the gold calls."""
    number, tools = count_replies(messages), sample.input["tools"]
    if number < len(tools):
        query = f"{tools[number]['api_name'].replace('_', ' ')}. {tools[number]['api_description']}"
        return call_reply(number, SEARCH_TOOLS, {"query": query})
    spoken = [place for place, message in enumerate(messages) if message.role == "assistant"]
    return gold_step(sample, messages[spoken[len(tools)] if len(spoken) > len(tools) else len(messages) :])


def _function_of_tool(tool: Record, name: str, perturbation: Perturbation | None) -> Record:
    """The tool as a function whose every parameter also takes a label."""
    function = tool_function(tool, name, perturbation)
    schema = dict(function.get("parameters") or {"type": "object"})
    properties = {key: _parameter_or_label(entry) for key, entry in (schema.get("properties") or {}).items()}
    return {"type": "function", "function": {**function, "parameters": {**schema, "properties": properties}}}


def _parameter_or_label(entry: object) -> object:
    fields = mapping(entry)
    kind = fields.get("type")
    if not isinstance(kind, str) or kind == "string":
        return entry
    described = f"{fields.get('description') or ''} ({OR_LABEL})".strip()
    # A server that holds the model to the schema must let it write a label in the place of a number.
    alternatives = [{key: value for key, value in fields.items() if key != "description"}, {"type": "string"}]
    return {"description": described, "anyOf": alternatives}
