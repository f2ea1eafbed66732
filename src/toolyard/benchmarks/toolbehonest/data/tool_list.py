"""Numbered tool lists as they stand in the data and in prompts, read twice: strictly and sanely.

1. OvenTimer: Counts down the minutes of a bake and rings.
2. Finish: Ends the plan once everything is done.
"""

import re
from dataclasses import dataclass

UNSOLVABLE_QUERY = "UnsolvableQuery"
FINISH = "Finish"
SPECIAL_TOOLS = frozenset({UNSOLVABLE_QUERY, FINISH})

_OFFICIAL_ENTRY = re.compile(r"\d+\.\s*([^:：]+)[:：]\s*(.*)")
_ENTRY = re.compile(r"^\s*\d+\s*[.)、．]\s*([^:：\n]+)[:：]\s*(.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ListedTool:
    """One entry of a tool list."""

    name: str
    description: str


def official_tools(text: str) -> tuple[ListedTool, ...]:
    """The entries as the released scorer reads them: nothing stripped, a name may span lines."""
    return tuple(ListedTool(name, description) for name, description in _OFFICIAL_ENTRY.findall(text))


def listed_tools(text: str) -> tuple[ListedTool, ...]:
    """The entries as a reader sees them: one per line, outer white space gone."""
    return tuple(ListedTool(name.strip(), description.strip()) for name, description in _ENTRY.findall(text))


def working_tools(text: str) -> tuple[ListedTool, ...]:
    """The entries that do work: all but Finish and UnsolvableQuery."""
    return tuple(tool for tool in listed_tools(text) if tool.name not in SPECIAL_TOOLS)


def without_final_finish(plan: tuple[str, ...]) -> tuple[str, ...]:
    """The plan without a closing Finish in any case; elsewhere Finish is a step like any other."""
    return plan[:-1] if plan and plan[-1].lower() == FINISH.lower() else plan
