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
    seed: int = typer.Option(0, "--seed", help="Seed of everything that is drawn."),
    model: str | None = typer.Option(None, "-m", "--model", help="Model for pipelines that ask one."),
    sources: Path | None = typer.Option(None, "--sources", help="Folder with the dialogue corpora."),
    out: Path | None = typer.Option(None, "--out", help="Where the data go; default: data/BENCH-FROM-SEED."),
    embedder: str = typer.Option(
        "minilm", "--embedder", help="minilm | sentence-transformers/NAME | openai/NAME?base_url=URL"
    ),
    engine: str = typer.Option("local", "--engine", help="local | ray."),
    workers: int | None = typer.Option(None, "--workers", help="Processes for CPU stages; default: cores."),
    ray_address: str = typer.Option(
        "", "--ray-address", help="Cluster for --engine ray; default: start one."
    ),
    concurrency: int = typer.Option(16, "--concurrency", help="Requests in flight."),
    timeout: float = typer.Option(120.0, "--timeout", help="Seconds for one request."),
    cache: Path | None = typer.Option(None, "--cache", help="Folder that keeps completions across runs."),
    max_cost: float | None = typer.Option(None, "--max-cost", help="Stop before spending more than this."),
    json: bool = typer.Option(False, "--json", help="Print the manifest and tables as JSON."),
) -> None:
    """Make a data set, or go on with one that was stopped: the same command again.

    Options of the pipeline itself are given in the same way. The data load with --data DIR.

    Examples: toolyard synth nestools --from world --rows 300 --seed 7;
    toolyard synth mtu --sources corpora --out mtu-instruct
    """
    from toolyard.run.synthesis import SynthWish, synthesise, work_folder

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
            yield PlainStages(title)
            return
        tasks: dict[int, TaskID] = {}

        def show(state: Progress) -> None:
            if state.number not in tasks:
                text = f"{title} {state.number}/{state.stages} {state.stage}"
                tasks[state.number] = bar.add_task(text, total=state.total or None, facts="")
            bar.update(tasks[state.number], completed=state.done, facts=stage_facts(state))

        yield show


class PlainStages:
    """A line per stage and one every few seconds, for logs."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.stage = 0
        self.started = self.last = time.monotonic()

    def __call__(self, state: Progress) -> None:
        now = time.monotonic()
        if state.number == self.stage and now - self.last < SECONDS_BETWEEN_LINES:
            return
        if state.number != self.stage:
            self.stage, self.started = state.number, now
        self.last = now
        elapsed = now - self.started
        rate = f", {state.done / elapsed:.0f} rows/s" if elapsed >= 1 else ""
        left = (
            f", {elapsed / state.done * (state.total - state.done):.0f} s left"
            if rate and state.total
            else ""
        )
        of = f"/{state.total}" if state.total else ""
        typer.echo(
            f"{self.title} {state.number}/{state.stages} {state.stage}: {state.done}{of}{rate}{left}"
            f"{stage_facts(state)}",
            err=True,
        )


def stage_facts(state: Progress) -> str:
    """Rejections, tokens and cost so far."""
    parts = [f", {state.rejected} rejected"] if state.rejected else []
    tokens = state.usage.prompt_tokens + state.usage.completion_tokens
    if tokens:
        parts.append(f", {tokens:,} tokens")
        parts.append("" if state.price is None else f", ${state.price.cost(state.usage):.4f}")
    return "".join(parts)
