"""What the model is asked about a dialogue without annotation, and which answers are accepted.

Answers are untrusted: each is read as one JSON object and taken apart field by field; what does not fit ends the
row with a reason of its own, and so does text that speaks to a model or goes on for too long. Text of a dialogue or
of an earlier answer goes into a prompt as JSON, never bare.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from toolyard.benchmarks.mtu.synth.instruct.screening import MOST_DESCRIPTION, MOST_OBSERVATION, screened
from toolyard.benchmarks.mtu.synth.instruct.tool_documents import SECTIONS, document_prompt, parse_document
from toolyard.core.types import Failure, Json, Message
from toolyard.synth.stages import Context, Kept, Outcome, Rejected, Row
from toolyard.text.parsing import answer_text, excerpt, json_values
from toolyard.text.templates import render

FOLDER = Path(__file__).parents[1] / "templates"
TEMPLATES = {
    name: (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    for name in ("create", "thoughts", "observations", "verify")
}
TAGS = {
    "lack of necessary information": "missing",
    "information already exists": "exists",
    "confirmation information": "confirmed",
    "no need to call": "chat",
}
MOST_TEXT = 2000
_NAME = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)+")
_PARAMETER = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
_MARKER = re.compile(r"^\s*(?:action|action input|observation|user|assistant|thought)\s*:", re.IGNORECASE)


def create_prompt(row: Row, context: Context) -> tuple[Message, ...]:  # noqa: ARG001
    """Situations and tools of every turn are asked for; here the replies are shown, as in the paper."""
    turns = [
        {"turn": place, "user": turn["user"], "assistant": turn["assistant"]}
        for place, turn in enumerate(row["turns"])
    ]
    fields = {"subject": json.dumps(", ".join(row["services"])), "dialogue": _lines(turns)}
    return (Message("user", render(TEMPLATES["create"], fields).strip()),)


def create_accept(row: Row, text: str, context: Context) -> Outcome:  # noqa: ARG001
    """The turns with labels and calls."""
    found = _object(text, "turns")
    if isinstance(found, Failure):
        return Rejected(f"create_{found.kind}", found.detail)
    entries = found["turns"]
    if not isinstance(entries, list) or [_number(each) for each in entries] != list(range(len(row["turns"]))):
        return Rejected("create_wrong_turns", excerpt(str(entries)))
    service = row["services"][0] if row["services"] else row["source"]
    turns = []
    for turn, entry in zip(row["turns"], entries, strict=True):
        calls = _created(entry, service)
        if isinstance(calls, Failure):
            return Rejected(f"create_{calls.kind}", calls.detail)
        label = "call" if calls else TAGS[_tag(entry)]
        intents = [[call["service"], call["tool"]] for call in calls]
        turns.append({**turn, "label": label, "calls": calls, "intents": intents})
    if not any(turn["calls"] for turn in turns):
        return Rejected("create_no_call")
    return _refused_calls(turns) or Kept({"turns": turns})


def _refused_calls(turns: Sequence[Mapping[str, Json]]) -> Rejected | None:
    calls = [call for turn in turns for call in turn["calls"]]
    return screened((call["description"] for call in calls), MOST_DESCRIPTION) or screened(
        ([call["tool"], call["arguments"]] for call in calls), MOST_OBSERVATION
    )


def _tag(entry: Mapping[str, Json]) -> str:
    return " ".join(str(entry.get("tag", "")).split()).casefold()


def _created(entry: Mapping[str, Json], service: str) -> list[dict[str, Json]] | Failure:
    written = entry.get("calls", [])
    if not isinstance(written, list):
        return Failure("bad_calls", excerpt(str(written)))
    calls = []
    for each in written:
        call = _call(each, service)
        if isinstance(call, Failure):
            return call
        calls.append(call)
    names = [call["tool"] for call in calls]
    if len(set(names)) < len(names):
        return Failure("repeated_tool", excerpt(", ".join(names)))
    if _tag(entry) != ", ".join(names) and not (not names and _tag(entry) in TAGS):
        return Failure("unknown_tag", excerpt(f"{entry.get('tag')!r} for {names}"))
    return calls


def _call(each: Json, service: str) -> dict[str, Json] | Failure:
    if not isinstance(each, dict) or not isinstance(each.get("parameters"), dict):
        return Failure("bad_calls", excerpt(str(each)))
    name, description, given = each.get("name"), each.get("description"), each["parameters"]
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        return Failure("bad_name", excerpt(str(name)))
    if not isinstance(description, str) or not description.strip():
        return Failure("no_description", excerpt(name))
    if not all(_PARAMETER.fullmatch(key) and _value(value) for key, value in given.items()):
        return Failure("bad_parameters", excerpt(str(given)))
    call = {
        "tool": name,
        "service": service,
        "arguments": given,
        "results": None,
        "found": 0,
        "failed": False,
    }
    return {**call, "description": " ".join(description.split())}


def _value(value: Json) -> bool:
    if isinstance(value, list):
        return bool(value) and all(isinstance(each, str) for each in value)
    return isinstance(value, bool | int | float) or (isinstance(value, str) and 0 < len(value) < MOST_TEXT)


def tool_prompt(row: Row, context: Context) -> tuple[Message, ...]:  # noqa: ARG001
    """The document of one tool is asked for, from its calls."""
    from toolyard.benchmarks.mtu.synth.corpora.schema import Call

    calls = [Call(row["name"], row["source"], arguments) for arguments in row["examples"]]
    return (Message("user", document_prompt(row["name"], calls)),)


def tool_accept(row: Row, text: str, context: Context) -> Outcome:  # noqa: ARG001
    """The document, if it is of that tool and has every parameter that is used."""
    used = {name for arguments in row["examples"] for name in arguments}
    found = parse_document(text, row["name"], used)
    if isinstance(found, Failure):
        return Rejected(f"document_{found.kind}", found.detail)
    parts = [
        found["description"],
        *(parameter for section in SECTIONS for parameter in found[section]),
    ]
    return screened(parts, MOST_DESCRIPTION) or Kept({"document": found})


def thoughts_prompt(row: Row, context: Context) -> tuple[Message, ...]:  # noqa: ARG001
    """A thought for every turn is asked for; replies are not shown."""
    turns = [{"user": turn["user"], "label": turn["label"], "calls": _plain(turn)} for turn in row["turns"]]
    fields = {"tools": _lines(row["documents"]), "turns": _lines(turns), "count": str(len(turns))}
    return (Message("user", render(TEMPLATES["thoughts"], fields).strip()),)


def thoughts_accept(row: Row, text: str, context: Context) -> Outcome:  # noqa: ARG001
    """The turns with their thoughts, each one line that cannot be taken for an action."""
    found = _object(text, "thoughts")
    if isinstance(found, Failure):
        return Rejected(f"thoughts_{found.kind}", found.detail)
    thoughts = found["thoughts"]
    if not isinstance(thoughts, list) or len(thoughts) != len(row["turns"]):
        return Rejected("thoughts_wrong_number", excerpt(str(thoughts)))
    if not all(isinstance(each, str) and _plain_line(each) for each in thoughts):
        return Rejected("thoughts_not_plain", excerpt(str(thoughts)))
    turns = [{**turn, "thought": each.strip()} for turn, each in zip(row["turns"], thoughts, strict=True)]
    return screened(thoughts, MOST_TEXT) or Kept({"turns": turns})


def observations_prompt(row: Row, context: Context) -> tuple[Message, ...]:  # noqa: ARG001
    """What every call returned is asked for, with the reply that it has to fit."""
    calls = [{**call, "reply": turn["assistant"]} for turn in row["turns"] for call in _plain(turn)]
    fields = {"tools": _lines(row["documents"]), "calls": _lines(calls), "count": str(len(calls))}
    return (Message("user", render(TEMPLATES["observations"], fields).strip()),)


def observations_accept(row: Row, text: str, context: Context) -> Outcome:  # noqa: ARG001
    """The calls with what they returned: objects with keys of the documents, or an error."""
    found = _object(text, "observations")
    if isinstance(found, Failure):
        return Rejected(f"observations_{found.kind}", found.detail)
    observations = found["observations"]
    calls = [call for turn in row["turns"] for call in turn["calls"]]
    if not isinstance(observations, list) or len(observations) != len(calls):
        return Rejected("observations_wrong_number", excerpt(str(observations)))
    for call, each in zip(calls, observations, strict=True):
        if not isinstance(each, dict) or each.keys() - _results(row["documents"], call["name"]) - {"error"}:
            return Rejected("observations_fabricated_result", excerpt(str(each)))
    rest = iter(observations)
    turns = [
        {**turn, "calls": [{**call, "returned": next(rest)} for call in turn["calls"]]}
        for turn in row["turns"]
    ]
    return screened(observations, MOST_OBSERVATION) or Kept({"turns": turns})


def verify_prompt(row: Row, context: Context) -> tuple[Message, ...]:  # noqa: ARG001
    """A second look at everything is asked for."""
    turns = [
        {
            "turn": place,
            "user": turn["user"],
            "thought": turn["thought"],
            "calls": _plain(turn),
            "reply": turn["assistant"],
        }
        for place, turn in enumerate(row["turns"])
    ]
    fields = {"tools": _lines(row["documents"]), "turns": _lines(turns)}
    return (Message("user", render(TEMPLATES["verify"], fields).strip()),)


def verify_accept(row: Row, text: str, context: Context) -> Outcome:  # noqa: ARG001
    """The row if the verdict is right, without contradiction."""
    found = _object(text, "verdict")
    if isinstance(found, Failure):
        return Rejected(f"verify_{found.kind}", found.detail)
    verdict, wrong = found["verdict"], found.get("wrong", [])
    if verdict not in ("right", "wrong") or not isinstance(wrong, list) or (verdict == "right" and wrong):
        return Rejected("verify_no_verdict", excerpt(str(found)))
    return Kept() if verdict == "right" else Rejected("found_wrong", excerpt(str(wrong)))


def _object(text: str, key: str) -> dict[str, Json] | Failure:
    """The only object of an answer that has the key; two of them are no answer."""
    answer = answer_text(text)
    if isinstance(answer, Failure):
        return answer
    found = [
        each.value for each in json_values(answer, "{") if isinstance(each.value, dict) and key in each.value
    ]
    if len(found) == 1:
        return found[0]
    return Failure("several_answers" if found else "not_json", excerpt(answer))


def _number(entry: Json) -> int:
    number = entry.get("turn") if isinstance(entry, dict) else None
    return number if isinstance(number, int) and not isinstance(number, bool) else -1


def _plain(turn: Mapping[str, Json]) -> list[dict[str, Json]]:
    return [
        {name: call[name] for name in ("name", "arguments", "returned") if name in call}
        for call in turn["calls"]
    ]


def _plain_line(text: str) -> bool:
    return 0 < len(text.strip()) < MOST_TEXT and "\n" not in text and not _MARKER.match(text)


def _results(documents: Sequence[Json], name: str) -> set[str]:
    return {
        each["name"]
        for document in documents
        if document["name"] == name
        for each in document["result_parameters"]
    }


def _lines(items: Iterable[Json]) -> str:
    return "\n".join(json.dumps(item, ensure_ascii=False) for item in items)
