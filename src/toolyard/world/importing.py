"""Importing what a tool needs without leaving a trace on the host."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_temporary_folder() -> Iterator[None]:
    """Libraries that ask for the temporary folder while they are imported get one that is not tried by writing to it.

    Where no folder can be written to, asking would fail and the tool with it.
    """
    before = tempfile.tempdir
    tempfile.tempdir = before or os.sep
    try:
        yield
    finally:
        tempfile.tempdir = before
