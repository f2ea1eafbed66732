"""A Ray cluster: the same stages as Ray Data batches; whatever a lost machine had in hand is done again."""

from __future__ import annotations

import asyncio
import itertools
import pickle
from collections.abc import Iterator
from types import ModuleType

from toolyard.core.errors import UsageError
from toolyard.core.types import Record
from toolyard.synth.engines.cluster import connected_data
from toolyard.synth.engines.local_engine import batch_pairs, stage_outcomes
from toolyard.synth.pipeline import Pair, Take
from toolyard.synth.row_questions import Answering, StageResult, ask_model_about_row
from toolyard.synth.stages import Ask, Context, Each

# Rows per data set: bounds what is on the cluster and not yet written down.
BLOCK = 2048
BATCH = 32


class RayEngine:
    """Work on a cluster: at `address`, at RAY_ADDRESS, or one that is started here and ends with the process."""

    def __init__(self, address: str = "") -> None:
        self._address = address
        self._data: ModuleType | None = None

    def each(self, stage: Each, pairs: Iterator[Pair], context: Context, take: Take) -> None:
        """Does a stage of plain functions."""
        self._run(_EachBatch(stage, context), pairs, take)

    def ask(
        self, stage: Ask, pairs: Iterator[Pair], context: Context, answering: Answering, take: Take
    ) -> None:
        """Does a stage of questions; every machine asks the model itself."""
        if not isinstance(answering.model, str):
            raise UsageError(
                "--engine ray wants a model that every machine can reach; name one with -m MODEL"
            )
        self._run(_AskBatch(stage, context, answering), pairs, take)

    def _run(self, work: _EachBatch | _AskBatch, pairs: Iterator[Pair], take: Take) -> None:
        first = next(pairs, None)
        if first is None:
            return
        data = self._connect()
        for block in batch_pairs(itertools.chain([first], pairs), BLOCK):
            items = [{"pair": pickle.dumps(pair)} for pair in block]
            made = data.from_items(items, override_num_blocks=-(-len(items) // BATCH)).map_batches(
                work, batch_size=BATCH
            )
            for row in made.iter_rows():
                pair, result = pickle.loads(row["made"])  # noqa: S301 - written by our own tasks
                take(pair, result)

    def _connect(self) -> ModuleType:
        """Ray Data, connected once."""
        if self._data is None:
            self._data = connected_data(self._address)
        return self._data


class _EachBatch:
    """A batch of rows through a stage of plain functions."""

    def __init__(self, stage: Each, context: Context) -> None:
        self._stage, self._context = stage, context

    def __call__(self, batch: Record) -> dict[str, list[bytes]]:
        pairs = [pickle.loads(item) for item in batch["pair"]]  # noqa: S301 - written by the driver
        return _pickle_results(pairs, stage_outcomes(self._stage, pairs, self._context))


class _AskBatch:
    """A batch of rows through a stage of questions."""

    def __init__(self, stage: Ask, context: Context, answering: Answering) -> None:
        self._stage, self._context, self._answering = stage, context, answering

    def __call__(self, batch: Record) -> dict[str, list[bytes]]:
        pairs = [pickle.loads(item) for item in batch["pair"]]  # noqa: S301 - written by the driver
        return _pickle_results(pairs, asyncio.run(self._answers(pairs)))

    async def _answers(self, pairs: list[Pair]) -> list[StageResult]:
        model = self._answering.load()
        try:
            return await asyncio.gather(
                *(ask_model_about_row(self._stage, row, self._context, model) for _, row in pairs)
            )
        finally:
            await model.close()


def _pickle_results(pairs: list[Pair], results: list[StageResult]) -> dict[str, list[bytes]]:
    return {"made": [pickle.dumps(item) for item in zip(pairs, results, strict=True)]}
