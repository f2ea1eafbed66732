"""Every score file that our own and the official data give, so that two versions of the code can be compared.

    python bench/same_scores.py write before --shared DIR                    (on the first commit)
    python bench/same_scores.py write after --shared DIR --answers before    (on the second)
    python bench/same_scores.py compare before after                         (exit 1 where a byte differs)

Written are, per benchmark: `scores.jsonl` and the figures of report.json of every scripted answerer on the starter
set and on the official data, and figures with every sample's score of all parity files under both profiles. DIR is
the folder that holds `data/` and `parity/`. A second `write` into the same folder goes on where the first was stopped;
`--only tooleyes` writes one benchmark.

The first `write` keeps its starter sets and transcripts; with `--answers` the second scores these instead of playing
again, so that what tools of another world return (all of ToolEyes) does not stand between two versions of the scoring.
What the trivial baselines earn is played anew in any case and stands in a file of its own.
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
from toolyard.report.content import make_report
from toolyard.run.grade.scoring import score_settings
from toolyard.run.play.execute import begin_run
from toolyard.run.run import Run
from toolyard.run.settings import ScoreSettings, Settings
from toolyard.run.store.run_directory import SCORES, TRANSCRIPTS

# Data without gold have no perfect answer.
WITHOUT_GOLD = (("tooleyes", "official"),)


# Starter sets and transcripts of the first version; not compared.
KEPT = "kept"


@dataclass(frozen=True, slots=True)
class Places:
    """Where score files go, and whose answers they are of: this version's where none are named."""

    out: Path
    answers: Path | None = None


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


def write_run(place: Places, benchmark: str, kind: str, data: str, script: str) -> None:
    """The scores of one scripted answerer, whose answers are played here or were kept by another version."""
    name = f"{benchmark}_{kind}_{script}"
    folder = place.out / name
    if (folder / "baselines.json").exists():
        return
    with tempfile.TemporaryDirectory() as runs:
        settings = Settings(benchmark, f"scripted/{script}", data=data, runs=Path(runs))
        if place.answers is not None:
            take_answers(settings, place.answers / KEPT / name / TRANSCRIPTS)
        result = toolyard.evaluate(benchmark, settings.model, data=data, runs=Path(runs))
        for target, file in ((folder, SCORES), (place.out / KEPT / name, TRANSCRIPTS)):
            target.mkdir(parents=True, exist_ok=True)
            shutil.copy(result.folder / file, target)
        report = make_report(result.run).to_json()
        for file, parts in (
            ("figures.json", ("profiles",)),
            ("baselines.json", ("baselines", "chance_corrected")),
        ):
            content = {part: report[part] for part in parts}
            (folder / file).write_bytes(orjson.dumps(content, option=orjson.OPT_INDENT_2))


def take_answers(settings: Settings, transcripts: Path) -> None:
    """Puts kept transcripts into the run that the settings lead to, so that nothing is left to play."""
    run = Run.plan(settings)
    with run.store.locked():
        begin_run(run)
        shutil.copy(transcripts, run.folder / TRANSCRIPTS)


def starter_of(place: Places, benchmark: str) -> str:
    """The starter set that is scored: a copy of this version's, or the one that the first version kept."""
    if place.answers is not None:
        return str(place.answers / KEPT / "starter" / benchmark)
    kept = place.out / KEPT / "starter" / benchmark
    if not kept.exists():
        source = load_benchmark(benchmark).data.starter
        assert source is not None, f"{benchmark} has no starter set"
        (shutil.copytree if source.is_dir() else shutil.copy)(source, _made(kept))
    return str(kept)


def _made(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


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


def write(place: Places, shared: Path, only: str = "") -> None:
    """All score files, one line on each as it is written."""
    place.out.mkdir(parents=True, exist_ok=True)
    official = official_data(shared)
    for benchmark in [only] if only else benchmark_names():
        scripts = ["oracle", "empty", *load_benchmark(benchmark).checks.baselines]
        for kind, data in (("starter", starter_of(place, benchmark)), ("official", official.get(benchmark))):
            for script in scripts if data is not None else []:
                if script == "oracle" and (benchmark, kind) in WITHOUT_GOLD:
                    continue
                print(benchmark, kind, script, flush=True)
                write_run(place, benchmark, kind, str(data), script)
    with tempfile.TemporaryDirectory() as scratch:
        for saved in saved_predictions(shared, Path(scratch)):
            if only in ("", saved.benchmark):
                print(saved.benchmark, "parity", saved.predictions.stem, flush=True)
                write_saved(place.out, saved)


def compare(first: Path, second: Path) -> int:
    """The number of files that differ or are in one folder only, each named."""
    names = sorted(
        {
            path.relative_to(side)
            for side in (first, second)
            for path in side.rglob("*")
            if path.is_file() and KEPT not in path.parts
        }
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
    writing.add_argument("--answers", type=Path, help="folder of another version: score what it kept")
    writing.add_argument("--only", default="", help="one benchmark")
    comparing = verbs.add_parser("compare")
    comparing.add_argument("first", type=Path)
    comparing.add_argument("second", type=Path)
    chosen = parser.parse_args()
    if chosen.verb == "write":
        write(Places(chosen.out, chosen.answers), chosen.shared, chosen.only)
    else:
        sys.exit(1 if compare(chosen.first, chosen.second) else 0)


if __name__ == "__main__":
    main()
