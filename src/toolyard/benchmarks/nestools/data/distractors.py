"""Similar tools that a prompt offers in addition to the gold ones (section 4.1): five for each gold tool."""

import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from toolyard.benchmarks.nestools.data.rows import distractor_pool, has_distractors, tool_key
from toolyard.benchmarks.nestools.data.sample import NestoolsSample
from toolyard.core.benchmark import Embed
from toolyard.core.errors import DataError
from toolyard.core.types import JsonValue, Record
from toolyard.text.matching import edit_ratio

PER_GOLD_TOOL = 5
SMALLEST_EDIT_RATIO = 0.2
FIRST_LOOK = 128


def prepare_distractors(
    path: Path, samples: tuple[NestoolsSample, ...], embed: Embed, seed: int
) -> Mapping[str, Mapping[str, JsonValue]]:
    """Five distractors per gold tool for every sample that has none yet, by sample id."""
    wanting = [sample for sample in samples if not has_distractors(sample)]
    if not wanting:
        return {}
    pool = distractor_pool(path)
    # The seed decides between equally similar tools, so that the file's order does not.
    random.Random(seed).shuffle(pool)
    gold = [tool for sample in wanting for tool in sample.input["tools"]]
    vectors = _vectors_of_tools([*pool, *gold], embed)
    # The last digits of embeddings differ between processors; what they decide is decided by the seed instead.
    similarity = np.round(vectors[len(pool) :] @ vectors[: len(pool)].T, 6)
    found: dict[str, Record] = {}
    start = 0
    for sample in wanting:
        stop = start + len(sample.input["tools"])
        found[sample.id] = {"distractors": _choose_distractors(sample, pool, similarity[start:stop])}
        start = stop
    return found


def _vectors_of_tools(tools: Sequence[Record], embed: Embed) -> NDArray[np.float32]:
    texts = [f"{tool['api_name']}: {tool['api_description']}" for tool in tools]
    unique = list(dict.fromkeys(texts))
    vectors = np.array(embed(unique), dtype=np.float32)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors /= np.where(lengths == 0, np.float32(1), lengths)
    places = {text: index for index, text in enumerate(unique)}
    return vectors[[places[text] for text in texts]]


def _choose_distractors(
    sample: NestoolsSample, pool: Sequence[Record], similarity: NDArray[np.float32]
) -> list[Record]:
    """The most similar tools that may be offered, five per gold tool, none twice."""
    gold = sample.input["tools"]
    names = [tool["api_name"] for tool in gold]
    taken = {tool_key(tool) for tool in gold}
    taken_ids = {tool["api_id"] for tool in gold}
    chosen: list[Record] = []
    for position, row in enumerate(similarity, start=1):
        for index in _tools_by_nearness(row):
            if len(chosen) == position * PER_GOLD_TOOL:
                break
            tool = pool[index]
            if (
                tool["api_id"] in taken_ids
                or tool_key(tool) in taken
                or not is_distinct_name(tool["api_name"], names)
            ):
                continue
            chosen.append(tool)
            taken.add(tool_key(tool))
            taken_ids.add(tool["api_id"])
    if len(chosen) < len(gold) * PER_GOLD_TOOL:
        raise DataError(
            f"the tool pool has {len(pool)} tools, too few for {PER_GOLD_TOOL} distractors per gold tool of "
            f"test_id {sample.id}; add tools to pool.jsonl"
        )
    return chosen


def is_distinct_name(name: str, gold_names: Sequence[str]) -> bool:
    """Whether a name is far enough from every gold name."""
    return all(edit_ratio(name, gold) >= SMALLEST_EDIT_RATIO for gold in gold_names)


def _tools_by_nearness(similarity: NDArray[np.float32]) -> Iterator[int]:
    """Indices by falling similarity, ties by index; all are sorted only when the first look is spent."""
    first = min(FIRST_LOOK, similarity.size)
    threshold = -np.partition(-similarity, first - 1)[first - 1]
    near = np.flatnonzero(similarity >= threshold)
    yield from near[np.argsort(-similarity[near], kind="stable")].tolist()
    far = np.flatnonzero(similarity < threshold)
    yield from far[np.argsort(-similarity[far], kind="stable")].tolist()
