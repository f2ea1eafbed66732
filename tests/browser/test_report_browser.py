"""The report and comparison pages in a real browser: they filter, draw, obey the keyboard, and ask for nothing."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, Route, expect

from compared_runs import LIMIT, make_runs
from report_toy import INJECTIONS, hostile_report, toy_report, with_sizes
from toolyard.report.compare.capability import capability_profiles
from toolyard.report.compare.comparison import compare_runs
from toolyard.report.compare.model_facts import ModelFacts
from toolyard.report.page.capability_page import render_profiles
from toolyard.report.page.comparison_page import page_text, render_comparison
from toolyard.report.page.run_page import render_page

ColorScheme = Literal["light", "dark"]
DESKTOP, PHONE = (1200, 900), (390, 844)


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    (folder / "report.html").write_text(render_page(toy_report(folder)), encoding="utf-8")
    return folder / "report.html"


@pytest.fixture(scope="module")
def hostile_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "report.html").write_text(render_page(hostile_report(folder)), encoding="utf-8")
    return folder / "report.html"


@dataclass
class Opened:
    """A page with all that it asked for and complained about."""

    page: Page
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def gate(self, route: Route) -> None:
        self.requests.append(route.request.url)
        if route.request.url.startswith("file:"):
            route.continue_()
        else:
            route.abort()


Open = Callable[..., Opened]


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Open]:
    contexts = []

    def opened(file: Path, size: tuple[int, int] = DESKTOP, scheme: ColorScheme = "light") -> Opened:
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, offline=True
        )
        contexts.append(context)
        found = Opened(context.new_page())
        context.route("**/*", found.gate)
        found.page.on("pageerror", lambda error: found.complaints.append(str(error)))
        found.page.on("console", lambda message: found.complaints.append(message.text))
        found.page.goto(file.resolve().as_uri())
        found.page.wait_for_selector("body[data-ready]")
        return found

    yield opened
    for context in contexts:
        context.close()


def count(page: Page) -> str:
    return page.locator("#count").inner_text()


def test_the_page_asks_for_itself_alone_and_complains_about_nothing(open_page: Open, page_file: Path) -> None:
    opened = open_page(page_file)
    opened.page.locator("#list").evaluate("box => { box.scrollTop = 0 }")
    opened.page.locator("#row-0").click()
    expect(opened.page.locator("#detail h3")).to_have_text("s0")
    assert opened.requests == [page_file.resolve().as_uri()]
    assert opened.complaints == []


def test_every_chart_is_drawn(open_page: Open, page_file: Path) -> None:
    page = open_page(page_file).page
    charts = page.locator("figure .plot svg:visible")
    assert charts.count() == 8
    for place in range(8):
        box = charts.nth(place).bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) > 50
        assert charts.nth(place).locator("path, rect, line, circle").count() >= 4


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_the_worst_sample_is_open_on_top(open_page: Open, page_file: Path, size: tuple[int, int]) -> None:
    page = open_page(page_file, size=size).page
    detail = page.locator("#detail")
    expect(detail.locator(".top .score")).to_have_text("0")
    expect(detail.locator("h4").first).to_have_text("Task")
    expect(detail.locator(".task")).to_contain_text("request number")
    # It stands in the page, and covers nothing.
    assert page.evaluate("scrollY") == 0
    expect(page.locator("h1")).to_be_in_viewport()
    assert detail.evaluate("box => getComputedStyle(box).position") == "static"


def test_verdict_chart_and_samples_come_first(open_page: Open, page_file: Path) -> None:
    page = open_page(page_file, size=(1280, 900)).page
    expect(page.locator(".verdict")).to_be_in_viewport()
    expect(page.locator("#run-chart-figures")).to_be_in_viewport()
    assert page.evaluate("document.getElementById('samples').offsetTop") < 1200
    assert page.locator(".verdict").evaluate(
        "line => getComputedStyle(line).backgroundColor !== getComputedStyle(document.body).backgroundColor"
    )


def test_filters_search_and_order_choose_samples(open_page: Open, page_file: Path) -> None:
    page = open_page(page_file).page
    assert count(page) == "120 samples"
    page.select_option('select[data-group="scenario"]', label="office (40)")
    assert count(page) == "40 of 120 samples"
    page.select_option('select[data-group="depth"]', label="2 (39)")
    assert count(page) == "13 of 120 samples"
    page.locator("#filters button[type=reset]").click()
    expect(page.locator("#count")).to_have_text("120 samples")
    page.select_option("#filter-score", "unscored")
    assert count(page) == "1 of 120 samples"
    expect(page.locator(".row b").first).to_have_text("s3")
    page = open_page(page_file).page
    option = page.locator("#filter-error option", has_text="answer: wrong tool")
    wanted = option.inner_text().split("(")[1].rstrip(")")
    page.select_option("#filter-error", option.get_attribute("value"))
    assert count(page) == f"{wanted} of 120 samples"
    page.locator(".row").first.click()
    expect(page.locator("#detail .chips .error").first).to_have_text("answer: wrong tool")
    page = open_page(page_file).page
    page.fill("#search", "request number 17 ")
    assert count(page) == "1 of 120 samples"
    page.fill("#search", "name every parameter")
    assert count(page) == "0 of 120 samples"
    page.press("#search", "Enter")
    expect(page.locator("#count")).to_have_text("120 samples")
    page.fill("#search", "no answer in 120 s")
    page.press("#search", "Enter")
    expect(page.locator("#count")).to_have_text("1 of 120 samples")
    page = open_page(page_file).page
    page.select_option("#order", "worst")
    expect(page.locator(".row .score").first).to_have_text("0")
    page.select_option("#order", "best")
    expect(page.locator(".row .score").first).to_have_text("100")


def test_an_open_sample_shows_prompt_answer_gold_evidence_reasons(open_page: Open, page_file: Path) -> None:
    page = open_page(page_file).page
    page.select_option("#filter-error", label="answer: wrong tool (37)")
    page.locator(".row").first.click()
    detail = page.locator("#detail")
    expect(detail.locator(".reasons li").first).to_contain_text("wanted was")
    expect(detail.locator(".graded .gone mark").first).to_be_visible()
    expect(detail.locator(".gold .come mark").first).to_be_visible()
    expect(detail.locator(".message .text").first).to_contain_text("Answer with a JSON list of calls.")
    expect(detail.locator(".answer .text").last).to_contain_text('[{"tool"')
    page.fill("#search", "s0")
    page.locator("#filters button[type=reset]").click()
    page.locator(".row").first.click()
    expect(detail).to_contain_text("quality-0 · judge/one")
    expect(detail).to_contain_text("Fine.")


def test_the_keyboard_moves_searches_and_closes(open_page: Open, page_file: Path) -> None:
    page = open_page(page_file).page
    title = page.locator("#detail h3")
    expect(title).to_have_count(1)
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    expect(title).to_have_text("s0")
    page.keyboard.press("j")
    expect(title).to_have_text("s1")
    page.keyboard.press("k")
    expect(title).to_have_text("s0")
    page.keyboard.press("/")
    expect(page.locator("#search")).to_be_focused()
    page.keyboard.type("s11")
    assert count(page) == "11 of 120 samples"
    page.keyboard.press("Escape")
    expect(page.locator("#search")).not_to_be_focused()
    page.keyboard.press("Escape")
    expect(title).to_have_count(0)


def test_a_wide_screen_scrolls_rows_shades_nothing_and_prints_less(open_page: Open, page_file: Path) -> None:
    page = open_page(page_file).page
    assert page.locator(".row").count() < 40
    page.locator("#list").evaluate("box => { box.scrollTop = box.scrollHeight }")
    expect(page.locator(".row b", has_text="s119")).to_be_visible()
    assert page.locator(".row").count() < 40
    assert page.locator("#figures .scroll").first.evaluate("box => box.scrollWidth === box.clientWidth")
    assert right_edge(page, "#figures .scroll") < 8
    page.emulate_media(media="print")
    expect(page.locator("#samples")).not_to_be_visible()
    expect(page.locator("nav")).not_to_be_visible()
    expect(page.locator("#figures table").first).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_theme_follows_the_system_and_button(open_page: Open, page_file: Path, scheme: ColorScheme) -> None:
    page = open_page(page_file, scheme=scheme).page
    lightness = "() => getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).map(Number)"
    before = sum(page.evaluate(lightness))
    assert (before > 600) == (scheme == "light")
    page.click("#theme")
    after = sum(page.evaluate(lightness))
    assert (after > 600) != (scheme == "light")
    fill = page.locator("#charts svg [fill='#1f5f99']").first.evaluate("mark => getComputedStyle(mark).fill")
    assert (fill == "rgb(31, 95, 153)") == (scheme == "dark")


def test_a_phone_scrolls_tables_and_not_the_page_and_charts_shrink(open_page: Open, page_file: Path) -> None:
    page = open_page(page_file, size=PHONE).page
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    page.locator(".row").first.click()
    expect(page.locator("#detail.open")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    page.locator("#close").click()
    expect(page.locator("#detail")).not_to_be_visible()
    page = open_page(page_file, size=(400, 860)).page
    for place in range(page.locator("figure .plot:visible").count()):
        plot = page.locator("figure .plot:visible").nth(place)
        assert plot.evaluate("box => box.scrollWidth <= box.clientWidth")
    scales = page.locator("figure .plot.phone svg").evaluate_all(
        "all => all.map(svg => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width)"
    )
    assert len(scales) > 4 and min(scales) > 0.95


def test_injection_strings_stay_text_letter_by_letter(open_page: Open, hostile_file: Path) -> None:
    opened = open_page(hostile_file)
    page = opened.page
    expect(page.locator("#detail h3")).to_have_count(1)
    page.keyboard.press("Escape")
    for place in range(len(INJECTIONS)):
        page.keyboard.press("j")
        expect(page.locator("#detail h3")).to_contain_text(f"h{place} ")
    assert page.evaluate("window.hacked") is None
    assert opened.complaints == []
    assert opened.requests == [hostile_file.resolve().as_uri()]
    assert page.locator("iframe, img, #detail script, #list script, h1 script").count() == 0
    assert page.locator("h1").count() == 1
    page = open_page(hostile_file).page
    page.locator(".row").first.click()
    detail = page.locator("#detail")
    expect(detail.locator(".message .text").first).to_contain_text(INJECTIONS[0])
    expect(detail.locator(".answer .text").last).to_contain_text(INJECTIONS[0])
    expect(detail.locator(".gold")).to_contain_text(INJECTIONS[0])
    for text in (INJECTIONS[1], INJECTIONS[4], INJECTIONS[10]):
        expect(detail.locator(".message .text", has_text=text).last).to_be_visible()
    expect(page.locator("h1")).to_contain_text(INJECTIONS[1])


def test_figures_and_charts_need_no_script(browser: Browser, page_file: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(page_file.resolve().as_uri())
    expect(page.locator("#figures table").first).to_be_visible()
    expect(page.locator("#charts svg").first).to_be_visible()
    expect(page.locator("noscript p")).to_be_visible()
    context.close()


def right_edge(page: Page, place: str) -> float:
    """How far the pixels at the right edge of a scrolled box are from the colour of the paper, 0 to 255."""
    box = page.locator(place).first
    picture = Image.open(BytesIO(box.screenshot())).convert("L")
    paper = picture.getpixel((picture.width // 2, 1))
    strip = [picture.getpixel((picture.width - 5, line)) for line in range(8, picture.height - 8)]
    return float(np.median([abs(float(shade) - float(paper)) for shade in strip]))


SIDEWAYS = "box => { box.scrollLeft = box.scrollWidth }"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("place", ["#figures .scroll", "#groups .scroll"])
def test_what_is_cut_off_on_a_phone_shows_it_until_the_end_is_reached(
    open_page: Open, page_file: Path, place: str, scheme: ColorScheme
) -> None:
    page = open_page(page_file, size=PHONE, scheme=scheme).page
    box = page.locator(place).first
    assert box.evaluate("box => box.scrollWidth > box.clientWidth")
    assert right_edge(page, place) > 15
    box.evaluate(SIDEWAYS)
    assert right_edge(page, place) < 8


def test_the_first_column_leaves_room_on_a_phone(open_page: Open, hostile_file: Path) -> None:
    page = open_page(hostile_file, size=PHONE).page
    for table in ("#figures table.figures", "#published table.wide"):
        widths = page.locator(f"{table} tbody tr:not(.part) th").evaluate_all(
            "cells => cells.map(cell => cell.getBoundingClientRect().width)"
        )
        assert max(widths) < PHONE[0] / 2


def test_the_chart_by_size_follows_the_theme(open_page: Open, tmp_path: Path) -> None:
    report = with_sizes(toy_report(tmp_path))
    (tmp_path / "report.html").write_text(render_page(report), encoding="utf-8")
    fills = {}
    for scheme in ("light", "dark"):
        page = open_page(tmp_path / "report.html", scheme=scheme).page
        figure = page.locator("#run-chart-sizes")
        expect(figure.locator("svg[role=img]:visible")).to_have_count(1)
        figure.locator("summary").click()
        expect(figure.locator("table")).to_contain_text("calls")
        marks = figure.locator("svg [fill='#1f5f99'], svg [stroke='#1f5f99']")
        assert marks.count() > 4
        fills[scheme] = figure.locator("svg [stroke='#1f5f99']").first.evaluate(
            "mark => getComputedStyle(mark).stroke"
        )
    assert fills["light"] != fills["dark"]


MADE_FIRST = ("files",)
HOSTILE = "</script><script>document.title='owned'</script><b>m</b>"
FACTS = {
    "scripted/oracle": ModelFacts("closed", 70.0),
    "scripted/random": ModelFacts("open", 7.0),
    "scripted/first-tool": ModelFacts("open", 1.0, HOSTILE),
}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("compared")
    runs = make_runs(folder / "runs", "scripted/oracle", "scripted/random", "scripted/first-tool")
    pages = {
        "compare": render_comparison(compare_runs(runs, known=FACTS)),
        "crowded": page_text(
            "parts.html.j2",
            title="Probe with your tools",
            kicker="",
            charts=[],
            tables=[],
            samples=[],
            links=[(f"part-{number}", f"A section, number {number}") for number in range(12)],
        ),
        "capabilities": render_profiles(capability_profiles(runs, "paper", FACTS)),
    }
    for name, text in pages.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    return {name: folder / f"{name}.html" for name in pages}


@pytest.fixture
def opened(browser: Browser, files: dict[str, Path], request: pytest.FixtureRequest) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1200, "height": 900}, offline=True)
    page = context.new_page()
    seen: list[str] = []
    page.on("request", lambda asked: seen.append(asked.url))
    page.on("pageerror", lambda error: seen.append(str(error)))
    page.on("console", lambda message: seen.append(message.text))
    address = files[request.param].resolve().as_uri()
    page.goto(address)
    page.wait_for_selector("body[data-ready]")
    yield page
    assert seen == [address]
    context.close()


@pytest.mark.parametrize("opened", ["compare"], indirect=True)
def test_flipped_samples_are_filtered_by_pair_solver_and_text(opened: Page) -> None:
    form, rows = (
        opened.locator("form[data-rows=nestools-flipped]"),
        opened.locator("#nestools-flipped tbody tr"),
    )
    assert rows.count() == 2 * LIMIT
    expect(form.locator("output")).to_have_text(f"{2 * LIMIT} rows")
    form.locator("select[name=pair]").select_option("scripted/oracle / scripted/random")
    expect(form.locator("output")).to_have_text(f"{LIMIT} of {2 * LIMIT} rows")
    form.locator("select[name=solved]").select_option("scripted/random")
    expect(form.locator("output")).to_have_text(f"0 of {2 * LIMIT} rows")
    form.locator("button[type=reset]").click()
    expect(form.locator("output")).to_have_text(f"{2 * LIMIT} rows")
    form.locator("input").fill("depth 1")
    expect(rows.locator("visible=true").first).to_contain_text("depth 1")
    assert rows.locator("visible=true").count() < 2 * LIMIT


@pytest.mark.parametrize("opened", ["compare"], indirect=True)
def test_charts_are_drawn_with_numbers_and_a_slash_leads_to_the_search(opened: Page) -> None:
    for name in ("leaderboard", "scaling"):
        figure = opened.locator(f"#nestools-chart-{name}")
        box = figure.locator("svg:visible").bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) > 80
        figure.locator("summary").click()
        expect(figure.locator("table")).to_contain_text("scripted/oracle")
    opened.keyboard.press("/")
    expect(opened.locator("#nestools-flipped").locator("xpath=preceding::input[1]")).to_be_focused()


@pytest.mark.parametrize("opened", ["compare", "capabilities"], indirect=True)
def test_markup_in_names_stays_text(opened: Page) -> None:
    assert opened.title() in ("3 models compared", "Capability profile")
    expect(opened.locator(".kicker")).to_contain_text(HOSTILE)
    assert opened.locator("main b", has_text="m").filter(has_text="m").evaluate_all(
        "nodes => nodes.filter(node => node.textContent === 'm').length"
    ) == 0  # fmt: skip


@pytest.mark.parametrize("opened", ["compare", "capabilities"], indirect=True)
def test_the_theme_button_and_a_phone_work(opened: Page) -> None:
    opened.locator("#theme").click()
    assert opened.evaluate("document.documentElement.dataset.theme") == "dark"
    opened.set_viewport_size({"width": 390, "height": 844})
    assert opened.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("opened", ["crowded"], indirect=True)
def test_no_link_of_the_top_bar_is_cut(opened: Page, width: int) -> None:
    opened.set_viewport_size({"width": width, "height": 900})
    links = opened.locator("nav .links a")
    assert links.count() == 12
    bar, boxes = opened.locator("nav").bounding_box(), [link.bounding_box() for link in links.all()]
    assert bar is not None
    for box in boxes:
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= bar["height"]


@pytest.mark.parametrize("opened", ["compare"], indirect=True)
def test_dots_and_table_come_before_prose_and_nothing_scrolls_sideways(opened: Page) -> None:
    opened.set_viewport_size({"width": 1280, "height": 900})
    expect(opened.locator("#nestools-chart-leaderboard")).to_be_in_viewport()
    tops = [
        opened.locator(place).first.evaluate("node => node.getBoundingClientRect().top")
        for place in ("#nestools-chart-leaderboard", "#nestools > .scroll", "#nestools .verdict-box")
    ]
    assert tops == sorted(tops)
    for details in opened.locator("details").all():
        details.evaluate("node => { node.open = true }")
    wide = "all => all.filter(box => box.scrollWidth > box.clientWidth).map(box => box.getAttribute('aria-label'))"
    assert opened.locator(".scroll, .plot:visible").evaluate_all(wide) == []


@pytest.mark.parametrize("opened", ["capabilities"], indirect=True)
def test_a_profile_shows_its_axes_and_what_is_missing(opened: Page) -> None:
    table = opened.locator("#model-1 table.axes")
    assert table.locator("tbody tr").count() == 9
    expect(table).to_contain_text("not measured: run toolbehonest")
    assert opened.locator("#model-1 .plot svg:visible").count() == 1


OVERLAPS = """figure => {
  const texts = [...figure.querySelectorAll('svg text')].filter(text => text.getClientRects().length && text.textContent);
  const boxes = texts.map(text => text.getBoundingClientRect());
  return boxes.flatMap((a, i) => boxes.slice(i + 1).map((b, j) => [a, b, texts[i], texts[i + 1 + j]]))
    .filter(([a, b]) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
      && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3)
    .map(([, , a, b]) => a.textContent + ' / ' + b.textContent);
}"""


@pytest.mark.parametrize("opened", ["compare"], indirect=True)
def test_dots_are_numbered_on_a_phone_and_a_legend_has_their_names(opened: Page) -> None:
    opened.set_viewport_size({"width": 400, "height": 900})
    figure = opened.locator("#nestools-chart-scaling")
    assert figure.evaluate(OVERLAPS) == []
    expect(figure.locator("ol.dots")).to_be_visible()
    expect(figure.locator("ol.dots")).to_contain_text("scripted/oracle")
    assert "scripted/oracle" not in (figure.locator(".phone svg").text_content() or "")
    opened.set_viewport_size({"width": 1280, "height": 900})
    expect(figure.locator("ol.dots")).to_be_hidden()
