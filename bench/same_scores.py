"""Every score file that our own and the official data give, so that two versions of the code can be compared.

    python bench/same_scores.py write before --shared DIR     (on the first commit)
    python bench/same_scores.py write after --shared DIR      (on the second)
    python bench/same_scores.py compare before after          (exit 1 where a byte differs)

Written are, per benchmark: `scores.jsonl` and the figures of report.json of every scripted answerer on the starter
set and on the official data, and figures with every sample's score of all parity files under both profiles. DIR is
the folder that holds `data/` and `parity/`. A second `write` into the same folder goes on where the first was stopped.
"""

from __future__ import annotations

import argparse
import filecmp
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import orjson

import toolyard
from toolyard.benchmarks import benchmark_names, load_benchmark
from toolyard.core.types import PROFILES
from toolyard.report.content import report_of
from toolyard.run.scoring import score_settings
from toolyard.run.settings import ScoreSettings

# Data without gold have no perfect answer.
WITHOUT_GOLD = (("tooleyes", "official"),)


@dataclass(frozen=True, slots=True)
class Saved:
    """Saved predictions of one benchmark."""

    benchmark: str
    data: Path
    predictions: Path
    evidence: Path | None = None


def saved_predictions(shared: Path, scratch: Path) -> Iterator[Saved]:
    """All parity files; sets that share a file are written apart into `scratch`."""
    parity, data = shared / "parity", shared / "data"
    for path in sorted((parity / "nestools").glob("*.jsonl")):
        yield Saved("nestools", data / "nestools", path)
    for path in sorted(item for item in (parity / "mtu").iterdir() if item.is_dir()):
        yield Saved("mtu", data / "mtu" / "benchmark", path)
    yield Saved("mtu", data / "mtu" / "benchmark", data / "mtu" / "responses")
    folder = parity / "toolbh"
    for name, predictions in orjson.loads((folder / "predictions.json").read_bytes()).items():
        path = scratch / f"{name}.json"
        path.write_bytes(orjson.dumps(predictions))
        yield Saved("toolbehonest", folder / "test_en.json", path)
    folder = parity / "tooleyes"
    yield Saved("tooleyes", data / "tooleyes", folder / "trajectories.jsonl", folder / "evidence.jsonl")


def official_data(shared: Path) -> dict[str, str]:
    """Where the official data of each benchmark are."""
    return {
        "nestools": str(shared / "data" / "nestools"),
        "mtu": str(shared / "data" / "mtu" / "benchmark"),
        "toolbehonest": str(shared / "parity" / "toolbh" / "test_en.json"),
        "tooleyes": str(shared / "data" / "tooleyes"),
    }


def write_run(out: Path, benchmark: str, kind: str, data: str, script: str) -> None:
    """The scores of one scripted answerer."""
    folder = out / f"{benchmark}_{kind}_{script}"
    if (folder / "figures.json").exists():
        return
    with tempfile.TemporaryDirectory() as runs:
        result = toolyard.evaluate(benchmark, f"scripted/{script}", data=data, runs=Path(runs))
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(result.folder / "scores.jsonl", folder)
        report = report_of(result.run).to_json()
        figures = {name: report[name] for name in ("profiles", "baselines", "chance_corrected")}
        (folder / "figures.json").write_bytes(orjson.dumps(figures, option=orjson.OPT_INDENT_2))


def write_saved(out: Path, saved: Saved) -> None:
    """The scores of saved predictions under both profiles."""
    for profile in PROFILES:
        name = f"{saved.benchmark}_parity_{saved.predictions.stem}_{profile}.json"
        if (out / name).exists():
            continue
        settings = ScoreSettings(
            saved.benchmark, str(saved.data), saved.predictions, saved.evidence, profile=profile
        )
        content = score_settings(settings).to_json(per_sample=True)
        (out / name).write_bytes(orjson.dumps(content, option=orjson.OPT_INDENT_2))


def write(out: Path, shared: Path) -> None:
    """All score files, one line on each as it is written."""
    out.mkdir(parents=True, exist_ok=True)
    official = official_data(shared)
    for benchmark in benchmark_names():
        scripts = ["oracle", "empty", *load_benchmark(benchmark).checks.baselines]
        for kind, data in (("starter", "starter"), ("official", official.get(benchmark))):
            for script in scripts if data is not None else []:
                if script == "oracle" and (benchmark, kind) in WITHOUT_GOLD:
                    continue
                print(benchmark, kind, script, flush=True)
                write_run(out, benchmark, kind, str(data), script)
    with tempfile.TemporaryDirectory() as scratch:
        for saved in saved_predictions(shared, Path(scratch)):
            print(saved.benchmark, "parity", saved.predictions.stem, flush=True)
            write_saved(out, saved)


def compare(first: Path, second: Path) -> int:
    """The number of files that differ or are in one folder only, each named."""
    names = sorted(
        {path.relative_to(side) for side in (first, second) for path in side.rglob("*") if path.is_file()}
    )
    different = [
        name
        for name in names
        if not all((side / name).exists() for side in (first, second))
        or not filecmp.cmp(first / name, second / name, shallow=False)
    ]
    for name in different:
        print(f"differs: {name}")
    print(f"{len(names) - len(different)} of {len(names)} files are the same byte by byte")
    return len(different)


def main() -> None:
    """Writes or compares, as asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    writing = verbs.add_parser("write")
    writing.add_argument("out", type=Path)
    writing.add_argument("--shared", type=Path, required=True)
    comparing = verbs.add_parser("compare")
    comparing.add_argument("first", type=Path)
    comparing.add_argument("second", type=Path)
    chosen = parser.parse_args()
    if chosen.verb == "write":
        write(chosen.out, chosen.shared)
    else:
        sys.exit(1 if compare(chosen.first, chosen.second) else 0)


if __name__ == "__main__":
    main()
