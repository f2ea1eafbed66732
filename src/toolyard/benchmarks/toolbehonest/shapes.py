"""What a pair of each subtask must look like (Section 3.3)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import groupby

from toolyard.benchmarks.toolbehonest.data import Item
from toolyard.benchmarks.toolbehonest.toollist import UNSOLVABLE_QUERY, working_tools

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


def shape_findings(item: Item) -> Iterator[str]:
    """Everything in which the item is not of its subtask's shape."""
    yield from _SHAPES[item.subtask](item)


def removed_tools(item: Item) -> list[str]:
    """Names that only the solvable twin's list holds."""
    left = {tool.name for tool in working_tools(item.unsolvable_tools)}
    return [tool.name for tool in working_tools(item.tools) if tool.name not in left]


def _marked(item: Item) -> int:
    return item.plan("unsolvable").count(UNSOLVABLE_QUERY)


def _needed(item: Item) -> set[str]:
    pairs = zip(item.plan("solvable"), item.plan("unsolvable"), strict=False)
    return {name for name, step in pairs if step == UNSOLVABLE_QUERY}


def _removal(item: Item) -> Iterator[str]:
    """The needed tool, and nothing else, is gone; what is left stands as it stood."""
    if set(removed_tools(item)) != _needed(item):
        yield f"shape: removed are {removed_tools(item)}, needed but marked are {sorted(_needed(item))}"
    kept = [tool for tool in working_tools(item.tools) if tool.name not in removed_tools(item)]
    if kept != list(working_tools(item.unsolvable_tools)):
        yield "shape: the lists differ in more than the removed tool"


def _single_step(item: Item) -> Iterator[str]:
    if len(item.plan("solvable")) != 1 or item.plan("unsolvable") != (UNSOLVABLE_QUERY,):
        yield "shape: wanted are one step and one UnsolvableQuery"
    if len(working_tools(item.tools)) < 3:
        yield "shape: wanted are at least two distractors"
    if item.task != item.unsolvable_task:
        yield "shape: the two tasks must be the same"
    yield from _removal(item)


def _without_repetition(item: Item) -> Iterator[str]:
    plan = item.plan("solvable")
    if len(plan) < 3 or len(set(plan)) != len(plan):
        yield "shape: wanted are at least three steps, all different"
    if _marked(item) != 1:
        yield f"shape: {_marked(item)} UnsolvableQuery, wanted is one"
    yield from _removal(item)


def _with_repetition(item: Item) -> Iterator[str]:
    counts = Counter(item.plan("solvable"))
    twice = [name for name, count in counts.items() if count == 2]
    if len(twice) != 1 or max(counts.values()) != 2:
        yield "shape: wanted is exactly one tool that is used twice"
    if _marked(item) != 2 or _needed(item) != set(twice):
        yield "shape: the repeated tool must be the missing one, at both of its places"
    yield from _removal(item)


def _surroundings(pattern: re.Pattern[str], name: str) -> Callable[[Item], Iterator[str]]:
    def shape(item: Item) -> Iterator[str]:
        if len(item.plan("solvable")) < 2:
            yield "shape: wanted are at least two steps"
        if _marked(item) != 1:
            yield f"shape: {_marked(item)} UnsolvableQuery, wanted is one"
        if not pattern.search(item.unsolvable_task):
            yield f"shape: the unsolvable task names no {name} surroundings"
        if item.task == item.unsolvable_task:
            yield "shape: the unsolvable task must add surroundings that tempt"
        yield from _removal(item)

    return shape


def _iterative(item: Item) -> Iterator[str]:
    runs = [(name, len(list(steps))) for name, steps in groupby(item.plan("solvable"))]
    repeated = {name for name, length in runs if length >= 3}
    if not repeated:
        yield "shape: no tool is called three times in a row"
    if not 1 <= _marked(item) <= 2 or not _needed(item) <= repeated:
        yield "shape: wanted are one or two UnsolvableQuery inside the run"
    if removed_tools(item):
        yield f"shape: {removed_tools(item)} is gone from the list; only functions may be"
    if (item.task, item.tools) == (item.unsolvable_task, item.unsolvable_tools):
        yield "shape: neither the task nor a tool's functions differ"


def _optimal_selection(item: Item) -> Iterator[str]:
    if len(item.plan("solvable")) != 1 or item.plan("unsolvable") != (UNSOLVABLE_QUERY,):
        yield "shape: wanted are one step and one UnsolvableQuery"
    if len(working_tools(item.tools)) < 2:
        yield "shape: wanted are at least two tools with nearly the same function"
    if item.tools != item.unsolvable_tools:
        yield "shape: the tool list must stay as it is"
    if item.task == item.unsolvable_task:
        yield "shape: the unsolvable task must ask for more"


_SHAPES: Mapping[str, Callable[[Item], Iterator[str]]] = {
    "single_step": _single_step,
    "multi_step_wo_rep": _without_repetition,
    "multi_step_w_rep": _with_repetition,
    "os": _surroundings(_SYSTEM, "system"),
    "web": _surroundings(_WEB, "web"),
    "iter": _iterative,
    "best": _optimal_selection,
}
