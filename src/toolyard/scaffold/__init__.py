"""A new benchmark, as a folder that already works."""

import keyword
from importlib.resources import files
from pathlib import Path

from toolyard.benchmarks import benchmark_names
from toolyard.core.errors import UsageError
from toolyard.lines import whole_folder, write_whole
from toolyard.text.templates import PLACE

# file of the scaffold -> where it goes; {name} is the benchmark's name
FILES = {
    "pyproject.toml.txt": "pyproject.toml",
    "README.md.txt": "README.md",
    "benchmark.py.txt": "{name}/__init__.py",
    "prompt.txt": "{name}/templates/prompt.txt",
    "rows.jsonl.txt": "{name}/starter/rows.jsonl",
    "test_contract.py.txt": "tests/test_contract.py",
}


def scaffold(name: str, into: Path) -> Path:
    """The folder of a new benchmark package; nothing that exists is overwritten."""
    if not name.isidentifier() or keyword.iskeyword(name) or name != name.lower():
        raise UsageError(f"{name!r} is not a lower-case Python identifier; try e.g. weatherbench")
    if name in benchmark_names():
        raise UsageError(f"a benchmark called {name} is already installed; choose another name")
    folder = into / name
    if folder.exists():
        raise UsageError(f"{folder} exists; choose another name or --into folder")
    with whole_folder(folder) as made:
        for source, place in FILES.items():
            text = files("toolyard.scaffold").joinpath("files", source).read_text(encoding="utf-8")
            target = made / place.format(name=name)
            target.parent.mkdir(parents=True, exist_ok=True)
            # Only the name is filled in: the prompt's own places belong to the new benchmark.
            filled = PLACE.sub(lambda found: name if found.group(1) == "name" else found.group(0), text)
            write_whole(target, filled.encode())
    return folder
