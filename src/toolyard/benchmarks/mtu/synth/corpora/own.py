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

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from toolyard.benchmarks.mtu.synth.corpora.corpus_files import (
    CorpusEntry,
    convert_entries,
    json_lines,
    read_text,
    tools_of_entries,
)
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import (
    LABELS,
    VERBS,
    CorpusDialogue,
    CorpusTool,
    DialogueCall,
    DialogueTurn,
    Item,
    Label,
    Skipped,
    calls_of_items,
    tools_of_calls,
)
from toolyard.core.types import Record
from toolyard.text.documents import ABSENT, Parameter, canonical_type
from toolyard.text.names import name_in_words


def is_here(folder: Path) -> bool:
    """Whether the folder holds dialogues in the common schema."""
    return any(folder.glob("dialogues*.jsonl"))


def load(folder: Path) -> Iterator[Item]:
    """Every dialogue, file by file; a row that does not fit is skipped with what it lacks."""
    seen: set[str] = set()
    for path in sorted(folder.glob("dialogues*.jsonl")):
        entries = json_lines(read_text(path), f"{folder.name}/{path.name}")
        yield from convert_entries(entries, partial(_convert_entry, source=folder.name, seen=seen))


def _convert_entry(entry: CorpusEntry, source: str, seen: set[str]) -> Iterator[Item]:
    dialogue = read_dialogue(entry.value, source)
    yield Skipped("repeated_id", f"{entry.where}: {dialogue.id}") if dialogue.id in seen else dialogue
    seen.add(dialogue.id)


def tools(folder: Path) -> tuple[CorpusTool, ...]:
    """The documents of `tools.jsonl`, or those that the calls show."""
    path = folder / "tools.jsonl"
    if not path.is_file():
        return tools_of_calls(
            calls_of_items(load(folder)), lambda name: f"Does this: {name_in_words(name)}.", lambda _: ()
        )
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
    tool = read_tool(entry.value)
    first = places.setdefault((tool.service, tool.name), entry.where)
    if first is not entry.where:
        raise ValueError(f"{tool.name!r} of service {tool.service!r} stands at {first} already")
    yield tool


def read_dialogue(row: Record, source: str) -> CorpusDialogue:
    """A row as a dialogue; KeyError, TypeError or ValueError where it does not fit."""
    turns = tuple(map(_read_turn, row["turns"]))
    if not turns:
        raise ValueError("no turns")
    named = {"source": source, "split": "train", "licence": "", **row}
    name, where, split, licence = (_text(named, key) for key in ("id", "source", "split", "licence"))
    services, topics = (
        [_text({key: each}, key) for each in row.get(key, ())] for key in ("services", "topics")
    )
    return CorpusDialogue(name, where, split, turns, tuple(services), tuple(sorted(topics)), licence)


def read_tool(row: Record) -> CorpusTool:
    """A row as a tool; KeyError, TypeError or ValueError where it does not fit."""
    verb = row.get("verb")
    if verb is not None and verb not in VERBS:
        raise ValueError(f"verb {verb!r} is none of {', '.join(VERBS)}")
    name, service, text = (_text({"service": "", **row}, key) for key in ("name", "service", "description"))
    required, optional, results = (
        tuple(map(_read_parameter, row.get(key, ()))) for key in ("required", "optional", "results")
    )
    return CorpusTool(
        name, service, text, required, optional, results, verb=verb, topics=tuple(row.get("topics", ()))
    )


def _read_turn(row: Record) -> DialogueTurn:
    calls = tuple(_read_call(call) for call in row.get("calls", ()))
    label: Label | None = "call" if calls else row.get("label")
    if label is not None and (label not in LABELS or (label == "call" and not calls)):
        raise ValueError(f"label {label!r} on a turn with {len(calls)} calls")
    intents = tuple((str(service), str(intent)) for service, intent in row.get("intents", ()))
    user, reply = _text(row, "user"), _text({"assistant": "", **row}, "assistant")
    return DialogueTurn(user, reply, label, intents=intents, slots=_mapping(row, "slots"), calls=calls)


def _read_call(row: Record) -> DialogueCall:
    results = row.get("results")
    return DialogueCall(
        _text(row, "tool"),
        _mapping(row, "parameters"),
        None if results is None else tuple(_mapping({"result": each}, "result") for each in results),
        failed=bool(row.get("failed", False)),
        service=_text({"service": "", **row}, "service"),
    )


def _read_parameter(row: Record) -> Parameter:
    named = {"type": "string", "description": "", "format": "", **row}
    name, kind, text, form = (_text(named, key) for key in ("name", "type", "description", "format"))
    default = ABSENT if row.get("default") is None else row["default"]
    return Parameter(
        name, canonical_type(kind) or "string", text, default=default, choices=tuple(row.get("choices", ())),
        format=form or None,
    )  # fmt: skip


def _text(row: Record, key: str) -> str:
    if not isinstance(row[key], str):
        raise TypeError(f"{key} is {type(row[key]).__name__}, wanted text")
    return str(row[key])


def _mapping(row: Record, key: str) -> Record:
    found = row.get(key, {})
    if not isinstance(found, dict):
        raise TypeError(f"{key} is {type(found).__name__}, wanted an object")
    return found
