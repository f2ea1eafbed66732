"""Ctrl-C and SIGTERM: the first ends the work cleanly, the second ends the process at once."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")
SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Stopped(BaseException):
    """A signal that ended the work; what was done is kept. No library on the way takes it for its own."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


def stop_on_terminate() -> None:
    """Makes SIGTERM end a command as Ctrl-C does, wherever it is."""

    def stop(number: int, frame: object) -> None:  # noqa: ARG001 - the signature of a handler
        raise Stopped(number)

    signal.signal(signal.SIGTERM, stop)


def finish(work: Coroutine[Any, Any, Result]) -> Result:
    """The result of the work; a signal cancels it, so that files are closed and what was spent is written down."""
    received: list[int] = []
    before = signal.getsignal(signal.SIGTERM)

    async def guarded() -> Result:
        task, loop = asyncio.current_task(), asyncio.get_running_loop()

        def stop(number: int) -> None:
            if received:
                sys.stderr.write("toolyard: stopped at once\n")
                sys.stderr.flush()
                os._exit(128 + number)
            received.append(number)
            if task is not None:
                task.cancel()

        for number in SIGNALS:
            loop.add_signal_handler(number, stop, number)
        return await work

    try:
        return asyncio.run(guarded())
    except (asyncio.CancelledError, KeyboardInterrupt):
        raise Stopped(received[0] if received else signal.SIGINT) from None
    finally:
        signal.signal(signal.SIGTERM, before)
