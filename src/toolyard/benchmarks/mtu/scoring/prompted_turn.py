"""What the prompt of a turn says: its tools, its dialogue, its day; made ready once for comparing values."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from toolyard.benchmarks.mtu.data.hard_types import tool_inputs
from toolyard.benchmarks.mtu.data.sample import MtuSample
from toolyard.benchmarks.mtu.scoring.accepted_answers import wanted_of
from toolyard.benchmarks.mtu.scoring.baselines import tool_names
from toolyard.benchmarks.mtu.scoring.calls import Call, calls_of
from toolyard.benchmarks.mtu.scoring.value_equality import reference_weekday
from toolyard.core.cache_by_object import PerObject
from toolyard.core.nesting import texts_in
from toolyard.core.types import JsonValue, Record
from toolyard.text.canonical_values import values_equal
from toolyard.text.names import name_words
from toolyard.text.ordinals import WEEKDAYS
from toolyard.text.paraphrase import STOP_WORDS, stem_of_word, words_of

# What such a parameter holds is read by people and changes nothing that is done.
_REASON = re.compile(r"reason|purpose", re.IGNORECASE)
_RETURNED = re.compile(r"\breturn(?:ed|s)?\b|\breceive\b", re.IGNORECASE)
# A longer answer must say something of its own.
MOST_PIECES = 12
_PIECE = re.compile(r"[^\W\d_]+|\d+")
ALL: tuple[JsonValue, ...] = ("all", ["all"])


@dataclass(frozen=True)
class PromptedTurn:
    """What the prompt of a turn says, made ready once."""

    sample: MtuSample

    @cached_property
    def tools(self) -> frozenset[str]:
        """The offered names in lower case."""
        return frozenset(name.casefold() for name in tool_names(self.sample.input["tools"]))

    @cached_property
    def tools_without_parameters(self) -> frozenset[str]:
        """The offered tools that take nothing, in lower case."""
        return frozenset(name for name in self.tools if not self.parameters(name))

    @cached_property
    def reachable(self) -> bool:
        """Whether an accepted answer calls only tools that are offered."""
        return any(
            all(call.name.strip(". ").casefold() in self.tools for call in accepted.calls)
            for accepted in wanted_of(self.sample).accepted
        )

    @property
    def user(self) -> str:
        """What the user says now."""
        return str(self.sample.input["user"])

    @property
    def question(self) -> str:
        """The whole prompt as the row has it."""
        return str(self.sample.input["question"])

    @cached_property
    def dialogue(self) -> str:
        """All that was said, in its order."""
        return " ".join([*texts_in(self.sample.input["history"]), self.user])

    @cached_property
    def dialogue_words(self) -> frozenset[str]:
        """Every word of the dialogue."""
        return frozenset(words_of(self.dialogue))

    @cached_property
    def refusable(self) -> bool:
        """Whether it may be that nothing can be done: by the row, or as nothing that was said is about a listed tool."""
        situation = self.sample.gold.get("situation")
        if situation:
            return situation in ("unable", "inability")
        if not self.sample.input["history"] and self.sample.input["kind"].startswith("S"):
            return True
        about = (*self._descriptions, *self._descriptions.values())
        known = {stem_of_word(word) for text in about for word in (*name_words(text), *words_of(text))}
        spoken = [self.user, *(str(turn.get("user", "")) for turn in self.sample.input["history"])]
        said = {word for text in spoken for word in words_of(text)} - STOP_WORDS
        return not any(stem_of_word(word) in known for word in said)

    @property
    def today(self) -> date | None:
        """The day that the prompt calls today."""
        return wanted_of(self.sample).today

    @cached_property
    def weekday(self) -> int | None:
        """The weekday that the prompt gives for today, right or wrong: what its gold counts from."""
        found = reference_weekday(self.sample.input["instructions"])
        if found:
            return WEEKDAYS.index(found)
        return self.today.weekday() if self.today else None

    @cached_property
    def _documents(self) -> dict[str, dict[str, Record]]:
        listed = self.sample.input["tools"]
        shared = [entry for entry in self.sample.input["shared_parameters"] if isinstance(entry, Mapping)]
        return {
            name.casefold(): {str(each.get("name")): each for each in (*tool_inputs(listed, name), *shared)}
            for name in tool_names(listed)
        }

    @cached_property
    def _result_names(self) -> dict[str, frozenset[str]]:
        found: dict[str, frozenset[str]] = {}
        for each in self.sample.input["tools"]:
            if isinstance(each, Mapping):
                # Two services may offer a tool of one name.
                name = str(each.get("name", "")).casefold()
                found[name] = found.get(name, frozenset()).union(
                    _names_of_entries(each.get("result_parameters"))
                )
        return found

    def parameters(self, tool: str) -> Mapping[str, Record]:
        """The documented parameters of a tool."""
        return self._documents.get(tool.casefold(), {})

    def results(self, tool: str) -> frozenset[str]:
        """The names of what a tool returns."""
        return self._result_names.get(tool.strip().casefold(), frozenset())

    def selecting(self, tool: str) -> frozenset[str]:
        """The parameters that only choose what is returned."""
        return frozenset(
            name
            for name, each in self.parameters(tool).items()
            if each.get("type") == "array" and _RETURNED.search(str(each.get("description", "")))
        )

    def only_selects(self, tool: str, name: str) -> bool:
        """Whether the name only chooses what is returned, also where documents have it among the results alone."""
        if name in self.selecting(tool):
            return True
        return name in self.results(tool) and name not in self.parameters(tool)

    def parameter_text(self, tool: str, name: str) -> str:
        """The parameter's name and what its document says of it."""
        return f"{name} {self.parameters(tool).get(name, {}).get('description', '')}"

    def is_stated_reason(self, tool: str, name: str, value: str) -> bool:
        """Whether the value is a reason, in words that the dialogue or the tool's document has."""
        entry = self.parameters(tool).get(name, {})
        choices = entry.get("enum") or entry.get("choices")
        if not _REASON.search(name) or (isinstance(choices, list) and value not in choices):
            return False
        spoken = (*self.dialogue_words, *words_of(self.description(tool)))
        known = {stem_of_word(word) for word in spoken}
        telling = [word for word in words_of(value.replace("_", " ")) if word not in STOP_WORDS]
        return bool(telling) and all(stem_of_word(word) in known for word in telling)

    @cached_property
    def _descriptions(self) -> dict[str, str]:
        listed = [each for each in self.sample.input["tools"] if isinstance(each, Mapping)]
        return {str(each.get("name", "")).casefold(): str(each.get("description", "")) for each in listed}

    def description(self, tool: str) -> str:
        """What the document says that the tool does."""
        return self._descriptions.get(tool.casefold(), "")

    def is_default(self, tool: str, name: str, value: JsonValue) -> bool:
        """Whether the value is the one that the documents say is taken anyway."""
        default = self._default(tool, name)
        return default is not None and values_equal(value, default, self.today)

    def _default(self, tool: str, name: str) -> JsonValue:
        entry = self.parameters(tool).get(name, {})
        return entry.get("default", (entry.get("items") or {}).get("default")) if entry else None

    def returns_all(self, tool: str, name: str) -> bool:
        """Whether everything is returned where nobody chooses what."""
        return name in self.selecting(tool) and self._default(tool, name) in ALL

    def names_the_kind(self, tool: str, value: str) -> bool:
        """Whether the value is the word of the dialogue for what the tool is about: `hotel` to a search for hotels."""
        words = words_of(value)
        about = [*name_words(tool), *words_of(self.description(tool))]
        return (
            len(words) == 1
            and words[0] in self.dialogue_words
            and stem_of_word(words[0]) in map(stem_of_word, about)
        )

    def is_given_elsewhere(self, tool: str, name: str, value: JsonValue) -> bool:
        """Whether another tool is given the same value under the same name, now or in the turn before."""
        before = self.sample.input["history"][-1:]
        calls = [*wanted_of(self.sample).gold, *(call for turn in before for call in calls_of(turn["calls"]))]
        return any(
            call.name != tool and values_equal(value, call.arguments[name], self.today)
            for call in calls
            if name in call.arguments
        )

    def repeats_search(self, want: Call, name: str, value: JsonValue) -> bool:
        """Whether gold asks for one thing by its name, and the value is what the same tool was given to find it."""
        named = any(key.casefold().endswith(("name", "id")) for key in want.arguments)
        found = [call for turn in self.sample.input["history"] for call in calls_of(turn["calls"])]
        last = next((call for call in reversed(found) if call.name == want.name), None)
        return named and last is not None and values_equal(value, last.arguments.get(name), self.today)

    def was_stated(self, source: str, field: str, value: JsonValue) -> bool:
        """Whether the dialogue said the value when the tool was called: a number, or a text right after its field."""
        words = words_of(f"{value:g}" if isinstance(value, float) else str(value))
        replies = [
            f"{turn['observation']} {turn['assistant']}"
            for turn in self.sample.input["history"]
            if source in {call.name.casefold() for call in calls_of(turn["calls"])}
        ]
        spoken = " ".join(" ".join(words_of(text.replace("_", " "))) for text in replies)
        before = () if len(words) == 1 and words[0].isdigit() else words_of(field.replace("_", " "))
        return bool(words) and f" {' '.join((*before, *words))} " in f" {spoken} "

    def was_observed(self, said: str) -> bool:
        """Whether a short answer is a value that an earlier turn has: "11.18 dollars.", "LX629." """
        told = [
            text for turn in self.sample.input["history"] for text in (turn["observation"], turn["assistant"])
        ]
        known = frozenset(piece for text in told for piece in _PIECE.findall(text.casefold()))
        telling = [piece for piece in _PIECE.findall(said.casefold()) if piece not in STOP_WORDS]
        return 0 < len(telling) <= MOST_PIECES and sum(piece in known for piece in telling) * 2 >= len(
            telling
        )

    @cached_property
    def known_calls(self) -> dict[str, Call]:
        """The last call of every tool, in the history or wanted now."""
        past = [call for turn in self.sample.input["history"] for call in calls_of(turn["calls"])]
        return {call.name.casefold(): call for call in (*past, *wanted_of(self.sample).gold)}

    def is_passed_on(self, given: str, gold: JsonValue) -> bool:
        """Whether the value is the result of a call that was given gold's value under the same name."""
        source, _, field = given.partition(".")
        call = self.known_calls.get(source.strip().casefold())
        if call is None or field not in self.results(source):
            return False
        return field in call.arguments and values_equal(call.arguments[field], gold, self.today)

    def words_given_elsewhere(self, name: str, want: Call) -> frozenset[str]:
        """The words of what gold gives to the other parameters of the turn."""
        return frozenset(
            word
            for call in wanted_of(self.sample).gold
            for key, value in call.arguments.items()
            if not (key == name and call.name == want.name)
            for text in texts_in(value)
            for word in words_of(text)
        )

    def is_said_for(self, name: str, value: str, want: Call) -> bool:
        """Whether the user says the value now, of a parameter that has a documented default or choices to leave."""
        entry, words = self.parameters(want.name).get(name, {}), words_of(value)
        fixed = (
            entry.get("default") not in (None, "", "dontcare", [])
            or entry.get("choices")
            or entry.get("enum")
        )
        if not fixed or not words or any(map(str.isdigit, value)):
            return False
        standing = f" {' '.join(words)} " in f" {' '.join(words_of(self.user))} "
        return standing and not set(words) & self.words_given_elsewhere(name, want)


turn_of: PerObject[MtuSample, PromptedTurn] = PerObject(PromptedTurn)


def _names_of_entries(entries: JsonValue) -> list[str]:
    if isinstance(entries, Mapping):
        return [str(name) for name in entries]
    listed = entries if isinstance(entries, Sequence) and not isinstance(entries, str) else []
    return [str(each.get("name") if isinstance(each, Mapping) else each) for each in listed]
