"""Python that cannot touch the host: programs run in pydantic-monty workers, one pool per process.

The Python is the subset that pydantic-monty documents, and its errors go to the model as they are. The same pool
answers regular expressions, because its engine runs in linear time.
"""

import atexit
import functools
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from toolyard.world.kernel.faults import ToolFault, invalid

SECONDS = 1.0
OUTPUT_BYTES = 65_536
MODULES = (
    *("asyncio", "base64", "bisect", "collections", "copy", "csv", "dataclasses", "datetime", "decimal", "functools"),
    *("hashlib", "itertools", "json", "math", "os", "pathlib", "random", "re", "sys", "time", "typing", "unicodedata"),
)  # fmt: skip
_LIMITS = {
    "max_feed_duration_secs": SECONDS,
    "max_memory": 32 * 2**20,
    "max_recursion_depth": 200,
    "max_suspensions": 500,
    "max_total_sleep_secs": 0.5,
}
_SEARCH = "import re\n[bool(re.search(pattern, line, re.IGNORECASE if folded else 0)) for line in lines]"


@dataclass(frozen=True, slots=True)
class Ran:
    """What a program left behind: the value of its last expression, what it printed, how it failed."""

    value: Any
    output: str
    error: str | None


@functools.cache
def interpreter_pool(process: int) -> Any:  # noqa: ARG001 - a forked process must not share its parent's workers
    """The interpreters of this process, started when they are first asked for."""
    from pydantic_monty import Monty

    pool = Monty(min_processes=1, max_processes=2, request_timeout=5.0)
    pool.__enter__()
    atexit.register(pool.__exit__, None, None, None)
    return pool


def warm_up() -> None:
    """Starts the interpreter."""
    run("import re", now=datetime(2024, 1, 1), seed=0)


def run(
    program: str,
    *,
    now: datetime,
    seed: int,
    disk: object = None,
    inputs: Mapping[str, object] | None = None,
    before: Sequence[str] = (),
    scratch: object = None,
    directory: str | None = None,
) -> Ran:
    """Runs a program in a session where other programs ran `before` it (on the `scratch` disk).

    A program over its time or memory is a fault. A disk is a pydantic-monty file system, on which the first
    program starts in a directory.
    """
    from pydantic_monty import CollectStreams, MontyCrashedError, MontyError

    printed = CollectStreams(max_bytes=OUTPUT_BYTES)
    earlier = [(text, scratch, None, CollectStreams(max_bytes=OUTPUT_BYTES)) for text in before]
    value: object = None
    error: str | None = None
    try:
        with interpreter_pool(os.getpid()).checkout(
            limits=_LIMITS, os_policy=_sandbox_policy(now, seed)
        ) as session:
            start = directory
            for text, system, given, heard in (*earlier, (program, disk, inputs, printed)):
                value = session.feed_run(text, inputs=given, print_callback=heard, os=system, cwd=start)
                start = None
    except MontyCrashedError:
        raise _too_long() from None
    except (MontyError, ValueError) as failed:  # a value that Python itself cannot take over is a ValueError
        value, error = None, _error_text(failed)
    return Ran(value, "".join(text for _, text in printed.output), error)


def _sandbox_policy(now: datetime, seed: int) -> dict[str, object]:
    """What the program finds of a machine: the world's clock, no waiting, random numbers of the seed."""
    return {
        "datetime": now,
        "timezone": "utc",
        "sleep": "zero",
        "process_time": "zero",
        "random_start": {"seed": seed % 2**32},
    }


def _too_long() -> ToolFault:
    return ToolFault("timeout", f"the program ran longer than {SECONDS:g} s and was stopped; do less at once")


def _error_text(error: Exception) -> str | None:
    """The error as the interpreter prints it; limits become faults, because their messages hold measured times."""
    text = str(error)
    if text in ("SystemExit", "SystemExit: 0", "SystemExit: None"):
        return None
    if text.startswith("TimeoutError: feed time"):
        raise _too_long()
    if text.startswith("MemoryError"):
        raise ToolFault(
            "limit_exceeded", "the program used more than 32 MB or printed more than 64 kB; do less at once"
        )
    text = text.replace("The monty syntax parser does not yet support", "this Python does not support")
    if "ModuleNotFoundError: " in text:
        text += f"; there are {', '.join(MODULES)}"
    return f"SyntaxError: {text}" if type(error).__name__ == "MontySyntaxError" else text


def match_lines(
    pattern: str, lines: Sequence[str], *, ignore_case: bool = False, parameter: str = "pattern"
) -> list[bool]:
    """Whether each line holds a match of a regular expression; a fault where the expression is wrong."""
    if len(pattern) > 500:
        raise invalid(parameter, pattern[:40], "want a regular expression of at most 500 characters")
    ran = run(
        _SEARCH,
        now=datetime(2024, 1, 1),
        seed=0,
        inputs={"pattern": pattern, "lines": list(lines), "folded": ignore_case},
    )
    if ran.error is not None:
        raise invalid(parameter, pattern[:80], f"not a usable regular expression: {ran.error[:120]}")
    return list(ran.value)
