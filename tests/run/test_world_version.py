"""Data and answers name the world that they were made in; those of another one are left out or refused, with the reason."""

import lzma
import shutil
from dataclasses import replace
from pathlib import Path

import orjson
import pytest

from toolyard.benchmarks import load_benchmark
from toolyard.benchmarks.tooleyes.scoring.judge_questions import posed_of
from toolyard.core.declared_world import DECLARATION, VERSION
from toolyard.core.errors import DataError
from toolyard.core.types import Options
from toolyard.env.task_functions import system
from toolyard.run.api import evaluate
from toolyard.run.grade.checking import Check, check_execution
from toolyard.run.store.packs import pack_folder, read_pack, unpack_run
from toolyard.synth.chains.execution import EXECUTION, world_version_of
from toolyard.synth.command import SynthSettings, synthesise
from toolyard.world.kernel.state import EPOCH
from toolyard.world.mcp import INSTRUCTIONS

RECIPES = Path(__file__).parents[2] / "recipes"


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
    assert world_version_of(made) == VERSION
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


def test_tables_show_a_dash_and_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(RECIPES))
    from first_look import coverage_remarks, stored_sets
    from results_summary import readme_table

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
    (sample, *_) = load_benchmark("tooleyes").data.load(
        load_benchmark("tooleyes").data.starter, Options(style)
    )
    assert task.prompt(sample, Options(style))[0].content.count(DECLARATION) == 1


def test_the_words_of_the_paper_stay_as_they_are() -> None:
    benchmark = load_benchmark("tooleyes")
    (sample, *_) = benchmark.data.load(benchmark.data.starter, Options("verbatim"))
    official = replace(sample, input={**sample.input, "system": {"zero-shot": "The paper's own words."}})
    assert benchmark.task.prompt(official, Options("verbatim"))[0].content == "The paper's own words."


def test_the_judge_servers_and_environments_are_told() -> None:
    texts = load_benchmark("tooleyes").task.templates
    assert (
        posed_of(texts, "intent", "intent")
        .question.messages[0]
        .content.count(f"{DECLARATION} Do not weigh values against your own knowledge.")
    )
    assert INSTRUCTIONS.startswith(DECLARATION)
    assert DECLARATION in system()
    german = load_benchmark("tooleyes").task.variations["german"].templates["system"]
    assert f"{EPOCH.day}. Mai {EPOCH:%Y, %H:%M}" in german
