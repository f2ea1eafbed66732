"""What a run's digest covers: everything that the model is shown."""

import hashlib
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from toolyard import evaluate
from toolyard.benchmarks import load_benchmark
from toolyard.core.benchmark import Benchmark, Scene
from toolyard.core.errors import DataError, RunMismatch, UsageError
from toolyard.core.types import Sample
from toolyard.run.plan.library_documents import documents_sha256
from toolyard.run.plan.run_config import command_line, sha256_of
from toolyard.run.run import Run
from toolyard.run.settings import Settings
from toy_benchmark import toy_benchmark

TOOLEYES = load_benchmark("tooleyes")
SPOKEN = {"name": "say", "description": "Says it.", "parameters": {"type": "object", "properties": {}}}


def offering(part: str) -> Benchmark:
    """ToolEyes with the documents of that part of the library for every query."""
    return replace(TOOLEYES, task=replace(TOOLEYES.task, scene=lambda sample, options: Scene(part=(part,))))


def test_a_run_is_not_continued_with_other_tool_documents(tmp_path: Path) -> None:
    settings = {"limit": 1, "runs": tmp_path, "name": "mine"}
    evaluate(offering("IP/IP"), "scripted/empty", **settings)
    with pytest.raises(RunMismatch, match="documents_sha256 differ"):
        evaluate(offering("Mail/Mail"), "scripted/empty", **settings)


def test_the_hash_is_that_of_every_word_of_every_document() -> None:
    def offer(*descriptions: str) -> tuple[Sample, ...]:
        documents = [[{**SPOKEN, "description": each}] for each in descriptions]
        return tuple(Sample(str(n), {"documents": each}, None) for n, each in enumerate(documents))

    assert documents_sha256(offer("a", "b")) == documents_sha256(offer("b", "a", "a"))
    assert documents_sha256(offer("a", "b")) != documents_sha256(offer("a", "c"))
    assert documents_sha256((Sample("0", {}, None),)) == ""


def test_a_file_that_keeps_its_size_and_date_is_hashed_anew(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    found = []
    for content in (b"{}\n", b"[]\n"):
        path.write_bytes(content)
        os.utime(path, ns=(0, 0))
        found += [sha256_of(path), sha256_of(path)]
    assert found == [hashlib.sha256(content).hexdigest() for content in (b"{}\n", b"{}\n", b"[]\n", b"[]\n")]


def test_a_run_from_before_the_key_can_be_opened(tmp_path: Path) -> None:
    folder = evaluate("tooleyes", "scripted/oracle", limit=1, runs=tmp_path, name="old").folder
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["identity"].pop("documents_sha256")
    (folder / "manifest.json").write_text(json.dumps(manifest))
    assert len(Run.open(folder).samples) == 1


def test_a_template_is_text_without_its_byte_order_mark(tmp_path: Path) -> None:
    name, text = next(iter(load_benchmark("nestools").task.templates.items()))
    (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8-sig")
    plan = Run.plan(Settings("nestools", "scripted/oracle", limit=1, runs=tmp_path, templates=tmp_path))
    assert plan.config.texts == {name: text}
    name = next(iter(load_benchmark("nestools").task.templates))
    (tmp_path / f"{name}.txt").write_bytes(b"caf\xe9")
    with pytest.raises(DataError, match=f"{name}.txt cannot be read as UTF-8"):
        Run.plan(Settings("nestools", "scripted/oracle", limit=1, runs=tmp_path, templates=tmp_path))


def test_a_run_keeps_the_digest_it_had_before_settings_were_one_record(tmp_path: Path) -> None:
    data = tmp_path / "count.txt"
    data.write_text("20")
    settings = Settings("toy", "scripted/oracle?price=1,2", runs=tmp_path, limit=2, seed=3, temperature=0.5)
    run = Run.plan(settings, toy_benchmark(data))
    assert run.config.digest() == "01ab41724f623da235d7c274f75218c354024844b8a3958179dc970cba07d41c"
    assert run.folder == tmp_path / "toy_scripted-oracle_01ab4172"
    assert run.config.identity() == {
        "benchmark": "toy",
        "version": "1.0.0",
        "model": "scripted/oracle",
        "data_sha256": "f5ca38f748a1d6eaf726b8a42fb575c3c71f1864a8143301782de13da2d9202b",
        "style": "default",
        "options": {},
        "templates_sha256": "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945",
        "decoding": {"temperature": 0.5, "top_p": 1.0, "max_tokens": 8, "stop": (), "logprobs": False},
        "embedder": "minilm",
        "rewriter": "",
        "seed": 3,
        "trials": 1,
        "limit": 2,
        "ids": (),
    }


def test_another_world_is_another_run_and_the_first_keeps_its_digest(tmp_path: Path) -> None:
    plans = [
        Run.plan(Settings("tooleyes", "scripted/oracle", limit=1, runs=tmp_path, world_seed=seed))
        for seed in (0, 1)
    ]
    assert "world_seed" not in plans[0].config.identity()
    assert plans[1].config.identity()["world_seed"] == 1
    assert plans[0].folder != plans[1].folder
    assert "--world-seed 1" in command_line(plans[1].config, TOOLEYES)
    scenes = [
        TOOLEYES.task.scene(plan.samples[0], plan.setup.options) for plan in plans if TOOLEYES.task.scene
    ]
    assert [scene.seed for scene in scenes] == [0, 1]


def test_rows_that_were_made_in_a_world_take_no_other(tmp_path: Path) -> None:
    for benchmark, seed, why in (("nestools", 1, "is for tooleyes"), ("tooleyes", -1, "below 0")):
        with pytest.raises(UsageError, match=why):
            evaluate(benchmark, "scripted/oracle", limit=1, runs=tmp_path, world_seed=seed)
