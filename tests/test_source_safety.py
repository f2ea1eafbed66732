"""What the source must not do, and the few places where it may: no unpickling of files, no evaluation, no shell."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "toolyard"
# Modules whose loading runs code, and the start of other programs; each with where it may stand and why.
ALLOWED = {
    # Messages between a tool's worker and this process; the reader refuses every class.
    ("world/isolation/worker_messages.py", "import pickle"),
    # Rows between ray's driver and its own tasks, never a file.
    ("synth/engines/ray.py", "import pickle"),
    # This interpreter with a program of ours.
    ("world/isolation/__init__.py", "import subprocess"),
    ("world/kernel/checks/process_answers.py", "import subprocess"),
    ("models/local/llama_process.py", "import subprocess"),
    ("owntools/sources/function_process.py", "import subprocess"),
    # An inference server that the user asked for by name.
    ("models/local/engines.py", "import subprocess"),
    # pip download of a pinned wheel.
    ("models/assets.py", "import subprocess"),
    # A copy of this process that plays baselines beside a run.
    ("run/grade/forked_work.py", "call of os.fork"),
    # What our own tasks on a cluster send back; Ray itself sends by pickle.
    ("run/grade/pieces.py", "import pickle"),
    # Arrays of numbers, with pickle refused.
    ("train/token_cache.py", "call of np.load"),
}
MODULES = {"pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib", "subprocess", "pty"}
CALLS = {"eval", "exec", "compile", "__import__", "breakpoint"}
METHODS = {
    ("os", "system"), ("os", "popen"), ("yaml", "load"), ("yaml", "unsafe_load"), ("torch", "load"),
    ("numpy", "load"), ("np", "load"), ("pandas", "read_pickle"), ("pd", "read_pickle"), ("os", "fork"),
}  # fmt: skip


def found(tree: ast.AST) -> Iterator[str]:
    """Everything in a module that runs code from data or starts a program."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (f"import {name.name}" for name in node.names if name.name.split(".")[0] in MODULES)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in MODULES:
            yield f"import {node.module}"
        elif isinstance(node, ast.Call):
            yield from _called(node)


def _called(node: ast.Call) -> Iterator[str]:
    function = node.func
    if isinstance(function, ast.Name) and function.id in CALLS:
        yield f"call of {function.id}"
    owner = function.value if isinstance(function, ast.Attribute) else None
    if isinstance(owner, ast.Name) and (owner.id, function.attr) in METHODS:  # type: ignore[attr-defined]
        yield f"call of {owner.id}.{function.attr}"  # type: ignore[attr-defined]
    for word in node.keywords:
        if word.arg == "shell" and not (isinstance(word.value, ast.Constant) and word.value.value is False):
            yield "shell="


def all_found() -> set[tuple[str, str]]:
    return {
        (path.relative_to(SOURCE).as_posix(), what)
        for path in sorted(SOURCE.rglob("*.py"))
        for what in found(ast.parse(path.read_text(encoding="utf-8")))
    }


def test_nothing_runs_code_from_data_but_where_it_is_said_why() -> None:
    assert all_found() == ALLOWED


@pytest.mark.parametrize(
    "code",
    ["import pickle", "from pickle import loads", "eval('1')", "exec(x)", "__import__(x)", "os.system(x)",
     "yaml.load(x)", "run(x, shell=True)", "import subprocess as s", "np.load(x, allow_pickle=True)"],
)  # fmt: skip
def test_the_search_finds_what_it_looks_for(code: str) -> None:
    assert list(found(ast.parse(code)))
