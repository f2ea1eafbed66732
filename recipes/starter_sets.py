"""The starter sets: rows written by hand, and rows made from the world, which this recipe makes again.

    python recipes/starter_sets.py            # rewrite the world's part of all three sets
    python recipes/starter_sets.py --check    # make it again and compare, byte for byte

Rows made from the world have numbers from 1000 up (tools of NesTools from 10000 up); everything below is written by
hand and kept as it is. No model is asked. Two to four minutes on two cores; needs the world extra and, for the
distractors of NesTools, `toolyard fetch embedder`.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from toolyard.benchmarks import load_benchmark
from toolyard.core.types import Json, Options
from toolyard.run.data import lazy_embed
from toolyard.run.synthesis import SynthWish, synthesise
from toolyard.synth.chains.execution import EXECUTION

SEED = 2026
ROWS = {"nestools": 300, "mtu": 200, "toolbehonest": 140}
FIRST = 1000
FIRST_TOOL = 10_000
SETTINGS = ("S-S", "S-M", "M-S", "M-M")
NUMBER = re.compile(r"(?<=_)\d+")
Files = dict[str, str]


def lines(path: Path) -> list[Json]:
    """The objects of a JSONL file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def text(rows: Iterable[Json]) -> str:
    """A JSONL file."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def by_hand(path: Path, number: str, first: int = FIRST) -> list[Json]:
    """The rows of a file below the number from which rows are made."""
    return [row for row in lines(path) if row[number] < first]


def moved(row: Mapping[str, Json]) -> Json:
    """A line of the execution file under its number in the starter set."""
    return {**row, "id": renumbered(row["id"])}


def renumbered(name: str) -> str:
    """`M-S_7_2` -> `M-S_1007_2`, `7` -> `1007`."""
    if name.isdigit():
        return str(int(name) + FIRST)
    return NUMBER.sub(lambda found: str(int(found[0]) + FIRST), name, count=1)


def nestools(old: Path, made: Path) -> Files:
    """Records, tool ids and pool together, then five distractors per gold tool for the new records."""
    records = [{**row, "test_id": row["test_id"] + FIRST} for row in lines(made / "test_data.jsonl")]
    ids = [
        {"test_id": row["test_id"] + FIRST, "api_ids": [each + FIRST_TOOL for each in row["api_ids"]]}
        for row in lines(made / "test_api_ids.jsonl")
    ]
    pool = [{**tool, "api_id": tool["api_id"] + FIRST_TOOL} for tool in lines(made / "pool.jsonl")]
    kept = by_hand(old / "distractors.jsonl", "test_id")
    files = {
        "test_data.jsonl": text([*by_hand(old / "test_data.jsonl", "test_id"), *records]),
        "test_api_ids.jsonl": text([*by_hand(old / "test_api_ids.jsonl", "test_id"), *ids]),
        "pool.jsonl": text([*by_hand(old / "pool.jsonl", "api_id", FIRST_TOOL), *pool]),
        "distractors.jsonl": text(kept),
        EXECUTION: text(map(moved, lines(made / EXECUTION))),
    }
    return {**files, "distractors.jsonl": text([*kept, *new_distractors(files)])}


def new_distractors(files: Files) -> list[Json]:
    """The distractors of every record that has none, chosen as a run would choose them."""
    benchmark = load_benchmark("nestools")
    assert benchmark.prepare is not None
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files.items():
            Path(folder, name).write_text(content, "utf-8")
        samples = benchmark.load(Path(folder), Options())
        found = benchmark.prepare(Path(folder), samples, lazy_embed("minilm"), 0)
    return [
        {"test_id": int(name), "distractors": [tool["api_id"] for tool in extra["distractors"]]}
        for name, extra in found.items()
    ]


def mtu(old: Path, made: Path) -> Files:
    """The dialogues of each setting, those by hand first."""
    files = {EXECUTION: text(map(moved, lines(made / EXECUTION)))}
    for setting in SETTINGS:
        name = f"{setting}_eval.jsonl"
        own = [row for row in lines(old / name) if int(row["id"].split("_")[1]) < FIRST]
        new = [{**row, "id": renumbered(row["id"])} for row in lines(made / name)]
        files[name] = text([*own, *new])
    return files


def toolbehonest(old: Path, made: Path) -> Files:
    """The pairs in one list."""
    own = [item for item in json.loads((old / "test_en.json").read_text("utf-8")) if item["id"] < FIRST]
    new = json.loads((made / "test_en.json").read_text("utf-8"))
    pairs = [*own, *({**item, "id": item["id"] + FIRST} for item in new)]
    return {
        "test_en.json": json.dumps(pairs, ensure_ascii=False, indent=1) + "\n",
        EXECUTION: text(map(moved, lines(made / EXECUTION))),
    }


def starter_files(name: str) -> Files:
    """Every file of a starter set that holds rows from the world, as this recipe makes it."""
    merge = {"nestools": nestools, "mtu": mtu, "toolbehonest": toolbehonest}[name]
    with tempfile.TemporaryDirectory() as folder:
        made = synthesise(SynthWish(name, "world", rows=ROWS[name], seed=SEED, out=Path(folder) / name))
        return merge(load_benchmark(name).starter, made.folder)


def main() -> int:
    check = "--check" in sys.argv[1:]
    wrong = []
    for name in ROWS:
        starter = load_benchmark(name).starter
        for file, content in starter_files(name).items():
            path = starter / file
            same = path.exists() and path.read_text("utf-8") == content
            print(f"{name}/{file}: {len(content):,} characters, {'the same' if same else 'differs'}")
            if not same and check:
                wrong.append(path.name)
            elif not same:
                path.write_text(content, "utf-8")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
