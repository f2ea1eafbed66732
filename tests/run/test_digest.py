"""What a run's digest covers, what earlier runs called a style, and the world that data were made in."""

import hashlib
import json
import lzma
import os
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest
from first_look import coverage_remarks, stored_sets
from results_summary import readme_table

import toolyard
from cases import cases
from toolyard.benchmarks import benchmark_names, load_benchmark
from toolyard.benchmarks.tooleyes.scoring.judge_questions import pose_question
from toolyard.core.benchmark import Benchmark, Scene
from toolyard.core.declared_world import DECLARATION, VERSION
from toolyard.core.errors import DataError, RunMismatch, UsageError
from toolyard.core.types import Options, Sample
from toolyard.env.task_functions import system
from toolyard.report.compare.verdict import setting_differences
from toolyard.run.api import evaluate
from toolyard.run.grade.checking import Check, check_execution
from toolyard.run.plan.library_documents import documents_sha256
from toolyard.run.plan.run_config import command_line, path_sha256, require_style
from toolyard.run.run import Run
from toolyard.run.settings import Settings
from toolyard.run.store.packs import pack_folder, read_pack, unpack_run
from toolyard.synth.chains.execution import EXECUTION, stored_world_version
from toolyard.synth.command import SynthSettings, synthesise
from toolyard.world.kernel.state import EPOCH
from toolyard.world.mcp import INSTRUCTIONS
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
        found += [path_sha256(path), path_sha256(path)]
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
    assert json.loads(json.dumps(run.config.identity())) == cases(__file__, "identity")


def test_another_world_is_another_run_and_the_first_keeps_its_digest(tmp_path: Path) -> None:
    plans = [
        Run.plan(Settings("tooleyes", "scripted/oracle", limit=1, runs=tmp_path, world_seed=seed))
        for seed in (0, 1)
    ]
    assert "world_seed" not in plans[0].config.identity()
    assert plans[1].config.identity()["world_seed"] == 1
    assert plans[0].folder != plans[1].folder
    assert "--world-seed 1" in command_line(plans[1].config, TOOLEYES)
    scenes = [TOOLEYES.task.scene(one.samples[0], one.setup.options) for one in plans if TOOLEYES.task.scene]
    assert [scene.seed for scene in scenes] == [0, 1]


def test_rows_that_were_made_in_a_world_take_no_other(tmp_path: Path) -> None:
    for benchmark, seed, why in (("nestools", 1, "is for tooleyes"), ("tooleyes", -1, "below 0")):
        with pytest.raises(UsageError, match=why):
            evaluate(benchmark, "scripted/oracle", limit=1, runs=tmp_path, world_seed=seed)


def rewritten(folder: Path, **identity: str) -> dict[str, Any]:
    """The folder's manifest with another identity, as another version wrote it."""
    path = folder / "manifest.json"
    manifest: dict[str, Any] = orjson.loads(path.read_bytes())
    manifest["identity"] |= identity
    manifest["benchmark_version"] = identity.get("version", manifest["benchmark_version"])
    path.write_bytes(orjson.dumps(manifest))
    return manifest


def earlier_run(runs: Path, name: str = "earlier") -> Path:
    """A run as toolbehonest 1.5.0 made it in its default style."""
    found = toolyard.evaluate(
        "toolbehonest", "scripted/oracle", style="zero-shot", limit=2, runs=runs, name=name
    )
    rewritten(found.folder, style="default", version="1.5.0")
    return found.folder


def test_default_is_the_first_style_of_every_benchmark() -> None:
    firsts = {name: require_style(load_benchmark(name), "default") for name in benchmark_names()}
    assert firsts == {name: load_benchmark(name).task.styles[0] for name in firsts}
    assert firsts["toolbehonest"] == firsts["tooleyes"] == "example"
    assert firsts["mtu"] == firsts["nestools"] == "default"


def test_packed_answers_of_any_version_are_unpacked_as_what_they_were(tmp_path: Path) -> None:
    pack = tmp_path / "answers.jsonl.xz"
    pack.write_bytes(pack_folder(earlier_run(tmp_path), "starter"))
    read = read_pack(pack)
    old = replace(
        read, manifest={**read.manifest, "identity": {**read.manifest["identity"], "version": "1.1.0"}}
    )
    assert old.manifest["identity"]["style"] == "zero-shot"
    again = unpack_run(old, tmp_path / "again")
    assert Run.open(again.folder).config.style == "zero-shot"


@pytest.mark.parametrize(("version", "style"), [("1.5.1", "example"), ("1.3.0", "zero-shot")])
def test_no_tooleyes_run_of_an_earlier_prompt_is_alike(version: str, style: str, tmp_path: Path) -> None:
    folder = toolyard.evaluate("tooleyes", "scripted/oracle", style=style, limit=1, runs=tmp_path).folder
    rewritten(folder, version=version)
    with pytest.raises(RunMismatch, match=rf"was made with tooleyes {re.escape(version)}.* --limit 1\b"):
        Run.open(folder)


@pytest.mark.parametrize("name", ["toolbehonest", "tooleyes"])
def test_the_papers_style_is_that_without_an_example_whatever_the_default(name: str, tmp_path: Path) -> None:
    benchmark = load_benchmark(name)
    run = Run.plan(Settings(name, "scripted/empty", limit=1, options={}, runs=tmp_path))
    by_style = {
        style: [
            item.how
            for item in setting_differences(benchmark, replace(run.config, style=style))
            if item.what == "other style"
        ]
        for style in ("zero-shot", "example")
    }
    assert by_style == {"zero-shot": [], "example": ["style example; the paper's is zero-shot"]}


def execution_check(benchmark: str, folder: Path) -> Check:
    (found,) = check_execution(load_benchmark(benchmark), folder)
    return found


def test_the_sentence_has_the_clock_of_the_world() -> None:
    assert DECLARATION == (
        "The tools serve a simulated world. It is Wednesday, 15 May 2024, 09:00 UTC there, and what they return is "
        "correct in it."
    )
    assert EPOCH.strftime("%d %B %Y, %H:%M") in DECLARATION


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("data") / "made"
    return synthesise(SynthSettings("mtu", "world", rows=3, seed=5, out=out, engine="local")).folder


def test_a_set_of_todays_world_says_so_and_is_executed_again(made: Path) -> None:
    assert stored_world_version(made) == VERSION
    assert f"in world {VERSION}" in (made / "card.md").read_text()
    found = execution_check("mtu", made)
    assert found.passed
    assert "calls" in found.detail


@pytest.mark.parametrize("named", [True, False], ids=["of another version", "older than versions"])
def test_a_set_of_another_world_is_refused_with_the_command(made: Path, tmp_path: Path, named: bool) -> None:
    folder = tmp_path / "old set"
    shutil.copytree(made, folder)
    manifest = folder / "synth.json"
    content = {**orjson.loads(manifest.read_bytes()), "world": "0"}
    manifest.write_bytes(orjson.dumps(content)) if named else manifest.unlink()
    found = execution_check("mtu", folder)
    assert not found.passed
    known = " --seed 5 --rows 3" if named else ""
    assert f"world {'0' if named else '1'}, this is world {VERSION}" in found.detail
    assert f"toolyard synth mtu --from world{known} --out '{folder}'" in found.detail


def test_a_shipped_set_of_another_world_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    starter = load_benchmark("nestools").data.starter
    assert (starter / EXECUTION).exists()
    monkeypatch.setattr("toolyard.run.grade.checking.VERSION", "next")
    found = execution_check("nestools", starter)
    assert found.passed
    assert "python recipes/starter_sets.py nestools" in found.detail


def pack_of(benchmark: str, folder: Path, world: str | None) -> Path:
    """Stored answers that were given in a world."""
    run = evaluate(benchmark, "scripted/oracle", limit=1, runs=folder / "runs")
    head, *lines = lzma.decompress(pack_folder(run.folder, "starter")).splitlines(keepends=True)
    content = orjson.loads(head)
    identity = content["manifest"]["identity"]
    if world is None:
        identity.pop("world", None)
    else:
        identity["world"] = world
    path = folder / f"{benchmark}_{world}.jsonl.xz"
    path.write_bytes(lzma.compress(b"".join([orjson.dumps(content) + b"\n", *lines])))
    return path


@pytest.mark.parametrize(
    ("benchmark", "world", "holds"),
    [
        ("tooleyes", VERSION, True),
        ("tooleyes", "0", False),
        ("tooleyes", None, False),
        ("nestools", None, True),
    ],
)
def test_answers_hold_in_the_world_that_they_were_given_in(
    tmp_path: Path, benchmark: str, world: str | None, holds: bool
) -> None:
    pack = read_pack(pack_of(benchmark, tmp_path, world))
    if holds:
        assert not pack.out_of_date
        assert unpack_run(pack, tmp_path / "again").summaries
        return
    with pytest.raises(DataError, match=f"answered in world {world or 1}, this is world {VERSION}"):
        unpack_run(pack, tmp_path / "again")


def test_tables_show_a_dash_and_why(tmp_path: Path) -> None:
    old = pack_of("tooleyes", tmp_path, None)
    (tmp_path / "results").mkdir()
    old.rename(tmp_path / "results" / old.name)
    listed = tmp_path / "list.toml"
    listed.write_text(f'[[benchmark]]\nname = "tooleyes"\npacks = ["{old.name}"]\nchanged = ["x"]\n')
    sets = stored_sets(listed)
    (remark,) = coverage_remarks(sets)
    assert remark == f"ToolEyes: the model answered in world 1, this is world {VERSION}; ask it again"
    table = readme_table((), [("tooleyes", "official")])
    assert "| `tooleyes`, official | – | – | – |" in table
    assert "No scores on `tooleyes`: the stored answers were given in an older version of the world" in table


@pytest.mark.parametrize("style", ["example", "zero-shot", "five-shot", "native"])
def test_our_own_prompts_declare_the_world(style: str) -> None:
    task = load_benchmark("tooleyes").task
    (sample, *_) = TOOLEYES.data.load(TOOLEYES.data.starter, Options(style))
    assert task.prompt(sample, Options(style))[0].content.count(DECLARATION) == 1


def test_the_words_of_the_paper_stay_as_they_are() -> None:
    benchmark = load_benchmark("tooleyes")
    (sample, *_) = benchmark.data.load(benchmark.data.starter, Options("verbatim"))
    official = replace(sample, input={**sample.input, "system": {"zero-shot": "The paper's own words."}})
    assert benchmark.task.prompt(official, Options("verbatim"))[0].content == "The paper's own words."


def test_the_judge_servers_and_environments_are_told() -> None:
    texts = load_benchmark("tooleyes").task.templates
    assert (
        pose_question(texts, "intent", "intent")
        .question.messages[0]
        .content.count(f"{DECLARATION} Do not weigh values against your own knowledge.")
    )
    assert INSTRUCTIONS.startswith(DECLARATION)
    assert DECLARATION in system()
    german = load_benchmark("tooleyes").task.variations["german"].templates["system"]
    assert f"{EPOCH.day}. Mai {EPOCH:%Y, %H:%M}" in german
