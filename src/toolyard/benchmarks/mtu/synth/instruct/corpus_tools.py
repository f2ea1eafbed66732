"""What a run asked for: corpora and held-out topics; their tools are read once, and the library is built once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from toolyard.benchmarks.mtu.synth.corpora import corpus_tools, find_corpora, find_readings
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import CorpusTool
from toolyard.benchmarks.mtu.synth.corpora.topics import HELD_OUT, TOPICS
from toolyard.benchmarks.mtu.synth.instruct import leaks
from toolyard.benchmarks.mtu.synth.instruct.tool_library import Library, build_library
from toolyard.core.benchmark import Choice
from toolyard.core.errors import UsageError
from toolyard.synth.stages import Context

ALL = "all"
WHAT_TO_READ = (
    Choice(
        "corpora",
        "which corpora of the sources folder to use, separated by commas, `all,multiwoz-fields` for MultiWOZ once more "
        "with tools that return chosen fields; all of each is read, also for a few "
        "--rows: which rows are taken, and the tools beside theirs, depend on the whole",
        ALL,
    ),
    Choice("held-out", "topics of the out-of-domain split, separated by commas", ",".join(HELD_OUT)),
    Choice("exclude", "MTU-Eval files or folders whose dialogues are left out, separated by commas", ""),
)
# Name, folder, and the state of every file: a corpus that was changed is another one.
Stamp: TypeAlias = tuple[str, Path, tuple[tuple[Path, int, int], ...]]


def corpora_of(context: Context) -> Mapping[str, Path]:
    """The corpora that lie in the sources folder and were asked for."""
    folder = context.folders.get("sources")
    if folder is None:
        raise UsageError("no folder of corpora was named; wanted: --sources DIR")
    plain = find_corpora(folder)
    found = {**plain, **find_readings(folder)}
    asked = [name.strip() for name in context.options.get("corpora", ALL).split(",")]
    names = list(dict.fromkeys(name for each in asked for name in (plain if each == ALL else [each])))
    absent = [name for name in names if name not in found]
    if absent or not names:
        there = ", ".join(found) or "none"
        raise UsageError(
            f"{folder} holds these corpora: {there}; wanted {', '.join(absent) or 'at least one'}"
        )
    return {name: found[name] for name in names}


def held_out_of(context: Context) -> tuple[str, ...]:
    """The topics of the out-of-domain split; one that no corpus has is the user's mistake."""
    chosen = tuple(topic.strip() for topic in context.options["held-out"].split(",") if topic.strip())
    unknown = [topic for topic in chosen if topic not in TOPICS]
    if unknown:
        raise UsageError(f"--held-out: unknown topic {unknown[0]!r}; topics: {', '.join(TOPICS)}")
    return chosen


def corpus_files(context: Context) -> Iterator[Path]:
    """Every file that the rows depend on: those of the corpora, and those of the evaluation to keep apart."""
    for path in corpora_of(context).values():
        yield from _files(path)
    yield from leaks.evaluation_files(context.options.get("exclude", ""))


def tools_of(context: Context) -> Mapping[str, tuple[CorpusTool, ...]]:
    """The tools of the corpora that were asked for, by corpus."""
    return _tools(_stamps(context))


def library_of(context: Context) -> Library:
    """The library of the corpora that were asked for."""
    return _library(_stamps(context), held_out_of(context), context.embedder)


@lru_cache(maxsize=1)
def _tools(stamps: tuple[Stamp, ...]) -> Mapping[str, tuple[CorpusTool, ...]]:
    return {name: corpus_tools(name, folder) for name, folder, _ in stamps}


@lru_cache(maxsize=1)
def _library(stamps: tuple[Stamp, ...], held_out: tuple[str, ...], embedder: str) -> Library:
    return build_library(_tools(stamps), held_out, Context(embedder=embedder).embed)


def _stamps(context: Context) -> tuple[Stamp, ...]:
    return tuple((name, folder, _states(folder)) for name, folder in corpora_of(context).items())


def _states(folder: Path) -> tuple[tuple[Path, int, int], ...]:
    return tuple((file, file.stat().st_size, file.stat().st_mtime_ns) for file in _files(folder))


def _files(path: Path) -> Iterator[Path]:
    files = [path] if path.is_file() else sorted(path.rglob("*"))
    return (file for file in files if file.is_file())
