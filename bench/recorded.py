"""Recorded answers as graded rows, for the scripts that draw samples from them; no model is asked.

MTU-Bench: the authors' released answers of GPT-4, the stored answers in records/answers and answers damaged on
purpose. NesTools: answers damaged on purpose. All four: the packed answers of real models in records/answers/results.
All but records/answers lie in ../shared, which must be there.
"""

from __future__ import annotations

import json
import lzma
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from toolyard.benchmarks import load_benchmark
from toolyard.core.benchmark import Benchmark, RunSetup
from toolyard.core.metrics import Floats, Metric
from toolyard.core.types import Options, Sample, Transcript
from toolyard.run.grade.grading import grade_all
from toolyard.run.store.packs import read_pack, unpack_run
from toolyard.stats.drop_test import paired_difference
from toolyard.stats.paired import PairedTerms, pair_terms
from toolyard.stats.summary import Graded, rows_of

HERE = Path(__file__).resolve().parent
SHARED = HERE.parents[1] / "shared"
STORED = HERE.parent / "records" / "answers"
RESULTS = HERE / "results"
STORED_MODELS = {
    "SmolLM2-135M": "mtu_smollm2_base",
    "SmolLM2-135M tuned": "mtu_smollm2_tuned",
    "Qwen2.5-Coder-1.5B": "mtu_qwen_coder_1.5b",
}


@dataclass(frozen=True, slots=True)
class Recorded:
    """One model's answers, graded as the paper defines it."""

    benchmark: Benchmark
    name: str
    graded: tuple[Graded, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two recorded models in one figure, side by side on the clusters that both answered."""

    title: str
    metric: Metric
    terms: PairedTerms
    first: tuple[Graded, ...]
    second: tuple[Graded, ...]

    @property
    def difference(self) -> float:
        """First minus second over all shared clusters."""
        return paired_difference(self.metric, self.terms)


def mtu_models() -> dict[str, Recorded]:
    """Everything recorded for MTU-Bench, by name."""
    benchmark = load_benchmark("mtu")
    samples = benchmark.data.load(SHARED / "data" / "mtu", Options("default"))
    found = {"GPT-4": _read(benchmark, samples, SHARED / "data" / "mtu" / "responses")}
    for name, file in STORED_MODELS.items():
        lines = map(json.loads, lzma.decompress((STORED / f"{file}.jsonl.xz").read_bytes()).splitlines())
        found[name] = [Transcript.answered(row["id"], row["response"]) for row in lines]
    for folder in sorted(path for path in (SHARED / "parity" / "mtu").iterdir() if path.is_dir()):
        found[folder.name] = _read(benchmark, samples, folder)
    return {name: _graded(benchmark, name, samples, answers) for name, answers in found.items()}


def nestools_models() -> dict[str, Recorded]:
    """The damaged answers of NesTools, by name."""
    benchmark = load_benchmark("nestools")
    samples = benchmark.data.load(SHARED / "data" / "nestools", Options("default"))
    files = sorted((SHARED / "parity" / "nestools").glob("*.jsonl"))
    return {
        file.stem: _graded(benchmark, file.stem, samples, _read(benchmark, samples, file)) for file in files
    }


def packed_model(file: str) -> Recorded:
    """Answers of a real model out of records/answers/results, scored again by the installed scorer."""
    pack = read_pack(STORED / "results" / f"{file}.jsonl.xz")
    official = SHARED / "data" / pack.benchmark
    with tempfile.TemporaryDirectory() as folder:
        data = str(official) if pack.manifest["data"] == "official" else None
        found = unpack_run(pack, Path(folder) / file, data)
        graded = tuple(found.graded["paper"])
    return Recorded(load_benchmark(pack.benchmark), file.rpartition("_")[0].partition("_")[2], graded)


def _read(benchmark: Benchmark, samples: tuple[Sample, ...], path: Path) -> list[Transcript]:
    assert benchmark.scoring.read_predictions is not None
    return [
        item for item in benchmark.scoring.read_predictions(path, samples) if item.error is None
    ]  # fmt: skip


def _graded(
    benchmark: Benchmark, name: str, samples: Iterable[Sample], answers: Iterable[Transcript]
) -> Recorded:
    by_id = {answer.sample: answer for answer in answers}
    kept = [sample for sample in samples if sample.id in by_id]
    transcripts = [by_id[sample.id] for sample in kept]
    return Recorded(
        benchmark, name, tuple(grade_all(RunSetup.default(benchmark), kept, transcripts, {}, "paper"))
    )


def paired(first: Recorded, second: Recorded, figure: str) -> Pair:
    """The two on the samples that both answered."""
    shared = {item.sample.id for item in first.graded} & {item.sample.id for item in second.graded}
    sides = [
        tuple(item for item in each.graded if item.sample.id in shared and item.score.unscored is None)
        for each in (first, second)
    ]
    metric = first.benchmark.scoring.metric(figure)
    terms = pair_terms(metric, *(rows_of(side) for side in sides))
    assert terms is not None
    return Pair(f"{first.name} against {second.name}, {first.benchmark.name}", metric, terms, *sides)


def swapping_chance(pair_: Pair, wanted: float) -> float:
    """How often the two results of a cluster must be swapped for a true difference of `wanted` (0: half the time)."""

    def true_difference(chance: float) -> float:
        a, b = pair_.terms.first.sum(axis=0), pair_.terms.second.sum(axis=0)
        first, second = (1 - chance) * a + chance * b, (1 - chance) * b + chance * a
        return float(pair_.metric.value(first) - pair_.metric.value(second))

    return _halved(true_difference, wanted)


def _halved(function: Callable[[float], float], wanted: float) -> float:
    low, high = 0.0, 1.0
    rising = function(high) > function(low)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if (function(middle) < wanted) == rising else (low, middle)
    return (low + high) / 2


def resampled(terms: PairedTerms, chance: float, generator: np.random.Generator) -> PairedTerms:
    """As many clusters drawn with replacement, each with its two results swapped at that chance."""
    count = len(terms.first)
    drawn = generator.integers(0, count, count)
    swapped = (generator.random(count) < chance)[:, None]
    a, b = terms.first[drawn], terms.second[drawn]
    first: Floats = np.where(swapped, b, a)
    return PairedTerms(first, np.where(swapped, a, b))
