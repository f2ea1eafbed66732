"""A few rows of each benchmark's own data, so that a session takes a moment."""

import json
from pathlib import Path

BENCHMARKS = Path(__file__).resolve().parents[2] / "src" / "toolyard" / "benchmarks"
ROWS = {
    "nestools": {"test_data.jsonl": 4, "test_api_ids.jsonl": 4, "distractors.jsonl": 4, "pool.jsonl": 2000},
    "mtu": {"S-S_eval.jsonl": 2, "S-M_eval.jsonl": 1, "M-S_eval.jsonl": 5, "OOD_eval.jsonl": 1},
    "tooleyes": {"tg.jsonl": 2, "queries.jsonl": 2},
}
# Their tools compute in a process of their own.
COMPUTING = "calculator"


def write_small_data(folder: Path) -> None:
    """One folder for each benchmark, and one with ToolEyes queries whose tools need a process of their own."""
    for benchmark, files in ROWS.items():
        (folder / benchmark).mkdir(parents=True)
        for name, rows in files.items():
            lines = (BENCHMARKS / benchmark / "starter" / name).read_bytes().splitlines(keepends=True)
            (folder / benchmark / name).write_bytes(b"".join(lines[:rows]))
    queries = (BENCHMARKS / "tooleyes" / "starter" / "am.jsonl").read_text().splitlines(keepends=True)
    (folder / COMPUTING).mkdir()
    chosen = [line for line in queries if json.loads(line)["id"].startswith(COMPUTING)]
    (folder / COMPUTING / "am.jsonl").write_text("".join(chosen[:2]))
    (folder / "toolbehonest").mkdir()
    tasks = json.loads((BENCHMARKS / "toolbehonest" / "starter" / "test_en.json").read_bytes())
    (folder / "toolbehonest" / "test_en.json").write_text(json.dumps(tasks[:2]))
