"""Help in groups, honest help texts, and what commands say at their end."""

import asyncio
import json
import subprocess
import sys
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from certify_server import Server, serve
from toolyard.certify.probe import chosen_probes
from toolyard.certify.probe_asking import ask_all
from toolyard.cli.app import app
from toolyard.cli.help_groups import COMMAND_GROUPS, OPTION_GROUPS, REST, in_groups
from toolyard.cli.progress import PlainProgress, compare_commands
from toolyard.core.errors import MissingExtra, ProviderError
from toolyard.core.types import Usage
from toolyard.models.spec import ModelSpec
from toolyard.run.play.progress_counts import Tally, show_nothing
from toolyard.run.run import Run
from toolyard.run.settings import Settings
from toolyard.train import command as train_command
from toolyard.train.settings import TrainSettings
from toolyard_command import toolyard


def printed(*words: str) -> str:
    done = toolyard(*words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_command_is_in_a_group_of_the_help_and_unknown_ones_come_last() -> None:
    commands = get_command(app).commands  # type: ignore[attr-defined]
    assert "Other" not in in_groups(commands, COMMAND_GROUPS, "Other")
    text = printed("--help")
    assert [title for title in COMMAND_GROUPS if f"\n{title}:\n" not in text] == []
    assert all(f"\n  {name} " in text for name in commands)
    assert in_groups("cab", {"First": ("a", "z")}, "Rest") == {"First": ["a"], "Rest": ["c", "b"]}


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
    rows.write_text(
        "".join(json.dumps({"id": str(n), "source": "s", "messages": talk}) + "\n" for n in range(9))
    )
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
