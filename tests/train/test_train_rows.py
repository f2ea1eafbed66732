"""Training rows on disk, the steps they make up, and the settings; none of it needs torch."""

from __future__ import annotations

import gzip
import importlib.util
import json
import lzma
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from cases import each_case
from json_files import write_lines
from toolyard.core.errors import DataError, UsageError
from toolyard.train.row_tokens import Encoded
from toolyard.train.rows import read_rows, rows_digest, split_rows
from toolyard.train.settings import TrainSettings, complete_settings
from toolyard.train.step_plan import pack_rows, plan_spans, plan_steps

TORCH = importlib.util.find_spec("torch") is not None
ROW = {
    "id": "a",
    "source": "s",
    "messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}],
}


def encoded(name: str, tokens: list[int], learnt: int) -> Encoded:
    trained = np.zeros(len(tokens), dtype=np.bool_)
    trained[-learnt:] = True
    return Encoded(name, "s", np.asarray(tokens, dtype=np.int32), trained)


def test_rows_read_the_same_however_they_are_packed(tmp_path: Path) -> None:
    data = (json.dumps(ROW) + "\n" + json.dumps({**ROW, "id": "b"}) + "\n").encode()
    (tmp_path / "plain.jsonl").write_bytes(data)
    (tmp_path / "one.jsonl.xz").write_bytes(lzma.compress(data))
    (tmp_path / "two.jsonl.gz").write_bytes(gzip.compress(data))
    digests = {
        rows_digest(read_rows(tmp_path / name)) for name in ("plain.jsonl", "one.jsonl.xz", "two.jsonl.gz")
    }
    assert len(digests) == 1
    assert [row.id for row in read_rows(tmp_path)] == ["a", "b"] * 3
    assert [row.id for row in read_rows(tmp_path, limit=3)] == ["a", "b", "a"]


@each_case("line, said")
def test_a_wrong_row_is_named(tmp_path: Path, line: str, said: str) -> None:
    (tmp_path / "rows.jsonl").write_text(line + "\n")
    with pytest.raises(DataError, match=said):
        read_rows(tmp_path / "rows.jsonl")


def test_rows_are_kept_apart_by_their_ids(tmp_path: Path) -> None:
    write_lines(tmp_path / "rows.jsonl", ({**ROW, "id": str(n)} for n in range(200)))
    rows = read_rows(tmp_path / "rows.jsonl")
    learnt, apart = split_rows(rows, 0.25)
    assert 30 < len(apart) < 70
    assert len(learnt) + len(apart) == 200
    assert [row.id for row in split_rows(rows[::-1], 0.25)[1]] == [row.id for row in apart][::-1]
    with pytest.raises(DataError, match="takes all of 1 row; lower --eval-share"):
        split_rows(apart[:1], 0.25)


def test_every_epoch_has_each_row_once_and_steps_hold_their_tokens() -> None:
    lengths = [30, 10, 20, 40, 5, 100]
    found = plan_steps(lengths, seed=1, epochs=2, batch_tokens=50)
    assert sorted(place for step in found for place in step) == sorted([*range(6)] * 2)
    assert all(sum(lengths[place] for place in step) <= 50 or step == [5] for step in found)
    assert found == plan_steps(lengths, seed=1, epochs=2, batch_tokens=50)
    assert found != plan_steps(lengths, seed=2, epochs=2, batch_tokens=50)
    assert plan_steps(lengths, seed=1, epochs=9, batch_tokens=50, most=4) == found[:4]


def test_packed_rows_lie_side_by_side_and_are_predicted_one_place_before() -> None:
    rows = [encoded("short", [7, 8], 1), encoded("long", [1, 2, 3, 4], 2)]
    (pack,) = pack_rows(rows, micro_tokens=100, packing=True)
    assert pack.tokens.tolist() == [[1, 2, 3, 4, 7, 8]]
    assert pack.positions.tolist() == [[0, 1, 2, 3, 0, 1]]
    assert pack.predicted_at.tolist() == [1, 2, 4]
    assert pack.targets.tolist() == [3, 4, 8]
    assert (pack.lengths, pack.learnt) == ((4, 2), (2, 1))


def test_padded_rows_have_a_line_each() -> None:
    rows = [encoded("short", [7, 8], 1), encoded("long", [1, 2, 3, 4], 2)]
    (pack,) = pack_rows(rows, micro_tokens=100, packing=False)
    assert pack.tokens.tolist() == [[1, 2, 3, 4], [7, 8, 0, 0]]
    assert pack.predicted_at.tolist() == [1, 2, 4]
    assert [len(part.lengths) for part in pack_rows(rows, micro_tokens=4, packing=False)] == [1, 1]


def test_rows_of_like_length_are_one_block() -> None:
    assert [(span.start, span.lengths) for span in plan_spans([100, 90, 85, 60, 50, 10])] == [
        (0, (100, 90, 85)),
        (275, (60, 50)),
        (385, (10,)),
    ]


def test_settings_come_from_a_file_and_the_command_line_wins(tmp_path: Path) -> None:
    config = tmp_path / "train.yaml"
    config.write_text("data: rows.jsonl\nbase: smollm2\nout: tuned\nlr: 1e-3\nmax-steps: 9\nmerge: true\n")
    found = complete_settings(TrainSettings(data=config, max_steps=5))
    assert (found.data, found.base, found.out) == (Path("rows.jsonl"), "smollm2", Path("tuned"))
    assert (found.learning_rate, found.max_steps, found.merge) == (1e-3, 5, True)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "no base model"),
        ({"base": "smollm2"}, "--out DIR"),
        ({"base": "smollm2", "out": Path("o"), "method": "magic"}, "'magic' is not one of lora, full"),
        ({"base": "smollm2", "out": Path("o"), "lr": -1.0}, "--lr -1.0: wanted a number from 0 up"),
        ({"base": "smollm2", "out": Path("o"), "eval_share": 1.0}, "shares from 0 to below 1"),
        ({"base": "smollm2", "out": Path("o"), "epochs": 0.0}, "leaves nothing to do"),
    ],
)
def test_settings_that_lead_nowhere_are_refused(given: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        complete_settings(TrainSettings(data=Path("rows.jsonl"), **given))  # type: ignore[arg-type]


@pytest.mark.skipif(TORCH, reason="torch is installed")
def test_without_torch_help_is_printed_and_the_install_line_named(tmp_path: Path) -> None:
    def run(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "toolyard", "train", *words]
        return subprocess.run(command, capture_output=True, text=True, timeout=300, env=os.environ)

    assert "--batch-tokens" in run("--help").stdout
    rows = tmp_path / "rows.jsonl"
    rows.touch()
    refused = run(str(rows), "--base", "smollm2", "--out", "o")
    assert refused.returncode == 1
    assert "pip install 'toolyard[train]'" in refused.stderr
