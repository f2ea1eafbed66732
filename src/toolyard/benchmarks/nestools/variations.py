"""NesTools under changes: another wording, order, names, and more tools to choose from."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from toolyard.benchmarks.alternatives import FIELD as ALTERNATIVES
from toolyard.benchmarks.nestools.data import offered_tools, tool_key
from toolyard.core.types import Json, Sample, derived_seed
from toolyard.core.variations import REASONING, Variation, each, other_names, shuffled, worded

FOLDER = Path(__file__).parent / "templates"
MORE = 10


def _shuffled(sample: Sample, seed: int) -> Sample:
    extra = {
        name: shuffled(sample.input[name], seed, f"{name}/{sample.cluster}")
        for name in ("tools", "distractors")
        if name in sample.input
    }
    return sample.with_input(extra)


def _renamed(sample: Sample, seed: int) -> Sample:
    names = other_names([str(tool["api_name"]) for tool in offered_tools(sample)], seed, sample.cluster)
    extra = {
        name: [_with_name(tool, names) for tool in sample.input[name]]
        for name in ("tools", "distractors")
        if name in sample.input
    }
    gold = {**sample.gold, "calls": [_with_name(call, names) for call in sample.gold["calls"]]}
    if ALTERNATIVES in gold:
        gold[ALTERNATIVES] = [
            {**entry, "tool": names.get(entry["tool"], entry["tool"])} if "tool" in entry else entry
            for entry in gold[ALTERNATIVES]
        ]
    return replace(sample.with_input(extra), gold=gold)


def _with_name(item: Mapping[str, Json], names: Mapping[str, str]) -> dict[str, Json]:
    return {**item, "api_name": names.get(item["api_name"], item["api_name"])}


def _more(samples: tuple[Sample, ...], seed: int) -> tuple[Sample, ...]:
    """Each with tools that other samples of the run need; none twice, none under a name that is there already."""
    pool = list({tool_key(tool): tool for sample in samples for tool in sample.input["tools"]}.values())
    return tuple(_with_more(sample, pool, seed) for sample in samples)


def _with_more(sample: Sample, pool: Sequence[Json], seed: int) -> Sample:
    offered = offered_tools(sample)
    names, ids = ({tool[key] for tool in offered} for key in ("api_name", "api_id"))
    order = list(pool)
    random.Random(derived_seed(seed, f"more/{sample.id}", 0)).shuffle(order)
    added: list[Json] = []
    for tool in order:
        if len(added) == MORE:
            break
        if tool["api_name"] not in names and tool["api_id"] not in ids:
            added.append(tool)
            names.add(tool["api_name"])
            ids.add(tool["api_id"])
    return sample.with_input({"distractors": [*sample.input.get("distractors", ()), *added]})


VARIATIONS = {
    "paraphrase": Variation(
        "the instructions in other words",
        templates=worded(FOLDER / "paraphrase"),
        styles=("default", "example"),
    ),
    "german": Variation(
        "the instructions in German", templates=worded(FOLDER / "german"), styles=("default", "example")
    ),
    "shuffled-tools": Variation("the tools in another order", each(_shuffled)),
    "renamed-tools": Variation("every tool under a name that says nothing", each(_renamed)),
    "more-distractors": Variation(f"{MORE} tools more that the task does not need", _more),
    "no-types": Variation("return values without their types", options={"variant": "no-types"}),
    **REASONING,
}
