"""Which rows differ most, and which are too much alike: by embeddings of tasks and of tools (Section 3.4)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from toolyard.benchmarks.toolbehonest.data.audit import MOST_SIMILAR
from toolyard.benchmarks.toolbehonest.data.rows import SUBTASKS
from toolyard.benchmarks.toolbehonest.synth.data_files import numbered_tools
from toolyard.synth.stages import Context, Rejected, Row, Rows

Vectors = NDArray[np.float32]
# Distances are compared to this many decimals: less than that differs between machines.
DECIMALS = 5


@dataclass(frozen=True, slots=True)
class Embedded:
    """Rows with the unit vectors of their tasks and of their tool lists."""

    rows: tuple[Row, ...]
    tasks: Vectors
    tools: Vectors


def embed_rows(rows: Sequence[Row], context: Context) -> Embedded:
    """The rows with their vectors, all computed at once."""
    tasks = context.embed([row["task"] for row in rows])
    return Embedded(tuple(rows), tasks, context.embed([numbered_tools(row["tools"]) for row in rows]))


def near_copy_index(known: Embedded, others: Sequence[int], place: int, either: bool = False) -> int | None:
    """The first of `others` that the row at `place` nearly copies: task and tools both, or either of them (G7)."""
    if not others:
        return None
    tasks = known.tasks[list(others)] @ known.tasks[place] > MOST_SIMILAR
    tools = known.tools[list(others)] @ known.tools[place] > MOST_SIMILAR
    alike = tasks | tools if either else tasks & tools
    return others[int(np.argmax(alike))] if alike.any() else None


def farthest_first(vectors: Vectors, count: int) -> list[int]:
    """Places of `count` rows that lie far apart: each next one is farthest from all before (greedy k-centre).

    The first is the one farthest from the mean; of equals the earlier one.
    """
    if count >= len(vectors):
        return list(range(len(vectors)))
    if count < 1:
        return []
    chosen = [int(np.argmax(_cosine_distances(vectors, vectors.mean(axis=0))))]
    nearest = _cosine_distances(vectors, vectors[chosen[0]])
    while len(chosen) < count:
        nearest[chosen] = -1.0
        chosen.append(int(np.argmax(nearest)))
        nearest = np.minimum(nearest, _cosine_distances(vectors, vectors[chosen[-1]]))
    return chosen


def _cosine_distances(vectors: Vectors, centre: Vectors) -> NDArray[np.float64]:
    distances: NDArray[np.float64] = np.linalg.norm(vectors.astype(np.float64) - centre, axis=1)
    return distances.round(DECIMALS)


def most_varied(rows: Rows, context: Context, quota: Callable[[str], int]) -> Iterator[Row | Rejected]:
    """The rows of each subtask that differ most in task and tools, up to its quota; the others are surplus."""
    every = list(rows)
    for subtask in SUBTASKS:
        known = embed_rows([row for row in every if row["subtask"] == subtask], context)
        if not known.rows:
            continue
        vectors = np.concatenate([known.tasks, known.tools], axis=1)
        chosen = set(farthest_first(vectors, quota(subtask)))
        for place, row in enumerate(known.rows):
            yield row if place in chosen else Rejected("surplus", "others differ more", row["id"])
