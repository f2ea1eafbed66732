"""Pairs whose words were written by hand: their calls are executed and the missing tool is proven needed.

    {"subtask": "multi_step_wo_rep", "opening": "We move to Lyon:", "remove": 2, "spare": ["Category/Package/tool"],
     "steps": [{"say": "Find bakeries in Lyon.", "call": {"Finance/Yelp/yelp_search": {"location": "Lyon"}}}, ...]}

Single steps and choices have a plain `steps: [{tool: arguments}]`, the former with `task`, the latter with `points`,
`more`, `rivals` and `describe`. What an argument stands for in other words than its own is listed under `inferred`.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from toolyard.benchmarks.toolbehonest.baselines import FEWEST_SHARED
from toolyard.benchmarks.toolbehonest.synth.data_files import PAIR_FIELDS
from toolyard.benchmarks.toolbehonest.synth.row_rules import pair_fault, solvable_fault
from toolyard.benchmarks.toolbehonest.synth.world.executed_plans import re_execute, to_json
from toolyard.benchmarks.toolbehonest.synth.world.listed_tools import offered
from toolyard.benchmarks.toolbehonest.synth.world.needs import answered_by, wanted
from toolyard.benchmarks.toolbehonest.synth.world.pipeline import WORLD
from toolyard.benchmarks.toolbehonest.synth.world.tasks import itemised
from toolyard.benchmarks.toolbehonest.toollist import UNSOLVABLE_QUERY
from toolyard.core.errors import DataError
from toolyard.core.types import Failure, JsonValue, Record, derived_seed
from toolyard.synth.chains.chain import Chain, PlannedStep, execute
from toolyard.synth.chains.rivals import rivals
from toolyard.synth.stages import Context, Each, Kept, Outcome, Provenance, Rejected, Row, RowSource
from toolyard.synth.written import read_written
from toolyard.text.overlap import telling_stems
from toolyard.text.values import leaves

_SEED = 0


WRITTEN = Path(__file__).parent / "written" / "pairs.yaml"


def rows_by_hand(_context: Context) -> Iterator[Row]:
    """The pairs as they were written."""
    for number, written in enumerate(read_written(WRITTEN)):
        yield {"id": f"{written['subtask']}-{number:03}", "written": written}


def carry_out(row: Row, _context: Context) -> Outcome:
    """The pair with its plan executed and what is missing proven to be needed."""
    written = row["written"]
    chain = execute(_plan(written), _SEED)
    if isinstance(chain, Failure):
        return Rejected(chain.kind, chain.detail)
    try:
        shown = _shown(written, chain, row["id"])
        made = {"subtask": written["subtask"], **_tasks(written), **_lists(written, chain, shown)}
        made["execution"] = {**to_json(chain), "unsolvable": _proof(written, chain, shown)}
    except DataError as error:
        return Rejected("does_not_stand", str(error))
    pair = {"id": row["id"], **made}
    fault = solvable_fault(pair) or pair_fault(pair)
    if fault:
        return fault
    unsaid = list(_unsaid(written, chain, pair["task"]))
    if unsaid:
        return Rejected("value_not_said", ", ".join(unsaid))
    return Kept(made) if re_execute(pair) else Rejected("not_repeatable", chain.steps[0].tool)


def _calls(written: Record) -> list[tuple[str, Any]]:
    given = (step.get("call", step) for step in written["steps"])
    return [next(iter(call.items())) for call in given]


def _plan(written: Mapping[str, JsonValue]) -> tuple[PlannedStep, ...]:
    return tuple(PlannedStep(tool, arguments) for tool, arguments in _calls(written))


def _shown(written: Record, chain: Chain, name: str) -> list[str]:
    """The listed tools in an order of chance."""
    tools = [step.tool for step in chain.steps]
    shown = list(dict.fromkeys((*tools, *written.get("rivals", ()), *written["spare"])))
    shown += _look_alikes(written, tools, shown)
    for tool in shown:
        if tool not in offered():
            raise DataError(f"{tool} cannot be listed")
    Random(derived_seed(_SEED, f"written/{name}", 0)).shuffle(shown)
    return shown


def _look_alikes(written: Record, tools: Sequence[str], shown: Sequence[str]) -> list[str]:
    """A tool that shares two words with the step that is to have none, and can do no step; none where there is none."""
    if written["subtask"] == "single_step":
        text = written["task"]
    elif "remove" in written:
        text = written["steps"][written["remove"] - 1]["say"]
    else:
        return []
    said = telling_stems(text)
    removed = tools[written.get("remove", 1) - 1]
    if any(len(said & _words(tool)) >= FEWEST_SHARED for tool in shown if tool != removed):
        return []
    near = sorted(offered(), key=lambda tool: (-len(said & _words(tool)), tool))
    able = (each for each in near if len(said & _words(each)) >= FEWEST_SHARED)
    fitting = (each for each in able if not any(rivals(each, tool) for tool in tools))
    return [tool for tool in [next(fitting, None)] if tool is not None and tool not in shown]


@functools.cache
def _words(tool: str) -> frozenset[str]:
    return telling_stems(" ".join(offered()[tool]))


def _tasks(written: Record) -> dict[str, JsonValue]:
    if written["subtask"] == "single_step":
        return {"task": written["task"], "unsolvable_task": written["task"]}
    opening = written["opening"]
    if written["subtask"] == "best":
        points = written["points"]
        more = [*points, written["more"]]
        return {"task": itemised((opening,), points, ""), "unsolvable_task": itemised((opening,), more, "")}
    lines = [step["say"] for step in written["steps"]]
    tempted = (written["tempting"], opening) if "tempting" in written else (written.get("less", opening),)
    return {"task": itemised((opening,), lines, ""), "unsolvable_task": itemised(tempted, lines, "")}


def _lists(written: Record, chain: Chain, shown: Sequence[str]) -> dict[str, JsonValue]:
    tools = [step.tool for step in chain.steps]
    plan = [offered()[tool][0] for tool in tools]
    missing = _missing(written, tools)
    gone = {tools[index] for index in missing} if "remove" in written or len(tools) == 1 else set()
    if written["subtask"] in ("iter", "best"):
        gone = set()
    unsolvable = [UNSOLVABLE_QUERY if index in missing else name for index, name in enumerate(plan)]
    return {
        "tools": _described(written, shown, tools[0], written.get("note", "")),
        "plan": plan,
        "unsolvable_tools": _described(
            written,
            [tool for tool in shown if tool not in gone],
            tools[0],
            written.get("less_note", written.get("note", "")),
        ),
        "unsolvable_plan": unsolvable,
    }


def _missing(written: Record, tools: Sequence[str]) -> set[int]:
    """The steps that cannot be done in the unsolvable twin, counted from 0; a limit is on the calls of one tool."""
    if "dropped" in written:
        return {number - 1 for number in written["dropped"]}
    if "limit" in written:
        limited = max(tools, key=tools.count)
        return set(_places(tools, limited)[written["limit"] :])
    removed = tools[written.get("remove", 1) - 1]
    return set(_places(tools, removed))


def _places(tools: Sequence[str], wanted: str) -> list[int]:
    return [index for index, tool in enumerate(tools) if tool == wanted]


def _described(written: Record, shown: Sequence[str], noted: str, note: str) -> list[JsonValue]:
    own = written.get("describe", {})
    return [
        [
            offered()[tool][0],
            " ".join((own.get(tool, offered()[tool][1]), note if tool == noted else "")).strip(),
        ]
        for tool in shown
    ]


def _proof(written: Record, chain: Chain, shown: Sequence[str]) -> dict[str, object]:
    """Why the twin has no solution; what was taken away is also looked for with the tools that are left."""
    if written["subtask"] == "best":
        return {
            "form": "constraints",
            "met": written["points"],
            "wanted": [*written["points"], written["more"]],
        }
    if written["subtask"] == "iter":
        given = {"calls": written["limit"]} if "limit" in written else {"dropped": written["dropped"]}
        return {"form": "limit" if "limit" in written else "function", **given}
    missing = sorted(_missing(written, [step.tool for step in chain.steps]))
    left = [tool for tool in shown if tool != chain.steps[missing[0]].tool]
    needed = []
    for index in missing:
        rivals = answered_by(chain, index, left)
        if rivals:
            raise DataError(f"{rivals[0]} shows what {chain.steps[index].tool} found")
        needed.append(
            {"step": index, "tool": chain.steps[index].tool, "wanted": wanted(chain, index), "tried": left}
        )
    return {"form": "removed", "needed": needed}


def _unsaid(written: Record, chain: Chain, task: str) -> Iterator[str]:
    """Values of the calls that the task does not say."""
    said = task.casefold().replace(",", "")
    inferred = {str(value) for value in written.get("inferred", ())}
    for index in range(len(chain.steps)):
        for value in leaves(chain.resolved(index)):
            text = str(value)
            if isinstance(value, bool) or text in inferred:
                continue
            if not all(part.casefold().replace(",", "") in said for part in text.splitlines()):
                yield text


def provenance(_context: Context) -> Provenance:
    """Our own tools and words."""
    text = (
        "Every call was executed in the world of this package and is kept in `execution.jsonl`; "
        "tasks were written by hand; no other listed tool can stand in for one that is missing. No model took part."
    )
    return Provenance(text, {"Toolyard world": "Apache-2.0"})


STAGES = (
    RowSource("rows", 1, ("written",), rows_by_hand, files=lambda context: [WRITTEN]),  # noqa: ARG005
    Each("execute", 2, ("written",), (*PAIR_FIELDS, "execution"), carry_out),
)
BY_HAND = replace(WORLD, name="written", stages=STAGES, provenance=provenance, rows=0)
