"""The command line as a user meets it: help in groups, settings stated once, JSON, one line for each mistake."""

import asyncio
import importlib.util
import json
import runpy
import subprocess
import sys
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.main import get_command
from typer.testing import CliRunner

import toolyard as package
from cases import cases, each_case
from certify_server import Server, serve
from json_files import read_json, write_lines
from small_sets import first_rows
from toolyard.benchmarks import load_benchmark
from toolyard.certify import commands as certify_commands
from toolyard.certify.probe import SURFACES, all_probes, chosen_probes
from toolyard.certify.probe_asking import ask_all
from toolyard.cli.app import app
from toolyard.cli.help_groups import COMMAND_GROUPS, OPTION_GROUPS, REST, group_names
from toolyard.cli.progress import PlainProgress, compare_commands
from toolyard.cli.signature import takes_options
from toolyard.core.benchmark import Finding
from toolyard.core.errors import DataError, MissingExtra, ProviderError, ToolyardError, UsageError
from toolyard.core.options import options_in
from toolyard.core.types import Options, Usage
from toolyard.env import commands as env_commands
from toolyard.env.adapters import LIBRARIES
from toolyard.env.gym_task import SPLITS
from toolyard.models.spec import ModelSpec
from toolyard.owntools import commands as owntools_commands
from toolyard.owntools.commands import LintSettings
from toolyard.owntools.lint.lint_findings import SEVERITIES
from toolyard.report.tables.check_tables import checks_tables
from toolyard.run.grade.checking import CheckResult
from toolyard.run.plan.run_config import require_options, style_names
from toolyard.run.play.progress_counts import Tally, show_nothing
from toolyard.run.run import Run
from toolyard.run.settings import Settings
from toolyard.train import command as train_command
from toolyard.train.settings import TrainSettings, refuse_unusable
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


def test_words_that_lead_nowhere_are_told_with_what_was_wanted(tmp_path: Path) -> None:
    for words, said in cases(__file__, "odd_words"):
        assert said in complaint(*words, cwd=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_missing_or_unknown_model_lists_the_forms() -> None:
    assert "--model" in complaint("run", "nestools")
    assert "openai/NAME" in complaint("run", "nestools", "-m", "gpt-4")
    assert "oracle" in complaint("run", "nestools", "-m", "scripted/orakel")


def test_what_is_not_there_is_named_with_what_was_wanted(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").touch()
    for words, wanted in cases(__file__, "what_is_not_there_is_named"):
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
    found = read_json(manifest)
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
    assert "(Cannot connect to host 127.0.0.1:9 [" in done.stderr.splitlines()[-1]
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
    report = read_json(folder / "report.json")
    assert report["profiles"]["paper"]["figures"]["average"] == 1.0
    manifest = read_json(folder / "manifest.json")
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


@each_case("row, wrong")
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


def printed(*words: str) -> str:
    done = toolyard(*words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_command_is_in_a_group_of_the_help_and_unknown_ones_come_last() -> None:
    commands = get_command(app).commands  # type: ignore[attr-defined]
    assert "Other" not in group_names(commands, COMMAND_GROUPS, "Other")
    text = printed("--help")
    assert [title for title in COMMAND_GROUPS if f"\n{title}:\n" not in text] == []
    assert all(f"\n  {name} " in text for name in commands)
    assert group_names("cab", {"First": ("a", "z")}, "Rest") == {"First": ["a"], "Rest": ["c", "b"]}


def test_the_options_of_run_are_in_groups_and_none_is_lost() -> None:
    text = printed("run", "--help")
    assert [title for title in (*OPTION_GROUPS, REST) if f"\n{title}:\n" not in text] == []
    run = get_command(app).commands["run"]  # type: ignore[attr-defined]
    shown = [item for item in run.params if item.param_type_name == "option" and not item.hidden]
    assert [item.opts[-1] for item in shown if item.opts[-1] not in text] == []
    assert "--live" in text
    known = {item.name for item in run.params} | {"help"}
    assert {name for names in OPTION_GROUPS.values() for name in names} <= known


@pytest.mark.parametrize("columns", [80, 100])
def test_no_sentence_of_a_help_is_cut(columns: int) -> None:
    """Every command is listed with its whole first sentence; the widest help fits the terminal."""

    def check(command: Any, name: str) -> None:
        context = command.make_context(name, [], resilient_parsing=True, terminal_width=columns)
        text = command.get_help(context)
        assert max(map(len, text.splitlines())) <= columns
        whole = " ".join(text.split())
        for verb, member in getattr(command, "commands", {}).items():
            assert f"{verb} {member.get_short_help_str(1000)}" in whole
            check(member, f"{name} {verb}")

    check(get_command(app), "toolyard")


def test_several_runs_of_a_benchmark_end_with_the_command_that_compares_them(tmp_path: Path) -> None:
    wanted = [("nestools", "scripted/oracle"), ("nestools", "scripted/empty"), ("mtu", "scripted/empty")]
    runs = [Run.plan(Settings(name, model, limit=1, runs=tmp_path / "my runs")) for name, model in wanted]
    assert compare_commands(runs) == [f"compare them: toolyard compare '{runs[0].folder}' '{runs[1].folder}'"]


def test_the_progress_line_names_its_unit(capsys: pytest.CaptureFixture[str]) -> None:
    tally = Tally(371, lambda usage: None, show_nothing, done=371, usage=Usage(5, 5))
    PlainProgress("MTU-Bench")(tally)
    assert "MTU-Bench: 371/371 samples, " in capsys.readouterr().err


def test_serve_looks_for_its_packages_before_it_says_that_it_serves(tmp_path: Path) -> None:
    (tmp_path / "mcp_types.py").write_text("raise ImportError('not installed')")
    code = "import sys; sys.path.insert(0, sys.argv.pop(1)); from toolyard.__main__ import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path), "serve", "--http", "--port", "18123"],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 1
    assert "serving tools over HTTP needs mcp: pip install 'toolyard[mcp]'" in done.stderr
    assert "serving on" not in done.stderr


def test_a_dry_run_of_a_training_needs_no_torch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = tmp_path / "rows.jsonl"
    talk = [{"role": "user", "content": "x" * 400}, {"role": "assistant", "content": "y" * 40}]
    write_lines(rows, ({"id": str(n), "source": "s", "messages": talk} for n in range(9)))
    monkeypatch.setattr(train_command, "NEEDED", ("a_package_that_is_not_there",))
    said: list[str] = []
    settings = TrainSettings(rows, base="smollm2", dry_run=True, batch_tokens=300)
    found = train_command.train(settings, lambda state: None, said.append)
    assert found.facts["rows"] == 9
    assert found.facts["longest_tokens"] == found.facts["median_tokens"] == 118
    assert found.facts["steps"] == 5
    assert said[-1].endswith("train needs a_package_that_is_not_there: pip install 'toolyard[train]'")
    with pytest.raises(MissingExtra, match=r"toolyard\[train\]"):
        train_command.train(
            TrainSettings(rows, base="smollm2", out=tmp_path / "o"), lambda state: None, said.append
        )


def test_certify_calls_a_lost_connection_by_its_name_and_says_how_to_resume(tmp_path: Path) -> None:
    async def certified() -> None:
        async with AsyncExitStack() as stack:
            address = await stack.enter_async_context(serve(Server()))
            ending: list[asyncio.Task[None]] = []

            def show(done: int, total: int) -> None:
                if done == 2 and not ending:
                    ending.append(asyncio.get_running_loop().create_task(stack.aclose()))

            spec = ModelSpec.parse(f"openai/served?base_url={address}")
            await ask_all(spec, chosen_probes((), 40), tmp_path, concurrency=1, timeout=5, show=show)

    with pytest.raises(ProviderError, match=r"the connection was lost after \d+ of 40 probes: ") as caught:
        asyncio.run(certified())
    assert str(caught.value).endswith("the answers are kept: start the server again and repeat the command")
    assert "check base_url" not in str(caught.value)


# Of an option or two a settings class would be longer than what it states.
MOST_STATED = 3


def commands() -> list[tuple[str, Any]]:
    found = [(str(item.name), item.callback) for item in app.registered_commands]
    for group in app.registered_groups:
        assert group.typer_instance is not None
        found += [
            (f"{group.name} {item.name or getattr(item.callback, '__name__', '')}", item.callback)
            for item in group.typer_instance.registered_commands
        ]
    return found


def test_a_command_with_more_than_a_few_options_states_them_in_settings() -> None:
    stated = {}
    for name, callback in commands():
        command = getattr(callback, "__wrapped__", callback)
        code = command.__code__
        own = [word for word in code.co_varnames[: code.co_argcount] if word not in ("context", "settings")]
        stated[name] = [word for word in own if word != "output"]
    assert len(stated) > 25
    assert {name: words for name, words in stated.items() if len(words) > MOST_STATED} == {}


def help_of(*words: str) -> str:
    done = CliRunner().invoke(app, [*words, "--help"], env={"COLUMNS": "200"})
    assert done.exit_code == 0
    return " ".join(done.output.split())


def test_the_words_that_help_names_are_those_of_the_rooms_and_no_others_are_taken() -> None:
    assert certify_commands.SURFACES == SURFACES
    assert tuple(dict.fromkeys(each.task.feature for each in all_probes())) == certify_commands.FEATURES
    assert tuple(LIBRARIES) == env_commands.LIBRARIES
    assert env_commands.SPLITS == SPLITS
    assert owntools_commands.SEVERITIES == SEVERITIES
    assert "One of: chat, chat-stream, responses" in help_of("certify")
    assert "One of: gymnasium, trl, verifiers, openenv." in help_of("env")
    done = CliRunner().invoke(app, "certify scripted/oracle --surface fax")
    assert isinstance(done.exception, UsageError)
    assert str(done.exception).startswith("--surface 'fax' is not one of chat, chat-stream, ")


def test_help_of_train_says_what_stands_where_nothing_is_given() -> None:
    text = help_of("train")
    assert "[default: (twice its rank)]" in text
    assert "[default: (0.002 lora, 0.0003 full)]" in text
    assert "[default: (no limit)]" in text
    assert "[default: 0]" not in text.replace("[default: 0; x>=0]", "")
    by_name = {item.name: item for item in options_in(TrainSettings)}
    # a nought that stands for something else is shown as what it stands for
    meant = tuple(cases(__file__, "help_of_train_says_what_stands_where_nothing_is_given_meant"))
    assert all(by_name[name].shown for name in meant)


def test_an_estimate_of_a_training_needs_no_folder(tmp_path: Path) -> None:
    settings = TrainSettings(tmp_path / "rows.jsonl", base="smollm2")
    with pytest.raises(UsageError, match="nowhere to put the result; name a folder with --out DIR"):
        refuse_unusable(settings)
    refuse_unusable(replace(settings, dry_run=True))


def test_robustness_is_the_word_for_what_runs_keep_as_variant() -> None:
    nestools = load_benchmark("nestools")
    assert require_options(nestools, {"robustness": "no-types"}) == require_options(
        nestools, {"variant": "no-types"}
    )
    assert require_options(nestools, {"robustness": "no-types"})["variant"] == "no-types"
    with pytest.raises(UsageError, match="--robustness 'loud' is not one of base, no-types, no-conjunctions"):
        require_options(nestools, {"robustness": "loud"})


def test_official_is_among_the_styles_that_are_listed() -> None:
    assert style_names(load_benchmark("mtu"))[-1] == "official"
    done = CliRunner().invoke(app, ["list"], env={"COLUMNS": "200"})
    assert "official" in done.output


def test_notes_of_a_check_are_summed_up_and_printed_in_full_on_demand() -> None:
    notes = [Finding(f"row {number}", "the query does not spell out x", "note") for number in range(50)]
    defect = Finding("row 7", "two tools share one id", "defect")
    result = CheckResult("toy", "starter", (), (*notes, defect))
    short = checks_tables([result])
    assert [table.title for table in short[1:]] == ["defects of toy, starter", "notes on the data, by kind"]
    assert short[1].rows == (("row 7", "two tools share one id"),)
    assert short[2].rows == (("toy", 50, "row 0: the query does not spell out x"),)
    full = checks_tables([result], verbose=True)
    assert len(full[1].rows) == 51


def test_a_repeated_option_reaches_its_command_as_a_tuple() -> None:
    seen: list[LintSettings] = []
    small = typer.Typer()

    @small.command()
    @takes_options(LintSettings)
    def lint(settings: LintSettings) -> None:
        seen.append(settings)

    done = CliRunner().invoke(small, "tools.json --env A --env B")
    assert done.exit_code == 0, done.output
    assert (seen[0].source, seen[0].env, seen[0].header) == ("tools.json", ("A", "B"), ())
