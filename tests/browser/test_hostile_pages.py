"""Every kind of page in a real browser, each text of a stranger an attack: nothing runs, leaves, turns or takes over."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, Route, expect

import report_toy
from toolyard.certify.certificate import Certificate, ProbeOutcome
from toolyard.certify.certificate_files import render_certificate
from toolyard.core.table import Cell, Links, Table
from toolyard.core.types import Sample
from toolyard.owntools.lint.likeness import Likeness
from toolyard.owntools.lint.lint_findings import LintFinding, ToolReview
from toolyard.owntools.lint.lint_page import render_review
from toolyard.owntools.probe.model_profile import Headline, Invented, Rate, ToolProfile
from toolyard.owntools.probe.probe_page import render_profile
from toolyard.owntools.probe.sample_observations import Seen, SeenCall
from toolyard.owntools.sources.tool_source import SourcePlace, ToolSource
from toolyard.report.compare.capability import CapabilityProfile
from toolyard.report.compare.comparison import compare_runs
from toolyard.report.page.capability_page import render_profiles
from toolyard.report.page.comparison_page import render_comparison
from toolyard.report.page.run_page import render_page
from toolyard.report.page.tables_page import render_tables
from toolyard.review.web.run_files import find_runs
from toolyard.review.web.run_index import index_entry, index_page
from toolyard.run.api import evaluate
from toolyard.stats.bootstrap import Estimate
from toolyard.text.printable import printable_text

MADE_FIRST = ("files",)
UNSEEN = (
    "turned \u202eevil\u202d",
    "apart \u2067x",
    "zero\u200bwidth",
    "tag\U000e0041s",
    "a\ufe0f\ufe01",
    "z" + "\u0301" * 400,
)
TEXTS = (
    *report_toy.INJECTIONS, *UNSEEN,
    "</style><script>window.hacked=1</script>", "</title><script>window.hacked=1</script>",
    "<meta http-equiv=refresh content='0;url=http://evil.invalid/'>", "<base href=http://evil.invalid/>",
    "<link rel=stylesheet href=http://evil.invalid/c>", "<form><input autofocus onfocus=window.hacked=1></form>",
    "<details open ontoggle=window.hacked=1>", "<math><mi//xlink:href='javascript:window.hacked=1'>", "--><h1>PASSED</h1>",
    "<div style='position:fixed;inset:0'>PASSED</div>", "<template>", "&#60;script&#62;window.hacked=1&#60;/script&#62;",
    "${window.hacked=1}", "+ADw-script+AD4-window.hacked=1", "__proto__", "constructor", "theme", "part-1", "samples",
    "detail-0", "A" * 4000, "W " * 2000, "\n" * 2000 + "down", "\u0627\u0644", "日本語" * 300,
)  # fmt: skip
LONG = "".join(TEXTS[:8]) + "\u202e" + "M" * 3000
HALF = Estimate(0.5, 0.4, 0.6)


def report_page(folder: Path) -> str:
    samples = tuple(
        Sample(text, {"query": text}, gold=[{"tool": text, "to": text}], groups={"scenario": text, text: "k"})
        for text in TEXTS
    )
    answers = {
        each.id: each.id if place % 2 else json.dumps([{"tool": each.id}])
        for place, each in enumerate(samples)
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(report_toy, "hostile_samples", lambda: samples)
        report = report_toy.toy_report(
            folder, "hostile", model=f"openai/{LONG}", answers=answers, replies=TEXTS
        )
    tables = tuple(Table(text, ("level", text), ((text, 1),), text) for text in TEXTS)
    return render_page(report, tables)


def tables_page(_folder: Path) -> str:
    tables = [
        Table(text, ("a", text), ((text, text), (Links((text, "b"), text), Cell(1, text))), text)
        for text in TEXTS
    ]
    return render_tables(LONG, LONG, tables)


def certificate_page(_folder: Path) -> str:
    lost = (ProbeOutcome(f"chat/{one}", one, one, False, False, "model", one, detail=one) for one in TEXTS)
    return render_certificate(Certificate(LONG, tuple(lost)))


def probe_page(_folder: Path) -> str:
    seen = tuple(
        Seen("mtu", text, text, text, text, TEXTS, (SeenCall(text, {text: text}),), (SeenCall(TEXTS[place - 1]),), False,
             0.0, (text,))
        for place, text in enumerate(TEXTS)
    )  # fmt: skip
    rates = tuple(Rate(text, HALF, 3, (f"mtu/{text}",)) for text in TEXTS)
    profile = ToolProfile(
        model=f"openai/{LONG}", source=LONG, style=TEXTS[0], tools=TEXTS, seen=seen,
        headlines=tuple(Headline("mtu", text, HALF, 3, text, 0.1, text) for text in TEXTS), per_tool=rates,
        confusions=tuple((text, TEXTS[place - 1], (f"mtu/{text}",)) for place, text in enumerate(TEXTS)),
        invented=tuple(Invented(text, text, text, (f"mtu/{text}",)) for text in TEXTS), refusals=rates, turns=rates,
        depths=rates,
    )  # fmt: skip
    return render_profile(profile)


def lint_page(_folder: Path) -> str:
    findings = tuple(LintFinding("vague_name", text, SourcePlace(text), text, text, text) for text in TEXTS)
    likeness = Likeness(TEXTS, np.eye(len(TEXTS)), "words", 0.9)
    return render_review(ToolReview(ToolSource(LONG, "mcp", ()), findings, likeness))


def capability_page(_folder: Path) -> str:
    return render_profiles([CapabilityProfile(text, (text,), ()) for text in (LONG, *TEXTS)])


def comparison_page(folder: Path) -> str:
    runs = [
        evaluate("nestools", f"scripted/{name}", limit=6, runs=folder).folder for name in ("oracle", "empty")
    ]
    for run, label in zip(runs, (LONG, f"B\u202e{TEXTS[10]}"), strict=True):
        manifest = json.loads((run / "manifest.json").read_text())
        manifest["identity"]["model"] = f"openai/{label}"
        (run / "manifest.json").write_text(json.dumps(manifest))
    return render_comparison(compare_runs(runs, force=True))


def index(folder: Path) -> str:
    for place, text in enumerate(TEXTS):
        name = text.encode("utf-8", "replace").decode().replace("/", "|").replace("\x00", "")[:60]
        run = folder / "runs" / f"{place} {name}"
        run.mkdir(parents=True)
        identity = {"benchmark": text, "model": text, "style": text}
        manifest = {"identity": identity, "data": text, "finished": text}
        (run / "manifest.json").write_text(json.dumps(manifest))
        figures = {"profiles": {"paper": {"samples": 3, "figures": {text: 0.5}}}}
        (run / "report.json").write_text(json.dumps({"headline": text, **figures}))
        (run / "report.html").write_text("<p>x")
    return index_page([index_entry(run) for run in find_runs(folder / "runs").values()])


PAGES: dict[str, Callable[[Path], str]] = {
    "report": report_page, "tables": tables_page, "certificate": certificate_page, "probe": probe_page, "lint": lint_page,
    "capability": capability_page, "compare": comparison_page, "index": index,
}  # fmt: skip


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    found = {}
    for name, made in PAGES.items():
        folder = tmp_path_factory.mktemp(name)
        found[name] = folder / "page.html"
        found[name].write_text(made(folder), encoding="utf-8")
    return found


class Watched:
    """A page with all that it asked for and complained about."""

    def __init__(self, browser: Browser, file: Path, width: int) -> None:
        self.asked: list[str] = []
        self.complaints: list[str] = []
        self.context = browser.new_context(viewport={"width": width, "height": 900}, offline=True)
        self.context.route("**/*", self.gate)
        self.page: Page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("dialog", lambda dialog: self.complaints.append(dialog.message))
        self.page.goto(file.resolve().as_uri())

    def gate(self, route: Route) -> None:
        self.asked.append(route.request.url)
        (route.continue_ if route.request.url.startswith("file:") else route.abort)()


# Texts that the page shows, with what a reader cannot see in them.
HIDDEN = r"""() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode;
    if (/SCRIPT|STYLE/.test(parentElement.tagName)) continue;
    if (/[\u202a-\u202e\u2066-\u2069\u200b\u{e0041}\ufe01]|\p{M}{9}/u.test(data)) found.push(data.slice(0, 60));
  }
  return found;
}"""
FOREIGN = (
    "img, iframe, object, embed, video, base, link, math, template, [style*=fixed], [onfocus], [ontoggle]"
)


@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("name", PAGES)
def test_attacks_stay_text(browser: Browser, files: dict[str, Path], name: str, width: int) -> None:
    watched = Watched(browser, files[name], width)
    page = watched.page
    if name == "report":
        page.wait_for_selector("body[data-ready]")
        for _ in TEXTS:
            page.keyboard.press("j")
        expect(page.locator("#detail h3")).to_contain_text("日本語")
    assert page.evaluate("window.hacked") is None
    assert watched.complaints == []
    assert watched.asked == [files[name].resolve().as_uri()]
    assert page.locator(FOREIGN).count() == 0
    assert page.locator("h1").count() == 1
    assert page.locator("meta[http-equiv]").count() == 1
    assert page.locator("a[target], a[href^=http], a[href^=javascript]").count() == 0
    assert page.evaluate(HIDDEN) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    # The page's own first words are in sight, however long a name is.
    assert page.evaluate("document.querySelector('header').getBoundingClientRect().height") < 1000
    watched.context.close()


def test_the_page_writes_out_what_python_writes_out(browser: Browser, files: dict[str, Path]) -> None:
    watched = Watched(browser, files["report"], 1280)
    texts = [*TEXTS, "❤️‍🔥 1️⃣ 👩‍💻 می‌خواهم ☎︎ नमस्ते‍", "a\r\nb\rc\td", "\x1b[2J\x9b", "\uffff\ufeff\U0001d173"]
    kept = [text for text in texts if "\ud800" not in text]
    assert watched.page.evaluate("texts => texts.map(visible)", kept) == list(map(printable_text, kept))
    watched.context.close()


def test_an_answer_of_ten_megabytes_opens(browser: Browser, tmp_path: Path) -> None:
    answers = {
        "s0": json.dumps([{"tool": "t" * 2_000_000, "to": ["v"] * 700_000}]),
        "s1": "line\n" * 2_000_000,
    }
    report = report_toy.toy_report(tmp_path, "3", answers=answers)
    (tmp_path / "page.html").write_text(render_page(report), encoding="utf-8")
    watched = Watched(browser, tmp_path / "page.html", 1280)
    expect(watched.page.locator("#detail h3")).to_have_count(1)
    watched.page.keyboard.press("Escape")
    for name in ("s0", "s1"):
        watched.page.keyboard.press("j")
        expect(watched.page.locator("#detail h3")).to_have_text(name)
        expect(watched.page.locator("#detail .answer")).to_contain_text("more characters: transcripts.jsonl")
    watched.context.close()
