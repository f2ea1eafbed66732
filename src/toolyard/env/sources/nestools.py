"""Nested calls: goals of the book with values, one alone or two together, whose calls were executed.

The request says every value and none that only a call can tell, as in `synth nestools --from world`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from toolyard.benchmarks.nestools.synth.documents import document, shown
from toolyard.benchmarks.nestools.synth.similar import names
from toolyard.benchmarks.nestools.synth.world import carry_out
from toolyard.core.types import Failure, Json
from toolyard.env.offers import function, others, system
from toolyard.env.task import OTHER_SPLIT, Draft, Fits, Function, GoldCall, Turn
from toolyard.synth.chains.chain import (
    Argument,
    Chain,
    PlannedStep,
    ResultReference,
    from_json,
    plan_to_json,
)
from toolyard.synth.chains.execution import digest
from toolyard.synth.chains.projection import project
from toolyard.synth.goals.book import Filling, goals
from toolyard.synth.stages import Context, Rejected

TWO_GOALS = 0.35
_JOINTS = (
    "{0} And one more thing, apart from that: {1}",
    "{0} Separately: {1}",
    "Two things. First: {0} Second: {1}",
    "{0} Besides, and with nothing in common: {1}",
)


def draw(rng: Random, fits: Fits) -> Draft | Failure:
    """A task with one goal or two."""
    wanted = _filling(rng)
    if isinstance(wanted, Failure):
        return wanted
    row = {"task": wanted.text, "plan": plan_to_json(wanted.plan), "says": dict(wanted.says)}
    done = carry_out(row, Context())
    if isinstance(done, Rejected):
        return Failure(done.reason, done.detail)
    assert not isinstance(done, Sequence)
    chain = from_json(done.fields["chain"])
    if not fits([(step.tool, chain.resolved(index)) for index, step in enumerate(chain.steps)]):
        return OTHER_SPLIT
    return _task(chain, wanted.text, rng)


def _filling(rng: Random) -> Filling | Failure:
    first = rng.choice(goals()).drawn(rng)
    if rng.random() >= TWO_GOALS:
        return first
    second = rng.choice(goals()).drawn(rng)
    if {step.tool for step in first.plan} & {step.tool for step in second.plan}:
        return Failure("same_tool_twice")
    moved = tuple(_moved(step, len(first.plan)) for step in second.plan)
    text = rng.choice(_JOINTS).format(first.text, second.text)
    return Filling((*first.plan, *moved), text, {**first.says, **second.says})


def _moved(step: PlannedStep, by: int) -> PlannedStep:
    return replace(step, arguments={name: _later(given, by) for name, given in step.arguments.items()})


def _later(given: Argument, by: int) -> Argument:
    if isinstance(given, list):
        return [_later(item, by) for item in given]
    return replace(given, step=given.step + by) if isinstance(given, ResultReference) else given


def _task(chain: Chain, text: str, rng: Random) -> Draft:
    used = list(dict.fromkeys(step.tool for step in chain.steps))
    listed = [*used, *others(used, (), rng)]
    rng.shuffle(listed)
    gold = tuple(
        GoldCall(names()[step.tool], chain.resolved(index), digest(step.output))
        for index, step in enumerate(chain.steps)
    )
    turn = Turn(text, gold, "That is done.")
    groups = {"depth": str(chain.depth), "structure": chain.structure, "calls": str(len(gold))}
    return Draft(system(), (turn,), tuple(map(_function, listed)), groups, chain.seed)


def _function(tool: str) -> Function:
    parameters = document(tool)["parameters"]
    return function(tool, names()[tool], parameters, returns=shown(tool), shown=_result)


def _result(tool: str, output: Json) -> Json:
    return project(tool, output, shown)
