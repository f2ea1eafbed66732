"""The live bar that long commands show on a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from toolyard.text.printable import printable_line

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

# Elsewhere than on a terminal: how often a line is written.
SECONDS_BETWEEN_LINES = 10.0


@contextmanager
def live_bar() -> Iterator[Bar | None]:
    """A bar on standard error, or None where it is no terminal; every task has a field `facts`."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, Task, TextColumn, TimeRemainingColumn
    from rich.text import Text

    class PlainText(TextColumn):
        """Text without control sequences and markup: names and states that an endpoint sends stand in it."""

        def render(self, task: Task) -> Text:
            return Text(printable_line(self.text_format.format(task=task)))

    columns = (
        PlainText("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
        PlainText("{task.fields[facts]}"),
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True)) as bar:
        yield bar


@contextmanager
def stages_bar() -> Iterator[Callable[[str, int, int], None]]:
    """What hears the stage of a command and how far it is: a live bar for each stage, elsewhere a line now and then."""
    with live_bar() as bar:
        tasks: dict[str, TaskID] = {}
        last = [time.monotonic()]

        def show(stage: str, done: int, total: int) -> None:
            if bar is not None:
                if stage not in tasks:
                    tasks[stage] = bar.add_task(printable_line(stage), facts="")
                bar.update(tasks[stage], total=total, completed=done)
            elif time.monotonic() - last[0] > SECONDS_BETWEEN_LINES:
                last[0] = time.monotonic()
                sys.stderr.write(printable_line(f"{stage}: {done}/{total}") + "\n")

        yield show
