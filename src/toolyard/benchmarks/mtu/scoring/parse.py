"""What an answer calls: the released parsers under `official`, a tolerant reading under `paper`.

Thought: Both cities are known.
Action: FindBus
Action Input: {"from_city": "Oslo", "to_city": "Bergen"}
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from toolyard.benchmarks.mtu.data.sample import MtuSample
from toolyard.benchmarks.mtu.scoring import official
from toolyard.benchmarks.mtu.scoring.baselines import answer_text
from toolyard.benchmarks.mtu.scoring.calls import Call, TurnPrediction, gold_calls
from toolyard.benchmarks.mtu.scoring.returned_values import RETURNED, restore_references
from toolyard.core.episodes import WRITTEN
from toolyard.core.types import Completion, Failure, JsonValue, Profile, Transcript
from toolyard.core.untrusted.json_safe import json_safe
from toolyard.text.parsing import excerpt
from toolyard.text.react import ReactStep, before_played_turns, read_react

# How models write that they call nothing.
NO_TOOL = frozenset({"", "none", "null", "n/a", "no action", "no call", "no tool", "no api"})
# What read_react says of an answer that names no action at all.
NO_ACTION = ("empty", "not_found")
# The note of an episode whose answers count up to where they play the tool or the user.
RECOVERS = "recovers"
_ACTION_LINE = re.compile(r"""^[ \t>*#`"'_-]*+action\b""", re.IGNORECASE | re.MULTILINE)


def parse(sample: MtuSample, transcript: Transcript, profile: Profile) -> TurnPrediction:
    """The calls of the last answer as this profile reads them."""
    text = last_answer_text(transcript)
    if RETURNED in transcript.notes:
        text = _restore_reference_text(sample, text, transcript.notes[RETURNED])
    if profile == "paper":
        return read_recovered(sample, text) if transcript.notes.get(RECOVERS) else read_answer(text)
    if sample.input["kind"][2] == "M":
        return TurnPrediction(official.parse_multi(text))
    calls = official.parse_single(text)
    unread = not calls and official.begins_call(text)
    return TurnPrediction(calls, Failure("unread_call", excerpt(text)) if unread else None)


def _restore_reference_text(sample: MtuSample, text: str, returned: Sequence[JsonValue]) -> str:
    """The answer with references in the place of what calls returned, as far as it can be read."""
    read = read_answer(text)
    if read.failure is not None or len(read.calls) != len(returned):
        return text
    return answer_text(restore_references(sample, read.calls, returned))


def last_answer_text(transcript: Transcript) -> str:
    """The last answer as text, or nothing; calls of a program as the text styles write them."""
    if WRITTEN in transcript.notes:
        return str(transcript.notes[WRITTEN])
    return completion_as_text(transcript.completions[-1]) if transcript.completions else ""


def completion_as_text(completion: Completion) -> str:
    """One answer as text; calls that came through a tool-calling interface are written as Actions."""
    return (
        "\n".join([completion.text, *_native_calls(completion)]) if completion.tool_calls else completion.text
    )


def _native_calls(completion: Completion) -> Iterator[str]:
    for call in completion.tool_calls:
        function = call.get("function")
        body: Mapping[str, JsonValue] = function if isinstance(function, Mapping) else call
        arguments = body.get("arguments", "{}")
        text = arguments if isinstance(arguments, str) else json.dumps(json_safe(arguments))
        yield f"Action: {body.get('name', '')}\nAction Input: {text}"


def read_recovered(sample: MtuSample, text: str) -> TurnPrediction:
    """The calls that an answer names before it goes on with turns that are not its own."""
    own = before_played_turns(text, one_call=sample.input["kind"][2] == "S")
    return replace(read_answer(own), went_on=own != text)


def read_answer(text: str, without_input: Collection[str] = ()) -> TurnPrediction:
    """The calls that an answer names, in order; a failure where one is begun and cannot be read.

    `without_input` are tools, in lower case, whose input may be empty or missing.
    """
    # Without the word there is no label of an action; letters beyond ASCII may pass for its own, a tag may be open.
    if "<" not in text and text.isascii() and "action" not in text.lower():
        return TurnPrediction((), None, text)
    steps = read_react(text)
    if isinstance(steps, Failure):
        return TurnPrediction((), None if steps.kind in NO_ACTION else steps, text)
    calls: list[Call] = []
    for step in steps:
        found = _calls_of_step(step, without_input)
        if isinstance(found, Failure):
            # "The next action: ask for the city" inside a thought is prose, not a call gone wrong.
            in_prose = not step.arguments_text and not _ACTION_LINE.search(text)
            return TurnPrediction(tuple(calls), None if in_prose else found, text)
        calls += found
    return TurnPrediction(tuple(calls), said=text)


def _calls_of_step(step: ReactStep, without_input: Collection[str]) -> Sequence[Call] | Failure:
    name = step.action.rstrip(".").strip()
    lowered = name.lower()
    if lowered in without_input and step.arguments_text.strip("{} .").lower() in NO_TOOL:
        return (Call(name),)
    if lowered in NO_TOOL or lowered.startswith("none "):
        return Failure("no_action_name", excerpt(step.arguments_text)) if _has_arguments(step, name) else ()
    if not step.arguments_text:
        shown = gold_calls(name) if name.startswith("{") else None
        # Histories show calls as one object, `Action: {"mail_send": {...}}`, and answers may do so too.
        return shown if isinstance(shown, tuple) else Failure("no_action_input", excerpt(name))
    if not isinstance(step.arguments, dict):
        return Failure("action_input_not_an_object", excerpt(f"{name}: {step.arguments_text}"))
    return (
        Call(
            name,
            {
                # Most values are plain texts, which are safe as they are.
                str(key): value if type(value) is str and value.isascii() else json_safe(value)
                for key, value in step.arguments.items()
            },
        ),
    )


def _has_arguments(step: ReactStep, name: str) -> bool:
    """Whether parameters were given to no tool at all."""
    return not name and isinstance(step.arguments, dict) and bool(step.arguments)
