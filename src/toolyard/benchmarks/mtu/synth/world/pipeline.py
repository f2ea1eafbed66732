"""Dialogues from the world, without a model: executed goals turned into user turns, gold calls and replies.

    {"id": "M-S/0012", "setting": "M-S", "script": 16, "hard": "", "chain": {...}, "turns": [...], "tools": [...]}

One row of the pipeline is one dialogue; the files hold one row per turn.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from toolyard.benchmarks.mtu.data.rows import SETTINGS as ALL_SETTINGS
from toolyard.benchmarks.mtu.synth.world.dialogue_goals import (
    SCRIPTS,
    goal,
    refuses_later,
    removed_goal,
    scripts_of,
)
from toolyard.benchmarks.mtu.synth.world.dialogue_rules import execution_of, fault, rows_of, tables
from toolyard.benchmarks.mtu.synth.world.moves import compose
from toolyard.core.types import Failure, derived_seed
from toolyard.synth.chains.chain import Chain, from_json, to_json
from toolyard.synth.chains.execution import write_execution
from toolyard.synth.chains.filling import ANYTHING, Demand
from toolyard.synth.stages import (
    Context,
    Each,
    Kept,
    Outcome,
    Pipeline,
    Provenance,
    Rejected,
    Row,
    Rows,
    RowSource,
    Whole,
)

SETTINGS = ALL_SETTINGS[:4]
DIALOGUES = 200
_DRAFTS_PER_DIALOGUE = 2
_LEAST_DRAFTS = 24
_TRIES = 6


def drafts(context: Context) -> Iterator[Row | Rejected]:
    """More drafts than dialogues wanted, evenly over settings and scripts."""
    for setting, wanted in shares(context.rows or DIALOGUES).items():
        if not wanted:
            continue
        known = scripts_of(setting)
        for number in range(max(_LEAST_DRAFTS, wanted * _DRAFTS_PER_DIALOGUE)):
            script = known[number % len(known)]
            yield {
                "id": f"{setting}/{number:05}",
                "setting": setting,
                "script": SCRIPTS.index(script),
                "hard": script.hard,
                "number": number,
            }


def shares(rows: int, settings: Sequence[str] = SETTINGS) -> dict[str, int]:
    """How many dialogues each setting gets."""
    each, rest = divmod(rows, len(settings))
    return {setting: each + (place < rest) for place, setting in enumerate(settings)}


def draw_goal(row: Row, context: Context, demand: Demand = ANYTHING) -> Outcome:
    """The executed chain that a draft is about; a draw that does not stand is drawn again a few times."""
    script = SCRIPTS[row["script"]]
    again: list[str] = []
    for attempt in range(_TRIES):
        n = row["number"] * _TRIES + attempt
        chain = goal(script, context.seed, n, demand)
        if isinstance(chain, Failure):
            again.append(f"redrawn_{chain.kind}")
            continue
        if not refuses_later(script):
            return Kept({"chain": to_json(chain), "removed": None}, tuple(again))
        unable = removed_goal(chain, context.seed, n)
        if not isinstance(unable, Failure):
            removed = to_json(Chain((unable,), chain.seed))
            return Kept({"chain": to_json(chain), "removed": removed}, tuple(again))
        again.append(f"redrawn_{unable.kind}")
    return Rejected(again[-1].removeprefix("redrawn_"))


def talk(row: Row, context: Context) -> Outcome:
    """The turns and the tool list."""
    rng = Random(derived_seed(context.seed, f"talk/{row['id']}", 0))
    unable = from_json(row["removed"]).steps[0] if row["removed"] else None
    made = compose(SCRIPTS[row["script"]], from_json(row["chain"]), unable, rng)
    if isinstance(made, Failure):
        return Rejected(made.kind, made.detail)
    return Kept({"turns": list(made.turns), "tools": list(made.tools)})


def check(row: Row, context: Context) -> Outcome:  # noqa: ARG001 - the signature of every stage
    """Passes a dialogue that loads, whose gold can be known, and whose calls return the same again."""
    found = fault(row)
    return Kept() if found is None else Rejected(found.kind, found.detail)


def choose(rows: Rows, context: Context) -> Iterator[Row | Rejected]:
    """As many dialogues of every setting as wanted, evenly over its scripts, no goal twice."""
    wanted = shares(context.rows or DIALOGUES)
    seen: set[str] = set()
    waiting: dict[str, dict[int, list[Row]]] = {setting: defaultdict(list) for setting in SETTINGS}
    for row in rows:
        key = json.dumps(
            [row["setting"], [[step["tool"], step["arguments"]] for step in row["chain"]["steps"]]]
        )
        if key in seen:
            yield Rejected("repeated_goal", row=row["id"])
            continue
        seen.add(key)
        waiting[row["setting"]][row["number"] % len(scripts_of(row["setting"]))].append(row)
    for setting, by_script in waiting.items():
        yield from round_robin(by_script, wanted[setting], _tools)


def round_robin(
    by_script: Mapping[Any, list[Row]], wanted: int, tools: Callable[[Row], list[str]]
) -> Iterator[Row | Rejected]:
    """Some rows, one script after the other, those of tools not yet used first; the rest is surplus."""
    used: Counter[str] = Counter()
    queues = [by_script[key] for key in sorted(by_script)]
    while any(queues):
        for queue in queues:
            if queue:
                row = min(queue, key=lambda row: sum(used[tool] for tool in tools(row)))
                queue.remove(row)
                used.update(tools(row))
                yield row if wanted > 0 else Rejected("surplus", row=row["id"])
                wanted -= 1


def _tools(row: Row) -> list[str]:
    return [step["tool"] for step in row["chain"]["steps"]]


def write(rows: Rows, folder: Path, context: Context) -> None:  # noqa: ARG001 - the signature of every writer
    """One file per setting in the official form, a line per turn."""
    numbers: dict[str, int] = defaultdict(int)
    executed = []
    for row in rows:
        setting = row["setting"]
        with (folder / f"{setting}_eval.jsonl").open("a", encoding="utf-8", newline="\n") as file:
            for line in rows_of(row, numbers[setting]):
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
        executed.append(execution_of(row, f"{setting}_{numbers[setting]}"))
        numbers[setting] += 1
    write_execution(folder, executed)


def provenance(words: str) -> Callable[[Context], Provenance]:
    """What cards say of executed dialogues whose words come from there."""
    text = (
        "Every call was executed in the world of this package, whose services and people are invented, and is kept in "
        f"`execution.jsonl`. {words} No model took part."
    )
    return lambda _context: Provenance(text, {"Toolyard world": "Apache-2.0"})


STAGES = (
    RowSource("drafts", 2, ("setting", "script", "hard", "number"), drafts),
    Each("goal", 1, ("script", "number"), ("chain", "removed"), draw_goal),
    Each("talk", 2, ("script", "chain", "removed"), ("turns", "tools"), talk),
    Each("check", 1, ("setting", "hard", "turns", "tools"), (), check),
    Whole("choose", 1, ("setting", "number", "chain"), (), choose),
)
PROVENANCE = provenance("User turns, thoughts and replies are written by grammar.")
GRAMMAR = Pipeline("grammar", "mtu", STAGES, write, PROVENANCE, tables, rows=DIALOGUES, of_world=True)
