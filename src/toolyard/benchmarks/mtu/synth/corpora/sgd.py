"""Schema-Guided Dialogue: `<split>/dialogues_*.json` beside `<split>/schema.json`, moved to the year 2024.

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

    2019-03-14 -> 2024-03-14      "March 14th, 2019" -> "March 14th, 2024"      "next Friday" stays

SGD's own "today" is 2019-03-01, so a prompt says that today is 2024-03-01. Both are a Friday and the months after them
are alike, so that every day of the week, "tomorrow" and "the 14th" stay true.
"""

import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from toolyard.benchmarks.mtu.synth.corpora.corpus_files import (
    CorpusEntry,
    convert_entries,
    entries_in_file,
    tools_of_entries,
)
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import (
    CorpusTool,
    DialogueCall,
    DialogueTurn,
    Exchange,
    Item,
    Label,
    Skipped,
    Verb,
    one_line,
    pair_utterances,
    public_dialogue,
    sgd_topic,
    sort_topics,
)
from toolyard.core.types import JsonValue, Record
from toolyard.text.documents import ABSENT, Parameter

TODAY = "2024-03-01"
# Only where it stands in a date: "a song of 2019" is another year.
_YEAR = re.compile(r"\b2019(?=-\d\d-\d\d)|(?<=[a-z\d]), 2019\b|(?<=march )2019\b", re.IGNORECASE)


def shift_year(value: JsonValue) -> JsonValue:
    """A text with the years of its dates moved; any other value unchanged."""
    return (
        _YEAR.sub(lambda found: found[0].replace("2019", "2024"), value) if isinstance(value, str) else value
    )


def shift_values(values: Record) -> dict[str, JsonValue]:
    """Every value moved."""
    return {name: shift_year(value) for name, value in values.items()}


NAME = "sgd"
SPLITS = ("train", "dev", "test")
LABEL_OF_ACT: dict[str, Label] = {
    "REQUEST": "missing", "CONFIRM": "confirmed", "INFORM": "exists", "OFFER": "exists", "GOODBYE": "chat",
    "REQ_MORE": "chat", "OFFER_INTENT": "chat",
}  # fmt: skip


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
        convert = partial(_convert_entry, split=split, transactional=transactional)
        for file in sorted((folder / split).glob("dialogues_*.json")):
            yield from convert_entries(entries_in_file(file, f"{NAME}/{split}/{file.name}"), convert)


def tools(folder: Path) -> tuple[CorpusTool, ...]:
    """One tool per (service, intent) of all splits' schemas, in order of appearance."""
    found: dict[tuple[str, str], CorpusTool] = {}
    for split in SPLITS:
        for tool in _split_tools(folder, split):
            found.setdefault((tool.service, tool.name), tool)
    return tuple(found.values())


def _convert_entry(entry: CorpusEntry, split: str, transactional: set[tuple[str, str]]) -> Iterator[Item]:
    row = entry.value
    states: dict[str, Mapping[str, list[str]]] = {}
    found = pair_utterances(row["turns"], lambda turn: bool(turn["speaker"] == "USER"))
    turns = [_convert_turn(exchange, states, transactional) for exchange in found]
    identity = f"{NAME}/{split}/{row['dialogue_id']}"
    dialogue = public_dialogue(identity, split, turns, row["services"], map(sgd_topic, row["services"]))
    yield dialogue if turns else Skipped("no_user_turn", entry.where)


def _convert_turn(
    exchange: Exchange[Record],
    states: dict[str, Mapping[str, list[str]]],
    transactional: set[tuple[str, str]],
) -> DialogueTurn:
    said, reply = (
        one_line(str(shift_year(turn["utterance"])) for turn in turns)
        for turns in (exchange.user, exchange.assistant)
    )
    asked = [frame for turn in exchange.user for frame in turn["frames"]]
    answered = [frame for turn in exchange.assistant for frame in turn["frames"]]
    slots: dict[str, JsonValue] = {}
    for frame in asked:
        service, values = frame["service"], frame["state"]["slot_values"]
        before = states.get(service, {})
        states[service] = values
        changed = {slot: found for slot, found in values.items() if found and before.get(slot) != found}
        slots |= {f"{service}.{slot}": shift_year(found[0]) for slot, found in changed.items()}
    calls = tuple(_convert_call(frame, transactional) for frame in answered if "service_call" in frame)
    intents = tuple((frame["service"], frame["state"]["active_intent"]) for frame in asked)
    intents = tuple(pair for pair in intents if pair[1] != "NONE")
    acts = {action["act"] for frame in answered for action in frame["actions"]}
    label = next((label for act, label in LABEL_OF_ACT.items() if act in acts), None)
    return DialogueTurn(said, reply, "call" if calls else label, intents, slots, calls)


def _convert_call(frame: Record, transactional: set[tuple[str, str]]) -> DialogueCall:
    call, service = frame["service_call"], frame["service"]
    reported = any(action["act"] == "NOTIFY_FAILURE" for action in frame["actions"])
    return DialogueCall(
        call["method"],
        shift_values(call["parameters"]),
        tuple(shift_values(result) for result in frame.get("service_results", ())),
        service=service,
        failed=reported and (service, call["method"]) in transactional,
    )


def _split_tools(folder: Path, split: str) -> Iterator[CorpusTool]:
    path = folder / split / "schema.json"
    if path.is_file():
        yield from tools_of_entries(
            entries_in_file(path),
            lambda entry: service_tools(entry.value),
            "SGD service",
            "fetch the schema again",
        )


def service_tools(service: Record) -> Iterator[CorpusTool]:
    """The tools of one service of a schema, in order."""
    slots = {slot["name"]: slot for slot in service["slots"]}
    for intent in service["intents"]:
        verb: Verb = "create" if intent["is_transactional"] else "query"
        yield CorpusTool(
            intent["name"],
            service["service_name"],
            intent["description"],
            tuple(_convert_slot(slots[name]) for name in intent["required_slots"]),
            tuple(_convert_slot(slots[name], value) for name, value in intent["optional_slots"].items()),
            tuple(_convert_slot(slots[name]) for name in intent["result_slots"]),
            "play" if intent["name"].lower().startswith("play") else verb,
            sort_topics([sgd_topic(service["service_name"])]),
        )


def _convert_slot(slot: Record, default: Any = ABSENT) -> Parameter:
    name = slot["name"]
    written = "YYYY-MM-DD" if name.endswith("date") else None
    if name.endswith("time") and name != "wait_time":
        written = "HH:MM"
    choices = tuple(slot["possible_values"]) if slot["is_categorical"] else ()
    return Parameter(
        name, "string", slot["description"], default=shift_year(default), choices=choices, format=written
    )
