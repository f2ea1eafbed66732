"""Plans: what was predicted, and how far it follows the gold (Section 3.2)."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from toolyard.benchmarks.toolbehonest.data.tool_list import FINISH, UNSOLVABLE_QUERY
from toolyard.core.types import Failure


@dataclass(frozen=True, slots=True)
class PlanStep:
    """One planned step: what it is for, and with which tool."""

    subgoal: str
    tool: str


@dataclass(frozen=True, slots=True)
class PlanPrediction:
    """What an answer says: a verdict at level 1, steps without the closing Finish at levels 2 and 3."""

    verdict: str = ""
    steps: tuple[PlanStep, ...] = ()
    second_verdict: str | None = None
    failure: Failure | None = None
    # the whole answer, for a reading that does not mind its form
    said: str | None = None

    @property
    def tools(self) -> tuple[str, ...]:
        """The planned tool names in order."""
        return tuple(step.tool for step in self.steps)


@dataclass(frozen=True, slots=True)
class Rates:
    """Progress rates of one plan: the matched prefix (the paper's) and the in-order matches."""

    hard: float
    soft: float


def without_finish_step(steps: tuple[PlanStep, ...]) -> tuple[PlanStep, ...]:
    """The steps without a closing Finish in any case."""
    return steps[:-1] if steps and steps[-1].tool.lower() == FINISH.lower() else steps


def prefix_progress(predicted: Sequence[str], gold: Sequence[str]) -> float:
    """Leading steps that equal the gold over the gold's length (Equation 1)."""
    matched = 0
    for ours, theirs in zip(predicted, gold, strict=False):
        if ours != theirs:
            break
        matched += 1
    return matched / len(gold)


def in_order_progress(predicted: Sequence[str], gold: Sequence[str]) -> float:
    """Leading gold steps that the plan holds in order, with anything between, over the gold's length."""
    matched = 0
    for name in predicted:
        if matched < len(gold) and name == gold[matched]:
            matched += 1
    return matched / len(gold)


def progress_rates(predicted: Sequence[str], gold: Sequence[str], known: Collection[str]) -> Rates:
    """Both rates; zero when the plan names an unknown tool or misses that a step cannot be done."""
    overlooked = UNSOLVABLE_QUERY in gold and UNSOLVABLE_QUERY not in predicted
    if overlooked or any(name not in known for name in predicted):
        return Rates(0.0, 0.0)
    return Rates(prefix_progress(predicted, gold), in_order_progress(predicted, gold))
