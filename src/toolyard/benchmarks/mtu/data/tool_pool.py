"""Tools that are described once: `tools.jsonl` beside the rows holds them and the lists of dialogues, which rows name.

    {"id": "find_bus", "document": {"name": "find_bus", "description": "...", ...}}              # tools.jsonl
    {"id": "M-S_7", "list": ["find_bus", "find_train"]}
    {"id": "M-S_7_1", "tools": {"python": "M-S_7"}, "question": "...\\n[]\\nUser: A bus!", ...}   # a row

The tool list in the question of such a row is empty. Here it is written out, as Python literals or as JSON (`"json"`):
what is read is the question of the official form, byte for byte.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

from toolyard.benchmarks.mtu.task.question import ToolList, find_tools
from toolyard.benchmarks.user_files import json_lines
from toolyard.core.errors import DataError
from toolyard.core.types import Failure, JsonValue, Record

POOL = "tools.jsonl"
FIELD = "tools"
Lists = Mapping[str, tuple[Record, ...]]
FORMS: Mapping[str, Callable[[object], str]] = {
    "python": repr,
    "json": lambda documents: json.dumps(documents, ensure_ascii=False),
}


def read_lists(folder: Path) -> Lists:
    """The tool lists of a folder by id; none where it has no pool."""
    path, documents, lists = folder / POOL, dict[str, Record](), dict[str, tuple[Record, ...]]()
    for where, row in json_lines(path, "wanted tools and lists") if path.is_file() else ():
        found = row if isinstance(row, dict) else {}
        name, document, members = str(found.get("id")), found.get("document"), found.get("list")
        if isinstance(document, dict):
            documents[name] = document
        elif isinstance(members, list) and all(str(member) in documents for member in members):
            lists[name] = tuple(documents[str(member)] for member in members)
        else:
            raise DataError(f"{where}: wanted id and document, or id and a list of ids that stand above it")
    return lists


def restore_tool_list(row: Record, lists: Lists, where: str) -> tuple[str, ToolList]:
    """The whole question of a row that names its tool list, and that list."""
    named, question = row[FIELD], row["question"]
    form, name = next(iter(named.items())) if isinstance(named, dict) and len(named) == 1 else ("", "")
    place = find_tools(question)
    if form not in FORMS or isinstance(place, Failure) or place.documents:
        wanted = f'wanted {{"python": ID}} or {{"json": ID}} with a list of {POOL}, and an empty list in the question'
        raise DataError(f"{where}: field {FIELD} cannot be read; {wanted}")
    if name not in lists:
        raise DataError(f"{where} names the tool list {name!r}; wanted one of {POOL} in the same folder")
    text = FORMS[form](list(lists[name]))
    listing = ToolList(lists[name], [], place.start, place.start + len(text))
    return f"{question[: place.start]}{text}{question[place.end :]}", listing


def replace_tool_list(row: Mapping[str, JsonValue], name: str) -> dict[str, JsonValue]:
    """The row with its tool list replaced by a name; unchanged where the list could not be restored exactly."""
    question = str(row["question"])
    place = find_tools(question)
    listed = [] if isinstance(place, Failure) else list(place.documents)
    for form, write in FORMS.items():
        if not isinstance(place, Failure) and listed and write(listed) == question[place.start : place.end]:
            bare = f"{question[: place.start]}[]{question[place.end :]}"
            return {**row, "question": bare, FIELD: {form: name}}
    return dict(row)
