"""Trajectories in and out: ATIF and logs of inspect, read as their own tools read them; other versions refused by name."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from cases import cases
from toolyard.cli.app import app
from toolyard.core.errors import DataError
from toolyard.report.export.run_export import export_run
from toolyard.run.api import evaluate
from toolyard.traffic.log_reading import read_traffic

CALL = {"tool_call_id": "c1", "function_name": "find_bus", "arguments": {"from": "Oslo"}}
TOOLS = [{"type": "function", "function": {"name": "find_bus", "parameters": {"type": "object"}}}]
TRAJECTORY: dict[str, Any] = cases(__file__, "TRAJECTORY")
SAMPLE: dict[str, Any] = cases(__file__, "SAMPLE")
CONVERSATION = cases(__file__, "CONVERSATION")
LOG: dict[str, Any] = {
    "version": 2,
    "status": "success",
    "eval": {"task": "t", "model": "m"},
    "samples": [SAMPLE],
}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("runs")
    folder = evaluate("mtu", "scripted/oracle", limit=4, runs=place).folder
    path = folder / "transcripts.jsonl"
    first, *rest = path.read_text().splitlines()
    line = json.loads(first)
    line["messages"] = [*line["messages"], *CONVERSATION]
    path.write_text("\n".join([json.dumps(line), *rest]) + "\n")
    return folder


def written(path: Path, value: object) -> Path:
    path.write_text(json.dumps(value))
    return path


def eval_file(path: Path, log: dict[str, Any]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps({name: log[name] for name in log if name != "samples"}))
        for place, sample in enumerate(log["samples"]):
            archive.writestr(f"samples/{place}_epoch_1.json", json.dumps(sample))
    return path


@pytest.mark.parametrize("form", ["atif", "inspect json", "inspect eval"])
def test_a_file_of_others_is_read(form: str, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    if form == "inspect eval":
        eval_file(path, LOG)
    else:
        written(path, TRAJECTORY if form == "atif" else LOG)
    [found] = read_traffic(path)
    assert found.id == ("s1" if form == "atif" else "q1 (epoch 2)")
    assert [(call.name, call.arguments) for call in found.calls] == [("find_bus", {"from": "Oslo"})]
    assert found.results()["c1"].error
    assert next(turn.text for turn in found.turns if turn.role == "user") == "A bus from Oslo."
    assert (found.answer, found.model, list(found.tools or ())) == ("There is no bus.", "m", ["find_bus"])
    assert CliRunner().invoke(app, ["traffic", str(path)]).exit_code == 0


def test_a_subagent_is_a_trajectory_of_its_own(tmp_path: Path) -> None:
    inner = {**TRAJECTORY, "trajectory_id": "inner"}
    path = written(tmp_path / "a.json", {**TRAJECTORY, "subagent_trajectories": [inner]})
    assert [item.id for item in read_traffic(path)] == ["s1", "inner"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ({**TRAJECTORY, "schema_version": "ATIF-v2.0"}, "ATIF-v2.0"),
        ({**TRAJECTORY, "schema_version": "ATIF-v1.9"}, "ATIF-v1.9"),
        ({**TRAJECTORY, "subagent_trajectories": [{**TRAJECTORY, "schema_version": "X-1"}]}, "X-1"),
        ({**TRAJECTORY, "steps": [{"source": "robot"}]}, "'robot'"),
        ({**LOG, "version": 3}, "version 3"),
        ({**LOG, "version": None}, "version None"),
        ({**TRAJECTORY, "steps": []}, "no message"),
        ({**LOG, "samples": None}, "no message"),
        ([TRAJECTORY, LOG], "neither"),
    ],
)
def test_what_is_not_known_is_refused_by_name(content: Any, said: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=said):
        read_traffic(written(tmp_path / "a.json", content))


def test_a_run_is_exported_as_trajectories_that_are_read_back(run: Path, tmp_path: Path) -> None:
    paths = export_run(run, "atif", tmp_path / "out")
    lines = [json.loads(line) for line in (run / "transcripts.jsonl").read_text().splitlines()]
    together = tmp_path / "all.jsonl"
    together.write_bytes(b"".join(path.read_bytes() for path in paths))
    found = read_traffic(together)
    assert len(found) == len(paths) == len(lines)
    said = {f"{line['sample']}-{line['trial']}": line["messages"] for line in lines}
    for item in found:
        wanted = [call["function"]["name"] for each in said[item.id] for call in each.get("tool_calls", ())]
        assert [call.name for call in item.calls] == wanted
        assert len(item.turns) == len(said[item.id])
    assert any(item.calls for item in found)


def test_exported_trajectories_pass_harbors_validator(run: Path, tmp_path: Path) -> None:
    reason = "the wheel harbor (Python 3.12 and later) is not installed"
    validator = pytest.importorskip("harbor.utils.trajectory_validator", reason=reason)
    for path in export_run(run, "atif", tmp_path / "out"):
        check = validator.TrajectoryValidator()
        assert check.validate(path), check.errors
    check = validator.TrajectoryValidator()
    assert check.validate(TRAJECTORY), check.errors


@pytest.mark.parametrize("form", ["eval", "json"])
def test_a_log_is_read_as_inspect_reads_it(form: str, run: Path, tmp_path: Path) -> None:
    inspect_log = pytest.importorskip("inspect_ai.log", reason="inspect-ai is not installed")
    [path] = export_run(run, "inspect", tmp_path / "out")
    log = inspect_log.read_eval_log(str(path))
    if form == "json":
        path = tmp_path / "log.json"
        inspect_log.write_eval_log(log, str(path), format="json")
    found = {item.id: item for item in read_traffic(path)}
    assert len(found) == len(log.samples)
    for sample in log.samples:
        item = found[str(sample.id)]
        assert [turn.role for turn in item.turns] == [message.role for message in sample.messages]
        assert [turn.text for turn in item.turns] == [message.text for message in sample.messages]
        calls = [
            call
            for message in sample.messages
            if message.role == "assistant"
            for call in message.tool_calls or ()
        ]
        assert [(call.name, call.arguments) for call in item.calls] == [
            (call.function, call.arguments) for call in calls
        ]


def bomb(method: int) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        archive.writestr("header.json", json.dumps({"version": 2, "eval": {}}))
        archive.writestr("samples/1.json", b'"' + b" " * 70 * 2**20 + b'"')
    return file.getvalue()


HOSTILE_LOGS = {
    "deflate bomb": lambda: bomb(zipfile.ZIP_DEFLATED),
    "bzip2 bomb": lambda: bomb(zipfile.ZIP_BZIP2),
    "no zip inside": lambda: b"PK\3\4" + bytes(100),
    "cut": lambda: bomb(zipfile.ZIP_STORED)[: 2**20],
}


@pytest.mark.parametrize("kind", HOSTILE_LOGS)
def test_a_hostile_log_is_refused(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "a.eval"
    path.write_bytes(HOSTILE_LOGS[kind]())
    with pytest.raises(DataError):
        read_traffic(path)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=5)
    | st.sampled_from(["agent", "user", "tool", "c1"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(cases(__file__, "keys")), inner, max_size=4)
    ),
    max_leaves=12,
)


@settings(max_examples=25, deadline=None)
@given(
    value=JSON,
    name=st.sampled_from(["steps", "agent", "subagent_trajectories", "samples", "eval", "version"]),
)
def test_odd_values_are_refused(value: Any, name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "odd.json"
    for base in (TRAJECTORY, LOG):
        content = {**base, name: [value] if name in ("steps", "samples") else value}
        try:
            read_traffic(written(path, content))
        except DataError as error:
            assert "\n" not in str(error)
