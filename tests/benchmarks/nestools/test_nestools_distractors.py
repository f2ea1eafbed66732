"""Distractors: five per gold tool, similar but distinct, none twice, the same for the same seed."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from json_files import write_lines
from nestools_ferry import IDS, ROW, WEATHER, write_data
from toolyard.benchmarks.nestools import BENCHMARK
from toolyard.benchmarks.nestools.data.distractors import prepare_distractors
from toolyard.benchmarks.nestools.data.rows import distractor_pool, tool_key
from toolyard.core.errors import DataError
from toolyard.core.types import Options, Sample


def hashed_words(texts: Sequence[str]) -> NDArray[np.float32]:
    """One dimension per hashed word: texts that share words are similar."""
    vectors = np.zeros((len(texts), 64), np.float32)
    for row, text in enumerate(texts):
        for word in text.lower().replace("_", " ").split():
            vectors[row, hashlib.blake2b(word.encode(), digest_size=1).digest()[0] % 64] += 1
    return vectors


def hashed_elsewhere(texts: Sequence[str]) -> NDArray[np.float32]:
    """The same as another processor would compute it: the last digit differs."""
    noise = np.random.default_rng(1).choice([1, 1 + 2**-23], (len(texts), 64))
    return (hashed_words(texts) * noise).astype(np.float32)


def never(texts: Sequence[str]) -> NDArray[np.float32]:
    raise AssertionError(f"{len(texts)} texts were embedded")


def assert_rules(sample: Sample, distractors: Sequence[Any]) -> None:
    gold = sample.input["tools"]
    assert len(distractors) == 5 * len(gold)
    keys = [tool_key(tool) for tool in (*gold, *distractors)]
    assert len(set(keys)) == len(keys)
    assert len({tool["api_id"] for tool in distractors}) == len(distractors)
    for tool in distractors:
        for wanted in gold:
            distance = Levenshtein.distance(wanted["api_name"], tool["api_name"])
            assert distance / len(wanted["api_name"]) >= 0.2


def test_official_records_get_five_per_gold_tool_under_all_rules(shared: Path) -> None:
    path = shared / "data" / "nestools"
    samples = BENCHMARK.data.load(path, Options())
    prepared = prepare_distractors(path, samples, hashed_words, 0)
    assert list(prepared) == [sample.id for sample in samples]
    for sample in samples:
        assert_rules(sample, prepared[sample.id]["distractors"])
    assert len(distractor_pool(path)) == 3034
    for embed in (hashed_words, hashed_elsewhere):
        assert prepare_distractors(path, samples[:20], embed, 0) == {
            sample.id: prepared[sample.id] for sample in samples[:20]
        }


def test_shipped_distractors_of_the_starter_set_keep_the_rules_and_need_no_embedder() -> None:
    samples = BENCHMARK.data.load(BENCHMARK.data.starter, Options())
    pool = {tool_key(tool) for tool in distractor_pool(BENCHMARK.data.starter)}
    for sample in samples:
        assert_rules(sample, sample.input["distractors"])
        assert pool.issuperset(tool_key(tool) for tool in sample.input["distractors"])
    assert prepare_distractors(BENCHMARK.data.starter, samples, never, 0) == {}


def test_the_most_similar_tools_are_chosen(tmp_path: Path) -> None:
    folder = write_data(
        tmp_path,
        [{**ROW, "api": [ROW["api"][1]], "call": [ROW["call"][2]]}],
        [{"test_id": 7, "api_ids": [96]}],
    )
    near = [
        {
            **WEATHER,
            "api_id": n,
            "api_name": f"reserve_{n}_places",
            "api_description": "Book seats on a ferry.",
        }
        for n in range(5)
    ]
    far = [{**WEATHER, "api_id": n, "api_name": f"weather_{n}"} for n in range(10, 40)]
    twin = {**WEATHER, "api_id": 99, "api_name": "book_seat", "api_description": "Book seats on a ferry."}
    write_lines(folder / "pool.jsonl", [*far, twin, *near])
    samples = BENCHMARK.data.load(folder, Options())
    chosen = prepare_distractors(folder, samples, hashed_words, 0)["7"]["distractors"]
    assert {tool["api_id"] for tool in chosen} == {0, 1, 2, 3, 4}


def test_the_seed_decides_between_equally_similar_tools_of_a_large_enough_pool(
    tmp_path: Path,
) -> None:
    folder = write_data(tmp_path, [ROW], [IDS])
    alike = [{**WEATHER, "api_id": n, "api_name": f"{chr(97 + n)}_weather_{n}"} for n in range(26)]
    write_lines(folder / "pool.jsonl", alike)
    samples = BENCHMARK.data.load(folder, Options())

    def flat(texts: Sequence[str]) -> NDArray[np.float32]:
        return np.ones((len(texts), 2), np.float32)

    lists = [prepare_distractors(folder, samples, flat, seed)["7"]["distractors"] for seed in (0, 0, 1)]
    assert lists[0] == lists[1] != lists[2]
    (folder / "pool.jsonl").unlink()
    with pytest.raises(DataError, match="the tool pool has 3 tools, too few for 5 distractors"):
        prepare_distractors(folder, BENCHMARK.data.load(folder, Options()), hashed_words, 0)
