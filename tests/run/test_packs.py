"""Packed answers: small, without prompts or paths, scored again to the same figures, changed samples left out."""

import json
import lzma
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from toolyard.core.errors import DataError
from toolyard.run.api import evaluate
from toolyard.run.play.execute import RunResult
from toolyard.run.store.packs import (
    FORM,
    _digests_by_sample,
    _drop_paths,
    pack_folder,
    read_pack,
    unpack_run,
)


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> RunResult:
    return evaluate("nestools", "scripted/random", limit=3, runs=tmp_path_factory.mktemp("runs"))


def test_unpacked_answers_score_the_same(result: RunResult, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.xz"
    path.write_bytes(pack_folder(result.folder, "starter"))
    again = unpack_run(read_pack(path), tmp_path / "again")
    assert again.summaries["paper"].figures == result.summaries["paper"].figures
    assert again.run.config.model == "scripted/random"
    assert len(again.run.samples) == 3


def test_a_pack_holds_no_prompt(result: RunResult) -> None:
    text = lzma.decompress(pack_folder(result.folder, "starter")).decode()
    query = result.run.samples[0].input["query"]
    assert query not in text and str(result.folder) not in text


def test_a_sample_that_changed_since_is_left_out(result: RunResult, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.xz"
    path.write_bytes(pack_folder(result.folder, "starter"))
    pack = read_pack(path)
    first, *rest = pack.samples
    changed = replace(pack, samples={first: "other", **{name: pack.samples[name] for name in rest}})
    again = unpack_run(changed, tmp_path / "again")
    assert [sample.id for sample in again.run.samples] == rest
    with pytest.raises(DataError, match="has changed since"):
        unpack_run(replace(pack, samples=dict.fromkeys(pack.samples, "other")), tmp_path / "none")


def test_a_sample_whose_gold_was_repaired_is_scored_by_todays_gold(tmp_path: Path) -> None:
    row: dict[str, Any] = {
        "id": "a",
        "path": "Calculator/Calculator",
        "scenario": "AM",
        "query": "What is 2 + 2?",
    }
    row |= {"plan": [{"tool": "calculator", "arguments": {"input_query": "2 + 2"}}], "answer": "{0.result}"}
    data = tmp_path / "own.jsonl"
    data.write_text(json.dumps({**row, "checks": {"facts": ["4"]}}) + "\n")
    before = evaluate("tooleyes", "scripted/oracle", data=str(data), runs=tmp_path / "runs")
    path = tmp_path / "a.jsonl.xz"
    path.write_bytes(pack_folder(before.folder, "own", str(data)))
    data.write_text(json.dumps({**row, "answer": "5", "checks": {"facts": ["5"]}}) + "\n")
    after = unpack_run(read_pack(path), tmp_path / "again", str(data))
    figures = [result.summaries["paper"].figures["outcome"].value for result in (before, after)]
    assert figures == [1, 0]
    with pytest.raises(DataError, match="has changed since"):
        unpack_run(replace(read_pack(path), form=1), tmp_path / "former", str(data))
    row["plan"] = [{"tool": "calculator", "arguments": {"input_query": "2 + 3"}}]
    data.write_text(json.dumps({**row, "checks": {"facts": ["4"]}}) + "\n")
    with pytest.raises(DataError, match="has changed since"):
        unpack_run(read_pack(path), tmp_path / "other_plan", str(data))


def test_a_plan_that_nobody_plays_is_gold_alone(tmp_path: Path) -> None:
    run = evaluate("toolbehonest", "scripted/empty", limit=2, runs=tmp_path).run
    repaired = tuple(replace(sample, gold=replace(sample.gold, plan=())) for sample in run.samples)
    other = replace(run, samples=repaired)
    assert _digests_by_sample(run, FORM) == _digests_by_sample(other, FORM)
    assert _digests_by_sample(run, 1) != _digests_by_sample(other, 1)


def test_paths_of_a_machine_are_left_out_of_a_models_name() -> None:
    model = "hf//home/me/models/qwen-1.5b?dtype=bfloat16&lora=/home/me/adapter"
    found = _drop_paths({"model": model})["model"]
    assert "home" not in found and "qwen-1.5b?dtype=bfloat16&lora=" in found
    assert _drop_paths({"model": "openai/org/model"})["model"] == "openai/org/model"
