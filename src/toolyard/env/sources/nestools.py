"""Nested calls: goals of the book with values, one alone or two together, whose calls were executed.

The request says every value and none that only a call can tell, as in `synth nestools --from world`.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from toolyard.benchmarks.alternatives import FIELD as ALTERNATIVES
from toolyard.benchmarks.nestools.data.rows import call_with_id, row_groups, with_id
from toolyard.benchmarks.nestools.synth.made_records import (
    chain_gold_calls,
    chain_tools,
    proved_alternatives,
)
from toolyard.benchmarks.nestools.synth.record_documents import documented_fields, record_document
from toolyard.benchmarks.nestools.synth.similar_tools import names
from toolyard.benchmarks.nestools.synth.world import execute_row
from toolyard.core.types import Failure, JsonValue, Sample, Score
from toolyard.env.gym_task import OTHER_SPLIT, Draft, Fits, Function, GoldCall, TaskTurn
from toolyard.env.stage_runner import execute_in_world
from toolyard.env.task_functions import draw_distractors, function, system
from toolyard.synth.chains.chain import (
    Argument,
    Chain,
    PlannedStep,
    ResultReference,
    chain_from_json,
    plan_to_json,
)
from toolyard.synth.chains.execution import output_digest
from toolyard.synth.chains.projection import project_result
from toolyard.synth.goals.goal_book import Filling, all_goals
from toolyard.synth.stages import Context, Kept, Rejected

TWO_GOALS = 0.35
_JOINTS = (
    "{0} And one more thing, apart from that: {1}",
    "{0} Separately: {1}",
    "Two things. First: {0} Second: {1}",
    "{0} Besides, and with nothing in common: {1}",
)


def draw(rng: Random, fits: Fits, world_seed: int) -> Draft | Failure:
    """A task with one goal or two."""
    found = _draw_executed_chain(rng, fits, world_seed)
    return found if isinstance(found, Failure) else _make_task(found[0], found[1].text, rng)


def sample(rng: Random, fits: Fits, world_seed: int) -> Sample | Failure:
    """The same as a record of the benchmark, to be answered with all calls at once."""
    found = _draw_executed_chain(rng, fits, world_seed)
    if isinstance(found, Failure):
        return found
    chain, wanted = found
    numbers = {name: number for number, name in enumerate(sorted(names().values()))}
    calls = [call_with_id(call, numbers[call["api_name"]]) for call in chain_gold_calls(chain)]
    beside = draw_distractors(list(dict.fromkeys(step.tool for step in chain.steps)), (), rng)
    return Sample(
        id="",
        input={
            "query": wanted.text,
            "tools": [with_id(tool, numbers[tool["api_name"]]) for tool in chain_tools(chain)],
            "distractors": [with_id(record_document(tool), numbers[names()[tool]]) for tool in beside],
        },
        gold={"calls": calls, ALTERNATIVES: proved_alternatives(chain, wanted.text, wanted.says)},
        groups=row_groups(calls, ""),
    )


def families(sample: Sample, score: Score) -> tuple[float, float, float, float]:  # noqa: ARG001 - see env.answers
    """Format, tool choice, arguments and outcome out of the benchmark's own counts."""
    chosen = score.counts["selection"]
    given = score.counts["parameter"] + score.counts["nested"]
    choice = max(0.0, (2 * chosen.matched - chosen.predicted) / chosen.gold)
    most = max(given.predicted, given.gold)
    share = given.matched / most if most else 1.0
    return score.values["format"] or 0.0, choice, choice * share, score.values["outcome"] or 0.0


def _draw_executed_chain(rng: Random, fits: Fits, world_seed: int) -> tuple[Chain, Filling] | Failure:
    wanted = _draw_filling(rng)
    if isinstance(wanted, Failure):
        return wanted
    row = {"task": wanted.text, "plan": plan_to_json(wanted.plan), "says": dict(wanted.says)}
    done = execute_row(row, Context())
    if isinstance(done, Rejected):
        return Failure(done.reason, done.detail)
    assert isinstance(done, Kept)
    chain = chain_from_json(done.fields["chain"])
    if not fits([(step.tool, chain.resolved(index)) for index, step in enumerate(chain.steps)]):
        return OTHER_SPLIT
    played = execute_in_world(chain, world_seed, documented_fields)
    return played if isinstance(played, Failure) else (played, wanted)


def _draw_filling(rng: Random) -> Filling | Failure:
    first = rng.choice(all_goals()).drawn(rng)
    if rng.random() >= TWO_GOALS:
        return first
    second = rng.choice(all_goals()).drawn(rng)
    if {step.tool for step in first.plan} & {step.tool for step in second.plan}:
        return Failure("same_tool_twice")
    moved = tuple(_shift_step(step, len(first.plan)) for step in second.plan)
    text = rng.choice(_JOINTS).format(first.text, second.text)
    return Filling((*first.plan, *moved), text, {**first.says, **second.says})


def _shift_step(step: PlannedStep, by: int) -> PlannedStep:
    return replace(
        step, arguments={name: _shift_references(given, by) for name, given in step.arguments.items()}
    )


def _shift_references(given: Argument, by: int) -> Argument:
    if isinstance(given, list):
        return [_shift_references(item, by) for item in given]
    return replace(given, step=given.step + by) if isinstance(given, ResultReference) else given


def _make_task(chain: Chain, text: str, rng: Random) -> Draft:
    used = list(dict.fromkeys(step.tool for step in chain.steps))
    listed = [*used, *draw_distractors(used, (), rng)]
    rng.shuffle(listed)
    gold = tuple(
        GoldCall(names()[step.tool], chain.resolved(index), output_digest(step.output))
        for index, step in enumerate(chain.steps)
    )
    turn = TaskTurn(text, gold, "That is done.")
    groups = {"depth": str(chain.depth), "structure": chain.structure, "calls": str(len(gold))}
    return Draft(system(), (turn,), tuple(map(_make_function, listed)), groups, chain.seed)


def _make_function(tool: str) -> Function:
    parameters = record_document(tool)["parameters"]
    return function(tool, names()[tool], parameters, returns=documented_fields(tool))


def documented_part(tool: str, output: JsonValue) -> object:
    """What of a tool's result its caller sees."""
    return project_result(tool, output, documented_fields)
