"""The GitHub action in somebody else's repository: its steps are run by bash, as the workflow in the docs asks for them."""

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from aiohttp import web

from cases import each_case
from chat_endpoint import Body, chat, serve
from json_files import read_json

ROOT = Path(__file__).resolve().parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
WORKFLOW = ROOT / "docs" / "ci" / "toolyard-gate.yml"
[GATE_STEP] = [
    step
    for step in yaml.safe_load(WORKFLOW.read_text())["jobs"]["gate"]["steps"]
    if step.get("uses", "").endswith("/toolyard@main")
]
EXPRESSION = re.compile(r"\$\{\{ ([\w.-]+) \}\}")


@dataclass(frozen=True)
class Done:
    """What a step left behind."""

    code: int
    outputs: Mapping[str, str]
    summary: str
    log: str
    workspace: Path


def scratch_repository(folder: Path) -> Path:
    """A repository that has nothing to do with this one, and an environment that has toolyard installed."""
    workspace = folder / "somebody else's repository"
    workspace.mkdir(parents=True)
    (workspace / "strict.yaml").write_text("minimal_samples: 10\nallowed_drop: 0.3\n")
    subprocess.run(["git", "init", "-q"], cwd=workspace, check=True)
    command = folder / "temp" / "toolyard" / "bin" / "toolyard"
    command.parent.mkdir(parents=True)
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m toolyard "$@"\n')
    command.chmod(0o755)
    return workspace


def run_step(name: str, folder: Path, given: Mapping[str, str], **surroundings: str) -> Done:
    """Runs a step of the action as the runner does: inputs become its environment, bash runs its lines."""
    workspace = scratch_repository(folder)
    defaults = {key: item.get("default", "") for key, item in ACTION["inputs"].items()}
    known = {f"inputs.{key}": value for key, value in {**defaults, **given}.items()}
    known |= {"github.action_path": str(ROOT), "steps.python.outputs.python-path": sys.executable}
    [step] = [step for step in ACTION["runs"]["steps"] if step.get("name") == name]
    filled = {key: EXPRESSION.sub(lambda found: known[found[1]], value) for key, value in step["env"].items()}
    files = {key: str(folder / key) for key in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "PYTHONPATH": str(ROOT / "src")}
    environment |= {"RUNNER_TEMP": str(folder / "temp"), **files, **filled, **surroundings}
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=workspace,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    output, summary = (Path(path).read_text() if Path(path).exists() else "" for path in files.values())
    outputs = dict(line.split("=", 1) for line in output.splitlines())
    return Done(done.returncode, outputs, summary, done.stdout + done.stderr, workspace)


def test_the_workflow_in_the_docs_gates_two_models_of_an_endpoint(tmp_path: Path) -> None:
    async def handler(request: web.Request, body: Body) -> web.StreamResponse:
        assert request.headers["Authorization"] == "Bearer key-of-the-endpoint"
        return chat("[]")

    async def gated() -> Done:
        async with serve(handler) as address:
            key = {"OPENAI_BASE_URL": address, "OPENAI_API_KEY": "key-of-the-endpoint"}
            return await asyncio.to_thread(run_step, "Gate", tmp_path, GATE_STEP["with"], **key)

    done = asyncio.run(gated())
    assert done.code == 0, done.log
    assert done.outputs == {"decision": "GO", "folder": "toolyard-gate"}
    assert "GO: openai/my-new-model against openai/my-model on mtu" in done.summary
    assert (done.workspace / "toolyard-gate" / "gate.xml").exists()


@each_case("given, decision, code")
def test_the_decision_is_an_output_and_a_job_summary(
    tmp_path: Path, given: dict[str, str], decision: str, code: int
) -> None:
    done = run_step("Gate", tmp_path, {"benchmark": "nestools", "limit": "12", **given})
    assert (done.code, done.outputs["decision"]) == (code, decision), done.log
    assert done.summary.startswith(f"## {decision}: ")


def test_the_style_input_reaches_both_runs(tmp_path: Path) -> None:
    given = {"benchmark": "nestools", "limit": "12", "model": "scripted/oracle", "baseline": "scripted/empty"}
    done = run_step("Gate", tmp_path, {**given, "style": "native"})
    manifests = [read_json(path) for path in done.workspace.glob("toolyard-gate/*/manifest.json")]
    assert [each["identity"]["style"] for each in manifests] == ["native", "native"], done.log


# Ends every way of quoting, one after the other.
HOSTILE = """--help $(touch hacked) "; touch hacked; "'; touch hacked; ' `touch hacked`\ntouch hacked"""


@pytest.mark.parametrize("name", ["model", "benchmark", "limit", "style", "policy"])
def test_an_input_is_never_run_by_the_shell(tmp_path: Path, name: str) -> None:
    given = {"benchmark": "nestools", "limit": "12", "model": "scripted/oracle", "baseline": "scripted/empty"}
    done = run_step("Gate", tmp_path, {**given, name: HOSTILE})
    assert done.code == 1, done.log
    assert not list(tmp_path.rglob("hacked"))
    assert "no decision (exit 1)" in done.summary
    assert not done.outputs


@pytest.mark.parametrize("text", [HOSTILE, "local] @ https://example.org/x["])
def test_extras_that_are_not_names_install_nothing(tmp_path: Path, text: str) -> None:
    done = run_step("Install", tmp_path, {"extras": text})
    assert (done.code, done.log) == (1, "extras: letters and commas only, e.g. local,embed\n")
    assert not list(tmp_path.rglob("hacked"))


def test_no_expression_stands_in_a_line_that_a_shell_reads_and_the_docs_show_every_input() -> None:
    steps: list[Mapping[str, Any]] = ACTION["runs"]["steps"]
    steps = [*steps, *yaml.safe_load(WORKFLOW.read_text())["jobs"]["gate"]["steps"]]
    assert all("${{" not in step.get("run", "") for step in steps)
    page = (ROOT / "docs" / "gate.md").read_text()
    assert WORKFLOW.read_text().split("\n", 1)[1] in page
    assert [name for name in ACTION["inputs"] if f"`{name}`" not in page] == []
    assert set(GATE_STEP["with"]) <= set(ACTION["inputs"])
