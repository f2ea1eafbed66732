"""Slow, silent and countless clients of the pages, and how the command ends."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from cases import cases
from served_pages import ask, half_open, running
from toolyard.core.errors import UsageError
from toolyard.core.processes.connections import Connections
from toolyard.review.web.addresses import LOOPBACK, listen_on
from toolyard.review.web.server import PageServer
from toolyard.review.web.view_pages import Reports
from toolyard_command import toolyard


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    folder = tmp_path / "runs" / "one"
    folder.mkdir(parents=True)
    (folder / "manifest.json").write_text(json.dumps({"identity": {"benchmark": "toy", "model": "m"}}))
    (folder / "report.html").write_text("page " * 100_000)
    return tmp_path / "runs"


@contextmanager
def served(runs: Path, most: int, seconds: float) -> Iterator[PageServer]:
    connections = Connections(most, seconds, seconds)
    with (
        PageServer(Reports(runs).site(), listen_on(LOOPBACK, 0), connections=connections) as server,
        running(server),
    ):
        yield server


def is_cut(client: socket.socket) -> bool:
    """Whether the server ends the connection, waited for as long as the socket's own limit allows."""
    try:
        return client.recv(1) == b""
    except ConnectionResetError:
        return True


@pytest.mark.parametrize("sent", [b"", b"G", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: "])
def test_a_client_that_does_not_end_its_request_is_cut(runs: Path, sent: bytes) -> None:
    with served(runs, most=10, seconds=0.3) as server, half_open(server.port, sent) as client:
        assert is_cut(client)


def test_a_client_that_keeps_trickling_is_cut_all_the_same(runs: Path) -> None:
    with served(runs, most=10, seconds=0.5) as server, half_open(server.port) as client:
        client.settimeout(0.05)
        ended = False
        while not ended:
            try:
                client.sendall(b"x")
                ended = client.recv(1) == b""
            except TimeoutError:
                continue
            except (ConnectionResetError, BrokenPipeError):
                ended = True
        assert len(server.connections) == 0


def test_an_answered_client_that_falls_silent_is_cut(runs: Path) -> None:
    with served(runs, most=10, seconds=0.3) as server:
        head = f"GET /nowhere HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n"
        with half_open(server.port, head.encode()) as client, client.makefile("rb") as answer:
            assert b" 404 " in answer.readline()
            assert answer.read().endswith(b"404: Not Found")


def test_a_client_that_does_not_take_its_answer_is_cut(runs: Path) -> None:
    with (runs / "one" / "report.md").open("wb") as file:
        file.truncate(50_000_000)
    with served(runs, most=10, seconds=0.3) as server:
        head = f"GET /runs/one/report.md HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n"
        with half_open(server.port, head.encode()) as client:
            taken = len(client.recv(1))
            while len(server.connections):
                time.sleep(0.02)
            with suppress(ConnectionResetError):
                while block := client.recv(1 << 20):
                    taken += len(block)
            assert 0 < taken < 50_000_000


def test_a_reader_that_takes_its_time_gets_everything(runs: Path) -> None:
    with (runs / "one" / "report.md").open("wb") as file:
        file.truncate(20_000_000)
    with served(runs, most=10, seconds=0.5) as server:
        head = f"GET /runs/one/report.md HTTP/1.0\r\nHost: 127.0.0.1:{server.port}\r\n\r\n"
        with half_open(server.port, head.encode()) as client:
            taken = 0
            while block := client.recv(1 << 20):
                taken += len(block)
                time.sleep(0.05)
            assert taken > 20_000_000


def test_half_open_clients_do_not_keep_others_out(runs: Path) -> None:
    with served(runs, most=20, seconds=600) as server:
        crowd = [half_open(server.port) for _ in range(60)]
        assert ask(server.port, "/").status == 200
        assert len(server.connections) <= 20
        assert is_cut(crowd[0])
        for client in crowd:
            client.close()


def test_two_hundred_clients_at_once_are_all_answered(runs: Path) -> None:
    with served(runs, most=512, seconds=60) as server:

        def whole(_: int) -> tuple[int, int]:
            answer = ask(server.port, "/runs/one/report.html")
            return answer.status, len(answer.body)

        with ThreadPoolExecutor(200) as clients:
            assert set(clients.map(whole, range(400))) == {(200, 500_000)}


@pytest.mark.parametrize(
    "head",
    cases(__file__, "a_head_beyond_the_limits_is_a_bad_request_and_nobody_is_told"),
    ids=["long header", "long line", "many headers", "no HTTP", "version", "two lengths"],
)
def test_a_head_beyond_the_limits_is_a_bad_request_and_nobody_is_told(
    runs: Path, head: str, capfd: pytest.CaptureFixture[str]
) -> None:
    text = head.replace("{long}", "x" * 20_000).replace("{many}", "".join(f"X{n}: 1\r\n" for n in range(500)))
    with served(runs, most=10, seconds=30) as server:
        with half_open(server.port, text.encode("latin-1")) as client:
            assert client.recv(12).endswith(b" 400")
        assert ask(server.port, "/").status == 200
    assert capfd.readouterr().err == ""


def test_a_port_in_use_and_a_strange_host_are_one_line() -> None:
    with listen_on(LOOPBACK, 0).sockets[0] as held:
        port = held.getsockname()[1]
        with pytest.raises(
            UsageError, match=rf"cannot listen on 127\.0\.0\.1 port {port} \(Address already in use\)"
        ):
            listen_on(LOOPBACK, port)
    with pytest.raises(UsageError, match="is not an address or name that this machine knows"):
        listen_on("no.such.host.invalid", 0)
    with pytest.raises(UsageError, match=r"cannot listen on 203\.0\.113\.7"):
        listen_on("203.0.113.7", 0)


@contextmanager
def command(*words: str | Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A running command and the address that it printed."""
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    asked = [sys.executable, "-m", "toolyard", *map(str, words)]
    with subprocess.Popen(
        asked, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        lines = iter(process.stdout)
        address = next(word for line in lines for word in line.split() if word.startswith("http://"))
        try:
            yield process, address
        finally:
            process.kill()


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
@pytest.mark.parametrize("verb", ["view", "review"])
def test_a_signal_ends_it_without_a_word_of_python(
    runs: Path, tmp_path: Path, number: signal.Signals, code: int, verb: str
) -> None:
    words = [runs] if verb == "view" else ["nestools", "--annotator", "ada", "--out", tmp_path / "review"]
    with command(verb, *words) as (process, address):
        port = int(address.split(":")[2].split("/")[0])
        # Clients that are still there, one in the middle of a request, are not waited for.
        with half_open(port), half_open(port, b""):
            process.send_signal(number)
            said, complained = process.communicate(timeout=60)
    assert (process.returncode, complained) == (code, "")
    assert "stopped" in said


def test_a_port_in_use_is_one_line_of_the_command(runs: Path) -> None:
    with socket.create_server((LOOPBACK, 0)) as held:
        port = held.getsockname()[1]
        done = toolyard("view", runs, "--port", port)
    assert done.returncode == 1
    assert done.stderr.startswith(f"toolyard: cannot listen on 127.0.0.1 port {port}")
    assert done.stderr.count("\n") == 1
