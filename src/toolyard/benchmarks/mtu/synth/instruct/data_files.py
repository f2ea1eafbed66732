"""The files of a data set, one of each kind per source, so that licences stay apart.

sgd.jsonl                 MTU-Eval rows of all settings, of one dialogue of ten, which is not trained on; the id says which
ood/sgd.jsonl             those of the held-out topics
train/sgd.react.jsonl     dialogues as chat rows with ReAct text
train/sgd.tools.jsonl     dialogues as chat rows with native tool calls
tools/sgd.json            the tool documents, with all that any dialogue may use of them

    {"id": "M-S_12_1", "question": "<instructions, tool list, history> User: From Oslo to Bergen.",
     "answer": {"FindBus": {"from_city": "Oslo", "to_city": "Bergen"}}, "hard": ["inheritance"], "difficulty": "hard",
     "source": "sgd"}
    {"id": "M-S_12", "setting": "M-S", "messages": [{"role": "system", "content": "<instructions, tools>"},
      {"role": "user", "content": "..."}, {"role": "assistant", "content": "Thought: ...\\nAction: ..."},
      {"role": "user", "content": "Observation: {...}"}, {"role": "assistant", "content": "Response: ..."}]}
    {"id": "M-S_12", "setting": "M-S", "tools": [{"type": "function", ...}], "messages": [
      {"role": "user", "content": "..."},
      {"role": "assistant", "content": "", "tool_calls": [{"id": "call_0", "type": "function", "function": {...}}]},
      {"role": "tool", "tool_call_id": "call_0", "name": "FindBus", "content": "{...}"},
      {"role": "assistant", "content": "..."}]}

A dialogue is hard where a turn has one of the six types of Table 8. In ReAct text a call may refer to what an earlier one
of its turn returns; native calls come one after the other and hold the values themselves. A turn without a recorded
reply ends with its call.
"""

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO, TypeAlias

import orjson

from toolyard.benchmarks.mtu.data.hard_types import TABLE_8
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import DialogueCall, DialogueTurn
from toolyard.benchmarks.mtu.synth.corpora.sgd import TODAY
from toolyard.benchmarks.mtu.synth.instruct.corpus_rows import (
    TRAIN,
    Document,
    StandardRow,
    documents_of,
    in_test,
    standard_row,
)
from toolyard.benchmarks.mtu.synth.instruct.dialogue_filters import observation_text, past_of
from toolyard.benchmarks.mtu.synth.world.dialogue_rules import answer, head, question
from toolyard.core.benchmark import Choice
from toolyard.core.types import JsonValue, Record, derived_seed
from toolyard.lines import encode, write_whole
from toolyard.synth.stages import Context, Rows
from toolyard.text.documents import from_mtu, to_openai

# By source and name.
Documents: TypeAlias = Mapping[tuple[str, str], Document]


def listed_tools(row: StandardRow, documents: Documents, seed: int) -> list[dict[str, JsonValue]]:
    """The tool documents of a row, its own and the others, in an order that says nothing.

    Results are listed by name, as the official M-S rows have them: in full they are more than half of a prompt.
    """
    own = {document["name"]: document for document in row.documents}
    others = [(row.source, name) for name in row.others if name not in own]
    tools = [*own.values(), *(documents[key] for key in others if key in documents)]
    tools.sort(key=lambda tool: str(tool["name"]))
    random.Random(derived_seed(seed, f"order/{row.id}", 0)).shuffle(tools)
    return [
        {**tool, "result_parameters": [each["name"] for each in tool["result_parameters"]]} for tool in tools
    ]


def evaluation_rows(row: StandardRow, tools: Sequence[Document]) -> Iterator[dict[str, JsonValue]]:
    """The turns of a dialogue as rows of the benchmark."""
    is_hard = any(tag in TABLE_8 for tags in row.hard for tag in tags)
    numbered = row.setting[0] == "M" or row.split != TRAIN
    history: list[Record] = []
    for place, turn in enumerate(row.turns):
        yield {
            "id": f"{row.id}_{place}" if numbered else row.id,
            "question": question(row.setting, tools, history, turn.user, DAY),
            "answer": answer(row.setting, {call.name: call.arguments for call in turn.calls}),
            "hard": row.hard[place],
            "difficulty": "hard" if is_hard else "normal",
            "source": row.source,
        }
        history.append(past_of(turn))


DAY = date.fromisoformat(TODAY)
SYSTEM = f"You help a user by talking and, where it is needed, by calling tools. Today is {TODAY}."


def react_row(row: StandardRow, tools: Sequence[Document]) -> dict[str, JsonValue]:
    """The dialogue as alternating messages of text."""
    messages = [_message("system", head(row.setting, tools, DAY).strip())]
    for turn in row.turns:
        messages += _react_turn(turn)
    return _row(row, messages)


def _react_turn(turn: DialogueTurn) -> Iterator[dict[str, JsonValue]]:
    yield _message("user", turn.user)
    lines = [f"Thought: {turn.thought}"]
    for call in turn.calls:
        lines += [f"Action: {call.name}", f"Action Input: {_text(call.arguments)}"]
    if turn.calls:
        yield _message("assistant", "\n".join(lines))
        lines = []
        if turn.assistant:
            yield _message("user", f"Observation: {observation_text(turn.calls)}")
    if turn.assistant:
        lines.append(f"Response: {turn.assistant}")
    if lines:
        yield _message("assistant", "\n".join(lines))


def native_row(row: StandardRow, tools: Sequence[Document]) -> dict[str, JsonValue]:
    """The dialogue as messages with tool calls, in the form of OpenAI-compatible endpoints."""
    messages = [_message("system", SYSTEM)]
    for turn in row.turns:
        messages.append(_message("user", turn.user))
        for call in turn.calls:
            number = sum("tool_calls" in message for message in messages)
            messages += _native_call(call, f"call_{number}")
        if not turn.calls and not turn.assistant:
            messages.append(_message("assistant", turn.thought))
        elif turn.assistant:
            messages.append(_message("assistant", turn.assistant))
    return {**_row(row, messages), "tools": [_schema(_text(tool)) for tool in tools]}


def _native_call(call: DialogueCall, name: str) -> Iterator[dict[str, JsonValue]]:
    arguments = call.arguments if call.resolved is None else call.resolved
    function = {"name": call.name, "arguments": _text(arguments)}
    yield {
        **_message("assistant", ""),
        "tool_calls": [{"id": name, "type": "function", "function": function}],
    }
    yield {"role": "tool", "tool_call_id": name, "name": call.name, "content": _text(call.observation)}


@lru_cache(maxsize=1024)
def _schema(document: str) -> Record:
    return to_openai(from_mtu(json.loads(document)), wrapped=True)


def _message(role: str, content: str) -> dict[str, JsonValue]:
    return {"role": role, "content": content}


def _text(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False)


def _row(row: StandardRow, messages: list[dict[str, JsonValue]]) -> dict[str, JsonValue]:
    return {
        "id": row.id,
        "source": row.source,
        "setting": row.setting,
        "topics": row.topics,
        "composed": row.composed,
        "hard": sorted({tag for tags in row.hard for tag in tags}),
        "messages": messages,
    }


FILES = Choice("files", "which files to write", "all", ("all", "eval", "train"))


def write(rows: Rows, folder: Path, context: Context, whole: Documents | None = None) -> None:
    """Every file of the data set; `whole` are the documents of which rows show a part."""
    documents = documents_of(rows)
    with ExitStack() as open_files:
        files: dict[str, BinaryIO] = {}
        for row in rows:
            for name, record in records(standard_row(row), documents, context):
                if name not in files:
                    (folder / name).parent.mkdir(parents=True, exist_ok=True)
                    files[name] = open_files.enter_context((folder / name).open("wb"))
                files[name].write(encode(record))
    for source in sorted({source for source, _ in documents}):
        listed = [(whole or documents)[key] for key in sorted(documents) if key[0] == source]
        (folder / "tools").mkdir(exist_ok=True)
        text = orjson.dumps(listed, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
        write_whole(folder / "tools" / f"{source}.json", text)


def records(row: StandardRow, documents: Documents, context: Context) -> Iterator[tuple[str, JsonValue]]:
    """What a row puts into which file: it is for evaluation or for training, never for both."""
    source, wanted = row.source, context.options[FILES.name]
    tools = listed_tools(row, documents, context.seed)
    evaluated = row.split != TRAIN or in_test(row.origins)
    if wanted != "train" and evaluated:
        name = f"{source}.jsonl" if row.split == TRAIN else f"ood/{source}.jsonl"
        yield from ((name, record) for record in evaluation_rows(row, tools))
    if wanted != "eval" and not evaluated:
        yield f"train/{source}.react.jsonl", react_row(row, tools)
        yield f"train/{source}.tools.jsonl", native_row(row, tools)
