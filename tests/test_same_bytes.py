"""Same inputs, same bytes: across processes, hash seeds, time zones, locales and numbers of workers."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

RUN = """
import json, sys, toolyard
from pathlib import Path
name, runs, workers = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
judge = "scripted/random" if name == "tooleyes" else ""
for model in ("scripted/oracle", "scripted/random"):
    toolyard.evaluate(
        name, model, judge=judge, data="starter", runs=runs, limit=3, concurrency=workers, name=model[9:]
    )
"""
# (hash seed, time zone, locale, workers)
SURROUNDINGS = (
    ("0", "UTC", "C.UTF-8", "1"),
    ("4294967295", "Pacific/Kiritimati", "POSIX", "7"),
)


def written(name: str, runs: Path, surroundings: tuple[str, str, str, str]) -> dict[str, object]:
    """What two runs leave behind: scores as bytes, transcripts and evidence as sets of lines, figures."""
    seed, zone, locale, workers = surroundings
    environment = {**os.environ, "PYTHONHASHSEED": seed, "TZ": zone, "LC_ALL": locale, "LANG": locale}
    done = subprocess.run(
        [sys.executable, "-c", RUN, name, str(runs), workers],
        env=environment, capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    found: dict[str, object] = {}
    for folder in sorted(runs.iterdir()):
        found[f"{folder.name} scores"] = (folder / "scores.jsonl").read_bytes()
        for file in ("transcripts.jsonl", "evidence.jsonl"):
            if (folder / file).exists():
                # Workers finish in any order; what they write is the same.
                found[f"{folder.name} {file}"] = sorted((folder / file).read_bytes().splitlines())
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        found[f"{folder.name} identity"] = (manifest["digest"], manifest["identity"])
    return found


@pytest.mark.parametrize("name", ["nestools", "mtu", "toolbehonest", "tooleyes"])
def test_runs_leave_the_same_bytes_wherever_they_are_made(name: str, tmp_path: Path) -> None:
    first, other = (
        written(name, tmp_path / str(place), surroundings) for place, surroundings in enumerate(SURROUNDINGS)
    )
    assert any(first.values())
    assert other == first
