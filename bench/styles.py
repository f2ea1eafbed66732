"""What real models make of each style: format errors and headline, of all four benchmarks.

    python bench/styles.py --model local --samples 15
    python bench/styles.py --model "hf/models/qwen?dtype=bfloat16" --limit 100 --concurrency 128
    python bench/styles.py --model "openai/qwen?base_url=http://127.0.0.1:8000/v1" --limit 100 --concurrency 128
    python bench/styles.py --model gguf/models/qwen.gguf --samples 6 --benchmark nestools --old nestools=default.txt

`--samples` takes the shortest prompts of each main group in turn, so that a small model on two cores comes to an
end; figures on so few samples tell styles apart, not models. `--limit` takes samples as `toolyard run` does.
`--old` adds the default style with the templates of a folder, or with one template file, e.g. of an earlier version.
The model is loaded once. Runs are kept under `--runs`: the same command again asks only what is missing, so a
measurement that was stopped goes on, and its table is written anew after every line.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

from toolyard.benchmarks import load_benchmark
from toolyard.core.benchmark import Benchmark
from toolyard.core.errors import ToolyardError
from toolyard.core.types import Completion, Failure, Options, Request, Sample
from toolyard.models.base import Model
from toolyard.models.loading import load_model
from toolyard.run.api import answer_and_score
from toolyard.run.plan.run_config import display_name
from toolyard.run.plan.selection import prompt_length
from toolyard.run.play.execute import RunResult
from toolyard.run.run import Run
from toolyard.run.settings import Settings

RESULTS = Path(__file__).resolve().parent / "results"
STYLES = {
    "nestools": ("default", "example", "native"),
    "mtu": ("default", "example", "native"),
    "toolbehonest": ("zero-shot", "example", "native"),
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

    length = prompt_length(benchmark, options)
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


def format_errors(run: Run) -> float:
    """Share of answers (rounds for ToolEyes) that are not in the form that was asked for."""
    benchmark, faults = run.benchmark, []
    by_id = {sample.id: sample for sample in run.samples}
    for transcript in run.transcripts():
        found = benchmark.scoring.parse(by_id[transcript.sample], transcript, "paper")
        if benchmark.name == "tooleyes":
            faults += [not turn.valid for turn in found.rounds]
        elif isinstance(found, Failure):
            faults.append(True)
        else:
            faults.append(getattr(found, "failure", None) is not None or getattr(found, "went_on", False))
    return sum(faults) / max(1, len(faults))


class Lent:
    """A model that stays loaded when a run ends."""

    def __init__(self, model: Model) -> None:
        self._model = model

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    async def generate(self, request: Request) -> Completion:
        """The model's answer."""
        return await self._model.generate(request)

    async def close(self) -> None:
        """Leaves it as it is."""


def chosen(benchmark: Benchmark, arguments: argparse.Namespace) -> dict[str, Any]:
    """Which samples are asked."""
    if arguments.limit is not None:
        return {"limit": arguments.limit}
    return {"ids": shortest(benchmark, arguments.samples)}


async def measured(benchmark: Benchmark, way: Way, arguments: argparse.Namespace, model: Model | str) -> str:
    """One line of the table; a way that cannot be run says why."""
    settings = Settings(
        benchmark.name,
        arguments.model,
        **chosen(benchmark, arguments),
        style=way.style,
        options=way.options,
        templates=way.templates,
        max_tokens=arguments.max_tokens,
        embedder=arguments.embedder,
        runs=arguments.runs,
        concurrency=arguments.concurrency,
        timeout=3600,
    )
    try:
        result = await answer_and_score(Run.plan(settings), model=model)
    except ToolyardError as error:
        why = " ".join(str(error).split()).replace("|", "/")[:160]
        return f"| {benchmark.name} | {way.name} | 0 | – | {type(error).__name__}: {why} | – |"
    return line_of(result, way)


def line_of(result: RunResult, way: Way) -> str:
    """The figures of one way."""
    benchmark, headline = result.run.benchmark, result.run.setup.headline
    summary = result.summaries["paper"]
    figure = summary.figures[headline]
    called = sum(
        entry.get("from") == "function" for item in result.run.transcripts() for entry in _turns(item)
    )
    interval = "" if figure.low is None else f" [{100 * figure.low:.1f}, {100 * figure.high:.1f}]"
    value = "–" if figure.value is None else f"{100 * figure.value:.1f}{interval}"
    executed = str(called) if benchmark.name == "tooleyes" else "–"
    unscored = f" ({summary.unscored} unscored)" if summary.unscored else ""
    return (
        f"| {benchmark.name} | {way.name} | {summary.samples}{unscored} | "
        f"{100 * format_errors(result.run):.0f} % | {headline} {value} | {executed} |"
    )


def _turns(transcript: object) -> list[dict[str, object]]:
    return getattr(transcript, "notes", {}).get("conversation") or []


def called(model: str) -> str:
    """The last part of the model's name, without the ending of a file."""
    return display_name(model).rpartition("/")[2].removesuffix(".gguf")


def templates_folder(given: Path, scratch: Path) -> Path:
    """The folder that holds the templates; a single file stands for the default prompt."""
    if given.is_dir():
        return given
    scratch.mkdir(exist_ok=True)
    (scratch / "default.txt").write_bytes(given.read_bytes())
    return scratch


async def measure(arguments: argparse.Namespace, target: Path, scratch: Path) -> None:
    """Measures every way, prints each line and keeps the table."""
    name = called(arguments.model)
    old = {each: Path(given) for each, _, given in (item.partition("=") for item in arguments.old)}
    asked = "the shortest prompts" if arguments.limit is None else "samples as `--limit` takes them"
    limit = f", answers of {arguments.max_tokens} tokens at most" if arguments.max_tokens else ""
    lines = [
        f"# {name}: {arguments.limit or arguments.samples} a line, {asked}{limit}",
        "",
        "| benchmark | style | scored | format errors | headline, % | tool calls executed |",
        "|---|---|---|---|---|---|",
    ]
    print("\n".join(lines), flush=True)
    scripted = arguments.model.startswith("scripted/")
    model = None if scripted else load_model(arguments.model, timeout=3600, concurrency=arguments.concurrency)
    try:
        for each in arguments.benchmark or STYLES:
            benchmark = load_benchmark(each)
            earlier = templates_folder(old[each], scratch / each) if each in old else None
            for way in ways(benchmark, earlier):
                lines.append(await measured(benchmark, way, arguments, "" if model is None else Lent(model)))
                print(lines[-1], flush=True)
                target.write_text("\n".join(lines) + "\n")
    finally:
        if model is not None:
            await model.close()


def main() -> None:
    """Measures every way of asking one model."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", default="local")
    parser.add_argument("--samples", type=int, default=15, help="the shortest prompts, this many")
    parser.add_argument("--limit", type=int, help="instead of --samples: as `toolyard run --limit`")
    parser.add_argument("--max-tokens", type=int, help="default: the paper's")
    parser.add_argument("--concurrency", type=int, default=2)
    parser.add_argument("--embedder", default="minilm")
    parser.add_argument("--benchmark", action="append", choices=list(STYLES))
    parser.add_argument("--old", action="append", default=[], metavar="BENCHMARK=FILE_OR_DIR")
    parser.add_argument("--runs", type=Path, default=Path("runs"))
    parser.add_argument("--out", type=Path, help="where the table goes; default: results/styles_MODEL.md")
    arguments = parser.parse_args()
    target = arguments.out or RESULTS / f"styles_{called(arguments.model)}.md"
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        asyncio.run(measure(arguments, target, Path(scratch)))


if __name__ == "__main__":
    main()
