"""The data rules as reasons to reject a row (Appendix A.2); the rules themselves live in `audit` and `shapes`."""

import re
from collections.abc import Iterable, Iterator, Mapping

from toolyard.benchmarks.toolbehonest.data.audit import (
    item_findings,
    itemised_findings,
    numbered_lines,
    plan_findings,
    tool_list_findings,
)
from toolyard.benchmarks.toolbehonest.data.rows import MOST_CJK_IN_ENGLISH, cjk_share
from toolyard.benchmarks.toolbehonest.data.subtask_shapes import plan_shape_findings
from toolyard.benchmarks.toolbehonest.data.tool_list import SPECIAL_TOOLS
from toolyard.benchmarks.toolbehonest.synth.data_files import row_to_item, tool_list
from toolyard.synth.screening import addresses_model
from toolyard.synth.stages import Rejected, Row

REASONS: Mapping[str, str] = {
    "G1": "bad_tool_list",
    "G2": "plan_uses_unlisted_tool",
    "G3": "plans_not_aligned",
    "G4": "needed_tool_not_listed",
    "G5": "shared_description",
    "G6": "not_itemised",
    "G8": "no_distractor",
    "shape": "wrong_shape",
}
# Words that act on whoever reads the row, on the models asked here and later on the models measured, besides those
# that `addresses_model` knows: the marks of this benchmark's own prompts, and orders in looser words.
_MARKUP = re.compile(r"={4} ?\w|// ?raw|</?(?:answer|task|provided_tools?|think)>|<\|\w|\{\{", re.IGNORECASE)
_INJECTED = re.compile(
    r"\b(?:ignore|disregard|forget|override)\s+(?:\w+\s+){0,3}"
    r"(?:instructions?|prompts?|rules?|above|previous|contract)\b|\bsystem prompt\b|\byou are now\b",
    re.IGNORECASE,
)


def solvable_fault(row: Row) -> Rejected | None:
    """The first rule that the solvable half breaks, or None."""
    return untrusted_fault(_texts_of_row(row)) or next(_solvable_faults(row), None)


def _solvable_faults(row: Row) -> Iterator[Rejected]:
    plan, tools = row["plan"], tool_list(row["tools"])
    if cjk_share(row["task"]) > MOST_CJK_IN_ENGLISH:
        yield Rejected("wrong_language", row["task"][:80])
    yield from map(_reject_finding, tool_list_findings("tools", tools))
    special = SPECIAL_TOOLS.intersection(plan)
    if special:
        yield _reject_finding(f"G2: {', '.join(sorted(special))} is not a step of a solvable plan")
    yield from map(_reject_finding, plan_findings(plan, tools))
    yield from map(_reject_finding, plan_shape_findings(row["subtask"], plan, len(row["tools"])))
    yield from map(_reject_finding, itemised_findings("task", row["task"], row["subtask"], len(plan)))
    if row["subtask"] == "best" and not numbered_lines(row["task"]):
        yield _reject_finding("G6: the task states no constraint in a line of its own")
    if {name for name, _ in row["tools"]} <= set(plan):
        yield _reject_finding("G8: every tool of the list is used")


def pair_fault(row: Row) -> Rejected | None:
    """The first rule that the pair breaks, or None."""
    findings = item_findings(row_to_item(row))
    return untrusted_fault((row["unsolvable_task"],)) or next(map(_reject_finding, findings), None)


def untrusted_fault(texts: Iterable[str]) -> Rejected | None:
    """Markup of prompts or instructions to the reader in texts that a model wrote, or None."""
    for text in texts:
        if found := _INJECTED.search(text):
            return Rejected("injected_instructions", found.group(0)[:80])
        if found := _MARKUP.search(text):
            return Rejected("prompt_markup", found.group(0)[:80])
        if addresses_model(text):
            return Rejected("injected_instructions", text[:80])
    return None


def shared_description(row: Row, names: dict[str, str]) -> Rejected | None:
    """G5: a description that another name of the subtask has already; otherwise `names` takes the row's in."""
    own = {description: name for name, description in row["tools"]}
    if len(own) < len(row["tools"]):
        return Rejected(REASONS["G5"], "two tools of the list share one description", row["id"])
    for description, name in own.items():
        if names.get(description, name) != name:
            return Rejected(REASONS["G5"], f"{names[description]} and {name}", row["id"])
    names |= own
    return None


def _texts_of_row(row: Row) -> Iterator[str]:
    yield row["task"]
    for name, description in row["tools"]:
        yield f"{name}: {description}"


def _reject_finding(finding: str) -> Rejected:
    rule, _, what = finding.partition(": ")
    return Rejected(REASONS[rule], what)
