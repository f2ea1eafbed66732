"""`toolyard view`: what is served, and that nothing else is."""

from __future__ import annotations

import json
import os
import shutil
import threading
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path

import pytest

from toolyard.core.errors import UsageError
from toolyard.report.view import KnownRuns, runs_in, view_server

POLICY = "default-src 'none'; script-src 'sha256-abc='"


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    folder = tmp_path / "runs" / "toy_one"
    folder.mkdir(parents=True)
    identity = {"benchmark": "toy", "model": "<b>model</b>"}
    (folder / "manifest.json").write_text(
        json.dumps({"identity": identity, "finished": "2026-01-02T03:04:05+00:00"})
    )
    escaped = POLICY.replace("'", "&#39;")
    (folder / "report.html").write_text(
        f'<meta http-equiv="Content-Security-Policy" content="{escaped}">page'
    )
    (tmp_path / "runs" / "not_a_run").mkdir()
    (tmp_path / "secret.txt").write_text("secret")
    return tmp_path / "runs"


@pytest.fixture
def port(runs: Path) -> Iterator[int]:
    with view_server(runs) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_address[1]
        server.shutdown()
        thread.join()


def ask(port: int, path: str, method: str = "GET", host: str = "") -> tuple[HTTPResponse, bytes]:
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request(method, path, headers={"Host": host} if host else {})
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response, body


def test_the_index_lists_runs_and_escapes_their_names(port: int) -> None:
    response, body = ask(port, "/")
    assert response.status == 200
    assert b"&lt;b&gt;model&lt;/b&gt;" in body
    assert b"/runs/toy_one/report.html" in body
    assert "default-src 'none'" in str(response.headers["Content-Security-Policy"])


def test_a_report_is_served_under_its_own_policy(port: int) -> None:
    response, body = ask(port, "/runs/toy_one/report.html")
    assert body.endswith(b"page")
    assert response.headers["Content-Security-Policy"] == f"{POLICY}; frame-ancestors 'none'"
    assert response.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    "path",
    [
        "/runs/../secret.txt", "/runs/%2e%2e/secret.txt", "/runs/..%2f..%2fsecret.txt/report.html",
        "/runs/toy_one/manifest.json",
        "/runs/toy_one/../../secret.txt", "//etc/passwd", "/runs/not_a_run/report.html", "/runs/toy_one/report.html/x",
        "/runs/toy_one/%00", "/runs//report.html",
    ],
)  # fmt: skip
def test_nothing_but_reports_of_known_runs_is_served(port: int, path: str) -> None:
    response, body = ask(port, path)
    assert response.status == 404
    assert b"secret\n" not in body


def test_a_link_out_of_the_run_is_not_followed(runs: Path, port: int) -> None:
    (runs / "toy_one" / "report.md").symlink_to(runs.parent / "secret.txt")
    assert ask(port, "/runs/toy_one/report.md")[0].status == 404


def test_another_host_name_is_refused(port: int) -> None:
    assert ask(port, "/", host="evil.example")[0].status == 403


def test_head_has_no_body_and_post_is_not_known(port: int) -> None:
    response, body = ask(port, "/runs/toy_one/report.html", method="HEAD")
    assert (response.status, body) == (200, b"")
    assert ask(port, "/", method="POST")[0].status == 501


def test_a_run_by_itself_is_the_only_one_listed(runs: Path) -> None:
    assert list(runs_in(runs / "toy_one")) == ["toy_one"]


def test_a_folder_without_runs_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no run; make one with: toolyard run"):
        runs_in(tmp_path)
    with pytest.raises(UsageError, match="is not a folder"):
        runs_in(tmp_path / "nowhere")


def with_report(folder: Path, value: float) -> Path:
    paper = {"samples": 9, "figures": {"score": value}, "intervals": {"figures": {}}}
    manifest = json.loads((folder / "manifest.json").read_text())
    report = {"headline": "score", "manifest": manifest, "profiles": {"paper": paper}}
    (folder / "report.json").write_text(json.dumps(report))
    return folder / "report.json"


def reads_of(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Every file that is read from here on."""
    seen: list[Path] = []
    read = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: (seen.append(path), read(path))[1])
    return seen


def test_a_report_is_read_once_until_it_changes(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = with_report(runs / "toy_one", 0.5)
    known, seen = KnownRuns(), reads_of(monkeypatch)
    assert [known.entries(runs_in(runs))[0].value for _ in range(3)] == ["50.0"] * 3
    assert seen == [file]
    with_report(runs / "toy_one", 0.25)
    assert known.entries(runs_in(runs))[0].value == "25.0"
    assert seen == [file, file]


def test_a_report_of_the_same_size_at_another_time_is_read_again(runs: Path) -> None:
    file, known = with_report(runs / "toy_one", 0.5), KnownRuns()
    assert known.entries(runs_in(runs))[0].value == "50.0"
    before = file.stat()
    with_report(runs / "toy_one", 0.7)
    assert file.stat().st_size == before.st_size
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns + 1))
    assert known.entries(runs_in(runs))[0].value == "70.0"


def test_the_index_follows_runs_that_come_finish_and_go(runs: Path, port: int) -> None:
    assert b"no page yet" not in ask(port, "/")[1]
    (runs / "toy_one" / "report.html").unlink()
    assert b"no page yet" in ask(port, "/")[1]
    shutil.copytree(runs / "toy_one", runs / "toy_two")
    assert b"toy_two" in ask(port, "/")[1]
    shutil.rmtree(runs / "toy_two")
    assert b"toy_two" not in ask(port, "/")[1]
