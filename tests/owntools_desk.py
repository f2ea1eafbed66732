"""A small desk of notes as tool documents: a sound set, and the same set damaged in known ways."""

import copy
import json
from pathlib import Path
from typing import Any

from cases import cases

NOTE = cases(__file__, "NOTE")
FOLDER = {
    "type": "object",
    "properties": {"folder_id": {"type": "string"}, "label": {"type": "string"}},
    "required": ["folder_id", "label"],
}


def _tool(
    name: str, description: str, properties: dict[str, Any], required: list[str], result: Any
) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties, "required": required}
    return {"name": name, "description": description, "inputSchema": schema, "outputSchema": result}


def _text(meaning: str) -> dict[str, Any]:
    return {"type": "string", "description": meaning}


ID = {"note_id": _text("Which note is meant.")}
FOLDER_ID = {"folder_id": _text("Which folder is meant.")}
DESK: list[dict[str, Any]] = [
    _tool(
        "create_note", "Creates a note with a title and some text in a folder.",
        {"title": _text("What the note is called."), "body": _text("The text of the note."), **FOLDER_ID},
        ["title", "body"], NOTE,
    ),
    _tool("get_note", "Reads one note with its whole text.", ID, ["note_id"], NOTE),
    _tool(
        "list_notes", "Lists every note on the desk.", {}, [],
        {"type": "object", "properties": {"notes": {"type": "array", "items": NOTE}}},
    ),
    _tool(
        "update_note", "Changes title or text of an existing note.",
        {**ID, "title": _text("Its new title."), "body": _text("Its new text.")}, ["note_id"], NOTE,
    ),
    _tool(
        "delete_note", "Removes a note for good.", ID, ["note_id"],
        {"type": "object", "properties": {"deleted": {"type": "boolean"}}},
    ),
    _tool("create_folder", "Opens a new folder under a label.", {"label": _text("What stands on it.")}, ["label"], FOLDER),
    _tool("get_folder", "Looks into one folder.", FOLDER_ID, ["folder_id"], FOLDER),
    _tool(
        "list_folders", "Names all folders with their labels.", {}, [],
        {"type": "object", "properties": {"folders": {"type": "array", "items": FOLDER}}},
    ),
    _tool(
        "count_words", "Counts words and characters of a text.",
        {"text": _text("The text to count, e.g. 'the quick brown fox'.")}, ["text"],
        {"type": "object", "properties": {"words": {"type": "integer"}, "characters": {"type": "integer"}}},
    ),
]  # fmt: skip


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
