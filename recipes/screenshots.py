"""Pictures of the pages on real runs, into docs/screenshots.

    python recipes/screenshots.py              # stored answers of real models to the fresh and starter sets
    python recipes/screenshots.py RUN...       # runs that you have

About two minutes; needs chromium (apt-get install chromium), playwright and pillow; no network, no official data.
"""

from __future__ import annotations

import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from fnmatch import fnmatch
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Locator, Page, sync_playwright
from results import ANSWERS, OFFICIAL, read_index
from results_runs import BUILD, score_packs
from results_tables import facts

from toolyard.report.compare.capability import capability_profiles
from toolyard.report.compare.comparison import compare_runs
from toolyard.report.page.capability_page import render_profiles
from toolyard.report.page.comparison_page import render_comparison
from toolyard.report.report_files import PAGE, write_report
from toolyard.review.web.view_pages import report_server

CHROMIUM = "/usr/bin/chromium"
# Scored once, then kept while answers, package and data are the same.
RUNS = BUILD / "screenshots"
OUT = Path(__file__).resolve().parents[1] / "docs" / "screenshots"
DESKTOP = (1280, 860)
# The first run of a benchmark is shown by itself, all of them side by side.
STORED = (
    "nestools_qwen2.5-coder-1.5b_default_fresh_*", "nestools_smollm2-*_default_fresh_*",
    "mtu_smollm2-tuned_default_fresh_*", "mtu_qwen2.5-coder-1.5b_default_fresh_*",
    # without a worked example, whatever that was called when they were packed
    "toolbehonest_smollm2-tuned_[dz]e*_fresh_*", "toolbehonest_qwen2.5-coder-1.5b_[dz]e*_fresh_*",
    "tooleyes_qwen2.5-coder-1.5b_example_starter_*",
)  # fmt: skip


def stored_runs(folder: Path) -> list[Path]:
    """Run directories of stored answers that can be scored anywhere, with their reports."""
    index = read_index(ANSWERS)
    names = [name for pattern in STORED for name in index if fnmatch(name, pattern)]
    scored, left_out = score_packs({ANSWERS / name: index[name] for name in names}, folder, OFFICIAL)
    if left_out:
        sys.exit("\n".join(left_out))
    for item in scored:
        if not (item.folder / PAGE).exists():
            write_report(item.folder)
    return [item.folder for item in scored]


@contextmanager
def served(runs: Path) -> Iterator[str]:
    """The address of `toolyard view` on these runs."""
    with report_server(runs) as server:
        thread = threading.Thread(target=server.serve)
        thread.start()
        yield server.url
        server.stop()
        thread.join()


def opened(browser: Browser, address: str, size: tuple[int, int]) -> Page:
    """The page, ready."""
    page = browser.new_page(viewport={"width": size[0], "height": size[1]}, color_scheme="light")
    page.goto(address)
    return page


def keep(where: Page | Locator, name: str) -> None:
    """One picture, without loss in a third of the room that PNG takes."""
    Image.open(BytesIO(where.screenshot())).save(OUT / f"{name}.webp", lossless=True, quality=100, method=6)
    print(OUT / f"{name}.webp")


def report_picture(browser: Browser, run: Path) -> None:
    """Overview of one run."""
    page = opened(browser, (run / PAGE).resolve().as_uri(), DESKTOP)
    page.wait_for_selector("body[data-ready]")
    keep(page, f"{run.name.split('_')[0]}_overview")
    page.close()


def comparison_pages(runs: list[Path], folder: Path) -> dict[str, Path]:
    """The comparison and the capability profile of the runs, written as pages."""
    pages = {
        "comparison": render_comparison(compare_runs(runs, known=facts(), force=True)),
        "capabilities": render_profiles(capability_profiles(runs, "paper", facts(), force=True)),
    }
    for name, text in pages.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    return {name: folder / f"{name}.html" for name in pages}


def main() -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        given = [Path(name) for name in sys.argv[1:]]
        # Runs come first: playwright keeps an event loop of its own.
        runs = given or stored_runs(RUNS)
        pages = comparison_pages(runs, Path(folder))
        first = {run.name.split("_")[0]: run for run in reversed(runs)}
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            report_picture(browser, first.get("nestools", runs[0]))
            for name, file in pages.items():
                keep(opened(browser, file.as_uri(), (DESKTOP[0], 1400)), name)
            if not given:
                with served(RUNS) as address:
                    keep(opened(browser, address, DESKTOP), "index_of_runs")
            browser.close()


if __name__ == "__main__":
    main()
