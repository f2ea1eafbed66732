"""Tools and parameters under other names that make sense: `FindBus(from_city)` as `look_for_coach(start_town)`.

A model that meets few names learns them by heart; one that meets another name every time has to read the list.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from toolyard.benchmarks.mtu.synth.instruct.dialogue_rows import Document
from toolyard.benchmarks.mtu.synth.training.other_names import SECTIONS, OtherNames, spelled_as
from toolyard.text.names import name_words

# How often a word that has others is replaced, the words of a parameter change places, a name gets one more word.
REPLACED, TURNED, LONGER = 0.6, 0.15, 0.15
TOOL_STYLES = ("snake", "camel", "pascal")
PARAMETER_STYLES = ("snake", "snake", "camel")
MORE_OF_TOOLS = ("service", "api", "tool", "now", "my", "quick", "user", "v2")
MORE_OF_PARAMETERS = ("wanted", "user", "given", "value", "info", "my", "chosen", "target")


def _read(file: Path) -> dict[str, tuple[str, ...]]:
    lines = (line.partition(":") for line in file.read_text(encoding="utf-8").splitlines())
    return {word: tuple(others.split()) for word, _, others in lines}


SYNONYMS: Mapping[str, tuple[str, ...]] = _read(Path(__file__).with_name("synonyms.txt"))


def reworded(documents: Sequence[Document], rng: random.Random) -> OtherNames:
    """Every tool and every parameter under another name; a name that tools share stays shared."""
    tool_style, parameter_style = rng.choice(TOOL_STYLES), rng.choice(PARAMETER_STYLES)
    taken: set[str] = set()
    tools = {
        document["name"]: _unused(
            partial(_other, document["name"], tool_style, MORE_OF_TOOLS, 0.0, rng), taken
        )
        for document in documents
    }
    shared: dict[str, str] = {}
    fields: dict[str, dict[str, str]] = {}
    taken = set()
    for document in documents:
        names = dict.fromkeys(each["name"] for key in SECTIONS for each in document[key])
        for name in names:
            if name not in shared:
                shared[name] = _unused(
                    partial(_other, name, parameter_style, MORE_OF_PARAMETERS, TURNED, rng), taken
                )
        fields[document["name"]] = {name: shared[name] for name in names}
    return OtherNames(tools, fields)


def _unused(draw: Callable[[], str], taken: set[str]) -> str:
    """The first draw that no other name has."""
    name = next(name for name in _draws(draw) if name.casefold() not in taken)
    taken.add(name.casefold())
    return name


def _draws(draw: Callable[[], str]) -> Iterator[str]:
    for number in range(1, 1_000):
        drawn = draw()
        yield drawn if number < 20 else f"{drawn}{number}"


def _other(name: str, style: str, more: Sequence[str], turned: float, rng: random.Random) -> str:
    words = [
        part
        for word in name_words(name) or [name]
        for part in (rng.choice(SYNONYMS[word]).split("_") if _changes(word, rng) else [word])
    ]
    if rng.random() < turned:
        words.reverse()
    if rng.random() < LONGER:
        words.insert(rng.choice((0, len(words))), rng.choice(more))
    return spelled_as(words, style)


def _changes(word: str, rng: random.Random) -> bool:
    return word in SYNONYMS and rng.random() < REPLACED
