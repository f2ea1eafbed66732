"""Dialogues that an evaluation set already shows: they must not be trained on.

A turn counts as shown where its words are those of a turn of the evaluation, user's or assistant's, and there are
at least 25 characters of them. Dates and numbers are left out of the comparison: the official rows moved them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from toolyard.benchmarks.mtu.data import benchmark_files, load_official
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import CorpusDialogue
from toolyard.core.errors import UsageError
from toolyard.text.dates import MONTH_NAMES

SHORTEST = 25
# Besides the months the short forms of those that the corpora's dates are in.
_LEFT_OUT = frozenset((*(month.lower() for month in MONTH_NAMES), "jan", "feb", "mar"))
_WORD = re.compile(r"[^\W\d_]+")


def evaluation_paths(exclude: str) -> list[Path]:
    """The folders and files that the option names, separated by commas."""
    paths = [Path(part.strip()) for part in exclude.split(",") if part.strip()]
    for path in paths:
        if not path.exists():
            raise UsageError(
                f"--exclude names {path}, which is not there; wanted a folder or file of MTU-Eval rows"
            )
    return paths


def evaluation_files(exclude: str) -> Iterator[Path]:
    """The files behind the option, in order."""
    for path in evaluation_paths(exclude):
        yield from (file for _, file in benchmark_files(path))


def evaluation_turns(exclude: str) -> frozenset[str]:
    """The turns of the evaluation sets in comparable form."""
    shown: set[str] = set()
    for path in evaluation_paths(exclude):
        for sample in load_official(path):
            shown.add(comparable(sample.input["user"]))
            for turn in sample.input["history"]:
                shown |= {comparable(turn["user"]), comparable(turn["assistant"])}
    return frozenset(shown - {""})


def leaks_into(dialogue: CorpusDialogue, shown: frozenset[str]) -> bool:
    """Whether a turn of the dialogue stands in an evaluation set."""
    if not shown:
        return False
    texts = (text for turn in dialogue.turns for text in (turn.user, turn.assistant))
    return any(comparable(text) in shown for text in texts)


def comparable(text: str) -> str:
    """The words of a turn without its numbers and months; nothing where the turn is too short to tell."""
    if len(text.strip()) < SHORTEST:
        return ""
    words = _WORD.findall(text.casefold())
    return " ".join(word for word in words if word not in _LEFT_OUT)
