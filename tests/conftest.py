"""Fixtures that every test may use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with official data and parity figures; required in CI, optional elsewhere."""
    if SHARED.is_dir():
        return SHARED
    if os.environ.get("TOOLYARD_REQUIRE_SHARED") == "1":
        pytest.fail("TOOLYARD_REQUIRE_SHARED=1 but ../shared is absent")
    pytest.skip("needs the official data and parity figures in ../shared")
