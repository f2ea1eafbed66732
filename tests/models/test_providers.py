"""Models of other packages, found by entry point, and models without a model: answerers and recorded files."""

import asyncio
import os
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from cases import each_case
from json_files import write_lines
from small_sets import first_rows
from toolyard.core.benchmark import Checks, RunSetup
from toolyard.core.errors import DataError, ProviderError, UsageError
from toolyard.core.types import Completion, Decoding, Message, Request, Usage
from toolyard.models.base import Model
from toolyard.models.loading import load_model
from toolyard.run.play.offline import play_offline
from toy_benchmark import TOOLS, toy_benchmark, toy_samples

GOOD = """
from toolyard.models.base import CallableModel, Price
from toolyard.models.provider import Provider

def load(spec, context):
    return CallableModel(lambda messages: f"{spec.name} at {spec.settings['tone']}", name=spec.display)

PROVIDER = Provider("parrot/NAME?tone=WORD", load, lambda spec: Price(1.0, 2.0))
"""
NO_PROVIDER = "PROVIDER = {'load': None}\n"
PICKY = """
from toolyard import CallableModel, Provider

def load(spec, context):
    return CallableModel(lambda messages: spec.settings["size"], name=spec.settings["size"])

PROVIDER = Provider("picky/NAME?size=N", load)
"""
RAISES = "raise RuntimeError('the licence\\nhas run out')\n"


def install(folder: Path, package: str, group: str, names: dict[str, str], source: str) -> None:
    """A package on disk as pip would leave it."""
    (folder / f"{package}.py").write_text(source)
    info = folder / f"{package}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    lines = [f"{name} = {value}" for name, value in names.items()]
    (info / "entry_points.txt").write_text("\n".join([f"[{group}]", *lines, ""]))


def python(folder: Path, code: str) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True, text=True, timeout=300, cwd=folder, env={**os.environ, "PYTHONPATH": paths},
    )  # fmt: skip


def toolyard(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return python(
        folder, f"import sys; sys.argv[1:] = {list(words)!r}; from toolyard.cli import main; main()"
    )


def test_a_provider_of_another_package_works_and_is_listed(tmp_path: Path) -> None:
    install(tmp_path, "parrot", "toolyard.models", {"parrot": "parrot:PROVIDER"}, GOOD)
    code = """
import asyncio
from toolyard.core.types import Decoding, Message, Request
from toolyard.models.loading import load_model, model_price
model = load_model("parrot/polly?tone=loud")
print(model.name, model_price("parrot/polly?tone=loud").output_per_million)
print(asyncio.run(model.generate(Request((Message("user", "hi"),), Decoding()))).text)
"""
    done = python(tmp_path, code)
    assert done.stdout.splitlines() == ["parrot/polly 2.0", "polly at loud"]
    wrong = toolyard(tmp_path, "estimate", "mtu", "-m", "nobody/x")
    assert wrong.returncode == 1
    assert wrong.stderr.count("\n") == 1
    for form in ("parrot/NAME?tone=WORD", "local", "openai/NAME", "inspect/PROVIDER/NAME", "scripted/oracle"):
        assert form in wrong.stderr


def test_a_broken_provider_costs_one_line_and_nothing_else(tmp_path: Path) -> None:
    install(tmp_path, "ruin", "toolyard.models", {"ruin": "ruin:PROVIDER"}, RAISES)
    install(
        tmp_path, "husk", "toolyard.models", {"husk": "husk:PROVIDER", "void": "husk:NOTHING"}, NO_PROVIDER
    )
    fine = toolyard(tmp_path, "estimate", "mtu", "-m", "scripted/oracle", "--limit", "1", "--json")
    assert (fine.returncode, fine.stderr) == (0, "")
    listed = toolyard(tmp_path, "estimate", "mtu", "-m", "nobody/x")
    assert listed.returncode == 1
    assert "RuntimeError: the licence has run out" in listed.stderr
    assert "husk:PROVIDER is dict, wanted toolyard.models.provider.Provider" in listed.stderr
    assert "openai/NAME" in listed.stderr.splitlines()[-1]
    assert len(listed.stderr.splitlines()) == 4
    chosen = toolyard(tmp_path, "estimate", "mtu", "-m", "ruin/x")
    assert chosen.returncode == 1
    assert chosen.stderr == (
        "toolyard: the plug-in that answers for ruin/ is broken: ruin (RuntimeError: the licence has run out); "
        "mend or remove it\n"
    )


def test_a_provider_that_trips_over_its_argument_costs_one_line(tmp_path: Path) -> None:
    install(tmp_path, "picky", "toolyard.models", {"picky": "picky:PROVIDER"}, PICKY)
    done = toolyard(tmp_path, "run", "mtu", "-m", "picky/x", "--limit", "1", "--runs", str(tmp_path))
    assert done.returncode == 1
    assert done.stderr == (
        "toolyard: picky/x cannot be loaded (KeyError: 'size'); the form that is wanted is picky/NAME?size=N\n"
    )


def test_a_package_cannot_take_the_place_of_a_provider_of_ours(tmp_path: Path) -> None:
    install(tmp_path, "aaa", "toolyard.models", {"scripted": "aaa:PROVIDER"}, GOOD)
    done = toolyard(tmp_path, "estimate", "mtu", "-m", "scripted/oracle", "--limit", "1", "--json")
    assert done.returncode == 0
    assert done.stderr.splitlines() == ["the model plug-in scripted/ of aaa is left out: toolyard has it"]


def test_a_broken_benchmark_does_not_stop_list_and_check(tmp_path: Path) -> None:
    install(tmp_path, "ruin", "toolyard.benchmarks", {"ruin": "ruin:BENCHMARK"}, RAISES)
    install(tmp_path, "husk", "toolyard.benchmarks", {"husk": "husk"}, "BENCHMARK = 7\n")
    install(tmp_path, "quits", "toolyard.benchmarks", {"quits": "quits"}, "raise SystemExit(3)\n")
    listed = toolyard(tmp_path, "list")
    assert listed.returncode == 0
    assert "nestools" in listed.stdout
    assert sorted(listed.stderr.splitlines()) == [
        "the benchmark plug-in husk is left out: husk: its BENCHMARK is int, wanted toolyard.Benchmark",
        "the benchmark plug-in quits is left out: quits: SystemExit: 3",
        "the benchmark plug-in ruin is left out: ruin: RuntimeError: the licence has run out",
    ]
    checked = toolyard(
        tmp_path, "check", "nestools", "--data", str(first_rows("nestools", tmp_path / "few", 4))
    )
    assert checked.returncode == 0, checked.stderr
    chosen = toolyard(tmp_path, "check", "ruin")
    assert chosen.returncode == 1
    assert len(chosen.stderr.splitlines()) == 1
    assert "the plug-in ruin is broken" in chosen.stderr


def test_modules_of_functions_that_raise_or_quit_are_one_line(tmp_path: Path) -> None:
    (tmp_path / "raising.py").write_text("raise ValueError('two\\nlines')\n")
    (tmp_path / "quitting.py").write_text("raise SystemExit(3)\n")
    (tmp_path / "leaving.py").write_text("def answer(messages, tools): raise SystemExit(3)\n")
    for module, why in (("raising", "ValueError: two lines"), ("quitting", "SystemExit: 3")):
        done = toolyard(tmp_path, "run", "mtu", "-m", f"python:{module}:answer", "--limit", "1")
        assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
        assert f"the module {module} cannot be imported ({why})" in done.stderr
    done = toolyard(
        tmp_path, "run", "mtu", "-m", "python:leaving:answer", "--limit", "1", "--name", "r", "--no-report"
    )
    assert done.returncode == 2
    assert (
        "leaving:answer raised SystemExit: 3" in (tmp_path / "runs" / "r" / "transcripts.jsonl").read_text()
    )


def test_a_command_of_another_package_is_added_and_a_broken_one_named(tmp_path: Path) -> None:
    source = (
        "def berth() -> None:\n    '''Name a berth.'''\n    print('berth 7')\n\n\n"
        "def register(app) -> None:\n    app.command('berth')(berth)\n"
    )
    install(tmp_path, "harbour", "toolyard.commands", {"harbour": "harbour:register"}, source)
    assert toolyard(tmp_path, "berth").stdout == "berth 7\n"
    assert "berth" in toolyard(tmp_path, "--help").stdout
    install(tmp_path, "pier", "toolyard.commands", {"pier": "pier:register"}, "raise ValueError('no pier')\n")
    ran = toolyard(tmp_path, "--version")
    assert ran.returncode == 0
    assert "no pier" in ran.stderr
    assert "Traceback" not in ran.stderr


BENCHMARK = toy_benchmark(Path("none"))
SAMPLES = toy_samples(4)


def request(sample: str = "0", trial: int = 0, turn: int = 0) -> Request:
    return Request((Message("user", "the query"),), Decoding(), sample=sample, trial=trial, turn=turn)


def scripted(name: str, seed: int = 0) -> Model:
    return load_model(f"scripted/{name}", benchmark=BENCHMARK, samples=SAMPLES, seed=seed)


def say(model: Model, asked: Request) -> str:
    return asyncio.run(model.generate(asked)).text


def test_the_oracle_answers_for_its_sample() -> None:
    model = scripted("oracle")
    assert [say(model, request("1")), say(model, request("0"))] == ["beta", "alpha"]
    assert model.name == "scripted/oracle"


def test_an_answerer_may_call_natively() -> None:
    call = {"id": "call_0", "type": "function", "function": {"name": "alpha", "arguments": "{}"}}
    native = replace(BENCHMARK, checks=Checks(lambda *_: Completion("", tool_calls=(call,))))
    model = load_model("scripted/oracle", benchmark=native, samples=SAMPLES, seed=0)
    assert asyncio.run(model.generate(request())).tool_calls == (call,)
    (transcript,) = play_offline(RunSetup.default(native), SAMPLES[:1], native.checks.oracle)
    assert transcript.completions[0].tool_calls == (call,)


def test_empty_needs_no_benchmark_and_baselines_of_one_are_scripted_models() -> None:
    assert say(load_model("scripted/empty"), request("whoever")) == ""
    found = asyncio.run(scripted("first-tool").generate(request("3")))
    assert (found.text, found.usage) == ("alpha", Usage(3, 2))


def test_random_depends_on_seed_sample_and_trial_alone() -> None:
    asked = [request(str(sample), trial=trial) for sample in range(4) for trial in range(8)]
    forwards = [say(scripted("random"), one) for one in asked]
    model = scripted("random")
    assert [say(model, one) for one in reversed(asked)] == forwards[::-1]
    assert set(forwards) == set(TOOLS)
    assert [say(scripted("random", seed=1), one) for one in asked] != forwards


def test_an_unknown_script_lists_those_there_are() -> None:
    with pytest.raises(UsageError, match=r"first-tool, oracle, random, empty, replay:FILE"):
        scripted("copy-query")
    with pytest.raises(UsageError, match=r"has no scripted/first-tol; did you mean scripted/first-tool"):
        scripted("first-tol")
    with pytest.raises(UsageError, match="scripted/empty and scripted/replay:FILE can"):
        load_model("scripted/oracle")


def test_a_sample_nobody_told_of_is_not_answered() -> None:
    with pytest.raises(ProviderError, match="'c'"):
        say(scripted("oracle"), request("c"))


def replay(path: Path, *rows: object) -> Model:
    write_lines(path, rows)
    return load_model(f"scripted/replay:{path}")


def test_replay_reads_one_answer_a_line(tmp_path: Path) -> None:
    model = replay(
        tmp_path / "r.jsonl",
        {"test_id": 7, "response": "seven"},
        {"id": "a", "trial": 1, "text": "trial one"},
        {"sample": "a", "response": "any trial, first"},
        {"sample": "a", "response": "any trial, second"},
        {"sample": "t", "turn": 1, "response": "later"},
        {"sample": "t", "turn": 0, "response": "sooner"},
    )
    assert say(model, request("7")) == "seven"
    assert say(model, request("a", trial=1)) == "trial one"
    assert [say(model, request("a", turn=n)) for n in (0, 1)] == ["any trial, first", "any trial, second"]
    assert [say(model, request("t", turn=turn)) for turn in (0, 1)] == ["sooner", "later"]
    with pytest.raises(ProviderError) as caught:
        say(model, request("unknown"))
    assert caught.value.kind == "missing_prediction"


def test_replay_passes_over_a_byte_order_mark_and_reads_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text('{"id": "a", "response": "one\u2028line"}\n', encoding="utf-8-sig")
    assert say(load_model(f"scripted/replay:{path}"), request("a")) == "one\u2028line"


def test_replay_reads_the_transcripts_of_a_run(tmp_path: Path) -> None:
    said = Completion("[...]", "length", Usage(5, 6), 0.1, "gpt", reasoning="hm")
    model = replay(
        tmp_path / "transcripts.jsonl",
        {"sample": "a", "trial": 0, "completions": [{"text": "old"}], "error": None},
        {"sample": "a", "trial": 0, "completions": [asdict(said), {"text": "second"}], "error": None},
        {"sample": "b", "trial": 0, "completions": [], "error": {"kind": "timeout", "detail": ""}},
    )
    # turns count on through a dialogue: the second sample of one starts at a later turn
    assert asyncio.run(model.generate(request("a", turn=4))) == said
    assert say(model, request("a", turn=5)) == "second"
    with pytest.raises(ProviderError) as caught:
        say(model, request("b"))
    assert caught.value.kind == "timeout"


@each_case("text, says")
def test_a_file_in_another_form_says_which_line_and_field(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(text)
    with pytest.raises(DataError) as caught:
        load_model(f"scripted/replay:{path}")
    assert says in str(caught.value)


def test_a_missing_file_is_one_line_and_half_a_last_line_is_dropped(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read"):
        load_model(f"scripted/replay:{tmp_path / 'none.jsonl'}")
    path = tmp_path / "torn.jsonl"
    path.write_text('{"id": "a", "response": "whole"}\n{"id": "b", "resp')
    assert say(load_model(f"scripted/replay:{path}"), request("a")) == "whole"
