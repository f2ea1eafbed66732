"""The leak guard: no row may show a turn, a task or a query of any evaluation file.

On by default against the starter sets of all benchmarks, the official data that `toolyard fetch` has put in place, and
folders named after a benchmark beside the corpora; `--exclude mtu=DIR,nestools=DIR` names more. Texts are compared by
their words without numbers and months, line by line, from 25 characters on.
"""

import functools
import re
from collections.abc import Iterator
from pathlib import Path

from toolyard.benchmarks import benchmark_modules, load_benchmark
from toolyard.benchmarks.mtu.synth.instruct.corpus_rows import comparable_words
from toolyard.core.errors import UsageError
from toolyard.core.types import Options, Record
from toolyard.models.assets import cache_folder
from toolyard.synth.mixture.rows import TrainingRow, row_texts
from toolyard.synth.stages import Context

TEXTS = ("user", "query", "task")
_LABEL = re.compile(r"^\s*(?:\d+\.|(?:user|assistant|thought|task)\s*:(?:\s*:)?)\s*", re.IGNORECASE)


def evaluation_sets(context: Context) -> tuple[tuple[str, Path], ...]:
    """Every evaluation set that is there, with the benchmark that reads it."""
    found: list[tuple[str, Path]] = []
    sources = context.folders.get("sources")
    for name in benchmark_modules():
        found += [(name, place) for place in load_benchmark(name).data.shipped_folders]
        fetched = cache_folder() / "data" / name
        beside = sources.resolve().parent / name if sources is not None else fetched
        found += [(name, place) for place in dict.fromkeys((fetched, beside)) if holds_files(place)]
    for entry in filter(None, context.options["exclude"].split(",")):
        name, _, place = entry.strip().partition("=")
        if name not in benchmark_modules() or not Path(place).exists():
            raise UsageError(
                f"--exclude {entry.strip()!r} is not there; wanted BENCHMARK=FOLDER, such as mtu=data/mtu"
            )
        found.append((name, Path(place)))
    return tuple(found)


def holds_files(place: Path) -> bool:
    """Whether it is a folder with something in it; a fetch that failed may leave an empty one."""
    return place.is_dir() and any(place.iterdir())


def evaluation_files(context: Context) -> Iterator[Path]:
    """The files behind those sets, in order: what a mixture depends on."""
    for _, place in evaluation_sets(context):
        yield from sorted(file for file in place.rglob("*.json*") if file.is_file())


def known_texts(context: Context) -> frozenset[str]:
    """What the evaluation sets say, in comparable form."""
    return _evaluation_lines(evaluation_sets(context))


@functools.lru_cache(maxsize=2)
def _evaluation_lines(places: tuple[tuple[str, Path], ...]) -> frozenset[str]:
    known: set[str] = set()
    for name, place in places:
        for sample in load_benchmark(name).data.load(place, Options()):
            for text in _prompt_texts(sample.input):
                known |= set(_lines_of_words(text))
    return frozenset(known)


def _prompt_texts(prompt: Record) -> Iterator[str]:
    yield from (str(prompt[key]) for key in TEXTS if key in prompt)
    for turn in prompt.get("history", ()):
        yield from (str(turn["user"]), str(turn["assistant"]))


def leaked_line(row: TrainingRow, known: frozenset[str]) -> str:
    """A line of the row that an evaluation set says, too; empty where there is none."""
    for text in row_texts(row):
        for line in _lines_of_words(text):
            if line in known:
                return line
    return ""


def _lines_of_words(text: str) -> Iterator[str]:
    for line in text.splitlines():
        # Tool documents are shared on purpose: what must not be seen are requests and replies.
        found = "" if line.startswith(("{", "[")) else comparable_words(_LABEL.sub("", line))
        if found:
            yield found
