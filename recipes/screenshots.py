"""Pictures of the pages on real runs, into docs/screenshots.

    python recipes/screenshots.py              # the starter sets, answered by a seeded mixture of good and bad answers
    python recipes/screenshots.py RUN...       # runs that you have

About two minutes; needs chromium (apt-get install chromium) and playwright, nothing from the network.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, sync_playwright

from toolyard.benchmarks import benchmark_names, load_benchmark
from toolyard.core.benchmark import Answerer, Benchmark
from toolyard.core.types import Message, Sample
from toolyard.models.scripted import ScriptedModel
from toolyard.report.build import PAGE, write_report
from toolyard.report.compare.capability import capability_profiles
from toolyard.report.compare.comparison import compare_runs
from toolyard.report.page.capability_page import render_profiles
from toolyard.report.page.comparison_page import render_comparison
from toolyard.review.web.reports import report_server
from toolyard.run.api import evaluate
from toolyard.run.evidence import Instruments
from toolyard.run.execute import execute
from toolyard.run.run import Run
from toolyard.run.settings import Settings

CHROMIUM = "/usr/bin/chromium"
OUT = Path(__file__).resolve().parents[1] / "docs" / "screenshots"
DESKTOP, PHONE = (1200, 860), (390, 780)


def mixture(benchmark: Benchmark) -> Answerer:
    """Mostly the right answer, sometimes a cut-off one, sometimes a guess: every part of the page has something to show."""
    guess = benchmark.checks.baselines.get("random") or next(iter(benchmark.checks.baselines.values()))

    def answer(sample: Sample, messages: Sequence[Message], rng: random.Random) -> str:
        luck = rng.random()
        if luck < 0.55:
            return benchmark.checks.oracle(sample, messages, rng)
        if luck < 0.7:
            text = benchmark.checks.oracle(sample, messages, rng)
            return text[: 2 * len(text) // 3]
        return guess(sample, messages, rng)

    return answer


def mixed_run(name: str, runs: Path) -> Path:
    """A run of one benchmark's starter set on the mixture, with its reports."""
    benchmark = load_benchmark(name)
    plan = Run.plan(Settings(name, "scripted/mixture", runs=runs), benchmark)
    model = ScriptedModel("mixture", mixture(benchmark), plan.samples, plan.config.seed)
    asyncio.run(execute(plan, model, Instruments()))
    write_report(plan.folder)
    return plan.folder


@contextmanager
def served(runs: Path) -> Iterator[str]:
    """The address of `toolyard view` on these runs."""
    with report_server(runs) as server:
        thread = threading.Thread(target=server.serve)
        thread.start()
        yield server.url
        server.stop()
        thread.join()


def opened(browser: Browser, address: str, size: tuple[int, int], scheme: str = "light") -> Page:
    """The page, ready."""
    dark = scheme == "dark"
    page = browser.new_page(
        viewport={"width": size[0], "height": size[1]}, color_scheme="dark" if dark else "light"
    )
    page.goto(address)
    return page


def keep(where: Page | Locator, name: str) -> None:
    """One picture."""
    where.screenshot(path=OUT / f"{name}.png")
    print(OUT / f"{name}.png")


def report_pictures(browser: Browser, run: Path, *, every_look: bool) -> None:
    """Overview, charts and an open sample of one run; the last also in dark and on a phone where asked."""
    address, name = (run / PAGE).resolve().as_uri(), run.name.split("_")[0]
    page = opened(browser, address, DESKTOP)
    page.wait_for_selector("body[data-ready]")
    keep(page, f"{name}_overview")
    page.set_viewport_size({"width": DESKTOP[0], "height": 1200})
    page.locator("#charts").scroll_into_view_if_needed()
    page.evaluate("() => document.getElementById('charts').scrollIntoView()")
    keep(page, f"{name}_charts")
    looks = (("light", DESKTOP), ("dark", DESKTOP), ("phone", PHONE))
    for scheme, size in looks if every_look else looks[:1]:
        page = opened(browser, address, size, scheme)
        page.wait_for_selector("body[data-ready]")
        page.select_option("#filter-score", "lost")
        page.evaluate("() => document.getElementById('samples').scrollIntoView()")
        page.locator(".row").nth(1).click()
        page.wait_for_selector("#detail .reasons")
        keep(page, f"{name}_sample_{scheme}")
        page.close()


def scripted_runs(runs: Path) -> list[Path]:
    """Runs to compare the mixture with."""
    return [evaluate("nestools", f"scripted/{name}", runs=runs).folder for name in ("oracle", "random")]


def comparison_pages(runs: list[Path], folder: Path) -> dict[str, Path]:
    """The comparison and the capability profile of the runs, written as pages."""
    pages = {
        "comparison": render_comparison(compare_runs(runs, force=True)),
        "capabilities": render_profiles(capability_profiles(runs, "paper", {}, force=True)),
    }
    for name, text in pages.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    return {name: folder / f"{name}.html" for name in pages}


def main() -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        given = [Path(name) for name in sys.argv[1:]]
        # Runs come first: playwright keeps an event loop of its own.
        runs = given or [mixed_run(name, Path(folder)) for name in benchmark_names()]
        pages = comparison_pages(given or [*runs, *scripted_runs(Path(folder))], Path(folder))
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            for run in runs:
                report_pictures(browser, run, every_look=run == runs[-1])
            for name, file in pages.items():
                keep(opened(browser, file.as_uri(), (DESKTOP[0], 1400)), name)
            if not given:
                with served(Path(folder)) as address:
                    keep(opened(browser, address, DESKTOP), "index_of_runs")
            browser.close()


if __name__ == "__main__":
    main()
