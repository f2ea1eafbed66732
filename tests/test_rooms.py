"""Every benchmark folder has the same files, so that whoever knows one finds their way in all."""

from __future__ import annotations

from pathlib import Path

import pytest

import toolyard

FOLDERS = tuple(
    Path(toolyard.__file__).parent / "benchmarks" / name
    for name in ("mtu", "nestools", "toolbehonest", "tooleyes")
)
MODULES = (
    "__init__", "analysis", "audit", "baselines", "data", "deviations", "errors", "figures", "official", "paper",
    "parse", "predictions", "prompt", "published", "score", "statistics",
)  # fmt: skip


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_benchmark_has_the_usual_files(folder: Path) -> None:
    missing = [name for name in MODULES if not (folder / f"{name}.py").is_file()]
    assert not missing
    assert (folder / "README.md").is_file()
    assert any((folder / "starter").iterdir())
    assert any((folder / "templates").iterdir())


def test_no_other_benchmark_ships() -> None:
    shipped = {path.parent for path in FOLDERS[0].parent.glob("*/__init__.py")}
    assert shipped == set(FOLDERS)
