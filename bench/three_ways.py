"""The same weights served three ways: share of equal answers and figures side by side, on MTU-Bench turns.

    python bench/three_ways.py
    python bench/three_ways.py --data official --gguf SmolLM2.gguf --hf "hf/FOLDER?dtype=float32"
    python bench/three_ways.py --also "vllm=openai/smollm2?base_url=http://127.0.0.1:8000/v1"

`local` is the bundled server with the bundled weights, `gguf/PATH` the same server with any file, `hf/` the weights
in this process; `--also` adds further ways. The turns are the shortest prompts of every setting. Answers are asked for
at temperature 0, one at a time. Runs are kept under `--runs`: the same command again asks only what is missing, and
the table is written after every way, with those that are complete.
"""

from __future__ import annotations

import argparse
from itertools import combinations
from pathlib import Path

from toolyard.benchmarks import load_benchmark
from toolyard.core.types import Options, Sample, Transcript
from toolyard.models.assets import MODEL, asset_folder
from toolyard.run.api import evaluate
from toolyard.run.plan.data_sources import load_samples
from toolyard.run.plan.selection import prompt_length
from toolyard.run.play.execute import RunResult

RESULTS = Path(__file__).resolve().parent / "results" / "three_ways.md"
FIGURES = ("average", "outcome")


def turns(data: str, count: int) -> tuple[str, ...]:
    """The turns that are asked: the shortest prompts of every setting in turn."""
    benchmark = load_benchmark("mtu")
    options = Options(
        benchmark.task.styles[0], 0, {item.name: item.default for item in benchmark.task.choices}
    )
    groups: dict[str, list[Sample]] = {}
    for sample in load_samples(benchmark, data, options):
        groups.setdefault(sample.groups["setting"], []).append(sample)

    length = prompt_length(benchmark, options)
    each = -(-count // len(groups))
    found = [sample.id for members in groups.values() for sample in sorted(members, key=length)[:each]]
    return tuple(found[:count])


def answered(spec: str, ids: tuple[str, ...], arguments: argparse.Namespace) -> RunResult:
    """The run of one way; a finished one is read from its files."""
    return evaluate(
        "mtu",
        spec,
        data=arguments.data,
        ids=ids,
        temperature=0.0,
        max_tokens=arguments.max_tokens,
        runs=arguments.runs,
        # Answers that are computed together may differ in rare cases; one at a time they do not.
        concurrency=arguments.concurrency,
        timeout=3600,
    )


def texts(result: RunResult) -> dict[str, str]:
    """The answer to every turn."""
    return {item.sample: item.text for item in result.run.transcripts() if item.error is None}


def common_start(one: str, other: str) -> float:
    """The share of the longer answer that both begin with."""
    longest = max(len(one), len(other))
    shared = next(
        (place for place, (left, right) in enumerate(zip(one, other, strict=False)) if left != right), None
    )
    return (min(len(one), len(other)) if shared is None else shared) / longest if longest else 1.0


def pairs(results: dict[str, RunResult]) -> list[str]:
    """How alike the answers of each two ways are."""
    lines = [
        "| ways | turns | equal answers | equal calls | same tokens read | common beginning, mean |",
        "|---|---|---|---|---|---|",
    ]
    for (one, first), (other, second) in combinations(results.items(), 2):
        left, right = texts(first), texts(second)
        both = sorted(left.keys() & right.keys())
        if not both:
            continue
        equal = sum(left[name] == right[name] for name in both) / len(both)
        start = sum(common_start(left[name], right[name]) for name in both) / len(both)
        lines.append(
            f"| {one}, {other} | {len(both)} | {100 * equal:.0f} % | {100 * same_calls(first, second):.0f} % "
            f"| {100 * same_prompts(first, second):.0f} % | {100 * start:.0f} % |"
        )
    return lines


def graded(result: RunResult) -> dict[str, object]:
    """What was read from every answer."""
    return {item.sample.id: item.score.graded for item in result.graded["paper"]}


def same_calls(first: RunResult, second: RunResult) -> float:
    """The share of turns in which the same thing was graded."""
    left, right = graded(first), graded(second)
    both = left.keys() & right.keys()
    return sum(left[name] == right[name] for name in both) / max(1, len(both))


def same_prompts(first: RunResult, second: RunResult) -> float:
    """The share of turns in which both counted the same tokens read: the templates say the same."""
    left, right = read_tokens(first.run.transcripts()), read_tokens(second.run.transcripts())
    both = left.keys() & right.keys()
    return sum(left[name] == right[name] for name in both) / max(1, len(both))


def read_tokens(transcripts: list[Transcript]) -> dict[str, int]:
    """Tokens of every prompt, as the engine counts them."""
    return {item.sample: item.usage.prompt_tokens for item in transcripts if item.error is None}


def figures(results: dict[str, RunResult]) -> list[str]:
    """The figures of every way."""
    lines = [
        f"| way | scored | {' | '.join(FIGURES)} | server |",
        "|---|---" + "|---" * len(FIGURES) + "|---|",
    ]
    for name, result in results.items():
        summary = result.summaries["paper"]
        cells = []
        for wanted in FIGURES:
            figure = summary.figures[wanted]
            shown = "–" if figure.value is None else f"{100 * figure.value:.1f}"
            cells.append(
                shown if figure.low is None else f"{shown} [{100 * figure.low:.1f}, {100 * figure.high:.1f}]"
            )
        serving = (result.run.store.manifest() or {}).get("serving", {})
        lines.append(f"| {name} | {summary.samples} | {' | '.join(cells)} | {serving.get('server', '')} |")
    return lines


def main() -> None:
    """Asks each way, then writes the table."""
    weights = asset_folder(MODEL) / MODEL.files[0].name
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", default="starter")
    parser.add_argument("--turns", type=int, default=50)
    parser.add_argument("--max-tokens", type=int, default=200)
    parser.add_argument("--gguf", type=Path, default=weights, help="the weights; default: the bundled ones")
    parser.add_argument("--hf", help="default: hf/ with the same GGUF file")
    parser.add_argument("--ways", help="those to ask now, with commas; default: all")
    parser.add_argument("--also", action="append", default=[], metavar="NAME=MODEL")
    parser.add_argument("--concurrency", type=int, default=1)
    parser.add_argument("--runs", type=Path, default=Path("runs"))
    parser.add_argument("--out", type=Path, default=RESULTS)
    arguments = parser.parse_args()
    specs = {"local": "local", "gguf": f"gguf/{arguments.gguf}", "hf": arguments.hf or f"hf/{arguments.gguf}"}
    specs |= {name: spec for name, _, spec in (each.partition("=") for each in arguments.also)}
    ids = turns(arguments.data, arguments.turns)
    results: dict[str, RunResult] = {}
    for name in arguments.ways.split(",") if arguments.ways else specs:
        results[name] = answered(specs[name], ids, arguments)
        lines = [heading(arguments, len(ids)), "", *pairs(results), "", *figures(results)]
        arguments.out.parent.mkdir(parents=True, exist_ok=True)
        arguments.out.write_text("\n".join(lines) + "\n")
    print("\n".join(lines))


def heading(arguments: argparse.Namespace, count: int) -> str:
    """What was asked of what."""
    data = arguments.data if arguments.data in ("starter", "official") else Path(arguments.data).name
    return (
        f"# {MODEL.title}, the ways beside one another: {count} turns of MTU-Bench ({data}), "
        f"{arguments.max_tokens} tokens at most, {arguments.concurrency} at a time"
    )


if __name__ == "__main__":
    main()
