"""Who may talk to the review page, what others are answered, and slow, silent or countless clients."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from cases import cases, each_case
from served_pages import Answer, ask, half_open, running
from small_sets import first_rows
from toolyard.core.errors import UsageError
from toolyard.core.processes.connections import Connections
from toolyard.review.review_sitting import Seat, open_review, sitting_server
from toolyard.review.review_subject import ReviewTarget
from toolyard.review.web.addresses import LOOPBACK, open_sockets
from toolyard.review.web.server import PageServer
from toolyard.review.web.view_pages import Reports
from toolyard_command import toolyard

TOKEN = "a-token-of-the-test"
DECISION = {"item": "1", "verdict": "accept"}


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return first_rows("nestools", tmp_path_factory.mktemp("rows") / "few", 8)


@pytest.fixture
def server(tmp_path: Path, rows: Path) -> Iterator[PageServer]:
    sitting = open_review(ReviewTarget(str(rows)), tmp_path / "review", begin=True)
    with sitting_server(sitting, Seat("ada"), lambda: "now", TOKEN) as found, running(found):
        yield found


def insider(server: PageServer, **more: str) -> Mapping[str, str]:
    host = f"127.0.0.1:{server.port}"
    cookie = f"{server.guard.cookie}={TOKEN}"
    return {"Cookie": cookie, "Origin": f"http://{host}", "Content_Type": "application/json", **more}


def decide(server: PageServer, body: Any, **headers: str) -> Answer:
    return ask(server.port, "/api/decision", "POST", body, **{**insider(server), **headers})


def decisions(tmp_path: Path) -> str:
    return (tmp_path / "review" / "decisions" / "ada.jsonl").read_text()


def test_the_page_opens_with_the_token_and_then_with_the_cookie_on_loopback_only(server: PageServer) -> None:
    assert [each.getsockname()[0] for each in server.guard.listening.sockets] == [LOOPBACK]
    assert server.url == f"http://127.0.0.1:{server.port}/?token={TOKEN}"
    answer = ask(server.port, f"/?token={TOKEN}")
    assert (answer.status, answer.headers["Location"]) == (303, "/")
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
    assert ask(server.port, "/", Cookie=cookie.split(";")[0]).status == 200
    headers = {"Cookie": insider(server)["Cookie"], "Host": f"localhost:{server.port}"}
    assert ask(server.port, "/api/overview", **headers).status == 200


@pytest.mark.parametrize(
    "path", ["/", "/?token=wrong", "/?token=%ff", "/?token=", "/api/overview", "/api/item?id=1", "/review.js"]
)
def test_nothing_is_shown_without_the_token(server: PageServer, path: str) -> None:
    assert ask(server.port, path).status == 403


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:{port}", "127.0.0.1:1", "127.0.0.1", "10.0.0.1:{port}", "", "[::1", "a@127.0.0.1:{port}",
     "127.0.0.1:{port}/x", "127.0.0.1.evil.example:{port}"],
)  # fmt: skip
def test_a_foreign_host_name_is_refused_even_with_the_token(server: PageServer, host: str) -> None:
    headers = {**insider(server), "Host": host.format(port=server.port)}
    del headers["Origin"]
    assert ask(server.port, "/api/overview", **headers).status in (400, 403)


def test_a_decision_is_saved_for_the_page_itself(server: PageServer, tmp_path: Path) -> None:
    assert decide(server, DECISION).status == 200
    line = json.loads(decisions(tmp_path))
    assert (line["item"], line["verdict"]) == ("1", "accept")


@each_case("header, value, status")
def test_a_request_from_elsewhere_saves_nothing(
    server: PageServer, tmp_path: Path, header: str, value: str, status: int
) -> None:
    assert decide(server, DECISION, **{header: value.format(port=server.port)}).status == status
    assert decisions(tmp_path) == ""


def test_another_site_may_link_here_but_not_load_anything(server: PageServer) -> None:
    foreign = {"Cookie": insider(server)["Cookie"], "Sec_Fetch_Site": "cross-site"}
    assert ask(server.port, "/", **foreign, Sec_Fetch_Dest="document").status == 200
    assert ask(server.port, "/review.js", **foreign, Sec_Fetch_Dest="script").status == 403
    assert ask(server.port, "/api/overview", **foreign, Sec_Fetch_Dest="empty").status == 403
    assert ask(server.port, "/", **foreign, Sec_Fetch_Dest="iframe").status == 403


@each_case(
    "body",
    besides=[
        {"item": "1", "verdict": "edit", "row": '{"a":' * 900 + "1" + "}" * 900},
        {"item": "1", "verdict": "edit", "row": "[" * 900},
    ],
    ids=lambda body: str(body)[:40],
)
def test_a_decision_that_makes_no_sense_is_refused_with_a_reason(server: PageServer, body: Any) -> None:
    answer = decide(server, body)
    assert answer.status == 422
    assert answer.json()["error"]


@pytest.mark.parametrize(
    ("body", "status", "reason"),
    [
        (b"[1]", 400, "found a list; wanted is one JSON object"),
        (b"{", 400, "not JSON"),
        (b"\xff\xfe", 400, "not JSON"),
        (b"", 400, "not JSON"),
        (b'{"item":' + b"[" * 900 + b"]" * 900 + b"}", 400, "nested 901 deep; at most 128 is read"),
        (b'{"item":' * 100_000, 400, "nested 100000 deep"),
        (b'"' + b"x" * 4_000_001 + b'"', 413, "at most 4000000 are taken"),
    ],
    ids=["list", "torn", "bytes", "nothing", "deep", "deeper", "giant"],
)
def test_what_is_no_decision_is_refused(server: PageServer, body: bytes, status: int, reason: str) -> None:
    answer = decide(server, body)
    assert (answer.status, reason in answer.json()["error"]) == (status, True)


@pytest.mark.parametrize("length", ["99999999999", "9" * 30, "-1", "1e3", "²"])
def test_an_absurd_length_is_refused_at_once(server: PageServer, length: str) -> None:
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in insider(server).items()]
    head = "\r\n".join(
        ["POST /api/decision HTTP/1.1", f"Host: 127.0.0.1:{server.port}", f"Content-Length: {length}", *lines, "", ""]
    )  # fmt: skip
    with half_open(server.port, head.encode()) as client:
        assert client.recv(100).split(b" ")[1] in (b"400", b"413")


def test_a_length_is_not_believed_where_the_body_is_larger(server: PageServer, tmp_path: Path) -> None:
    assert decide(server, DECISION, Content_Length="5").status == 400
    assert decisions(tmp_path) == ""


def test_every_answer_carries_a_policy_and_no_file_beside_the_page_is_served(server: PageServer) -> None:
    for path in ("/", "/review.js", "/nowhere", "/api/overview", "/?token=wrong"):
        headers = ask(server.port, path, **insider(server)).headers
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert "unsafe" not in headers["Content-Security-Policy"]
        assert (headers["X-Frame-Options"], headers["Cache-Control"]) == ("DENY", "no-store")
        assert headers["Server"] == "toolyard"
    for path in cases(__file__, "every_answer_carries_a_policy_and_no_file_beside_the_page_is_served"):
        assert ask(server.port, path, **insider(server)).status == 404


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
        PageServer(Reports(runs).site(), open_sockets(LOOPBACK, 0), connections=connections) as server,
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


@each_case("head", ids=["long header", "long line", "many headers", "no HTTP", "version", "two lengths"])
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
    with open_sockets(LOOPBACK, 0).sockets[0] as held:
        port = held.getsockname()[1]
        with pytest.raises(
            UsageError, match=rf"cannot listen on 127\.0\.0\.1 port {port} \(Address already in use\)"
        ):
            open_sockets(LOOPBACK, port)
    with pytest.raises(UsageError, match="is not an address or name that this machine knows"):
        open_sockets("no.such.host.invalid", 0)
    with pytest.raises(UsageError, match=r"cannot listen on 203\.0\.113\.7"):
        open_sockets("203.0.113.7", 0)


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
