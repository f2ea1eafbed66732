"""synth: data sets from the world, from dialogue corpora, or with a model."""

from __future__ import annotations

import lzma
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from toolyard.cli.model_settings import fill_in_models
from toolyard.cli.output import print_json, print_tables, table_json
from toolyard.cli.progress_bars import SECONDS_BETWEEN_LINES, live_bar
from toolyard.cli.signature import takes_options
from toolyard.synth.settings import SynthSettings
from toolyard.text.counted_nouns import how_many

if TYPE_CHECKING:
    from rich.progress import TaskID

    from toolyard.synth.pipeline import StageProgress


@takes_options(SynthSettings)
def synth(
    context: typer.Context,  # noqa: ARG001 - the pipeline's own options are read from it
    settings: SynthSettings,
    list_options: bool = typer.Option(False, "--options", help="List the pipelines and their own options."),
    json: bool = typer.Option(False, "--json", help="Print the manifest and tables as JSON."),
) -> None:
    """Make a data set, or resume a stopped one with the same command.

    --from world (the default) needs no model, no key and no network, only the extra world; 300 rows take one minute (mtu)
    to three (toolbehonest) on one idle core, and even ten rows take about 12 s. -m MODEL then rewords the queries. --from
    model writes everything with the model: it needs -m, sends several requests per row and costs accordingly. --from
    corpora needs --sources, a folder with the dialogue corpora, and no model.

    --rows counts records, pairs or dialogues. Options of the pipeline itself are given in the same way; --options lists
    them. The data load with --data DIR.

    Examples: toolyard synth nestools --from world --rows 300 --seed 7;
    toolyard synth mtu --sources corpora --out mtu-instruct;
    toolyard synth mixture --sources corpora --rows 40000
    """
    from toolyard.synth.command import synthesise, work_folder

    if list_options:
        _print_options(settings.benchmark, json)
        return
    settings = fill_in_models(settings, settings.env_file, settings.prices)
    with synth_progress(settings.benchmark) as show:
        made = synthesise(settings, show)
    if json:
        print_json(made.to_json())
    else:
        print_tables(made.tables)
        typer.echo(
            f"{how_many(made.rows, 'row')}: {made.folder} ({next_step(settings.benchmark, made.folder)})"
        )
    typer.echo(f"stages are kept in {work_folder(made.folder)}; delete it when the set is final", err=True)
    if made.rows < made.wanted:
        typer.echo(f"note: {how_many(made.wanted, 'row')} wanted, {made.rows} passed every stage", err=True)


def _print_options(benchmark: str, json: bool) -> None:
    from toolyard.synth.command import options_table

    options = [options_table(benchmark)]
    if json:
        print_json(table_json(options))
    else:
        print_tables(options)


def next_step(benchmark: str, folder: Path) -> str:
    """What the data are for."""
    if benchmark == "mixture":
        with lzma.open(folder / "dev.jsonl.xz") as dev:
            held_out = f"--eval {folder / 'dev.jsonl.xz'}" if dev.read(1) else "--eval-share 0.1"
        return f"learn from them with: toolyard train {folder / 'rows.jsonl.xz'} {held_out}"
    return f"load them with --data {folder}"


@contextmanager
def synth_progress(title: str) -> Iterator[Callable[[StageProgress], None]]:
    """A live bar on a terminal, a line now and then elsewhere."""
    with live_bar() as bar:
        if bar is None:
            stages = PlainStages(title)
            yield stages
            stages.close()
            return
        tasks: dict[int, TaskID] = {}

        def show(state: StageProgress) -> None:
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

    def __call__(self, state: StageProgress) -> None:
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


def stage_facts(state: StageProgress) -> str:
    """Rejections, tokens and cost so far."""
    parts = [f", {state.rejected} rejected"] if state.rejected else []
    tokens = state.usage.prompt_tokens + state.usage.completion_tokens
    if tokens:
        parts.append(f", {tokens:,} tokens")
        parts.append("" if state.price is None else f", ${state.price.cost(state.usage):.4f}")
    return "".join(parts)
