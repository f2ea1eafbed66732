"""Right answers with one thing changed, as lines of BFCL's own result files."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from toolyard_bfcl.answers import DONE, REFUSAL, gold_turns, placeholder_call, write_text
from toolyard_bfcl.calls import Call
from toolyard_bfcl.rows import RowSample

RIGHT, CUT = "right", "text cut in the middle"


def results(sample: RowSample, *, native: bool) -> dict[str, Any]:
    """The result of a row for every kind of answer."""
    turns = {RIGHT: gold_turns(sample), **damaged_turns(sample)}
    found = {kind: _result(sample, each, native=native) for kind, each in turns.items()}
    if not native and isinstance(found[RIGHT], str):
        found[CUT] = found[RIGHT][: len(found[RIGHT]) // 2]
    return found


def _result(sample: RowSample, turns: list[list[Call]], *, native: bool) -> Any:
    many = sample.input["group"] == "multi_turn"
    replies = [_reply(sample, calls, native=native) for calls in turns]
    if not many:
        return replies[0] if turns[0] else REFUSAL
    return [[reply, DONE] if calls else [DONE] for reply, calls in zip(replies, turns, strict=True)]


def _reply(sample: RowSample, calls: list[Call], *, native: bool) -> Any:
    if not native:
        return write_text(sample, calls)
    return [{call.name.replace(".", "_"): json.dumps(call.arguments)} for call in calls]


def damaged_turns(sample: RowSample) -> dict[str, list[list[Call]]]:
    """The right answer with one thing changed in the last turn that calls, by what was changed."""
    turns = gold_turns(sample)
    place = next((number for number in reversed(range(len(turns))) if turns[number]), None)
    if place is None:
        call = placeholder_call(sample)
        return {"a call": [[call]], "two calls": [[call, call]]}
    calls = turns[place]
    wrong = replace(calls[0], name=f"{calls[0].name}_other")
    changed = {
        "another function": [wrong, *calls[1:]],
        "no call": [],
        "a missing call": calls[:-1],
        "a call twice": [*calls, calls[-1]],
        "another argument": [replace(calls[0], arguments={**calls[0].arguments, "other": 1}), *calls[1:]],
        "another value": [_with_other_value(calls[0]), *calls[1:]],
        "calls turned round": calls[::-1],
    }
    return {kind: [*turns[:place], found, *turns[place + 1 :]] for kind, found in changed.items()}


def _with_other_value(call: Call) -> Call:
    if not call.arguments:
        return Call(call.name, {"other": "x"})
    name, value = next(iter(call.arguments.items()))
    other = value + 1 if isinstance(value, int | float) else f"{value} other"
    return Call(call.name, {**call.arguments, name: other})
