"""train: fine-tune a model on training rows, or go on with a training that was stopped."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from toolyard.cli.output import print_json, print_tables
from toolyard.cli.progress_bars import SECONDS_BETWEEN_LINES
from toolyard.cli.signature import takes_options
from toolyard.train.settings import TrainSettings

if TYPE_CHECKING:
    from toolyard.train.loop import TrainingProgress


@takes_options(TrainSettings)
def train(
    settings: TrainSettings,
    json: bool = typer.Option(False, "--json", help="Print the manifest as JSON."),
) -> None:
    """Tune a model on rows of conversations; the same command resumes.

    DIR gets the adapter (adapter/, and adapter.gguf for the bundled server), a log, a manifest and a model card.
    Several GPUs: accelerate launch -m toolyard train ...

    Examples: toolyard train rows.jsonl.xz --base smollm2 --out tuned --eval-share 0.02;
    toolyard train rows.jsonl.xz --base smollm2 --dry-run --price-per-hour 3
    """
    from toolyard.train.command import train as trained

    found = trained(settings, ProgressLines(), lambda text: typer.echo(text, err=True), measure_headline)
    if not found.tells:
        return
    if json:
        print_json(found.facts)
        return
    print_tables(found.tables)
    if found.written:
        typer.echo(f"{', '.join(found.written)} in {found.folder} (see README.md there)")


def measure_headline(benchmark: str, items: int, model: str, runs: Path) -> dict[str, float | None]:
    """The headline figure of a model on the first items of a benchmark's starter set, with its interval."""
    from toolyard.run.api import evaluate

    result = evaluate(benchmark, model, limit=items, runs=runs)
    figure = result.summaries["paper"].figures[result.run.setup.headline]
    return {"value": figure.value, "low": figure.low, "high": figure.high}


class ProgressLines:
    """A line every few seconds."""

    def __init__(self) -> None:
        self.last = time.monotonic() - SECONDS_BETWEEN_LINES

    def __call__(self, state: TrainingProgress) -> None:
        now = time.monotonic()
        if now - self.last < SECONDS_BETWEEN_LINES and state.step < state.steps:
            return
        self.last = now
        typer.echo(progress_line(state), err=True)


def progress_line(state: TrainingProgress) -> str:
    """Where the training stands, in one line."""
    parts = [
        f"step {state.step}/{state.steps}", f"loss {state.loss:.4f}", f"rate {state.rate:.2e}",
        f"{state.tokens_per_second:,.0f} tokens/s",
    ]  # fmt: skip
    if state.share_of_peak is not None:
        parts.append(f"{state.share_of_peak:.1%} of peak")
    if state.held_out is not None:
        parts.append(f"held out {state.held_out:.4f}")
    return ", ".join([*parts, f"{state.seconds_left:.0f} s left"])


def register(app: typer.Typer) -> None:
    """Adds `train` to the program."""
    app.command("train")(train)
