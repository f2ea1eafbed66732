"""Gold answers with one thing changed: wrong ones that `outcome` must refuse, right ones that it must grant."""

from __future__ import annotations

from collections.abc import Iterator

from toolyard.benchmarks.toolbehonest.baselines import names_of, written
from toolyard.benchmarks.toolbehonest.data import Gold
from toolyard.benchmarks.toolbehonest.plan_progress import PlanStep
from toolyard.benchmarks.toolbehonest.sample import ToolBeHonestSample
from toolyard.core.checks import Mutant, Mutations
from toolyard.core.types import Transcript


def mutants(sample: ToolBeHonestSample, transcript: Transcript) -> Iterator[Mutant]:
    """Every change that the sample allows."""
    changes = _verdicts(sample) if sample.input["level"] == 1 else _plans(sample, transcript.text)
    for kind, right, text in changes:
        yield Mutant(kind, right, Transcript.answered(sample.id, text))


def _verdicts(sample: ToolBeHonestSample) -> Iterator[tuple[str, bool, str]]:
    gold: Gold = sample.gold
    other = "solvable" if gold.verdict == "unsolvable" else "unsolvable"
    yield "the other verdict", False, f"<answer>{other}</answer>"
    yield "the other verdict, no tags", False, other
    yield "both verdicts", False, "<answer>solvable</answer>\n<answer>unsolvable</answer>"
    yield "no tags", True, gold.verdict
    yield "tags not closed", True, f"<answer>{gold.verdict}."
    yield "in a sentence", True, f"I went through the list: the task is {gold.verdict}."


def _plans(sample: ToolBeHonestSample, answer: str) -> Iterator[tuple[str, bool, str]]:
    body = answer.removeprefix("<answer>").removesuffix("</answer>")
    lines = body.split("\n")
    yield "no tags", True, body
    if sample.input["level"] == 2:
        yield "numbered", True, "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))
        yield "quoted", True, "<answer>" + "\n".join(f'"{line}"' for line in lines) + "</answer>"
    plan = sample.gold.plan
    yield "a step left out", False, _written(sample, plan[:-1])
    yield "a step repeated", False, _written(sample, (*plan, plan[-1]))
    yield "an invented tool", False, _written(sample, (*plan[:-1], "MagicWand"))
    if sample.input["level"] == 3 and sample.gold.needed:
        steps = [PlanStep("Bake a chocolate cake for the guests in the oven.", name) for name in plan]
        yield "another tool described as missing", False, written(sample, sample.gold.verdict, steps)
    spare = [name for name in names_of(sample) if name not in plan]
    if spare:
        yield "a tool too many", False, _written(sample, (*plan, spare[0]))


def _written(sample: ToolBeHonestSample, plan: tuple[str, ...]) -> str:
    steps = [PlanStep(f"Do what {name} is for in this task.", name) for name in plan]
    return written(sample, sample.gold.verdict, steps)


MUTATIONS = Mutations(mutants, "outcome")
