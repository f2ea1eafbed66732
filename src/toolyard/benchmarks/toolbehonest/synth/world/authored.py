"""Pairs whose words were written by hand: their calls are executed and the missing tool is proven needed.

    {"subtask": "multi_step_wo_rep", "opening": "We move to Lyon:", "remove": 2, "spare": ["Category/Package/tool"],
     "steps": [{"say": "Find bakeries in Lyon.", "call": {"Finance/Yelp/yelp_search": {"location": "Lyon"}}}, ...]}

Single steps and choices have a plain `steps: [{tool: arguments}]`, the former with `task`, the latter with `points`,
`more`, `rivals` and `describe`. What an argument stands for in other words than its own is listed under `inferred`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

import yaml

from toolyard.benchmarks.toolbehonest.synth.row_rules import pair_fault, solvable_fault
from toolyard.benchmarks.toolbehonest.synth.world.executed_plans import re_execute, to_json
from toolyard.benchmarks.toolbehonest.synth.world.listed_tools import offered
from toolyard.benchmarks.toolbehonest.synth.world.needs import answered_by, wanted
from toolyard.benchmarks.toolbehonest.synth.world.tasks import itemised
from toolyard.benchmarks.toolbehonest.toollist import UNSOLVABLE_QUERY
from toolyard.core.errors import DataError
from toolyard.core.types import Failure, Json, derived_seed
from toolyard.synth.chains.chain import Chain, PlannedStep, execute
from toolyard.synth.stages import Row
from toolyard.text.values import leaves

_SEED = 0


class _Loader(yaml.SafeLoader):
    """YAML whose dates stay text, as tools take them."""


_Loader.yaml_implicit_resolvers = {
    first: [resolver for resolver in resolvers if resolver[0] != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def read(path: Path) -> list[dict[str, Json]]:
    """The pairs of a file as they were written."""
    found: list[dict[str, Json]] = yaml.load(path.read_text("utf-8"), Loader=_Loader)  # noqa: S506 - a safe loader
    return found


def pairs(authored: Sequence[Mapping[str, Json]]) -> list[Row]:
    """The pairs as rows of the pipelines, in their order; an error names the first that does not stand."""
    return [_pair(row, f"{row['subtask']}-{number:03}") for number, row in enumerate(authored)]


def _pair(authored: Mapping[str, Json], name: str) -> Row:
    chain = execute(_plan(authored), _SEED)
    if isinstance(chain, Failure):
        raise DataError(f"{name}: {chain.kind}: {chain.detail}")
    shown = _shown(authored, chain, name)
    row: Row = {
        "id": name,
        "subtask": authored["subtask"],
        **_tasks(authored),
        **_lists(authored, chain, shown),
    }
    row["execution"] = {**to_json(chain), "unsolvable": _proof(authored, chain, shown, name)}
    fault = solvable_fault(row) or pair_fault(row)
    if fault:
        raise DataError(f"{name}: {fault.reason}: {fault.detail}")
    if not re_execute(row):
        raise DataError(f"{name}: its calls do not return the same again")
    unsaid = list(_unsaid(authored, chain, row["task"]))
    if unsaid:
        raise DataError(f"{name}: not in the task, nor under inferred: {unsaid}")
    return row


def _calls(authored: Mapping[str, Json]) -> list[tuple[str, Json]]:
    given = (step.get("call", step) for step in authored["steps"])
    return [next(iter(call.items())) for call in given]


def _plan(authored: Mapping[str, Json]) -> tuple[PlannedStep, ...]:
    return tuple(PlannedStep(tool, arguments) for tool, arguments in _calls(authored))


def _shown(authored: Mapping[str, Json], chain: Chain, name: str) -> list[str]:
    """The listed tools in an order of chance."""
    used = (step.tool for step in chain.steps)
    shown = list(dict.fromkeys((*used, *authored.get("rivals", ()), *authored["spare"])))
    for tool in shown:
        if tool not in offered():
            raise DataError(f"{name}: {tool} cannot be listed")
    Random(derived_seed(_SEED, f"authored/{name}", 0)).shuffle(shown)
    return shown


def _tasks(authored: Mapping[str, Json]) -> dict[str, Json]:
    if authored["subtask"] == "single_step":
        return {"task": authored["task"], "unsolvable_task": authored["task"]}
    opening = authored["opening"]
    if authored["subtask"] == "best":
        points = authored["points"]
        more = [*points, authored["more"]]
        return {"task": itemised((opening,), points, ""), "unsolvable_task": itemised((opening,), more, "")}
    lines = [step["say"] for step in authored["steps"]]
    tempted = (authored["tempting"], opening) if "tempting" in authored else (authored.get("less", opening),)
    return {"task": itemised((opening,), lines, ""), "unsolvable_task": itemised(tempted, lines, "")}


def _lists(authored: Mapping[str, Json], chain: Chain, shown: Sequence[str]) -> dict[str, Json]:
    tools = [step.tool for step in chain.steps]
    plan = [offered()[tool][0] for tool in tools]
    missing = _missing(authored, tools)
    gone = {tools[index] for index in missing} if "remove" in authored or len(tools) == 1 else set()
    if authored["subtask"] in ("iter", "best"):
        gone = set()
    unsolvable = [UNSOLVABLE_QUERY if index in missing else name for index, name in enumerate(plan)]
    if "limit" in authored:
        unsolvable = [*plan[: authored["limit"]], UNSOLVABLE_QUERY]
    return {
        "tools": _described(authored, shown, tools[0], authored.get("note", "")),
        "plan": plan,
        "unsolvable_tools": _described(
            authored,
            [tool for tool in shown if tool not in gone],
            tools[0],
            authored.get("less_note", authored.get("note", "")),
        ),
        "unsolvable_plan": unsolvable,
    }


def _missing(authored: Mapping[str, Json], tools: Sequence[str]) -> set[int]:
    """The steps that cannot be done in the unsolvable twin, counted from 0."""
    if "dropped" in authored:
        return {number - 1 for number in authored["dropped"]}
    removed = tools[authored.get("remove", 1) - 1]
    return {index for index, tool in enumerate(tools) if tool == removed}


def _described(authored: Mapping[str, Json], shown: Sequence[str], noted: str, note: str) -> list[Json]:
    own = authored.get("describe", {})
    return [
        [
            offered()[tool][0],
            " ".join((own.get(tool, offered()[tool][1]), note if tool == noted else "")).strip(),
        ]
        for tool in shown
    ]


def _proof(authored: Mapping[str, Json], chain: Chain, shown: Sequence[str], name: str) -> dict[str, Json]:
    """Why the twin has no solution; what was taken away is also looked for with the tools that are left."""
    if authored["subtask"] == "best":
        return {
            "form": "constraints",
            "met": authored["points"],
            "wanted": [*authored["points"], authored["more"]],
        }
    if authored["subtask"] == "iter":
        given = {"calls": authored["limit"]} if "limit" in authored else {"dropped": authored["dropped"]}
        return {"form": "limit" if "limit" in authored else "function", **given}
    missing = sorted(_missing(authored, [step.tool for step in chain.steps]))
    left = [tool for tool in shown if tool != chain.steps[missing[0]].tool]
    needed = []
    for index in missing:
        rivals = answered_by(chain, index, left)
        if rivals:
            raise DataError(f"{name}: {rivals[0]} shows what {chain.steps[index].tool} found")
        needed.append(
            {"step": index, "tool": chain.steps[index].tool, "wanted": wanted(chain, index), "tried": left}
        )
    return {"form": "removed", "needed": needed}


def _unsaid(authored: Mapping[str, Json], chain: Chain, task: str) -> Iterator[str]:
    """Values of the calls that the task does not say."""
    said = task.casefold().replace(",", "")
    inferred = {str(value) for value in authored.get("inferred", ())}
    for index in range(len(chain.steps)):
        for value in leaves(chain.resolved(index)):
            text = str(value)
            if isinstance(value, bool) or text in inferred:
                continue
            if not all(part.casefold().replace(",", "") in said for part in text.splitlines()):
                yield text
