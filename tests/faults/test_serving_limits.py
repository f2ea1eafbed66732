"""toolyard serve --http: sessions that ended, no room for more, silent clients, foreign pages, and its end."""

import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from cases import cases
from serving import INITIALIZE, Served, served_tools

pytest.importorskip("mcp")
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
        closing(server.half_open(sent)) as client,
        client.makefile("rb") as answer,
        suppress(ConnectionResetError),
    ):
        assert len(answer.read()) < 1000


def test_half_open_clients_do_not_keep_others_out() -> None:
    with served_tools(most=10, seconds=600) as server:
        crowd = [server.half_open(HEAD + b"Content-Length: 9\r\n\r\n") for _ in range(40)]
        assert server.ask(INITIALIZE).status == 200
        for client in crowd:
            client.close()


def test_an_open_stream_is_not_taken_for_a_silent_client(server: Served) -> None:
    session = server.session()
    head = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in session.items())
    asked = f"GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n{head}\r\n"
    with closing(server.half_open(asked.encode())) as stream:
        assert stream.recv(100).startswith(b"HTTP/1.1 200")
        stream.settimeout(2.5)
        with pytest.raises(TimeoutError):
            while stream.recv(1000):
                pass


@pytest.mark.parametrize(
    ("origin", "status"), cases(__file__, "only_pages_of_the_server_itself_and_allowed_ones_may_ask")
)
def test_only_pages_of_the_server_itself_and_allowed_ones_may_ask(
    server: Served, origin: str, status: int
) -> None:
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
        with closing(server.half_open(sent[doing])) as client:
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
