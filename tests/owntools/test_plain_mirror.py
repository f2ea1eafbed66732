"""The mirrors of a plain tool file and of our own world: keys, verbs, searches, and results that clients accept."""

import asyncio
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from own_tools import measure_agreement
from typer.testing import CliRunner

from json_files import read_json
from owntools_desk import DESK, written
from toolyard.cli.app import app
from toolyard.core.types import Observation
from toolyard.owntools.mirror.mirror_files import load_mirror, make_mirror
from toolyard.owntools.mirror.mirror_plan import plan_mirror
from toolyard.owntools.probe.probe_run import open_workshop
from toolyard.owntools.probe.probe_suites import draw_suites
from toolyard.owntools.sources import load_source
from toolyard.owntools.tool_meaning import tool_meanings
from toolyard.world import World, call
from toolyard.world.kernel.registry import select
from toolyard.world.mcp import Answers
from toolyard.world.mcp.http import make_server

mcp = pytest.importorskip("mcp")
TEXT = {"type": "string"}


def plain(name: str, *required: str, result: Any = None, **more: Any) -> dict[str, Any]:
    schema = {
        "type": "object",
        "properties": {**dict.fromkeys(required, TEXT), **more},
        "required": list(required),
    }
    shown = {} if result is None else {"outputSchema": result}
    return {"name": name, "description": f"Says what {name} does.", "inputSchema": schema, **shown}


SUPPORT = [
    plain("create_ticket", "customer_id", "title", priority={"enum": ["low", "high"]}),
    plain("get_ticket", "ticket_id"),
    plain("close_ticket", "ticket_id"),
    plain("mark_as_solved", "ticket_id"),
    plain("get_tickets", "customer_id"),
    plain("search_customers", "query", limit={"type": "integer"}),
    plain("translate", "words"),
]
SHAPES: dict[str, Any] = {
    "object": {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]},
    "list": {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "number"}}}},
    "text": TEXT,
    "bare": None,
    "either": {"anyOf": [{"type": "object", "properties": {"n": {"type": "integer"}}}, {"type": "null"}]},
}
Call = tuple[str, dict[str, Any]]


def answers(folder: Path, calls: Sequence[Call]) -> list[Any]:
    """What the protocol's client takes from a served mirror; it raises where a result is not as declared."""

    async def asked() -> list[Any]:
        async with mcp.Client(make_server(Answers(load_mirror(folder).tools))) as client:
            found = []
            for name, arguments in calls:
                result = await client.session.call_tool(name, arguments)
                found.append("refused" if result.is_error else result.structured_content)
            return found

    return asyncio.run(asyncio.wait_for(asked(), 60))


@pytest.fixture
def support(tmp_path: Path) -> Path:
    make_mirror(load_source(str(written(tmp_path, SUPPORT))), tmp_path / "twin")
    return tmp_path / "twin"


def test_a_thing_is_known_by_its_own_id_and_changed_by_plain_verbs(support: Path) -> None:
    made: list[Call] = [("create_ticket", {"customer_id": "C-1", "title": each}) for each in ("Lamp", "Door")]
    found = answers(support, [
        *made,
        ("close_ticket", {"ticket_id": "ticket-106"}),
        ("mark_as_solved", {"ticket_id": "ticket-107"}),
        ("get_ticket", {"ticket_id": "ticket-106"}),
        ("get_tickets", {"customer_id": "C-1"}),
        ("get_ticket", {"ticket_id": "C-1"}),
        ("close_ticket", {"ticket_id": "nonsense"}),
        ("search_customers", {"query": "an", "limit": 1}),
        ("translate", {"words": "lamp"}),
    ])  # fmt: skip
    lamp = {"ticket_id": "ticket-106", "customer_id": "C-1", "title": "Lamp", "status": "open"}
    door = {**lamp, "ticket_id": "ticket-107", "title": "Door"}
    closed, solved = {**lamp, "status": "closed"}, {**door, "status": "solved"}
    assert found[:6] == [lamp, door, closed, solved, closed, {"result": [closed, solved]}]
    assert found[6:8] == ["refused", "refused"]
    assert found[8] == {"result": [{"customer_id": "customer-101", "name": "Ann Berg"}]}
    tables = read_json(support / "tables.json")
    customers = {row["customer_id"] for row in tables["customers"]["rows"]}
    assert {row["customer_id"] for row in tables["tickets"]["rows"]} <= customers


def test_results_are_as_declared_for_every_kind_of_tool(tmp_path: Path) -> None:
    tools = [
        tool
        for noun, result in SHAPES.items()
        for tool in (
            plain(f"create_{noun}", "title", result=result),
            plain(f"get_{noun}", "id", result=result),
            plain(f"archive_{noun}", "id", result=result),
            plain(f"find_{noun}s", "query", result=result),
            plain(f"delete_{noun}", "id", result=result),
            plain(f"weigh_{noun}", "title", result=result),
        )
    ]
    make_mirror(load_source(str(written(tmp_path, [*tools, *DESK]))), tmp_path / "twin")
    tables = read_json(tmp_path / "twin" / "tables.json")
    calls: list[Call] = []
    for tool in tools:
        table = tables[f"{tool['name'].split('_')[1].removesuffix('s')}s"]
        known = str(table["rows"][0][table["key"]])
        calls.append((tool["name"], dict.fromkeys(tool["inputSchema"]["required"], known)))
    found = answers(tmp_path / "twin", [*calls, ("list_notes", {}), ("count_words", {"text": "a"})])
    assert "refused" not in found


def test_what_stays_filler_is_named(tmp_path: Path) -> None:
    told = CliRunner().invoke(
        app, ["mirror", str(written(tmp_path, SUPPORT)), "--out", str(tmp_path / "twin")]
    )
    line = "1 of 7 tools return filler: translate"
    assert f"warning: {line}\n" in told.stderr
    assert line in (tmp_path / "twin" / "card.md").read_text()


def test_the_id_of_another_thing_is_no_key(tmp_path: Path) -> None:
    tools = [
        plain("orders_list", "customerId"),
        plain("place_order", "customerId", "item"),
        plain("get_order", "order_number"),
        plain("cancel_order", "order_number"),
        plain("get_balance", "account_id"),
        plain("set_balance", "account_id", "amount"),
    ]
    source = load_source(str(written(tmp_path, tools)))
    found = {name: (each.kind, each.noun, each.key) for name, each in tool_meanings(source.tools).items()}
    assert found == {
        "orders_list": ("list", "order", ""),
        "place_order": ("create", "order", ""),
        "get_order": ("read", "order", "order_number"),
        "cancel_order": ("update", "order", "order_number"),
        "get_balance": ("read", "balance", "account_id"),
        "set_balance": ("update", "balance", "account_id"),
    }
    plan = plan_mirror(source)
    assert [(table.name, table.key) for table in plan.tables] == [
        ("orders", "order_number"),
        ("balances", "account_id"),
    ]


def test_the_total_of_a_thing_is_a_field_of_it(tmp_path: Path) -> None:
    order = {"type": "object", "properties": {"order_id": TEXT, "total": {"type": "number"}}}
    tools = [plain("get_order", "order_id", result=order), plain("refund_order", "order_id", "amount")]
    plan = plan_mirror(load_source(str(written(tmp_path, tools))))
    assert "total" in plan.table("orders").fields


def test_gold_is_the_same_in_process(tmp_path: Path) -> None:
    make_mirror(load_source(f"mcp:{sys.executable} -m toolyard serve Calendar"), tmp_path / "twin", number=3)
    shop = open_workshop(tmp_path / "twin")
    suites = draw_suites(shop, 12, 0)
    calls = [(one.tool, one.arguments) for row in (*suites.nested, *suites.twins) for one in row.chain.steps]
    offered = [tool.id for tool in select("Calendar")]

    def real(tool: str, arguments: Mapping[str, Any]) -> Observation:
        return call(World.fresh(), tool, arguments, offered=offered, budget_tokens=100_000)

    found = measure_agreement(shop.mirror, real, calls)[True]
    assert found["calls"] >= 20
    assert set(found.values()) == {found["calls"]}
