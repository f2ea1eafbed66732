"""The command line as a user meets it: help, JSON, one line for each mistake."""

import importlib.util
import json
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import toolyard as package
from cases import cases
from small_sets import first_rows
from toolyard.benchmarks import load_benchmark
from toolyard.cli.app import app
from toolyard.core.errors import DataError, ToolyardError
from toolyard.core.types import Options
from toolyard_command import toolyard

ROOT = Path(package.__file__).parent


def complaint(*words: str, cwd: Path | None = None) -> str:
    """The one line that a mistake gets."""
    done = toolyard(*words, cwd=cwd)
    assert done.returncode == 1, done
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1, done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr


def test_help_lists_the_verbs_and_each_verb_shows_an_example() -> None:
    overview = toolyard("--help").stdout
    for verb in ("list", "new", "fetch", "stats", "check", "estimate", "run", "score", "report"):
        assert f"  {verb} " in overview
        page = toolyard(verb, "--help")
        assert page.returncode == 0
        assert "Example" in page.stdout or verb == "list"


def test_an_unknown_verb_or_option_is_one_line() -> None:
    assert "No such command" in complaint("rnu")
    assert "has no option --flavour" in complaint(
        "run", "nestools", "-m", "scripted/oracle", "--flavour", "x"
    )


MISSPELT = """\
run nestool: nestools
run nestools --limt 2: --limit
run nestools --style natve: native
ways nestools --ways default,cod: code
run nestools --variation germn: german
run nestools --perturb nosie=2: noise
run nestools --catalogue 64:fa: far
run nestools --embedder minlm: minilm
run nestools --data hrad: hard
run nestools --robustness bse: base
run nestools --engine rya: ray"""


@pytest.mark.parametrize("line", MISSPELT.splitlines())
def test_a_misspelt_word_is_answered_with_the_nearest(line: str) -> None:
    words, meant = line.split(": ")
    found = CliRunner().invoke(app, f"{words} -m scripted/oracle").exception
    assert isinstance(found, ToolyardError) and f"did you mean {meant}?" in str(found)


@pytest.mark.parametrize("verb", ["ways", "curve"])
@pytest.mark.parametrize("several", ["nestools,mtu", "all"])
def test_a_command_for_one_benchmark_refuses_several(verb: str, several: str) -> None:
    found = CliRunner().invoke(app, [verb, several, "-m", "scripted/oracle"]).exception
    assert "; this command takes one of them; " in str(found)
    assert "run and estimate take several" in " ".join(toolyard(verb, "--help").stdout.split())


@pytest.mark.parametrize("verb", ["run", "estimate", "ways"])
@pytest.mark.parametrize("script", [*load_benchmark("mtu").checks.baselines, "oracle", "empty"])
def test_the_bare_name_of_a_script_is_completed(verb: str, script: str) -> None:
    found = CliRunner().invoke(app, [verb, "mtu", "-m", script, "--limit", "1"]).exception
    assert f"no model is called {script!r}; did you mean scripted/{script}? " in str(found)


ODD_WORDS = [
    (
        ("run", "nestools", "-m", "scripted/oracle", "--limit", "x"),
        "--limit: found 'x', wanted a whole number",
    ),
    (("run", "nestools", "-m", "scripted/oracle", "--rpm", "nan"), "--rpm: found 'nan', wanted 0.1 or more"),
    (
        ("run", "nestools", "-m", "scripted/oracle", "--limit", "9" * 30),
        "--limit has 30 digits; give at most",
    ),
    (("run", "nestools", "-m", "scripted/oracle", "--seed", "-5"), "--seed -5 is below 0"),
    (("run", "nestools", "-m", "scripted/oracle", "--temperature", "inf"), "inf is not a finite number"),
    (("run", "nestools", "-m", "scripted/oracle", "--name", "\x1b[31mred"), "cannot be printed"),
    (("run", "nestools", "-m", "scripted/oracle", "--name", "x" * 300), "has 300 characters"),
    (("run", "nestools", "-m", "scripted/oracle", "--name", " .. "), "not the name of one folder"),
    (("env", "foo"), "'foo' has no environment; choose mtu, nestools"),
    (("env", "mtu"), "add --to LIBRARY to write an environment"),
    (("train", "nope"), "nope is not there; wanted a file of rows"),
    (("export", "nope"), "nope holds no manifest.json"),
]


def test_words_that_lead_nowhere_are_told_with_what_was_wanted(tmp_path: Path) -> None:
    for words, said in ODD_WORDS:
        assert said in complaint(*words, cwd=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_missing_or_unknown_model_lists_the_forms() -> None:
    assert "--model" in complaint("run", "nestools")
    assert "openai/NAME" in complaint("run", "nestools", "-m", "gpt-4")
    assert "oracle" in complaint("run", "nestools", "-m", "scripted/orakel")


def test_what_is_not_there_is_named_with_what_was_wanted(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").touch()
    for words, wanted in (
        (("tools", "lint", "no.json"), "no.json does not exist; wanted is mcp:COMMAND"),
        (("mirror", "no.json", "--out", "twin"), "no.json does not exist; wanted is mcp:COMMAND"),
        (("probe", "no.json", "-m", "scripted/random"), "no.json does not exist; wanted is mcp:COMMAND"),
        (("traffic", "empty.jsonl"), "empty.jsonl is empty; wanted OTLP JSON"),
        (("env", "nestools", "--to", "foo"), "--to 'foo' is not one of gymnasium, trl, verifiers, openenv"),
        (("synth", "foo"), "choose mtu, nestools, toolbehonest, tooleyes, mixture"),
        (("serve", "nodir"), "nodir is neither the folder of a mirror nor a part of the library"),
    ):
        assert wanted in complaint(*words, cwd=tmp_path)
    missing = str(tmp_path / "nowhere")
    assert "nowhere does not exist" in complaint(
        "run", "nestools", "-m", "scripted/oracle", "--data", missing
    )
    assert "nowhere does not exist" in complaint("score", "nestools", "--predictions", missing)
    assert "not a run directory" in complaint("score", missing)
    (tmp_path / "shop.py").write_text("def order() -> str: ...\n")
    assert "python:shop" in complaint("tools", "lint", str(tmp_path / "shop.py"))


def test_data_of_another_benchmark_are_recognised() -> None:
    starter = load_benchmark("mtu").data.starter
    line = complaint("run", "nestools", "-m", "scripted/empty", "--data", str(starter))
    assert line.startswith(f"toolyard: {starter} looks like data of mtu, not of nestools: ")


def test_a_run_where_a_benchmark_is_wanted_and_a_folder_of_runs_are_recognised(tmp_path: Path) -> None:
    toolyard("run", "nestools", "-m", "scripted/oracle", "--limit", "1", "--name", "one", cwd=tmp_path)
    for words in (("check",), ("stats",), ("run", "-m", "scripted/oracle")):
        line = complaint(*words, "runs/one", cwd=tmp_path)
        assert "runs/one is a run, wanted the name of a benchmark" in line
        assert "toolyard report runs/one, or score it again with: toolyard score runs/one" in line
    for verb in ("compare", "report", "score"):
        line = complaint(verb, "runs", cwd=tmp_path)
        assert line == "toolyard: runs is a folder of runs; give the runs in it, e.g. runs/*\n"
    assert "unknown benchmark" in complaint("check", "x" * 5000, cwd=tmp_path)


def test_a_package_that_is_missing_is_told_before_a_run_is_announced(tmp_path: Path) -> None:
    if importlib.util.find_spec("torch") is None:
        line = complaint("run", "nestools", "-m", "hf/nofolder", "--limit", "1", cwd=tmp_path)
        assert line == "toolyard: hf/... needs torch and transformers: pip install 'toolyard[hf]'\n"


def test_answers_of_an_older_version_can_be_scored_without_a_model(tmp_path: Path) -> None:
    toolyard("run", "nestools", "-m", "scripted/oracle", "--limit", "2", "--name", "old", cwd=tmp_path)
    manifest = tmp_path / "runs" / "old" / "manifest.json"
    found = json.loads(manifest.read_bytes())
    manifest.write_text(json.dumps({**found, "identity": {**found["identity"], "version": "0.9.0"}}))
    line = complaint("score", "runs/old", cwd=tmp_path)
    assert "was made with nestools 0.9.0" in line
    command = line.partition("without asking a model: ")[2].split()
    again = toolyard(*command[1:], "--limit", "2", "--json", cwd=tmp_path)
    assert again.returncode == 0, again.stderr
    assert json.loads(again.stdout)["profiles"]["paper"]["figures"]["average"] == 1.0


def test_a_wrong_row_is_named_with_line_and_field(tmp_path: Path) -> None:
    data = tmp_path / "test_data.jsonl"
    data.write_text('{"test_id": 1, "api": [], "task": "t", "call": [], "field": "A/B"}\n{"test_id": 2}\n')
    said = complaint("run", "nestools", "-m", "scripted/oracle", "--data", str(data))
    assert "line" in said
    assert "api" in said or "field" in said


def test_an_unreachable_endpoint_and_a_bad_profile_are_one_line(tmp_path: Path) -> None:
    endpoint = "openai/m?base_url=http://127.0.0.1:9/v1"
    done = toolyard("run", "nestools", "-m", endpoint, "--limit", "1", "--runs", str(tmp_path))
    assert done.returncode == 1
    assert "127.0.0.1:9" in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr
    predictions = tmp_path / "p.jsonl"
    predictions.write_text("")
    assert "paper, official" in complaint(
        "score", "nestools", "--predictions", str(predictions), "--profile", "x"
    )


def test_a_run_prints_its_table_and_leaves_its_reports(tmp_path: Path) -> None:
    done = toolyard("run", "nestools", "-m", "scripted/oracle", "--limit", "4", "--runs", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "selection f1" in done.stdout
    [folder] = tmp_path.iterdir()
    names = {path.name for path in folder.iterdir()}
    wanted = {"manifest.json", "transcripts.jsonl", "scores.jsonl", "report.html", "report.json", "report.md"}
    assert wanted <= names
    report = json.loads((folder / "report.json").read_text())
    assert report["profiles"]["paper"]["figures"]["average"] == 1.0
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["identity"]["decoding"]["temperature"] == 0.0
    again = toolyard("score", str(folder), "--json")
    assert json.loads(again.stdout)["figures"]["average"] == 1.0


def test_json_output_is_one_json_value(tmp_path: Path) -> None:
    for words in (
        ["list"],
        ["stats", "nestools"],
        ["check", "nestools", "--data", str(first_rows("nestools", tmp_path / "few", 4))],
        ["estimate", "nestools", "-m", "scripted/oracle"],
        ["run", "nestools", "-m", "scripted/empty", "--limit", "2", "--runs", str(tmp_path)],
    ):
        done = toolyard(*words, "--json")
        assert done.returncode == 0, done.stderr
        json.loads(done.stdout)


def test_a_new_benchmark_passes_its_own_contract_test(tmp_path: Path) -> None:
    assert toolyard("new", "weatherbench", "--into", str(tmp_path)).returncode == 0
    folder = tmp_path / "weatherbench"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(folder), "tests"],
        cwd=folder, env={"PYTHONPATH": f"{folder}:{ROOT.parent}", "PATH": "/usr/bin:/bin"}, capture_output=True, text=True,
    )  # fmt: skip
    assert "1 passed" in done.stdout, done.stdout + done.stderr
    assert "exists" in complaint("new", "weatherbench", "--into", str(tmp_path))
    assert "lower-case" in complaint("new", "Weather-Bench", "--into", str(tmp_path))


@pytest.mark.parametrize(("row", "wrong"), cases(__file__, "a_new_benchmark_names_the_line_of_a_bad_row"))
def test_a_new_benchmark_names_the_line_of_a_bad_row(tmp_path: Path, row: str, wrong: str) -> None:
    assert CliRunner().invoke(app, f"new rowbench --into {tmp_path}").exit_code == 0
    loaded = runpy.run_path(str(tmp_path / "rowbench" / "rowbench" / "__init__.py"))
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"id": 0, "request": "r", "tools": ["a"], "tool": "a"}\n' + row)
    with pytest.raises(DataError, match=f"rows.jsonl, line 2.*{wrong}"):
        loaded["load"](rows, Options())


def test_repeated_judging_and_several_judges_reach_the_command_line(tmp_path: Path) -> None:
    queries = (ROOT / "benchmarks/tooleyes/starter/queries.jsonl").read_text(encoding="utf-8").splitlines()
    (tmp_path / "data.jsonl").write_text(queries[0], encoding="utf-8")
    name = json.loads(queries[0])["id"]
    answer = {"id": name, "response": "Scoring Reason: so.\nEvaluation Score: 7"}
    (tmp_path / "judge.jsonl").write_text(json.dumps(answer))
    judge = "scripted/replay:judge.jsonl"
    words = ("--data", "data.jsonl", "--judge", judge, "--judge-trials", "2", "--name", "r", "--json")
    done = toolyard("run", "tooleyes", "-m", "scripted/oracle", *words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    scored = json.loads(toolyard("score", "runs/r", "--json", cwd=tmp_path).stdout)
    assert scored["judge_spread"]["figures"]["answer_quality"]["trials"] == 2
    assert scored["judge_spread"]["judge"] == judge
    assert "spread over judge trials" in toolyard("score", "runs/r", cwd=tmp_path).stdout
    found = json.loads(toolyard("compare", "--judges", "runs/r", "--json", cwd=tmp_path).stdout)
    rows = {row["figure"]: row for row in found["judged figures by judge and model"]}
    assert (rows["answer_quality"]["judge"], rows["answer_quality"]["scripted/oracle"]) == (judge, 0.7)
