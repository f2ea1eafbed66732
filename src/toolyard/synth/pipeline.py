"""Runs the stages of a pipeline one after the other; whatever was done before is read back from the logs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import orjson

from toolyard import __version__
from toolyard.core.declared_world import VERSION
from toolyard.core.errors import FATAL_KINDS, BudgetExceeded, ProviderError
from toolyard.core.types import Failure, Usage
from toolyard.lines import Appender, encode
from toolyard.models.base import Price
from toolyard.synth.row_questions import Answering, StageResult
from toolyard.synth.stage_log import (
    END,
    LoggedRows,
    StageCounts,
    StageLog,
    kept_record,
    row_key,
    stage_digest,
    whole_key,
)
from toolyard.synth.stages import (
    Ask,
    Context,
    Each,
    Kept,
    Pipeline,
    Rejected,
    Row,
    Rows,
    RowSource,
    Stage,
    Whole,
    applies_to,
    rows_of_outcome,
)
from toolyard.text.counted_nouns import how_many

# An engine is handed (key, row) pairs and tells the outcome of each, in any order.
Pair = tuple[str, Row]
Take = Callable[[Pair, StageResult], None]


class StageEngine(Protocol):
    """Where the work of a stage is done: in this process and its children, or on a cluster."""

    def each(self, stage: Each, pairs: Iterator[Pair], context: Context, take: Take) -> None:
        """Does a stage of plain functions."""
        ...

    def ask(
        self, stage: Ask, pairs: Iterator[Pair], context: Context, answering: Answering, take: Take
    ) -> None:
        """Does a stage of questions to the model."""
        ...


@dataclass(slots=True)
class StageProgress:
    """How far the present stage is; `show` is called after every change."""

    show: Callable[[StageProgress], None]
    stages: int
    number: int = 0
    stage: str = ""
    total: int = 0
    done: int = 0
    rejected: int = 0
    usage: Usage = Usage()
    price: Price | None = None

    def begin(self, number: int, stage: Stage, total: int) -> None:
        """Turns to the next stage."""
        self.number, self.stage, self.total, self.done, self.rejected = number, stage.name, total, 0, 0
        self.show(self)

    def add(self, rejected: bool = False, usage: Usage = Usage()) -> None:
        """Counts one more row."""
        self.done += 1
        self.rejected += rejected
        self.usage += usage
        self.show(self)


@dataclass(frozen=True, slots=True)
class Finished:
    """The rows that passed every stage, and what happened to all others."""

    rows: Rows
    funnel: tuple[StageCounts, ...]


@dataclass(slots=True)
class PipelineRun:
    """One walk through the stages of a pipeline."""

    pipeline: Pipeline
    context: Context
    engine: StageEngine
    answering: Answering
    work: Path
    progress: StageProgress
    failures: list[Failure] = field(default_factory=list)
    fields: set[str] = field(default_factory=lambda: {"id"})

    def finish(self) -> Finished:
        """Everything, from the source to the last stage. The caller holds the work folder against others."""
        self.work.mkdir(parents=True, exist_ok=True)
        surroundings = f"{__version__} {VERSION}".encode() if self.pipeline.of_world else b""
        rows: Rows = ()
        funnel = []
        for number, stage in enumerate(self.pipeline.stages, 1):
            self.progress.begin(number, stage, len(rows))
            self.fields |= set(stage.gives)
            rows, line = self._stage(number, stage, rows, surroundings)
            funnel.append(line)
        return Finished(rows, tuple(funnel))

    def _stage(self, number: int, stage: Stage, rows: Rows, surroundings: bytes) -> tuple[Rows, StageCounts]:
        path = self.work / f"{number:02}_{stage.name}.jsonl"
        digest = surroundings + stage_digest(stage, self.context, self.answering.of(stage).identity)
        line = StageCounts(stage.name, stage.version)
        if isinstance(stage, RowSource | Whole):
            return self._run_whole_stage(stage, rows, path, digest, line), line
        with StageLog(path) as log:
            self.progress.usage += log.usage
            self._count_spent()
            keys = self._run_stage_by_row(stage, rows, log, digest)
            budget = self.answering.budget
            if budget is not None and budget.refused:
                left = len(keys) - sum(key in log.index for key in keys)
                raise BudgetExceeded(
                    f"{budget.reached} in stage {stage.name}: {left} of {len(keys)} rows remain; {budget.go_on}"
                )
            if self.failures:
                raise unanswered_error(stage, self.failures)
            return log.rows(keys, line), line

    def _run_stage_by_row(self, stage: Each | Ask, rows: Rows, log: StageLog, digest: bytes) -> list[str]:
        """The keys of all rows in order, once each of them has its line in the log."""
        keys: dict[str, None] = {}
        names: set[str] = set()

        def missing() -> Iterator[Pair]:
            for row in rows:
                if row["id"] in names:
                    raise ValueError(f"two rows that enter {stage.name} are called {row['id']}")
                names.add(row["id"])
                key = row_key(stage, digest, row, self.context)
                keys[key] = None
                if key in log.index:
                    self.progress.add()
                elif not applies_to(stage, row):
                    log.append(kept_record(key, row["id"], [row]))
                    self.progress.add()
                elif not self._is_stopped():
                    yield key, row

        def take(pair: Pair, result: StageResult) -> None:
            self._take_result(stage, log, pair, result)
            self._count_spent()

        if isinstance(stage, Each):
            self.engine.each(stage, missing(), self.context, take)
        else:
            self.engine.ask(stage, missing(), self.context, self.answering.of(stage), take)
        return list(keys)

    def _is_stopped(self) -> bool:
        """Whether nothing more is asked, because the limit is reached or every request would fail."""
        budget = self.answering.budget
        fatal = any(failure.kind in FATAL_KINDS for failure in self.failures)
        return fatal or (budget is not None and budget.refused)

    def _count_spent(self) -> None:
        """Tells the budget what the logs know of: also answers that a session kept which did not come to write them."""
        budget, price = self.answering.budget, self.progress.price
        if budget is not None and price is not None:
            budget.spent = max(budget.spent, price.cost(self.progress.usage))

    def _take_result(self, stage: Each | Ask, log: StageLog, pair: Pair, result: StageResult) -> None:
        key, row = pair
        outcome = result.outcome
        record = kept_record(key, row["id"], ())
        record["usage"] = [result.usage.prompt_tokens, result.usage.completion_tokens]
        if isinstance(outcome, Failure):
            self.failures.append(outcome)
            self.progress.add(usage=result.usage)
            if result.usage != Usage():
                # Under a key of no row: it is asked again, and what it took is not forgotten.
                log.append({**record, "key": f"failed {key}"})
            return
        if isinstance(outcome, Rejected):
            record["rejected"] = [outcome.reason, outcome.detail]
        else:
            record["rows"] = rows_of_outcome(stage, row, outcome)
            parts = [outcome] if isinstance(outcome, Kept) else outcome
            record["repairs"] = [repair for part in parts for repair in part.repairs]
        log.append(record)
        self.progress.add(bool(record["rejected"]), result.usage)

    def _run_whole_stage(
        self, stage: RowSource | Whole, rows: Rows, path: Path, digest: bytes, line: StageCounts
    ) -> Rows:
        """Does a stage of the whole set, or reads it back; half a file is never taken for a whole one."""
        key = whole_key(digest, self._stage_inputs(stage, rows))
        if not _holds_outcome(path, key):
            scratch = path.with_suffix(".part")
            scratch.unlink(missing_ok=True)
            made = (
                stage.work(self.context) if isinstance(stage, RowSource) else stage.work(rows, self.context)
            )
            with Appender(scratch) as file:
                file.append({"key": key})
                for item in made:
                    file.append(self._item_record(stage, item))
                    self.progress.add(isinstance(item, Rejected))
                file.append(END)
            scratch.replace(path)
        return _whole_rows(path, line, None if isinstance(stage, RowSource) else len(rows))

    def _item_record(self, stage: RowSource | Whole, item: Row | Rejected) -> dict[str, object]:
        if isinstance(item, Rejected):
            return {**kept_record("", item.row, ()), "rejected": [item.reason, item.detail]}
        undeclared = set(item) - self.fields
        if undeclared:
            raise ValueError(
                f"stage {stage.name} gave {', '.join(sorted(undeclared))}, which no stage declares"
            )
        return kept_record("", item["id"], [item])

    def _stage_inputs(self, stage: RowSource | Whole, rows: Rows) -> Iterator[bytes]:
        if isinstance(stage, Whole):
            yield from map(encode, rows)
        elif stage.files is not None:
            for path in stage.files(self.context):
                yield path.name.encode() + path.read_bytes()


def unanswered_error(stage: Stage, failures: list[Failure]) -> ProviderError:
    """The error for rows that no model answered; those that were answered are kept."""
    fatal = next((failure for failure in failures if failure.kind in FATAL_KINDS), None)
    if fatal is not None:
        return ProviderError(fatal.kind, fatal.detail)
    first = failures[0]
    return ProviderError(
        first.kind,
        f"{how_many(len(failures), 'row')} of stage {stage.name} got no answer ({first.kind}: {first.detail}); "
        "everything else is kept: run the same command again",
    )


def _holds_outcome(path: Path, key: str) -> bool:
    """Whether the file is the whole outcome under that key; one that was cut or damaged is made again."""
    if not path.exists():
        return False
    with path.open("rb") as file:
        first = file.readline()
        file.seek(-min(path.stat().st_size, len(encode(END))), os.SEEK_END)
        return first == encode({"key": key}) and file.read() == encode(END)


def _whole_rows(path: Path, line: StageCounts, entered: int | None) -> LoggedRows:
    offsets = []
    with path.open("rb") as file:
        offset = len(file.readline())
        for raw in file:
            record = orjson.loads(raw)
            if record == END:
                break
            line.add(record)
            if record["rows"]:
                offsets.append(offset)
            offset += len(raw)
    if entered is not None:
        line.entered = entered
    return LoggedRows(path, offsets, line.kept)
