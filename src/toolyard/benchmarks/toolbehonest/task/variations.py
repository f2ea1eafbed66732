"""ToolBeHonest under changes: another wording, order and names. More tools could make an unsolvable task solvable."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from toolyard.benchmarks.toolbehonest.data.sample import Gold, OtherPlan, ToolBeHonestSample
from toolyard.benchmarks.toolbehonest.data.tool_list import (
    SPECIAL_TOOLS,
    ListedTool,
    listed_tools,
    working_tools,
)
from toolyard.benchmarks.toolbehonest.task.prompt import EXAMPLE, ZERO_SHOT
from toolyard.core.variations import (
    REASONING,
    Variation,
    change_each_sample,
    other_names_by_cluster,
    other_wordings,
    shuffle_items,
)

FOLDER = Path(__file__).parents[1] / "templates"
OWN_WORDS = (EXAMPLE, ZERO_SHOT)


def _tool_list_text(tools: Sequence[ListedTool]) -> str:
    return "\n".join(f"{number}. {tool.name}: {tool.description}" for number, tool in enumerate(tools, 1))


def _shuffle_tools(sample: ToolBeHonestSample, seed: int) -> ToolBeHonestSample:
    """The working tools in another order; Finish and UnsolvableQuery stay last."""
    text = str(sample.input["tools"])
    special = [tool for tool in listed_tools(text) if tool.name in SPECIAL_TOOLS]
    return sample.with_input(
        {"tools": _tool_list_text([*shuffle_items(working_tools(text), seed, sample.cluster), *special])}
    )


def _rename_tools(samples: tuple[ToolBeHonestSample, ...], seed: int) -> tuple[ToolBeHonestSample, ...]:
    """Both twins and all levels of an item have the same new names."""
    names = other_names_by_cluster(samples, _names_of_tools, seed)
    return tuple(_rename_sample_tools(sample, names[sample.cluster]) for sample in samples)


def _names_of_tools(sample: ToolBeHonestSample) -> list[str]:
    shown = [tool.name for tool in working_tools(str(sample.input["tools"]))]
    planned = [name for name in (*sample.gold.known, *sample.gold.plan) if name not in SPECIAL_TOOLS]
    return [*shown, *(name.strip() for name in planned)]


def _rename_sample_tools(sample: ToolBeHonestSample, names: Mapping[str, str]) -> ToolBeHonestSample:
    def new(name: str) -> str:
        return names.get(name.strip(), name)

    tools = [
        ListedTool(new(tool.name), tool.description) for tool in listed_tools(str(sample.input["tools"]))
    ]
    gold: Gold = sample.gold

    def plan(steps: Sequence[str]) -> tuple[str, ...]:
        return tuple(map(new, steps))

    changed = replace(
        gold,
        plan=plan(gold.plan),
        known=plan(gold.known),
        needed=tuple(replace(item, name=new(item.name)) for item in gold.needed),
        others=tuple(
            OtherPlan(plan(other.plan), tuple(replace(item, name=new(item.name)) for item in other.needed))
            for other in gold.others
        ),
    )
    return replace(sample.with_input({"tools": _tool_list_text(tools)}), gold=changed)


VARIATIONS = {
    **other_wordings(FOLDER, OWN_WORDS),
    "shuffled-tools": Variation("the tools in another order", change_each_sample(_shuffle_tools)),
    "renamed-tools": Variation("every tool under a name that says nothing", _rename_tools),
    **REASONING,
}
