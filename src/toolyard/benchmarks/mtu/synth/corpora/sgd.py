"""Schema-Guided Dialogue: `<split>/dialogues_*.json` beside `<split>/schema.json`, moved to January 2024.

    {"dialogue_id": "9_00000", "services": ["Restaurants_1"], "turns": [
      {"speaker": "USER", "utterance": "Thai food in Oslo on March 4th.", "frames": [{"service": "Restaurants_1",
         "state": {"active_intent": "FindRestaurants", "slot_values": {"city": ["Oslo"]}},
         "slots": [{"slot": "date", "start": 21, "exclusive_end": 30}],
         "actions": [{"act": "INFORM", "slot": "date", "values": ["March 4th"], "canonical_values": ["2019-03-04"]}]}]},
      {"speaker": "SYSTEM", "utterance": "How about The Blue Spoon?", "frames": [{"service": "Restaurants_1",
         "actions": [{"act": "OFFER"}], "service_call": {"method": "FindRestaurants", "parameters": {"city": "Oslo"}},
         "service_results": [{"restaurant_name": "The Blue Spoon"}]}]}]}

The call stands on the system turn and belongs to the user turn before it. Parameters of a call are canonical and
are the gold; the state lists surface forms. Empty results are kept.

    2019-03-14 -> 2024-01-14      "March 14th" -> "January 14th"      "next Friday" (2019-03-08) -> "January 8th"

The official MTU rows use January 2024. SGD's own "today" is 2019-03-01, so a prompt says that today is 2024-01-01;
"tomorrow" and "the 14th" then stay true. Weekdays would not: a span that names one is written as its date.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path

from toolyard.benchmarks.mtu.synth.corpora.corpus_files import (
    CorpusEntry,
    entries_in,
    items_of,
    tools_of_entries,
)
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import (
    CorpusDialogue,
    CorpusParameter,
    CorpusTool,
    DialogueCall,
    DialogueTurn,
    Item,
    Label,
    Skipped,
    Verb,
)
from toolyard.benchmarks.mtu.synth.corpora.topics import public_dialogue, sgd_topic, topics_of
from toolyard.benchmarks.mtu.synth.corpora.utterances import Exchange, exchanges, one_line
from toolyard.core.types import JsonValue, Record
from toolyard.text.dates import MONTH_NAMES, WEEKDAY_NAMES, ordinal

TODAY = "2024-01-01"
_ISO = re.compile(r"2019-03-(\d\d)")
_WEEKDAY = re.compile(rf"\b(?:{'|'.join(WEEKDAY_NAMES)}|weekend|next week)\b", re.IGNORECASE)
_ORDINAL = r"\d{1,2}(?:st|nd|rd|th)?"
# Only beside a day of the month: "march" is also a verb and may be part of a name.
_MONTH = re.compile(
    rf"(\b{_ORDINAL}(?: of)? )(march|mar)\b|\b(march|mar)\b(?=\.?,? (?:the )?{_ORDINAL}\b)", re.IGNORECASE
)
_YEAR = re.compile(rf"(\bjan(?:uary)?\.?(?: (?:the )?{_ORDINAL})?,? )2019\b", re.IGNORECASE)


def shift_value(value: JsonValue) -> JsonValue:
    """A stored value with its dates moved; anything but text unchanged."""
    if not isinstance(value, str):
        return value
    return _ISO.sub(r"2024-01-\1", value)


def shift_values(values: Record) -> dict[str, JsonValue]:
    """Every value moved."""
    return {name: shift_value(value) for name, value in values.items()}


def shift_words(text: str) -> str:
    """A text with month and year moved where it shows a whole date."""
    shifted = _MONTH.sub(
        lambda match: (match.group(1) or "") + _january(match.group(2) or match.group(3)), text
    )
    return _ISO.sub(r"2024-01-\1", _YEAR.sub(r"\g<1>2024", shifted))


def shift_span(surface: str, canonical: str | None) -> str:
    """The words of one date; `canonical` is the day (as stored, March 2019) that they stand for, if known."""
    if canonical and _WEEKDAY.search(surface):
        match = _ISO.fullmatch(canonical)
        if match:
            return f"{MONTH_NAMES[0]} {ordinal(int(match.group(1)))}"
    return shift_words(surface)


def shift_spans(text: str, spans: Iterable[tuple[int, int, str | None]]) -> str:
    """An utterance with its annotated dates moved, and any other whole date in it.

    Spans are (start, end, canonical day); overlapping or impossible ones are left to the words.
    """
    pieces: list[str] = []
    position = 0
    for start, end, canonical in sorted(spans, key=lambda span: span[:2]):
        if position <= start < end <= len(text):
            pieces += [text[position:start], shift_span(text[start:end], canonical)]
            position = end
    pieces.append(text[position:])
    return shift_words("".join(pieces))


def _january(month: str) -> str:
    return MONTH_NAMES[0][:3] if month.lower() == "mar" else MONTH_NAMES[0]


NAME = "sgd"
SPLITS = ("train", "dev", "test")
LABEL_OF_ACT: dict[str, Label] = {
    "REQUEST": "missing",
    "CONFIRM": "confirmed",
    "INFORM": "exists",
    "OFFER": "exists",
    "GOODBYE": "chat",
    "REQ_MORE": "chat",
    "OFFER_INTENT": "chat",
}


def is_here(folder: Path) -> bool:
    """Whether the folder holds SGD."""
    return any((folder / split / "schema.json").is_file() for split in SPLITS)


def load(folder: Path) -> Iterator[Item]:
    """Every dialogue, split by split, file by file."""
    for split in SPLITS:
        if not (folder / split).is_dir():
            continue
        transactional = {
            (tool.service, tool.name) for tool in _split_tools(folder, split) if tool.verb != "query"
        }
        convert = partial(_items, split=split, transactional=transactional)
        for file in sorted((folder / split).glob("dialogues_*.json")):
            yield from items_of(entries_in(file, f"{NAME}/{split}/{file.name}"), convert)


def tools(folder: Path) -> tuple[CorpusTool, ...]:
    """One tool per (service, intent) of all splits' schemas, in order of appearance."""
    found: dict[tuple[str, str], CorpusTool] = {}
    for split in SPLITS:
        for tool in _split_tools(folder, split):
            found.setdefault((tool.service, tool.name), tool)
    return tuple(found.values())


def _items(entry: CorpusEntry, split: str, transactional: set[tuple[str, str]]) -> Iterator[Item]:
    dialogue = _dialogue(entry.value, split, transactional)
    yield dialogue if dialogue.turns else Skipped("no_user_turn", entry.where)


def _dialogue(row: Record, split: str, transactional: set[tuple[str, str]]) -> CorpusDialogue:
    days: dict[str, str] = {}
    states: dict[str, Mapping[str, list[str]]] = {}
    found = exchanges(row["turns"], lambda turn: bool(turn["speaker"] == "USER"))
    turns = [_turn(exchange, days, states, transactional) for exchange in found]
    identity = f"{NAME}/{split}/{row['dialogue_id']}"
    return public_dialogue(identity, split, turns, row["services"], map(sgd_topic, row["services"]))


def _turn(
    exchange: Exchange[Record],
    days: dict[str, str],
    states: dict[str, Mapping[str, list[str]]],
    transactional: set[tuple[str, str]],
) -> DialogueTurn:
    texts = [
        [_shift_utterance_dates(turn, days) for turn in turns]
        for turns in (exchange.user, exchange.assistant)
    ]
    asked = [frame for turn in exchange.user for frame in turn["frames"]]
    answered = [frame for turn in exchange.assistant for frame in turn["frames"]]
    slots: dict[str, JsonValue] = {}
    for frame in asked:
        slots |= _update(frame, states, days)
    calls = tuple(_call(frame, transactional) for frame in answered if "service_call" in frame)
    intents = [(frame["service"], frame["state"]["active_intent"]) for frame in asked]
    return DialogueTurn(
        one_line(texts[0]),
        one_line(texts[1]),
        "call" if calls else _label(answered),
        intents=tuple(pair for pair in intents if pair[1] != "NONE"),
        slots=slots,
        calls=calls,
    )


def _shift_utterance_dates(turn: Record, days: dict[str, str]) -> str:
    spans = []
    for frame in turn["frames"]:
        for action in frame["actions"]:
            if "date" in action["slot"]:
                days.update(zip(action["values"], action["canonical_values"], strict=False))
        for span in frame["slots"]:
            if "date" in span["slot"]:
                start, end = span["start"], span["exclusive_end"]
                spans.append((start, end, days.get(turn["utterance"][start:end])))
    return shift_spans(turn["utterance"], spans)


def _update(
    frame: Record, states: dict[str, Mapping[str, list[str]]], days: Mapping[str, str]
) -> dict[str, JsonValue]:
    service, values = frame["service"], frame["state"]["slot_values"]
    before = states.get(service, {})
    states[service] = values
    changed = {slot: found[0] for slot, found in values.items() if before.get(slot) != found and found}
    return {
        f"{service}.{slot}": shift_span(value, days.get(value)) if "date" in slot else shift_value(value)
        for slot, value in changed.items()
    }


def _call(frame: Record, transactional: set[tuple[str, str]]) -> DialogueCall:
    call, service = frame["service_call"], frame["service"]
    reported = any(action["act"] == "NOTIFY_FAILURE" for action in frame["actions"])
    return DialogueCall(
        call["method"],
        shift_values(call["parameters"]),
        tuple(shift_values(result) for result in frame.get("service_results", ())),
        service=service,
        failed=reported and (service, call["method"]) in transactional,
    )


def _label(frames: list[Record]) -> Label | None:
    acts = {action["act"] for frame in frames for action in frame["actions"]}
    return next((label for act, label in LABEL_OF_ACT.items() if act in acts), None)


def _split_tools(folder: Path, split: str) -> Iterator[CorpusTool]:
    path = folder / split / "schema.json"
    if path.is_file():
        yield from tools_of_entries(
            entries_in(path),
            lambda entry: service_tools(entry.value),
            "SGD service",
            "fetch the schema again",
        )


def service_tools(service: Record) -> Iterator[CorpusTool]:
    """The tools of one service of a schema, in order."""
    slots = {slot["name"]: slot for slot in service["slots"]}
    for intent in service["intents"]:
        yield CorpusTool(
            intent["name"],
            service["service_name"],
            intent["description"],
            tuple(_parameter(slots[name]) for name in intent["required_slots"]),
            tuple(_parameter(slots[name], value) for name, value in intent["optional_slots"].items()),
            tuple(_parameter(slots[name]) for name in intent["result_slots"]),
            _verb(intent),
            topics_of([sgd_topic(service["service_name"])]),
        )


def _verb(intent: Record) -> Verb:
    if intent["name"].lower().startswith("play"):
        return "play"
    return "create" if intent["is_transactional"] else "query"


def _parameter(slot: Record, default: JsonValue = None) -> CorpusParameter:
    name = slot["name"]
    written = "YYYY-MM-DD" if name.endswith("date") else ""
    if name.endswith("time") and name != "wait_time":
        written = "HH:MM"
    choices = tuple(slot["possible_values"]) if slot["is_categorical"] else ()
    return CorpusParameter(name, "string", slot["description"], choices, shift_value(default), written)
