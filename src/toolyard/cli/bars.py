"""The live bar that long commands show on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

# Elsewhere than on a terminal: how often a line is written.
SECONDS_BETWEEN_LINES = 10.0


@contextmanager
def live_bar() -> Iterator[Bar | None]:
    """A bar on standard error, or None where nobody watches; every task has a field `facts`."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
        TextColumn("{task.fields[facts]}"),
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True)) as bar:
        yield bar
