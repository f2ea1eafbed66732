"""Fixtures that every test may use."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"
REQUIRED = os.environ.get("TOOLYARD_REQUIRE_SHARED") == "1"

# The environment of the training tests has no hypothesis, and no test there needs it.
if importlib.util.find_spec("hypothesis"):
    from hypothesis import HealthCheck, settings

    # No property is about time: a busy machine must not fail one. Where changes are admitted examples are always the same.
    settings.register_profile(
        "house", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=REQUIRED
    )
    settings.load_profile("house")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with official data and parity figures; required in CI, optional elsewhere."""
    if SHARED.is_dir():
        return SHARED
    if REQUIRED:
        pytest.fail("TOOLYARD_REQUIRE_SHARED=1 but ../shared is absent")
    pytest.skip("needs the official data and parity figures in ../shared")
