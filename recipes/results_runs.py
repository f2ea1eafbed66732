"""Stored answers as scored run directories: each is scored once by each version of the scorer, then kept.

    score_packs({path: sha256}, work, official)     # one run directory per file of packed answers, several at a time

A directory is used again while the packed file, the scorer and the data are the same; so an interrupted build goes on
where it was, and adding a run scores that run alone.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tarfile
import tempfile
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from mtu_gpt4 import relabelled

import toolyard
from toolyard.benchmarks import load_benchmark
from toolyard.core.errors import DataError, ToolyardError
from toolyard.models.spec import ModelSpec
from toolyard.run.plan.fresh_sets import is_fresh, make_fresh
from toolyard.run.plan.run_config import path_sha256
from toolyard.run.play.execute import RunResult
from toolyard.run.settings import ScoreSettings
from toolyard.run.store.packs import Pack, read_pack, unpack_run
from toolyard.run.store.prediction_runs import run_of_predictions

HERE = Path(__file__).resolve().parent
BUILD, FRESH_SETS = HERE.parent / "build", HERE.parent / "records" / "answers" / "fresh"
# What runs on the kept fresh sets call their data; their folders are called so where they were run.
FRESH = "fresh"
RELEASED = "GPT-4 (released answers)"
KEY = "stored_answers.key"
# The parts of the package that every benchmark's scores may follow from.
SCORING = ("core", "lines.py", "models", "run", "stats", "text")
# No judge, and the embedder of the papers.
USUAL = ("", "minilm", "none")


@dataclass(frozen=True, slots=True)
class Scored:
    """A run directory with its scores, what its data are called, and how many samples were answered."""

    folder: Path
    data: str
    packed: int


def place_of(benchmark: str, data: str, official: Path) -> str:
    """Where data of that name, or that were at that path on another machine, are on this one."""
    if is_fresh(data):
        return make_fresh(load_benchmark(benchmark), int(data.partition(":")[2]))
    if data in ("starter", "hard") or (Path(data).is_absolute() and Path(data).exists()):
        return data
    if FRESH in (data, Path(data).parent.name):
        return str(kept_fresh(benchmark))
    name = benchmark if data == "official" else Path(data).name
    for folder in (official / name, official / "corpora" / name):
        if folder.exists():
            return str(folder)
    if data == "official":
        return data
    raise DataError(f"data {data} of {benchmark} are not in {official}; give --official DIR that holds them")


@cache
def kept_fresh(benchmark: str) -> Path:
    """The fresh set that is kept beside the answers: made once by `toolyard synth`, whatever that makes today."""
    archive, folder = FRESH_SETS / f"{benchmark}.tar.xz", BUILD / "fresh" / benchmark
    if not archive.exists():
        raise DataError(f"there is no {archive}; pack the folder of the fresh set with: tar cJf")
    if not folder.exists():
        _unpack_whole(archive, folder)
    return folder


def _unpack_whole(archive: Path, folder: Path) -> None:
    """Unpacks beside the place and moves there at once, so that another process never sees a half."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        with tarfile.open(archive) as files:
            files.extractall(scratch, filter="data")
        try:
            (Path(scratch) / folder.name).rename(folder)
        except OSError:
            if not folder.exists():
                raise


@cache
def scorer_digest(benchmark: str) -> str:
    """What tells one state of all that a benchmark's scores may follow from, from another."""
    root = Path(toolyard.__file__).parent
    own = root / "benchmarks" / benchmark
    places = [*(root / name for name in SCORING), own]
    files = [path for place in places for path in (place.rglob("*") if place.is_dir() else [place])]
    files += (root / "benchmarks").glob("*.py")
    digest = hashlib.sha256()
    for path in sorted(set(files)):
        if path.is_file() and path.suffix != ".pyc" and own / "synth" not in path.parents:
            digest.update(str(path.relative_to(root)).encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


@cache
def data_digest(place: str) -> str:
    """The hash of data at a path; names of sets stand for themselves."""
    return path_sha256(Path(place)) if Path(place).exists() else place


def kept(folder: Path, key: str, make: Callable[[], object], *, quiet: bool = False) -> Path:
    """The folder as it is where it was made under this key, else made anew."""
    mark = folder / KEY
    if not mark.exists() or mark.read_text() != key:
        shutil.rmtree(folder, ignore_errors=True)
        make()
        mark.write_text(key)
        if not quiet:
            print(f"scored {folder.name}", file=sys.stderr)
    return folder


def score_pack(
    path: Path,
    sha256: str,
    work: Path,
    official: Path,
    *,
    quiet: bool = False,
    then: Callable[[RunResult], object] | None = None,
) -> Scored | str:
    """The run of one packed file, or one line on why it cannot be scored here; `then` gets what was scored anew."""

    def make() -> None:
        result = unpack_run(pack, folder, place)
        if then is not None:
            then(result)

    pack = read_pack(path)
    data = str(pack.manifest["data"])
    folder = work / path.name.removesuffix(".jsonl.xz")
    try:
        place = place_of(pack.benchmark, data, official)
        key = f"{sha256} {scorer_digest(pack.benchmark)} {data_digest(place)}"
        kept(folder, key, make, quiet=quiet)
    except ToolyardError as error:
        return f"{path.name}: {error}"
    return Scored(folder, data, len({line["sample"] for line in pack.transcripts}))


def score_released(work: Path, official: Path) -> list[Scored]:
    """GPT-4's answers to MTU-Bench, which its authors released; nothing where they are not here."""
    data, answers = official / "mtu", official / "mtu" / "responses"
    if not answers.is_dir():
        return []
    folder = work / "released"

    def score() -> None:
        with tempfile.TemporaryDirectory() as scratch:
            # Two answers to S-M carry the id of another row, as in recipes/mtu_gpt4.py: one figure everywhere.
            put_right = relabelled(data, Path(scratch))
            run_of_predictions(
                ScoreSettings("mtu", data=str(data), predictions=put_right, runs=folder, name=RELEASED)
            )

    kept(folder, f"relabelled {scorer_digest('mtu')} {data_digest(str(data))}", score)
    (run,) = (path for path in folder.iterdir() if path.is_dir())
    return [Scored(run, "official", (run / "transcripts.jsonl").read_bytes().count(b"\n"))]


def score_packs(
    files: Mapping[Path, str], work: Path, official: Path, jobs: int | None = None
) -> tuple[list[Scored], list[str]]:
    """The runs of all packed files that can be scored here, several at a time, and a line for each that cannot."""
    work.mkdir(parents=True, exist_ok=True)
    score = partial(score_pack, work=work, official=official)
    jobs = jobs or os.cpu_count() or 1
    if jobs == 1:
        found = [score(path, sha256) for path, sha256 in files.items()]
    else:
        with ProcessPoolExecutor(jobs) as pool:
            found = list(pool.map(score, files, files.values()))
    scored = [item for item in found if isinstance(item, Scored)]
    return scored, [item for item in found if isinstance(item, str)]


def told(pack: Pack) -> tuple[object, ...]:
    """What a run was, whichever version of scorer and data it was made with: a later one takes its place."""
    identity = pack.manifest["identity"]
    surface = (pack.manifest.get("serving") or {}).get("surface")
    named = ("benchmark", "style", "trials", "variation", "limit", "seed")
    # A model is the same wherever it is served.
    model = ModelSpec.parse(str(identity["model"])).display
    return (
        model, *(identity.get(name) for name in named), str(sorted(identity["options"].items())),
        identity["decoding"]["temperature"], surface, pack.manifest["data"], *instruments(pack),
        *(f"{name} {identity[name]}" for name in ("catalogue", "perturb") if identity.get(name)),
        *([pack.manifest["label"]] if pack.manifest.get("label") else []),
    )  # fmt: skip


def instruments(pack: Pack) -> tuple[str, ...]:
    """Judge and embedder, where a run has others than the usual ones."""
    used = (str(pack.manifest["judge"]), str(pack.manifest["similarity"]))
    return tuple(ModelSpec.parse(name).display for name in used if name not in USUAL)
