"""The book of hard tasks: situations written by hand, whose steps are executed in order.

    [[task]]
    subtask = "multi_step_wo_rep"
    opening = "My cousin thinks of moving to Chicago:"
    inferred = ["EUR"]                                    values that the request says in other words
    idle = "His certificates are translated."             a line that needs no tool
    steps = [["basic_job_search", {query = "electrician in Chicago"}, "Find jobs for an electrician in Chicago."],
             ["get_job_details", {job_ids = ["$1.job_id"]}, "Of the first one, get the whole description."], ...]

`run`, `values` and `unused` (iter): which step begins the run, its parameter and what its values are called; the values
as they are said, and others of the kind.
"""

import functools
import tomllib
from dataclasses import dataclass
from pathlib import Path

from toolyard.benchmarks.toolbehonest.synth.hard.near_misses import narrow_views
from toolyard.core.types import Record
from toolyard.synth.chains.chain import PlannedStep
from toolyard.synth.goals.goal_plans import plan

FOLDER = Path(__file__).parent
FILES = ("tasks_wo_rep.toml", "tasks_w_rep.toml", "tasks_os_web.toml", "tasks_iter.toml")


@dataclass(frozen=True, slots=True)
class HardRound:
    """A stretch of one tool: the step it begins with, and its values as they are said."""

    first: int
    parameter: str
    thing: str
    values: tuple[str, ...]
    unused: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HardTask:
    """One entry of the book; `listed` names the tool of each step as lists show it: an id, or a view."""

    name: str
    subtask: str
    opening: str
    steps: tuple[PlannedStep, ...]
    listed: tuple[str, ...]
    lines: tuple[str, ...]
    tempting: str
    idle: tuple[str, ...]
    inferred: frozenset[str]
    round: HardRound | None


@functools.cache
def hard_tasks() -> dict[str, HardTask]:
    """All tasks by name, in the order of the files."""
    found: dict[str, HardTask] = {}
    for file in FILES:
        for entry in tomllib.loads((FOLDER / file).read_text("utf-8"))["task"]:
            number = sum(task.subtask == entry["subtask"] for task in found.values())
            name = f"{entry['subtask']}-{number:02}"
            found[name] = _read_task(name, entry)
    return found


@functools.cache
def all_needed_tools() -> frozenset[str]:
    """The tools that some task of the book needs: as spare ones they do not tell that they are."""
    return frozenset(tool for task in hard_tasks().values() for tool in task.listed)


def _read_task(name: str, entry: Record) -> HardTask:
    named: list[str] = [step[0] for step in entry["steps"]]
    calls = [
        [narrow_views()[tool[1:]][0] if tool.startswith("@") else tool, step[1]]
        for tool, step in zip(named, entry["steps"], strict=True)
    ]
    steps = plan(calls, entry["opening"])
    run = entry.get("run")
    return HardTask(
        name,
        entry["subtask"],
        entry["opening"],
        steps,
        tuple(
            tool[1:] if tool.startswith("@") else step.tool for tool, step in zip(named, steps, strict=True)
        ),
        tuple(step[2] for step in entry["steps"]),
        entry.get("tempting", ""),
        (entry["idle"],) if "idle" in entry else (),
        frozenset(entry.get("inferred", ())),
        HardRound(run[0] - 1, run[1], run[2], tuple(entry["values"]), tuple(entry["unused"]))
        if run
        else None,
    )
