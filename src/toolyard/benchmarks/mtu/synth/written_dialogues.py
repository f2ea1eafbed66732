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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from toolyard.benchmarks.mtu.synth.world.dialogue_rules import fault
from toolyard.benchmarks.mtu.synth.world.pipeline import WORLD
from toolyard.benchmarks.mtu.synth.world.tool_documents import document, names, shown
from toolyard.core.errors import DataError
from toolyard.core.types import Json, derived_seed
from toolyard.synth.chains.execution import executed_call
from toolyard.synth.stages import Context, Each, Kept, Outcome, Provenance, Rejected, Row, RowSource
from toolyard.synth.written import read_written
from toolyard.world.executor import call
from toolyard.world.state import World

WRITTEN = Path(__file__).parent / "written" / "dialogues.yaml"
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


def rows_by_hand(_context: Context) -> Iterator[Row]:
    """The dialogues as they were written."""
    for number, written in enumerate(read_written(WRITTEN)):
        yield {"id": f"{written['setting']}/{number:03}", "written": written}


def carry_out(row: Row, _context: Context) -> Outcome:
    """The dialogue with its calls executed and its replies filled in."""
    written = row["written"]
    world = World.fresh(_SEED)
    seen: Shown = []
    try:
        made = {
            "setting": written["setting"],
            "hard": written.get("hard", ""),
            "turns": [_turn(turn, world, seen) for turn in written["turns"]],
            "tools": _listed(written, row["id"]),
            "inferred": [str(value) for value in written.get("inferred", ())],
        }
    except DataError as error:
        return Rejected("does_not_stand", str(error))
    found = fault({"id": row["id"], **made})
    return Kept(made) if found is None else Rejected(found.kind, found.detail)


def _turn(turn: Mapping[str, Json], world: World, seen: Shown) -> dict[str, Json]:
    """One turn with its calls executed; what they showed is added to `seen`."""
    here: list[dict[str, Json]] = []
    seen.append(here)
    calls, executed = [], []
    for entry in turn.get("calls", ()):
        tool, given = next(iter(entry.items()))
        arguments = {key: _value(value, seen) for key, value in given.items()}
        observation = call(world, tool, arguments)
        if observation.error is not None:
            raise DataError(f"{tool}: {observation.error}")
        here.append(shown(tool, observation.value))
        executed.append(executed_call(tool, arguments, observation.value, here[-1]))
        calls.append({"name": names()[tool], "arguments": _gold(given, arguments, turn)})
    thought = _thought(turn, [names()[next(iter(entry))] for entry in turn.get("calls", ())])
    return {
        "user": turn["user"],
        "thought": thought,
        "calls": calls,
        "observation": json.dumps(here[0], ensure_ascii=False) if len(here) == 1 else "",
        "assistant": _filled(turn.get("reply", ""), seen),
        "situation": turn.get("why", "asked"),
        "executed": executed,
    }


def _thought(turn: Mapping[str, Json], called: Sequence[str]) -> str:
    if called:
        return f"What is needed for {' and '.join(called)} has been said."
    return _THOUGHTS[turn["why"]]


def _value(given: Json, seen: Shown) -> Json:
    """The value that an argument stands for."""
    if isinstance(given, list):
        return [_value(item, seen) for item in given]
    if not isinstance(given, str) or given[:1] not in ("@", "#") or "." not in given:
        return given
    number, _, field = given[1:].partition(".")
    entry = seen[-1][int(number)] if given[0] == "@" else seen[int(number)][0]
    return _field(entry, field)


def _field(entry: Mapping[str, Json], field: str) -> Json:
    if field not in entry:
        raise DataError(f"nothing called {field!r} was shown, only {sorted(entry)}")
    return entry[field]


def _gold(
    given: Mapping[str, Json], arguments: Mapping[str, Json], turn: Mapping[str, Json]
) -> dict[str, Json]:
    """The arguments as the answer writes them: results of the same turn as `tool.field`."""
    called = [names()[next(iter(entry))] for entry in turn["calls"]]

    def spelled(value: Json, resolved: Json) -> Json:
        if isinstance(value, list):
            return [spelled(one, other) for one, other in zip(value, resolved, strict=True)]
        if isinstance(value, str) and value.startswith("@") and "." in value:
            number, _, field = value[1:].partition(".")
            return f"{called[int(number)]}.{field}"
        return resolved

    return {key: spelled(value, arguments[key]) for key, value in given.items()}


def _filled(reply: str, seen: Shown) -> str:
    def quoted(found: re.Match[str]) -> str:
        turn = seen[int(found[1])] if found[1] else seen[-1]
        return str(_field(turn[int(found[2])], found[3]))

    return _REPLY.sub(quoted, reply)


def _listed(written: Mapping[str, Json], name: str) -> list[dict[str, Json]]:
    """The documents of all tools that are called and of the spare ones, in an order of chance."""
    used: dict[str, set[str]] = {}
    for turn in written["turns"]:
        for entry in turn.get("calls", ()):
            tool, given = next(iter(entry.items()))
            used.setdefault(tool, set()).update(given)
    for tool in (*used, *written["spare"]):
        if tool not in names():
            raise DataError(f"{tool} cannot be listed")
    documents = [document(tool, names()[tool], used=frozenset(given)) for tool, given in used.items()]
    documents += [document(tool, names()[tool]) for tool in written["spare"]]
    Random(derived_seed(_SEED, f"written/{name}", 0)).shuffle(documents)
    return documents


def provenance(_context: Context) -> Provenance:
    """Our own tools and words."""
    text = (
        "Every call was executed in the world of this package and is kept in `execution.jsonl`; "
        "user turns and replies were written by hand; what replies quote was returned. No model took part."
    )
    return Provenance(text, {"Toolyard world": "Apache-2.0"})


STAGES = (
    RowSource("rows", 1, ("written",), rows_by_hand, files=lambda context: [WRITTEN]),  # noqa: ARG005
    Each("execute", 1, ("written",), ("setting", "hard", "turns", "tools", "inferred"), carry_out),
)
BY_HAND = replace(WORLD, name="written", stages=STAGES, provenance=provenance, rows=0)
