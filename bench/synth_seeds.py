"""Do the pipelines hold under any seed? Every one with few rows, seed after seed, in process; then its set is checked.

    python bench/synth_seeds.py --seeds 0:200 --workers 16 [--pipelines nestools/world,mtu/world] [--sources FOLDER]
        [--out FILE]

One line per failure (pipeline, seed, error) and a table at the end; exit 1 if anything failed. Pipelines that ask a
model are left out, the one that reads corpora as well unless `--sources` names them. "written" draws nothing and is tried
once. Each seed makes its set, loads it and plays gold, which must score 1. `--out` keeps one line per try: the same command
again goes on after what it holds, and shards (`--seeds 0:100`, `--seeds 100:200`) may share a file one after the other. A
process that dies is a failure of what it was at, and the rest goes on.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass
from pathlib import Path

from toolyard.benchmarks import load_benchmark
from toolyard.core.benchmark import RunSetup
from toolyard.core.types import Options
from toolyard.run.grade.grading import grade
from toolyard.run.play.offline import play_offline
from toolyard.synth.command import MIXTURE, SynthSettings, benchmark_pipelines, synthesise

BENCHMARKS = ("nestools", "mtu", "toolbehonest", MIXTURE)
Try = tuple[str, int]
ROWS = {"corpora": 40, MIXTURE: 40}
FEW_ROWS = 8


@dataclass(frozen=True, slots=True)
class Tried:
    """One pipeline under one seed: how many rows it made, or why it failed."""

    pipeline: str
    seed: int
    rows: int
    seconds: float
    error: str = ""


def offered(sources: Path | None) -> list[str]:
    """The pipelines that need no model, as `benchmark/origin`."""
    return [
        f"{benchmark}/{name}"
        for benchmark in BENCHMARKS
        for name, pipeline in benchmark_pipelines(benchmark).items()
        if not pipeline.asks and (sources is not None or not pipeline.needs_sources)
    ]


def tried(pipeline: str, seed: int, sources: Path | None) -> Tried:
    """The outcome of one pipeline under one seed; any exception is a failure with its name."""
    benchmark, _, origin = pipeline.partition("/")
    folder = Path(tempfile.mkdtemp(prefix="synth_seeds_"))
    begun = time.monotonic()
    try:
        rows = ROWS.get(origin, ROWS.get(benchmark, FEW_ROWS))
        settings = SynthSettings(
            benchmark,
            origin=origin,
            rows=rows if origin != "written" else None,
            seed=seed,
            sources=sources if benchmark_pipelines(benchmark)[origin].needs_sources else None,
            out=folder / "set",
            workers=1,
        )
        made = synthesise(settings)
        fault = "" if benchmark == MIXTURE else _fault(benchmark, folder / "set")
        return Tried(pipeline, seed, made.rows, time.monotonic() - begun, fault)
    except Exception as error:  # any exception is what this bench looks for
        return Tried(pipeline, seed, 0, time.monotonic() - begun, f"{type(error).__name__}: {error}"[:300])
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _fault(benchmark: str, folder: Path) -> str:
    """The first sample of a set on which gold does not score 1 by `outcome`; empty where there is none."""
    record = load_benchmark(benchmark)
    samples = record.data.load(folder, Options(record.task.styles[0]))
    setup = RunSetup.default(record)
    by_id = {sample.id: sample for sample in samples}
    for transcript in play_offline(setup, samples, record.checks.oracle):
        value = grade(setup, by_id[transcript.sample], transcript, {}, "paper").score.values.get("outcome")
        if value is not None and value != 1:
            return f"gold of {transcript.sample} has outcome {value}"
    return ""


def wanted(pipelines: Sequence[str], seeds: range) -> list[Try]:
    """Every pipeline under every seed; what draws nothing once."""
    return [
        (pipeline, seed)
        for seed in seeds
        for pipeline in pipelines
        if seed == seeds[0] or not pipeline.endswith("/written")
    ]


def outcomes(tries: Sequence[Try], workers: int, sources: Path | None) -> Iterator[Tried]:
    """The tries as they end; after the death of a process those that were not done go on, one process for each."""
    undone = dict.fromkeys(tries)
    with ProcessPoolExecutor(workers) as pool:
        waiting: dict[Future[Tried], Try] = {pool.submit(tried, *each, sources): each for each in tries}
        for done in as_completed(waiting):
            if not isinstance(done.exception(), BrokenProcessPool):
                del undone[waiting[done]]
                yield done.result()
    for each in undone:
        yield _alone(each, sources)


def _alone(each: Try, sources: Path | None) -> Tried:
    """One try in a process of its own."""
    with ProcessPoolExecutor(1) as pool:
        done = pool.submit(tried, *each, sources)
        if isinstance(done.exception(), BrokenProcessPool):
            return Tried(*each, 0, 0.0, "the process died")
        return done.result()


def kept(out: Path | None) -> list[Tried]:
    """What earlier runs of the same command did."""
    if out is None or not out.exists():
        return []
    return [Tried(**json.loads(line)) for line in out.read_text("utf-8").splitlines()]


def keep(out: Path | None, one: Tried) -> None:
    """One more line of the file, if there is one."""
    if out is not None:
        with out.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(one)) + "\n")


def table(pipelines: Sequence[str], tries: Sequence[Tried]) -> str:
    """Seeds, failures, rows and time of each pipeline."""
    rows = ["| pipeline | seeds | failed | rows | seconds per seed |", "|---|---:|---:|---:|---:|"]
    for name in pipelines:
        own = [one for one in tries if one.pipeline == name]
        mean = sum(one.seconds for one in own) / max(len(own), 1)
        failed, made = sum(bool(one.error) for one in own), sum(one.rows for one in own)
        rows.append(f"| {name} | {len(own)} | {failed} | {made} | {mean:.1f} |")
    return "\n".join(rows)


def main(given: Sequence[str] | None = None) -> None:
    """Tries them and prints what failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seeds", default="0:20", help="FIRST:END, END not among them")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--pipelines", default="", help="default: all that need no model")
    parser.add_argument("--sources", type=Path)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args(given)
    first, _, end = arguments.seeds.partition(":")
    pipelines = arguments.pipelines.split(",") if arguments.pipelines else offered(arguments.sources)
    done = kept(arguments.out)
    before = {(one.pipeline, one.seed) for one in done}
    left = [each for each in wanted(pipelines, range(int(first), int(end))) if each not in before]
    for one in outcomes(left, arguments.workers, arguments.sources):
        done.append(one)
        keep(arguments.out, one)
        if one.error:
            print(f"FAILED {one.pipeline} --seed {one.seed}: {one.error}", flush=True)
        elif len(done) % 50 == 0:
            print(f"{len(done)} of {len(before) + len(left)} done", flush=True)
    print(table(pipelines, done))
    sys.exit(1 if any(one.error for one in done) else 0)


if __name__ == "__main__":
    main()
