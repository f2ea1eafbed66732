"""Who may import whom: cli -> report -> run -> synth -> models, world -> text, stats -> core."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import toolyard

ROOT = Path(toolyard.__file__).parent
PURE = {"core", "text", "stats"}
BELOW_RUN = PURE | {"models", "world", "benchmarks", "lines", "__init__"}
ALLOWED = {
    "core": {"core"},
    "text": {"text", "core"},
    "stats": {"stats", "text", "core"},
    "charts": {"charts", *PURE},
    "models": {"models", "lines", *PURE},
    "world": {"world", *PURE},
    "synth": {"synth", "charts", *BELOW_RUN},
    "train": {"train", *BELOW_RUN},
    "benchmarks": {"benchmarks", *PURE},
    "run": {"run", "synth", *BELOW_RUN},
    "fetch.py": {"run", *BELOW_RUN},
    "env": {"env", "synth", *BELOW_RUN},
    "scaffold": {"scaffold", "benchmarks", "lines", *PURE},
    "traffic": {"traffic", *BELOW_RUN},
    "certify": {"certify", "models", "lines", *PURE},
    "report": {"report", "charts", "certify", "run", *BELOW_RUN},
    "review": {"review", "report", "run", *BELOW_RUN},
    "owntools": {"owntools", "report", "charts", "run", "synth", *BELOW_RUN},
    "cli": {
        "cli",
        "owntools",
        "review",
        "report",
        "scaffold",
        "certify",
        "env",
        "run",
        "synth",
        "traffic",
        "train",
        *BELOW_RUN,
    },
}
# A benchmark's pipelines build data out of the world and write files; its scoring may do neither.
PIPELINES = ALLOWED["benchmarks"] | {"synth", "charts", "world", "lines"}
FILES = sorted(path for path in ROOT.rglob("*.py") if path.relative_to(ROOT).parts[0] in ALLOWED)


def imported_layers(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module] if node.module != "toolyard" else [f"toolyard.{a.name}" for a in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "toolyard":
                layer = parts[1] if len(parts) > 1 else "__init__"
                yield layer if (ROOT / layer).is_dir() or layer == "lines" else "__init__"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_downwards(path: Path) -> None:
    parts = path.relative_to(ROOT).parts
    layer = parts[0]
    allowed = PIPELINES if layer == "benchmarks" and "synth" in parts else ALLOWED[layer]
    wrong = set(imported_layers(path)) - allowed
    assert not wrong, f"{layer} must not import {wrong}"


@pytest.mark.parametrize("path", sorted(ROOT.rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT)))
def test_files_stay_under_600_lines(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 600


def long_functions(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno is not None:
            said = node.body[0]
            has_words = isinstance(said, ast.Expr) and isinstance(said.value, ast.Constant)
            words = (said.end_lineno or 0) - said.lineno + 1 if has_words else 0
            lines = node.end_lineno - node.lineno + 1 - words
            if lines > 40:
                yield f"{path.relative_to(ROOT)}: {node.name} has {lines} lines"


def test_functions_fit_a_screen() -> None:
    # What a docstring says of a tool is its document, one line for each parameter: it is not counted.
    assert [text for path in sorted(ROOT.rglob("*.py")) for text in long_functions(path)] == []


def test_public_names_are_exactly_these() -> None:
    assert toolyard.__all__ == [
        "About",
        "Benchmark",
        "CallableModel",
        "Checks",
        "Data",
        "DataError",
        "Decoding",
        "Failure",
        "Message",
        "Options",
        "Paper",
        "Provider",
        "ProviderError",
        "Sample",
        "Score",
        "Scoring",
        "Task",
        "Transcript",
        "check_benchmark",
        "evaluate",
        "load_benchmark",
        "mean",
        "one_shot",
        "render",
        "score",
        "strip_thinking",
    ]  # fmt: skip
    for name in toolyard.__all__:
        assert getattr(toolyard, name) is not None
