"""The comparison and capability pages in a real browser: they filter, draw, and ask for nothing."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from compared_runs import LIMIT, make_runs
from toolyard.report.compare.capability import capability_profiles
from toolyard.report.compare.comparison import compare_runs
from toolyard.report.compare.model_facts import ModelFacts
from toolyard.report.page.capability_page import render_profiles
from toolyard.report.page.comparison_page import page_text, render_comparison

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
