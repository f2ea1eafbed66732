"""Dialogues: scripts of moves over executed chains, as in `synth mtu --from grammar`, played turn by turn.

The next turn of the user comes when the agent has answered the last one, whatever it has called.
"""

from __future__ import annotations

import functools
from random import Random

from toolyard.benchmarks.mtu.synth.world.dialogue_rules import dialogue_rows, rows_to_samples
from toolyard.benchmarks.mtu.synth.world.moves import SCRIPTS, Script, setting_scripts
from toolyard.benchmarks.mtu.synth.world.pipeline import SETTINGS, check, draw_goal, rival_tools, talk
from toolyard.benchmarks.mtu.synth.world.tool_documents import document, names, observed_result, shown_fields
from toolyard.core.types import Failure, Record, Sample, Score
from toolyard.env.gym_task import Draft, Fits, Function, GoldCall, TaskTurn
from toolyard.env.stage_runner import execute_in_world, run_stages
from toolyard.env.task_functions import draw_distractors, function, system
from toolyard.synth.chains.chain import chain_from_json, to_json
from toolyard.synth.chains.filling import Demand
from toolyard.synth.stages import Context, Row

# What of a tool's result its caller sees.
shown = observed_result


def draw(rng: Random, fits: Fits, world_seed: int) -> Draft | Failure:
    """A dialogue of one of the four settings."""
    row = _draw_dialogue(rng, fits, world_seed)
    return row if isinstance(row, Failure) else _make_task(row, rng)


def sample(rng: Random, fits: Fits, world_seed: int) -> Sample | Failure:
    """One turn of such a dialogue after its recorded history, as the benchmark asks it."""
    row = _draw_dialogue(rng, fits, world_seed)
    if isinstance(row, Failure):
        return row
    return rng.choice(rows_to_samples(dialogue_rows(row, 0), row["setting"]))


def families(sample: Sample, score: Score) -> tuple[float, float, float, float]:  # noqa: ARG001 - see env.answers
    """Format, tool choice, arguments and outcome of the turn."""
    values = score.values
    form = float(score.graded["failure"] is None)
    return form, values["tools_right"] or 0.0, values["right"] or 0.0, values["outcome"] or 0.0


def _draw_dialogue(rng: Random, fits: Fits, world_seed: int) -> Row | Failure:
    setting = rng.choice(SETTINGS)
    script = rng.choice(setting_scripts(setting))
    context = Context(seed=rng.getrandbits(32))
    row: Row = {
        "id": setting,
        "setting": setting,
        "script": SCRIPTS.index(script),
        "hard": script.hard,
        "number": rng.getrandbits(24),
    }
    goal = functools.partial(draw_goal, demand=Demand(rival_tools, _fits_chain(script, fits)))
    made = run_stages(row, (goal, talk, check), context, _calls_of_row, fits, after=talk)
    if isinstance(made, Failure) or not world_seed:
        return made
    played = execute_in_world(chain_from_json(made["chain"]), world_seed)
    if isinstance(played, Failure):
        return played
    return run_stages(
        {**made, "chain": to_json(played)}, (talk, check), context, _calls_of_row, lambda _: True, after=talk
    )


def _fits_chain(script: Script, fits: Fits) -> Fits:
    """Whether the calls fit, asked before they are made where the dialogue makes the calls of its chain and no other."""
    makes_others = {move for move, _ in script.moves} & {"change", "refuse"}
    return (lambda calls: True) if makes_others else fits  # noqa: ARG005


def _calls_of_row(row: Row) -> list[tuple[str, Record]]:
    """All calls; a dialogue that makes none is known by what cannot be served."""
    made = [(call["tool"], call["arguments"]) for turn in row["turns"] for call in turn["executed"]]
    return made or [(turn["user"], {}) for turn in row["turns"]]


def _make_task(row: Row, rng: Random) -> Draft:
    tools = _tools_by_listed_name(row)
    used = {call["tool"] for turn in row["turns"] for call in turn["executed"]}
    more = [
        tool
        for tool in draw_distractors(sorted(used), _removed_tools(row), rng)
        if tool not in tools.values()
    ]
    short = len(used) + 1 - (len(tools) - len(used))
    functions = [
        _make_function(tool, document_) for document_, tool in zip(row["tools"], tools.values(), strict=True)
    ]
    functions += [_make_function(tool, document(tool, names()[tool])) for tool in more[: max(0, short)]]
    rng.shuffle(functions)
    groups = {"setting": row["setting"], "difficulty": "hard" if row["hard"] else "normal"}
    return Draft(
        system(),
        tuple(map(_make_turn, row["turns"])),
        tuple(functions),
        groups,
        row["chain"]["seed"],
        tuple(_removed_tools(row)),
    )


def _removed_tools(row: Row) -> list[str]:
    return [step["tool"] for step in (row["removed"] or {}).get("steps", ())]


def _tools_by_listed_name(row: Row) -> dict[str, str]:
    """The tool behind every listed name; a tool that the dialogue calls may have a name of its own."""
    known = {name: tool for tool, name in names().items()}
    for turn in row["turns"]:
        for call, executed in zip(turn["calls"], turn["executed"], strict=True):
            known[call["name"]] = executed["tool"]
    return {listed["name"]: known[listed["name"]] for listed in row["tools"]}


def _make_function(tool: str, listed: Record) -> Function:
    parameters = [
        entry["name"] for key in ("required_parameters", "optional_parameters") for entry in listed[key]
    ]
    return function(tool, listed["name"], parameters, returns=shown_fields(tool))


def _make_turn(turn: Record) -> TaskTurn:
    gold = tuple(
        GoldCall(call["name"], executed["arguments"], executed["output"])
        for call, executed in zip(turn["calls"], turn["executed"], strict=True)
    )
    return TaskTurn(turn["user"], gold, turn["assistant"] or "Yes.")
