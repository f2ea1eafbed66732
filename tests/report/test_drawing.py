"""Charts drawn by a process of their own are the same charts, and a process that ends is no loss."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from report_toy import toy_report
from toolyard.report.charts import drawing
from toolyard.report.charts.drawing import begin_drawing
from toolyard.run.beside import FAILED, can_fork

DRAWN_TWICE = """
import sys
from pathlib import Path
from report_toy import toy_report
from toolyard.report.charts.drawing import begin_drawing, draw
from toolyard.report.charts.run_charts import chart_data_of

report = toy_report(Path(sys.argv[1]), "12")
found = begin_drawing(report)()
assert "vl_convert" not in sys.modules, "the charts were drawn here"
assert {"figures", "distribution"} <= {chart.name for chart, _ in found}
assert all(svg.startswith("<svg role=") for _, svg in found)
assert repr(found) == repr(draw(chart_data_of(report)))
"""
two_cores = pytest.mark.skipif(
    sys.platform != "linux" or len(os.sched_getaffinity(0)) < 2,
    reason="copies of a process need Linux and two cores",
)


@two_cores
def test_another_process_draws_the_same_charts(tmp_path: Path) -> None:
    # In a process of its own: this one may have loaded an engine that no copy could use.
    places = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    line = [sys.executable, "-c", DRAWN_TWICE, str(tmp_path)]
    done = subprocess.run(line, env=places, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr


def test_no_copy_is_made_beside_an_engine_with_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", ModuleType("vl_convert"))
    assert not can_fork()


@two_cores
def test_charts_are_drawn_here_where_the_other_process_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawing, "can_fork", lambda: True)
    monkeypatch.setattr(drawing, "_serve", lambda *_: os.kill(os.getpid(), signal.SIGTERM))
    monkeypatch.setattr(drawing, "draw", lambda data: [data.report.model])
    report = toy_report(tmp_path, "12")
    assert begin_drawing(report)() == [report.model]


FAILING = """
from toolyard.run.beside import forked

def fail():
    raise ValueError("told by whoever does it again")

process = forked(fail)
process.join()
raise SystemExit(process.exitcode)
"""


@two_cores
def test_a_copy_that_fails_says_nothing_and_ends() -> None:
    done = subprocess.run([sys.executable, "-c", FAILING], capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stdout, done.stderr) == (FAILED, "", "")
