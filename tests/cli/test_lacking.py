"""A wheel without extras: `run all` runs what it can to its end, and names the rest with what brings it."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import orjson
import pytest

from toolyard.benchmarks import load_benchmark
from toolyard.cli.missing_requirements import Lack, missing_requirement, refuse_lacking, split_runnable
from toolyard.core.errors import MissingExtra
from toolyard.run.settings import Settings
from toolyard.world.kernel.packages import PACKAGES

ROOT = Path(__file__).resolve().parents[2]
# What is installed by no dependency of the wheel itself cannot be imported.
BARE = """
import sys
from toolyard.models.embed.minilm import PACKAGES as EMBEDDER
from toolyard.world.kernel.packages import PACKAGES as WORLD
for name in sys.argv.pop(1).split(","):
    for each in {"embed": EMBEDDER, "world": WORLD, "scipy": ("scipy",), "": ()}[name]:
        sys.modules[each] = None
from toolyard.cli import main
main()
"""
BRINGS_EMBEDDER = "pip install 'toolyard[embed]' && toolyard fetch embedder"
BRINGS_WORLD = "pip install 'toolyard[world]'"


def toolyard(folder: Path, without: str, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", BARE, without, *words]
    environment = {**os.environ, "COLUMNS": "120"}
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, env=environment)


def test_a_bare_wheel_runs_all_that_it_can_and_names_the_rest(tmp_path: Path) -> None:
    words = ("run", "all", "-m", "scripted/random", "--limit", "1", "--no-report")
    done = toolyard(tmp_path, "embed,world", *words)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    lines = done.stderr.splitlines()
    assert lines[0].startswith("toolbehonest has no overall, l3_ms, overall_soft: the embedder needs")
    assert BRINGS_EMBEDDER in lines[0]
    assert lines[1].startswith(
        "tooleyes is left out: the executable tools need babel, ephem, faker and 12 more:"
    )
    assert lines[1].endswith(BRINGS_WORLD)
    assert lines[-2:] == lines[:2], "said again after the tables"
    runs = {path.name.partition("_")[0]: path for path in (tmp_path / "runs").iterdir()}
    assert set(runs) == {"mtu", "nestools", "toolbehonest"}
    for title in ("MTU-Bench", "NesTools", "ToolBeHonest"):
        assert title in done.stdout
    assert "1.0.0" not in done.stdout and "–" in done.stdout
    first = orjson.loads((runs["toolbehonest"] / "manifest.json").read_bytes())
    assert first["finished"] and first["similarity"] == "none"
    answers = (runs["toolbehonest"] / "transcripts.jsonl").read_bytes()
    again = toolyard(tmp_path, "world", *words)
    assert again.returncode == 0, again.stderr
    assert [line for line in again.stderr.splitlines() if "has no" in line] == []
    second = orjson.loads((runs["toolbehonest"] / "manifest.json").read_bytes())
    assert second["similarity"] == "minilm"
    assert (runs["toolbehonest"] / "transcripts.jsonl").read_bytes() == answers, "nothing was asked again"


def test_one_benchmark_that_lacks_something_is_refused_before_anything_is_sent(tmp_path: Path) -> None:
    for name, brings in (("toolbehonest", BRINGS_EMBEDDER), ("tooleyes", BRINGS_WORLD)):
        done = toolyard(tmp_path, "embed,world", "run", name, "-m", "scripted/random", "--limit", "1")
        assert done.returncode == 1
        (line,) = done.stderr.splitlines()
        assert line.startswith("toolyard: ") and line.endswith(brings)
    assert not (tmp_path / "runs").exists()


def test_estimate_all_counts_what_it_can(tmp_path: Path) -> None:
    done = toolyard(
        tmp_path, "embed,world", "estimate", "all", "-m", "scripted/random", "--limit", "1", "--json"
    )
    assert done.returncode == 0, done.stderr
    assert [item["benchmark"] for item in orjson.loads(done.stdout)] == ["mtu", "nestools", "toolbehonest"]
    assert done.stderr.startswith("tooleyes is left out")


def test_nothing_is_run_where_nothing_can(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise MissingExtra("the executable tools need babel: pip install 'toolyard[world]'")

    monkeypatch.setattr("toolyard.cli.missing_requirements.refuse_missing_packages", missing)
    tooleyes = Settings("tooleyes", "scripted/random")
    assert missing_requirement(load_benchmark("tooleyes"), "minilm", "") == Lack(
        "tooleyes", "the executable tools need babel: pip install 'toolyard[world]'"
    )
    with pytest.raises(MissingExtra, match="tooleyes is left out"):
        split_runnable([tooleyes])
    with pytest.raises(MissingExtra, match="the executable tools need babel"):
        refuse_lacking(tooleyes)
    assert split_runnable([tooleyes, Settings("mtu", "scripted/random")])[0][0].benchmark == "mtu"


def test_a_script_that_some_benchmarks_have_runs_there_and_the_others_are_named(tmp_path: Path) -> None:
    words = ("-m", "scripted/word-overlap", "--limit", "1")
    done = toolyard(tmp_path, "", "run", "all", *words, "--no-report")
    assert done.returncode == 0, done.stderr
    lines = done.stderr.splitlines()
    assert lines[0].startswith("tooleyes is left out: it has no scripted/word-overlap; it has copy-query, ")
    assert lines[-1] == lines[0], "said again after the tables"
    runs = {path.name.partition("_")[0] for path in (tmp_path / "runs").iterdir()}
    assert runs == {"mtu", "nestools", "toolbehonest"}
    counted = toolyard(tmp_path, "", "estimate", "all", *words, "--json")
    assert [item["benchmark"] for item in orjson.loads(counted.stdout)] == ["mtu", "nestools", "toolbehonest"]


def test_a_script_that_no_benchmark_has_is_a_mistake(tmp_path: Path) -> None:
    done = toolyard(tmp_path, "", "run", "all", "-m", "scripted/nonsense", "--limit", "1")
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith("toolyard: mtu has no scripted/nonsense; it has copy-query, first-tool, ")
    assert not (tmp_path / "runs").exists()


def test_the_packages_of_tools_are_those_of_the_extra() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    imported = {"pillow": "PIL"}
    names = [line.partition(">")[0].partition("=")[0] for line in extras["world"]]
    assert [imported.get(name, name.replace("-", "_")) for name in names] == list(PACKAGES)


def test_a_probe_asks_for_the_embedder_before_it_asks_the_model(tmp_path: Path) -> None:
    done = toolyard(tmp_path, "embed", "probe", "python:statistics", "-m", "scripted/random", "--rows", "2")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].endswith(BRINGS_EMBEDDER)
    assert not list(tmp_path.rglob("transcripts.jsonl"))


def test_the_default_commands_need_no_scipy(tmp_path: Path) -> None:
    def said(*words: str) -> str:
        done = toolyard(tmp_path, "scipy", *words)
        assert done.returncode == 0, done.stderr
        return done.stdout

    for model in ("scripted/random", "scripted/oracle"):
        said("run", "nestools", "-m", model, "--limit", "30", "--name", model.partition("/")[2])
    runs = [str(path.parent) for path in sorted(tmp_path.glob("runs/*/manifest.json"))]
    assert len(runs) == 2
    assert "differences between groups" in (tmp_path / "runs/random/report.md").read_text()
    assert "average" in said("score", runs[1])
    assert said("report", runs[1])
    assert "scripted/oracle" in said("compare", *runs)


def test_a_server_command_that_cannot_start_is_named_without_advice_about_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = tmp_path / "vllm"
    command.write_text("#!/nowhere/python\n")
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    done = toolyard(tmp_path, "", "run", "mtu", "-m", "vllm/some/model", "--limit", "1")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == f"toolyard: {command}: No such file or directory"
