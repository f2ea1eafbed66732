"""The parts of an MTU-Bench prompt: instructions, tool documents, history and the user's turn.

    <instructions, one numbered list per setting>
    <any sentence>: [{"name": "FindBus", "required_parameters": ["from_city"], ...}]
    History Dialog:
    user: I need a bus.
    function:
    Thought: The cities are missing.
    observation:
    assistant: : Where from, and where to?
    User: From Oslo to Bergen, on Friday.

The tool list is one line of JSON or of Python literals, bare or under the key `apis`. Histories come in two
forms: thoughts with observations (single-tool) and `Action: {"FindBus": {...}}` lines (multi-tool).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from toolyard.benchmarks.mtu.data.sample import MtuPastCall, MtuTurn
from toolyard.core.types import Failure, JsonValue, Record
from toolyard.text.parsing import read_literal

_LIST_BEGINS = re.compile(r"(?:^|:)[ \t]*(?=\[|\{[\"']apis[\"'])", re.MULTILINE)
_LABEL = re.compile(
    r"^[ \t]*(user|function|thought|action input|action|observation|assistant)[ \t]*:[ \t]*(?::[ \t]*)?",
    re.IGNORECASE,
)
_HEADER = re.compile(r"^\s*History Dialog:[ \t]*", re.IGNORECASE)
_SEVERAL = re.compile(r"^[ \t]*Action:", re.MULTILINE)
_FORMAT = re.compile(r"^[ \t]*Thought:", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ToolList:
    """The tool documents of a prompt and where in the text they stand."""

    documents: tuple[Record, ...]
    shared_parameters: Sequence[JsonValue] | Mapping[str, JsonValue]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class QuestionParts:
    """A prompt taken apart; `after` is what follows the user's last turn in a few rows."""

    instructions: str
    tools: tuple[Record, ...]
    shared_parameters: Sequence[JsonValue] | Mapping[str, JsonValue]
    history: tuple[MtuTurn, ...]
    user: str
    after: str
    dialogue: str
    form: str


@dataclass(slots=True)
class _Turn:
    fields: dict[str, list[str]] = field(default_factory=dict)

    def text(self, label: str) -> str:
        return "\n".join(self.fields.get(label, [])).strip()


def split_question(question: str, known: ToolList | None = None) -> QuestionParts | Failure:
    """The parts of a prompt, or why it has none; its tool list need not be read where it is known."""
    tools = known or find_tools(question)
    if isinstance(tools, Failure):
        return tools
    dialogue = question[tools.end :]
    turns = _split_turns(_HEADER.sub("", dialogue, count=1))
    if not turns:
        return Failure("no_user_turn", dialogue[:80])
    return QuestionParts(
        instructions=question[: tools.start].strip(),
        tools=tools.documents,
        shared_parameters=tools.shared_parameters,
        history=tuple(_past_turn(turn) for turn in turns[:-1]),
        user=turns[-1].text("user"),
        after=turns[-1].text("assistant"),
        dialogue=dialogue,
        form=_form_of_history(turns[:-1]),
    )


def find_tools(question: str) -> ToolList | Failure:
    """The first line that holds nothing but a list after its colon."""
    for match in _LIST_BEGINS.finditer(question):
        line_end = question.find("\n", match.end())
        end = len(question) if line_end < 0 else line_end
        value = _read_tool_list(question[match.end() : end])
        listing = value if isinstance(value, dict) else {"apis": value}
        documents = listing.get("apis")
        if isinstance(documents, list):
            shared = listing.get("available_parameters")
            shared = shared if isinstance(shared, list | dict) else []
            return ToolList(tuple(documents), shared, match.end(), end)
    return Failure("no_tool_list", question[:80])


@lru_cache(maxsize=4096)
def _read_tool_list(text: str) -> JsonValue | Failure:
    """The value of a tool list; the turns of a dialogue share one, which nobody changes."""
    return read_literal(text)


def wants_several_calls(instructions: str) -> bool:
    """Whether the answer format that the instructions show holds more than one Action."""
    starts = [match.start() for match in _FORMAT.finditer(instructions)]
    blocks = pairwise([*starts, len(instructions)])
    return any(len(_SEVERAL.findall(instructions, start, end)) > 1 for start, end in blocks)


def _split_turns(dialogue: str) -> list[_Turn]:
    turns: list[_Turn] = []
    label = ""
    for line in dialogue.split("\n"):
        match = _LABEL.match(line)
        if match is None:
            if turns and label:
                turns[-1].fields[label].append(line)
            continue
        label = match.group(1).lower()
        if label == "user":
            turns.append(_Turn())
        if turns:
            turns[-1].fields.setdefault(label, []).append(line[match.end() :])
    return turns


def _past_turn(turn: _Turn) -> MtuTurn:
    """One earlier turn as plain data; arguments are None where the text of a call cannot be read."""
    return {
        "user": turn.text("user"),
        "thought": turn.text("thought"),
        "calls": _calls_of_turn(turn),
        "observation": turn.text("observation"),
        "assistant": turn.text("assistant"),
    }


def _calls_of_turn(turn: _Turn) -> list[MtuPastCall]:
    action = turn.text("action")
    if not action:
        return []
    if "action input" in turn.fields:
        arguments = read_literal(turn.text("action input"))
        return [{"name": action, "arguments": arguments if isinstance(arguments, dict) else None}]
    named = read_literal(action)
    if not isinstance(named, dict):
        return []
    return [{"name": str(name).strip(), "arguments": value} for name, value in named.items() if name.strip()]


def _form_of_history(turns: list[_Turn]) -> str:
    """`observed` for histories with thoughts and observations, `actions` for those with calls only."""
    if not turns:
        return ""
    return "observed" if any("function" in turn.fields for turn in turns) else "actions"
