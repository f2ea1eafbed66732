"""A user's own dialogues: `dialogues*.jsonl` in the common schema, with `tools.jsonl` where tools are documented.

    dialogues.jsonl  {"id": "d1", "source": "helpdesk", "split": "train", "licence": "CC0 1.0", "topics": ["Message"],
                      "services": ["mail"], "turns": [
                        {"user": "Write to Kim.", "assistant": "What shall I say?", "label": "missing"},
                        {"user": "That I am late.", "assistant": "Sent.", "label": "call",
                         "intents": [["mail", "send_mail"]], "slots": {"mail.body": "I am late."},
                         "calls": [{"tool": "send_mail", "service": "mail", "failed": false,
                                    "parameters": {"to": "Kim", "body": "I am late."}, "results": [{"sent": true}]}]}]}
    tools.jsonl      {"name": "send_mail", "service": "mail", "description": "Sends a mail.", "verb": "create",
                      "required": [{"name": "to", "type": "string", "description": "Who gets it."}],
                      "optional": [], "results": [{"name": "sent", "type": "boolean"}]}

Only `id` and, in a turn, `user` must be there. `source` is the folder's name where it is absent; `label` follows from
the calls, else it is unknown and the turn is classified later. `results` null means not recorded. Without
`tools.jsonl` the documents are read off the calls.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from toolyard.benchmarks.mtu.synth.corpora.corpus_files import (
    CorpusEntry,
    items_of,
    json_lines,
    read_text,
    tools_of_entries,
)
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import (
    LABELS,
    VERBS,
    Call,
    CorpusDialogue,
    CorpusParameter,
    CorpusTool,
    Item,
    Label,
    Skipped,
    Turn,
)
from toolyard.benchmarks.mtu.synth.corpora.tools_from_calls import calls_of, tools_of_calls, words
from toolyard.core.types import JsonValue, Record


def is_here(folder: Path) -> bool:
    """Whether the folder holds dialogues in the common schema."""
    return any(folder.glob("dialogues*.jsonl"))


def load(folder: Path) -> Iterator[Item]:
    """Every dialogue, file by file; a row that does not fit is skipped with what it lacks."""
    seen: set[str] = set()
    for path in sorted(folder.glob("dialogues*.jsonl")):
        entries = json_lines(read_text(path), f"{folder.name}/{path.name}")
        yield from items_of(entries, partial(_items, source=folder.name, seen=seen))


def _items(entry: CorpusEntry, source: str, seen: set[str]) -> Iterator[Item]:
    dialogue = dialogue_of(entry.value, source)
    yield Skipped("repeated_id", f"{entry.where}: {dialogue.id}") if dialogue.id in seen else dialogue
    seen.add(dialogue.id)


def tools(folder: Path) -> tuple[CorpusTool, ...]:
    """The documents of `tools.jsonl`, or those that the calls show."""
    path = folder / "tools.jsonl"
    if not path.is_file():
        return tools_of_calls(calls_of(load(folder)), lambda name: f"Does this: {words(name)}.", lambda _: ())
    places: dict[tuple[str, str], str] = {}
    return tuple(
        tools_of_entries(
            json_lines(read_text(path), str(path)),
            partial(_read_tool_entry, places=places),
            "tool",
            "wanted name and description, each tool of a service once",
        )
    )


def _read_tool_entry(entry: CorpusEntry, places: dict[tuple[str, str], str]) -> Iterator[CorpusTool]:
    tool = tool_of(entry.value)
    first = places.setdefault((tool.service, tool.name), entry.where)
    if first is not entry.where:
        raise ValueError(f"{tool.name!r} of service {tool.service!r} stands at {first} already")
    yield tool


def dialogue_of(row: Record, source: str) -> CorpusDialogue:
    """A row as a dialogue; KeyError, TypeError or ValueError where it does not fit."""
    turns = tuple(_turn(turn) for turn in row["turns"])
    if not turns:
        raise ValueError("no turns")
    return CorpusDialogue(
        _string(row["id"], "id"),
        _string(row.get("source", source), "source"),
        _string(row.get("split", "train"), "split"),
        turns,
        tuple(_string(name, "service") for name in row.get("services", ())),
        tuple(sorted(_string(name, "topic") for name in row.get("topics", ()))),
        _string(row.get("licence", ""), "licence"),
    )


def tool_of(row: Record) -> CorpusTool:
    """A row as a tool; KeyError, TypeError or ValueError where it does not fit."""
    verb = row.get("verb")
    if verb is not None and verb not in VERBS:
        raise ValueError(f"verb {verb!r} is none of {', '.join(VERBS)}")
    return CorpusTool(
        _string(row["name"], "name"),
        _string(row.get("service", ""), "service"),
        _string(row["description"], "description"),
        tuple(map(_parameter, row.get("required", ()))),
        tuple(map(_parameter, row.get("optional", ()))),
        tuple(map(_parameter, row.get("results", ()))),
        verb,
        tuple(row.get("topics", ())),
    )


def _turn(row: Record) -> Turn:
    calls = tuple(_call(call) for call in row.get("calls", ()))
    label: Label | None = "call" if calls else row.get("label")
    if label is not None and (label not in LABELS or (label == "call" and not calls)):
        raise ValueError(f"label {label!r} on a turn with {len(calls)} calls")
    intents = tuple((str(service), str(intent)) for service, intent in row.get("intents", ()))
    slots = _mapping(row.get("slots", {}), "slots")
    reply = _string(row.get("assistant", ""), "assistant")
    return Turn(_string(row["user"], "user"), reply, label, intents=intents, slots=slots, calls=calls)


def _call(row: Record) -> Call:
    results = row.get("results")
    return Call(
        _string(row["tool"], "tool"),
        _mapping(row.get("parameters", {}), "parameters"),
        None if results is None else tuple(_mapping(result, "result") for result in results),
        service=_string(row.get("service", ""), "service"),
        failed=bool(row.get("failed", False)),
    )


def _parameter(row: Record) -> CorpusParameter:
    return CorpusParameter(
        _string(row["name"], "name"),
        _string(row.get("type", "string"), "type"),
        _string(row.get("description", ""), "description"),
        tuple(row.get("choices", ())),
        row.get("default"),
        _string(row.get("format", ""), "format"),
    )


def _string(value: JsonValue, field: str) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{field} is {type(value).__name__}, wanted text")
    return value


def _mapping(value: JsonValue, field: str) -> Mapping[str, JsonValue]:
    if not isinstance(value, dict):
        raise TypeError(f"{field} is {type(value).__name__}, wanted an object")
    return value
