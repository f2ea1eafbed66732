"""Python that cannot touch the host: programs run in pydantic-monty workers, one pool per process.

The same pool answers regular expressions, because its engine runs in linear time.
"""

from __future__ import annotations

import atexit
import functools
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from toolyard.world.faults import ToolFault, invalid
from toolyard.world.shared.sandbox_dialect import Dialect
from toolyard.world.shared.sandbox_lacks import lacking
from toolyard.world.shared.sandbox_last import own_errors, own_names, told_last
from toolyard.world.shared.sandbox_modules import BUILT_IN, WRITTEN, with_written_modules

SECONDS = 1.0
OUTPUT_BYTES = 65_536
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
    kind: str = "NoneType"
    told: str | None = None  # the value as the program's Python writes it, where it was asked to


@functools.cache
def _pool(process: int) -> Any:  # noqa: ARG001 - a forked process must not share its parent's workers
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
    disk: Any = None,
    inputs: Mapping[str, Any] | None = None,
    before: Sequence[str] = (),
    scratch: Any = None,
    directory: str | None = None,
    telling: bool = False,
) -> Ran:
    """Runs a program in a session where other programs ran `before` it (on the `scratch` disk), `telling` its value.

    A program over its time or memory is a fault. A disk is a pydantic-monty file system, on which the first
    program starts in a directory.
    """
    from pydantic_monty import CollectStreams, MontyCrashedError, MontyError

    policy = _policy(now, seed)
    printed = CollectStreams(max_bytes=OUTPUT_BYTES)
    value: Any = None
    dialect = Dialect()
    try:
        with _pool(os.getpid()).checkout(limits=_LIMITS, os_policy=policy) as session:
            start = directory
            for earlier in before:
                unheard = CollectStreams(max_bytes=OUTPUT_BYTES)
                session.feed_run(
                    _with_modules(session, dialect.rewritten(earlier)),
                    print_callback=unheard,
                    os=scratch,
                    cwd=start,
                )
                start = None
            text = _with_modules(session, dialect.rewritten(program))
            text, telling = told_last(text) if telling else (text, False)
            value = session.feed_run(text, inputs=inputs, print_callback=printed, os=disk, cwd=start)
    except MontyCrashedError:
        raise _too_long() from None
    except MontyError as error:
        return Ran(
            None, own_errors(dialect.stand_ins, _text(printed)), _ended(dialect.own_error(_reason(error)))
        )
    return _ended_well(value, own_errors(dialect.stand_ins, _text(printed)), dialect, telling)


def _ended_well(value: Any, output: str, dialect: Dialect, telling: bool) -> Ran:
    """What a program left; where its value was told, that is type, text and the value itself."""
    if not telling:
        return Ran(value, output, None, type(value).__name__)
    kind, told, value = value
    return Ran(value, output, None, *own_names(dialect.stand_ins, kind, told))


def _policy(now: datetime, seed: int) -> dict[str, object]:
    """What the program finds of a machine: the world's clock, no waiting, random numbers of the seed."""
    return {
        "datetime": now,
        "timezone": "utc",
        "sleep": "zero",
        "process_time": "zero",
        "random_start": {"seed": seed % 2**32},
    }


def _with_modules(session: Any, program: str) -> str:
    """A program for the sandbox, after the modules that it imports and the sandbox lacks."""
    sources, text = with_written_modules(program)
    for source in sources:
        session.feed_run(source)
    return text


def _text(printed: Any) -> str:
    return "".join(text for _, text in printed.output)


def _too_long() -> ToolFault:
    return ToolFault("timeout", f"the program ran longer than {SECONDS:g} s and was stopped; do less at once")


def _ended(reason: str) -> str | None:
    """An error; none where the program ended itself without one."""
    return None if reason in ("SystemExit", "SystemExit: 0", "SystemExit: None") else reason


_UNSUPPORTED = "The monty syntax parser does not yet support "
# What is missing in plain words, where part of what the parser names has been added since.
_LACKS = {
    "class inheritance and metaclasses": "metaclasses, subclasses of built-in types other than exceptions and enums, "
    "and classes whose two bases share a base",
    "yield expressions": "yield inside try, with or lambda",
}


def _reason(error: Exception) -> str:
    """The error as Python would print it; limits become faults, because their messages hold measured times."""
    text = str(error)
    kind = type(error).__name__
    if text.startswith("TimeoutError: feed time"):
        raise _too_long()
    if text.startswith("MemoryError"):
        raise ToolFault(
            "limit_exceeded", "the program used more than 32 MB or printed more than 64 kB; do less at once"
        )
    if _UNSUPPORTED in text:
        missing = text.partition(_UNSUPPORTED)[2]
        text = f"NotImplementedError: this small Python lacks {_LACKS.get(missing, missing)}"
    text = lacking(text)
    if "ModuleNotFoundError: " in text:
        text += f"; there are {', '.join(sorted((*BUILT_IN, *WRITTEN)))}"
    return f"SyntaxError: {text}" if kind == "MontySyntaxError" else text


def matching(
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
