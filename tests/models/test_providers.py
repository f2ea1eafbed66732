"""Providers, benchmarks and commands of other packages: found by entry point, and harmless when they are broken."""

import os
import subprocess
import sys
from pathlib import Path

from small_sets import first_rows

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
from toolyard.models.loading import load_model, price_of
model = load_model("parrot/polly?tone=loud")
print(model.name, price_of("parrot/polly?tone=loud").output_per_million)
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
