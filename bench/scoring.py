"""Predictions scored per second of one core, beside a plain restatement of the printed definitions.

    python bench/scoring.py [--rounds 5] [--nestools DATA PREDICTIONS]

Rows are those of the starter sets, answered in turn by the oracle, the trivial baselines and nothing, or the data and
predictions given. Every way is measured once in each round, in processor seconds: median, and smallest to largest.
Ours reads the reply, scores it, labels its errors, judges the outcome and says why points were lost, under the profile
named; "printed figures alone" is `score --printed-only`: the same reading, and the paper's own figures. In the first
round the gold of every row is made ready as well: the low end of the spread is what a stream of new rows gets.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import restated
from spread import Spread, side_by_side

from toolyard.benchmarks import load_benchmark
from toolyard.core.benchmark import Benchmark, RunSetup
from toolyard.core.errors import MissingAsset
from toolyard.core.types import Options, Profile, Sample, Transcript
from toolyard.run.grade.grading import grade, keep_printed_metrics, questions_by_key
from toolyard.run.plan.data_sources import load_samples
from toolyard.run.play.offline import play_offline

AIMS = {"nestools": 20_000, "mtu": 50_000, "tooleyes": 50_000}
LEAST_ROWS = 1_000

Rows = list[tuple[Sample, Transcript]]


def answered(benchmark: Benchmark) -> Rows:
    """The starter's samples, repeated to a thousand, with answers of all kinds."""
    # ToolEyes plays its answers in a world, which takes longer than all scoring.
    options = Options(benchmark.task.styles[0])
    samples = load_samples(benchmark, "starter", options)[: 40 if benchmark.task.scene else None]
    setup = RunSetup.default(benchmark)
    answerers = [benchmark.checks.oracle, *benchmark.checks.baselines.values()]
    played = [play_offline(setup, samples, answerer) for answerer in answerers]
    rows: Rows = []
    while len(rows) < LEAST_ROWS:
        for place, sample in enumerate(samples):
            transcript = played[len(rows) % len(played)][place]
            name = f"{sample.id}/{len(rows)}"
            rows.append((replace(sample, id=name), replace(transcript, sample=name)))
    return rows


def saved(data: Path, predictions: Path) -> Rows:
    """Saved NesTools predictions."""
    benchmark = load_benchmark("nestools")
    samples = benchmark.data.load(data, Options())
    by_id = {sample.id: sample for sample in samples}
    assert benchmark.scoring.read_predictions is not None
    found = benchmark.scoring.read_predictions(predictions, samples)
    return [(by_id[each.sample], each) for each in found if each.error is None]


def ours(benchmark: Benchmark, rows: Rows, profile: Profile) -> Callable[[], object]:
    """Reading and scoring of every row."""
    setup = RunSetup.default(benchmark)
    return lambda: [grade(setup, sample, answer, {}, profile) for sample, answer in rows]


def plainly(name: str, rows: Rows) -> Callable[[], object]:
    """The same rows by the plain restatement."""
    if name == "nestools":
        return lambda: [restated.nestools(sample.gold["calls"], answer.text) for sample, answer in rows]
    if name == "mtu":
        return lambda: [restated.mtu(sample.gold["calls"], answer.text) for sample, answer in rows]
    tools = [offered(sample) for sample, _ in rows]
    return lambda: [
        restated.tooleyes([completion.text for completion in answer.completions], known)
        for (_, answer), known in zip(rows, tools, strict=True)
    ]


def offered(sample: Sample) -> dict[str, Sequence[str]]:
    """The tools of a ToolEyes sample with what each requires."""
    found = {}
    for document in sample.input["documents"]:
        function = document.get("function", document)
        found[function["name"]] = function.get("parameters", {}).get("required", ())
    return found


def line(name: str, profile: str, items: int, spread: Spread, plain: Spread) -> str:
    """One line of the table."""
    aim = 0 if profile == "official" else AIMS[name]
    met = "" if not aim else f"{items / spread.middle / aim:.2f} of {aim:,}"
    rates = f"{spread.rate(items)} | {plain.rate(items)} | {plain.middle / spread.middle:.2f}"
    return f"| {name} {profile} | {items:,} | {rates} | {met} |"


def embedder_share(rounds: int) -> str:
    """How much of ToolBeHonest's scoring is the embedder, on the starter with answers in other words."""
    from toolyard.models.embed.embedding import load_embedder
    from toolyard.models.judge.judge_answers import AskedQuestion, find_nearest_candidates

    benchmark = load_benchmark("toolbehonest")
    setup = RunSetup.default(benchmark)
    rows = answered(benchmark)
    asked = [
        AskedQuestion(sample.id, question, key=key)
        for sample, answer in rows
        for key, question in questions_by_key(setup, sample, answer).items()
    ]
    embed, score = [], []
    for _ in range(rounds):
        embedder = load_embedder("minilm", keep=False)
        embedder(["warm up"])
        started = time.process_time()
        found = find_nearest_candidates(asked, embedder)
        embed.append(time.process_time() - started)
        book = {(item.sample, item.trial, item.key): item for item in found}
        started = time.process_time()
        for sample, answer in rows:
            grade(setup, sample, answer, book, "paper")
        score.append(time.process_time() - started)
    shares = sorted(first / (first + second) for first, second in zip(embed, score, strict=True))
    rates = sorted(len(rows) / second for second in score)
    return (
        f"ToolBeHonest: the embedder takes {shares[len(shares) // 2]:.0%} ({shares[0]:.0%} to {shares[-1]:.0%}) of the "
        f"processor seconds for {len(rows):,} answers with {len(asked):,} questions; the rest runs at "
        f"{rates[len(rates) // 2]:,.0f} answers a second."
    )


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--nestools", nargs=2, type=Path, metavar=("DATA", "PREDICTIONS"))
    parser.add_argument("--only", choices=[*AIMS], help="one benchmark")
    parser.add_argument("--no-embedder", action="store_true")
    chosen = parser.parse_args()
    print("| rows | items | ours, items/s | plain restatement, items/s | ours : plain | of the aim |")
    print("|---|---:|---:|---:|---:|---:|")
    for name in (chosen.only,) if chosen.only else AIMS:
        benchmark = load_benchmark(name)
        rows = saved(*chosen.nestools) if name == "nestools" and chosen.nestools else answered(benchmark)
        items = sum(len(answer.completions) for _, answer in rows) if name == "tooleyes" else len(rows)
        alone, plain = side_by_side(
            chosen.rounds, ours(keep_printed_metrics(benchmark), rows, "paper"), plainly(name, rows)
        )
        print(line(name, "printed figures alone", items, alone, plain), flush=True)
        for profile in benchmark.profiles:
            mine, plain = side_by_side(chosen.rounds, ours(benchmark, rows, profile), plainly(name, rows))
            print(line(name, profile, items, mine, plain), flush=True)
    if not chosen.no_embedder:
        try:
            print(f"\n{embedder_share(min(2, chosen.rounds))}")
        except MissingAsset as error:
            print(f"\nToolBeHonest was left out: {error}")


if __name__ == "__main__":
    main()
