"""Fixtures that every test may use."""

import importlib.util
import os
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent
SHARED = TESTS.parents[1] / "shared"
REQUIRED = os.environ.get("TOOLYARD_REQUIRE_SHARED") == "1"

# The environment of the training tests has no hypothesis, and no test there needs it.
if importlib.util.find_spec("hypothesis"):
    from hypothesis import HealthCheck, settings

    # No property is about time: a busy machine must not fail one. Where changes are admitted examples are always the same.
    settings.register_profile(
        "house",
        deadline=None,
        max_examples=50,
        suppress_health_check=[HealthCheck.too_slow],
        derandomize=REQUIRED,
    )
    settings.load_profile("house")


# What `--quick` takes, by folder, and what it leaves out there: whole sets, the making of data, servers and processes.
QUICK = ("benchmarks", "core", "stats", "text")
SLOW = (
    "clusters",
    "corpus",
    "deviations",
    "episode",
    "execution",
    "hard",
    "official_checks",
    "seeds",
    "starter",
    "synth",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="unit tests: no whole sets, servers or models")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Whether `--quick` leaves a file or a folder out."""
    place = collection_path.relative_to(TESTS).parts if collection_path.is_relative_to(TESTS) else ()
    if not config.getoption("--quick") or not place:
        return None
    return True if place[0] not in QUICK or any(word in place[-1] for word in SLOW) else None


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with official data and parity figures; required in CI, optional elsewhere."""
    if SHARED.is_dir():
        return SHARED
    if REQUIRED:
        pytest.fail("TOOLYARD_REQUIRE_SHARED=1 but ../shared is absent")
    pytest.skip("needs the official data and parity figures in ../shared")
