"""An MCP server at an address: lint, mirror and probe through streamable HTTP, the token out of the environment."""

import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from toolyard.cli.app import app
from toolyard.core.errors import UsageError
from toolyard.owntools.sources import load_source

TOKEN = "harbour-light-58"
HEADER = ["--header", "Authorization=HARBOUR_TOKEN"]


def answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = f"-m toolyard serve Calendar --http --port {port} --token {TOKEN}".split()
    server = subprocess.Popen([sys.executable, *words], stderr=subprocess.DEVNULL)
    for _ in range(600):
        if answers(port):
            break
        time.sleep(0.1)
    yield f"http://127.0.0.1:{port}/mcp"
    server.terminate()
    server.wait(timeout=20)


def called(*words: str) -> str:
    done = CliRunner().invoke(app, list(words), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_without_the_token_the_server_is_quoted_and_the_option_named(address: str) -> None:
    with pytest.raises(UsageError, match=r"wants its token.*give --header Authorization=VARIABLE"):
        load_source(address)
    with pytest.raises(UsageError, match="the variable HARBOUR_TOKEN is not set"):
        load_source(address, headers=["Authorization=HARBOUR_TOKEN"])


def test_an_address_goes_from_review_to_profile_and_the_token_stays_out_of_every_file(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HARBOUR_TOKEN", f"Bearer {TOKEN}")
    found = json.loads(called("tools", "lint", address, *HEADER, "--fail-on", "never", "--json"))
    names = [tool.name for tool in load_source(f"mcp:{sys.executable} -m toolyard serve Calendar").tools]
    assert (found["kind"], found["tools"]) == ("mcp", len(names))
    twin = tmp_path / "twin"
    called("mirror", address, *HEADER, "--out", str(twin), "--record", "1")
    recorded = [json.loads(line) for line in (twin / "recorded.jsonl").read_text().splitlines()]
    assert {each["tool"] for each in recorded} == set(names)
    assert not any(each["error"] for each in recorded)
    out = tmp_path / "probe"
    called("probe", address, *HEADER, "-m", "scripted/random", "--rows", "1", "--out", str(out))
    assert json.loads((out / "profile.json").read_text())["tools"] == names
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert not [path for path in written if TOKEN.encode() in path.read_bytes()]
