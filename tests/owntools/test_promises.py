"""Answers of a mirror keep the schemas that it offers: a client that checks them never raises."""

import asyncio
import json
from pathlib import Path
from typing import Any

import mcp
import pytest

from cases import cases
from owntools_desk import DESK, written
from toolyard.owntools.mirror.mirror_files import load_mirror
from toolyard.owntools.mirror.mirror_making import make_mirror
from toolyard.owntools.mirror.result_schemas import promise_of
from toolyard.owntools.sources import load_source
from toolyard.world import World, call
from toolyard.world.mcp import Answers
from toolyard.world.mcp.http import server_of

CODE = '''
from typing import Any, Optional, TypedDict
class Bed(TypedDict):
    bed_id: str
    plants: dict
def get_bed(bed_id: str) -> Bed:
    """One bed."""
    return {"bed_id": bed_id, "plants": {"beans": 3}, "note": "more than was said"}
def list_beds() -> list[dict]:
    """All beds."""
    return [{"bed_id": "b1", "any": [1]}]
def get_soil(bed_id: str) -> dict:
    """The soil of a bed."""
    return {"ph": 6.5, "notes": None}
def get_rain(day: str) -> dict[str, float]:
    """Rain by hour."""
    return {"9": 1.5}
def count_beds() -> int:
    """How many beds there are."""
    return "many"
def get_owner(bed_id: str) -> Optional[dict]:
    """Who owns a bed."""
    return None
def get_anything(bed_id: str) -> Any:
    """Anything at all."""
    return [1, {"a": None}]
'''


async def ask_all(folder: Path) -> dict[str, Any]:
    """What a checking client gets from every tool."""
    found = {}
    async with mcp.Client(server_of(Answers(load_mirror(folder).tools))) as client:
        for tool in (await client.list_tools()).tools:
            given = dict.fromkeys(tool.input_schema.get("required", []), "b1")
            found[tool.name] = (await client.call_tool(tool.name, given)).structured_content
    return found


@pytest.mark.parametrize("number", [0, 2])
def test_mirrors_of_functions_that_return_dicts_satisfy_a_checking_client(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "garden_of_dicts.py").write_text(CODE)
    monkeypatch.chdir(tmp_path)
    given = {"bed_id": "b1"} if number else {}
    make_mirror(
        load_source("python:garden_of_dicts"), tmp_path / "twin", number=number, allowed=("*",), given=given
    )
    answers = asyncio.run(ask_all(tmp_path / "twin"))
    assert set(answers) == {
        "get_bed", "list_beds", "get_soil", "get_rain", "count_beds", "get_owner", "get_anything",
    }  # fmt: skip
    if number:
        assert answers["get_soil"] == {"ph": 6.5, "notes": None}


SCHEMAS: dict[str, Any] = cases(__file__, "SCHEMAS")  # fmt: skip


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_that_answers_cannot_keep_is_not_offered(name: str, tmp_path: Path) -> None:
    tool = {
        "name": "get_it",
        "description": "It.",
        "inputSchema": {"type": "object"},
        "outputSchema": SCHEMAS[name],
    }
    make_mirror(load_source(str(written(tmp_path, [tool]))), tmp_path / "twin")
    assert asyncio.run(ask_all(tmp_path / "twin"))["get_it"] is not None


def test_a_promise_keeps_what_is_kept() -> None:
    schema = SCHEMAS["a field that is called pattern"]
    assert promise_of(schema, []) == schema
    assert promise_of(schema, [{"pattern": "text"}]) is None
    assert promise_of(None, []) is None


def test_rows_that_were_edited_break_no_promise(tmp_path: Path) -> None:
    make_mirror(load_source(str(written(tmp_path, DESK))), tmp_path / "twin")
    tables = json.loads((tmp_path / "twin" / "tables.json").read_text())
    tables["notes"]["rows"][0]["title"] = {"odd": 5}
    (tmp_path / "twin" / "tables.json").write_text(json.dumps(tables))
    mirror = load_mirror(tmp_path / "twin")
    offered = [tool.id for tool in mirror.tools]
    assert isinstance(
        call(World.fresh(), "get_note", {"note_id": "note-101"}, offered=offered).value["title"], str
    )
