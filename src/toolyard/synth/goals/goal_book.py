"""Goals: why somebody wants some calls together, with slots to fill and several ways to ask.

    [[goal]]
    name = "sail out of a harbour"
    field = "Sailing/Coastal cruising"
    why = ["the sea tool wants the point, not a name that several places share"]      one reason per link
    calls = [["weatherapi/search", {q = "{town}"}], ["weatherapi/marine", {q = "$1.coordinates", tide = true}]]
    slots = {town = ["Lisbon", "Bergen", ["NO", "Norway"]]}                           a value, or [value, its words]
    says = {tide = "tide"}
    ask = ["Taking the boat out of {town}: ...", "..."]                               at least five
    accepts = [[2, {q = "{town}"}]]                                                   other right arguments of call 2
    reply = "{1.city} lies at {1.coordinates}."                                       for dialogues: fields of call 1, 2, ...

A slot holds a whole argument or an entry of a list. Several slots that belong together are one: `{"from+to" =
[["Oslo", "Bergen"], ...]}` fills {from} and {to} from one entry.
"""

import functools
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any

from toolyard.core.errors import DataError
from toolyard.core.types import JsonValue, Record
from toolyard.synth.chains.chain import Argument, PlannedStep, ResultReference
from toolyard.synth.goals.accepts import Accepts
from toolyard.synth.goals.goal_plans import plan
from toolyard.text.names import capitalise

FOLDER = Path(str(files(__package__)))
LEAST_PHRASINGS = 5
_SLOT = re.compile(r"\{(\w+)\}")
_ARTICLE = re.compile(r"\ba (?=[aeiAEIO])")


@dataclass(frozen=True, slots=True)
class Filling:
    """A goal with values: the calls, one phrasing with the values in it, and the words that stand for others."""

    plan: tuple[PlannedStep, ...]
    text: str
    says: Mapping[str, str]
    reply: str = ""
    accepts: Accepts = ()


@dataclass(frozen=True, slots=True)
class Goal:
    """One goal of the book."""

    name: str
    field: str
    why: tuple[str, ...]
    plan: tuple[PlannedStep, ...]
    slots: Mapping[str, tuple[object, ...]]
    says: Mapping[str, str]
    ask: tuple[str, ...]
    reply: str = ""
    accepts: Accepts = ()

    @property
    def fillings(self) -> int:
        """How many different sets of values there are."""
        total = 1
        for values in self.slots.values():
            total *= len(values)
        return total

    def fill(self, number: int, phrasing: int) -> Filling:
        """The goal with the values of that number (counted through all slots) in one of its phrasings."""
        values: dict[str, JsonValue] = {}
        words: dict[str, str] = {}
        for name, options in self.slots.items():
            number, place = divmod(number, len(options))
            fill_slots(name.split("+"), options[place], values, words)
        steps = tuple(
            PlannedStep(step.tool, {key: fill_values(given, values) for key, given in step.arguments.items()})
            for step in self.plan
        )
        text = fill_phrasing(self.ask[phrasing % len(self.ask)], words)
        said = {str(values[name]): words[name] for name in values if str(values[name]) != words[name]}
        accepts = tuple(
            (place, {name: fill_values(given, values) for name, given in changed.items()})
            for place, changed in self.accepts
        )
        return Filling(steps, text, {**self.says, **said}, self.reply, accepts)

    def drawn(self, rng: Random) -> Filling:
        """A filling by chance."""
        return self.fill(rng.randrange(self.fillings), rng.randrange(len(self.ask)))


def fill_phrasing(phrasing: str, words: Mapping[str, str]) -> str:
    """The phrasing with words in its slots: the right article before them, a capital where a sentence begins."""
    text = _SLOT.sub(lambda found: words[found[1]], phrasing)
    text = _ARTICLE.sub("an ", text)
    begins = phrasing.startswith("{") and phrasing.endswith((".", "?"))
    return capitalise(text) if begins else text


def fill_slots(names: list[str], given: Any, values: dict[str, JsonValue], words: dict[str, str]) -> None:
    """Puts the values of one entry, and the words they are said by, under the names of its slots."""
    for name, item in zip(names, given if len(names) > 1 else [given], strict=True):
        value, said = item if isinstance(item, list) else (item, item)
        values[name] = value
        words[name] = str(said)


def fill_values(given: Argument, values: Mapping[str, JsonValue]) -> Argument:
    """A planned argument with the values of its slots."""
    if isinstance(given, list):
        return [fill_values(item, values) for item in given]
    if isinstance(given, ResultReference) or not isinstance(given, str):
        return given
    whole = _SLOT.fullmatch(given)
    if whole:
        return values[whole[1]]
    return _SLOT.sub(lambda found: str(values[found[1]]), given)


@functools.cache
def all_goals() -> tuple[Goal, ...]:
    """All goals, in the order of the files and of the goals in them."""
    return tuple(goal for path in sorted(FOLDER.glob("*.toml")) for goal in _read_goals(path))


def _read_goals(path: Path) -> Iterator[Goal]:
    try:
        entries = tomllib.loads(path.read_text("utf-8"))["goal"]
    except (tomllib.TOMLDecodeError, KeyError) as error:
        raise DataError(f"{path.name} cannot be read ({error}); wanted [[goal]] tables") from None
    for entry in entries:
        yield _read_goal_entry(entry, f"{path.stem}: {entry.get('name')}")


def _read_goal_entry(entry: Record, where: str) -> Goal:
    goal = Goal(
        entry["name"],
        entry["field"],
        tuple(entry.get("why", ())),
        plan(entry["calls"], where),
        {name: tuple(values) for name, values in entry.get("slots", {}).items()},
        entry.get("says", {}),
        tuple(entry["ask"]),
        entry.get("reply", ""),
        tuple((place - 1, changed) for place, changed in entry.get("accepts", ())),
    )
    if len(goal.ask) < LEAST_PHRASINGS:
        raise DataError(f"{where}: {len(goal.ask)} phrasings; wanted at least {LEAST_PHRASINGS}")
    links = len({(link, name) for step in goal.plan for name, link in _links_of_step(step)})
    if links and not goal.why:
        raise DataError(f"{where}: {links} links and no reason; say why in `why`")
    return goal


def _links_of_step(step: PlannedStep) -> Iterator[tuple[str, int]]:
    for name, given in step.arguments.items():
        for item in given if isinstance(given, list) else (given,):
            if isinstance(item, ResultReference):
                yield name, item.step
