"""toolyard serve: sessions apart, hanging calls apart, who may ask, and an end at once."""

import asyncio
import json
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

mcp = pytest.importorskip("mcp")
ENDLESS = {"operation": "integrate", "expression": "1/(x^40+x^3+1)"}
WRITE = {"file_path": "/workspace/mine.txt", "text": "mine"}


@contextmanager
def serving(*options: str, at: str = "127.0.0.1") -> Iterator[tuple[str, int, subprocess.Popen[str]]]:
    """A server that answers at an address: what it says, its port and its process."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = [sys.executable, "-m", "toolyard", "serve", "AM", "--http", "--port", str(port), *options]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        line = server.stderr.readline()
        for _ in range(300):
            with socket.socket(socket.AF_INET6 if ":" in at else socket.AF_INET) as probe:
                if probe.connect_ex((at, port)) == 0:
                    break
            time.sleep(0.1)
        try:
            yield line, port, server
        finally:
            server.kill()


def together(action: Callable[[], Any]) -> Any:
    return asyncio.run(asyncio.wait_for(action(), 90))


def test_every_session_has_a_world_of_its_own() -> None:
    async def two(address: str) -> tuple[Any, Any, Any]:
        async with mcp.Client(address) as one, mcp.Client(address) as other:
            await one.call_tool("write_file", WRITE)
            mine = await one.call_tool("read_file", {"file_path": WRITE["file_path"]})
            theirs = await other.call_tool("read_file", {"file_path": WRITE["file_path"]})
        async with mcp.Client(f"{address}?seed=5") as seeded:
            rows = await seeded.call_tool("execute_mysql_query", {"sql_cmd": "SELECT name FROM customers"})
        async with mcp.Client(address) as plain:
            usual = await plain.call_tool("execute_mysql_query", {"sql_cmd": "SELECT name FROM customers"})
        return mine, theirs, (rows, usual)

    with serving() as (_, port, _):
        mine, theirs, (rows, usual) = together(lambda: two(f"http://127.0.0.1:{port}/mcp"))
    assert mine.structured_content["text"] == "mine"
    assert theirs.structured_content["error"]["kind"] == "not_found"
    assert rows.structured_content != usual.structured_content


def test_clients_that_name_their_session_share_its_world() -> None:
    async def named(address: str) -> Any:
        async with mcp.Client(address, mode="2026-07-28") as one:
            await one.call_tool("write_file", WRITE)
        async with mcp.Client(address, mode="2026-07-28") as again:
            return await again.call_tool("read_file", {"file_path": WRITE["file_path"]})

    with serving() as (_, port, _):
        seen = together(lambda: named(f"http://127.0.0.1:{port}/mcp?session=ann"))
    assert seen.structured_content["text"] == "mine"


def test_a_hanging_call_blocks_neither_others_nor_the_end() -> None:
    async def beside(address: str, server: subprocess.Popen[str]) -> tuple[Any, int]:
        async with mcp.Client(address) as hanging, mcp.Client(address) as other:
            call = asyncio.create_task(hanging.call_tool("newton_calculator", ENDLESS))
            await asyncio.sleep(1)
            seen = await asyncio.wait_for(other.call_tool("calculator", {"input_query": "6*7"}), 30)
            assert not call.done()
            server.send_signal(signal.SIGTERM)
            status = await asyncio.to_thread(server.wait, 6)
            call.cancel()
            return seen, status

    with serving() as (_, port, server):
        try:
            seen, status = together(lambda: beside(f"http://127.0.0.1:{port}/mcp", server))
        except* Exception as group:  # the server is gone: closing the sessions fails
            raise AssertionError(group.exceptions) from group
    assert seen.structured_content["result"] == 42
    assert status in (0, 143, -signal.SIGTERM)


def asked(address: str, **headers: str) -> int:
    """The status of a first request."""
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}
    kinds = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    request = urllib.request.Request(address, json.dumps(body).encode(), {**kinds, **headers})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def test_on_loopback_only_its_own_names_are_answered() -> None:
    with serving() as (line, port, _):
        assert line == f"serving on http://127.0.0.1:{port}/mcp\n"
        address = f"http://127.0.0.1:{port}/mcp"
        assert asked(address) == 200
        assert asked(address, Host=f"localhost:{port}") == 200
        assert asked(address, Host="evil.example") == 421
        assert asked(address, Origin="http://evil.example") == 403


@pytest.mark.parametrize(("host", "at"), [("0.0.0.0", "127.0.0.1"), ("::", "::1")])
def test_beyond_loopback_a_token_is_wanted_and_every_name_is_answered(host: str, at: str) -> None:
    if host == "::" and not Path("/proc/net/if_inet6").exists():
        pytest.skip("this machine has no IPv6")
    with serving("--host", host, at=at) as (line, port, _):
        token = line.strip().rpartition(" ")[2]
        address = f"http://{f'[{at}]' if ':' in at else at}:{port}/mcp"
        assert asked(address) == 401
        assert asked(address, Authorization="Bearer wrong") == 401
        for name in (f"127.0.0.1:{port}", f"my-machine:{port}"):
            assert asked(address, Host=name, Authorization=f"Bearer {token}") == 200


def test_an_address_that_was_named_is_not_refused() -> None:
    with serving("--host", "127.0.0.2", "--token", "secret", at="127.0.0.2") as (line, port, _):
        assert line.endswith("Bearer secret\n")
        assert asked(f"http://127.0.0.2:{port}/mcp", Authorization="Bearer secret") == 200
        assert asked(f"http://127.0.0.2:{port}/mcp") == 401


def test_no_server_leaves_a_process_behind() -> None:
    with serving() as (_, port, server):

        async def once() -> Any:
            async with mcp.Client(f"http://127.0.0.1:{port}/mcp") as client:
                return await client.call_tool("calculator", {"input_query": "1+1"})

        together(once)
        workers = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
        server.send_signal(signal.SIGTERM)
        server.wait(6)
    time.sleep(0.5)
    assert not any(Path(f"/proc/{worker}/exe").exists() for worker in workers)
