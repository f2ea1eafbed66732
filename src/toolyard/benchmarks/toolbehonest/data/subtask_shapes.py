"""What a pair of each subtask must look like (Section 3.3)."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby

from toolyard.benchmarks.toolbehonest.data.rows import Item
from toolyard.benchmarks.toolbehonest.data.tool_list import UNSOLVABLE_QUERY, working_tools

_SYSTEM = re.compile(
    r"\b(shell|root|sudo|terminal|console|command|prompt|server|workstation|laptop|linux|ubuntu|debian|fedora|"
    r"freebsd|macos|windows|powershell|ssh|virtual machine|container|bash|zsh)\b|终端|命令|系统|服务器",
    re.IGNORECASE,
)
_WEB = re.compile(
    r"\b(browser|web|website|page|tab|site|javascript|sql|html|css|developer tools|console|url|http|https|database|"
    r"cms|dashboard)\b|浏览器|网页|网站|脚本|数据库",
    re.IGNORECASE,
)

ONE_STEP = "shape: wanted are one step and one UnsolvableQuery"


def shape_findings(item: Item) -> Iterator[str]:
    """Everything in which the item is not of its subtask's shape."""
    yield from plan_shape_findings(item.subtask, item.plan("solvable"), len(working_tools(item.tools)))
    yield from _SHAPES[item.subtask](item)


def plan_shape_findings(subtask: str, plan: Sequence[str], tools: int) -> Iterator[str]:
    """Everything in which a solvable plan with that many tools to choose from is not of the subtask's shape."""
    yield from _PLAN_SHAPES[subtask](plan, tools)


def has_surroundings(subtask: str, text: str) -> bool:
    """Whether a text names things that lie about in a system (os) or on the web (web) and tempt."""
    return _SURROUNDINGS[subtask].search(text) is not None


def tools_repeated_in_a_row(plan: Sequence[str]) -> set[str]:
    """Tools that are called at least three times in a row."""
    return {name for name, steps in groupby(plan) if len(list(steps)) >= 3}


def double_tools(plan: Sequence[str]) -> list[str]:
    """Tools that are called exactly twice."""
    return [name for name, count in Counter(plan).items() if count == 2]


def removed_tools(item: Item) -> list[str]:
    """Names that only the solvable twin's list holds."""
    left = {tool.name for tool in working_tools(item.unsolvable_tools)}
    return [tool.name for tool in working_tools(item.tools) if tool.name not in left]


def _count_unsolvable_steps(item: Item) -> int:
    return item.plan("unsolvable").count(UNSOLVABLE_QUERY)


def _needed_tools(item: Item) -> set[str]:
    pairs = zip(item.plan("solvable"), item.plan("unsolvable"), strict=False)
    return {name for name, step in pairs if step == UNSOLVABLE_QUERY}


def _removal_faults(item: Item) -> Iterator[str]:
    """The needed tool, and nothing else, is gone; what is left stands as it stood, and as many may have been put in."""
    if set(removed_tools(item)) != _needed_tools(item):
        yield f"shape: removed are {removed_tools(item)}, needed but marked are {sorted(_needed_tools(item))}"
    before, after = working_tools(item.tools), working_tools(item.unsolvable_tools)
    kept = [tool for tool in before if tool.name not in removed_tools(item)]
    names = {tool.name for tool in before}
    if [tool for tool in after if tool.name in names] != kept or len(after) > len(before):
        yield "shape: the lists differ in more than the removed tool and one put in for it"


def _single_step_faults(plan: Sequence[str], tools: int) -> Iterator[str]:
    if len(plan) != 1:
        yield ONE_STEP
    if tools < 3:
        yield "shape: wanted are at least two distractors"


def _different_steps_faults(plan: Sequence[str], _tools: int) -> Iterator[str]:
    if len(plan) < 3 or len(set(plan)) != len(plan):
        yield "shape: wanted are at least three steps, all different"


def _repeated_tool_faults(plan: Sequence[str], _tools: int) -> Iterator[str]:
    if len(double_tools(plan)) != 1 or max(Counter(plan).values()) != 2:
        yield "shape: wanted is exactly one tool that is used twice"


def _step_count_faults(plan: Sequence[str], _tools: int) -> Iterator[str]:
    if len(plan) < 2:
        yield "shape: wanted are at least two steps"


def _run_length_faults(plan: Sequence[str], _tools: int) -> Iterator[str]:
    if not tools_repeated_in_a_row(plan):
        yield "shape: no tool is called three times in a row"


def _selection_faults(plan: Sequence[str], tools: int) -> Iterator[str]:
    if len(plan) != 1:
        yield ONE_STEP
    if tools < 2:
        yield "shape: wanted are at least two tools with nearly the same function"


def _single_step_item_faults(item: Item) -> Iterator[str]:
    if item.plan("unsolvable") != (UNSOLVABLE_QUERY,):
        yield ONE_STEP
    if item.task != item.unsolvable_task:
        yield "shape: the two tasks must be the same"
    yield from _removal_faults(item)


def _unrepeated_item_faults(item: Item) -> Iterator[str]:
    if _count_unsolvable_steps(item) != 1:
        yield f"shape: {_count_unsolvable_steps(item)} UnsolvableQuery, wanted is one"
    yield from _removal_faults(item)


def _repetition_faults(item: Item) -> Iterator[str]:
    if _count_unsolvable_steps(item) != 2 or _needed_tools(item) != set(double_tools(item.plan("solvable"))):
        yield "shape: the repeated tool must be the missing one, at both of its places"
    yield from _removal_faults(item)


def _surroundings_faults(item: Item) -> Iterator[str]:
    if _count_unsolvable_steps(item) != 1:
        yield f"shape: {_count_unsolvable_steps(item)} UnsolvableQuery, wanted is one"
    if not has_surroundings(item.subtask, item.unsolvable_task):
        name = "system" if item.subtask == "os" else "web"
        yield f"shape: the unsolvable task names no {name} surroundings"
    yield from _removal_faults(item)


def _iteration_faults(item: Item) -> Iterator[str]:
    if not 1 <= _count_unsolvable_steps(item) <= 2 or not _needed_tools(item) <= tools_repeated_in_a_row(
        item.plan("solvable")
    ):
        yield "shape: wanted are one or two UnsolvableQuery inside the run"
    if removed_tools(item):
        yield f"shape: {removed_tools(item)} is gone from the list; only functions may be"
    if (item.task, item.tools) == (item.unsolvable_task, item.unsolvable_tools):
        yield "shape: neither the task nor a tool's functions differ"


def _optimal_selection_faults(item: Item) -> Iterator[str]:
    if item.plan("unsolvable") != (UNSOLVABLE_QUERY,):
        yield ONE_STEP
    if item.tools != item.unsolvable_tools:
        yield "shape: the tool list must stay as it is"
    if item.task == item.unsolvable_task:
        yield "shape: the unsolvable task must ask for more"


_SURROUNDINGS: Mapping[str, re.Pattern[str]] = {"os": _SYSTEM, "web": _WEB}
_PLAN_SHAPES: Mapping[str, Callable[[Sequence[str], int], Iterator[str]]] = {
    "single_step": _single_step_faults,
    "multi_step_wo_rep": _different_steps_faults,
    "multi_step_w_rep": _repeated_tool_faults,
    "os": _step_count_faults,
    "web": _step_count_faults,
    "iter": _run_length_faults,
    "best": _selection_faults,
}
_SHAPES: Mapping[str, Callable[[Item], Iterator[str]]] = {
    "single_step": _single_step_item_faults,
    "multi_step_wo_rep": _unrepeated_item_faults,
    "multi_step_w_rep": _repetition_faults,
    "os": _surroundings_faults,
    "web": _surroundings_faults,
    "iter": _iteration_faults,
    "best": _optimal_selection_faults,
}
