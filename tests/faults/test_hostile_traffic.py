"""Logs and traces of any shape are judged or refused in one line, in time that grows with their length."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toolyard.cli.output import print_json
from toolyard.core.errors import DataError
from toolyard.lines import whole_text
from toolyard.models.scripted import read_recorded
from toolyard.report.compare.model_facts import read_model_facts
from toolyard.report.gate.policy import read_policy
from toolyard.traffic.log_reading import read_traffic
from toolyard.traffic.row_drafts import draft_rows
from toolyard.traffic.traffic_scoring import figures_of, judge_trajectory


def trace(*attributes: Any, **fields: Any) -> Any:
    return {
        "resourceSpans": [{"scopeSpans": [{"spans": [{"traceId": "t", "attributes": attributes, **fields}]}]}]
    }


def called(*calls: Any, **fields: Any) -> Any:
    return {
        "messages": [{"role": "user", "content": "x"}, {"role": "assistant", "tool_calls": calls}],
        **fields,
    }


CHAT = {"key": "gen_ai.operation.name", "value": {"stringValue": "chat"}}
SAID = {
    "key": "gen_ai.input.messages",
    "value": {"stringValue": '[{"parts": [{"type": "text", "content": "x"}]}]'},
}
NESTED = json.loads("[" * 900 + "]" * 900)
ODD: dict[str, Any] = {
    "calls that are none": called("x", 1, None, [], {"function": 3}),
    "a request that is text": {"messages": [{"role": "user"}], "request": "x"},
    "a request that is a list": {"messages": [{"role": "user"}], "request": [1]},
    "messages of any kind": {"request": {"messages": [1, None, {"role": [], "content": {}}], "tools": [1, {"function": 3}]}},
    "a time without end": trace(CHAT, SAID, startTimeUnixNano="9" * 5000),
    "lists that are none": trace(CHAT, SAID, *({"key": "a", "value": {kind: value}} for kind in ("arrayValue", "kvlistValue")
                                 for value in ([1], "x", None, {"values": None}, {"values": [{}, {"key": []}, 1]}))),
    "names that are lists": called({"id": "1", "function": {"name": "t", "arguments": "{}"}},
                                   tools=[{"name": "t", "parameters": {"properties": {"a": 1}, "required": [[], {}, 3]}}]),
    "nested arguments": called({"id": "1", "function": {"name": "t", "arguments": {"a": NESTED}}}),
    "nested arguments in text": called({"id": "1", "function": {"name": "t", "arguments": json.dumps(NESTED)}}),
    "half a character": called({"id": "\ud800", "function": {"name": "\ud800", "arguments": "\ud800"}}, id="\ud800"),
    "numbers that are none": called({"function": {"name": "t", "arguments": {"a": float("nan"), "b": float("inf")}}}),
    "thousands of digits": {"messages": [{"role": "assistant", "content": f"it is {'9' * 5000} or 1.{'9' * 5000}"}]},
}  # fmt: skip


@pytest.mark.parametrize("value", ODD.values(), ids=ODD)
def test_any_shape_is_judged(value: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "log.json"
    file.write_text(json.dumps(value))
    try:
        judged = [judge_trajectory(item) for item in read_traffic(file)]
    except DataError as refused:
        assert "wanted" in str(refused)
        return
    figures_of(judged)
    print_json({"found": [item.to_json() for item in judged], "rows": list(draft_rows(judged))})
    json.loads(capsys.readouterr().out)


def test_long_conversations_take_time_by_their_length(tmp_path: Path) -> None:
    failing = [
        message
        for number in range(3000)
        for message in (
            {"role": "assistant", "tool_calls": [{"id": f"{number}", "function": {"name": "t", "arguments": "{}"}}]},
            {"role": "tool", "tool_call_id": f"{number}", "content": "error"},
        )
    ]  # fmt: skip
    told = " ".join(str(7 * number + 13) for number in range(20_000))
    claims = " ".join(f"{11 * number + 10**7}.{number}" for number in range(20_000))
    rows = [
        {"messages": failing},
        {"messages": [{"role": "user", "content": told}, {"role": "assistant", "content": claims}]},
        {"messages": [{"role": "user", "content": f"{number}"} for number in range(20_000)]},
    ]
    file = tmp_path / "log.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    first, second, third = (judge_trajectory(item) for item in read_traffic(file))
    assert first.counts["recovery"].gold == 3000
    assert second.counts["supported_claims"].gold == 20_000
    assert third.counts["format"].gold == 0


READERS: dict[str, Callable[[Path], object]] = {
    "traffic": read_traffic, "policy": read_policy, "models": read_model_facts, "replay": read_recorded,
}  # fmt: skip


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_a_pipe_is_no_file(read: Callable[[Path], object], tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    with pytest.raises(DataError, match="is a pipe or a device, no file"):
        read(tmp_path / "pipe.json")


def test_a_folder_a_device_and_a_name_that_is_none_are_named(tmp_path: Path) -> None:
    for path, said in (
        (tmp_path, "is a folder"),
        (Path("/dev/zero"), "a device"),
        (tmp_path / "\0", "cannot be read"),
    ):
        with pytest.raises(DataError, match=said):
            whole_text(path, "wanted a file")
