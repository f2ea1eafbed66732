"""The folder that `toolyard env BENCH --to LIBRARY` writes: a card, a module to import, and pinned versions."""

from __future__ import annotations

from pathlib import Path

from toolyard import __version__
from toolyard.benchmarks import load_benchmark
from toolyard.core.errors import UsageError
from toolyard.env.adapters import find_library
from toolyard.env.rewards import ARGUMENTS, OUTCOME, TOOL_CHOICE
from toolyard.env.task_seeds import EVALUATION_SHARE, task_source
from toolyard.lines import whole_folder, write_whole
from toolyard.text.templates import render

TEMPLATES = Path(__file__).parent / "templates"


def write_folder(benchmark: str, to: str, folder: Path) -> tuple[Path, ...]:
    """The files that were written; a folder with something in it is left alone."""
    task_source(benchmark)
    wanted = find_library(to)
    if folder.exists() and any(folder.iterdir()):
        raise UsageError(f"{folder} is not empty; choose another folder with --out")
    fields = {
        "benchmark": benchmark,
        "title": load_benchmark(benchmark).about.title,
        "library": to,
        "requirement": wanted.requirement,
        "version": __version__,
        "share": str(EVALUATION_SHARE),
        "tool_choice": str(TOOL_CHOICE),
        "arguments": str(ARGUMENTS),
        "outcome": str(OUTCOME),
        "start": _file_text(to, "start.md", benchmark),
    }
    texts = {
        "README.md": render((TEMPLATES / "card.md").read_text("utf-8"), fields),
        "requirements.txt": f"toolyard[world]=={__version__}\n{wanted.requirement}\n",
    }
    for path in sorted((TEMPLATES / to).iterdir()):
        if path.name != "start.md":
            texts[path.name.removesuffix(".txt")] = _file_text(to, path.name, benchmark)
    with whole_folder(folder) as place:
        for name, text in texts.items():
            write_whole(place / name, text.encode())
    return tuple(folder / name for name in texts)


def _file_text(to: str, name: str, benchmark: str) -> str:
    return render((TEMPLATES / to / name).read_text("utf-8"), {"benchmark": benchmark})
