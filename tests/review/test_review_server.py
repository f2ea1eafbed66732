"""Who may talk to the review page, and what it answers to the others."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from cases import cases
from served_pages import Answer, ask, half_open, running
from small_sets import first_rows
from toolyard.review.review_sitting import Seat, open_review, sitting_server
from toolyard.review.review_subject import ReviewTarget
from toolyard.review.web.addresses import LOOPBACK
from toolyard.review.web.server import PageServer

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


@pytest.mark.parametrize(
    ("header", "value", "status"), cases(__file__, "a_request_from_elsewhere_saves_nothing")
)
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


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"item": "no such"},
        {"item": "1", "verdict": "maybe"},
        {"item": "1", "verdict": "edit"},
        {"item": "1", "verdict": "edit", "row": "{"},
        {"item": "1", "verdict": "edit", "row": '{"a":' * 900 + "1" + "}" * 900},
        {"item": "1", "verdict": "edit", "row": "[" * 900},
        {"item": ["1"], "verdict": {}},
        {"item": "1", "verdict": "edit", "row": 7},
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
def test_what_is_no_decision_at_all_is_refused_with_a_reason(
    server: PageServer, body: bytes, status: int, reason: str
) -> None:
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
    for path in (
        "/../desk.py",
        "/%2e%2e/desk.py",
        "/review.html/../../desk.py",
        "/review.html",
        "/..%2fdesk.py",
    ):
        assert ask(server.port, path, **insider(server)).status == 404
