"""Charts drawn by a process of their own are the same charts, and a process that ends is no loss."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from report_toy import toy_report
from toolyard.report.charts import drawing
from toolyard.report.charts.drawing import begin_drawing, draw
from toolyard.report.charts.run_charts import chart_data_of
from toolyard.run.beside import FAILED, can_fork, forked

pytestmark = pytest.mark.skipif(
    not can_fork(), reason="needs a copy of the process: Linux, two cores, one thread"
)


def test_another_process_draws_the_same_charts(tmp_path: Path) -> None:
    report = toy_report(tmp_path, "12")
    wait = begin_drawing(report)
    found = wait()
    assert {"figures", "distribution"} <= {chart.name for chart, _ in found}
    assert all(svg.startswith("<svg role=") for _, svg in found)
    here = forked_result(tmp_path / "here", lambda: repr(draw(chart_data_of(report))))
    assert repr(found) == here


def test_charts_are_drawn_here_where_the_other_process_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawing, "_serve", lambda *_: os.kill(os.getpid(), signal.SIGTERM))
    monkeypatch.setattr(drawing, "draw", lambda data: [data.report.model])
    report = toy_report(tmp_path, "12")
    assert begin_drawing(report)() == [report.model]


def test_a_copy_that_fails_says_nothing_and_ends(capfd: pytest.CaptureFixture[str]) -> None:
    def fail() -> None:
        raise ValueError("told by whoever does it again")

    process = forked(fail)
    process.join()
    assert process.exitcode == FAILED
    assert capfd.readouterr() == ("", "")


def forked_result(path: Path, work: object) -> str:
    """What the work says in a copy of this process, which then has no drawing engine of its own."""
    assert callable(work)
    forked(lambda: path.write_text(work())).join()
    return path.read_text()
