"""Dialogues under other names: tools and parameters as nonsense, or tool names in another spelling.

A name that says nothing has to be found by what its document says; gold, history and references follow.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from toolyard.benchmarks.mtu.synth.instruct.dialogue_rows import Document, StandardCall, StandardTurn
from toolyard.core.types import JsonValue
from toolyard.synth.mixture.nonsense import nonsense_words
from toolyard.text.names import name_words, spoken

SECTIONS = ("required_parameters", "optional_parameters", "result_parameters")


@dataclass(frozen=True, slots=True)
class OtherNames:
    """Tool -> its other name, and by tool its parameters' and results' other names."""

    tools: Mapping[str, str]
    fields: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def document(self, document: Document) -> dict[str, Any]:
        """The document under its other names."""
        names = self.fields.get(document["name"], {})
        sections = {
            key: [{**each, "name": names.get(each["name"], each["name"])} for each in document[key]]
            for key in SECTIONS
        }
        return {**document, "name": self.tools.get(document["name"], document["name"]), **sections}

    def turn(self, turn: StandardTurn) -> StandardTurn:
        """The turn with its calls, their results and its thought under the other names."""
        return replace(turn, thought=self._thought(turn.thought), calls=tuple(map(self._call, turn.calls)))

    def _thought(self, thought: str) -> str:
        """A thought that speaks of tools and parameters (`the departure date`), under their other names."""
        words = {
            f"the {spoken(name)}": f"the {spoken(other)}"
            for name, other in self._parameters()
            if name != other
        }
        words |= {name: other for name, other in self.tools.items() if name != other}
        found = sorted((each for each in words if each in thought), key=len, reverse=True)
        if not found:
            return thought
        return re.sub(rf"\b(?:{'|'.join(map(re.escape, found))})\b", lambda match: words[match[0]], thought)

    def _parameters(self) -> Iterator[tuple[str, str]]:
        for names in self.fields.values():
            yield from names.items()

    def _call(self, call: StandardCall) -> StandardCall:
        names = self.fields.get(call.name, {})
        arguments = {names.get(key, key): self._value(value) for key, value in call.arguments.items()}
        returned = _rekeyed(call.observation, names)
        return replace(
            call, name=self.tools.get(call.name, call.name), arguments=arguments, returned=returned
        )

    def _value(self, value: JsonValue) -> JsonValue:
        """A reference to a result under its other name; any other value as it is."""
        if isinstance(value, list):
            return [self._value(each) for each in value]
        tool, dot, result = value.partition(".") if isinstance(value, str) else ("", "", "")
        if not dot or tool not in self.tools:
            return value
        return f"{self.tools[tool]}.{self.fields.get(tool, {}).get(result, result)}"


def _rekeyed(value: object, names: Mapping[str, str]) -> object:
    if isinstance(value, list | tuple):
        return [_rekeyed(each, names) for each in value]
    if isinstance(value, Mapping):
        return {names.get(key, key): _rekeyed(each, names) for key, each in value.items()}
    return value


def nonsense(documents: Iterable[Document], rng: random.Random) -> OtherNames:
    """Every tool and every parameter under a word that means nothing; a name that tools share stays shared."""
    words = nonsense_words(rng)
    tools = {document["name"]: next(words) for document in documents}
    shared: dict[str, str] = {}
    fields: dict[str, dict[str, str]] = {}
    for document in documents:
        names = dict.fromkeys(each["name"] for key in SECTIONS for each in document[key])
        for name in names:
            if name not in shared:
                shared[name] = next(words)
        fields[document["name"]] = {name: shared[name] for name in names}
    return OtherNames(tools, fields)


def spelled(documents: Sequence[Document], style: str) -> OtherNames:
    """Tool names as `find_bus`, `findBus` or `FindBus`; as they are for no style, or where two would become one."""
    names = [document["name"] for document in documents]
    others = {name: _spelled(name, style) for name in names}
    return OtherNames(others if len(set(others.values())) == len(others) else {name: name for name in names})


def _spelled(name: str, style: str) -> str:
    words = name_words(name)
    return spelled_as(words, style) if style and words else name


def spelled_as(words: Sequence[str], style: str) -> str:
    """The words as `find_bus`, `findBus` or `FindBus`."""
    if style == "snake":
        return "_".join(words)
    capitals = "".join(word.capitalize() for word in words)
    return capitals if style == "pascal" else words[0] + capitals[len(words[0]) :]
