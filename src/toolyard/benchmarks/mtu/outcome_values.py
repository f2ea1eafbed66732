"""When two values of a turn do the same, as far as its prompt can tell."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property

from toolyard.benchmarks.mtu.accepted import wanted_of
from toolyard.benchmarks.mtu.baselines import tool_names
from toolyard.benchmarks.mtu.calls import Call, calls_of
from toolyard.benchmarks.mtu.hard import parameters_of
from toolyard.benchmarks.mtu.value_equality import reference_weekday
from toolyard.core.nesting import texts
from toolyard.core.per_object import PerObject
from toolyard.core.types import Json, Sample
from toolyard.text.dates import WEEKDAYS
from toolyard.text.meaning import canonical, values_equal
from toolyard.text.paraphrase import is_short_form, said_instead, says_more, stem, words_of
from toolyard.text.printable import printable

_REFERENCE = re.compile(r"\s*([\w ]+)\.([\w.]+)\s*")
_RETURNED = re.compile(r"\breturn(?:ed|s)?\b|\breceive\b", re.IGNORECASE)
# Two weeks of days: "next Friday" may be said of either week.
DAYS_AHEAD = 7


@dataclass(frozen=True)
class Turn:
    """What the prompt of a turn says, made ready once."""

    sample: Sample

    @cached_property
    def tools(self) -> frozenset[str]:
        """The offered names in lower case."""
        return frozenset(name.casefold() for name in tool_names(self.sample.input["tools"]))

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

    @cached_property
    def said(self) -> frozenset[str]:
        """Every word of the dialogue."""
        spoken = [self.user, *texts(self.sample.input["history"])]
        return frozenset(word for text in spoken for word in words_of(text))

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
    def _documents(self) -> dict[str, dict[str, Mapping[str, Json]]]:
        listed = self.sample.input["tools"]
        shared = [entry for entry in self.sample.input["shared_parameters"] if isinstance(entry, Mapping)]
        return {
            name.casefold(): {str(each.get("name")): each for each in (*parameters_of(listed, name), *shared)}
            for name in tool_names(listed)
        }

    @cached_property
    def _results(self) -> dict[str, frozenset[str]]:
        found: dict[str, frozenset[str]] = {}
        for each in self.sample.input["tools"]:
            if isinstance(each, Mapping):
                # Two services may offer a tool of one name.
                name = str(each.get("name", "")).casefold()
                found[name] = found.get(name, frozenset()).union(_names(each.get("result_parameters")))
        return found

    def parameters(self, tool: str) -> Mapping[str, Mapping[str, Json]]:
        """The documented parameters of a tool."""
        return self._documents.get(tool.casefold(), {})

    def results(self, tool: str) -> frozenset[str]:
        """The names of what a tool returns."""
        return self._results.get(tool.strip().casefold(), frozenset())

    def selecting(self, tool: str) -> frozenset[str]:
        """The parameters that only choose what is returned."""
        return frozenset(
            name
            for name, each in self.parameters(tool).items()
            if each.get("type") == "array" and _RETURNED.search(str(each.get("description", "")))
        )

    def is_default(self, tool: str, name: str, value: Json) -> bool:
        """Whether the value is the one that the documents say is taken anyway."""
        entry = self.parameters(tool).get(name, {})
        default = entry.get("default", (entry.get("items") or {}).get("default")) if entry else None
        return default is not None and values_equal(value, default, self.today)

    @cached_property
    def known_calls(self) -> dict[str, Call]:
        """The last call of every tool, in the history or wanted now."""
        past = [call for turn in self.sample.input["history"] for call in calls_of(turn["calls"])]
        return {call.name.casefold(): call for call in (*past, *wanted_of(self.sample).gold)}

    def passed_on(self, given: str, gold: Json) -> bool:
        """Whether the value is the result of a call that was given gold's value under the same name."""
        source, _, field = given.partition(".")
        call = self.known_calls.get(source.strip().casefold())
        if call is None or field not in self.results(source):
            return False
        return field in call.arguments and values_equal(call.arguments[field], gold, self.today)

    def taken(self, name: str, want: Call) -> frozenset[str]:
        """The words of what gold gives to the other parameters of the turn."""
        return frozenset(
            word
            for call in wanted_of(self.sample).gold
            for key, value in call.arguments.items()
            if not (key == name and call.name == want.name)
            for text in texts(value)
            for word in words_of(text)
        )

    def said_for(self, name: str, value: str, want: Call) -> bool:
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
        return standing and not set(words) & self.taken(name, want)


turn_of: PerObject[Sample, Turn] = PerObject(Turn)


def _names(entries: Json) -> list[str]:
    if isinstance(entries, Mapping):
        return [str(name) for name in entries]
    listed = entries if isinstance(entries, Sequence) and not isinstance(entries, str) else []
    return [str(each.get("name") if isinstance(each, Mapping) else each) for each in listed]


def same_value(given: Json, gold: Json, turn: Turn, name: str, want: Call) -> bool:
    """Whether the value does what gold's does."""
    if values_equal(given, gold, turn.today):
        return True
    if isinstance(gold, list) or isinstance(given, list):
        return _same_list(given, gold, turn, name, want)
    if not isinstance(given, str | int | float) or not isinstance(gold, str | int | float):
        return False
    # What nobody sees is no part of a fair reading, so it is written out and counts as other words.
    ours, wanted = printable(str(given)), str(gold)
    theirs = _REFERENCE.fullmatch(wanted)
    if theirs is not None and turn.results(theirs.group(1)) | turn.results(ours.partition(".")[0]):
        return _same_result(ours, theirs, turn)
    if turn.passed_on(ours, gold):
        return True
    return _same_day(ours, wanted, turn) or _same_text(ours, wanted, turn, name, want)


def _same_list(given: Json, gold: Json, turn: Turn, name: str, want: Call) -> bool:
    ours = given if isinstance(given, list) else [given]
    wanted = gold if isinstance(gold, list) else [gold]
    selecting = name in turn.selecting(want.name)
    if selecting and (ours == ["all"] or wanted == ["all"]):
        return True
    left = list(ours)
    for item in wanted:
        found = next((each for each in left if _same_item(each, item, turn, name, want, selecting)), None)
        if found is None:
            return False
        left.remove(found)
    return selecting or not left


def _same_item(given: Json, gold: Json, turn: Turn, name: str, want: Call, selecting: bool) -> bool:
    if selecting and isinstance(given, str) and isinstance(gold, str):
        ours, wanted = (set(words_of(text.replace("_", " "))) for text in (given, gold))
        return bool(ours and wanted) and (ours <= wanted or wanted <= ours)
    return (
        not isinstance(gold, list)
        and not isinstance(given, list)
        and same_value(given, gold, turn, name, want)
    )


def _same_result(given: str, gold: re.Match[str], turn: Turn) -> bool:
    """One result: the same field of the same tool, or of one that takes from it what it passes on."""
    ours = _REFERENCE.fullmatch(given)
    if ours is None:
        return False
    field, wanted = ours.group(2).rpartition(".")[2], gold.group(2).rpartition(".")[2]
    if field.casefold() != wanted.casefold():
        return False
    first, second = (match.group(1).strip().casefold() for match in (ours, gold))
    if first == second:
        return True
    known = turn.known_calls
    both = first in known and second in known and field in turn.results(first) & turn.results(second)
    return both and (_takes(known[first], second) or _takes(known[second], first))


def _takes(call: Call, source: str) -> bool:
    return any(text.casefold().startswith(f"{source}.") for text in texts(list(call.arguments.values())))


def _same_day(given: str, gold: str, turn: Turn) -> bool:
    """A weekday and a date that the prompt's own calendar puts on it, within a week."""
    if turn.today is None or turn.weekday is None:
        return False
    plain = [text.casefold().removeprefix("next ").removeprefix("this ").strip() for text in (given, gold)]
    named = [text in WEEKDAYS for text in plain]
    if named[0] == named[1]:
        return False
    day, other = (plain[0], gold) if named[0] else (plain[1], given)
    form = canonical(other.casefold().removeprefix(f"{day}, "), turn.today)
    ahead = (WEEKDAYS.index(day) - turn.weekday) % DAYS_AHEAD
    return form == ("text", (turn.today + timedelta(days=ahead)).isoformat())


def _same_text(given: str, gold: str, turn: Turn, name: str, want: Call) -> bool:
    taken = turn.taken(name, want)
    if says_more(given, gold, turn.said, taken):
        return True
    said = turn.user if stem(words_of(given)[0]) in map(stem, words_of(turn.user)) else " ".join(turn.said)
    if is_short_form(given, gold) and set(words_of(given)) <= turn.said:
        return True
    explained = {stem(word) for word in taken} | {
        stem(word) for word in words_of(want.name.replace("_", " ")) + words_of(name.replace("_", " "))
    }
    return said_instead(given, gold, said, explained) and is_near(given, gold)


def is_near(given: str, gold: str) -> bool:
    """Whether the texts share the beginning of a word: a form of the same word, not another thing."""
    return bool({word[:4] for word in words_of(given)} & {word[:4] for word in words_of(gold)})
