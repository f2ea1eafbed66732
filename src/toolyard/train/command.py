"""`toolyard train`: from settings to a folder with the tuned model. Works without torch up to the first weight."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import platform
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

from toolyard import __version__
from toolyard.core.errors import DataError, MissingExtra, RunMismatch, UsageError
from toolyard.core.table import Table
from toolyard.core.types import Record
from toolyard.lines import lock_folder, read_json_object, write_whole
from toolyard.text.counted_nouns import how_many
from toolyard.train.settings import TrainSettings, complete_settings
from toolyard.train.step_plan import plan_steps
from toolyard.train.training_result import Trained

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    from toolyard.train.data import TrainingData
    from toolyard.train.loop import Loop, Show
    from toolyard.train.training_processes import Peers

NEEDED = ("torch", "transformers", "peft", "safetensors", "gguf")
MANIFEST = "manifest.json"
TIMED_STEPS = 3

Say = Callable[[str], None]
# The headline of a benchmark on its first items and its interval: (benchmark, items, MODEL, where runs go).
Ask = Callable[[str, int, str, Path], dict[str, float | None]]


def missing_packages() -> list[str]:
    """The packages of the extra that are not installed."""
    return [name for name in NEEDED if importlib.util.find_spec(name) is None]


def install_line(missing: list[str]) -> str:
    """What to install for a training."""
    return f"train needs {', '.join(missing)}: pip install 'toolyard[train]'"


def train(settings: TrainSettings, show: Show, say: Say, ask: Ask | None = None) -> Trained:
    """Trains, or goes on with a training that was stopped; with --dry-run only counts and measures.

    `ask` runs a benchmark, for --eval-benchmarks.
    """
    if not settings.data.exists():
        raise UsageError(
            f"{settings.data} is not there; wanted a file of rows to train on (toolyard synth mixture makes one), "
            "or a YAML file of settings"
        )
    settings = complete_settings(settings)
    missing = missing_packages()
    if missing and settings.dry_run:
        from toolyard.train.rough_counts import estimate_dry_run_counts

        found = estimate_dry_run_counts(settings)
        say(f"tokens are estimated from the text and nothing was timed; {install_line(missing)}")
        return found
    if missing:
        raise MissingExtra(install_line(missing))
    from toolyard.train.training_processes import join_peers

    with join_peers() as peers:
        if settings.dry_run:
            return _Training(settings, peers, say).estimate()
        if not peers.first:
            return _Training(settings, peers, _show_nothing, ask).run(show)
        busy = f"{settings.out} is in use by another training; wait for it or choose another --out"
        with lock_folder(settings.out, busy):
            return _Training(settings, peers, say, ask).run(show)


def _show_nothing(text: str) -> None:
    """Of the processes that train together one talks."""


class _Training:
    """One training from its settings on: base, data, plan and loop."""

    def __init__(self, settings: TrainSettings, peers: Peers, say: Say, ask: Ask | None = None) -> None:
        from toolyard.train.data import load_data, token_counts_by_source
        from toolyard.train.tuned_model import adapter_digest, content_digest, find_base, load_tokenizer

        self.settings, self.peers, self.say, self.ask = settings, peers, say, ask
        self.base = find_base(settings.base)
        self.tokenizer = load_tokenizer(self.base)
        say(f"reading {settings.data} for {self.base.name}")
        self.data: TrainingData = load_data(settings, self.tokenizer, _context_length(self.tokenizer))
        self.counts = token_counts_by_source(self.data)
        self.plan = plan_steps(
            [len(row) for row in self.data.rows], seed=settings.seed, epochs=settings.epochs or settings.max_steps,
            batch_tokens=settings.batch_tokens, most=settings.max_steps,
        )  # fmt: skip
        self.identity = {
            **settings.identity(),
            "data_sha256": self.data.sha256,
            "held_out_sha256": self.data.held_out_sha256,
            "base_sha256": content_digest(self.base),
        }
        if settings.adapter is not None:
            self.identity["adapter_sha256"] = adapter_digest(settings.adapter)

    def loop(self) -> Loop:
        """The loop over freshly loaded weights."""
        from toolyard.train import attention, speed, tuned_model
        from toolyard.train.loop import Loop
        from toolyard.train.loss import Losses

        device = tuned_model.device_here()
        dtype = tuned_model.choose_dtype(self.settings.dtype, device)
        model = tuned_model.load_base(self.base, dtype, device)
        if self.settings.method == "lora":
            model = tuned_model.add_adapter(model, self.settings)
        packed = self.settings.packing == "yes"
        way = attention.chosen_way(self.settings.attention, device, dtype) if packed else ""
        losses = Losses(model, device, way, compiled=self.settings.compile)
        chip = _chip_name(device)
        self.say(
            f"{how_many(len(self.data.rows), 'row')}, {self.data.tokens:,} tokens ({self.data.learnt:,} learnt), "
            f"{self.data.too_long} too long; {len(self.plan)} steps on {chip} in {str(dtype).removeprefix('torch.')}, "
            f"attention {way or 'padded'}"
        )
        asked = self.settings.slices() and self.ask is not None
        figures = partial(self._figures, model) if asked else None
        return Loop(
            self.settings,
            self.data,
            self.plan,
            model,
            losses,
            self.peers,
            speed.peak_operations(chip),
            figures,
        )

    def _figures(self, model: PreTrainedModel, step: int) -> dict[str, dict[str, float | None]]:
        """The figures of the model as it is now, asked in process like any other model."""
        from toolyard.train.saved_models import write_snapshot

        assert self.ask is not None, "figures are asked for only where somebody answers"
        runs = self.settings.out / "benchmarks" / f"step-{step}"
        spec = write_snapshot(self.settings, model, self.tokenizer, self.base, runs / "weights")
        self.say(f"step {step}: asking {', '.join(self.settings.eval_benchmarks)}")
        return {name: self.ask(name, items, spec, runs) for name, items in self.settings.slices()}

    def facts(self, loop: Loop) -> dict[str, object]:
        """What the weights depend on, and where they were made."""
        return {
            "identity": self.identity,
            "base": self.base.name,
            "rows": self.counts,
            "too_long": self.data.too_long,
            "tokens": self.data.tokens,
            "learnt": self.data.learnt,
            "steps": len(self.plan),
            "trained_numbers": loop.trainable.size,
            "device": _chip_name(loop.losses.device),
            "attention": loop.losses.way or "padded",
            "processes": self.peers.count,
            "versions": _package_versions(),
        }

    def estimate(self) -> Trained:
        """Counts, and a few timed steps that leave nothing behind."""
        from toolyard.train.data import counts_table

        loop = self.loop()
        loop.model.train()
        timed = min(TIMED_STEPS, len(self.plan))
        float(loop.take_step(0).loss)
        started = time.perf_counter()
        done = [loop.take_step(step) for step in range(timed)]
        float(done[-1].loss)
        took = time.perf_counter() - started
        seconds = took / sum(step.tokens for step in done)
        share = sum(step.operations for step in done) / took / loop.peak if loop.peak else None
        tokens = sum(len(self.data.rows[place]) for step in self.plan for place in step)
        hours = seconds * tokens / 3600
        facts = self.facts(loop) | {
            "tokens_to_read": tokens, "tokens_per_second": round(1 / seconds), "hours": round(hours, 4),
            "share_of_peak": None if share is None else round(share, 4),
            "price": round(hours * self.settings.price_per_hour, 4) if self.settings.price_per_hour else None,
        }  # fmt: skip
        shown = (
            "steps",
            "tokens_to_read",
            "trained_numbers",
            "tokens_per_second",
            "share_of_peak",
            "hours",
            "price",
        )
        table = Table(
            "Estimate", ("of", "value"), tuple((name.replace("_", " "), facts[name]) for name in shown)
        )
        return Trained(facts, (counts_table(self.counts), table), self.settings.out, self.peers.first)

    def run(self, show: Show) -> Trained:
        """The training, from its checkpoint on where there is one."""
        before = _manifest_to_resume(self.settings.out, self.identity)
        if before is not None and "result" in before:
            self.say(f"{self.settings.out} is finished; nothing is left to do")
            return Trained(before, _training_tables(before), self.settings.out, tells=self.peers.first)
        self.peers.wait()
        loop = self.loop()
        facts = self.facts(loop)
        if self.peers.first:
            _write_manifest(self.settings.out, facts)
        started = time.perf_counter()
        resumed = loop.resume()
        if resumed:
            self.say(f"going on from step {resumed} of {len(self.plan)}")
        state = loop.run(show)
        seconds = time.perf_counter() - started
        if not self.peers.first:
            return Trained(facts, (), self.settings.out, tells=False)
        return self._finish(loop, facts, seconds, state.best_step)

    def _finish(self, loop: Loop, facts: dict[str, object], seconds: float, best_step: int) -> Trained:
        from toolyard.train.card import write_card
        from toolyard.train.saved_models import whole_model, write_merged, write_result, write_rounded
        from toolyard.train.weights import read_weights

        if best_step and best_step != loop.state.step:
            loop.trainable.take(read_weights(loop.best)[0])
        written = write_result(self.settings, loop.model, self.tokenizer, self.base)
        whole = whole_model(loop.model) if self.settings.merge or self.settings.gguf else None
        written += write_merged(self.settings, whole, self.tokenizer)
        losses = write_rounded(
            self.settings, whole, self.base, lambda: loop.evaluate().loss if self.data.held_out else None
        )
        written += [name for name in losses if name.endswith(".gguf")]
        result = {
            "step": best_step or loop.state.step,
            "held_out": _held_out_loss(loop.state.evaluations, best_step or loop.state.step),
            "evaluations": loop.state.evaluations,
            "seconds": round(seconds, 1),
            "held_out_after_rounding": losses,
            "written": written,
        }
        facts = facts | {"result": result}
        write_card(self.settings, self.base, facts)
        _write_manifest(self.settings.out, facts)
        return Trained(facts, _training_tables(facts), self.settings.out, written=tuple(written))


def _held_out_loss(evaluations: Sequence[Record], step: int) -> float | None:
    """The loss on rows held out at that step, where it was measured."""
    return next((line["held_out"] for line in evaluations if line["step"] == step), None)


def _training_tables(facts: Record) -> tuple[Table, ...]:
    from toolyard.train.card import result_tables
    from toolyard.train.data import counts_table

    return (counts_table(facts["rows"]), *result_tables(facts["result"]["evaluations"]))


def _context_length(tokenizer: PreTrainedTokenizerBase) -> int:
    """The longest text that the model was made for, as far as its tokenizer says."""
    return int(min(tokenizer.model_max_length or 2**31, 2**31))


def _chip_name(device: torch.device) -> str:
    import torch

    return torch.cuda.get_device_name(device) if device.type == "cuda" else "the processor"


def _package_versions() -> dict[str, str]:
    known = ("torch", "transformers", "peft", "accelerate", "safetensors", "tokenizers", "gguf", "numpy")
    found = {name: importlib.metadata.version(name) for name in known if importlib.util.find_spec(name)}
    return {"toolyard": __version__, "python": platform.python_version(), **found}


def _manifest_to_resume(folder: Path, identity: dict[str, object]) -> Record | None:
    """The manifest of a training that this one goes on with; another one's is refused."""
    before = read_json_object(folder / MANIFEST)
    kept = {} if before is None else before.get("identity")
    begun = any(folder.glob("*.safetensors"))
    if not isinstance(kept, dict) or (before is None and begun):
        raise DataError(
            f"{folder / MANIFEST} is damaged or lost, and what the weights beside it were trained on is unknown; "
            "put it back, or choose another --out"
        )
    if before is None:
        return None
    now = orjson.loads(orjson.dumps(identity))
    changed = sorted(key for key in {*kept, *now} if kept.get(key) != now.get(key))
    if changed:
        raise RunMismatch(
            f"{folder} holds a training with other settings ({', '.join(changed)} differ); "
            "finish it with the old ones or choose another --out"
        )
    return before


def _write_manifest(folder: Path, facts: dict[str, object]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / MANIFEST, orjson.dumps(facts, option=orjson.OPT_INDENT_2) + b"\n")
