"""What `pip install .` brings: the packages that were measured, and no more."""

import json
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
MEASURED = json.loads((ROOT / "bench" / "results" / "install_size.json").read_text(encoding="utf-8"))
MOST_MEGABYTES = 330
DIRECT = {
    "aiohttp", "jinja2", "numpy", "orjson", "pyyaml", "rapidfuzz", "rich", "tenacity", "typer", "typing-extensions",
    "vl-convert-python",
}  # fmt: skip


def package_name(requirement: str) -> str:
    """The name in a requirement, as package indexes write it."""
    return re.sub(r"[-_.]+", "-", re.split(r"[\s<>=!~;\[]", requirement)[0]).lower()


def test_the_default_install_has_the_packages_that_were_measured() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert {package_name(each) for each in project["dependencies"]} == DIRECT, (
        "give the reason for a new package, and its size: python bench/install_size.py --write"
    )
    assert {package_name(each) for each in MEASURED["names"]} >= DIRECT


def test_the_default_install_stays_small() -> None:
    assert MEASURED["extras"] == []
    assert MEASURED["megabytes"] < MOST_MEGABYTES
