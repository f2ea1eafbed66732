"""Episodes: every turn after the recorded history, or whole dialogues after the model's own (`--history own`).

With `own`, each earlier turn shows what the model called. A turn whose calls equal the recorded ones keeps
its recorded observation and reply; any other gets a structured error and no reply, so that errors cascade.
Equality is that of the `paper` profile. The recorded calls of a turn stand in the history of the next; where
gold says otherwise (39 official turns), either is taken.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

import orjson

from toolyard.benchmarks.mtu.data.sample import MtuSample
from toolyard.benchmarks.mtu.scoring.calls import Call, TurnPrediction, calls_of
from toolyard.benchmarks.mtu.scoring.parse import RECOVERS, completion_as_text, read_answer, read_recovered
from toolyard.benchmarks.mtu.scoring.value_equality import reference_day, same_calls
from toolyard.benchmarks.mtu.task.prompt import EXECUTED, LOOPS, PROGRAMS, offered_tools, prompt_with_history
from toolyard.benchmarks.mtu.task.turn_calls import call_natively, run_program
from toolyard.core.benchmark import RunSetup
from toolyard.core.episodes import WRITTEN
from toolyard.core.errors import UsageError
from toolyard.core.ordered_sums import group_items
from toolyard.core.types import (
    Completion,
    Conversation,
    Effects,
    Episode,
    Generate,
    JsonValue,
    Message,
    Options,
    Record,
    Request,
)
from toolyard.core.untrusted.json_safe import json_safe

# What follows a turn's calls is the tool's to say, or the user's; both layouts of the history.
STOPS = ("\nObservation:", "\nobservation:", "\nUser:", "\nuser:")


@dataclass(frozen=True, slots=True)
class _Done:
    """What the model did in one of its turns, and what gold wants there; gold is compared, never shown."""

    prediction: TurnPrediction
    thought: str
    wanted: tuple[Call, ...]


def uses_own_history(options: Options) -> bool:
    """Whether the turns of a dialogue are one episode."""
    return options.values.get("history", "gold") == "own"


def episode(samples: tuple[MtuSample, ...], setup: RunSetup) -> Episode:
    """One answer per turn, after the recorded history or after the model's own."""
    options = setup.options
    if uses_own_history(options) and options.style in EXECUTED:
        raise UsageError(
            f"--history own has no results but the recorded ones, and --style {options.style} makes its calls; give "
            "--history gold, or --style native or code"
        )
    conversations: dict[str, Conversation] = {}
    for turns in _group_dialogues(samples, options):
        done: dict[int, _Done] = {}
        for sample in turns:
            notes: Record = {}
            if uses_own_history(options):
                history, notes = own_history(sample, done)
                messages = prompt_with_history(sample, history, options)
            else:
                messages = setup.benchmark.task.prompt(sample, options)
            request = _make_request(sample, messages, setup)
            talk = yield from _play_turn(sample, request, options.style)
            if uses_own_history(options):
                said = str(talk.notes.get(WRITTEN) or completion_as_text(talk.completions[-1]))
                done[len(sample.input["history"])] = _finish_turn(sample, said, options)
            notes = {**notes, **talk.notes, **({RECOVERS: True} if stops_at_roles(options) else {})}
            conversations[sample.id] = replace(talk, notes=notes)
    return tuple(conversations[sample.id] for sample in samples)


def _play_turn(sample: MtuSample, request: Request, style: str) -> Effects[Conversation]:
    """One turn in the way that the style says."""
    if style in PROGRAMS:
        return (yield from run_program(sample, request, executed=style in EXECUTED))
    if style in LOOPS:
        return (yield from call_natively(sample, request, style))
    completion: Completion = yield Generate(request)
    return Conversation((*request.messages, completion.message), (completion,))


def _finish_turn(sample: MtuSample, text: str, options: Options) -> _Done:
    read = read_recovered(sample, text) if stops_at_roles(options) else read_answer(text)
    return _Done(read, _thought_in_answer(text), calls_of(sample.gold["calls"]))


def _group_dialogues(samples: tuple[MtuSample, ...], options: Options) -> list[list[MtuSample]]:
    """The samples one by one, or by dialogue in order of turns; a cluster may hold two dialogues."""
    if not uses_own_history(options):
        return [[sample] for sample in samples]
    dialogues = group_items(samples, lambda sample: sample.groups["dialogue"])
    return [sorted(turns, key=lambda turn: len(turn.input["history"])) for turns in dialogues.values()]


def stops_at_roles(options: Options) -> bool:
    """Whether an answer counts up to where it plays the tool or the user, and is stopped there."""
    return options.style not in ("native", *PROGRAMS, *EXECUTED) and options.values.get("recover") == "yes"


def _make_request(sample: MtuSample, messages: tuple[Message, ...], setup: RunSetup) -> Request:
    decoding = setup.decoding
    if stops_at_roles(setup.options):
        decoding = replace(decoding, stop=(*decoding.stop, *STOPS))
    return Request(
        messages=messages,
        decoding=decoding,
        sample=sample.id,
        tools=offered_tools(sample) if setup.options.style == "native" else (),
    )


def own_history(sample: MtuSample, done: Mapping[int, _Done]) -> tuple[list[Any], Record]:
    """The history with the model's own calls in it, and how many of them got their observation or an error."""
    today = reference_day(sample.input["instructions"])
    history: list[object] = []
    counts = {"turns_as_recorded": 0, "turns_apart": 0, "calls_with_observation": 0, "calls_with_error": 0}
    for place, recorded in enumerate(sample.input["history"]):
        mine = done.get(place)
        if mine is None:
            history.append(recorded)
            continue
        calls = mine.prediction.calls
        if _follows_record(mine, recorded, today):
            counts["turns_as_recorded"] += 1
            counts["calls_with_observation"] += len(calls)
            same = same_calls(calls, calls_of(recorded["calls"]), today)
            history.append(recorded if same else {**recorded, "calls": [call.to_json() for call in calls]})
            continue
        counts["turns_apart"] += 1
        counts["calls_with_error"] += len(calls)
        history.append(_turn_without_result(mine, recorded))
    return history, counts


def _follows_record(mine: _Done, recorded: Record, today: date | None) -> bool:
    """Whether the model did what the history records, or what gold wants: the release does not always agree."""
    if mine.prediction.failure is not None:
        return False
    calls = mine.prediction.calls
    return same_calls(calls, calls_of(recorded["calls"]), today) or same_calls(calls, mine.wanted, today)


def _turn_without_result(mine: _Done, recorded: Record) -> dict[str, JsonValue]:
    errors = [
        {"error": "no_recorded_result", "tool": call.name, "message": "This call returned no result."}
        for call in mine.prediction.calls
    ]
    if mine.prediction.failure is not None:
        errors.append({"error": "unreadable_call", "message": mine.prediction.failure.kind})
    return {
        "user": recorded["user"],
        "thought": mine.thought,
        "calls": [call.to_json() for call in mine.prediction.calls],
        "observation": orjson.dumps(json_safe(errors[0] if len(errors) == 1 else errors)).decode()
        if errors
        else "",
        "assistant": "" if errors else mine.thought,
    }


def _thought_in_answer(text: str) -> str:
    """What the answer says before its first Action, on one line."""
    head = text.split("Action:")[0].replace("Thought:", " ")
    return " ".join(head.split())[:1000]
