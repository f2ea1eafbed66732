"""What the model is asked about a dialogue without annotation, and which answers are accepted.

Answers are untrusted: each is read as one JSON object and taken apart field by field; what does not fit ends the
row with a reason of its own, and so does text that speaks to a model or goes on for too long. Text of a dialogue or
of an earlier answer goes into a prompt as JSON, never bare.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import DialogueCall, DialogueTurn, Label
from toolyard.benchmarks.mtu.synth.instruct.corpus_rows import items_to_json, read_turns
from toolyard.benchmarks.mtu.synth.instruct.tool_library import SECTIONS, document_prompt, parse_document
from toolyard.core.nesting import texts_in
from toolyard.core.types import Failure, JsonValue, Message
from toolyard.synth.screening import addresses_model
from toolyard.synth.stages import Context, Kept, Outcome, Rejected, Row
from toolyard.text.json_values import json_per_line
from toolyard.text.parsing import answer_text, excerpt, json_values
from toolyard.text.templates import render

MOST_DESCRIPTION = 1000
MOST_OBSERVATION = 4000


def text_fault(values: Iterable[JsonValue], most: int) -> Rejected | None:
    """Why the values cannot be taken over: a text inside one speaks to a model, or its texts are too long.

    `most` is how many characters all texts of one value may have together, names of fields included.
    """
    for value in values:
        found = [*texts_in(value)]
        length = sum(map(len, found))
        if length > most:
            return Rejected("too_long", f"{length} characters, at most {most}")
        for text in found:
            if addresses_model(text):
                return Rejected("injected_instruction", excerpt(text))
    return None


FOLDER = Path(__file__).parents[1] / "templates"
TEMPLATES = {
    name: (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    for name in ("create", "thoughts", "observations", "replies", "verify")
}
TAGS: Mapping[str, Label] = {
    "lack of necessary information": "missing",
    "information already exists": "exists",
    "confirmation information": "confirmed",
    "no need to call": "chat",
}
MOST_TEXT = 2000
# What a checker may put right, and the field that holds it.
_CORRECTABLE = {"thought": "thought", "reply": "assistant"}
_NAME = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)+")
_PARAMETER = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
_MARKER = re.compile(r"^\s*(?:action|action input|observation|user|assistant|thought)\s*:", re.IGNORECASE)


def _json_calls(turn: DialogueTurn) -> list[dict[str, object]]:
    return [
        {"name": call.name, "arguments": call.arguments}
        | ({} if call.returned is None else {"returned": call.returned})
        for call in turn.calls
    ]


Prompt: TypeAlias = Callable[[Row, Context], tuple[Message, ...]]
# What a question shows of a turn, an object a line. Only a thought is asked for without the reply, as in the paper.
_SHOWN: Mapping[str, Callable[[int, DialogueTurn], list[dict[str, object]]]] = {
    "create": lambda place, turn: [{"turn": place, "user": turn.user, "assistant": turn.assistant}],
    "thoughts": lambda _, turn: [{"user": turn.user, "label": turn.label, "calls": _json_calls(turn)}],
    "observations": lambda _, turn: [{**call, "reply": turn.assistant} for call in _json_calls(turn)],
    "replies": lambda _, turn: [{"user": turn.user, "calls": _json_calls(turn), "recorded": turn.assistant}],
    "verify": lambda place, turn: [
        {"turn": place, "user": turn.user, "thought": turn.thought, "calls": _json_calls(turn), "reply": turn.assistant}
    ],
}  # fmt: skip


def _ask_about_turns(question: str) -> Prompt:
    """The prompt of a question about all turns of a dialogue."""

    def prompt(row: Row, context: Context) -> tuple[Message, ...]:  # noqa: ARG001
        shown = [each for place, turn in enumerate(read_turns(row)) for each in _SHOWN[question](place, turn)]
        places = {
            "shown": json_per_line(shown),
            "count": str(len(shown)),
            "tools": json_per_line(row.get("documents", ())),
            "subject": json.dumps(", ".join(row.get("services", ()))),
        }
        return (Message("user", render(TEMPLATES[question], places).strip()),)

    return prompt


def accept_created_calls(row: Row, text: str, context: Context) -> Outcome:  # noqa: ARG001
    """The turns with labels and calls."""
    given = read_turns(row)
    found = _read_object(text, "create", "turns")
    if isinstance(found, Rejected):
        return found
    entries = found["turns"]
    if not isinstance(entries, list) or [_entry_number(each) for each in entries] != list(range(len(given))):
        return Rejected("create_wrong_turns", excerpt(str(entries)))
    service = row["services"][0] if row["services"] else row["source"]
    turns = []
    for turn, entry in zip(given, entries, strict=True):
        calls = _read_created_calls(entry, service)
        if isinstance(calls, Failure):
            return Rejected(f"create_{calls.kind}", calls.detail)
        label: Label = "call" if calls else TAGS[_entry_tag(entry)]
        intents = tuple((call.service, call.name) for call in calls)
        turns.append(replace(turn, label=label, calls=tuple(calls), intents=intents))
    if not any(turn.calls for turn in turns):
        return Rejected("create_no_call")
    made = [call for turn in turns for call in turn.calls]
    refused = text_fault((call.description for call in made), MOST_DESCRIPTION)
    refused = refused or text_fault(([call.name, call.arguments] for call in made), MOST_OBSERVATION)
    return refused or Kept({"turns": items_to_json(turns)})


def _entry_tag(entry: Mapping[str, JsonValue]) -> str:
    return " ".join(str(entry.get("tag", "")).split()).casefold()


def _read_created_calls(entry: Mapping[str, JsonValue], service: str) -> list[DialogueCall] | Failure:
    listed = entry.get("calls", [])
    if not isinstance(listed, list):
        return Failure("bad_calls", excerpt(str(listed)))
    calls = []
    for each in listed:
        call = _read_call(each, service)
        if isinstance(call, Failure):
            return call
        calls.append(call)
    names = [call.name for call in calls]
    if len(set(names)) < len(names):
        return Failure("repeated_tool", excerpt(", ".join(names)))
    if _entry_tag(entry) != ", ".join(names) and not (not names and _entry_tag(entry) in TAGS):
        return Failure("unknown_tag", excerpt(f"{entry.get('tag')!r} for {names}"))
    return calls


def _read_call(each: JsonValue, service: str) -> DialogueCall | Failure:
    if not isinstance(each, dict) or not isinstance(each.get("parameters"), dict):
        return Failure("bad_calls", excerpt(str(each)))
    name, description, given = each.get("name"), each.get("description"), each["parameters"]
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        return Failure("bad_name", excerpt(str(name)))
    if not isinstance(description, str) or not description.strip():
        return Failure("no_description", excerpt(name))
    if not all(_PARAMETER.fullmatch(key) and _is_plain_value(value) for key, value in given.items()):
        return Failure("bad_parameters", excerpt(str(given)))
    return DialogueCall(name, given, service=service, description=" ".join(description.split()))


def _is_plain_value(value: JsonValue) -> bool:
    if isinstance(value, list):
        return bool(value) and all(isinstance(each, str) for each in value)
    return isinstance(value, bool | int | float) or (isinstance(value, str) and 0 < len(value) < MOST_TEXT)


def ask_for_document(row: Row, context: Context) -> tuple[Message, ...]:  # noqa: ARG001
    """The document of one tool is asked for, from its calls."""
    return (Message("user", document_prompt(row["name"], row["examples"])),)


def accept_document(row: Row, text: str, context: Context) -> Outcome:  # noqa: ARG001
    """The document, if it is of that tool and has every parameter that is used."""
    used = {name for arguments in row["examples"] for name in arguments}
    found = parse_document(text, row["name"], used)
    if isinstance(found, Failure):
        return Rejected(f"document_{found.kind}", found.detail)
    parts = [found["description"], *(parameter for section in SECTIONS for parameter in found[section])]
    return text_fault(parts, MOST_DESCRIPTION) or Kept({"document": found})


def accept_thoughts(row: Row, text: str, context: Context) -> Outcome:  # noqa: ARG001
    """The turns with their thoughts, each one line that cannot be taken for an action."""
    turns = read_turns(row)
    thoughts = _read_lines(text, "thoughts", len(turns))
    if isinstance(thoughts, Rejected):
        return thoughts
    made = [replace(turn, thought=each.strip()) for turn, each in zip(turns, thoughts, strict=True)]
    return text_fault(thoughts, MOST_TEXT) or Kept({"turns": items_to_json(made)})


def accept_observations(row: Row, text: str, context: Context) -> Outcome:  # noqa: ARG001
    """The calls with what they returned: objects with keys of the documents, or an error."""
    turns = read_turns(row)
    calls = [call for turn in turns for call in turn.calls]
    observations = _read_answer_list(text, "observations", len(calls))
    if isinstance(observations, Rejected):
        return observations
    known: dict[str, set[str]] = {
        document["name"]: {"error", *(each["name"] for each in document["result_parameters"])}
        for document in row["documents"]
    }
    for call, each in zip(calls, observations, strict=True):
        if not isinstance(each, dict) or each.keys() - known.get(call.name, {"error"}):
            return Rejected("observations_fabricated_result", excerpt(str(each)))
    rest = iter(observations)
    made = [
        replace(turn, calls=tuple(replace(call, returned=next(rest)) for call in turn.calls))
        for turn in turns
    ]
    return text_fault(observations, MOST_OBSERVATION) or Kept({"turns": items_to_json(made)})


def accept_replies(row: Row, text: str, context: Context) -> Outcome:  # noqa: ARG001
    """The turns with new replies; one that loses a value which a later call takes is not taken."""
    turns = read_turns(row)
    replies = _read_lines(text, "replies", len(turns))
    if isinstance(replies, Rejected):
        return replies
    made, kept = [], 0
    for place, (turn, reply) in enumerate(zip(turns, replies, strict=True)):
        lost = any(
            value not in reply.casefold() for value in _needed_later(turn.assistant, turns[place + 1 :])
        )
        kept += lost
        made.append(turn if lost else replace(turn, assistant=reply.strip()))
    repaired = ("replies_kept_for_a_value",) if kept else ()
    return text_fault(replies, MOST_TEXT) or Kept({"turns": items_to_json(made)}, repaired)


def _needed_later(reply: str, later: Sequence[DialogueTurn]) -> set[str]:
    """The values of later calls that a reply says."""
    values = {
        str(value).casefold()
        for turn in later
        for call in turn.calls
        for value in (call.resolved or call.arguments).values()
        if isinstance(value, str | int | float)
    }
    return {value for value in values if value and value in reply.casefold()}


def accept_verification(row: Row, text: str, context: Context) -> Outcome:  # noqa: ARG001
    """The row if the verdict is right, without contradiction, or if every wrong turn is put right.

    What a checker may put right are thoughts and replies; a wrong call ends the row.
    """
    found = _read_object(text, "verify", "verdict")
    if isinstance(found, Rejected):
        return found
    verdict, wrong = found["verdict"], found.get("wrong", [])
    if verdict not in ("right", "wrong") or not isinstance(wrong, list) or (verdict == "right" and wrong):
        return Rejected("verify_no_verdict", excerpt(str(found)))
    if verdict == "right":
        return Kept({"turns": row["turns"]})
    return _apply_corrections(row, wrong, found.get("corrections", []))


def _apply_corrections(row: Row, wrong: Sequence[JsonValue], corrections: JsonValue) -> Outcome:
    """The row with the thoughts and replies that were put right; each wrong turn needs such a correction."""
    listed = corrections if isinstance(corrections, list) else []
    by_turn = {_entry_number(each): each for each in listed if isinstance(each, dict)}
    turns = list(read_turns(row))
    if not wrong or set(wrong) != set(by_turn) or not all(0 <= number < len(turns) for number in by_turn):
        return Rejected("found_wrong", excerpt(str(wrong)))
    for number, each in by_turn.items():
        new = {field: each[key] for key, field in _CORRECTABLE.items() if key in each}
        plain = all(isinstance(text, str) and _is_plain_line(text) for text in new.values())
        if not new or not plain or each.keys() - {"turn", *_CORRECTABLE}:
            return Rejected("found_wrong", excerpt(str(each)))
        lost = _needed_later(turns[number].assistant, turns[number + 1 :])
        if any(value not in new.get("assistant", turns[number].assistant).casefold() for value in lost):
            return Rejected("correction_loses_value", excerpt(str(each)))
        turns[number] = replace(turns[number], **new)
    said = [text for turn in turns for text in (turn.thought, turn.assistant)]
    return text_fault(said, MOST_TEXT) or Kept({"turns": items_to_json(turns)}, ("corrected",))


def _read_answer_list(text: str, key: str, count: int) -> list[Any] | Rejected:
    """The list of so many items under the key in an answer."""
    answer = _read_object(text, key, key)
    if isinstance(answer, Rejected):
        return answer
    found = answer[key]
    if not isinstance(found, list) or len(found) != count:
        return Rejected(f"{key}_wrong_number", excerpt(str(found)))
    return found


def _read_lines(text: str, key: str, count: int) -> list[str] | Rejected:
    """Such a list, of plain lines that cannot be taken for an action."""
    found = _read_answer_list(text, key, count)
    if isinstance(found, Rejected) or all(isinstance(each, str) and _is_plain_line(each) for each in found):
        return found
    return Rejected(f"{key}_not_plain", excerpt(str(found)))


def _read_object(text: str, stage: str, key: str) -> dict[str, JsonValue] | Rejected:
    """The only object of an answer that has the key; two of them are no answer."""
    answer = answer_text(text)
    if isinstance(answer, Failure):
        return Rejected(f"{stage}_{answer.kind}", answer.detail)
    values = [each.value for each in json_values(answer, "{")]
    found = [value for value in values if isinstance(value, dict) and key in value]
    if len(found) == 1:
        return found[0]
    return Rejected(f"{stage}_{'several_answers' if found else 'not_json'}", excerpt(answer))


def _entry_number(entry: JsonValue) -> int:
    number = entry.get("turn") if isinstance(entry, dict) else None
    return number if isinstance(number, int) and not isinstance(number, bool) else -1


def _is_plain_line(text: str) -> bool:
    return 0 < len(text.strip()) < MOST_TEXT and "\n" not in text and not _MARKER.match(text)


# Each question with what is made of its answer.
CREATE = _ask_about_turns("create"), accept_created_calls
DOCUMENT = ask_for_document, accept_document
THOUGHTS = _ask_about_turns("thoughts"), accept_thoughts
OBSERVATIONS = _ask_about_turns("observations"), accept_observations
REPLIES = _ask_about_turns("replies"), accept_replies
VERIFY = _ask_about_turns("verify"), accept_verification
