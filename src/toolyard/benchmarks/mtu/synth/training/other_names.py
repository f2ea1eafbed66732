"""Dialogues under other names: nonsense, another spelling, or other words that make sense.

    FindBus(from_city)   find_bus(from_city)   look_for_coach(start_town)   zorp(blick)

A name that says nothing has to be found by what its document says; a model that meets another name every time has to
read the list. Gold, history and references follow.
"""

import functools
import random
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import DialogueCall, DialogueTurn
from toolyard.benchmarks.mtu.synth.instruct.corpus_rows import Document
from toolyard.benchmarks.mtu.synth.instruct.tool_library import SECTIONS
from toolyard.core.types import JsonValue, Record
from toolyard.synth.mixture.nonsense import nonsense_words
from toolyard.text.json_values import map_texts
from toolyard.text.names import name_in_words, name_words


@dataclass(frozen=True, slots=True)
class OtherNames:
    """Tool -> its other name, and by tool its parameters' and results' other names."""

    tools: Mapping[str, str]
    fields: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def document(self, document: Document) -> Record:
        """The document under its other names."""
        names = self.fields.get(document["name"], {})
        sections = {
            key: [{**each, "name": names.get(each["name"], each["name"])} for each in document[key]]
            for key in SECTIONS
        }
        return {**document, "name": self.tools.get(document["name"], document["name"]), **sections}

    def turn(self, turn: DialogueTurn) -> DialogueTurn:
        """The turn with its calls, their results and its thought under the other names."""
        return replace(
            turn, thought=self._rename_in_thought(turn.thought), calls=tuple(map(self._call, turn.calls))
        )

    def _rename_in_thought(self, thought: str) -> str:
        """A thought that speaks of tools and parameters (`the departure date`), under their other names."""
        words = {
            f"the {name_in_words(name)}": f"the {name_in_words(other)}"
            for names in self.fields.values()
            for name, other in names.items()
            if name != other
        }
        words |= {name: other for name, other in self.tools.items() if name != other}
        found = sorted((each for each in words if each in thought), key=len, reverse=True)
        if not found:
            return thought
        return re.sub(rf"\b(?:{'|'.join(map(re.escape, found))})\b", lambda match: words[match[0]], thought)

    def _call(self, call: DialogueCall) -> DialogueCall:
        names = self.fields.get(call.name, {})
        arguments = {names.get(key, key): self._rename_value(value) for key, value in call.arguments.items()}
        returned = map_texts(call.observation, key=lambda name: names.get(name, name))
        return replace(
            call, name=self.tools.get(call.name, call.name), arguments=arguments, returned=returned
        )

    def _rename_value(self, value: JsonValue) -> JsonValue:
        """A reference to a result under its new name; any other value unchanged."""
        if isinstance(value, list):
            return [self._rename_value(each) for each in value]
        tool, dot, result = value.partition(".") if isinstance(value, str) else ("", "", "")
        if not dot or tool not in self.tools:
            return value
        return f"{self.tools[tool]}.{self.fields.get(tool, {}).get(result, result)}"


def _rename_all(
    documents: Iterable[Document], tool: Callable[[str], str], parameter: Callable[[str], str]
) -> OtherNames:
    """Every tool and every parameter under another name; a name that tools share stays shared."""
    tools = {document["name"]: tool(document["name"]) for document in documents}
    fields = {
        document["name"]: {
            each["name"]: parameter(each["name"]) for key in SECTIONS for each in document[key]
        }
        for document in documents
    }
    return OtherNames(tools, fields)


def all_nonsense(documents: Iterable[Document], rng: random.Random) -> OtherNames:
    """Every name is a word that means nothing."""
    words = nonsense_words(rng)
    return _rename_all(documents, lambda _: next(words), functools.cache(lambda _: next(words)))


def respell_tool_names(documents: Sequence[Document], style: str) -> OtherNames:
    """Tool names as `find_bus`, `findBus` or `FindBus`; as they are for no style, or where two would become one."""
    names = [document["name"] for document in documents]
    others = {
        name: join_in_style(words, style) if style and (words := name_words(name)) else name for name in names
    }
    return OtherNames(others if len(set(others.values())) == len(others) else {name: name for name in names})


def join_in_style(words: Sequence[str], style: str) -> str:
    """The words as `find_bus`, `findBus` or `FindBus`."""
    if style == "snake":
        return "_".join(words)
    capitals = "".join(word.capitalize() for word in words)
    return capitals if style == "pascal" else words[0] + capitals[len(words[0]) :]


# How often a word that has others is replaced, the words of a parameter change places, a name gets one more word.
REPLACED, TURNED, LONGER = 0.6, 0.15, 0.15
TOOL_STYLES = ("snake", "camel", "pascal")
PARAMETER_STYLES = ("snake", "snake", "camel")
MORE_OF_TOOLS = ("service", "api", "tool", "now", "my", "quick", "user", "v2")
MORE_OF_PARAMETERS = ("wanted", "user", "given", "value", "info", "my", "chosen", "target")


SYNONYMS: Mapping[str, tuple[str, ...]] = {
    word: tuple(others.split())
    for line in Path(__file__).with_name("synonyms.txt").read_text("utf-8").splitlines()
    for word, _, others in [line.partition(":")]
}


def reword_names(documents: Sequence[Document], rng: random.Random) -> OtherNames:
    """Every name is made of other words that make sense."""
    tool = Naming(rng.choice(TOOL_STYLES), MORE_OF_TOOLS, 0.0, rng)
    parameter = Naming(rng.choice(PARAMETER_STYLES), MORE_OF_PARAMETERS, TURNED, rng)
    return _rename_all(documents, tool.draw_name, parameter.draw_name)


@dataclass(slots=True)
class Naming:
    """Other names in one style; the same name becomes the same, two never become one."""

    style: str
    more: Sequence[str]
    turned: float
    rng: random.Random
    given: dict[str, str] = field(default_factory=dict)

    def draw_name(self, name: str) -> str:
        """Another name, the first draw that no other name has."""
        if name not in self.given:
            taken = {each.casefold() for each in self.given.values()}
            draws = (f"{self._draw_candidate(name)}{number}" for number in [""] * 19 + [*range(20, 1_000)])
            self.given[name] = next(each for each in draws if each.casefold() not in taken)
        return self.given[name]

    def _draw_candidate(self, name: str) -> str:
        words = [
            part
            for word in name_words(name) or [name]
            for part in (
                self.rng.choice(SYNONYMS[word]).split("_")
                if word in SYNONYMS and self.rng.random() < REPLACED
                else [word]
            )
        ]
        if self.rng.random() < self.turned:
            words.reverse()
        if self.rng.random() < LONGER:
            words.insert(self.rng.choice((0, len(words))), self.rng.choice(self.more))
        return join_in_style(words, self.style)
