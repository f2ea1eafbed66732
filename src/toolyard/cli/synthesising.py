"""synth: data sets from the world, from dialogue corpora, or with a model."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from toolyard.cli.bars import SECONDS_BETWEEN_LINES, live_bar
from toolyard.cli.output import benchmark_options, print_json, print_tables
from toolyard.models.base import TIMEOUT

if TYPE_CHECKING:
    from rich.progress import TaskID

    from toolyard.synth.pipeline import Progress


def synth(
    context: typer.Context,
    benchmark: str = typer.Argument(help="Name of a benchmark: nestools, mtu or toolbehonest."),
    origin: str = typer.Option(
        "", "--from", help="world | model | corpora; default: by what is given (-m, --sources), else world."
    ),
    rows: int | None = typer.Option(None, "--rows", help="How many rows; default: the pipeline's own."),
    seed: int = typer.Option(0, "--seed", min=0, help="Seed of everything that is drawn."),
    model: str | None = typer.Option(None, "-m", "--model", help="Model for pipelines that ask one."),
    sources: Path | None = typer.Option(None, "--sources", help="Folder with the dialogue corpora."),
    out: Path | None = typer.Option(None, "--out", help="Where the data go; default: data/BENCH-FROM-SEED."),
    embedder: str = typer.Option(
        "minilm", "--embedder", help="minilm | sentence-transformers/NAME | openai/NAME?base_url=URL"
    ),
    engine: str = typer.Option("local", "--engine", help="local | ray."),
    workers: int | None = typer.Option(
        None, "--workers", min=1, help="Processes for CPU stages; default: cores."
    ),
    ray_address: str = typer.Option(
        "", "--ray-address", help="Cluster for --engine ray; default: start one."
    ),
    concurrency: int = typer.Option(16, "--concurrency", min=1, help="Requests in flight."),
    timeout: float = typer.Option(TIMEOUT, "--timeout", min=0.001, help="Seconds for one request."),
    cache: Path | None = typer.Option(None, "--cache", help="Folder that keeps completions across runs."),
    max_cost: float | None = typer.Option(
        None, "--max-cost", min=0, help="Stop before this set has cost more than this, earlier runs included."
    ),
    options: bool = typer.Option(False, "--options", help="List the pipelines and their own options."),
    json: bool = typer.Option(False, "--json", help="Print the manifest and tables as JSON."),
) -> None:
    """Make a data set, or go on with one that was stopped: the same command again.

    Options of the pipeline itself are given in the same way; --options lists them. --rows counts records, pairs or
    dialogues. --from world -m MODEL lets the model reword queries. The data load with --data DIR.

    Examples: toolyard synth nestools --from world --rows 300 --seed 7;
    toolyard synth mtu --sources corpora --out mtu-instruct
    """
    from toolyard.run.plan import refuse_unknown_embedder
    from toolyard.synth.command import SynthWish, options_table, synthesise, work_folder

    if options:
        print_tables([options_table(benchmark)])
        return
    refuse_unknown_embedder(embedder)
    wish = SynthWish(
        benchmark=benchmark, origin=origin, rows=rows, seed=seed, model=model, sources=sources, out=out,
        options=benchmark_options(context), embedder=embedder, engine=engine, workers=workers,
        ray_address=ray_address, concurrency=concurrency, timeout=timeout, cache=cache, max_cost=max_cost,
    )  # fmt: skip
    with synth_progress(benchmark) as show:
        made = synthesise(wish, show)
    if json:
        print_json(made.to_json())
    else:
        print_tables(made.tables)
        typer.echo(f"{made.rows} rows: {made.folder} (load them with --data {made.folder})")
    typer.echo(f"stages are kept in {work_folder(made.folder)}; delete it when the set is final", err=True)
    if made.rows < made.wanted:
        typer.echo(f"note: {made.wanted} rows were wanted, {made.rows} passed every stage", err=True)


@contextmanager
def synth_progress(title: str) -> Iterator[Callable[[Progress], None]]:
    """A live bar on a terminal, a line now and then elsewhere."""
    with live_bar() as bar:
        if bar is None:
            stages = PlainStages(title)
            yield stages
            stages.close()
            return
        tasks: dict[int, TaskID] = {}

        def show(state: Progress) -> None:
            if state.number not in tasks:
                text = f"{title} {state.number}/{state.stages} {state.stage}"
                tasks[state.number] = bar.add_task(text, total=state.total or None, facts="")
            bar.update(tasks[state.number], completed=state.done, facts=stage_facts(state))

        yield show


class PlainStages:
    """A line when a stage begins, one every few seconds, and one when it has ended; for logs."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.stage = 0
        self.ended = ""
        self.started = self.last = time.monotonic()

    def __call__(self, state: Progress) -> None:
        now = time.monotonic()
        if state.number != self.stage:
            if self.ended:
                typer.echo(self.ended, err=True)
            self.stage, self.started, self.last = state.number, now, now
        text = f"{self.title} {state.number}/{state.stages} {state.stage}: {state.done}"
        self.ended = f"{text} rows{stage_facts(state)}"
        if now - self.last < SECONDS_BETWEEN_LINES or not state.done:
            return
        self.last = now
        rate = state.done / (now - self.started)
        left = f", {(state.total - state.done) / rate:.0f} s left" if state.total else ""
        of = f"/{state.total}" if state.total else ""
        typer.echo(f"{text}{of}, {rate:.0f} rows/s{left}{stage_facts(state)}", err=True)

    def close(self) -> None:
        """The last stage has ended."""
        if self.ended:
            typer.echo(self.ended, err=True)


def stage_facts(state: Progress) -> str:
    """Rejections, tokens and cost so far."""
    parts = [f", {state.rejected} rejected"] if state.rejected else []
    tokens = state.usage.prompt_tokens + state.usage.completion_tokens
    if tokens:
        parts.append(f", {tokens:,} tokens")
        parts.append("" if state.price is None else f", ${state.price.cost(state.usage):.4f}")
    return "".join(parts)
