"""A browser for each file of tests; pages are looked at as patiently on a busy machine as on an idle one."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

CHROMIUM = Path("/usr/bin/chromium")
expect.set_options(timeout=30_000)


@pytest.fixture(scope="module")
def browser(request: pytest.FixtureRequest) -> Iterator[Browser]:
    """Chromium. What a file names in MADE_FIRST is made before: Playwright occupies the event loop."""
    if not CHROMIUM.exists():
        pytest.skip("needs chromium: apt-get install chromium")
    for name in getattr(request.module, "MADE_FIRST", ()):
        request.getfixturevalue(name)
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        yield found
        found.close()
