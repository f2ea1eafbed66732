"""Who may import whom: companions -> cli -> report -> run -> synth -> models, world -> text, stats -> core."""

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import toolyard

ROOT = Path(toolyard.__file__).parent
PURE = {"core", "text", "stats"}
BELOW_RUN = PURE | {"models", "world", "benchmarks", "lines", "__init__"}
BELOW_CLI = BELOW_RUN | {"run", "report", "charts", "synth", "scaffold"}
# Companions stand on the command line; nothing below may import one, nor they one another.
COMPANIONS = ("certify", "env", "owntools", "passport", "review", "traffic", "train")
ALLOWED = {
    "core": {"core"},
    "text": {"text", "core"},
    "stats": {"stats", "text", "core"},
    "charts": {"charts", *PURE},
    "models": {"models", "lines", *PURE},
    "world": {"world", *PURE},
    "synth": {"synth", "charts", *BELOW_RUN},
    "benchmarks": {"benchmarks", *PURE},
    "run": {"run", "synth", *BELOW_RUN},
    "fetch.py": {"run", *BELOW_RUN},
    "scaffold": {"scaffold", "benchmarks", "lines", *PURE},
    "report": {"report", "charts", "run", *BELOW_RUN},
    # `new`, `run` and `serve` know case files and mirrors.
    "cli": {"cli", "owntools", *BELOW_CLI},
    **{name: {name, "cli", *BELOW_CLI} for name in COMPANIONS},
}
# A benchmark's pipelines build data out of the world and write files; its scoring may do neither.
PIPELINES = ALLOWED["benchmarks"] | {"synth", "charts", "world", "lines"}
FILES = sorted(path for path in ROOT.rglob("*.py") if path.relative_to(ROOT).parts[0] in ALLOWED)


def imported_files(path: Path) -> Iterator[Path]:
    """The package's own files that a file imports anywhere in it, also for types only or in a function."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            if name.split(".")[0] == "toolyard":
                part = ROOT.parent.joinpath(*name.split("."))
                files = (part.with_suffix(".py"), part / "__init__.py", part.parent.with_suffix(".py"))
                yield next(filter(Path.is_file, (*files, part.parent / "__init__.py")))


def imported_layers(path: Path) -> Iterator[str]:
    for file in imported_files(path):
        layer = file.relative_to(ROOT).parts[0].removesuffix(".py")
        yield layer if (ROOT / layer).is_dir() or layer == "lines" else "__init__"


@pytest.mark.parametrize("layer", ALLOWED)
def test_imports_point_downwards(layer: str) -> None:
    for path in FILES:
        parts = path.relative_to(ROOT).parts
        if parts[0] == layer:
            allowed = PIPELINES if layer == "benchmarks" and "synth" in parts else ALLOWED[layer]
            wrong = set(imported_layers(path)) - allowed
            assert not wrong, f"{path.relative_to(ROOT)}: {layer} must not import {wrong}"


def test_no_files_import_each_other() -> None:
    files = {*ROOT.rglob("*.py")} - {
        ROOT / "__init__.py"
    }  # the public names are taken from everywhere, when asked for
    # `prepare` names the files of the first circle that it finds.
    TopologicalSorter({path: {*imported_files(path)} & files - {path} for path in files}).prepare()


def test_files_stay_under_600_lines() -> None:
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in ROOT.rglob("*.py")}
    assert [str(path.relative_to(ROOT)) for path, length in lengths.items() if length > 600] == []


def long_functions(path: Path) -> Iterator[str]:
    text = path.read_text(encoding="utf-8")
    if text.count("\n") <= 40:
        return
    for node in ast.walk(ast.parse(text)):
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
    assert " ".join(toolyard.__all__) == (
        "About Benchmark CallableModel Checks Choice Completion Conversation Data DataError Decoding Failure Finding "
        "Generate Grouping Message Options Paper Provider ProviderError Request RunSetup Sample SavedResults Score "
        "Scoring Task Transcript Trivial average_of_defined check_benchmark evaluate json_lines load_benchmark mean "
        "one_shot render score strip_thinking within"
    )
    assert all(getattr(toolyard, name) is not None for name in toolyard.__all__)
