"""Dialogues of TM-3 and TM-4, which record calls.

    TM-4   {"conversation_id": "dlg-1", "utterances": [{"speaker": "user", "text": "one latte", "annotations": [
              {"name": "api_call", "value": "get_menu_items", "context": "api_call_0"},
              {"name": "request", "value": "{\\"query\\": \\"latte\\"}", "context": "api_call_0"},
              {"name": "response", "value": "{\\"menu_items\\": []}", "context": "api_response_0"}]}]}
    TM-3   {"conversation_id": "dlg-2", "utterances": [{"speaker": "user", "text": "what is on?", "apis": [
              {"name": "find_movies", "args": {"location": "Oslo"}, "response": {"name.movie": ["Cold Tea"]}}]}]}
    TM-3, linearised (newest first, then <C> and what came before; TAB the next step; TAB the conversation)
           <U>in Oslo<C><U>what is on?<A>where?    [PN]find_movies[PAN]location[PAV]Oslo    dlg-2

TM-4: what has the same number belongs together; a call without a request has no parameters; requests and responses
with doubled quotes or bare tabs are mended. TM-3, linearised: one row is one step, the longest row of a conversation
stands for it; its last turn is left out where the step is a call or asks to wait, since more calls may follow.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from toolyard.benchmarks.mtu.synth.corpora.corpus_files import CorpusEntry, read_text
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import Call, CorpusDialogue, Item, Skipped, Turn
from toolyard.benchmarks.mtu.synth.corpora.tools_from_calls import one_or_all
from toolyard.benchmarks.mtu.synth.corpora.topics import TASKMASTER, public_dialogue
from toolyard.benchmarks.mtu.synth.corpora.utterances import exchanges, label_of, one_line
from toolyard.core.errors import DataError
from toolyard.core.types import JsonValue, Record

TM3, TM4 = "TM-3", "TM-4"
TOPIC = {TM3: TASKMASTER["movie"], TM4: TASKMASTER["coffee"]}
NOTHING = "_empty_"
REFUSED = frozenset({"failure", "unavailable"})
_WAITING = re.compile(
    r"\b(?:let me|one moment|one second|just a (?:moment|second|sec|minute)|hold on|please wait|give me a"
    r"|i'?ll (?:check|look|see)|i will (?:check|look)|checking|looking)\b",
    re.IGNORECASE,
)
# Left in by templates that nobody filled in.
UNFILLED = "{}"
_NUMBER = re.compile(r"\d+$")
_DOUBLED = re.compile(r'""([^"]*)""')
_MARK = re.compile(r"<(U|A|S|PN|PAN|PAV|PR|PRAN|PRAV)>")
_TARGET_MARK = re.compile(r"\[(A|PN|PAN|PAV)\]")


@dataclass(slots=True)
class TaskmasterStep:
    """One utterance with the calls that stand on it."""

    user: bool
    text: str = ""
    calls: list[Call] = field(default_factory=list)


def tm4(entry: CorpusEntry, release: str) -> Iterator[Item]:
    """The dialogue of a TM-4 conversation, with what was mended in it."""
    remarks: list[str] = []
    steps = []
    for utterance in entry.value["utterances"]:
        calls = _tm4_calls(utterance.get("annotations") or (), remarks)
        if calls is None:
            yield Skipped("request_not_json", f"{entry.where} ({entry.value['conversation_id']})")
            return
        steps.append(_step(utterance, calls))
    yield _dialogue(entry.value["conversation_id"], release, "train", steps, remarks)


def tm3(entry: CorpusEntry, release: str) -> Iterator[Item]:
    """The dialogue of a TM-3 conversation."""
    steps = [
        _step(utterance, [_tm3_call(api) for api in utterance.get("apis") or ()])
        for utterance in entry.value["utterances"]
    ]
    yield _dialogue_or_skip(entry.value["conversation_id"], release, "train", steps, entry.where)


def _step(utterance: Record, calls: list[Call]) -> TaskmasterStep:
    return TaskmasterStep(utterance["speaker"].lower() == "user", utterance["text"], calls)


def read_linearised(path: Path) -> Iterator[Item]:
    """The conversations of a linearised file, each by its longest row."""
    where, split = f"taskmaster/{TM3}/{path.name}", path.parent.name
    rows = list(_rows(read_text(path), where))
    lengths: dict[str, list[tuple[int, int]]] = {}
    for number, (context, _, name) in enumerate(rows, 1):
        lengths.setdefault(name, []).append((len(context), -number))
    for number, (context, target, name) in enumerate(rows, 1):
        place = f"{where} row {number}"
        if max(lengths[name])[1] != -number:
            continue
        remarks = ["beginning_of_a_longer_row"] * (len(lengths[name]) - 1)
        steps = _steps(context, target)
        if _is_unfinished(steps):
            steps = steps[: max(index for index, step in enumerate(steps) if step.user)]
            if not any(step.user for step in steps):
                yield Skipped("only_turn_goes_on", place)
                continue
            remarks.append("turn_left_out_last_turn_goes_on")
        yield _dialogue_or_skip(name, TM3, split, steps, place, remarks)


def _is_unfinished(steps: list[TaskmasterStep]) -> bool:
    """Whether more calls may follow: the last step is a call, or a reply that asks to wait and calls nothing."""
    if not any(step.user for step in steps):
        return False
    last = steps[-1]
    return last.user or bool(last.calls) or bool(_WAITING.search(last.text))


def _tm4_calls(annotations: Iterable[Record], remarks: list[str]) -> list[Call] | None:
    """The calls of an utterance; none at all where a request is no JSON: it costs the dialogue."""
    groups: dict[int, dict[str, str]] = {}
    for annotation in annotations:
        number = _NUMBER.search(annotation["context"])
        groups.setdefault(int(number.group()) if number else -1, {})[annotation["name"]] = annotation["value"]
    calls = []
    for _, group in sorted(groups.items()):
        if "api_call" not in group:
            remarks.append("call_left_out_response_without_a_call")
            continue
        if "request" not in group:
            remarks.append("call_without_a_request")
        parameters = _object(group.get("request", "{}"), "request", remarks)
        response = _object(group["response"], "response", remarks) if "response" in group else None
        if parameters is None:
            return None
        failed = response is not None and response.get("success") is False
        results = None if response is None else (response,)
        calls.append(Call(group["api_call"], parameters, results, service=TM4, failed=failed))
    return calls


def _object(text: str, kind: str, remarks: list[str]) -> dict[str, JsonValue] | None:
    """The object that a text is, mended where quotes are doubled or tabs are bare."""
    value = _parse_object(text, strict=True)
    if value is None:
        value = _parse_object(_DOUBLED.sub(r'"\1"', text), strict=False)
        remarks.append(f"call_left_out_{kind}_not_json" if value is None else f"{kind}_mended")
    return value


def _parse_object(text: str, strict: bool) -> dict[str, JsonValue] | None:
    try:
        value = json.loads(text, strict=strict)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _tm3_call(api: Record) -> Call:
    return _call(str(api["name"]), _pairs(api.get("args"), "arg"), _pairs(api.get("response"), "response"))


def _pairs(content: Any, kind: str) -> dict[str, JsonValue] | None:
    """Key-value pairs, as one object or as a list of `{arg_name, arg_value}`."""
    if content is None:
        return None
    if isinstance(content, Mapping):
        return dict(content)
    found: dict[str, list[JsonValue]] = {}
    for pair in content:
        found.setdefault(str(pair[f"{kind}_name"]), []).append(pair[f"{kind}_value"])
    return one_or_all(found)


def _call(name: str, parameters: dict[str, JsonValue] | None, response: dict[str, JsonValue] | None) -> Call:
    if response is None:
        return Call(name, parameters or {}, service=TM3)
    given = {key: value for key, value in response.items() if value not in (NOTHING, [NOTHING], [], "")}
    failed = name.startswith("book_") and given.get("status") in REFUSED
    return Call(name, parameters or {}, (given,) if given else (), service=TM3, failed=failed)


def _rows(text: str, where: str) -> Iterator[list[str]]:
    csv.field_size_limit(1 << 24)
    for number, row in enumerate(csv.reader(io.StringIO(text, newline=""), delimiter="\t"), start=1):
        if len(row) != 3:
            raise DataError(
                f"{where} row {number} has {len(row)} fields; wanted context, target, conversation"
            )
        yield row


def _steps(context: str, target: str) -> list[TaskmasterStep]:
    """The conversation in order: what came before, the newest, and the step that follows."""
    newest, _, before = context.partition("<C>")
    events = [*_events(_MARK, before), *_events(_MARK, newest), *_events(_TARGET_MARK, target)]
    steps: list[TaskmasterStep] = []
    open_calls: list[_Open] = []
    for mark, text in events:
        if mark in ("U", "A"):
            _attach_calls(steps, open_calls)
            steps.append(TaskmasterStep(mark == "U", text))
        elif mark == "PN":
            open_calls.append(_Open(text))
        elif mark != "S" and open_calls:
            open_calls[-1].take(mark, text)
    _attach_calls(steps, open_calls)
    return steps


@dataclass(slots=True)
class _Open:
    """A call whose arguments and response are still being read."""

    name: str
    parameters: dict[str, list[str]] = field(default_factory=dict)
    response: dict[str, list[str]] | None = None
    key: str = ""

    def take(self, mark: str, text: str) -> None:
        if mark == "PR":
            self.response = {}
        elif mark in ("PAN", "PRAN"):
            self.key = text
        else:
            into = self.parameters if mark == "PAV" or self.response is None else self.response
            into.setdefault(self.key, []).append(text)

    def call(self) -> Call:
        response = None if self.response is None else one_or_all(self.response)
        return _call(self.name, one_or_all(self.parameters), response)


def _events(mark: re.Pattern[str], text: str) -> list[tuple[str, str]]:
    pieces = mark.split(text)
    return [(kind, content.strip()) for kind, content in zip(pieces[1::2], pieces[2::2], strict=True)]


def _attach_calls(steps: list[TaskmasterStep], open_calls: list[_Open]) -> None:
    """Calls belong to the utterance they follow; before any utterance there is nothing that could ask for them."""
    if steps:
        steps[-1].calls += [one.call() for one in open_calls]
    open_calls.clear()


def _dialogue_or_skip(
    identity: object,
    release: str,
    split: str,
    steps: list[TaskmasterStep],
    where: str,
    remarks: Iterable[str] = (),
) -> Item:
    values = [value for step in steps for call in step.calls for value in call.arguments.values()]
    if UNFILLED in values:
        return Skipped("unfilled_template", where)
    if not any(step.user for step in steps):
        return Skipped("no_user_turn", where)
    return _dialogue(identity, release, split, steps, remarks)


def _dialogue(
    identity: object, release: str, split: str, steps: list[TaskmasterStep], remarks: Iterable[str]
) -> CorpusDialogue:
    turns = []
    for exchange in exchanges(steps, lambda step: step.user):
        said = one_line(step.text for step in exchange.user)
        reply = one_line(step.text for step in exchange.assistant)
        calls = tuple(call for step in (*exchange.user, *exchange.assistant) for call in step.calls)
        intents = tuple(dict.fromkeys((release, call.name) for call in calls))
        turns.append(
            Turn(said, reply, label_of(said, reply, bool(calls)), intents=intents, slots={}, calls=calls)
        )
    name = f"taskmaster/{release}/{identity}"
    return public_dialogue(name, split, turns, [release], [TOPIC[release]], remarks)
