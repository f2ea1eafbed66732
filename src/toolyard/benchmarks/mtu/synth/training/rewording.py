"""Tools and parameters under other names that make sense: `FindBus(from_city)` as `look_for_coach(start_town)`.

A model that meets few names learns them by heart; one that meets another name every time has to read the list.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
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
    tool = Naming(rng.choice(TOOL_STYLES), MORE_OF_TOOLS, 0.0, rng)
    parameter = Naming(rng.choice(PARAMETER_STYLES), MORE_OF_PARAMETERS, TURNED, rng)
    tools = {document["name"]: tool.other(document["name"]) for document in documents}
    fields = {
        document["name"]: {
            each["name"]: parameter.other(each["name"]) for key in SECTIONS for each in document[key]
        }
        for document in documents
    }
    return OtherNames(tools, fields)


@dataclass(slots=True)
class Naming:
    """Other names in one style; the same name becomes the same, two never become one."""

    style: str
    more: Sequence[str]
    turned: float
    rng: random.Random
    given: dict[str, str] = field(default_factory=dict)

    def other(self, name: str) -> str:
        """Another name, the first draw that no other name has."""
        if name not in self.given:
            taken = {each.casefold() for each in self.given.values()}
            self.given[name] = next(each for each in self._draws(name) if each.casefold() not in taken)
        return self.given[name]

    def _draws(self, name: str) -> Iterator[str]:
        for number in range(1, 1_000):
            drawn = self._drawn(name)
            yield drawn if number < 20 else f"{drawn}{number}"

    def _drawn(self, name: str) -> str:
        words = [
            part
            for word in name_words(name) or [name]
            for part in (self.rng.choice(SYNONYMS[word]).split("_") if _changes(word, self.rng) else [word])
        ]
        if self.rng.random() < self.turned:
            words.reverse()
        if self.rng.random() < LONGER:
            words.insert(self.rng.choice((0, len(words))), self.rng.choice(self.more))
        return spelled_as(words, self.style)


def _changes(word: str, rng: random.Random) -> bool:
    return word in SYNONYMS and rng.random() < REPLACED
