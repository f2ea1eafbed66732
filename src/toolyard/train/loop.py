"""The training loop: steps, evaluations, checkpoints. Everything follows from settings, data and base."""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from toolyard.core.types import JsonValue, Record
from toolyard.lines import Appender, write_whole
from toolyard.lines import encode as json_line
from toolyard.train.data import TrainingData
from toolyard.train.loss import Losses
from toolyard.train.row_tokens import Encoded
from toolyard.train.settings import TrainSettings
from toolyard.train.speed import TokenWork
from toolyard.train.step_plan import PackedRows, pack_rows
from toolyard.train.training_log import quality_at_step, quality_of_evaluation, read_log
from toolyard.train.training_processes import Peers
from toolyard.train.weights import Trainable, load_checkpoint, read_weights, save_checkpoint, save_weights

if TYPE_CHECKING:
    from transformers import PreTrainedModel

LOG, CHECKPOINT, BEST = "log.jsonl", "checkpoint.safetensors", "best.safetensors"
# Steps between readings of the loss from a GPU, which waits for it.
READ_EVERY = 10
MICRO_TOKENS = {"cuda": 32768}
MICRO_TOKENS_ELSEWHERE = 4096


@dataclass(frozen=True, slots=True)
class TrainingProgress:
    """Where a training stands."""

    step: int
    steps: int
    loss: float
    rate: float
    tokens_per_second: float
    share_of_peak: float | None
    seconds_left: float
    held_out: float | None


@dataclass(frozen=True, slots=True)
class Evaluated:
    """The mean loss per learnt token on rows held out, in all and by source."""

    loss: float
    sources: dict[str, float]


@dataclass
class CheckpointState:
    """What a checkpoint keeps besides tensors; `best` is a mean figure, or a loss with its sign turned."""

    step: int = 0
    best_step: int = 0
    best: float | None = None
    evaluations: list[Record] = field(default_factory=list)


Show = Callable[[TrainingProgress], None]
# The figures of the model as it is now, by benchmark, each with its interval; higher is better.
Figures = Callable[[int], dict[str, dict[str, float | None]]]


def learning_rate_at(step: int, steps: int, highest: float, warmup: float) -> float:
    """The learning rate of a step, counted from 0: a straight rise, then half a cosine down to nothing."""
    rising = max(1, round(warmup if warmup >= 1 else warmup * steps))
    if step < rising:
        return highest * (step + 1) / rising
    return highest * 0.5 * (1 + math.cos(math.pi * (step - rising) / max(1, steps - rising)))


class Loop:
    """One training in a folder; it begins where the folder's checkpoint ends."""

    def __init__(
        self,
        settings: TrainSettings,
        data: TrainingData,
        plan: Sequence[Sequence[int]],
        model: PreTrainedModel,
        losses: Losses,
        peers: Peers,
        peak: float | None = None,
        figures: Figures | None = None,
    ) -> None:
        self.settings, self.data, self.plan = settings, data, plan
        self.model, self.losses, self.peers = model, losses, peers
        self.trainable = Trainable(model, settings.weight_decay)
        self.work, self.peak, self.figures = TokenWork.of(model), peak, figures
        self.state = CheckpointState()
        self.micro_tokens = settings.micro_tokens or MICRO_TOKENS.get(
            losses.device.type, MICRO_TOKENS_ELSEWHERE
        )
        torch.manual_seed(settings.seed)

    @property
    def checkpoint(self) -> Path:
        """Where the state is kept."""
        return self.settings.out / CHECKPOINT

    @property
    def best(self) -> Path:
        """Where the weights with the lowest loss on rows held out are kept."""
        return self.settings.out / BEST

    def resume(self) -> int:
        """Goes back to the folder's checkpoint, if there is one; the step it stands at."""
        if self.checkpoint.is_file():
            self.state = CheckpointState(**load_checkpoint(self.checkpoint, self.trainable))
        log = self.settings.out / LOG
        lines = read_log(log) if self.peers.first else []
        if lines:
            self._take_best(lines)
            kept = [line for line in lines if line["step"] <= self.state.step]
            write_whole(log, b"".join(map(json_line, kept)))
        self.peers.wait()
        return self.state.step

    def _take_best(self, lines: Sequence[Record]) -> None:
        """Names the step of the best weights where a kill came between them and the checkpoint."""
        if not self.best.is_file():
            return
        step = read_weights(self.best)[1].get("step")
        if step == self.state.best_step or not isinstance(step, int):
            return
        quality = quality_at_step(lines, step, by_metrics=self.figures is not None)
        if quality is not None:
            self.state.best, self.state.best_step = quality, step

    def run(self, show: Show) -> CheckpointState:
        """Takes the steps that are left."""
        meter = Meter(self)
        self.model.train()
        every = self.settings.eval_every or max(1, math.ceil(len(self.plan) / 10))
        save = self.settings.save_every or every
        asks = self.settings.benchmarks_every or len(self.plan)
        with Appender(self.settings.out / LOG) if self.peers.first else _Nowhere() as log:
            while self.state.step < len(self.plan):
                meter.add(self.take_step(self.state.step))
                self.state.step += 1
                step, last = self.state.step, self.state.step == len(self.plan)
                asked = self.figures is not None and (step % asks == 0 or last)
                evaluates = asked or (bool(self.data.held_out) and (step % every == 0 or last))
                saves = step % save == 0 or last
                if evaluates or saves or step % meter.every == 0:
                    meter.read(log, show)
                if evaluates:
                    self._evaluate_now(log, asked=asked)
                    meter.restart()
                if saves and self.peers.first:
                    save_checkpoint(self.checkpoint, self.trainable, _state_json(self.state))
                    meter.restart()
        self.peers.wait()
        return self.state

    def take_step(self, step: int) -> TrainingStep:
        """One step over all its rows; what is known about it without waiting for the device."""
        started = time.perf_counter()
        rows = [self.data.rows[place] for place in self.plan[step]]
        learnt = sum(int(row.trained.sum()) for row in rows)
        total = torch.zeros((), device=self.losses.device)
        for pack in self._own_packs(rows):
            loss = self.losses.per_token(pack).sum() / learnt
            loss.backward()
            self.trainable.collect()
            total += loss.detach()
        self.peers.sum_tensors([*self.trainable.gradients(), total])
        rate = learning_rate_at(step, len(self.plan), self.settings.learning_rate, self.settings.warmup)
        norm = self.trainable.step(rate, self.settings.clip)
        lengths = [len(row) for row in rows]
        return TrainingStep(
            total, norm, rate, sum(lengths), learnt, self.work.operations(lengths, learnt), started
        )

    def _own_packs(self, rows: Sequence[Encoded]) -> Iterator[PackedRows]:
        """This process's share of the packs of a step."""
        micro = self.micro_tokens
        if self.peers.count > 1:
            micro = min(micro, math.ceil(sum(map(len, rows)) / self.peers.count))
        made = pack_rows(rows, micro_tokens=micro, packing=bool(self.losses.way))
        return (pack for place, pack in enumerate(made) if place % self.peers.count == self.peers.own)

    def evaluate(self) -> Evaluated:
        """The loss on the rows held out."""
        sums: dict[str, list[torch.Tensor]] = defaultdict(list)
        learnt: dict[str, int] = defaultdict(int)
        self.model.eval()
        with torch.no_grad():
            for pack in pack_rows(
                self.data.held_out, micro_tokens=self.micro_tokens, packing=bool(self.losses.way)
            ):
                parts = self.losses.per_token(pack).split(list(pack.learnt))
                for source, part in zip(pack.sources, parts, strict=True):
                    sums[source].append(part.double().sum())
                    learnt[source] += len(part)
        self.model.train()
        totals = {source: float(torch.stack(sums[source]).sum()) for source in sorted(sums)}
        return Evaluated(
            sum(totals.values()) / sum(learnt.values()),
            {source: total / learnt[source] for source, total in totals.items()},
        )

    def _evaluate_now(self, log: Appender | _Nowhere, *, asked: bool) -> None:
        """Measures, and keeps the weights if they are the best so far: by figures where benchmarks are asked."""
        line: dict[str, object] = {"step": self.state.step, "held_out": None, "sources": {}}
        if self.data.held_out:
            found = self.evaluate()
            line |= {"held_out": found.loss, "sources": found.sources}
        if self.figures is not None and asked:
            if self.peers.first:
                line["benchmarks"] = self.figures(self.state.step)
            self.peers.wait()
        quality = quality_of_evaluation(line, by_metrics=self.figures is not None)
        self.state.evaluations.append(line)
        log.append(line)
        if quality is not None and (self.state.best is None or quality > self.state.best):
            self.state.best, self.state.best_step = quality, self.state.step
            if self.peers.first:
                save_weights(self.best, self.trainable.tensors(), {"step": self.state.step})


@dataclass(frozen=True, slots=True)
class TrainingStep:
    """What one step did; loss and norm are still on the device."""

    loss: torch.Tensor
    norm: torch.Tensor
    rate: float
    tokens: int
    learnt: int
    operations: float
    started: float


class Meter:
    """Reads losses off the device now and then, writes them to the log, and measures the speed in between."""

    def __init__(self, loop: Loop) -> None:
        self.loop = loop
        self.every = READ_EVERY if loop.losses.device.type == "cuda" else 1
        self.waiting: list[TrainingStep] = []
        self.since = time.perf_counter()

    def restart(self) -> None:
        """Begins to measure anew, after something that is no step."""
        self.since = time.perf_counter()

    def add(self, step: TrainingStep) -> None:
        """Notes a step."""
        self.waiting.append(step)

    def read(self, log: Appender | _Nowhere, show: Show) -> None:
        """Writes down the steps since the last reading."""
        if not self.waiting:
            return
        numbers = torch.stack([torch.stack((step.loss, step.norm)) for step in self.waiting]).tolist()
        seconds = max(1e-9, time.perf_counter() - self.since)
        tokens = sum(step.tokens for step in self.waiting) / seconds
        share = self._share(sum(step.operations for step in self.waiting) / seconds)
        state, steps = self.loop.state, len(self.loop.plan)
        first = state.step - len(self.waiting) + 1
        for place, (step, (loss, norm)) in enumerate(zip(self.waiting, numbers, strict=True)):
            log.append(
                {
                    "step": first + place, "loss": loss, "norm": norm, "rate": step.rate, "tokens": step.tokens,
                    "learnt": step.learnt, "tokens_per_second": round(tokens), "share_of_peak": share,
                }
            )  # fmt: skip
        left = (steps - state.step) * seconds / len(self.waiting)
        held_out = state.evaluations[-1]["held_out"] if state.evaluations else None
        if self.loop.peers.first:
            show(
                TrainingProgress(
                    state.step, steps, numbers[-1][0], self.waiting[-1].rate, tokens, share, left, held_out
                )
            )
        self.waiting = []
        self.restart()

    def _share(self, operations: float) -> float | None:
        peak = self.loop.peak
        return None if peak is None else round(operations / (peak * self.loop.peers.count), 4)


class _Nowhere:
    """A log that nobody keeps: of the processes that train together one writes."""

    def append(self, record: object) -> None:
        """Forgets the record."""

    def __enter__(self) -> _Nowhere:
        return self

    def __exit__(self, *error: object) -> None:
        return None


def _state_json(state: CheckpointState) -> dict[str, JsonValue]:
    return {
        "step": state.step, "best_step": state.best_step, "best": state.best, "evaluations": state.evaluations
    }  # fmt: skip
