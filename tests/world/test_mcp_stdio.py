"""The server on standard input and output, line by line: what clients send, and what nobody should."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from toolyard.world.mcp.stdio import REVISIONS

SCRIPT = "import sys; from toolyard.world.mcp.stdio import serve_stdio; serve_stdio('Mail'); print('mcp' in sys.modules)"


def said(*lines: Any) -> tuple[dict[Any, Any], str]:
    """Answers by id, and whether the protocol's package was imported, after these lines."""
    text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    seen = subprocess.run(
        [sys.executable, "-c", SCRIPT], input=text, capture_output=True, text=True, timeout=120
    )
    assert seen.returncode == 0, seen.stderr
    *answers, imported = seen.stdout.splitlines()
    found = [
        one for line in answers for one in (lambda m: m if isinstance(m, list) else [m])(json.loads(line))
    ]
    return {one["id"]: one for one in found}, imported


def request(number: Any, method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def test_a_session_from_handshake_to_the_end_of_input() -> None:
    answers, imported = said(
        request(1, "initialize", protocolVersion="2025-06-18", capabilities={}),
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        request("two", "tools/list"),
        request(
            3,
            "tools/call",
            name="send",
            arguments={"to_email": "a@example.org", "subject": "s", "content": "c"},
        ),
        request(4, "resources/list"),
        request(5, "ping"),
    )
    assert answers[1]["result"]["protocolVersion"] == "2025-06-18"
    assert {tool["name"] for tool in answers["two"]["result"]["tools"]} >= {"send", "send_list"}
    assert answers[3]["result"]["isError"] is False
    assert len(answers[4]["result"]["resources"]) == 2
    assert answers[5]["result"] == {}
    assert imported == "False"


@pytest.mark.parametrize("wanted", ["2026-07-28", "1999-01-01", None, 5])
def test_an_unknown_revision_is_answered_with_the_newest_of_ours(wanted: Any) -> None:
    answers, _ = said(request(1, "initialize", protocolVersion=wanted))
    assert answers[1]["result"]["protocolVersion"] == REVISIONS[-1]


def test_what_is_no_request_gets_an_error_and_the_next_is_served() -> None:
    answers, _ = said(
        "{not json",
        "[" * 100_000,
        {"jsonrpc": "2.0", "id": 1, "result": {}},
        request(2, "server/discover"),
        request(3, "tools/call", name=7),
        {"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": [1]},
        request(5, "resources/read", uri="toolyard://world/nothing"),
        request(6, "tools/call", name="send", arguments=[1]),
        "",
        request(7, "ping"),
    )
    codes = {number: one["error"]["code"] for number, one in answers.items() if "error" in one}
    assert codes == {None: -32700, 2: -32601, 3: -32602, 4: -32602, 5: -32002, 6: -32602}
    assert answers[7]["result"] == {}
    assert 1 not in answers


def test_a_batch_is_answered_and_its_notes_are_not() -> None:
    answers, _ = said([request(1, "ping"), {"jsonrpc": "2.0", "method": "notifications/progress"}, 5])
    assert answers[1]["result"] == {}
    assert answers[None]["error"]["code"] == -32600
