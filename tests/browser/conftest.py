"""Pages are looked at as patiently on a busy machine as on an idle one."""

from __future__ import annotations

from playwright.sync_api import expect

expect.set_options(timeout=30_000)
