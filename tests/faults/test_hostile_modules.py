"""Python modules that raise, exit, hang, print or use up memory: one line, and nothing of it in this process."""

import asyncio
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from faults.foreign_sources import CALLS, GOOD, IMPORTS, PRINTS
from toolyard.cli.app import app
from toolyard.core.errors import UsageError
from toolyard.core.types import Observation
from toolyard.owntools.mirror.mirror_making import make_mirror
from toolyard.owntools.sources import function_process, load_source


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", IMPORTS)
def test_a_module_that_cannot_be_imported_is_one_line(
    name: str, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, says = IMPORTS[name]
    if name in ("hangs", "spins"):
        monkeypatch.setattr(function_process, "IMPORT_SECONDS", 1.0)
    (here / "hostile_module.py").write_text(f"{code}\n{'' if name == 'is no Python' else GOOD}")
    for words in (
        ["tools", "lint", "python:hostile_module"],
        ["mirror", "python:hostile_module", "--out", "twin"],
    ):
        done = CliRunner().invoke(app, words)
        assert done.exit_code == 1
        assert "\n" not in str(done.exception)
        with pytest.raises(Exception, match=says):
            raise done.exception or AssertionError
    assert "hostile_module" not in sys.modules
    assert not (here / "twin").exists()


def test_what_a_module_prints_does_not_reach_the_terminal(
    here: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (here / "loud_module.py").write_text(PRINTS + GOOD.replace("return", "print('\\x1b[2J')\n    return"))
    plan = make_mirror(load_source("python:loud_module"), here / "twin", number=1, allowed=("*",))
    assert plan.recorded[0].result == {"bed": plan.recorded[0].arguments.get("bed", "a")}
    assert "\x1b" not in "".join(capfd.readouterr())


@pytest.mark.parametrize("name", CALLS)
def test_a_call_that_does_not_return_is_an_error_and_the_next_one_works(
    name: str, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name == "hangs":
        monkeypatch.setattr(function_process, "CALL_SECONDS", 1.0)
    (here / "odd_module.py").write_text(f"def get_it():\n    '''It.'''\n    {CALLS[name]}\n{GOOD}")
    first, second = asyncio.run(_both())
    assert first.error is not None
    assert (second.error, second.value) == (None, {"bed": "a"})


async def _both() -> tuple[Observation, Observation]:
    source = load_source("python:odd_module")
    assert source.connect is not None
    async with source.connect() as call:
        return await call("get_it", {}), await call("get_bed", {"bed": "a"})


def test_a_module_of_the_current_folder_is_found(here: Path) -> None:
    (here / "own_module.py").write_text(GOOD)
    (tool,) = load_source("python:own_module").tools
    assert tool.result == {"type": "object"}
    with pytest.raises(UsageError, match="has no function 'x'; it has get_bed"):
        load_source("python:own_module:x")
