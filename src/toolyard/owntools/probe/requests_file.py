"""Requests that people wrote, with the calls that they want: the suites of a probe without any grammar.

    {"request": "Which folder is my ferry note in?", "calls": [{"tool": "get_note", "arguments": {"note_id": "note-101"}}]}

One object a line, or a JSON or YAML list of such objects.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random

from toolyard.core.errors import DataError, UsageError
from toolyard.core.types import JsonValue, derived_seed
from toolyard.owntools.probe.probe_steps import Step, StepChain, Workshop
from toolyard.owntools.probe.probe_suites import (
    DialogueRow,
    GoalRow,
    NestedRow,
    Suites,
    Turn,
    TwinRow,
    draw_offered_tools,
    possible_substitutes,
    state_checks,
    step_json,
)
from toolyard.owntools.sources.text_lines import read_text
from toolyard.world.kernel.executor import call
from toolyard.world.kernel.state import World

LARGEST = 5_000_000
MOST_CALLS = 8
WANTED = 'wanted is {"request": "...", "calls": [{"tool": "...", "arguments": {...}}]}'


def suites_from_file(path: Path, shop: Workshop, seed: int) -> Suites:
    """Four suites of the requests of a file; every wanted call was executed in the mirror."""
    rows = [NestedRow(*each, ()) for each in _read_requests(path, shop)]
    if not rows:
        raise DataError(f"{path} holds no requests; {WANTED}")
    nested, dialogues, twins, goals = [], [], [], []
    for number, row in enumerate(rows):
        rng = Random(derived_seed(seed, "requests", number))
        offered = draw_offered_tools(shop, row.chain.tools, rng)
        nested.append(NestedRow(row.request, row.chain, offered))
        setting = "S-S" if len(row.chain.steps) == 1 else "S-M"
        turn = Turn(row.request, row.chain.steps, "It is done.", "These calls do it.")
        dialogues.append(DialogueRow(setting, "plain", (turn,), offered))
        twins += _twins_of_row(shop, row, offered, rng)
        checks = [check for step in row.chain.steps for check in state_checks(step, step.arguments)]
        if checks:
            plan = tuple(step_json(step) for step in row.chain.steps)
            goals.append(GoalRow(row.request, plan, {"state": checks}, "It is done.", offered))
    return Suites(tuple(nested), tuple(dialogues), tuple(twins), tuple(goals))


def _twins_of_row(shop: Workshop, row: NestedRow, offered: tuple[str, ...], rng: Random) -> list[TwinRow]:
    removed = rng.randrange(len(row.chain.steps))
    gone = possible_substitutes(shop, row.chain.tools[removed])
    others = {name for place, name in enumerate(row.chain.tools) if place != removed}
    if gone & others or not set(offered) - gone:
        return []
    return [TwinRow(row.request, row.chain, removed, offered, tuple(sorted(gone)))]


def _read_requests(path: Path, shop: Workshop) -> Iterator[tuple[str, StepChain]]:
    if not path.is_file() or path.stat().st_size > LARGEST:
        raise UsageError(f"--requests {path} is not a file of at most {LARGEST:,} bytes; {WANTED}")
    text = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix == ".jsonl":
        lines = [(f"{path}, line {number}", line) for number, line in enumerate(text.splitlines(), 1)]
        items: list[tuple[str, JsonValue]] = [
            (where, read_text(line, where)) for where, line in lines if line.strip()
        ]
    else:
        listed = read_text(text, str(path))
        if not isinstance(listed, list):
            raise DataError(f"{path} is not a list of requests; {WANTED}")
        items = [(f"{path}, request {number}", item) for number, item in enumerate(listed, 1)]
    for where, item in items:
        yield _read_request(item, where, shop)


def _read_request(item: object, where: str, shop: Workshop) -> tuple[str, StepChain]:
    request = item.get("request") if isinstance(item, Mapping) else None
    calls = item.get("calls") if isinstance(item, Mapping) else None
    if not isinstance(request, str) or not request.strip() or not isinstance(calls, list) or not calls:
        raise DataError(f"{where} has no request with calls; {WANTED}")
    if len(calls) > MOST_CALLS:
        raise DataError(f"{where} has {len(calls)} calls; at most {MOST_CALLS} are taken")
    world = World.fresh()
    return " ".join(request.split()), StepChain(tuple(_read_step(each, where, shop, world) for each in calls))


def _read_step(each: object, where: str, shop: Workshop, world: World) -> Step:
    name = each.get("tool") if isinstance(each, Mapping) else None
    given = each.get("arguments", {}) if isinstance(each, Mapping) else None
    if name not in shop.plans or not isinstance(given, Mapping):
        raise DataError(
            f"{where}: {str(name)[:80]!r} is not a tool of the source; it has {', '.join(list(shop.plans)[:20])}"
        )
    before = world.snapshot()
    step = shop.step(world, str(name), dict(given), {})
    if step is None:
        world.restore(before)
        why = call(world, str(name), dict(given), offered=shop.offered).text
        raise DataError(f"{where}: the mirror refuses this call of {name} ({' '.join(why.split())[:200]})")
    return step
