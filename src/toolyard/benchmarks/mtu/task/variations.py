"""MTU-Bench under changes: another wording, order, names, and more tools to choose from."""

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from toolyard.benchmarks.mtu.data.sample import MtuSample
from toolyard.core.types import JsonValue, derived_seed
from toolyard.core.variations import (
    REASONING,
    Variation,
    change_each_sample,
    other_names_by_cluster,
    other_wordings,
    shuffle_items,
)

FOLDER = Path(__file__).parents[1] / "templates"
OWN_WORDS = ("default", "example")
# The official text is one piece in which nothing can be changed.
NOT_VERBATIM = ("default", "example", "native")
MORE = 6


def _name_of_tool(tool: JsonValue) -> str:
    return str(tool.get("name", "")) if isinstance(tool, Mapping) else ""


def _shuffle_tools(sample: MtuSample, seed: int) -> MtuSample:
    return sample.with_input({"tools": shuffle_items(sample.input["tools"], seed, sample.cluster)})


def _rename_tools(samples: tuple[MtuSample, ...], seed: int) -> tuple[MtuSample, ...]:
    """A dialogue's tools have the same new names in all of its turns."""
    names = other_names_by_cluster(
        samples, lambda sample: filter(None, map(_name_of_tool, sample.input["tools"])), seed
    )
    return tuple(_rename_sample_tools(sample, names[sample.cluster]) for sample in samples)


def _rename_sample_tools(sample: MtuSample, names: Mapping[str, str]) -> MtuSample:
    pattern = _name_pattern(names)
    extra = {name: _replace_names(sample.input[name], names, pattern) for name in ("tools", "history")}
    return replace(sample.with_input(extra), gold=_replace_names(sample.gold, names, pattern))


def _name_pattern(names: Mapping[str, str]) -> re.Pattern[str]:
    """The names as they refer to tools: whole texts, heads of references, and words that no prose has."""
    longest = sorted(names, key=len, reverse=True)
    marked = [name for name in longest if "_" in name or not name[1:].islower()]
    choices = [rf"^{re.escape(name)}$" for name in longest]
    choices += [rf"\b{re.escape(name)}(?=\.\w)" for name in longest]
    choices += [rf"\b{re.escape(name)}\b" for name in marked]
    return re.compile("|".join(choices) or r"(?!)")


def _replace_names(value: object, names: Mapping[str, str], pattern: re.Pattern[str]) -> Any:
    if isinstance(value, str):
        return pattern.sub(lambda match: names[match.group()], value)
    if isinstance(value, Mapping):
        return {
            names.get(key, key): _replace_names(entry, names, pattern) for key, entry in value.items()
        }  # fmt: skip
    if isinstance(value, list | tuple):
        return [_replace_names(entry, names, pattern) for entry in value]
    return value


def _add_tools(samples: tuple[MtuSample, ...], seed: int) -> tuple[MtuSample, ...]:
    """Each dialogue with tools of other dialogues, the same in all of its turns."""
    pool: dict[str, JsonValue] = {}
    for sample in samples:
        for tool in sample.input["tools"]:
            if _name_of_tool(tool):
                pool.setdefault(_name_of_tool(tool), tool)
    offered: dict[str, set[str]] = {}
    for sample in samples:
        offered.setdefault(sample.cluster, set()).update(map(_name_of_tool, sample.input["tools"]))
    added = {cluster: _choose_more_tools(pool, taken, seed, cluster) for cluster, taken in offered.items()}
    return tuple(
        sample.with_input(
            {"tools": shuffle_items([*sample.input["tools"], *added[sample.cluster]], seed, sample.cluster)}
        )
        for sample in samples
    )


def _choose_more_tools(
    pool: Mapping[str, JsonValue], taken: set[str], seed: int, cluster: str
) -> Sequence[JsonValue]:
    order = [name for name in pool if name not in taken]
    random.Random(derived_seed(seed, f"more/{cluster}", 0)).shuffle(order)
    return [pool[name] for name in order[:MORE]]


VARIATIONS = {
    **other_wordings(FOLDER, OWN_WORDS),
    "shuffled-tools": Variation(
        "the tools in another order", change_each_sample(_shuffle_tools), styles=NOT_VERBATIM
    ),
    "renamed-tools": Variation(
        "every tool under a name that says nothing", _rename_tools, styles=NOT_VERBATIM
    ),
    "more-distractors": Variation(f"{MORE} tools more, of other dialogues", _add_tools, styles=NOT_VERBATIM),
    **REASONING,
}
