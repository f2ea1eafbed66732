"""Who may talk to the review server, and what it answers to the others."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from toolyard.core.types import Json
from toolyard.review.server import ReviewServer
from toolyard.review.sitting import Seat, open_review, seated
from toolyard.review.subject import SubjectWish

TOKEN = "a-token-of-the-test"
DECISION = {"item": "1", "verdict": "accept"}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ReviewServer]:
    sitting = open_review(SubjectWish("nestools"), tmp_path / "review", begin=True)
    with seated(sitting, Seat("ada"), TOKEN, lambda: "now") as found:
        thread = threading.Thread(target=found.serve_forever, daemon=True)
        thread.start()
        yield found
        found.shutdown()
        thread.join()


def request(
    server: ReviewServer, method: str, path: str, body: Json = None, **headers: str
) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    data = json.dumps(body) if body is not None else None
    connection.request(method, path, data, given)
    response = connection.getresponse()
    response.msg["X-Body"] = response.read().decode()
    connection.close()
    return response


def insider(server: ReviewServer, **more: str) -> Mapping[str, str]:
    host = f"127.0.0.1:{server.port}"
    cookie = f"{server.cookie}={TOKEN}"
    return {"Cookie": cookie, "Origin": f"http://{host}", "Content_Type": "application/json", **more}


def test_it_listens_on_loopback_only(server: ReviewServer) -> None:
    assert server.server_address[0] == "127.0.0.1"


def test_the_page_opens_with_the_token_and_then_with_the_cookie(server: ReviewServer) -> None:
    response = request(server, "GET", f"/?token={TOKEN}")
    assert (response.status, response.headers["Location"]) == (303, "/")
    cookie = response.headers["Set-Cookie"]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
    assert request(server, "GET", "/", Cookie=cookie.split(";")[0]).status == 200


@pytest.mark.parametrize("path", ["/", "/?token=wrong", "/?token=%ff", "/api/overview", "/api/item?id=1"])
def test_nothing_is_shown_without_the_token(server: ReviewServer, path: str) -> None:
    assert request(server, "GET", path).status == 403


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1:1", "10.0.0.1:{port}", ""]
)
def test_a_foreign_host_name_is_refused_even_with_the_token(server: ReviewServer, host: str) -> None:
    headers = {**insider(server), "Host": host.format(port=server.port)}
    assert request(server, "GET", "/api/overview", **headers).status == 403


def test_a_decision_is_saved_for_the_page_itself(server: ReviewServer, tmp_path: Path) -> None:
    assert request(server, "POST", "/api/decision", DECISION, **insider(server)).status == 200
    line = json.loads((tmp_path / "review" / "decisions" / "ada.jsonl").read_text())
    assert (line["item"], line["verdict"]) == ("1", "accept")


@pytest.mark.parametrize(
    ("header", "value", "status"),
    [
        ("Origin", "http://evil.example", 403),
        ("Origin", "null", 403),
        ("Sec_Fetch_Site", "cross-site", 403),
        ("Cookie", "other=1", 403),
        ("Cookie", "\x01;=;", 403),
        ("Content_Type", "text/plain", 400),
    ],
)
def test_a_request_from_elsewhere_saves_nothing(
    server: ReviewServer, tmp_path: Path, header: str, value: str, status: int
) -> None:
    headers = {**insider(server), header: value}
    assert request(server, "POST", "/api/decision", DECISION, **headers).status == status
    assert (tmp_path / "review" / "decisions" / "ada.jsonl").read_text() == ""


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"item": "no such"},
        {"item": "1", "verdict": "maybe"},
        {"item": "1", "verdict": "edit"},
        {"item": "1", "verdict": "edit", "row": "{"},
        {"item": ["1"], "verdict": {}},
        {"item": "1", "verdict": "edit", "row": 7},
    ],
)
def test_a_decision_that_makes_no_sense_is_refused_with_a_reason(server: ReviewServer, body: Json) -> None:
    response = request(server, "POST", "/api/decision", body, **insider(server))
    assert response.status == 422
    assert json.loads(response.headers["X-Body"])["error"]


def test_a_list_or_a_giant_is_not_a_decision(server: ReviewServer) -> None:
    assert request(server, "POST", "/api/decision", [1], **insider(server)).status == 400
    giant = {**insider(server), "Content_Length": "99999999999"}
    assert request(server, "POST", "/api/decision", **giant).status == 400


def test_every_answer_carries_the_policy(server: ReviewServer) -> None:
    for path in ("/", "/review.js", "/nowhere", "/api/overview"):
        policy = request(server, "GET", path, **insider(server)).headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy


def test_no_file_beside_the_page_is_served(server: ReviewServer) -> None:
    for path in ("/../server.py", "/%2e%2e/server.py", "/review.html/../../server.py"):
        assert request(server, "GET", path, **insider(server)).status == 404
