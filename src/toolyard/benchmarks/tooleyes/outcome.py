"""Whether the request was fulfilled, by rule: facts in the answer, the state of the world, the calls' arguments."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from toolyard.benchmarks.tooleyes.documents import ASK, FINISH
from toolyard.benchmarks.tooleyes.facts import normalised
from toolyard.benchmarks.tooleyes.parse import Trajectory
from toolyard.benchmarks.tooleyes.queries import QueryGold, QueryStep
from toolyard.benchmarks.tooleyes.references import is_choice, is_reference
from toolyard.core.state_checks import untouched, verify
from toolyard.core.types import Json
from toolyard.text.values import leaves

NO_WORLD = "the trajectory holds no record of the world, so that its state cannot be checked"


@dataclass(frozen=True, slots=True)
class FulfilmentResult:
    """Whether every check holds; None where one cannot be made. The reasons say which do not."""

    value: float | None
    reasons: tuple[str, ...]


def outcome(gold: QueryGold, trajectory: Trajectory) -> FulfilmentResult:
    """1 if the model answered in time, all facts are in the answer and the world is as it should be."""
    if (gold.state or gold.nothing_else) and trajectory.diff is None:
        return FulfilmentResult(None, (NO_WORLD,))
    answer, seen = trajectory.answer, trajectory.observations()
    reasons = [] if trajectory.passed else ["no answer was given in time"]
    reasons += [f"the answer lacks {fact}" for fact in gold.facts if not fact.holds(answer, seen)]
    reasons += [f"the answer contains {fact}" for fact in gold.absent if fact.holds(answer, seen)]
    diff = trajectory.diff or {}
    reasons += [verdict.reason for check in gold.state if not (verdict := verify(check, diff)).holds]
    if gold.nothing_else and not untouched(diff, allowed=[check.store for check in gold.state]):
        reasons.append("something else was changed")
    return FulfilmentResult(float(not reasons), tuple(reasons))


@dataclass(frozen=True, slots=True)
class _Made:
    """A call that the model made, and all that it had been told before."""

    tool: str
    arguments: Mapping[str, Json]
    known: str


def parameter_correctness(gold: QueryGold, trajectory: Trajectory, query: str) -> float | None:
    """Mean over the plan's calls of the share of arguments that the best call of that tool got right.

    A literal must be equal (case, white space and 5 against "5" do not count); a value that only an observation
    can tell must occur in one that came before. A planned call whose tool was never called is worth 0; further
    arguments and further calls do not count.
    """
    wanted = [step for step in gold.plan if not step.optional and step.tool not in (ASK, FINISH)]
    if not wanted:
        return None
    made = tuple(_calls(trajectory, query))
    return sum(_best(step, made) for step in wanted) / len(wanted)


def _calls(trajectory: Trajectory, query: str) -> Iterable[_Made]:
    known, place = [query], 0
    for turn in trajectory.turns:
        if turn.source != "assistant":
            known.append(turn.value)
            continue
        if place < len(trajectory.rounds):
            call = trajectory.rounds[place]
            if isinstance(call.arguments, Mapping):
                yield _Made(call.action, call.arguments, normalised("\n".join(known)))
        place += 1


def _best(step: QueryStep, made: Sequence[_Made]) -> float:
    return max((_share(step, call) for call in made if call.tool == step.tool), default=0.0)


def _share(step: QueryStep, call: _Made) -> float:
    if not step.arguments:
        return 1.0
    right = sum(
        name in call.arguments and _right(wanted, call.arguments[name], call.known)
        for name, wanted in step.arguments.items()
    )
    return right / len(step.arguments)


def _right(wanted: Json, given: Json, known: str) -> bool:
    if is_reference(wanted):
        return all(_plain(leaf) in known for leaf in leaves(given))
    if is_choice(wanted):
        return any(_right(option, given, known) for option in wanted["any_of"])
    if isinstance(wanted, Mapping):
        return isinstance(given, Mapping) and all(
            name in given and _right(item, given[name], known) for name, item in wanted.items()
        )
    if isinstance(wanted, list):
        same = isinstance(given, list) and len(given) == len(wanted)
        return same and all(_right(a, b, known) for a, b in zip(wanted, given, strict=True))
    return _plain(wanted) == _plain(given)


def _plain(value: Json) -> str:
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        value = int(value)
    text = normalised(str(value))
    return re.sub(r"\.0+$", "", text) if re.fullmatch(r"-?\d{1,15}\.0+", text) else text
