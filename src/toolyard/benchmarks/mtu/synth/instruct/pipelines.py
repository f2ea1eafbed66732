"""MTU-Instruct: from annotated corpora without a model (Section 2.2 and Appendix B), with one, and from bare dialogues.

Of dialogues without annotation, such as MetaLWOZ, turns are put into the five situations and tools invented; these are
clustered and get a document each; thoughts and observations are written, checked by the rules of the other pipeline and
by the model once more.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import (
    LICENCES,
    DialogueCall,
    group_values,
    sort_topics,
    tools_of_calls,
)
from toolyard.benchmarks.mtu.synth.instruct import model_questions as ask
from toolyard.benchmarks.mtu.synth.instruct.composing import add_setting_and_variants, compose_dialogues
from toolyard.benchmarks.mtu.synth.instruct.corpus_rows import (
    WHAT_TO_READ,
    Document,
    Values,
    corpora_asked_for,
    corpora_library,
    corpus_files,
    dialogue_rows,
    dialogue_setting,
    held_out_topics,
    item_to_json,
    items_to_json,
    number_rows,
    read_turns,
    standard_rows,
    standardise_rows,
)
from toolyard.benchmarks.mtu.synth.instruct.data_files import FILES, rate_tables, row_tables, tables, write
from toolyard.benchmarks.mtu.synth.instruct.dialogue_filters import (
    add_thoughts,
    check_parameters,
    final_turn,
    keep_suitable,
    reject_unsuitable,
    tag_hard_types,
    verify_values,
)
from toolyard.benchmarks.mtu.synth.instruct.tool_library import Library, build_library
from toolyard.core.benchmark import Choice
from toolyard.core.types import Decoding
from toolyard.synth import stages
from toolyard.synth.stages import Context, Kept, Outcome, Rejected, Row, Rows

READ = ("source", "licence", "services", "topics", "mended", "schema", "turns")
STANDARD = ("split", "composed", "origins", "documents", "others", "originals")
TURNS = ("turns", "documents")

# The stages that both pipelines have.
SOURCE = stages.RowSource("dialogues", 3, READ, dialogue_rows, ("corpora", "exclude"), corpus_files)
PARAMETERS = stages.Each("parameters", 2, TURNS, ("turns",), check_parameters)
VERIFY = stages.Each("verify", 3, TURNS, ("turns",), verify_values)
NUMBER = stages.Whole("number", 1, ("setting", "split", "documents", "others"), (), number_rows)
TAG = stages.Each("tag", 1, (*TURNS, "others", "setting"), ("hard",), tag_hard_types)

STAGES = (
    SOURCE,
    stages.Each("suitable", 1, ("source", "services", "mended", "turns"), (), keep_suitable),
    stages.Whole("standardise", 3, READ, STANDARD, standardise_rows, ("corpora", "held-out")),
    PARAMETERS,
    VERIFY,
    stages.Each("settings", 3, TURNS, ("turns", "setting", "composed"), add_setting_and_variants),
    stages.Whole("compose", 4, ("turns", "setting", "origins"), (), compose_dialogues, ("joined",)),
    stages.Each(
        "synthesise", 3, (*TURNS, "others", "composed"), (*TURNS, "made_hard"), add_thoughts, ("hard-share",)
    ),
    NUMBER,
    TAG,
)
SHARES = (
    Choice("joined", "turns joined of several, as a share of a source's single turns", "0.4"),
    Choice("hard-share", "single turns without a fitting tool, or with a nonsense name, as a share", "0.06"),
)


def write_with_library(rows: Rows, folder: Path, context: Context) -> None:
    """Every file of the data set, with all that any dialogue may use of the tools."""
    write(rows, folder, context, corpora_library(context).documents if len(rows) else None)


def provenance(context: Context) -> stages.Provenance:
    """The corpora, each under its own licence."""
    return stages.Provenance(
        "Dialogues of public corpora, annotated by their makers; tools, calls, thoughts and observations follow from "
        "the annotation by rules, no model took part. Each source has files of its own, under its own licence.",
        {name: LICENCES.get(name, "the user's own") for name in corpora_asked_for(context)},
    )


CORPORA = stages.Pipeline(
    "corpora",
    "mtu",
    STAGES,
    write_with_library,
    provenance,
    tables,
    choices=(*WHAT_TO_READ, *SHARES, FILES),
    needs_sources=True,
    rates=rate_tables,
)


EXAMPLES = 8
LONG, SHORT = Decoding(max_tokens=4096), Decoding(max_tokens=1024)
# What only the rows of tools say; those of dialogues have them empty.
OF_TOOLS = ("kind", "name", "examples", "document")


def keep_unlabelled(row: Row, context: Context) -> Outcome:  # noqa: ARG001
    """Dialogues without annotation and with a subject that tools can serve."""
    if refused := reject_unsuitable(row):
        return refused
    if any(turn.label is not None for turn in read_turns(row)):
        return Rejected("annotated", "made without a model by --from corpora")
    return Kept({}, tuple(row["mended"]))


def standardised_with_tools(rows: Rows, context: Context) -> Iterator[Row | Rejected]:
    """The dialogues in standard terms, then a row for every tool that needs a document."""
    if not len(rows):
        return
    examples: dict[tuple[str, str], list[Values]] = {}
    for row in standard_rows(rows, invented_library(rows, context), context):
        for turn in row.turns:
            for call in turn.calls:
                examples.setdefault((row.source, call.name), []).append(call.arguments)
        yield {**item_to_json(row), "kind": "dialogue", "name": "", "examples": [], "document": None}
    for (source, name), calls in examples.items():
        tool = {"id": f"tool/{source}/{name}", "kind": "tool", "source": source, "name": name}
        yield {**tool, "examples": _telling_values(calls), "document": None}


def invented_library(rows: Rows, context: Context) -> Library:
    """The library of the tools that were made up."""
    made = [(row, call) for row in rows for turn in read_turns(row) for call in turn.calls]
    words = {call.name: call.description or "" for _, call in reversed(made)}
    subjects = group_values(((call.service, call.name), row["topics"]) for row, call in made)

    def topics(call: DialogueCall) -> tuple[str, ...]:
        return sort_topics(topic for found in subjects[call.service, call.name] for topic in found)

    by_source = group_values((row["source"], call) for row, call in made)
    tools = {source: tools_of_calls(calls, words.__getitem__, topics) for source, calls in by_source.items()}
    return build_library(tools, held_out_topics(context), context.embed)


def _telling_values(calls: list[Values]) -> list[Values]:
    """A few calls in which every parameter occurs."""
    chosen: list[Values] = []
    missing = {name for arguments in calls for name in arguments}
    for arguments in calls:
        if arguments.keys() & missing or len(chosen) < EXAMPLES // 2:
            chosen.append(arguments)
            missing -= arguments.keys()
    return chosen


def attach_documents(rows: Rows, context: Context) -> Iterator[Row | Rejected]:  # noqa: ARG001
    """The dialogues with the documents that were written; those with a tool that got none end here."""
    documents: dict[str, dict[str, Document]] = {}
    for row in filter(is_tool, rows):
        documents.setdefault(row["source"], {})[row["name"]] = row["document"]
    for row in rows:
        known = documents.get(row["source"], {})
        if is_tool(row):
            yield Rejected("became_a_document", row=row["id"])
            continue
        names = dict.fromkeys(call.name for turn in read_turns(row) for call in turn.calls)
        if missing := [name for name in names if name not in known]:
            yield Rejected("undefined_tool", ", ".join(missing), row=row["id"])
            continue
        kept = {field: value for field, value in row.items() if field not in OF_TOOLS}
        others = [name for name in row["others"] if name in known]
        yield {**kept, "documents": [known[name] for name in names], "others": others}


def finish_row(row: Row, context: Context) -> Outcome:  # noqa: ARG001
    """The row with its setting, its turns as the files want them."""
    turns = [final_turn(turn, turn.thought) for turn in read_turns(row)]
    if any(len({call.name for call in turn.calls}) < len(turn.calls) for turn in turns):
        return Rejected("repeated_tool_in_turn")
    return Kept({"turns": items_to_json(turns), "setting": dialogue_setting(turns), "made_hard": ""})


def has_calls(row: Row) -> bool:
    """Whether anything is called in the dialogue."""
    return any(turn.calls for turn in read_turns(row))


def is_tool(row: Row) -> bool:
    """Whether the row stands for a tool that needs a document."""
    return bool(row["kind"] == "tool")


def _provenance_with_words(words: str) -> Callable[[Context], stages.Provenance]:
    """The corpora, and who wrote what beside them."""
    return lambda context: replace(provenance(context), text=words)


WORDS = ("source", "services", "mended", "turns")
TOOL = ("source", "name", "examples")
CHECK = stages.Ask("check", 2, TURNS, ("turns",), *ask.VERIFY, SHORT, role="checker")
THOUGHTS = stages.Ask("thoughts", 2, TURNS, ("turns",), *ask.THOUGHTS, LONG, 2)
OBSERVE = stages.Ask("observe", 2, TURNS, ("turns",), *ask.OBSERVATIONS, LONG, 2)
MODEL_STAGES = (
    SOURCE,
    stages.Each("suitable", 1, WORDS, (), keep_unlabelled),
    stages.Ask("create", 2, WORDS, ("turns",), *ask.CREATE, LONG, 2),
    stages.Whole("standardise", 3, READ, (*STANDARD, *OF_TOOLS), standardised_with_tools, ("held-out",)),
    stages.Ask("document", 2, TOOL, ("document",), *ask.DOCUMENT, LONG, 2, applies=is_tool),
    stages.Whole("documented", 1, (), ("documents", "others"), attach_documents),
    PARAMETERS,
    VERIFY,
    THOUGHTS,
    OBSERVE,
    CHECK,
    stages.Each("settings", 1, TURNS, ("turns", "setting", "made_hard"), finish_row),
    NUMBER,
    TAG,
)
MODEL = stages.Pipeline(
    "model",
    "mtu",
    MODEL_STAGES,
    write,
    _provenance_with_words(
        "Dialogues of public corpora without annotation; tools, calls, documents, thoughts and observations were "
        "written by the model and checked by rules and by the model."
    ),
    row_tables,
    choices=(*WHAT_TO_READ, FILES),
    needs_sources=True,
    rates=rate_tables,
)


WRITTEN = (
    THOUGHTS,
    replace(OBSERVE, applies=has_calls),
    stages.Ask("replies", 1, TURNS, ("turns",), *ask.REPLIES, LONG, 2),
    CHECK,
)
# The annotated dialogues with what a model writes over them, before they are numbered.
ANNOTATED = replace(
    CORPORA,
    name="corpora+model",
    stages=(*(stage for stage in CORPORA.stages if stage not in (NUMBER, TAG)), *WRITTEN, NUMBER, TAG),
    provenance=_provenance_with_words(
        "Dialogues of public corpora, annotated by their makers: tools and calls follow from the annotation by rules; "
        "thoughts, observations and replies were written by a model and checked by a model, which may put them right."
    ),
)
