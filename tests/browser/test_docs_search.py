"""The search box of the documentation finds sections without a server."""

import json
from pathlib import Path

import docs_site
from playwright.sync_api import Browser, expect

ROOT = Path(__file__).parents[2]


def test_the_search_box_finds_and_opens_a_section(browser: Browser, tmp_path: Path) -> None:
    pages = [
        {"location": "gate.html", "title": "Gate", "text": "Compares two runs."},
        {"location": "gate.html#policy", "title": "Policy", "text": "The allowed drop <b>in a file</b>."},
    ]
    (tmp_path / "search").mkdir()
    (tmp_path / "search" / "search_index.json").write_text(json.dumps({"docs": pages}))
    docs_site.write_find(tmp_path)
    script = (ROOT / "recipes" / "find.js").read_text(encoding="utf-8")
    (tmp_path / "find.js").write_text(script, encoding="utf-8")
    (tmp_path / "index.html").write_text(f"{docs_site.SEARCH}<script src=find.js></script>")
    (tmp_path / "gate.html").write_text("the gate")
    page = browser.new_page()
    page.goto((tmp_path / "index.html").as_uri())
    page.keyboard.press("/")
    page.keyboard.type("allowed DROP")
    expect(page.locator("#find-results a")).to_have_text(["Gate: PolicyThe allowed drop in a file ."])
    expect(page.locator("#find-count")).to_have_text("1 place")
    page.keyboard.press("Enter")
    page.wait_for_url("**/gate.html#policy")
