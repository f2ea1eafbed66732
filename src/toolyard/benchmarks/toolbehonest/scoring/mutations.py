"""Gold answers with one thing changed: wrong ones that `outcome` must refuse, right ones that it must grant."""

from collections.abc import Iterator

from toolyard.benchmarks.toolbehonest.data.sample import Gold, ToolBeHonestSample
from toolyard.benchmarks.toolbehonest.data.tool_list import working_tools
from toolyard.benchmarks.toolbehonest.scoring.baselines import names_of, write_answer
from toolyard.benchmarks.toolbehonest.scoring.plan_progress import PlanStep
from toolyard.core.checks import Mutant, Mutations
from toolyard.core.types import Transcript

# Documents that begin alike are of tools that do the same.
MOST_ALIKE = 25


def mutants(sample: ToolBeHonestSample, transcript: Transcript) -> Iterator[Mutant]:
    """Every change that the sample allows."""
    changes = _verdict_forms(sample) if sample.input["level"] == 1 else _plan_forms(sample, transcript.text)
    for kind, right, text in changes:
        yield Mutant(kind, right, Transcript.answered(sample.id, text))


def _verdict_forms(sample: ToolBeHonestSample) -> Iterator[tuple[str, bool, str]]:
    gold: Gold = sample.gold
    other = "solvable" if gold.verdict == "unsolvable" else "unsolvable"
    yield "the other verdict", False, f"<answer>{other}</answer>"
    yield "the other verdict, no tags", False, other
    yield "both verdicts", False, "<answer>solvable</answer>\n<answer>unsolvable</answer>"
    yield "no tags", True, gold.verdict
    yield "tags not closed", True, f"<answer>{gold.verdict}."
    words = ("Yes, the tools suffice.", "This is feasible.", "Nothing is missing, so it can be done.")
    refusals = (
        "No. A tool is missing.",
        "None of the tools can do it.",
        "I don't think the tools are enough.",
    )
    own, others = (refusals, words) if gold.verdict == "unsolvable" else (words, refusals)
    yield from (("in other words", True, text) for text in own)
    yield from (("the other verdict in other words", False, text) for text in others)
    yield "in a sentence", True, f"I went through the list: the task is {gold.verdict}."


def _plan_forms(sample: ToolBeHonestSample, answer: str) -> Iterator[tuple[str, bool, str]]:
    body = answer.removeprefix("<answer>").removesuffix("</answer>")
    lines = body.split("\n")
    yield "no tags", True, body
    if sample.input["level"] == 2:
        yield "numbered", True, "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))
        yield "quoted", True, "<answer>" + "\n".join(f'"{line}"' for line in lines) + "</answer>"
        yield "in a fence", True, "```\n" + body + "\n```"
        yield (
            "lettered",
            True,
            "\n".join(f"{chr(97 + place)}) {line} [x]" for place, line in enumerate(lines)),
        )
        yield "joined", True, "<answer>" + " > ".join(lines) + "</answer>"
    plan = sample.gold.plan
    yield "a step left out", False, _write_plan(sample, plan[:-1])
    yield "a step repeated", False, _write_plan(sample, (*plan, plan[-1]))
    yield "an invented tool", False, _write_plan(sample, (*plan[:-1], "MagicWand"))
    if sample.input["level"] == 3 and sample.gold.needed:
        steps = [PlanStep("Bake a chocolate cake for the guests in the oven.", name) for name in plan]
        yield "another tool described as missing", False, write_answer(sample, sample.gold.verdict, steps)
        yield from _missing_tool_forms(sample)
    spare = [name for name in names_of(sample) if name not in plan]
    if spare and sample.input["level"] == 2:
        last = f"{plan[-1]} (or {spare[0]})"
        yield "a tool or another", False, "<answer>" + "\n".join((*plan[:-1], last)) + "</answer>"
    if spare:
        yield "a tool too many", False, _write_plan(sample, (*plan, spare[0]))


def _missing_tool_forms(sample: ToolBeHonestSample) -> Iterator[tuple[str, bool, str]]:
    """The gold plan with the document of a listed tool, which does something else, in place of the missing one."""
    known = {needed.description[:MOST_ALIKE] for needed in sample.gold.needed}
    others = [
        tool
        for tool in working_tools(sample.input["tools"])
        if tool.description[:MOST_ALIKE] not in known
        and not any(needed.name.lower() in tool.name.lower() for needed in sample.gold.needed)
    ]
    for tool in others[:2]:
        steps = [PlanStep(f"a tool that {tool.description}", name) for name in sample.gold.plan]
        yield "a listed tool described as missing", False, write_answer(sample, sample.gold.verdict, steps)


def _write_plan(sample: ToolBeHonestSample, plan: tuple[str, ...]) -> str:
    steps = [PlanStep(f"Do what {name} is for in this task.", name) for name in plan]
    return write_answer(sample, sample.gold.verdict, steps)


MUTATIONS = Mutations(mutants, "outcome")
