"""What real models make of each style: format errors and headline, on the samples with the shortest prompts.

    python bench/styles.py --model local --samples 15
    python bench/styles.py --model gguf/models/qwen.gguf --samples 6 --benchmark nestools --old nestools=DIR

The samples are taken from the starter set, the shortest prompts of each main group in turn, so that a small
model on two cores comes to an end; figures on so few samples tell styles apart, not models. `--old` adds the
default style with the templates of a folder, e.g. those of an earlier version.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, zip_longest
from pathlib import Path

from toolyard.benchmarks import load_benchmark
from toolyard.core.benchmark import Benchmark
from toolyard.core.types import Failure, Options, Sample
from toolyard.run.api import evaluate
from toolyard.run.config import display_name
from toolyard.run.execute import RunResult

RESULTS = Path(__file__).resolve().parent / "results"
STYLES = {
    "nestools": ("default", "example", "native"),
    "mtu": ("default", "example", "native"),
    "toolbehonest": ("default", "example", "native"),
    "tooleyes": ("zero-shot", "example", "native"),
}
STRICT = {"mtu": {"recover": "no"}, "tooleyes": {"recover": "no"}}


@dataclass(frozen=True, slots=True)
class Way:
    """One way of asking: a style, with options or templates of its own."""

    name: str
    style: str
    options: dict[str, str]
    templates: Path | None = None


def shortest(benchmark: Benchmark, count: int) -> tuple[str, ...]:
    """The samples with the shortest prompts, of each main group in turn."""
    options = Options(
        benchmark.task.styles[0], 0, {item.name: item.default for item in benchmark.task.choices}
    )
    groups: dict[str, list[Sample]] = {}
    for sample in benchmark.data.load(benchmark.data.starter, options):
        groups.setdefault(sample.groups.get(benchmark.scoring.main_group, ""), []).append(sample)

    def length(sample: Sample) -> int:
        return sum(len(message.content) for message in benchmark.task.prompt(sample, options))

    in_turn = zip_longest(*(sorted(members, key=length) for members in groups.values()))
    return tuple(sample.id for sample in chain.from_iterable(in_turn) if sample is not None)[:count]


def ways(benchmark: Benchmark, old: Path | None) -> Iterator[Way]:
    """Every way of asking that the benchmark has."""
    first = benchmark.task.styles[0]
    if old is not None:
        yield Way(f"{first}, earlier words", first, {}, old)
    if benchmark.name in STRICT:
        yield Way(f"{first}, --recover no", first, STRICT[benchmark.name])
    for style in STYLES[benchmark.name]:
        if style in benchmark.task.styles:
            yield Way(style, style, {})


def format_errors(result: RunResult) -> float:
    """Share of answers (rounds for ToolEyes) that are not in the form that was asked for."""
    benchmark, faults = result.run.benchmark, []
    by_id = {sample.id: sample for sample in result.run.samples}
    for transcript in result.run.transcripts():
        found = benchmark.scoring.parse(by_id[transcript.sample], transcript, "paper")
        if benchmark.name == "tooleyes":
            faults += [not turn.valid for turn in found.rounds]
        elif isinstance(found, Failure):
            faults.append(True)
        else:
            faults.append(getattr(found, "failure", None) is not None or getattr(found, "went_on", False))
    return sum(faults) / max(1, len(faults))


def measured(benchmark: Benchmark, way: Way, arguments: argparse.Namespace) -> str:
    """One line of the table."""
    result = evaluate(
        benchmark.name,
        arguments.model,
        ids=shortest(benchmark, arguments.samples),
        style=way.style,
        options=way.options,
        templates=way.templates,
        max_tokens=arguments.max_tokens,
        runs=arguments.runs,
        concurrency=2,
        timeout=3600,
    )
    headline = result.run.setup.headline
    figure = result.summaries["paper"].figures[headline]
    called = sum(
        entry.get("from") == "function" for item in result.run.transcripts() for entry in _turns(item)
    )
    value = "–" if figure.value is None else f"{100 * figure.value:.1f}"
    executed = str(called) if benchmark.name == "tooleyes" else "–"
    return (
        f"| {benchmark.name} | {way.name} | {result.summaries['paper'].samples} | "
        f"{100 * format_errors(result):.0f} % | {headline} {value} | {executed} |"
    )


def _turns(transcript: object) -> list[dict[str, object]]:
    return getattr(transcript, "notes", {}).get("conversation") or []


def main() -> None:
    """Measures every way and prints a table, line by line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="local")
    parser.add_argument("--samples", type=int, default=15)
    parser.add_argument("--max-tokens", type=int, default=256)
    parser.add_argument("--benchmark", action="append")
    parser.add_argument("--old", action="append", default=[], metavar="BENCHMARK=DIR")
    parser.add_argument("--runs", type=Path, default=Path("runs"))
    arguments = parser.parse_args()
    old = {name: Path(folder) for name, _, folder in (item.partition("=") for item in arguments.old)}
    name = Path(display_name(arguments.model)).stem
    lines = [
        f"# {name}: {arguments.samples} samples a line, answers of {arguments.max_tokens} tokens at most",
        "",
        "| benchmark | style | scored | format errors | headline, % | tool calls executed |",
        "|---|---|---|---|---|---|",
    ]
    print("\n".join(lines), flush=True)
    for each in arguments.benchmark or STYLES:
        benchmark = load_benchmark(each)
        for way in ways(benchmark, old.get(each)):
            lines.append(measured(benchmark, way, arguments))
            print(lines[-1], flush=True)
    (RESULTS / f"styles_{name}.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
