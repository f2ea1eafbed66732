"""A small desk of notes as tool documents: a sound set, and the same set damaged in known ways."""

import copy
import json
from pathlib import Path
from typing import Any

from cases import cases

DESK: list[dict[str, Any]] = cases(__file__, "DESK")


def damaged() -> list[dict[str, Any]]:
    """The set with two names swapped over their descriptions, two descriptions blanked, two made alike."""
    tools = copy.deepcopy(DESK)
    by_name = {tool["name"]: tool for tool in tools}
    create, delete = by_name["create_note"], by_name["delete_note"]
    create["description"], delete["description"] = delete["description"], create["description"]
    by_name["get_folder"]["description"] = ""
    by_name["count_words"]["description"] = ""
    by_name["list_folders"]["description"] = by_name["list_notes"]["description"]
    return tools


def written(folder: Path, tools: list[dict[str, Any]], name: str = "desk.json") -> Path:
    """The tools as a file in MCP's form, one field a line."""
    path = folder / name
    path.write_text(json.dumps({"tools": tools}, indent=1), encoding="utf-8")
    return path
