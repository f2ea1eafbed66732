"""MCP servers and Python modules of strangers: one line, and whatever they do ends in time."""

import asyncio
import json
import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import hostile_server
from cases import cases
from faults.foreign_sources import CALLS, GOOD, IMPORTS, PRINTS, WEB, Answer, sent, serve_foreign
from hostile_server import ANSWERS, NOISE, ODD
from toolyard.cli.app import app
from toolyard.core.errors import ToolyardError, UsageError
from toolyard.core.types import Observation
from toolyard.owntools.mirror.mirror_files import make_mirror
from toolyard.owntools.sources import function_process, load_source, mcp_server
from toolyard.owntools.sources.source_loading import header_values

# The client of `mcp` leaves streams open; when they are collected is chance.
pytestmark = pytest.mark.filterwarnings("ignore:Unclosed <MemoryObject:ResourceWarning")
BROKEN = cases(__file__, "BROKEN")
SLOW = frozenset({"list hangs", "list is an error", "start says nothing", "start version is odd"})


def source(mode: str) -> str:
    return (
        f"mcp:{shlex.quote(sys.executable)} {shlex.quote(str(hostile_server.__file__))} {shlex.quote(mode)}"
    )


def shown(done: Any) -> str:
    return f"{done.stdout}{done.stderr}{done.exception or ''}"


@pytest.mark.parametrize(
    "mode", [*NOISE, "start floods its log", "start leaves children", "end is refused", "nothing odd"]
)
def test_lines_without_message_ignored(mode: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    plan = make_mirror(load_source(source(mode)), tmp_path / "twin", number=1)
    assert [call.result for call in plan.recorded] == [{"bed": "a"}] * 2
    assert "".join(capfd.readouterr()) == ""


@pytest.mark.parametrize("mode", ODD)
def test_odd_tools_are_left_out_named(mode: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    found = load_source(source(mode))
    assert [tool.name for tool in found.tools] == ["get_bed", "list_beds"]
    name = "odd_" if "odd_" in json.dumps(ODD[mode]) else "number 1"
    assert f"not tools of the protocol: {name}" in found.remarks[0]
    assert "\x1b" not in found.remarks[0]
    assert len(make_mirror(found, tmp_path / "twin", number=1).recorded) == 2
    assert "".join(capfd.readouterr()) == ""


@pytest.mark.parametrize("mode", BROKEN)
def test_a_server_without_a_list_is_one_line(
    mode: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    if mode in SLOW:
        monkeypatch.setattr(mcp_server, "SECONDS", 1.0)
    with pytest.raises(ToolyardError, match=BROKEN[mode]) as refused:
        load_source(source(mode))
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 900
    assert "".join(capfd.readouterr()) == ""


@pytest.mark.parametrize("mode", [*ANSWERS, "call hangs", "call dies"])
def test_hostile_answers_are_bounded(mode: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if mode in ("call hangs", "answer number"):
        monkeypatch.setattr(mcp_server, "SECONDS", 1.5)
    words = ["mirror", source(mode), "--out", str(tmp_path / "twin"), "--record", "3"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, shown(done)
    assert "Traceback" not in shown(done)
    assert "\x1b[2J" not in shown(done)
    kept = (tmp_path / "twin" / "recorded.jsonl").read_text()
    assert len(kept) < 2_000_000


def test_the_command_names_what_it_left_out(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["tools", "lint", source("odd escapes"), "--fail-on", "never"])
    assert done.stderr.startswith(
        "warning: left out, as their documents are not tools of the protocol: odd_\\x1b"
    )


@pytest.fixture
def web() -> Iterator[Callable[[Answer], tuple[str, list[tuple[str, str, str]]]]]:
    """Starts a service that answers every request in the same way and notes the headers."""
    running = []

    def start(answer: Answer) -> tuple[str, list[tuple[str, str, str]]]:
        service, server = serve_foreign()
        service.answer = answer
        running.append(server)
        return service.address, service.seen

    yield start
    for server in running:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize("name", WEB)
def test_an_address_that_is_no_server_is_one_line(
    name: str, web: Any, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(mcp_server, "SECONDS", 3.0)
    address, _ = web(WEB[name])
    with pytest.raises(UsageError, match="does not answer as an MCP server") as refused:
        load_source(f"{address}/mcp")
    assert "\n" not in str(refused.value)
    assert "".join(capfd.readouterr()) == ""


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_takes_no_header_elsewhere(status: int, web: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BED_TOKEN", "harbour-light-92")
    monkeypatch.setattr(mcp_server, "SECONDS", 3.0)
    other, taken = web(sent(200, b""))
    address, seen = web(sent(status, b"", Location=f"{other}/mcp"))
    with pytest.raises(UsageError, match=f"Redirect to {other}/mcp not followed"):
        load_source(f"{address}/mcp", headers=["X-Key=BED_TOKEN"])
    assert any("harbour-light-92" in headers for _, _, headers in seen)
    assert taken == []


def test_no_proxy_of_the_environment_gets_a_request(web: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BED_TOKEN", "harbour-light-92")
    monkeypatch.setattr(mcp_server, "SECONDS", 3.0)
    proxy, taken = web(sent(200, b""))
    address, seen = web(sent(403, b""))
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, proxy)
    with pytest.raises(UsageError, match="does not answer as an MCP server"):
        load_source(f"{address}/mcp", headers=["X-Key=BED_TOKEN"])
    assert taken == []
    assert seen != []


@pytest.mark.parametrize("name", ["A\r\nB", "A\nHost: x", "A B", "", "Ä", "A:"])
def test_a_header_name_that_is_none_is_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BED_TOKEN", "x")
    with pytest.raises(UsageError, match="wanted is Name=VARIABLE"):
        header_values([f"{name}=BED_TOKEN"])
    monkeypatch.setenv("BED_TOKEN", "x\r\nEvil: 1")
    with pytest.raises(UsageError, match="control character"):
        header_values(["A=BED_TOKEN"])


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", IMPORTS)
def test_a_broken_module_is_one_line(name: str, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_what_a_module_prints_stays_off_terminals(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
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
