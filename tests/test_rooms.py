"""Rooms and names: every benchmark folder has the same files, and outside the world no class name has two meanings."""

import ast
from functools import cache
from pathlib import Path

import pytest

import toolyard

FOLDERS = tuple(
    Path(toolyard.__file__).parent / "benchmarks" / name
    for name in ("mtu", "nestools", "toolbehonest", "tooleyes")
)
MODULES = (
    "__init__", "data/audit", "data/rows", "data/sample", "data/statistics", "papers/analysis", "papers/exhibits",
    "papers/published", "scoring/baselines", "scoring/errors", "scoring/metrics", "scoring/official",
    "scoring/outcome", "scoring/paper", "scoring/parse", "scoring/predictions", "scoring/score", "synth/__init__",
    "task/prompt", "task/variations",
)  # fmt: skip


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_benchmark_has_the_usual_files(folder: Path) -> None:
    missing = [name for name in MODULES if not (folder / f"{name}.py").is_file()]
    assert not missing
    assert (folder / "README.md").is_file()
    assert (folder / "papers" / "deviations.toml").is_file()
    assert any((folder / "starter").iterdir())
    assert any((folder / "templates").iterdir())


def test_no_other_benchmark_ships() -> None:
    shipped = {path.parent for path in FOLDERS[0].parent.glob("*/__init__.py")}
    assert shipped == set(FOLDERS)


# One meaning, in several rooms: each layer's own part of it.
SAME_MEANING = {
    "attacks", "baselines", "card_tables", "command", "commands", "drafting", "environment", "episodes", "errors",
    "exhibits", "metrics", "mtu", "nestools", "openai", "pieces", "pipeline", "prompt", "responses", "rows",
    "scene", "scoring", "sequential", "settings", "toolbehonest", "types", "variations",
}  # fmt: skip


def test_no_module_name_has_two_meanings() -> None:
    root = Path(toolyard.__file__).parent
    homes: dict[str, set[str]] = {}
    for path in root.rglob("*.py"):
        folder = path.relative_to(root).parent
        # Tools are filed under their categories, and the four benchmarks have the same files.
        if path.stem != "__init__" and folder.parts[:2] not in (("world", "tools"), ("world", "simulated")):
            shared = folder.parts[:1] == ("benchmarks",) and len(folder.parts) > 1
            homes.setdefault(path.stem, set()).add("benchmarks" if shared else str(folder))
    twice = {name for name, folders in homes.items() if len(folders) > 1}
    assert twice == SAME_MEANING


@cache
def definitions() -> list[tuple[Path, bool, str]]:
    """Every function and class of the source: the path of its module, whether it is a class, and its name."""
    root = Path(toolyard.__file__).parent
    return [
        (path.relative_to(root), isinstance(node, ast.ClassDef), node.name)
        for path in root.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    ]


# Shapes of the world's results are named as their services name them. A mirror's `Table` stands in code that users
# have generated and edited, so that it keeps its name; no more may be shared.
SHARED_NAMES = {"Table"}


def test_no_class_name_has_two_meanings_outside_the_world() -> None:
    homes: dict[str, list[str]] = {}
    for path, is_class, name in definitions():
        if is_class and path.parts[0] != "world":
            homes.setdefault(name, []).append(str(path))
    twice = {name: places for name, places in homes.items() if len(places) > 1 and name not in SHARED_NAMES}
    assert twice == {}


def test_no_folder_has_more_than_25_modules() -> None:
    root = Path(toolyard.__file__).parent
    folders = {path.parent for path in root.rglob("*.py")}
    assert [str(folder.relative_to(root)) for folder in folders if len([*folder.glob("*.py")]) > 25] == []


# Past participles that do not end in -ed, and adverbs: as the only word of a name they say nothing.
BARE_WORDS = {
    "told", "said", "done", "made", "kept", "held", "given", "taken", "shown", "known", "written", "found",
    "left", "sent", "drawn", "seen", "chosen", "built", "spent", "lost", "meant", "others", "further", "beside",
    "beyond", "apart", "within", "away", "again", "nearest",
}  # fmt: skip


def test_few_functions_are_named_by_a_bare_participle() -> None:
    names = [name.strip("_") for _, is_class, name in definitions() if not is_class]
    bare = [name for name in names if "_" not in name and (name in BARE_WORDS or name.endswith("ed"))]
    assert len(bare) / len(names) <= 0.02


# Lines and tokens of Python, by bench/size.py; they may only fall. The design's aims: 50,000 and 350,000 for the world,
# 80,000 and 580,000 for the rest of the source, 45,000 lines of tests.
CEILINGS = {"world": (67_955, 474_556), "rest of src": (105_062, 775_377), "tests": (52_852, 460_359)}


def test_the_source_does_not_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[1] / "bench"))
    from size import parts

    for part, found in parts().items():
        lines, tokens = CEILINGS[part]
        assert found.lines <= lines and found.tokens <= tokens, (part, found)
