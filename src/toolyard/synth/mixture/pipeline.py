"""The mixture as a pipeline: dialogues of corpora if there are any, drafts of all parts, rows, two files.

rows.jsonl.xz    rows to train on
dev.jsonl.xz     rows of dialogues and goals that are not trained on
"""

import lzma
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import LICENCES
from toolyard.benchmarks.mtu.synth.instruct.corpus_rows import (
    WHAT_TO_READ,
    corpora_asked_for,
    corpus_files,
    dialogue_rows,
)
from toolyard.benchmarks.mtu.synth.instruct.pipelines import SHARES, STAGES
from toolyard.core.benchmark import Choice
from toolyard.lines import encode
from toolyard.synth.mixture import seal_tools
from toolyard.synth.mixture.card_tables import tables
from toolyard.synth.mixture.drafting import DEV, drafts_of_one_part, mixed_drafts, write_out_draft
from toolyard.synth.mixture.leak_guard import evaluation_files, evaluation_sets
from toolyard.synth.mixture.mixture_parts import DEFAULT_SHARES
from toolyard.synth.mixture.mixture_settings import ZERO_SHOT_SHARE
from toolyard.synth.stages import Context, Each, Pipeline, Provenance, Rejected, Row, Rows, RowSource, Whole

ROWS = 40_000
NAME = "mixture"
FIELDS = ("messages", "source", "part", "group", "renamed", "train")
EXCLUDE = Choice(
    "exclude",
    "more evaluation sets whose texts no row may show, as BENCHMARK=FOLDER, separated by commas; starter sets, "
    "fetched official data and folders beside the corpora are kept out anyway",
    "",
)
CHOICES = (
    Choice("share", "how much each part gives", DEFAULT_SHARES),
    Choice("rename", "rows whose tools and parameters have names without meaning, as a share", "0.12"),
    Choice("reword", "dialogue rows whose tools and parameters have other sensible names, as a share", "0.5"),
    Choice(
        "zero-shot",
        "rows without the worked example that ToolBeHonest and ToolEyes show by default, as a share",
        str(ZERO_SHOT_SHARE),
    ),
    Choice("max-tokens", "the longest row in tokens, estimated as characters / 3.5", "3000"),
    EXCLUDE,
)
DRAFT = ("part", "draft")
DRAFTED = ("share", "rename", "reword", "zero-shot", "max-tokens")


def training_dialogues(context: Context) -> Iterator[Row | Rejected]:
    """The dialogues of the corpora less those that an evaluation set of MTU-Bench shows."""
    places = dict.fromkeys(str(place) for name, place in evaluation_sets(context) if name == "mtu")
    options = {**context.options, EXCLUDE.name: ",".join(places)}
    yield from dialogue_rows(replace(context, options=options))


def _source_files(context: Context) -> Iterator[Path]:
    """Everything that rows depend on besides the world."""
    options = {**context.options, EXCLUDE.name: ""}
    yield from corpus_files(replace(context, options=options))
    if seal_tools.is_here(context.folders["sources"]):
        yield from seal_tools.source_files(context.folders["sources"])
    yield from evaluation_files(context)


WRITE = Each("write", 1, DRAFT, (*FIELDS, *DRAFT, "split"), write_out_draft, (*DRAFTED, EXCLUDE.name))
# All stages of MTU-Instruct up to thoughts and observations; numbers and tags are for its own files.
CORPUS_STAGES = tuple(stage for stage in STAGES[1:] if stage.name not in ("number", "tag"))
SOURCE = replace(STAGES[0], work=training_dialogues, files=_source_files)


def write(rows: Rows, folder: Path, context: Context) -> None:  # noqa: ARG001 - the signature of every writer
    """Both files, rows in the order of the drafts."""
    with (
        lzma.open(folder / "rows.jsonl.xz", "wb", preset=4) as train,
        lzma.open(folder / "dev.jsonl.xz", "wb") as dev,
    ):
        for row in rows:
            record = encode({"id": row["id"], **{name: row[name] for name in FIELDS}})
            (dev if row["split"] == DEV else train).write(record)


def provenance(context: Context) -> Provenance:
    """What the rows are made of."""
    corpora = corpora_asked_for(context) if "sources" in context.folders else {}
    licences: dict[str, str] = {name: LICENCES.get(name, "the user's own") for name in corpora}
    if "sources" in context.folders and seal_tools.is_here(context.folders["sources"]):
        licences[seal_tools.NAME] = seal_tools.LICENCE
    text = (
        "Prompts are those of a run in the default style, for a part of the rows in that without an example, made by "
        "the same functions; answers are gold in the form that the prompt asks for, read back and scored. Goals, chat "
        "and their words are our own."
    )
    return Provenance(text, {**licences, "goals, chat": "Apache-2.0"})


CORPORA = Pipeline(
    "corpora",
    NAME,
    (SOURCE, *CORPUS_STAGES, Whole("draft", 2, ("turns", "documents"), DRAFT, mixed_drafts, DRAFTED), WRITE),
    write,
    provenance,
    tables,
    choices=(*CHOICES, *(choice for choice in WHAT_TO_READ if choice.name != EXCLUDE.name), *SHARES),
    rows=ROWS,
    needs_sources=True,
    of_world=True,
)
WORLD = replace(
    CORPORA,
    name="world",
    stages=(RowSource("draft", 1, DRAFT, drafts_of_one_part, DRAFTED, evaluation_files), WRITE),
    choices=CHOICES,
    needs_sources=False,
)
PIPELINES: Mapping[str, Pipeline] = {"corpora": CORPORA, "world": WORLD}
