"""toolyard serve: sessions apart, limits kept, silent and foreign clients, and an end at once."""

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
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from cases import each_case
from served_pages import half_open
from serving import INITIALIZE, Served, served_tools

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


SUM = "calculator", {"input_query": "1+1"}
HEAD = b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
MODERN = {"mcp_protocol_version": "2026-07-28", "mcp_method": "tools/call", "mcp_name": "calculator"}


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with served_tools(seconds=1.0, origins=("http://localhost:6274",)) as found:
        yield found


def message(reply: Any) -> str:
    return str(reply.json()["error"]["message"])


def test_a_session_that_was_ended_or_never_opened_is_not_found(server: Served) -> None:
    session = server.session()
    assert server.call(*SUM, **session).json()["result"]["structuredContent"]["result"] == 2
    assert server.ask(None, "DELETE", **session).status == 200
    for name in (session["mcp_session_id"], "0" * 32, "x" * 5000):
        reply = server.call(*SUM, **{**session, "mcp_session_id": name})
        assert (reply.status, message(reply)[:22]) == (404, "this session has ended")


@pytest.mark.parametrize("seed", ["abc", "", "-1", "1.5", "%D9%A1", "1234567890", "1%0D%0AX"])
def test_a_seed_that_is_none_is_refused_in_one_line(seed: str, server: Served) -> None:
    for reply in (
        server.ask(INITIALIZE, path=f"/mcp?seed={seed}"),
        server.call(*SUM, path=f"/mcp?session=ann&seed={seed}", **MODERN),
    ):
        assert reply.status == 400
        assert message(reply).endswith("wanted is a whole number of at most 9 digits")
        assert "\n" not in message(reply)


EARLY = """
import os, signal, sys
import uvicorn.server
from toolyard.cli import main
begin = uvicorn.server.asyncio_run
def run(work, **given):
    os.kill(os.getpid(), signal.{name})
    begin(work, **given)
uvicorn.server.asyncio_run = run
sys.argv = ["toolyard", "serve", "Calculator", "--http", "--port", "{port}"]
main()
"""


@pytest.mark.parametrize(("name", "code"), [("SIGTERM", 0), ("SIGINT", 130)])
def test_a_signal_before_the_first_request_ends_it_without_a_message(name: str, code: int) -> None:
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        script = EARLY.format(name=name, port=free.getsockname()[1])
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.returncode == code, done.stderr
    assert [line.split()[0] for line in done.stderr.splitlines()] == ["serving", "stopped"]


def test_at_the_limit_new_sessions_are_refused_and_old_ones_go_on() -> None:
    with served_tools(sessions=2) as server:
        first, second = server.session(), server.session()
        refused = server.ask(INITIALIZE)
        assert (refused.status, message(refused)[:27]) == (503, "this server has 2 open sess")
        assert server.call(*SUM, path="/mcp?session=ann", **MODERN).status == 503
        assert server.call(*SUM, **first).status == 200
        assert server.ask(None, "DELETE", **second).status == 200
        assert server.ask(INITIALIZE).status == 200


def test_many_clients_at_once_open_no_more_sessions_than_there_is_room_for() -> None:
    with served_tools(sessions=5) as server, ThreadPoolExecutor(12) as clients:
        seen = [reply.status for reply in clients.map(lambda _: server.ask(INITIALIZE), range(40))]
    assert sorted(seen) == [200] * 5 + [503] * 35


def test_an_idle_session_makes_room_and_is_not_found_any_more() -> None:
    with served_tools(sessions=1, idle=0.001) as server:
        first = server.session()
        # The last request of the first session may still be under way.
        assert any(server.ask(INITIALIZE).status == 200 or time.sleep(0.05) for _ in range(200))
        assert server.call(*SUM, **first).status == 404


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"P",
        b"POST /mcp HTTP/1.1\r\nHost: 127.0",
        HEAD,
        HEAD + b"Content-Length: 100\r\n\r\n",
        HEAD + b"Content-Length: 100\r\n\r\n{",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{",
        HEAD + b"Expect: 100-continue\r\nContent-Length: 9\r\n\r\n",
        b"GET /elsewhere HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    ],
)
def test_a_client_that_does_not_end_its_request_is_cut(server: Served, sent: bytes) -> None:
    with (
        closing(half_open(server.port, sent)) as client,
        client.makefile("rb") as answer,
        suppress(ConnectionResetError),
    ):
        assert len(answer.read()) < 1000


def test_half_open_clients_do_not_keep_others_out() -> None:
    with served_tools(most=10, seconds=600) as server:
        crowd = [half_open(server.port, HEAD + b"Content-Length: 9\r\n\r\n") for _ in range(40)]
        assert server.ask(INITIALIZE).status == 200
        for client in crowd:
            client.close()


def test_an_open_stream_is_not_taken_for_a_silent_client(server: Served) -> None:
    session = server.session()
    head = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in session.items())
    asked = f"GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n{head}\r\n"
    with closing(half_open(server.port, asked.encode())) as stream:
        assert stream.recv(100).startswith(b"HTTP/1.1 200")
        stream.settimeout(2.5)
        with pytest.raises(TimeoutError):
            while stream.recv(1000):
                pass


@each_case("origin, status")
def test_only_pages_of_the_server_and_allowed_ones_ask(server: Served, origin: str, status: int) -> None:
    assert server.ask(INITIALIZE, Origin=origin.format(port=server.port)).status == status


@pytest.mark.parametrize(
    ("number", "code", "doing"),
    [
        (signal.SIGTERM, 0, "nothing"),
        (signal.SIGTERM, 0, "streaming"),
        (signal.SIGTERM, 0, "half open"),
        (signal.SIGINT, 130, "calling"),
    ],
)
def test_a_signal_ends_it_whatever_its_clients_do(number: int, code: int, doing: str) -> None:
    with served_tools() as server:
        session = server.session()
        head = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in session.items()).encode()
        server.call("newton_calculator", {"operation": "integrate", "expression": "x"}, **session)
        endless = b'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"newton_calculator","arguments":' \
            b'{"operation":"integrate","expression":"1/(x^40+x^3+1)"}}}'  # fmt: skip
        sent = {
            "nothing": b"",
            "streaming": b"GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n" + head + b"\r\n",
            "calling": HEAD + b"Accept: application/json, text/event-stream\r\n" + head
            + b"Content-Length: %d\r\n\r\n" % len(endless) + endless,
            "half open": HEAD + b"Content-Length: 9\r\n\r\n",
        }  # fmt: skip
        with closing(half_open(server.port, sent[doing])) as client:
            if doing == "streaming":
                client.recv(10)
            workers = children(server.process.pid)
            server.process.send_signal(number)
            assert server.process.wait(10) == code
        assert server.process.stderr is not None
        assert server.process.stderr.read() == ""
    assert workers
    assert not any(Path(f"/proc/{worker}/exe").exists() for worker in workers)


def children(process: int) -> list[str]:
    return [
        child
        for thread in Path(f"/proc/{process}/task").iterdir()
        for child in (thread / "children").read_text().split()
    ]
