"""Scores, judge spreads, rewrites and baselines of another form are called damaged in one line that names the file."""

import copy
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from cases import cases
from compared_runs import make_runs
from toolyard.cli import _run_command
from toolyard.core.errors import DataError
from toolyard.report.compare.compared_runs import baselines_beside, load_compared
from toolyard.run.grade.judge_trials import read_spread
from toolyard.run.store.rewrites import count_rewrites, stored_rewrites
from toolyard.run.store.run_directory import RunStore

GONE = object()
SCORE: Sequence[tuple[Sequence[str], Any]] = (
    ((), 5),
    ((), [1]),
    ((), None),
    (("sample",), 5),
    (("trial",), "0"),
    (("trial",), True),
    (("cluster",), []),
    (("groups",), ["depth"]),
    (("groups", "depth"), [[]]),
    (("weight",), "1"),
    (("weight",), 1e300),
    (("stratum",), {}),
    (("profiles",), []),
    (("profiles",), GONE),
    (("profiles", "paper"), "x"),
    (("profiles", "paper", "values"), [1]),
    (("profiles", "paper", "values", "tree"), "0.5"),
    (("profiles", "paper", "values", "tree"), 1e300),
    (("profiles", "paper", "values", "tree"), 2**64 + 2**60),
    (("profiles", "paper", "values", "tree"), {"a": {}}),
    (("profiles", "paper", "counts"), None),
    (("profiles", "paper", "counts", "selection"), [1, 2]),
    (("profiles", "paper", "counts", "selection"), [1, 2, "3"]),
    (("profiles", "paper", "counts", "selection"), {"matched": 1}),
    (("profiles", "paper", "errors"), [["a", 1]]),
    (("profiles", "paper", "errors", "tool"), 5),
    (("profiles", "paper", "errors", "tool"), {"format": "many"}),
    (("profiles", "paper", "reasons"), "because"),
    (("profiles", "paper", "reasons"), [None]),
    (("profiles", "paper", "missing"), []),
    (("profiles", "paper", "unscored"), 7),
)
FIGURE = {"trials": 2, "mean": 0.5, "deviation": None, "low": 0.4, "high": 0.6}
SPREAD = {"judge": "m", "temperature": 0.0, "unscored": [0, 0], "figures": {"overall": FIGURE}}
REWRITE = {"sample": "a", "input": {"query": "b"}, "refused": ""}


def changed(record: Any, path: Sequence[str], value: Any) -> Any:
    """The record with another value at that place."""
    if not path:
        return value
    found = copy.deepcopy(record)
    part = found
    for step in path[:-1]:
        part = part[step]
    if value is GONE:
        del part[path[-1]]
    else:
        part[path[-1]] = value
    return found


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    first, second = make_runs(tmp_path_factory.mktemp("runs"), "scripted/oracle", "scripted/random")
    return first, second


@pytest.mark.parametrize(("path", "value"), SCORE, ids=range(len(SCORE)))
def test_a_score_of_another_form_is_damage(runs: tuple[Path, Path], path: Sequence[str], value: Any) -> None:
    file = runs[0] / "scores.jsonl"
    whole = file.read_bytes()
    first, rest = whole.split(b"\n", 1)
    try:
        file.write_bytes(json.dumps(changed(json.loads(first), path, value)).encode() + b"\n" + rest)
        with pytest.raises(DataError, match=r"scores\.jsonl, line 1"):
            load_compared(runs[0], "paper", {})
    finally:
        file.write_bytes(whole)


def test_groups_that_the_benchmark_cannot_read_end_a_command_in_one_line(
    runs: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = runs[1] / "scores.jsonl"
    whole = file.read_bytes()
    lines = [changed(json.loads(line), ("profiles", "paper"), []) for line in whole.splitlines()]
    try:
        file.write_text("".join(json.dumps(line) + "\n" for line in lines))
        for words in (["compare", *map(str, runs)], ["gate", str(runs[0]), "--baseline", str(runs[1])]):
            monkeypatch.setattr(sys, "argv", ["toolyard", *words])
            assert _run_command() == 1
            assert capsys.readouterr().err.count("\n") == 1
    finally:
        file.write_bytes(whole)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ((), []),
        ((), None),
        (("paper",), GONE),
        (("paper",), 5),
        (("official",), []),
        (("paper", "judge"), None),
        (("paper", "temperature"), {"": {}}),
        (("paper", "temperature"), "0"),
        (("paper", "unscored"), ["0"]),
        (("paper", "figures"), []),
        (("paper", "figures", "overall"), "x"),
        (("paper", "figures", "overall", "mean"), "x"),
        (("paper", "figures", "overall", "mean"), 1e300),
        (("paper", "figures", "overall", "low"), GONE),
    ],
    ids=range(14),
)
def test_a_spread_of_another_form_is_damage(tmp_path: Path, path: Sequence[str], value: Any) -> None:
    file = tmp_path / "judge_spread.json"
    whole = {"paper": SPREAD, "official": SPREAD}
    file.write_text(json.dumps(whole))
    assert read_spread(tmp_path) is not None
    file.write_text(json.dumps(changed(whole, path, value)))
    with pytest.raises(DataError, match=r"judge_spread\.json is damaged"):
        read_spread(tmp_path)


@pytest.mark.parametrize("count", ["9", [], {"a": 1}, None, True, 0.5])
def test_tokens_of_another_kind_are_damage(tmp_path: Path, count: Any) -> None:
    completion = {"text": "a", "usage": {"reasoning_tokens": count}}
    line = {
        "sample": "a", "trial": 0, "messages": [], "completions": [completion], "notes": {}, "error": None
    }  # fmt: skip
    (tmp_path / "transcripts.jsonl").write_text(json.dumps(line) + "\n")
    with pytest.raises(DataError, match=r"transcripts\.jsonl, line 1"):
        RunStore(tmp_path).transcripts()


@pytest.mark.parametrize("read", [stored_rewrites, count_rewrites])
@pytest.mark.parametrize(
    ("path", "value"),
    [
        ((), 5),
        ((), []),
        (("sample",), 1),
        (("input",), []),
        (("input",), GONE),
        (("refused",), GONE),
        (("refused",), []),
    ],
    ids=range(7),
)
def test_a_rewrite_of_another_form_is_damage(
    tmp_path: Path, read: Callable[[Path], Any], path: Sequence[str], value: Any
) -> None:
    (tmp_path / "rewrites.jsonl").write_text(json.dumps(changed(REWRITE, path, value)) + "\n")
    with pytest.raises(DataError, match=r"rewrites\.jsonl, line 1"):
        read(tmp_path)


@pytest.mark.parametrize(
    "content", cases(__file__, "baselines_of_another_form_are_played_again"), ids=range(6)
)
def test_baselines_of_another_form_are_played_again(runs: tuple[Path, Path], content: str) -> None:
    compared = load_compared(runs[0], "paper", {})
    wanted = baselines_beside([compared], "paper")
    (runs[0] / "baselines.json").write_text(content)
    assert [item.name for item in baselines_beside([compared], "paper")] == [item.name for item in wanted]
