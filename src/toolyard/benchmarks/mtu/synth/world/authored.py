"""Dialogues whose words were written by hand: their calls are executed, and replies quote what was returned.

    {"setting": "M-S", "spare": ["Category/Package/tool"], "turns": [
        {"user": "Is it warm in Oslo?", "calls": [{"Weather/...": {"q": "Oslo"}}], "reply": "{0.temperature_c} degrees."},
        {"user": "Thanks!", "why": "chat", "reply": "Any time."}]}

In arguments `@0.city` is a field of call 0 of the same turn and `#2.city` one of the first call of turn 2; in replies
`{0.city}` is a field of call 0 of the same turn and `{2:0.city}` one of call 0 of turn 2.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from random import Random

from toolyard.benchmarks.mtu.synth.world.dialogue_rules import fault
from toolyard.benchmarks.mtu.synth.world.tool_documents import document, names, shown
from toolyard.core.errors import DataError
from toolyard.core.types import Json, derived_seed
from toolyard.synth.chains.execution import executed_call
from toolyard.synth.stages import Row
from toolyard.world.executor import call
from toolyard.world.state import World

_SEED = 0
_REPLY = re.compile(r"\{(?:(\d+):)?(\d+)\.(\w+)\}")
_THOUGHTS: Mapping[str, str] = {
    "missing": "Something that the tool requires has not been said yet, so I ask for it.",
    "exists": "The answer already stands in the conversation.",
    "chat": "Nothing is asked for that a tool could do.",
    "unable": "None of the tools can do this.",
    "undecided": "There is nothing to look up before the user has decided.",
    "confirm": "I should make sure that I understood before I call anything.",
}
Shown = list[list[dict[str, Json]]]


def dialogues(authored: Sequence[Mapping[str, Json]]) -> list[Row]:
    """The dialogues as rows of the pipeline, in their order; an error names the first that does not stand."""
    return [_dialogue(row, f"{row['setting']}/{number:03}") for number, row in enumerate(authored)]


def _dialogue(authored: Mapping[str, Json], name: str) -> Row:
    world = World.fresh(_SEED)
    seen: Shown = []
    turns = [_turn(turn, world, seen, name) for turn in authored["turns"]]
    row: Row = {
        "id": name,
        "setting": authored["setting"],
        "hard": authored.get("hard", ""),
        "turns": turns,
        "tools": _listed(authored, name),
        "inferred": [str(value) for value in authored.get("inferred", ())],
    }
    found = fault(row)
    if found:
        raise DataError(f"{name}: {found.kind}: {found.detail}")
    return row


def _turn(turn: Mapping[str, Json], world: World, seen: Shown, name: str) -> dict[str, Json]:
    """One turn with its calls executed; what they showed is added to `seen`."""
    here: list[dict[str, Json]] = []
    seen.append(here)
    calls, executed = [], []
    for entry in turn.get("calls", ()):
        tool, given = next(iter(entry.items()))
        arguments = {key: _value(value, seen, name) for key, value in given.items()}
        observation = call(world, tool, arguments)
        if observation.error is not None:
            raise DataError(f"{name}: {tool}: {observation.error}")
        here.append(shown(tool, observation.value))
        executed.append(executed_call(tool, arguments, observation.value, here[-1]))
        calls.append({"name": names()[tool], "arguments": _gold(given, arguments, turn)})
    thought = _thought(turn, [entry["name"] for entry in calls])
    return {
        "user": turn["user"],
        "thought": thought,
        "calls": calls,
        "observation": json.dumps(here[0], ensure_ascii=False) if len(here) == 1 else "",
        "assistant": _filled(turn.get("reply", ""), seen, name),
        "situation": turn.get("why", "asked"),
        "executed": executed,
    }


def _thought(turn: Mapping[str, Json], called: Sequence[str]) -> str:
    if called:
        return f"What is needed for {' and '.join(called)} has been said."
    return _THOUGHTS[turn["why"]]


def _value(given: Json, seen: Shown, name: str) -> Json:
    """The value that an argument stands for."""
    if isinstance(given, list):
        return [_value(item, seen, name) for item in given]
    if not isinstance(given, str) or given[:1] not in ("@", "#") or "." not in given:
        return given
    number, _, field = given[1:].partition(".")
    entry = seen[-1][int(number)] if given[0] == "@" else seen[int(number)][0]
    return _field(entry, field, name)


def _field(entry: Mapping[str, Json], field: str, name: str) -> Json:
    if field not in entry:
        raise DataError(f"{name}: nothing called {field!r} was shown, only {sorted(entry)}")
    return entry[field]


def _gold(
    given: Mapping[str, Json], arguments: Mapping[str, Json], turn: Mapping[str, Json]
) -> dict[str, Json]:
    """The arguments as the answer writes them: results of the same turn as `tool.field`."""
    called = [names()[next(iter(entry))] for entry in turn["calls"]]

    def written(value: Json, resolved: Json) -> Json:
        if isinstance(value, list):
            return [written(one, other) for one, other in zip(value, resolved, strict=True)]
        if isinstance(value, str) and value.startswith("@") and "." in value:
            number, _, field = value[1:].partition(".")
            return f"{called[int(number)]}.{field}"
        return resolved

    return {key: written(value, arguments[key]) for key, value in given.items()}


def _filled(reply: str, seen: Shown, name: str) -> str:
    def quoted(found: re.Match[str]) -> str:
        turn = seen[int(found[1])] if found[1] else seen[-1]
        return str(_field(turn[int(found[2])], found[3], name))

    return _REPLY.sub(quoted, reply)


def _listed(authored: Mapping[str, Json], name: str) -> list[dict[str, Json]]:
    """The documents of all tools that are called and of the spare ones, in an order of chance."""
    used: dict[str, set[str]] = {}
    for turn in authored["turns"]:
        for entry in turn.get("calls", ()):
            tool, given = next(iter(entry.items()))
            used.setdefault(tool, set()).update(given)
    for tool in (*used, *authored["spare"]):
        if tool not in names():
            raise DataError(f"{name}: {tool} cannot be listed")
    documents = [document(tool, names()[tool], used=frozenset(given)) for tool, given in used.items()]
    documents += [document(tool, names()[tool]) for tool in authored["spare"]]
    Random(derived_seed(_SEED, f"authored/{name}", 0)).shuffle(documents)
    return documents
