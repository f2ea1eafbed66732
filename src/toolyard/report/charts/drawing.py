"""Charts drawn beside the rest of a page: by a process of their own where that is safe, else when they are wanted."""

from __future__ import annotations

import multiprocessing
import os
import sys
import threading
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, TypeAlias

from toolyard.charts.chart import Chart
from toolyard.report.charts.run_charts import charts_of

if TYPE_CHECKING:
    from toolyard.report.content import Report

Drawn: TypeAlias = Sequence[tuple[Chart, str]]


def begin_drawing(report: Report) -> Callable[[], Drawn]:
    """Begins to draw; the function that is returned waits for every chart with its SVG."""
    if not _can_fork():
        return lambda: draw(report)
    context = multiprocessing.get_context("fork")
    mine, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(report, theirs), daemon=True)
    process.start()
    theirs.close()

    def wait() -> Drawn:
        try:
            found: Drawn = mine.recv()
        except EOFError:
            # Whatever ended the other process is met again here, where it can be told.
            found = draw(report)
        finally:
            mine.close()
            process.join()
        return found

    return wait


def draw(report: Report) -> Drawn:
    """Every chart of the report with its SVG."""
    from altair.utils import schemapi

    # Our own charts are valid by test; checking each part again takes as long as drawing it.
    with schemapi.debug_mode(False):
        charts = charts_of(report)
    return [(chart, chart.svg()) for chart in charts]


def _send(report: Report, connection: Connection) -> None:
    connection.send(draw(report))
    connection.close()


def _can_fork() -> bool:
    """A copy of this process can draw: no other thread that may hold a lock, no drawing engine already running."""
    return (
        sys.platform == "linux"
        and threading.active_count() == 1
        and "vl_convert" not in sys.modules
        and len(os.sched_getaffinity(0)) > 1
    )
