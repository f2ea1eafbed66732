"""Do the pipelines hold under any seed? Every one with few rows, seed after seed, in process; then its set is checked.

    python bench/synth_seeds.py --seeds 0:200 --workers 16 [--pipelines nestools/world,mtu/world] [--sources FOLDER]

One line per failure (pipeline, seed, error) and a table at the end; exit 1 if anything failed. Pipelines that ask a
model are left out, the one that reads corpora as well unless `--sources` names them. "written" draws nothing and is tried
once. Each seed makes its set, loads it and plays gold, which must score 1.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from toolyard.benchmarks import load_benchmark
from toolyard.core.benchmark import RunSetup
from toolyard.core.errors import ToolyardError
from toolyard.core.types import Options
from toolyard.run.grading import grade
from toolyard.run.offline import play_offline
from toolyard.synth.command import MIXTURE, SynthSettings, pipelines_of, synthesise

BENCHMARKS = ("nestools", "mtu", "toolbehonest", MIXTURE)
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
        for name, pipeline in pipelines_of(benchmark).items()
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
            sources=sources if pipelines_of(benchmark)[origin].needs_sources else None,
            out=folder / "set",
            workers=1,
        )
        made = synthesise(settings)
        fault = "" if benchmark == MIXTURE else _fault(benchmark, folder / "set")
        return Tried(pipeline, seed, made.rows, time.monotonic() - begun, fault)
    except (
        ToolyardError,
        ArithmeticError,
        LookupError,
        ValueError,
        TypeError,
        AttributeError,
        OSError,
    ) as error:
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


def outcomes(pipelines: Sequence[str], seeds: range, workers: int, sources: Path | None) -> Iterator[Tried]:
    """Every pipeline under every seed, as they end."""
    with ProcessPoolExecutor(workers) as pool:
        waiting = [
            pool.submit(tried, pipeline, seed, sources)
            for seed in seeds
            for pipeline in pipelines
            if seed == seeds[0] or not pipeline.endswith("/written")
        ]
        for done in as_completed(waiting):
            yield done.result()


def main(given: Sequence[str] | None = None) -> None:
    """Tries them and prints what failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seeds", default="0:20", help="FIRST:END, END not among them")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--pipelines", default="", help="default: all that need no model")
    parser.add_argument("--sources", type=Path)
    arguments = parser.parse_args(given)
    first, _, end = arguments.seeds.partition(":")
    pipelines = arguments.pipelines.split(",") if arguments.pipelines else offered(arguments.sources)
    numbers, failed, rows, seconds = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for one in outcomes(pipelines, range(int(first), int(end)), arguments.workers, arguments.sources):
        numbers[one.pipeline] += 1
        rows[one.pipeline] += one.rows
        seconds[one.pipeline] += int(1000 * one.seconds)
        if one.error:
            failed[one.pipeline] += 1
            print(f"FAILED {one.pipeline} --seed {one.seed}: {one.error}", flush=True)
    print("| pipeline | seeds | failed | rows | seconds per seed |\n|---|---:|---:|---:|---:|")
    for name in pipelines:
        mean = seconds[name] / 1000 / max(numbers[name], 1)
        print(f"| {name} | {numbers[name]} | {failed[name]} | {rows[name]} | {mean:.1f} |")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
