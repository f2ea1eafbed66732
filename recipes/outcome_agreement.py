"""Do careful readers sign `outcome`? Real answers as a sheet without any score, and later labels beside the figure.

    python recipes/outcome_agreement.py export mtu --data DIR --predictions DIR --number 100 --seed 15 --out sheet.jsonl
    # a reader writes {"item": 1, "right": true, "why": "..."} per line, without having seen a score
    python recipes/outcome_agreement.py compare sheet.jsonl labels.jsonl [labels_2.jsonl] --data DIR --predictions DIR

The sheet shows what the model was asked last, the tools it could call, the gold answer and the answer itself, in a seeded
order over all settings or levels; nothing in it comes from a scorer. Predictions are in the benchmark's official results
form, or a run directory's `transcripts.jsonl`. `compare` prints the agreement of every reader with `outcome`, kappa, the
agreement among readers, and every disagreement with the reasons that both gave.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from toolyard.benchmarks import load_benchmark
from toolyard.core.benchmark import Benchmark, RunSetup
from toolyard.core.types import Completion, Json, Options, Sample, Score, Transcript
from toolyard.run.grading import grade
from toolyard.stats.agreement import cohen_kappa

LAST_TURNS = 6


def answers(benchmark: Benchmark, data: str, predictions: Path) -> list[tuple[Sample, Transcript]]:
    """Every answered sample with its answer."""
    path = benchmark.data.starter if data == "starter" else Path(data)
    samples = benchmark.data.load(path, Options(benchmark.task.styles[0]))
    if predictions.name == "transcripts.jsonl":
        found = list(_transcripts(predictions))
    elif benchmark.scoring.read_predictions is not None:
        found = list(benchmark.scoring.read_predictions(predictions, samples))
    by_id = {sample.id: sample for sample in samples}
    return [(by_id[each.sample], each) for each in found if each.error is None and each.sample in by_id]


def _transcripts(path: Path) -> Iterator[Transcript]:
    """The answers of a run directory, as far as they are text."""
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        texts = [str(each.get("text", "")) for each in row.get("completions", [])]
        if texts and not row.get("error"):
            yield Transcript(row["sample"], completions=tuple(Completion(text) for text in texts))


def export(arguments: argparse.Namespace) -> None:
    """Write the sheet: so many answers in a seeded order, without a score."""
    benchmark = load_benchmark(arguments.benchmark)
    left_out = set(arguments.without.read_text(encoding="utf-8").split()) if arguments.without else set()
    pool = [
        pair
        for pair in answers(benchmark, arguments.data, arguments.predictions)
        if pair[0].id not in left_out
    ]
    random.Random(arguments.seed).shuffle(pool)
    lines = [
        json.dumps(
            {"item": number, "benchmark": benchmark.name, **_shown(sample, transcript)}, ensure_ascii=False
        )
        for number, (sample, transcript) in enumerate(pool[: arguments.number], 1)
    ]
    arguments.out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(lines)} of {len(pool)} answers, seed {arguments.seed}: {arguments.out}")


def _shown(sample: Sample, transcript: Transcript) -> dict[str, Json]:
    """What a reader needs to judge one answer."""
    seen: Mapping[str, Json] = sample.input
    gold = sample.gold if isinstance(sample.gold, Mapping) else {"verdict": sample.gold.verdict}
    if "query" in seen:
        asked, tools = seen["query"], [*seen["tools"], *seen.get("distractors", ())]
    elif "task" in seen:
        asked, tools = f"(level {seen['level']}) {seen['task']}", seen["tools"]
        gold = {"verdict": sample.gold.verdict, "plan": sample.gold.plan}
    else:
        asked = {"today": seen["instructions"][-200:], "history": seen["history"][-LAST_TURNS:]}
        asked |= {"user": seen["user"], "after": seen["after"]}
        tools = seen["tools"]
    wanted = {key: gold[key] for key in ("verdict", "plan", "calls", "alternatives") if key in gold}
    return {
        "sample": sample.id,
        "asked": asked,
        "tools": tools,
        "gold": wanted,
        "answer": transcript.text,
    }


def compare(arguments: argparse.Namespace) -> None:
    """Print how far labels and `outcome` agree, and every disagreement."""
    sheet = _lines(arguments.sheet)
    benchmark = load_benchmark(sheet[0]["benchmark"])
    setup = RunSetup.default(benchmark)
    scores = {
        sample.id: grade(setup, sample, transcript, {}, "paper").score
        for sample, transcript in answers(benchmark, arguments.data, arguments.predictions)
    }
    known = {row["item"]: scores[row["sample"]].values.get("outcome") for row in sheet}
    figures = {item: value == 1 for item, value in known.items() if value is not None}
    undecided = [row["sample"] for row in sheet if known[row["item"]] is None]
    print(f"{len(undecided)} without an outcome: {', '.join(undecided) or 'none'}")
    readers = [{row["item"]: row for row in _lines(path)} for path in arguments.labels]
    for path, labels in zip(arguments.labels, readers, strict=True):
        _print_agreement(path.name, {item: bool(row["right"]) for item, row in labels.items()}, figures)
        for row in sheet:
            label = labels.get(row["item"])
            if label is not None and bool(label["right"]) != figures.get(row["item"], bool(label["right"])):
                said = "right" if label["right"] else "wrong"
                print(f"  {row['item']} {row['sample']}: the reader says {said} ({label.get('why', '')})")
                print(f"    outcome: {_reason(scores[row['sample']])}")
    if len(readers) == 2:
        first, second = ({item: bool(row["right"]) for item, row in labels.items()} for labels in readers)
        _print_agreement("the two readers", first, second)


def _reason(score: Score) -> str:
    said = score.graded.get("outcome") if isinstance(score.graded, Mapping) else None
    return str(said or "; ".join(score.reasons) or "nothing to object")


def _print_agreement(name: str, labels: Mapping[int, bool], figures: Mapping[int, bool]) -> None:
    both = [(labels[item], figures[item]) for item in sorted(labels) if item in figures]
    same = sum(first == second for first, second in both)
    kappa = cohen_kappa([first for first, _ in both], [second for _, second in both])
    shown = "-" if kappa is None else f"{kappa:.3f}"
    right = sum(first for first, _ in both)
    print(
        f"{name}: {same} of {len(both)} agree ({same / len(both):.1%}), kappa {shown}, {right} labelled right"
    )


def _lines(path: Path) -> list[dict[str, Json]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def main(given: Sequence[str] | None = None) -> None:
    """The two commands of the module's first lines."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    commands = parser.add_subparsers(required=True)
    exporting = commands.add_parser("export")
    exporting.add_argument("benchmark")
    exporting.add_argument("--number", type=int, default=100)
    exporting.add_argument("--seed", type=int, default=0)
    exporting.add_argument("--out", type=Path, required=True)
    exporting.add_argument("--without", type=Path, help="file with sample ids that are left out")
    exporting.set_defaults(work=export)
    comparing = commands.add_parser("compare")
    comparing.add_argument("sheet", type=Path)
    comparing.add_argument("labels", type=Path, nargs="+")
    comparing.set_defaults(work=compare)
    for command in (exporting, comparing):
        command.add_argument("--data", default="starter")
        command.add_argument("--predictions", type=Path, required=True)
    arguments = parser.parse_args(given)
    arguments.work(arguments)


if __name__ == "__main__":
    main()
