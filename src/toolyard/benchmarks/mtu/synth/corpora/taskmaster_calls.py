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
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import (
    CorpusCall,
    CorpusDialogue,
    CorpusTurn,
    Item,
    Skipped,
)
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
    calls: list[CorpusCall] = field(default_factory=list)


def tm4(entry: CorpusEntry, release: str) -> Iterator[Item]:
    """The dialogue of a TM-4 conversation, and what was mended in it."""
    row, notes = entry.value, list[Skipped]()
    where = f"{entry.where} ({row['conversation_id']})"
    steps = []
    for utterance in row["utterances"]:
        calls = _tm4_calls(utterance.get("annotations") or (), where, notes)
        steps.append(TaskmasterStep(utterance["speaker"].lower() == "user", utterance["text"], calls))
    lost = [note for note in notes if note.scope == "dialogue"]
    if lost:
        yield lost[0]
        return
    yield _dialogue(str(row["conversation_id"]), release, "train", steps)
    yield from notes


def tm3(entry: CorpusEntry, release: str) -> Iterator[Item]:
    """The dialogue of a TM-3 conversation."""
    row, steps = entry.value, []
    for utterance in row["utterances"]:
        calls = [_tm3_call(api) for api in utterance.get("apis") or ()]
        steps.append(TaskmasterStep(utterance["speaker"].lower() == "user", utterance["text"], calls))
    yield _dialogue_or_skip(str(row["conversation_id"]), release, "train", steps, entry.where)


def read_linearised(path: Path) -> Iterator[Item]:
    """The conversations of a linearised file, each by its longest row."""
    where, split = f"taskmaster/{TM3}/{path.name}", path.parent.name
    text = read_text(path)
    longest: dict[str, tuple[int, int]] = {}
    for number, row in _rows(text, where):
        longest[row[2]] = max(longest.get(row[2], (0, 0)), (len(row[0]), -number))
    for number, row in _rows(text, where):
        place = f"{where} row {number}"
        if longest[row[2]][1] != -number:
            yield Skipped("beginning_of_a_longer_row", place, "repair")
            continue
        steps = _steps(row[0], row[1])
        if _is_unfinished(steps):
            steps = steps[: max(index for index, step in enumerate(steps) if step.user)]
            if not any(step.user for step in steps):
                yield Skipped("only_turn_goes_on", place)
                continue
            yield Skipped("last_turn_goes_on", place, "turn")
        yield _dialogue_or_skip(row[2], TM3, split, steps, place)


def _is_unfinished(steps: list[TaskmasterStep]) -> bool:
    """Whether more calls may follow: the last step is a call, or a reply that asks to wait and calls nothing."""
    if not any(step.user for step in steps):
        return False
    last = steps[-1]
    return last.user or bool(last.calls) or bool(_WAITING.search(last.text))


def _tm4_calls(annotations: Iterable[Record], where: str, notes: list[Skipped]) -> list[CorpusCall]:
    groups: dict[int, dict[str, str]] = {}
    for annotation in annotations:
        number = _NUMBER.search(annotation["context"])
        groups.setdefault(int(number.group()) if number else -1, {})[annotation["name"]] = annotation["value"]
    calls = []
    for _, group in sorted(groups.items()):
        if "api_call" not in group:
            notes.append(Skipped("response_without_a_call", where, "call"))
            continue
        if "request" not in group:
            notes.append(Skipped("call_without_a_request", where, "repair"))
        parameters = _object(group.get("request", "{}"), "request", where, notes)
        response = _object(group["response"], "response", where, notes) if "response" in group else None
        failed = response is not None and response.get("success") is False
        calls.append(
            CorpusCall(
                group["api_call"], TM4, parameters or {}, None if response is None else (response,), failed
            )
        )
    return calls


def _object(text: str, kind: str, where: str, notes: list[Skipped]) -> dict[str, JsonValue] | None:
    """The object that a text is; a request that is none costs the dialogue, a response only itself."""
    value = _parse_object(text, strict=True)
    if value is not None:
        return value
    value = _parse_object(_DOUBLED.sub(r'"\1"', text), strict=False)
    if value is None:
        notes.append(Skipped(f"{kind}_not_json", where, "dialogue" if kind == "request" else "call"))
    else:
        notes.append(Skipped(f"{kind}_mended", where, "repair"))
    return value


def _parse_object(text: str, strict: bool) -> dict[str, JsonValue] | None:
    try:
        value = json.loads(text, strict=strict)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _tm3_call(api: Record) -> CorpusCall:
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


def _call(
    name: str, parameters: dict[str, JsonValue] | None, response: dict[str, JsonValue] | None
) -> CorpusCall:
    if response is None:
        return CorpusCall(name, TM3, parameters or {})
    given = {key: value for key, value in response.items() if value not in (NOTHING, [NOTHING], [], "")}
    failed = name.startswith("book_") and given.get("status") in REFUSED
    return CorpusCall(name, TM3, parameters or {}, (given,) if given else (), failed)


def _rows(text: str, where: str) -> Iterator[tuple[int, list[str]]]:
    csv.field_size_limit(1 << 24)
    for number, row in enumerate(csv.reader(io.StringIO(text, newline=""), delimiter="\t"), start=1):
        if len(row) != 3:
            raise DataError(
                f"{where} row {number} has {len(row)} fields; wanted context, target, conversation"
            )
        yield number, row


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

    def call(self) -> CorpusCall:
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
    identity: str, release: str, split: str, steps: list[TaskmasterStep], where: str
) -> Item:
    values = [value for step in steps for call in step.calls for value in call.arguments.values()]
    if UNFILLED in values:
        return Skipped("unfilled_template", where)
    if not any(step.user for step in steps):
        return Skipped("no_user_turn", where)
    return _dialogue(identity, release, split, steps)


def _dialogue(identity: str, release: str, split: str, steps: list[TaskmasterStep]) -> CorpusDialogue:
    turns = []
    for exchange in exchanges(steps, lambda step: step.user):
        said = one_line(step.text for step in exchange.user)
        reply = one_line(step.text for step in exchange.assistant)
        calls = tuple(call for step in (*exchange.user, *exchange.assistant) for call in step.calls)
        intents = tuple(dict.fromkeys((release, call.tool) for call in calls))
        turns.append(CorpusTurn(said, reply, label_of(said, reply, bool(calls)), intents, {}, calls))
    name = f"taskmaster/{release}/{identity}"
    return public_dialogue(name, split, turns, [release], [TOPIC[release]])
