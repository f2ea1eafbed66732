"""Small parts of the starter sets, for tests whose subject is not the whole set."""

from pathlib import Path

from toolyard.benchmarks import load_benchmark

WHOLE = ("pool.jsonl", "tools.jsonl")


def first_rows(benchmark: str, folder: Path, rows: int) -> Path:
    """A folder with the first rows of every file of a starter set; lists of tools are whole."""
    folder.mkdir(parents=True)
    for file in load_benchmark(benchmark).data.starter.glob("*.jsonl"):
        lines = file.read_bytes().splitlines(keepends=True)
        if file.name != "execution.jsonl":
            (folder / file.name).write_bytes(b"".join(lines if file.name in WHOLE else lines[:rows]))
    return folder
