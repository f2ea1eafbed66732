"""The files of a data set, one of each kind per source, so that licences stay apart.

sgd.jsonl                 MTU-Eval rows of all settings, of one dialogue of ten, which is not trained on; the id says which
ood/sgd.jsonl             those of the held-out topics
train/sgd.react.jsonl     dialogues as chat rows with ReAct text
train/sgd.tools.jsonl     dialogues as chat rows with native tool calls
tools/sgd.json            the tool documents, with all that any dialogue may use of them
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO

import orjson

from toolyard.benchmarks.mtu.synth.instruct.chat_rows import native_row, react_row
from toolyard.benchmarks.mtu.synth.instruct.dialogue_rows import StandardRow, standard_row
from toolyard.benchmarks.mtu.synth.instruct.evaluation_rows import Documents, evaluation_rows, listed_tools
from toolyard.benchmarks.mtu.synth.instruct.numbering import documents_of
from toolyard.benchmarks.mtu.synth.instruct.settings import TRAIN, in_test
from toolyard.core.benchmark import Choice
from toolyard.core.types import JsonValue
from toolyard.lines import encode, write_whole
from toolyard.synth.stages import Context, Rows

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
