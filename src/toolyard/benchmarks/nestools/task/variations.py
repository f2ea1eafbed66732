"""NesTools under changes: another wording, order, names, and more tools to choose from."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from toolyard.benchmarks.nestools.data.distractors import is_distinct_name
from toolyard.benchmarks.nestools.data.rows import distractor_pool, offered_tools, tool_key
from toolyard.benchmarks.nestools.data.sample import (
    NestoolsCall,
    NestoolsGold,
    NestoolsInput,
    NestoolsSample,
    NestoolsTool,
)
from toolyard.core.benchmark import Catalogue
from toolyard.core.types import JsonValue, derived_seed
from toolyard.core.variations import (
    REASONING,
    Variation,
    change_each_sample,
    other_names,
    other_wordings,
    shuffle_items,
)
from toolyard.text.distractors_by_words import ordered_distractors

FOLDER = Path(__file__).parents[1] / "templates"
MORE = 10


def _both_lists(
    sample: NestoolsSample, change: Callable[[str, list[NestoolsTool]], list[NestoolsTool]]
) -> NestoolsInput:
    """The input with the gold tools and the distractors changed, each list by itself."""
    changed: NestoolsInput = {**sample.input, "tools": change("tools", sample.input["tools"])}
    if "distractors" in sample.input:
        changed["distractors"] = change("distractors", sample.input["distractors"])
    return changed


def _shuffle_tools(sample: NestoolsSample, seed: int) -> NestoolsSample:
    return replace(
        sample,
        input=_both_lists(sample, lambda name, tools: shuffle_items(tools, seed, f"{name}/{sample.cluster}")),
    )


def _rename_tools(sample: NestoolsSample, seed: int) -> NestoolsSample:
    names = other_names([str(tool["api_name"]) for tool in offered_tools(sample)], seed, sample.cluster)
    calls: list[NestoolsCall] = [
        {**call, "api_name": names.get(call["api_name"], call["api_name"])} for call in sample.gold["calls"]
    ]
    gold: NestoolsGold = {**sample.gold, "calls": calls}
    if "alternatives" in sample.gold:
        gold["alternatives"] = [_rename_tool_in_entry(entry, names) for entry in sample.gold["alternatives"]]
    return replace(
        sample, input=_both_lists(sample, lambda _, tools: _rename_record_tools(tools, names)), gold=gold
    )


def _rename_record_tools(tools: Sequence[NestoolsTool], names: Mapping[str, str]) -> list[NestoolsTool]:
    return [{**tool, "api_name": names.get(tool["api_name"], tool["api_name"])} for tool in tools]


def _rename_tool_in_entry(entry: JsonValue, names: Mapping[str, str]) -> JsonValue:
    if not isinstance(entry, Mapping) or not isinstance(tool := entry.get("tool"), str):
        return entry
    return {**entry, "tool": names.get(tool, tool)}


def _add_tools(samples: tuple[NestoolsSample, ...], seed: int) -> tuple[NestoolsSample, ...]:
    """Each with tools that other samples of the run need; none twice, none under a name that is there already."""
    pool = list({tool_key(tool): tool for sample in samples for tool in sample.input["tools"]}.values())
    return tuple(_add_distractors(sample, pool, seed) for sample in samples)


def _add_distractors(sample: NestoolsSample, pool: Sequence[NestoolsTool], seed: int) -> NestoolsSample:
    offered = offered_tools(sample)
    names = {tool["api_name"] for tool in offered}
    ids = {tool["api_id"] for tool in offered}
    order = list(pool)
    random.Random(derived_seed(seed, f"more/{sample.id}", 0)).shuffle(order)
    added: list[NestoolsTool] = []
    for tool in order:
        if len(added) == MORE:
            break
        if tool["api_name"] not in names and tool["api_id"] not in ids:
            added.append(tool)
            names.add(tool["api_name"])
            ids.add(tool["api_id"])
    return sample.with_input({"distractors": [*sample.input.get("distractors", ()), *added]})


VARIATIONS = {
    **other_wordings(FOLDER, ("default", "example")),
    "shuffled-tools": Variation("the tools in another order", change_each_sample(_shuffle_tools)),
    "renamed-tools": Variation(
        "every tool under a name that says nothing", change_each_sample(_rename_tools)
    ),
    "more-distractors": Variation(f"{MORE} tools more that the task does not need", _add_tools),
    "no-types": Variation("return values without their types", options={"variant": "no-types"}),
    **REASONING,
}


@lru_cache(maxsize=2)
def _pool_of_data(data: Path) -> tuple[NestoolsTool, ...]:
    return tuple(distractor_pool(data))


def fill_catalogue(sample: NestoolsSample, wanted: Catalogue) -> NestoolsSample:
    """The sample with tools of the pool instead of its own distractors, which come first where near ones are wanted."""
    gold = sample.input["tools"]
    names, ids = {tool["api_name"] for tool in gold}, {tool["api_id"] for tool in gold}
    own = [] if wanted.far else sample.input.get("distractors", [])
    pool = {
        tool_key(tool): tool
        for tool in (*own, *_pool_of_data(wanted.data))
        if tool["api_id"] not in ids and is_distinct_name(tool["api_name"], [*names])
    }
    texts = {
        key: f"{tool['api_name'].replace('_', ' ')} {tool['api_description']}" for key, tool in pool.items()
    }
    needed = [f"{tool['api_name'].replace('_', ' ')} {tool['api_description']}" for tool in gold]
    order = ordered_distractors(needed, texts, far=wanted.far, seed=wanted.seed, cluster=sample.cluster)
    first = [tool_key(tool) for tool in own if tool_key(tool) in pool]
    chosen: dict[str, NestoolsTool] = {}
    for key in dict.fromkeys([*first, *order]):
        if len(chosen) + len(gold) >= wanted.size:
            break
        chosen.setdefault(pool[key]["api_name"], pool[key])
    return sample.with_input({"distractors": list(chosen.values())})
