"""Requests: one call that somebody wants, with slots, several ways to ask, and the talk around it.

[[request]]
theme = "trip"                                              requests of one theme can follow one another
call = ["weatherapi/time_zone", {q = "{town}"}]
slots = {town = ["Lima", "Oslo"]}                           a value, or [value, its words]
lacks = "town"                                              the slot that may be left out at first, or changed later
ask = ["What time is it in {town} right now?", ...]         at least five, with every slot
open = ["Is it too late to call them over there?", ...]     the same without `lacks`, where the tool cannot do without it
which = ["Where do they live?", ...]                        the assistant's question for it
change = ["And in {town}?", ...]                            the same request with another value
reply = "In {city} it is {local_time}."                     returned fields in words
known = [["time_zone", "Which zone is that?", "It is {time_zone}."]]     what was returned and can be asked later
"""

import functools
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from random import Random

from toolyard.core.errors import DataError
from toolyard.core.types import JsonValue, Record
from toolyard.synth.chains.chain import PlannedStep
from toolyard.synth.goals.goal_book import LEAST_PHRASINGS, fill_phrasing, fill_slots, fill_values
from toolyard.synth.goals.goal_plans import plan
from toolyard.text.names import capitalise

FOLDER = Path(str(files(__package__)))
SUPPLIES = ("{}.", "{}, please.", "Oh, right: {}.")


@dataclass(frozen=True, slots=True)
class Known:
    """A returned field that can be asked for later: its name, the question and the answer."""

    field: str
    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Values:
    """Values for the slots of a request, and the words that they are said by."""

    values: Record
    words: Mapping[str, str]

    @property
    def inferred(self) -> tuple[str, ...]:
        """The values that are said in other words."""
        return tuple(str(value) for name, value in self.values.items() if str(value) != self.words[name])


@dataclass(frozen=True, slots=True)
class UserRequest:
    """One request of the book."""

    theme: str
    step: PlannedStep
    slots: Mapping[str, tuple[JsonValue, ...]]
    lacks: str
    ask: tuple[str, ...]
    open: tuple[str, ...]
    which: tuple[str, ...]
    change: tuple[str, ...]
    reply: str
    known: tuple[Known, ...]

    @property
    def tool(self) -> str:
        """The tool that it takes."""
        return self.step.tool

    def draw_values(self, rng: Random, shared: Values | None = None) -> Values:
        """Values by chance, beside those that the dialogue shares."""
        return drawn_values(self.slots, rng, shared)

    def change_value(self, before: Values, rng: Random) -> Values | None:
        """The same values but for another one in the slot that may change; numbers grow: fewer of them is known already."""
        names = self.lacks.split("+")
        others = []
        for option in self.slots[self.lacks]:
            values, words = dict(before.values), dict(before.words)
            fill_slots(names, option, values, words)
            if _is_new_value(before.values[names[0]], values[names[0]]):
                others.append(Values(values, words))
        return rng.choice(others) if others else None

    def call(self, given: Values) -> PlannedStep:
        """The call with these values."""
        arguments = {name: fill_values(each, given.values) for name, each in self.step.arguments.items()}
        return PlannedStep(self.tool, arguments)

    def phrase(self, phrasings: tuple[str, ...], given: Values, rng: Random) -> str:
        """One of the phrasings with the values in it."""
        return fill_phrasing(rng.choice(phrasings), given.words)

    def missing_value_reply(self, given: Values, rng: Random) -> str:
        """The user's answer to the question for what was left out."""
        text = rng.choice(SUPPLIES).format(given.words[self.lacks])
        return text if "@" in text else capitalise(text)


def _is_new_value(before: JsonValue, after: JsonValue) -> bool:
    """Whether a value changes to one that nothing said so far holds."""
    if isinstance(before, int | float) and isinstance(after, int | float):
        return after > before
    return before != after


def drawn_values(
    slots: Mapping[str, tuple[JsonValue, ...]], rng: Random, shared: Values | None = None
) -> Values:
    """Values by chance for these slots, beside those that are shared; one that was said stays where it can."""
    values: dict[str, JsonValue] = dict(shared.values) if shared else {}
    words: dict[str, str] = dict(shared.words) if shared else {}
    for name, options in slots.items():
        names = name.split("+")
        said = {each: values[each] for each in names if each in values}
        drawn = rng.choice(options)
        fitting = [option for option in options if said.items() <= _values_of_option(names, option).items()]
        fill_slots(names, drawn if drawn in fitting or not fitting else fitting[0], values, words)
    return Values(values, words)


def _values_of_option(names: list[str], option: JsonValue) -> dict[str, JsonValue]:
    found: dict[str, JsonValue] = {}
    fill_slots(names, option, found, {})
    return found


@functools.cache
def user_requests() -> tuple[UserRequest, ...]:
    """All requests, in the order of the files and of the requests in them."""
    found = []
    for path in sorted(FOLDER.glob("*.toml")):
        entries = tomllib.loads(path.read_text("utf-8"))["request"]
        found += [_read_request(entry, f"{path.stem}: {entry['call'][0]}") for entry in entries]
    return tuple(found)


def _read_request(entry: Record, where: str) -> UserRequest:
    request = read_request(entry, entry["theme"], entry["ask"], LEAST_PHRASINGS, where)
    if len(request.slots.get(request.lacks, ())) < 2:
        raise DataError(
            f"{where}: {request.lacks} has fewer than two values; a request must be able to change"
        )
    return request


def read_request(entry: Record, theme: str, ask: Sequence[str], least: int, where: str) -> UserRequest:
    """The request of an entry of a book, with so many ways to ask at least."""
    if len(ask) < least:
        raise DataError(f"{where}: {len(ask)} phrasings; wanted at least {least}")
    texts = {name: tuple(entry.get(name, ())) for name in ("open", "which", "change")}
    known = tuple(Known(*each) for each in entry.get("known", ()))
    step, slots = plan([entry["call"]], where)[0], read_slots(entry)
    return UserRequest(
        theme, step, slots, entry.get("lacks", ""), tuple(ask), reply=entry["reply"], known=known, **texts
    )


def read_slots(entry: Record) -> dict[str, tuple[JsonValue, ...]]:
    """The values that each slot of an entry may have."""
    return {name: tuple(values) for name, values in entry.get("slots", {}).items()}
