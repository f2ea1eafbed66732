"""The evidence step that executes calls: what an answer's calls return in the world, beside what gold's return.

Observations are kept by (seed, the calls before that changed the world, tool, arguments): a call that changes nothing is
executed once in a process, whoever makes it. Evidence names the version of the world and is of no use in another.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

import orjson

from toolyard.core.declared_world import VERSION
from toolyard.core.errors import MissingExtra
from toolyard.core.types import Evidence, Failure, JsonValue, Record
from toolyard.models.judge.judge_answers import AskedQuestion

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
        calls = sorted(zip(plan["calls"], made, strict=True), key=lambda pair: int(pair[0]["place"]))
        ours = [_execution_record(call, seen) for call, seen in calls]
        gold = [_execution_record(call, seen) for (call, _), seen in zip(calls, wanted, strict=True)]
        for record, (call, _) in zip(ours, calls, strict=True):
            results = ((text, index - len(before), name) for text, index, name in call.get("instead", ()))
            instead = [[text, wanted[index].results.get(name)] for text, index, name in results if index >= 0]
            record.update({"instead": instead} if instead else {})
        state = {"gold": wanted[-1].state, "calls": made[-1].state}
        seeds[str(seed)] = {"gold": gold, "calls": ours, "state": state}
        same = [each["output"] for each in ours] == [each["output"] for each in gold]
        if not same or state["gold"] != state["calls"]:
            break
        if len(seeds) > FURTHER_SEEDS:
            break
    return orjson.dumps({"world": VERSION, "seeds": seeds}).decode()


@lru_cache(maxsize=MOST_GOLD)
def _executed_gold(seed: int, key: bytes) -> tuple[KeptExecution, ...]:
    """What gold's calls return: the same for every answer to a row."""
    return tuple(executed_calls(seed, *orjson.loads(key)))


def forget_results() -> None:
    """Forgets what calls returned."""
    KEPT.clear()
    _executed_gold.cache_clear()


def _execution_record(call: Record, seen: KeptExecution) -> dict[str, JsonValue]:
    """What is compared of one call: all that it returns, or what other calls take of it where only that counts."""
    used = {name: seen.results.get(name) for name in call.get("used", ())}
    partly = used and None not in used.values() and ("key" not in call or call["key"] in used.values())
    output = orjson.dumps(used).decode() if partly else seen.output
    return {"tool": call["tool"], "output": output, "error": seen.error, "shown": seen.shown}


def executed_calls(seed: int, before: Sequence[Record], calls: Sequence[Record]) -> list[KeptExecution]:
    """What the calls return one after the other in a fresh world, after those of earlier turns."""
    from toolyard.world.kernel.registry import library

    sequence = [*before, *calls]
    names: dict[int, set[str]] = {}
    for place, call in enumerate(sequence):
        names.setdefault(place, set()).update(call.get("used", ()))
        for index, name in call.get("labels", {}).values():
            names.setdefault(index, set()).add(name)
    episode, found = Episode(seed), list[KeptExecution]()
    for place, call in enumerate(sequence):
        known = call["tool"] in library()
        arguments = resolve_labels(call, found) if known else Failure("unknown_tool", call["tool"])
        if isinstance(arguments, Failure):
            found.append(episode.refusal(arguments))
        else:
            found.append(episode.call(call["tool"], arguments, frozenset(names.get(place, ()))))
    return found[len(before) :]


def resolve_labels(call: Record, earlier: Sequence[KeptExecution]) -> dict[str, JsonValue] | Failure:
    """The arguments of a call, with what earlier calls returned in the place of labels."""
    values: dict[str, JsonValue] = {}
    for label, (index, name) in call.get("labels", {}).items():
        if not 0 <= index < len(earlier) or earlier[index].results.get(name) is None:
            return Failure("empty_reference", f"{label} stands for nothing")
        values[label] = earlier[index].results[name]

    def put(value: JsonValue) -> JsonValue:
        if isinstance(value, str):
            if value in values or not any(label in value for label in values):
                return values.get(value, value)
            inside = re.compile("|".join(rf"(?<!\w){re.escape(label)}(?!\w)" for label in values))
            return inside.sub(lambda found: str(values[found.group()]), value)
        if isinstance(value, Mapping):
            return {key: put(item) for key, item in value.items()}
        return [put(item) for item in value] if isinstance(value, list) else value

    written = call["arguments"]
    found = {name: put(value) for name, value in written.items()} if values else dict(written)
    return {name: _convert_type(value, _wanted_type(call["tool"], name)) for name, value in found.items()}


def _convert_type(value: JsonValue, wanted: str) -> JsonValue:
    """The value in the type that the tool takes: `70` for "70", a list of one item for the item."""
    if wanted == "array" and isinstance(value, str | int | float):
        return [value]
    if not isinstance(value, str):
        return value
    text = value.strip()
    if wanted == "boolean":
        return {"true": True, "false": False}.get(text.lower(), value)
    if wanted in ("integer", "number") and re.fullmatch(r"-?\d{1,15}(?:\.\d{1,15})?", text):
        return float(text) if "." in text else int(text)
    return value


@cache
def _wanted_type(tool: str, name: str) -> str:
    from toolyard.world.kernel.registry import library

    known = library()[tool].document.parameters
    return next((str(item.schema.get("type", "")) for item in known if item.name == name), "")


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
        from toolyard.synth.chains.execution import output_digest
        from toolyard.synth.chains.projection import result_value
        from toolyard.world.kernel.executor import call

        world = self._replay_world()
        before = world.snapshot()
        seen = call(world, tool, arguments, allowance=self._allowance)
        after = world.snapshot()
        changes = (before.seconds, before.draws) != (after.seconds, after.draws)
        difference = world.diff()
        changes = changes or bool(world.diff(before))
        self._done += changes
        return KeptExecution(
            # In which order fields were asked for tells nothing.
            output_digest(json.dumps(seen.value, sort_keys=True)),
            seen.text[:SHOWN_CHARACTERS],
            seen.error or "",
            says_nothing(seen.value),
            output_digest(difference) if difference else "",
            changes,
            {name: result_value(tool, name, seen.value) for name in names},
        )

    def _replay_world(self) -> World:
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
