"""How many small faults the tests find: sources are mutated one place at a time in a copy of the checkout.

python bench/mutants.py --under src/toolyard/world/kernel --under src/toolyard/world/index --tests tests/world
python bench/mutants.py --under src/toolyard --exclude world --count 50 --seed 1

A fault is a flipped comparison, another number, `and` for `or`, plus for minus, or None returned. For each one a few
test files run that pass without it in `--timeout` seconds: those that import the mutated module, have a part of its path
for a name, or import it through one other module. The world's tools are found by being there and imported by no test:
their examples run for the categories that reach the module over the fewest imports. The first failure ends them.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
FILES_PER_FAULT = 6
# Runs the examples of every tool; the category is part of a test's name.
OF_EVERY_TOOL, TOOLS, CATEGORIES_PER_FAULT = "test_version_answers.py", "toolyard.world.tools.", 4
FLIPPED = {ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.GtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Lt,
           ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And,
           ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult}  # fmt: skip


def parse(path: Path) -> ast.Module:
    """The tree of a file."""
    return ast.parse(path.read_text("utf-8"))


def places(tree: ast.AST) -> Iterator[ast.AST]:
    """Nodes that can be mutated; what is only read by type checkers is left out."""
    for name, value in ast.iter_fields(tree):
        for node in value if isinstance(value, list) else [value]:
            if isinstance(node, ast.AST) and name not in ("annotation", "returns", "decorator_list"):
                operator = node.ops[0] if isinstance(node, ast.Compare) else getattr(node, "op", None)
                number = isinstance(node, ast.Constant) and isinstance(node.value, bool | int | float)
                result = isinstance(node, ast.Return) and node.value is not None
                if number or result or type(operator) in FLIPPED:
                    yield node
                yield from places(node)


def mutate(node: ast.AST) -> str:
    """The kind of fault that a node was given."""
    if isinstance(node, ast.Compare):
        node.ops[0] = FLIPPED[type(node.ops[0])]()  # type: ignore[index]
        return "comparison"
    if isinstance(node, ast.Constant):
        node.value = not node.value if isinstance(node.value, bool) else node.value + 1  # type: ignore[operator]
        return "constant"
    if isinstance(node, ast.Return):
        node.value = ast.Constant(None)
        return "return None"
    node.op = FLIPPED[type(node.op)]()  # type: ignore[attr-defined]
    return "and/or" if isinstance(node, ast.BoolOp) else "arithmetic"


def draw_faults(paths: list[Path], count: int, seed: int) -> Iterator[tuple[dict[str, object], str]]:
    """So many faults at places drawn from all files, each with the text of its file."""
    every = [(path, turn) for path in paths for turn, _ in enumerate(places(parse(path)))]
    for path, turn in random.Random(seed).sample(every, min(count, len(every))):
        tree = parse(path)
        node = list(places(tree))[turn]
        row = {"path": str(path.relative_to(ROOT)), "line": getattr(node, "lineno", 0)}
        row |= {"before": ast.unparse(node)[:70].replace("\n", " "), "kind": mutate(node)}
        yield row, ast.unparse(tree)


def imports(path: Path) -> set[str]:
    """The modules that a file imports, and imported names that may be modules."""
    nodes = list(ast.walk(parse(path)))
    found = {name.name for node in nodes if isinstance(node, ast.Import) for name in node.names}
    for node in (node for node in nodes if isinstance(node, ast.ImportFrom)):
        found |= {str(node.module), *(f"{node.module}.{name.name}" for name in node.names)}
    return found


class Checkout:
    """A copy of the tracked files, in which tests run against mutated sources."""

    def __init__(self, folder: Path, tests: list[str], timeout: float) -> None:
        self.folder, self.timeout = folder, timeout
        for name in subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT, text=True).split("\0")[:-1]:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
        # Compiled once; a mutated file is newer than its bytecode.
        subprocess.run([sys.executable, "-m", "compileall", "-q", "src"], cwd=folder, check=True)
        self.modules = {self.module(path): imports(path) for path in (folder / "src").rglob("*.py")}
        files = sorted(path for name in tests for path in (folder / name).rglob("test_*.py"))
        self.imports = {path: imports(path) for path in files}
        self.passing: dict[tuple[str, ...], bool] = {}

    def module(self, path: Path) -> str:
        """The name of a source file as it is imported."""
        return ".".join(path.relative_to(self.folder / "src").with_suffix("").parts).removesuffix(".__init__")

    def passes(self, tests: tuple[str, ...]) -> bool:
        """Whether some tests pass; those that take too long do not."""
        environment = os.environ | {"PYTHONPATH": str(self.folder / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
        limit = self.timeout * len(tests)
        with contextlib.suppress(subprocess.TimeoutExpired):
            ran = subprocess.run(
                command, cwd=self.folder, env=environment, capture_output=True, timeout=limit
            )
            return ran.returncode == 0
        return False

    def categories(self, module: str) -> list[str]:
        """The categories whose tools reach a module over the fewest imports."""
        seen, near, found = {module}, {module}, dict[str, None]()
        while near and len(found) < CATEGORIES_PER_FAULT:
            found |= dict.fromkeys(sorted(name.split(".")[3] for name in near if name.startswith(TOOLS)))
            near = {name for name, own in self.modules.items() if near & own} - seen
            seen |= near
        return list(found)[:CATEGORIES_PER_FAULT]

    def tests_of(self, path: Path) -> list[tuple[str, ...]]:
        """The tests for a source file that pass without a fault: arguments of pytest for each time it starts."""
        module, rows = self.module(path), self.imports.items()
        direct = [test for test, own in rows if module in own]
        alike = [test for test, _ in rows if set(module.split(".")[2:]) & set(test.stem.split("_"))]
        through = [test for test, own in rows if any(module in self.modules.get(one, ()) for one in own)]
        files = [(str(test),) for test in dict.fromkeys([*direct, *alike, *through])][:FILES_PER_FAULT]
        reached = " or ".join(f"[{name}/" for name in self.categories(module))
        every = [
            (str(test), "-k", reached) for test in self.imports if reached and test.name == OF_EVERY_TOOL
        ]
        self.passing |= {test: self.passes(test) for test in (*every, *files) if test not in self.passing}
        together = tuple(name for test in files if self.passing[test] for name in test)
        return [*filter(self.passing.get, every), *([together] if together else [])]

    def verdict(self, path: Path, text: str) -> str:
        """What becomes of a fault: found, survived, or no tests."""
        tests, kept = self.tests_of(path), path.read_bytes()
        path.write_text(text, "utf-8")
        try:
            return "no tests" if not tests else "survived" if all(map(self.passes, tests)) else "found"
        finally:
            path.write_bytes(kept)


def main() -> None:
    """Prints one line per fault and the sums; writes them as JSON with `--out`."""
    parser = argparse.ArgumentParser()
    # Folders of sources, names of folders to leave out, folders of tests; each may be repeated.
    for name in ("--under", "--exclude", "--tests"):
        parser.add_argument(name, action="append", default=[])
    # Faults, seed of the draw, seconds of tests per fault, and minutes in all.
    for name, value in {"--count": 100, "--seed": 0, "--timeout": 60, "--minutes": 20}.items():
        parser.add_argument(name, type=int, default=value)
    parser.add_argument("--out", type=Path)
    given, start, rows = parser.parse_args(), time.monotonic(), list[dict[str, object]]()
    paths = sorted({path for folder in given.under for path in (ROOT / folder).rglob("*.py")})
    paths = [path for path in paths if not set(path.relative_to(ROOT).parts) & set(given.exclude)]
    with tempfile.TemporaryDirectory() as folder:
        checkout = Checkout(Path(folder), given.tests or ["tests"], given.timeout)
        for row, text in draw_faults(paths, given.count, given.seed):
            if time.monotonic() - start > 60 * given.minutes:
                break
            rows.append({**row, "verdict": checkout.verdict(Path(folder, str(row["path"])), text)})
            print("{verdict:9} {path}:{line} {kind}: {before}".format(**rows[-1]), flush=True)
    if given.out:
        given.out.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")
    print(f"{len(rows)} faults: {dict(Counter(row['verdict'] for row in rows))}")


if __name__ == "__main__":
    main()
