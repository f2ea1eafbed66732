"""Rows of the pipelines, and the file in the official form that they become.

    {"id": "os-1-0007", "subtask": "os", "task": "Put the lab computer in order:\\n1. Create ...",
     "tools": [["AccountCreator", "Creates user accounts ..."], ...], "plan": ["AccountCreator", ...],
     "unsolvable_task": "A shell with root rights is open. Put ...", "unsolvable_tools": [...],
     "unsolvable_plan": ["UnsolvableQuery", ...]}

Tools of a row do work: Finish and UnsolvableQuery are added when lists are written, and plans get their Finish.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from toolyard.benchmarks.toolbehonest.data.rows import SUBTASKS, Item
from toolyard.benchmarks.toolbehonest.data.tool_list import FINISH, UNSOLVABLE_QUERY, working_tools
from toolyard.core.types import JsonValue
from toolyard.synth.stages import Context, Row, Rows

SOLVABLE_FIELDS = ("subtask", "task", "tools", "plan")
TWIN_FIELDS = ("unsolvable_task", "unsolvable_tools", "unsolvable_plan")
PAIR_FIELDS = (*SOLVABLE_FIELDS, *TWIN_FIELDS)
DATA_FILE = "test_en.json"
# The two tools that close every list, in the words of the starter set.
CLOSING_TOOLS = (
    (FINISH, "Ends the plan once every requirement has been met."),
    (UNSOLVABLE_QUERY, "Stands in for a step that none of the listed tools can do."),
)


def tool_list(tools: Iterable[Sequence[str]]) -> str:
    """The numbered list as it is shown, with Finish and UnsolvableQuery at its end."""
    return numbered_tools((*tools, *CLOSING_TOOLS))


def numbered_tools(tools: Iterable[Sequence[str]]) -> str:
    """The tools, numbered."""
    return "\n".join(
        f"{number}. {name}: {description}" for number, (name, description) in enumerate(tools, 1)
    )


def row_to_item(row: Row, name: str = "", index: int = 0) -> Item:
    """The row as the benchmark reads it back."""
    return Item(
        name=name or str(row["id"]),
        subtask=row["subtask"],
        index=index,
        task=row["task"],
        tools=tool_list(row["tools"]),
        unsolvable_task=row["unsolvable_task"],
        unsolvable_tools=tool_list(row["unsolvable_tools"]),
        planning_tools=(*row["plan"], FINISH),
        planning_tools_unsolvable=(*row["unsolvable_plan"], FINISH),
        tags=tuple(row.get("tags", ())),
    )


def item_to_row(item: Item) -> dict[str, JsonValue]:
    """An item of a file as a row."""
    return {
        "id": item.cluster,
        "subtask": item.subtask,
        "task": item.task,
        "tools": _tool_pairs(item.tools),
        "plan": list(item.plan("solvable")),
        "unsolvable_task": item.unsolvable_task,
        "unsolvable_tools": _tool_pairs(item.unsolvable_tools),
        "unsolvable_plan": list(item.plan("unsolvable")),
    }


def _tool_pairs(text: str) -> list[list[str]]:
    return [[tool.name, tool.description] for tool in working_tools(text)]


def rows_to_items(rows: Iterable[Row]) -> tuple[Item, ...]:
    """All rows in the order of the file: subtask by subtask, numbered from 0."""
    by_subtask: dict[str, list[Row]] = {subtask: [] for subtask in SUBTASKS}
    for row in rows:
        by_subtask[row["subtask"]].append(row)
    ordered = [(row, index) for part in by_subtask.values() for index, row in enumerate(part)]
    return tuple(row_to_item(row, str(number), index) for number, (row, index) in enumerate(ordered))


def write(rows: Rows, folder: Path, _context: Context) -> None:
    """Writes `test_en.json`."""
    with (folder / DATA_FILE).open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(_lines_of_file(rows_to_items(rows)))


def _lines_of_file(items: Sequence[Item]) -> Iterator[str]:
    yield "["
    for number, item in enumerate(items):
        # A list of one record is written, without its brackets, so that the file is indented as a whole.
        yield ("," if number else "") + json.dumps([_record_of_item(item)], ensure_ascii=False, indent=1)[
            1:-2
        ]
    yield "\n]\n"


def _record_of_item(item: Item) -> dict[str, JsonValue]:
    """The fields of the official file."""
    return {
        "id": int(item.name),
        "subtask": item.subtask,
        "task": item.task,
        "tools": item.tools,
        "unsolvable_task": item.unsolvable_task,
        "unsolvable_tools": item.unsolvable_tools,
        "planning_tools": list(item.planning_tools),
        "planning_tools_unsolvable": list(item.planning_tools_unsolvable),
        **({"tags": list(item.tags)} if item.tags else {}),
    }
