"""The loop of a case: the model calls tools until it answers the user, natively or as JSON in its text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from importlib.resources import files

from toolyard.core.benchmark import RunSetup
from toolyard.core.types import (
    Completion,
    Conversation,
    Effects,
    Episode,
    Execute,
    Failure,
    Generate,
    JsonValue,
    Message,
    Observation,
    Options,
    Record,
    Request,
)
from toolyard.owntools.cases.case_file import CaseSample
from toolyard.text.json_values import json_per_line, mapping
from toolyard.text.parsing import answer_text, first_json_value, read_json
from toolyard.text.templates import render

TEXT, NATIVE = "default", "native"
STYLES = (TEXT, NATIVE)
MOST_ROUNDS = 12
MOST_CALLS = 32
_FOLDER = files("toolyard.owntools.cases") / "templates"
TEMPLATES = {
    name: (_FOLDER / f"{name}.txt").read_text(encoding="utf-8").strip() for name in ("system", "text_calls")
}
FORBIDDEN = "this tool may not be called in this task"


@dataclass(frozen=True, slots=True)
class CaseCall:
    """A call that a reply makes; `id` is the endpoint's where calls are native."""

    name: str
    arguments: Mapping[str, JsonValue] | Failure
    id: str = ""


def prompt(sample: CaseSample, options: Options) -> tuple[Message, ...]:
    """The system text, with the tools where calls are written as text, and the conversation so far."""
    templates = {**TEMPLATES, **options.templates}
    system = sample.input["system"] or templates["system"]
    if options.style != NATIVE and sample.input["documents"]:
        tools = json_per_line(sample.input["documents"])
        system = f"{system}\n\n{render(templates['text_calls'], {'tools': tools})}"
    said = (pair for turn in sample.input["conversation"] for pair in turn.items())
    return (
        Message("system", system),
        *(Message("user" if who == "user" else "assistant", text) for who, text in said),
    )


def episode(samples: tuple[CaseSample, ...], setup: RunSetup) -> Episode:
    """Every case by itself."""
    conversations: tuple[Conversation, ...] = ()
    for sample in samples:
        conversations += ((yield from _play_case(sample, setup)),)
    return conversations


def _play_case(sample: CaseSample, setup: RunSetup) -> Effects[Conversation]:
    native = setup.options.style == NATIVE
    tools: tuple[Mapping[str, JsonValue], ...] = tuple(
        {"type": "function", "function": each} for each in sample.input["documents"]
    )
    messages = prompt(sample, setup.options)
    completions: tuple[Completion, ...] = ()
    made: list[Record] = []
    answer = ""
    for _ in range(MOST_ROUNDS):
        completion: Completion = yield Generate(
            Request(messages, setup.decoding, sample=sample.id, tools=tools if native else ())
        )
        completions = (*completions, completion)
        messages = (*messages, completion.message)
        # Without tools whatever a reply holds is the answer.
        calls = read_calls(completion)[:MOST_CALLS] if tools else ()
        if not calls:
            answer = _answer_or_empty(completion.text)
            break
        results = yield from _perform_all(sample, calls)
        made += results
        messages += _result_messages(calls, results)
    return Conversation(messages, completions, {"calls": made, "answer": answer})


def _answer_or_empty(text: str) -> str:
    found = answer_text(text)
    return "" if isinstance(found, Failure) else found


def _perform_all(sample: CaseSample, calls: Sequence[CaseCall]) -> Effects[tuple[Record, ...]]:
    made: tuple[Record, ...] = ()
    for call in calls:
        made += ((yield from _perform_call(sample, call)),)
    return made


def _perform_call(sample: CaseSample, call: CaseCall) -> Effects[Record]:
    """One call with its result; a forbidden one is refused before it reaches any tool."""
    forbidden = any(fnmatchcase(call.name, pattern) for pattern in sample.input["forbid"])
    if isinstance(call.arguments, Failure):
        seen = Observation(f"the arguments are no JSON object: {call.arguments.detail}", error="wrong_type")
    elif forbidden:
        seen = Observation(FORBIDDEN, error="denied")
    else:
        seen = yield Execute(call.name, call.arguments)
    return {
        "name": call.name,
        "arguments": {} if isinstance(call.arguments, Failure) else dict(call.arguments),
        "error": seen.error,
        "forbidden": forbidden,
        "text": seen.text,
    }


def _result_messages(calls: Sequence[CaseCall], made: Sequence[Record]) -> tuple[Message, ...]:
    """The results as the next messages: one for each native call, one for all that were written as text."""
    pairs = [(call, str(each["text"])) for call, each in zip(calls, made, strict=True)]
    if calls[0].id:
        return tuple(Message("tool", text, tool_call_id=call.id) for call, text in pairs)
    return (Message("user", "\n".join(f"Result of {call.name}: {text}" for call, text in pairs)),)


def read_calls(completion: Completion) -> tuple[CaseCall, ...]:
    """The calls of a reply: native ones, else those that its text holds as JSON."""
    if completion.tool_calls:
        return tuple(_call_of_native(call) for call in completion.tool_calls)
    text = _answer_or_empty(completion.text)
    found = first_json_value(text, "{[")
    if isinstance(found, Mapping):
        inner = found.get("calls")
        listed: list[JsonValue] = inner if isinstance(inner, list) else [found]
    else:
        listed = found if isinstance(found, list) else []
    written = [each for each in listed if isinstance(each, Mapping) and isinstance(each.get("name"), str)]
    return tuple(
        CaseCall(str(each["name"]), _arguments_of_call(each)) for each in written if "arguments" in each
    )


def _call_of_native(call: Mapping[str, JsonValue]) -> CaseCall:
    body = mapping(call.get("function"))
    return CaseCall(str(body.get("name", "")), _arguments_of_call(body), str(call.get("id", "")))


def _arguments_of_call(call: Mapping[str, JsonValue]) -> Mapping[str, JsonValue] | Failure:
    value = call.get("arguments")
    if isinstance(value, str):
        found = read_json(value or "{}")
        if isinstance(found, Failure):
            return found
        value = found
    return value if isinstance(value, Mapping) else Failure("wrong_type", f"{type(value).__name__}")
