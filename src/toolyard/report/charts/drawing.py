"""Charts drawn beside other work, by a process of their own where that is safe, else when they are wanted.

The process is a copy of this one, so that it knows the run; what came of the run is sent to it. Started before the
model answers, it has loaded the drawing engine by the time that there is something to draw.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection, Pipe
from typing import Any, TypeAlias

from toolyard.charts.chart import Chart, warm_up
from toolyard.core.benchmark import Benchmark, RunSetup
from toolyard.report.charts.run_charts import ChartData, chart_data_of, charts_showing
from toolyard.report.content import Report
from toolyard.run.beside import can_fork, forked
from toolyard.run.run import Run

Drawn: TypeAlias = Sequence[tuple[Chart, str]]
# Begins to draw a report; the function that it returns waits for every chart with its SVG.
Draw: TypeAlias = Callable[[Report], Callable[[], Drawn]]


def begin_drawing(report: Report) -> Callable[[], Drawn]:
    """Begins to draw; the function that is returned waits for every chart with its SVG."""
    return prepare_drawing(report.run)(report)


def prepare_drawing(run: Run) -> Draw:
    """Loads the drawing engine beside whatever comes next; then reports of this run can be drawn."""
    if not can_fork():
        return lambda report: lambda: draw(chart_data_of(report))
    mine, theirs = Pipe()
    process = forked(lambda: _serve(run, mine, theirs))
    theirs.close()

    def begin(report: Report) -> Callable[[], Drawn]:
        data = chart_data_of(report)
        # Whatever ended the other process is met again here, where it can be told.
        try:
            mine.send_bytes(packed(data))
        except OSError:
            return lambda: draw(data)

        def wait() -> Drawn:
            try:
                found: Drawn = mine.recv()
            except (EOFError, OSError):
                found = draw(data)
            finally:
                mine.close()
                process.join()
            return found

        return wait

    return begin


def draw(data: ChartData) -> Drawn:
    """Every chart of a report with its SVG."""
    return [(chart, chart.svg()) for chart in charts_showing(data)]


def _serve(run: Run, other: Connection, connection: Connection) -> None:
    """What the drawing process does: one report, or nothing where the other side ends first."""
    other.close()
    warm_up()
    try:
        data = connection.recv_bytes()
    except EOFError:
        return
    connection.send(draw(unpacked(data, run)))
    connection.close()


def packed(data: ChartData) -> bytes:
    """The data as bytes for a process that knows the run: what the run holds is named, not written."""
    buffer = io.BytesIO()
    _Packer(buffer, pickle.HIGHEST_PROTOCOL).dump(data)
    return buffer.getvalue()


def unpacked(data: bytes, run: Run) -> ChartData:
    """What `packed` wrote of this very run."""
    found: ChartData = _Unpacker(data, run).load()
    return found


class _Packer(pickle.Pickler):
    def persistent_id(self, value: Any) -> str | None:
        """The name of what both processes know."""
        return next((kind.__name__ for kind in (Run, RunSetup, Benchmark) if isinstance(value, kind)), None)


class _Unpacker(pickle.Unpickler):
    def __init__(self, data: bytes, run: Run) -> None:
        super().__init__(io.BytesIO(data))
        self._known = {"Run": run, "RunSetup": run.setup, "Benchmark": run.benchmark}

    def persistent_load(self, name: str) -> object:
        """What the name stands for."""
        return self._known[name]
