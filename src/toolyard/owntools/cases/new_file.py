"""An example of a case file, for users to start from."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from toolyard.core.errors import UsageError
from toolyard.lines import write_whole

TOOLS = "tools.json"


def write_example(path: Path) -> Path:
    """The case file and its tools, written beside each other; nothing that exists is overwritten."""
    example = files("toolyard.owntools.cases") / "example"
    for target, name in ((path, "cases.yaml"), (path.parent / TOOLS, TOOLS)):
        if target.exists():
            raise UsageError(f"{target} exists; choose another name or --into folder")
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, (example / name).read_bytes())
    return path
