"""`toolyard check` with changed answers graded in another process."""

from itertools import islice
from pathlib import Path

import pytest

from toolyard.benchmarks import load_benchmark
from toolyard.run.grade import checking
from toolyard.run.grade.checking import check_benchmarks


def test_other_processes_grade_as_this_one_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "S-S_eval.jsonl"
    with (load_benchmark("mtu").data.starter / name).open(encoding="utf-8") as rows:
        (tmp_path / name).write_text("".join(islice(rows, 5)), encoding="utf-8")
    monkeypatch.setattr(checking, "SAMPLES_A_PART", 2)
    here = check_benchmarks("mtu", str(tmp_path), {})
    assert here[0].mutations
    assert check_benchmarks("mtu", str(tmp_path), {}, jobs=2) == here
