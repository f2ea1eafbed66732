"""Prints the sha256 of all that a fixed set of commands writes, so that machines and Python versions can be compared.

    python bench/faults/same_bytes.py --out here.json
    python bench/faults/same_bytes.py --compare here.json there.json

Each benchmark is run twice (right answers and random ones), scored again, reported, and made anew from a seed. Reports and
manifests tell when and on what machine they were made; these words alone are left out. Exit 1 where something differs.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BENCHMARKS = ("nestools", "mtu", "toolbehonest", "tooleyes")
# ToolEyes' queries are written by hand.
MADE = BENCHMARKS[:3]
# And the sum over a manifest that holds such times, by which a report knows whether it is still that of its run.
TIMES = re.compile(rb'20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:.]+(?:[+]00:00|Z)?|(?<="source": ")[0-9a-f]{64}')
PASSED_OVER = (".lock",)


def main() -> int:
    """Makes or compares; 1 where something differs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, help="Write the sums there.")
    parser.add_argument("--compare", nargs=2, type=Path, metavar="FILE", help="Two files of --out.")
    parser.add_argument("--keep", type=Path, help="Make the files there, and leave them.")
    parser.add_argument("--rows", type=int, default=4, help="Rows of each made set.")
    options = parser.parse_args()
    if options.compare:
        return compared(*(json.loads(path.read_text(encoding="utf-8")) for path in options.compare))
    with tempfile.TemporaryDirectory() as scratch:
        folder = (options.keep or Path(scratch)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        made(folder, options.rows)
        sums = {str(path.relative_to(folder)): digest(path) for path in files(folder)}
    text = json.dumps(
        {"python": platform.python_version(), "machine": platform.machine(), "files": sums}, indent=1
    )
    if options.out:
        options.out.write_text(text + "\n", encoding="utf-8")
    print(text)
    return 0


def made(folder: Path, rows: int) -> None:
    """Runs the commands; what they print is kept beside what they write."""
    for name in BENCHMARKS:
        for model in ("oracle", "random"):
            run = f"{name}-{model}"
            judge = ("--judge", "scripted/random") if name == "tooleyes" else ()
            same = ("--limit", "3", "--runs", ".", "--name", run, "--embedder", "hash", "--concurrency", "1")
            toolyard(
                folder, f"{run}.run.json", "run", name, "-m", f"scripted/{model}", *same, *judge, "--json"
            )
            toolyard(folder, f"{run}.score.json", "score", run, "--json")
            toolyard(folder, f"{run}.report.json", "report", run, "--json")
        if name not in MADE:
            continue
        made_set = f"{name}-set"
        words = ("synth", name, "--from", "world", "--rows", str(rows), "--seed", "5", "--out", made_set)
        toolyard(folder, f"{made_set}.txt", *words, "--embedder", "hash", "--workers", "1")


def toolyard(folder: Path, kept: str, *words: str) -> None:
    """One command in that folder; ends the program where it fails."""
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "COLUMNS": "120", "NO_COLOR": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "toolyard", *words], cwd=folder, env=env, capture_output=True, check=False
    )
    if done.returncode not in (0, 2):
        sys.exit(
            f"toolyard {' '.join(words)}: exit {done.returncode}: {done.stderr.decode(errors='replace')[-600:]}"
        )
    (folder / kept).write_bytes(done.stdout)


def files(folder: Path) -> list[Path]:
    """What is compared, in order."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return sorted(path for path in found if not path.name.endswith(PASSED_OVER))


def digest(path: Path) -> str:
    """The sum of a file without times and the names of this Python and this machine."""
    data = TIMES.sub(b"TIME", path.read_bytes())
    for word in (platform.python_version(), platform.machine()):
        data = data.replace(word.encode(), b"HERE")
    return hashlib.sha256(data).hexdigest()


def compared(first: dict[str, dict[str, str]], second: dict[str, dict[str, str]]) -> int:
    """Names every file that differs or stands on one side only."""
    here, there = first["files"], second["files"]
    differing = sorted(name for name in here.keys() | there.keys() if here.get(name) != there.get(name))
    for name in differing:
        print(f"differs: {name}" if name in here and name in there else f"on one side only: {name}")
    sides = " and ".join(f"Python {side['python']} on {side['machine']}" for side in (first, second))
    print(
        f"{len(here.keys() & there.keys()) - len(differing)} of {len(here.keys() | there.keys())} files agree: {sides}"
    )
    return int(bool(differing))


if __name__ == "__main__":
    sys.exit(main())
