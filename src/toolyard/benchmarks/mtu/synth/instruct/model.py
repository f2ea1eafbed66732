"""MTU-Instruct from dialogues without annotation, such as MetaLWOZ: tools, documents, thoughts by a model.

Turns are put into the five situations and tools invented; these are clustered and get a document each; thoughts and
observations are written, checked by the rules of the other pipeline and by the model once more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from toolyard.benchmarks.mtu.synth.corpora.frequency import tools_of_calls
from toolyard.benchmarks.mtu.synth.corpora.schema import Call, CorpusTool
from toolyard.benchmarks.mtu.synth.corpora.topics import HELD_OUT
from toolyard.benchmarks.mtu.synth.instruct import model_questions as ask
from toolyard.benchmarks.mtu.synth.instruct.filters import UNSUITABLE, parameters, verified
from toolyard.benchmarks.mtu.synth.instruct.library import Library, build_library
from toolyard.benchmarks.mtu.synth.instruct.output import KINDS, write
from toolyard.benchmarks.mtu.synth.instruct.pipeline import NUMBER, READ, STANDARD, TAG, provenance
from toolyard.benchmarks.mtu.synth.instruct.rows import ALL, corpus_files, dialogue_rows
from toolyard.benchmarks.mtu.synth.instruct.settings import setting_of
from toolyard.benchmarks.mtu.synth.instruct.standardising import held_out_of, in_standard_terms
from toolyard.benchmarks.mtu.synth.instruct.tables import rates, row_tables
from toolyard.core.benchmark import Choice
from toolyard.core.types import Decoding, Json
from toolyard.synth.stages import (
    Ask,
    Context,
    Each,
    Kept,
    Outcome,
    Pipeline,
    Provenance,
    Rejected,
    Row,
    Rows,
    Source,
    Whole,
)

EXAMPLES = 8
LONG, SHORT = Decoding(max_tokens=4096), Decoding(max_tokens=1024)


def unlabelled(row: Row, context: Context) -> Outcome:  # noqa: ARG001
    """Dialogues without annotation and with a subject that tools can serve."""
    table = UNSUITABLE.get(row["source"], frozenset())
    if table & set(row["services"]):
        return Rejected("unsuitable_intent", ", ".join(sorted(table & set(row["services"]))))
    if any(turn["label"] is not None for turn in row["turns"]):
        return Rejected("annotated", "made without a model by --from corpora")
    return Kept({}, tuple(row["mended"]))


def standardised_with_tools(rows: Rows, context: Context) -> Iterator[Row | Rejected]:
    """The dialogues in standard terms, then a row for every tool that needs a document."""
    if not len(rows):
        return
    library = invented_library(rows, context)
    examples: dict[tuple[str, str], list[Json]] = {}
    for row in in_standard_terms(rows, library, context):
        for turn in row["turns"]:
            for call in turn["calls"]:
                examples.setdefault((row["source"], call["name"]), []).append(call["arguments"])
        yield {**row, "kind": "dialogue", "name": "", "examples": [], "document": None}
    for (source, name), calls in examples.items():
        tool = {"id": f"tool/{source}/{name}", "kind": "tool", "source": source, "name": name}
        yield {**tool, "examples": _telling(calls), "document": None}


def invented_library(rows: Rows, context: Context) -> Library:
    """The library of the tools that were made up."""
    calls: dict[str, list[Call]] = {}
    words: dict[str, str] = {}
    subjects: dict[tuple[str, str], set[str]] = {}
    for row in rows:
        for turn in row["turns"]:
            for call in turn["calls"]:
                calls.setdefault(row["source"], []).append(
                    Call(call["tool"], call["service"], call["arguments"])
                )
                words.setdefault(call["tool"], call["description"])
                subjects.setdefault((call["service"], call["tool"]), set()).update(row["topics"])

    def topics(call: Call) -> tuple[str, ...]:
        return tuple(sorted(subjects[call.service, call.tool]))

    tools: dict[str, tuple[CorpusTool, ...]] = {
        source: tools_of_calls(made, lambda name: words[name], topics) for source, made in calls.items()
    }
    return build_library(tools, held_out_of(context), context.embed)


def _telling(calls: list[Json]) -> list[Json]:
    """A few calls in which every parameter occurs."""
    chosen: list[Json] = []
    missing = {name for arguments in calls for name in arguments}
    for arguments in calls:
        if arguments.keys() & missing or len(chosen) < EXAMPLES // 2:
            chosen.append(arguments)
            missing -= arguments.keys()
    return chosen


def documented(rows: Rows, context: Context) -> Iterator[Row | Rejected]:  # noqa: ARG001
    """The dialogues with the documents that were written; those with a tool that got none end here."""
    documents = {(row["source"], row["name"]): row["document"] for row in rows if row["kind"] == "tool"}
    for row in rows:
        if row["kind"] == "tool":
            yield Rejected("became_a_document", row=row["id"])
            continue
        names = dict.fromkeys(call["name"] for turn in row["turns"] for call in turn["calls"])
        missing = [name for name in names if (row["source"], name) not in documents]
        if missing:
            yield Rejected("undefined_tool", ", ".join(missing), row=row["id"])
            continue
        others = [name for name in row["others"] if (row["source"], name) in documents]
        left_out = ("kind", "name", "examples", "document")
        kept = {field: value for field, value in row.items() if field not in left_out}
        yield {**kept, "documents": [documents[row["source"], name] for name in names], "others": others}


def finished(row: Row, context: Context) -> Outcome:  # noqa: ARG001
    """The row with its setting, its turns as the files want them."""
    turns = [
        {
            "user": turn["user"],
            "label": turn["label"],
            "thought": turn["thought"],
            "calls": [
                {
                    field: call[field]
                    for field in ("name", "arguments", "resolved", "returned")
                    if field in call
                }
                for call in turn["calls"]
            ],
            "assistant": turn["assistant"],
        }
        for turn in row["turns"]
    ]
    repeated = (Counter(call["name"] for call in turn["calls"]).most_common(1) for turn in turns)
    if any(found and found[0][1] > 1 for found in repeated):
        return Rejected("repeated_tool_in_turn")
    return Kept({"turns": turns, "setting": setting_of(turns), "made_hard": ""})


def is_tool(row: Row) -> bool:
    """Whether the row stands for a tool that needs a document."""
    return bool(row["kind"] == "tool")


def made_by_a_model(context: Context) -> Provenance:
    """The corpora, and who wrote the rest."""
    told = provenance(context)
    text = "Dialogues of public corpora without annotation; tools, calls, documents, thoughts and observations were "
    return Provenance(f"{text}written by the model and checked by rules and by the model.", told.licences)


TURNS = ("turns", "documents")
WORDS = ("source", "services", "mended", "turns")
MODEL = Pipeline(
    "model",
    "mtu",
    (
        Source("dialogues", 1, READ, dialogue_rows, ("corpora", "exclude"), corpus_files),
        Each("suitable", 1, WORDS, (), unlabelled),
        Ask("create", 2, WORDS, ("turns",), ask.create_prompt, ask.create_accept, LONG, attempts=2),
        Whole(
            "standardise",
            2,
            READ,
            (*STANDARD, "kind", "name", "examples", "document"),
            standardised_with_tools,
            ("held-out",),
        ),
        Ask(
            "document",
            2,
            ("source", "name", "examples"),
            ("document",),
            ask.tool_prompt,
            ask.tool_accept,
            LONG,
            attempts=2,
            applies=is_tool,
        ),
        Whole("documented", 1, (), ("documents", "others"), documented),
        Each("parameters", 1, TURNS, ("turns",), parameters),
        Each("verify", 2, TURNS, ("turns",), verified),
        Ask("thoughts", 2, TURNS, ("turns",), ask.thoughts_prompt, ask.thoughts_accept, LONG, attempts=2),
        Ask(
            "observe",
            2,
            TURNS,
            ("turns",),
            ask.observations_prompt,
            ask.observations_accept,
            LONG,
            attempts=2,
        ),
        Ask("check", 1, TURNS, (), ask.verify_prompt, ask.verify_accept, SHORT),
        Each("settings", 1, TURNS, ("turns", "setting", "made_hard"), finished),
        NUMBER,
        TAG,
    ),
    write,
    made_by_a_model,
    row_tables,
    choices=(
        Choice("corpora", "which corpora of the sources folder to use, separated by commas", ALL),
        Choice("held-out", "topics of the out-of-domain split, separated by commas", ",".join(HELD_OUT)),
        Choice("exclude", "MTU-Eval files or folders whose dialogues are left out, separated by commas", ""),
        Choice("files", "which files to write", "all", KINDS),
    ),
    needs_sources=True,
    rates=rates,
)
