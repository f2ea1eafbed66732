"""The evidence step that executes calls: what an answer's calls return in the world, beside what gold's return.

Observations are kept by (seed, the calls before that changed the world, tool, arguments): a call that changes nothing is
executed once in a process, whoever makes it. Evidence names the version of the world and is of no use in another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

import orjson

from toolyard.core.declared_world import VERSION
from toolyard.core.errors import MissingExtra
from toolyard.core.types import Evidence, Failure, JsonValue, Record
from toolyard.models.judge import AskedQuestion

if TYPE_CHECKING:
    from toolyard.world.kernel.allowance import Allowance
    from toolyard.world.kernel.state import World

# What evidence of this kind was made with, in the place of a model.
EXECUTOR = f"world/{VERSION}"
KIND = "execution"
FURTHER_SEEDS = 2
# Gold may fail or find nothing under a seed that is not its own: so many are tried.
SEEDS_TRIED = 4
# A kept observation takes about a kilobyte.
MOST_KEPT = 50_000
MOST_GOLD = 4_000
LONGEST_KEPT = 2_000
SECONDS_PER_ANSWER = 20.0
SHOWN_CHARACTERS = 200
LONGEST_KEPT_VALUE = 2_000


class KeptExecution(NamedTuple):
    """What is kept of one execution: a digest of what came back, the values that later calls take, the state after it."""

    output: str
    shown: str
    error: str
    is_empty: bool
    state: str
    changes: bool
    results: Mapping[str, JsonValue]


KEPT: dict[tuple[int, tuple[bytes, ...], bytes], KeptExecution] = {}


def execute_questions(asked: Iterable[AskedQuestion]) -> Iterator[Evidence]:
    """The evidence for the questions of this kind; where a package is missing, its install line stands in its place."""
    for item in asked:
        if item.question.kind != KIND:
            continue
        blank = item.evidence(EXECUTOR)
        try:
            yield replace(blank, reply=executed_plan(item.question.text))
        except MissingExtra as missing:
            yield replace(blank, error=Failure("missing_extra", str(missing)))
        except ModuleNotFoundError as missing:
            package = (missing.name or "").partition(".")[0]
            line = f"executing calls needs {package}: pip install 'toolyard[world]'"
            yield replace(blank, error=Failure("missing_extra", line))


def executed_plan(text: str) -> str:
    """What gold's calls and the answer's return and leave, seed by seed, as JSON; it ends where they differ."""
    plan = orjson.loads(text)
    before, seeds = plan["before"], dict[str, Record]()
    key = orjson.dumps([before, plan["gold"]])
    for seed in range(plan["seed"], plan["seed"] + 1 + SEEDS_TRIED):
        wanted = _executed_gold(seed, key)
        if any(seen.error or seen.is_empty for seen in wanted):
            if not seeds:
                break
            continue
        made = executed_calls(seed, before, plan["calls"])
        places = [call["place"] for call in plan["calls"]]
        seeds[str(seed)] = {
            "gold": [_kept(call, seen) for call, seen in zip(plan["gold"], wanted, strict=True)],
            "calls": [
                _kept(plan["calls"][index], made[index])
                for index in sorted(range(len(made)), key=places.__getitem__)
            ],
            "state": {"gold": wanted[-1].state, "calls": made[-1].state},
        }
        found = [made[places.index(place)].output for place in range(len(wanted))]
        if found != [seen.output for seen in wanted] or made[-1].state != wanted[-1].state:
            break
        if len(seeds) > FURTHER_SEEDS:
            break
    return orjson.dumps({"world": VERSION, "seeds": seeds}).decode()


@lru_cache(maxsize=MOST_GOLD)
def _executed_gold(seed: int, key: bytes) -> tuple[KeptExecution, ...]:
    """What gold's calls return: the same for every answer to a row."""
    return tuple(executed_calls(seed, *orjson.loads(key)))


def forget() -> None:
    """Forgets what calls returned."""
    KEPT.clear()
    _executed_gold.cache_clear()


def _kept(call: Record, seen: KeptExecution) -> dict[str, JsonValue]:
    return {"tool": call["tool"], "output": seen.output, "error": seen.error, "shown": seen.shown}


def executed_calls(seed: int, before: Sequence[Record], calls: Sequence[Record]) -> list[KeptExecution]:
    """What the calls return one after the other in a fresh world, after those of earlier turns."""
    from toolyard.world.kernel.registry import library

    sequence = [*before, *calls]
    names: dict[int, set[str]] = {}
    for call in sequence:
        for index, name in call.get("labels", {}).values():
            names.setdefault(index, set()).add(name)
    episode, found = Episode(seed), list[KeptExecution]()
    for place, call in enumerate(sequence):
        known = call["tool"] in library()
        arguments = resolved(call, found) if known else Failure("unknown_tool", call["tool"])
        if isinstance(arguments, Failure):
            found.append(episode.refusal(arguments))
        else:
            found.append(episode.call(call["tool"], arguments, frozenset(names.get(place, ()))))
    return found[len(before) :]


def resolved(call: Record, earlier: Sequence[KeptExecution]) -> dict[str, JsonValue] | Failure:
    """The arguments of a call, with what earlier calls returned in the place of labels."""
    values: dict[str, JsonValue] = {}
    for label, (index, name) in call.get("labels", {}).items():
        if not 0 <= index < len(earlier) or earlier[index].results.get(name) is None:
            return Failure("empty_reference", f"{label} stands for nothing")
        values[label] = earlier[index].results[name]
    if not values:
        return dict(call["arguments"])

    def put(value: JsonValue) -> JsonValue:
        if isinstance(value, str):
            if value in values or not any(label in value for label in values):
                return values.get(value, value)
            inside = re.compile("|".join(rf"(?<!\w){re.escape(label)}(?!\w)" for label in values))
            return inside.sub(lambda found: str(values[found.group()]), value)
        if isinstance(value, Mapping):
            return {key: put(item) for key, item in value.items()}
        return [put(item) for item in value] if isinstance(value, list) else value

    found = {name: put(value) for name, value in call["arguments"].items()}
    return {
        name: [value] if _wants_list(call["tool"], name, value, call["arguments"][name], values) else value
        for name, value in found.items()
    }


def _wants_list(
    tool: str, name: str, value: JsonValue, written: JsonValue, values: Mapping[str, JsonValue]
) -> bool:
    """Whether one label stands where the tool takes a list."""
    is_label = isinstance(written, str) and written in values
    return is_label and not isinstance(value, list) and _takes_list(tool, name)


@cache
def _takes_list(tool: str, name: str) -> bool:
    from toolyard.synth.chains.chain import takes_list

    return takes_list(tool, name)


@dataclass(slots=True)
class Episode:
    """A world of one seed in which calls are made one after the other; it is built only for what is not kept."""

    seed: int
    changes: tuple[bytes, ...] = ()
    state: str = ""
    _world: World | None = None
    _done: int = 0
    _allowance: Allowance | None = None

    def refusal(self, failure: Failure) -> KeptExecution:
        """What stands for a call that cannot be made."""
        return KeptExecution("", failure.detail[:SHOWN_CHARACTERS], failure.kind, True, self.state, False, {})

    def call(self, tool: str, arguments: Mapping[str, JsonValue], names: frozenset[str]) -> KeptExecution:
        """What the call returns and leaves, with the values of these names."""
        made = orjson.dumps([tool, arguments], option=orjson.OPT_SORT_KEYS)
        key = (self.seed, self.changes, made)
        seen = KEPT.get(key)
        if seen is None or not names <= seen.results.keys():
            seen = self._observed(tool, arguments, names | (seen.results.keys() if seen else set()))
            if len(made) <= LONGEST_KEPT:
                KEPT[key] = seen
            if len(KEPT) > MOST_KEPT:
                KEPT.pop(next(iter(KEPT)))
        if seen.changes:
            self.changes = (*self.changes, made)
        self.state = seen.state
        return seen

    def _observed(self, tool: str, arguments: Mapping[str, JsonValue], names: Iterable[str]) -> KeptExecution:
        from toolyard.synth.chains.chain import says_nothing
        from toolyard.synth.chains.execution import digest
        from toolyard.world.kernel.executor import call

        world = self._replayed()
        before = world.snapshot()
        seen = call(world, tool, arguments, allowance=self._allowance)
        after = world.snapshot()
        changes = (before.seconds, before.draws) != (after.seconds, after.draws)
        difference = world.diff()
        changes = changes or bool(world.diff(before))
        self._done += changes
        return KeptExecution(
            digest(seen.value),
            seen.text[:SHOWN_CHARACTERS],
            seen.error or "",
            says_nothing(seen.value),
            digest(difference) if difference else "",
            changes,
            {name: result_value(tool, name, seen.value) for name in names},
        )

    def _replayed(self) -> World:
        """The world after all changes so far."""
        from toolyard.world.kernel.allowance import Allowance
        from toolyard.world.kernel.executor import call
        from toolyard.world.kernel.state import World

        if self._world is None:
            self._world, self._allowance = World.fresh(self.seed), Allowance(seconds=SECONDS_PER_ANSWER)
        for made in self.changes[self._done :]:
            call(self._world, *orjson.loads(made))
        self._done = len(self.changes)
        return self._world


def result_value(tool: str, name: str, value: JsonValue) -> JsonValue:
    """What a result has under the name that the tool's document gives it; nothing where it is empty or long."""
    from toolyard.synth.chains.projection import at, is_empty

    path = _path(tool, name)
    found = None if path is None else at(value, path)
    too_long = isinstance(found, str) and len(found) > LONGEST_KEPT_VALUE
    return None if is_empty(found) or too_long else found


@cache
def _path(tool: str, name: str) -> str | None:
    """Where a result holds the value of that name; fields that documents do not choose go by their last part."""
    from toolyard.synth.chains.projection import returned

    known = {item.name: item.path for item in reversed(returned(tool))}
    last = {item.path.replace("[0]", "").rpartition(".")[2]: item.path for item in reversed(returned(tool))}
    return known.get(name, last.get(name))
