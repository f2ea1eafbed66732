"""`toolyard view`: what is served, under which policy, and runs whose files are not what they should be."""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from cases import each_case
from report_toy import toy_report
from served_pages import ask, running
from toolyard import evaluate
from toolyard.core.errors import UsageError
from toolyard.report.page.run_page import page_assets, render_page
from toolyard.report.report_files import write_report
from toolyard.review.web.run_files import LARGEST_JSON, find_runs
from toolyard.review.web.run_index import KnownRuns, RunEntry, index_page
from toolyard.review.web.view_pages import report_server

LOOSE = "default-src *; script-src 'unsafe-inline' *; connect-src *"
SCRIPT = "<script>document.title='owned'</script>"
WITHOUT_SCRIPT = (
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "style-src 'unsafe-inline'; sandbox"
)


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    folder = tmp_path / "runs" / "toy_one"
    folder.mkdir(parents=True)
    identity = {"benchmark": "toy", "model": "<b>model</b>"}
    (folder / "manifest.json").write_text(
        json.dumps({"identity": identity, "finished": "2026-01-02T03:04:05+00:00"})
    )
    (folder / "report.html").write_text(
        f'<meta http-equiv="Content-Security-Policy" content="{LOOSE}">{SCRIPT}'
    )
    (tmp_path / "runs" / "not_a_run").mkdir()
    (tmp_path / "secret.txt").write_text("secret")
    return tmp_path / "runs"


@pytest.fixture
def port(runs: Path) -> Iterator[int]:
    with report_server(runs) as server, running(server):
        yield server.port


@pytest.fixture(scope="module")
def own_page(tmp_path_factory: pytest.TempPathFactory) -> str:
    return render_page(toy_report(tmp_path_factory.mktemp("page")))


def test_the_index_lists_runs_and_escapes_their_names(port: int) -> None:
    answer = ask(port, "/")
    assert answer.status == 200
    assert b"&lt;b&gt;model&lt;/b&gt;" in answer.body
    assert b"/runs/toy_one/report.html" in answer.body
    assert "default-src 'none'" in str(answer.headers["Content-Security-Policy"])


def test_a_page_does_not_choose_its_policy(port: int) -> None:
    answer = ask(port, "/runs/toy_one/report.html")
    assert answer.body.endswith(SCRIPT.encode())
    assert answer.headers["Content-Security-Policy"] == WITHOUT_SCRIPT
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert b"page of another version, shown without its sample browser" in ask(port, "/").body


def test_our_own_page_runs_our_own_script_and_no_other(runs: Path, port: int, own_page: str) -> None:
    (runs / "toy_one" / "report.html").write_text(own_page, encoding="utf-8")
    policy = ask(port, "/runs/toy_one/report.html").headers["Content-Security-Policy"]
    assert page_assets().policy.split("script-src ")[1].split(";")[0] in policy
    assert policy.endswith("sandbox allow-scripts")
    assert "unsafe" not in policy and "allow-same-origin" not in policy
    assert b"another version" not in ask(port, "/").body


@each_case("old, new", besides=[("<!doctype html>", SCRIPT)])
def test_a_changed_page_runs_no_script(runs: Path, port: int, own_page: str, old: str, new: str) -> None:
    assert old in own_page
    (runs / "toy_one" / "report.html").write_text(own_page.replace(old, new), encoding="utf-8")
    assert ask(port, "/runs/toy_one/report.html").headers["Content-Security-Policy"] == WITHOUT_SCRIPT


@each_case("path")
def test_nothing_but_reports_of_known_runs_is_served(port: int, path: str) -> None:
    answer = ask(port, path)
    assert answer.status == 404
    assert b"secret\n" not in answer.body


@pytest.mark.parametrize("page", ["none", "without charts"])
def test_charts_are_drawn_when_a_page_is_opened(page: str, tmp_path: Path) -> None:
    folder = evaluate("nestools", "scripted/oracle", limit=2, runs=tmp_path, name="one").folder
    if page != "none":
        write_report(folder, charts=False)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    with report_server(tmp_path) as server, running(server):
        assert b'href="/runs/one/report.html"' in ask(server.port, "/").body
        answer = ask(server.port, "/runs/one/report.html")
        assert answer.status == 200 and b"<figure" in answer.body
        assert "script-src 'sha256-" in str(answer.headers["Content-Security-Policy"])
        assert ask(server.port, "/runs/one/report.html").body == answer.body
        (folder / "transcripts.jsonl").rename(tmp_path / "elsewhere")
        (folder / "transcripts.jsonl").symlink_to(tmp_path / "elsewhere")
        assert b"behind a link" in ask(server.port, "/runs/one/report.html").body
    after = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert before.items() <= after.items() and ("report.html" in after) == (page != "none")


@pytest.mark.parametrize(
    "name", ["a b", "100%25", "q?x#y", "ä\u202e", "line\nbreak", "..x", "+", "a%2fb", "<b>", "&amp;"]
)
def test_the_address_of_an_odd_name_leads_to_its_page(runs: Path, port: int, name: str) -> None:
    (runs / "toy_one").rename(runs / name)
    page = ask(port, "/").body.decode()
    assert "<b></" not in page
    address = unescape(page.split('href="')[1].split('"')[0])
    assert ask(port, address).status == 200


def test_no_link_is_followed_and_no_pipe_waited_for(runs: Path, port: int) -> None:
    os.mkfifo(runs / "toy_one" / "report.md")
    answer = ask(port, "/runs/toy_one/report.md")
    assert (answer.status, answer.body) == (404, b"report.md is a pipe; wanted is a file\n")
    (runs / "toy_one" / "report.md").unlink()
    (runs / "toy_one" / "report.md").symlink_to(runs.parent / "secret.txt")
    assert ask(port, "/runs/toy_one/report.md").status == 404
    elsewhere = runs.parent / "elsewhere"
    shutil.copytree(runs / "toy_one", elsewhere)
    (runs / "linked").symlink_to(elsewhere)
    assert ask(port, "/runs/linked/report.html").status == 404
    assert b"manifest.json is or lies behind a link" in ask(port, "/").body


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "192.168.0.1:{port}"])
def test_another_host_name_is_refused(port: int, host: str) -> None:
    assert ask(port, "/", Host=host.format(port=port)).status == 403


def test_other_sites_cannot_read_the_index_head_has_no_body_and_nothing_can_be_sent(port: int) -> None:
    assert ask(port, "/", Origin="http://evil.example").status == 403
    assert ask(port, "/", Origin="null").status == 403
    assert ask(port, "/", Sec_Fetch_Site="cross-site", Sec_Fetch_Dest="empty").status == 403
    assert ask(port, "/", Sec_Fetch_Site="cross-site", Sec_Fetch_Dest="document").status == 200
    answer = ask(port, "/runs/toy_one/report.html", method="HEAD")
    assert (answer.status, answer.body) == (200, b"")
    assert int(answer.headers["Content-Length"]) > 0
    assert ask(port, "/", method="POST").status == 403
    assert ask(port, "/", method="POST", Origin=f"http://127.0.0.1:{port}").status == 405


def test_elsewhere_the_pages_need_the_token_of_the_printed_address(runs: Path) -> None:
    with report_server(runs, host="0.0.0.0") as server, running(server):
        assert ask(server.port, "/").status == 403
        assert ask(server.port, "/?token=x").status == 403
        answer = ask(server.port, server.url.split(str(server.port))[1])
        assert answer.status == 303
        cookie = answer.headers["Set-Cookie"].split(";")[0]
        assert ask(server.port, "/runs/toy_one/report.html", Cookie=cookie).status == 200
        assert ask(server.port, "/", Cookie=cookie, Host=f"192.168.0.1:{server.port}").status == 200
        assert ask(server.port, "/", Cookie=cookie, Host=f"evil.example:{server.port}").status == 403


def test_the_names_of_both_loopback_addresses_are_served(runs: Path) -> None:
    with report_server(runs, host="localhost") as server, running(server):
        assert server.url == f"http://localhost:{server.port}/"
        assert ask(server.port, "/", Host=f"[::1]:{server.port}").status == 200
        assert ask(server.port, "/", Host=f"LOCALHOST:{server.port}").status == 200


def test_a_lone_run_is_listed_a_folder_without_runs_told_what_to_do(runs: Path, tmp_path: Path) -> None:
    assert list(find_runs(runs / "toy_one")) == ["toy_one"]
    with report_server(runs / "toy_one") as server, running(server):
        assert ask(server.port, "/runs/toy_one/report.html").status == 200
    with pytest.raises(UsageError, match="holds no run; make one with: toolyard run"):
        find_runs(tmp_path)
    with pytest.raises(UsageError, match="is not a folder"):
        find_runs(tmp_path / "nowhere")


def with_report(folder: Path, value: float) -> Path:
    paper = {"samples": 9, "figures": {"score": value}, "intervals": {"figures": {}}}
    manifest = json.loads((folder / "manifest.json").read_text())
    report = {"headline": "score", "manifest": manifest, "profiles": {"paper": paper}}
    (folder / "report.json").write_text(json.dumps(report))
    return folder / "report.json"


def value_of(known: KnownRuns, runs: Path) -> str:
    return known.entries(list(find_runs(runs).values()))[0].value


def test_a_report_is_read_again_only_when_its_size_or_time_is_another(runs: Path) -> None:
    file, known = with_report(runs / "toy_one", 0.5), KnownRuns()
    assert value_of(known, runs) == "50.0"
    before = file.stat()
    with_report(runs / "toy_one", 0.7)
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert value_of(known, runs) == "50.0"
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns + 1))
    assert value_of(known, runs) == "70.0"
    with_report(runs / "toy_one", 0.25)
    assert value_of(known, runs) == "25.0"


def test_the_index_follows_runs_that_come_finish_and_go(runs: Path, port: int) -> None:
    shutil.copytree(runs / "toy_one", runs / "toy_two")
    assert b"toy_two" in ask(port, "/").body
    shutil.rmtree(runs / "toy_two")
    assert b"toy_two" not in ask(port, "/").body
    shutil.rmtree(runs / "toy_one")
    answer = ask(port, "/")
    assert (answer.status, b"holds no run" in answer.body) == (404, True)


MANIFEST = {"identity": {"benchmark": "toy", "model": "m"}, "finished": "2026-01-02T03:04:05+00:00"}


@pytest.fixture
def odd_runs(tmp_path: Path) -> Path:
    for name in ("fine", "odd"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "manifest.json").write_text(json.dumps(MANIFEST))
        (tmp_path / name / "report.html").write_text("page")
    return tmp_path


def listed(odd_runs: Path) -> dict[str, RunEntry]:
    entries = KnownRuns().entries(list(find_runs(odd_runs).values()))
    assert "Runs" in index_page(entries)
    return {entry.name: entry for entry in entries}


def pipe(path: Path) -> None:
    os.mkfifo(path)


def folder(path: Path) -> None:
    path.mkdir()


def link(path: Path) -> None:
    path.symlink_to("/etc/passwd")


def dangling(path: Path) -> None:
    path.symlink_to("nowhere")


def giant(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(LARGEST_JSON + 1)


def text(data: bytes) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        path.write_bytes(data)

    return write


BROKEN = [
    (pipe, "is a pipe; wanted is a file"),
    (folder, "is a folder; wanted is a file"),
    (link, "is or lies behind a link"),
    (dangling, "is or lies behind a link"),
    (giant, "is larger than 16 MB"),
    (text(b"{"), "is not JSON"),
    (text(b'{"identity": "\xff\xfe"}'), "is not JSON"),
    (text(b"[" * 5000 + b"]" * 5000), "is not JSON"),
    (text(b"[1]"), "holds a list; wanted is an object"),
    (text(b"null"), "holds a NoneType; wanted is an object"),
]


@pytest.mark.parametrize("file", ["manifest.json", "report.json"])
@pytest.mark.parametrize(("make", "remark"), BROKEN)
def test_a_file_that_cannot_be_read_is_said(
    odd_runs: Path, file: str, make: Callable[[Path], None], remark: str
) -> None:
    (odd_runs / "odd" / file).unlink(missing_ok=True)
    make(odd_runs / "odd" / file)
    found = listed(odd_runs)
    assert set(found) == {"fine", "odd"}
    assert any(line.startswith(f"{file} {remark}") for line in found["odd"].remarks)
    assert found["odd"].link == "/runs/odd/report.html"


@pytest.mark.parametrize("make", [pipe, folder, link])
def test_a_page_that_is_no_file_has_no_link(odd_runs: Path, make: Callable[[Path], None]) -> None:
    (odd_runs / "odd" / "report.html").unlink()
    make(odd_runs / "odd" / "report.html")
    found = listed(odd_runs)
    assert (found["odd"].link, found["fine"].link) == ("", "/runs/fine/report.html")
    assert found["odd"].remarks[0].startswith("report.html is ")


@pytest.mark.parametrize(
    "manifest",
    [{}, {"identity": None}, {"identity": []}, {"identity": "x"}, {"identity": {"benchmark": 7, "model": ["m"]}},
     {"identity": {}, "finished": {"a": 1}}, {"identity": {"benchmark": None, "model": {}}, "finished": 5}],
)  # fmt: skip
def test_a_manifest_of_other_types_says_what_it_lacks(odd_runs: Path, manifest: Any) -> None:
    (odd_runs / "odd" / "manifest.json").write_text(json.dumps(manifest))
    found = listed(odd_runs)
    assert found["fine"].benchmark == "toy"
    assert (found["odd"].model, found["odd"].finished) == ("unknown model", "not finished")
    lacks = "manifest.json does not say its benchmark in identity"
    assert lacks in found["odd"].remarks


@each_case("report")
def test_a_report_of_other_types_shows_dashes(odd_runs: Path, report: Any) -> None:
    (odd_runs / "odd" / "report.json").write_text(json.dumps(report))
    odd = listed(odd_runs)["odd"]
    assert (odd.value, odd.interval, odd.samples, odd.benchmark) == ("–", "", "–", "toy")


def test_runs_of_an_unknown_benchmark_come_last(odd_runs: Path) -> None:
    (odd_runs / "odd" / "manifest.json").write_text("{")
    page = index_page(list(listed(odd_runs).values()))
    assert page.index("<h3>toy") < page.index("<h3>Unknown benchmark")


def test_a_name_that_is_not_utf8_is_listed_without_a_link(odd_runs: Path) -> None:
    (odd_runs / "odd").rename(odd_runs / "odd\udcff")
    entry = listed(odd_runs)["odd\\udcff"]
    assert entry.link == ""
    assert index_page([entry]).encode("utf-8")


def test_a_short_set_up_stays_on_one_line(odd_runs: Path) -> None:
    for name, style in (("fine", "zero-shot"), ("odd", "a set-up that says a lot of things about itself")):
        manifest = {**MANIFEST, "identity": {**MANIFEST["identity"], "style": style}}  # type: ignore[dict-item]
        (odd_runs / name / "manifest.json").write_text(json.dumps(manifest))
    page = index_page(KnownRuns().entries(list(find_runs(odd_runs).values())))
    assert '<td class="words short">zero-shot</td>' in page
    assert '<td class="words">a set-up that says' in page
