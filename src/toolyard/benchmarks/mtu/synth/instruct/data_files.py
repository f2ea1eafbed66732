"""The files of a data set, one of each kind per source, so that licences stay apart, and the tables of its card.

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
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

import orjson

from toolyard.benchmarks.mtu.data.hard_types import RULES, TABLE_8
from toolyard.benchmarks.mtu.data.rows import SETTINGS
from toolyard.benchmarks.mtu.data.statistics import PAPER_DIALOGUES, lengths_table
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import DOMAINS, DialogueCall, DialogueTurn
from toolyard.benchmarks.mtu.synth.corpora.sgd import TODAY
from toolyard.benchmarks.mtu.synth.instruct.corpus_rows import (
    APART,
    TRAIN,
    Document,
    StandardRow,
    corpora_library,
    documents_by_tool,
    held_out_topics,
    is_evaluation,
    shown_name,
    standard_row,
)
from toolyard.benchmarks.mtu.synth.instruct.dialogue_filters import observation_text, past_turn
from toolyard.benchmarks.mtu.synth.instruct.tool_library import reduction_table
from toolyard.benchmarks.mtu.synth.world.dialogue_rules import gold_answer, prompt_head, question
from toolyard.core.benchmark import Choice, Table
from toolyard.core.types import JsonValue, Record, derived_seed
from toolyard.lines import encode, write_whole
from toolyard.synth.stage_log import StageCounts
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
            "answer": gold_answer(row.setting, {call.name: call.arguments for call in turn.calls}),
            "hard": row.hard[place],
            "difficulty": "hard" if is_hard else "normal",
            "source": row.source,
        }
        history.append(past_turn(turn))


DAY = date.fromisoformat(TODAY)
SYSTEM = f"You help a user by talking and, where it is needed, by calling tools. Today is {TODAY}."


def react_row(row: StandardRow, tools: Sequence[Document]) -> dict[str, JsonValue]:
    """The dialogue as alternating messages of text."""
    system = _make_message("system", prompt_head(row.setting, tools, DAY).strip())
    return _training_row(row, [system, *(message for turn in row.turns for message in _react_turn(turn))])


def _react_turn(turn: DialogueTurn) -> Iterator[dict[str, JsonValue]]:
    yield _make_message("user", turn.user)
    lines = [f"Thought: {turn.thought}"]
    for call in turn.calls:
        lines += [f"Action: {call.name}", f"Action Input: {_value_text(call.arguments)}"]
    if turn.calls:
        yield _make_message("assistant", "\n".join(lines))
        lines = []
        if turn.assistant:
            yield _make_message("user", f"Observation: {observation_text(turn.calls)}")
    if turn.assistant:
        lines.append(f"Response: {turn.assistant}")
    if lines:
        yield _make_message("assistant", "\n".join(lines))


def native_row(row: StandardRow, tools: Sequence[Document]) -> dict[str, JsonValue]:
    """The dialogue as messages with tool calls, in the form of OpenAI-compatible endpoints."""
    messages = [_make_message("system", SYSTEM)]
    for turn in row.turns:
        messages.append(_make_message("user", turn.user))
        for call in turn.calls:
            number = sum("tool_calls" in message for message in messages)
            messages += _native_call(call, f"call_{number}")
        if not turn.calls and not turn.assistant:
            messages.append(_make_message("assistant", turn.thought))
        elif turn.assistant:
            messages.append(_make_message("assistant", turn.assistant))
    return {**_training_row(row, messages), "tools": [_openai_schema(_value_text(tool)) for tool in tools]}


def _native_call(call: DialogueCall, name: str) -> Iterator[dict[str, JsonValue]]:
    arguments = call.arguments if call.resolved is None else call.resolved
    function = {"name": call.name, "arguments": _value_text(arguments)}
    yield {
        **_make_message("assistant", ""),
        "tool_calls": [{"id": name, "type": "function", "function": function}],
    }
    yield {"role": "tool", "tool_call_id": name, "name": call.name, "content": _value_text(call.observation)}


@lru_cache(maxsize=1024)
def _openai_schema(document: str) -> Record:
    return to_openai(from_mtu(json.loads(document)), wrapped=True)


def _make_message(role: str, content: str) -> dict[str, JsonValue]:
    return {"role": role, "content": content}


def _value_text(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False)


def _training_row(row: StandardRow, messages: list[dict[str, JsonValue]]) -> dict[str, JsonValue]:
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
    documents = documents_by_tool(rows)
    with ExitStack() as open_files:
        files: dict[str, BinaryIO] = {}
        for row in rows:
            for name, record in file_records(standard_row(row), documents, context):
                if name not in files:
                    (folder / name).parent.mkdir(parents=True, exist_ok=True)
                    files[name] = open_files.enter_context((folder / name).open("wb"))
                files[name].write(encode(record))
    for source in sorted({source for source, _ in documents}):
        listed = [(whole or documents)[key] for key in sorted(documents) if key[0] == source]
        (folder / "tools").mkdir(exist_ok=True)
        text = orjson.dumps(listed, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
        write_whole(folder / "tools" / f"{source}.json", text)


def file_records(row: StandardRow, documents: Documents, context: Context) -> Iterator[tuple[str, JsonValue]]:
    """What a row puts into which file: it is for evaluation or for training, never for both."""
    source, wanted = row.source, context.options[FILES.name]
    tools = listed_tools(row, documents, context.seed)
    evaluated = row.split != TRAIN or is_evaluation(row.origins)
    if wanted != "train" and evaluated:
        name = f"{source}.jsonl" if row.split == TRAIN else f"ood/{source}.jsonl"
        yield from ((name, record) for record in evaluation_rows(row, tools))
    if wanted != "eval" and not evaluated:
        yield f"train/{source}.react.jsonl", react_row(row, tools)
        yield f"train/{source}.tools.jsonl", native_row(row, tools)


KINDS = ("cut", "pair", "merged", "joined")
UNVERIFIED = ("ungrounded_value", "call_without_call")
# Appendix B: what the paper's filters took out; denominators are not stated there. Stage, rate, reasons of ours.
PAPER_RATES: Mapping[str, tuple[str, ...]] = {
    "unsuitable intents": ("suitable", "26 % (by hand)", "unsuitable_intent"),
    "dialogues without a call": ("suitable", "not stated", "no_call", "not_annotated"),
    "undefined tools": ("parameters", "6 %", "undefined_tool"),
    "tools without a document": ("documented", "6 %", "undefined_tool"),
    "fabricated parameter names": ("parameters", "3.2 %", "fabricated_parameter"),
    "format violations": ("parameters", "13.7 %", "format_violation", "missing_required"),
    "verification by rules": ("verify", "10 % (by a model)", *UNVERIFIED),
    "verification by the model": ("check", "10 %", "found_wrong"),
}


@dataclass(slots=True)
class CardCounts:
    """Everything that the tables count, in one walk over the rows."""

    found: Counter[tuple[str, ...]] = field(default_factory=Counter)
    lengths: defaultdict[str, dict[str, list[float]]] = field(default_factory=lambda: defaultdict(dict))
    tools: dict[str, set[str]] = field(default_factory=lambda: {TRAIN: set(), APART: set()})

    def add(self, row: StandardRow) -> None:
        """One more row."""
        name = shown_name(row.setting, row.split)
        called = [call.name for turn in row.turns for call in turn.calls]
        words = [len(turn.user.split()) for turn in row.turns]
        self.found.update([
            ("source", row.source), ("source", row.source, name), ("source", row.source, row.composed or "as recorded"),
            *(("topic", row.split, topic) for topic in row.topics),
            *(("hard", tag, name) for tags in row.hard for tag in tags),
            ("dialogues", name),
        ])  # fmt: skip
        self.found["listed", name] += len(row.documents) + len(row.others)
        for measure, values in (
            ("turns per dialogue", [len(row.turns)]),
            ("user words per dialogue", [sum(words)]),
            ("user words per turn", words),
            ("tools called per dialogue", [len(set(called))]),
            ("calls per turn", [len(turn.calls) for turn in row.turns]),
        ):
            self.lengths[measure].setdefault(name, []).extend(values)
        if not row.made_hard:
            self.tools[row.split].update(called)

    @property
    def names(self) -> list[str]:
        """The settings that there are."""
        return [name for name in SETTINGS if self.found["dialogues", name]]


def tables(rows: Rows, context: Context) -> tuple[Table, ...]:
    """The statistics of the rows against the paper's, and how many tools of the corpora were merged."""
    clusters = (reduction_table(corpora_library(context).clusters),) if len(rows) else ()
    return (*row_tables(rows, context), *clusters)


def row_tables(rows: Rows, context: Context) -> tuple[Table, ...]:
    """The statistics of the rows alone."""
    counts = CardCounts()
    for row in rows:
        counts.add(standard_row(row))
    lengths = lengths_table("Lengths (Figure 10)", counts.lengths)
    topics = _topics_table(counts, set(held_out_topics(context)))
    return _settings_table(counts), lengths, _sources_table(counts), topics, _hard_types_table(counts)


def _settings_table(counts: CardCounts) -> Table:
    rows: list[tuple[Any, ...]] = []
    for name in counts.names:
        dialogues = counts.found["dialogues", name]
        calls = counts.lengths["calls per turn"][name]
        ratios = (
            round(len(calls) / dialogues, 2),
            sum(calls),
            round(counts.found["listed", name] / dialogues, 2),
        )
        rows.append((name, dialogues, PAPER_DIALOGUES[name][0], len(calls), *ratios))
    both = (sum(row[1] for row in rows), 54367, sum(row[3] for row in rows), None, None, None)
    columns = ("setting", "dialogues", "paper train", "turns", "turns per dialogue", "calls", "tools listed")
    return Table("Dialogues by setting (Table 7)", columns, (*rows, ("all", *both)))


def _sources_table(counts: CardCounts) -> Table:
    columns = (*SETTINGS, "as recorded", *KINDS)
    sources = {key[1]: count for key, count in counts.found.items() if key[0] == "source" and len(key) == 2}
    total = sum(sources.values())
    rows = tuple(
        (source, count, as_percent(count, total), *(counts.found["source", source, name] for name in columns))
        for source, count in sources.items()
    )
    note = (
        "cut: the first turn alone; pair, merged: two calls in one turn; joined: several single turns as one."
    )
    return Table(
        "Dialogues by source, as recorded and composed", ("source", "all", "share", *columns), rows, note
    )


def _topics_table(counts: CardCounts, held_out: set[str]) -> Table:
    rows = []
    for domain, topic in ((domain, topic) for domain, topics in DOMAINS.items() for topic in topics):
        found = counts.found["topic", TRAIN, topic], counts.found["topic", APART, topic]
        if any(found) or topic in held_out:
            rows.append((domain, topic, *found, "yes" if topic in held_out else ""))
    shared = counts.tools[TRAIN] & counts.tools[APART]
    note = (
        f"{sum(each[:2] == ('topic', TRAIN) for each in counts.found)} topics in training (paper: 26). "
        f"Tools called in training {len(counts.tools[TRAIN])} (paper: 122), out of domain "
        f"{len(counts.tools[APART])} (paper: 14), in both {len(shared)}: a dialogue is held out whole where any of "
        "its topics is; no tool of a held-out topic is called or listed in training."
    )
    return Table("Topics", ("domain", "topic", "training", "out of domain", "held out"), tuple(rows), note)


def _hard_types_table(counts: CardCounts) -> Table:
    rows = tuple((tag, *(counts.found["hard", tag, name] for name in counts.names)) for tag in RULES)
    title = "Turns by hard type (Table 8, and the types named in the text)"
    note = "By the rules in hard_types.py; a turn may have several types."
    return Table(title, ("hard type", *counts.names), rows, note=note)


def rate_tables(funnel: Sequence[StageCounts]) -> tuple[Table, ...]:
    """What each filter of Appendix B rejected and repaired, against the paper's rates."""
    lines = {line.stage: line for line in funnel}
    rows: list[tuple[Any, ...]] = []
    for label, (stage, paper, *reasons) in PAPER_RATES.items():
        line = lines.get(stage)
        if line is None:
            continue
        rejected = sum(line.rejected[reason] for reason in reasons)
        mended = sum(line.repaired[f"cut_before_{reason}"] for reason in reasons)
        rows.append((label, line.entered, rejected, as_percent(rejected, line.entered), mended, paper))
    note = (
        "Sequential: each rate is of the dialogues that reached the filter. A long dialogue is cut before its first "
        "faulty turn where enough is left of it; that is a repair."
    )
    columns = ("filter", "dialogues in", "rejected", "rate", "cut instead", "paper")
    return (Table("Filters (Appendix B)", columns, tuple(rows), note),)


def as_percent(part: int, whole: int) -> str | None:
    """A share in percent with one decimal."""
    return f"{100 * part / whole:.1f} %" if whole else None
