"""A mirror keeps the signatures and schemas of its source, remembers what calls change, and never writes."""

import asyncio
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import mcp
import pytest
from typer.testing import CliRunner

import owntools_shop
from cases import cases, each_case
from owntools_desk import DESK, written
from toolyard.cli.app import app
from toolyard.core.errors import UsageError
from toolyard.owntools.mirror.call_recording import call_permits, record_calls, refusal_reason
from toolyard.owntools.mirror.mirror_files import load_mirror, make_mirror, parse_given_values
from toolyard.owntools.mirror.mirror_plan import plan_mirror
from toolyard.owntools.mirror.recorded_calls import RecordedCall
from toolyard.owntools.mirror.result_shapes import kept_schema
from toolyard.owntools.sources import load_source
from toolyard.owntools.sources.tool_source import ToolSource
from toolyard.world import World, call
from toolyard.world.kernel.executor import Faults
from toolyard.world.mcp import Answers
from toolyard.world.mcp.http import make_server


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    make_mirror(load_source(str(written(tmp_path, DESK))), tmp_path / "desk_twin")
    return tmp_path / "desk_twin"


def test_what_one_call_changes_the_next_one_sees(desk: Path) -> None:
    mirror, world = load_mirror(desk), World.fresh()
    offered = [tool.id for tool in mirror.tools]

    def made(name: str, **arguments: Any) -> Any:
        return call(world, name, arguments, offered=offered).value

    note = made("create_note", title="Ferry", body="Leaves at nine.")
    assert note == {"note_id": "note-106", "title": "Ferry", "body": "Leaves at nine."}
    assert made("get_note", note_id="note-106") == note
    assert made("update_note", note_id="note-106", title="Boat")["title"] == "Boat"
    assert len(made("list_notes")["notes"]) == 6
    assert world.diff()["notes"]["added"] == {"note-106": {**note, "title": "Boat"}}
    assert made("delete_note", note_id="note-106") == {"deleted": True}
    assert made("get_note", note_id="note-106")["error"]["kind"] == "not_found"
    assert world.diff() == {}


def test_a_mirror_answers_by_arguments_and_seed_and_names_wrong_calls(desk: Path) -> None:
    mirror = load_mirror(desk)
    offered = [tool.id for tool in mirror.tools]
    texts = [call(World.fresh(), "count_words", {"text": "a b"}, offered=offered).text for _ in range(2)]
    assert texts[0] == texts[1]
    assert set(json.loads(texts[0])) == {"words", "characters"}
    wrong = call(World.fresh(), "get_note", {"note": 5}, offered=offered)
    assert wrong.error == "unknown_parameter"
    failed = call(World.fresh(), "list_notes", {}, offered=offered, faults=Faults(1.0, 0))
    assert failed.error in ("rate_limited", "timeout")


def test_a_mirror_has_the_signatures_of_its_source_and_shares_identifiers(desk: Path) -> None:
    assert [tool.to_json() for tool in load_source(str(desk)).tools] == [
        tool.to_json() for tool in load_source(str(written(desk.parent, DESK))).tools
    ]
    tables = json.loads((desk / "tables.json").read_text())
    folders = {row["folder_id"] for row in tables["folders"]["rows"]}
    assert {row["folder_id"] for row in tables["notes"]["rows"]} <= folders


def test_edited_code_is_used_and_not_overwritten(desk: Path) -> None:
    code = desk / "tools.py"
    code.write_text(
        code.read_text().replace('MIRROR.derived("count_words", given(text=text))', '{"words": 7}')
    )
    with pytest.raises(UsageError, match="read it, then run it with --trust"):
        load_mirror(desk)
    mirror = load_mirror(desk, trust=True)
    offered = [tool.id for tool in mirror.tools]
    assert call(World.fresh(), "count_words", {"text": "a"}, offered=offered).value == {"words": 7}
    with pytest.raises(UsageError, match="--anew writes it again"):
        make_mirror(load_source(str(written(desk.parent, DESK))), desk)


def test_the_same_source_gives_the_same_bytes(tmp_path: Path, desk: Path) -> None:
    make_mirror(load_source(str(written(tmp_path, DESK))), tmp_path / "again" / "desk_twin")
    for file in sorted(desk.iterdir()):
        if file.is_file():
            assert file.read_bytes() == (tmp_path / "again" / "desk_twin" / file.name).read_bytes()


def test_only_what_was_allowed_is_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "calls"
    monkeypatch.setenv(owntools_shop.LOG, str(log))
    source = load_source("python:owntools_shop:list_orders,get_order,create_order,delete_order,quote")
    assert make_mirror(source, tmp_path / "none", number=3).recorded == ()
    assert not log.exists()
    plan = make_mirror(source, tmp_path / "shop", number=3, allowed=("list_*", "get_order"))
    calls = log.read_text().splitlines()
    assert {name.split()[0] for name in calls} == {"list_orders", "get_order"}
    assert "get_order real-1" in calls or "get_order real-2" in calls
    (table,) = plan.tables
    assert [row["order_id"] for row in table.rows] == ["real-1", "real-2"]
    log.unlink()
    asyncio.run(record_calls(source, 2, allowed=("quote",)))
    assert {name.split()[0] for name in log.read_text().splitlines()} == {"quote"}


def test_the_command_says_what_it_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = 'def get_bed(bed_id: str) -> str:\n    """One bed."""\n    return {"B1": "beans"}[bed_id]\n'
    (tmp_path / "owntools_garden.py").write_text(code)
    monkeypatch.syspath_prepend(str(tmp_path))
    words = ["mirror", "python:owntools_garden", "--out", str(tmp_path / "twin"), "--record", "1"]
    left_out = CliRunner().invoke(app, [*words[:-1], "1", "--json"])
    assert left_out.stderr.startswith("will call (at most 1 call each): no tool\nleft out (1 tool;")
    assert "get_bed: its source does not say that it only reads; --allow get_bed calls it" in left_out.stderr
    assert json.loads(left_out.stdout)["tools"][0]["recorded"] == 0
    words += ["--anew", "--allow", "get_bed"]
    refused = CliRunner().invoke(app, words)
    assert refused.exit_code == 0
    assert "0 real calls recorded, 1 failed: get_bed (KeyError: " in refused.stdout
    assert "--given NAME=VALUE" in refused.stdout
    kept = CliRunner().invoke(app, [*words, "--given", "bed_id=B1"])
    assert "1 real call recorded, 0 failed\n" in kept.stdout
    assert "\n1 real call recorded, 0 failed.\n" in (tmp_path / "twin" / "card.md").read_text()


def test_a_service_that_cannot_be_reached_is_a_matter_of_its_address(tmp_path: Path) -> None:
    document = tmp_path / "openapi.yaml"
    document.write_text(
        "openapi: 3.0.3\ninfo: {title: Beds, version: '1'}\nservers: [{url: 'http://127.0.0.1:9'}]\n"
        "paths: {/beds: {get: {operationId: listBeds, summary: All beds., responses: {'200': {description: ok}}}}}\n"
    )
    done = CliRunner().invoke(
        app, ["mirror", str(document), "--out", str(tmp_path / "twin"), "--record", "1"]
    )
    assert "0 real calls recorded, 1 failed: listBeds (unreachable: " in done.stdout
    assert done.stdout.count("; check the address") == 1
    assert "--given" not in done.stdout


def test_only_a_tool_that_is_said_to_read_is_called_without_permission() -> None:
    source = load_source("python:owntools_shop:list_orders,quote,delete_order")
    listing, quote, removal = source.tools
    assert "does not say" in refusal_reason(listing)
    assert refusal_reason(replace(listing, reads=True)) == refusal_reason(replace(quote, reads=True)) == ""
    assert "changes things" in refusal_reason(replace(listing, reads=False))
    assert "destructive" in refusal_reason(replace(listing, reads=True, destroys=True))
    assert "'delete'" in refusal_reason(replace(removal, reads=True))
    assert refusal_reason(removal, ("quote",))
    assert refusal_reason(removal, ("delete_*",)) == ""


@each_case("name, description, called")
@pytest.mark.parametrize("hint", [True, None])
def test_a_reading_hint_is_not_enough_where_a_change_is_spoken_of(
    name: str, description: str, called: bool, hint: bool | None, tmp_path: Path
) -> None:
    tool = {"name": name, "description": description, "inputSchema": {"type": "object", "properties": {}}}
    if hint is not None:
        tool["annotations"] = {"readOnlyHint": hint}
    (found,) = load_source(str(written(tmp_path, [tool]))).tools
    assert (refusal_reason(found) == "") is (called and hint is True)
    assert refusal_reason(found, (name,)) == ""


def test_nothing_to_call_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nothing to record"):
        make_mirror(load_source(str(written(tmp_path, DESK))), tmp_path / "m", number=1)
    with pytest.raises(UsageError, match="--allow sell: owntools_shop has no such tool"):
        make_mirror(load_source("python:owntools_shop:quote"), tmp_path / "m", number=1, allowed=("sell",))


def test_values_are_given_by_name() -> None:
    assert parse_given_values(["repo_path=.", "limit=3", 'tags=["a"]']) == {
        "repo_path": ".",
        "limit": 3,
        "tags": ["a"],
    }


def test_names_that_python_cannot_have(tmp_path: Path) -> None:
    schema = {
        "properties": {"from": {"type": "string"}, "a-b": {"type": "integer"}, "world": {}},
        "required": ["from"],
    }
    tools = [{"name": "send-it", "description": 'Says """hello""" \\ to all.', "inputSchema": schema}]
    make_mirror(load_source(str(written(tmp_path, tools))), tmp_path / "m")
    mirror = load_mirror(tmp_path / "m")
    offered = [tool.id for tool in mirror.tools]
    made = call(World.fresh(), "send-it", {"from": "here", "a-b": 2}, offered=offered)
    assert made.error is None
    assert '"here"' in str(made.value)


def test_the_commands_build_and_serve(tmp_path: Path) -> None:
    source, folder = str(written(tmp_path, DESK)), tmp_path / "twin"
    told = CliRunner().invoke(app, ["mirror", source, "--out", str(folder), "--json"])
    assert told.exit_code == 0
    assert {one["name"]: one["does"] for one in json.loads(told.stdout)["tools"]}["delete_note"] == "delete"
    served = load_source(f"mcp:{sys.executable} -m toolyard serve {folder}")
    assert [tool.name for tool in served.tools] == [tool["name"] for tool in DESK]
    assert served.tool("get_note").schema == load_source(source).tool("get_note").schema
    answers = asyncio.run(_asked(served))
    assert answers == ["note-101", "note-106"]


async def _asked(source: ToolSource) -> list[str]:
    assert source.connect is not None
    async with source.connect() as reached:
        first = (await reached("list_notes", {})).value["notes"][0]["note_id"]
        return [first, (await reached("create_note", {"title": "a", "body": "b"})).value["note_id"]]


def test_tools_of_one_verb_alone_keep_no_table() -> None:
    plan = plan_mirror(load_source("python:owntools_shop:quote"))
    assert plan.tables == ()
    assert plan.tools[0].kind == "compute"


def test_defaults_are_kept_and_a_bare_yes_is_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "kiosk_of_test.py").write_text(
        "from typing import TypedDict\n"
        "class Order(TypedDict):\n    order_id: int\n    item: str\n    quantity: int\n"
        "def create_order(item: str, quantity: int = 1, note: str = 'none') -> Order:\n    '''Create an order.'''\n    ...\n"
        "def get_order(order_id: int) -> Order:\n    '''Read an order by its number.'''\n    ...\n"
        "def delete_order(order_id: int) -> bool:\n    '''Delete an order by its number.'''\n    ...\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    make_mirror(load_source("python:kiosk_of_test"), tmp_path / "twin")
    text = (tmp_path / "twin" / "tools.py").read_text(encoding="utf-8")
    assert "quantity: int | None = 1" in text
    assert 'note: str | None = "none"' in text
    mirror, world = load_mirror(tmp_path / "twin"), World.fresh()
    offered = [tool.id for tool in mirror.tools]
    made = call(world, "create_order", {"item": "lamp"}, offered=offered).value
    assert made["quantity"] == 1
    gone = call(world, "delete_order", {"order_id": made["order_id"]}, offered=offered)
    assert gone.value in (True, {"result": True})


def test_a_recorded_call_answers_whether_its_default_is_left_out_or_spelled_out(tmp_path: Path) -> None:
    schema = {
        "type": "object",
        "properties": {"topic": {"type": "string"}, "order": {"type": "string", "default": "newest"}},
        "required": ["topic"],
    }
    tool = {"name": "find_tides", "description": "Tides of a harbour, in an order.", "inputSchema": schema}
    make_mirror(load_source(str(written(tmp_path, [tool]))), tmp_path / "twin")
    line = {"tool": "find_tides", "arguments": {"topic": "Bergen"}, "result": {"high": "04:10"}, "error": ""}
    (tmp_path / "twin" / "recorded.jsonl").write_text(json.dumps(line) + "\n")
    mirror = load_mirror(tmp_path / "twin")
    offered = tuple(each.id for each in mirror.tools)
    answers = [
        call(World.fresh(), "find_tides", {"topic": "Bergen", **more}, offered=offered).value
        for more in ({}, {"order": "newest"}, {"order": "oldest"})
    ]
    assert answers[0] == answers[1] == {"high": "04:10"}
    assert answers[2] != answers[0]


@each_case("operation, route, called")
def test_a_get_is_left_out_where_path_or_leading_verb_speaks_of_a_change(
    tmp_path: Path, operation: str, route: str, called: bool
) -> None:
    answer = {
        "responses": {"200": {"description": "ok"}},
        **({"operationId": operation} if operation else {}),
    }
    document = {"openapi": "3.0.0", "info": {"title": "t", "version": "1"}, "paths": {route: {"get": answer}}}
    (tmp_path / "api.json").write_text(json.dumps(document))
    permits = call_permits(load_source(str(tmp_path / "api.json")))
    assert bool(permits.called) is called, permits.left_out


def test_a_result_without_its_key_is_the_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = (
        'def get_order(order_id: int) -> dict:\n    """One order."""\n    return {"total": 20.0}\n'
        'def delete_order(order_id: int) -> dict:\n    """Delete an order."""\n    return {}\n'
    )
    (tmp_path / "owntools_till.py").write_text(code)
    monkeypatch.syspath_prepend(str(tmp_path))
    recorded = [RecordedCall("get_order", {"order_id": 17}, {"total": 20.0})]
    (table,) = plan_mirror(load_source("python:owntools_till"), 0, recorded).tables
    assert table.rows == ({"order_id": 17, "total": 20.0},)


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
    async with mcp.Client(make_server(Answers(load_mirror(folder).tools))) as client:
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


SCHEMAS: dict[str, Any] = cases(__file__, "SCHEMAS")


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
    assert kept_schema(schema, []) == schema
    assert kept_schema(schema, [{"pattern": "text"}]) is None
    assert kept_schema(None, []) is None


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
