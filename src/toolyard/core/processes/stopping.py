"""Ctrl-C, SIGTERM and a closed terminal: the first ends the work cleanly, the second ends the process at once."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Coroutine
from typing import TYPE_CHECKING, TypeAlias, TypeVar

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

Result = TypeVar("Result")
# What an async function returns before it is awaited.
Work: TypeAlias = Coroutine[object, object, Result]
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# Seconds after which a signal is sent again: one that is known to be lost, and one that nobody has answered, because a
# library swallowed its exception (modules in C do so while they are imported) or a loop is grading and ends nothing.
MOMENT, PATIENCE = 0.01, 2.0


class Stopped(BaseException):
    """A signal that ended the work; what was done is kept. No library on the way takes it for its own.

    Ctrl-C is one too: typer would answer a KeyboardInterrupt with exit code 130 and no word.
    """

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


def signal_behind(error: BaseException | None) -> Stopped | None:
    """The signal that an error comes from; Python 3.11 wraps what is raised while a class is made, as on import."""
    while error is not None and not isinstance(error, Stopped):
        error = error.__cause__ if isinstance(error, RuntimeError) else None
    return error


def stop_on_signals() -> None:
    """Makes a signal end a command wherever it is, and a second one the process at once."""
    for number in _handled_signals():
        signal.signal(number, _raise_stopped)
    sys.unraisablehook = _stop_again


def _handled_signals() -> list[signal.Signals]:
    """The signals that end a command; `nohup` has one of them ignored, and it stays so."""
    return [number for number in SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]


def _raise_stopped(number: int, frame: object) -> None:  # noqa: ARG001 - the signature of a handler
    end_at_once()
    _send_again(number, PATIENCE)
    raise Stopped(number)


def _stop_again(ignored: UnraisableHookArgs) -> None:
    """Sends a signal once more whose exception came where none can be raised, e.g. in a call from C; it was lost there."""
    if issubclass(ignored.exc_type, Stopped):
        # Not from here, where nothing can be raised either.
        _send_again(getattr(ignored.exc_value, "number", signal.SIGINT), MOMENT)
    else:
        sys.__unraisablehook__(ignored)


def _send_again(number: int, seconds: float) -> None:
    """Arranges that the signal comes once more, unless `stop_arrived` is called before."""

    def send(*_: object) -> None:
        for each in _handled_signals():
            if signal.getsignal(each) is signal.SIG_DFL:
                signal.signal(each, _raise_stopped)
        os.kill(os.getpid(), number)

    signal.signal(signal.SIGALRM, send)
    signal.setitimer(signal.ITIMER_REAL, seconds)


def stop_arrived() -> None:
    """Whoever caught `Stopped` says so; otherwise the signal is sent again."""
    signal.setitimer(signal.ITIMER_REAL, 0)


def end_at_once() -> None:
    """Lets the next signal end the process without a word, as the system does it."""
    for number in _handled_signals():
        signal.signal(number, signal.SIG_DFL)


class Received:
    """The signal that came while work was under way; a second one ends the process at once."""

    def __init__(self) -> None:
        self.number = 0

    def take(self, number: int, frame: object = None) -> None:  # noqa: ARG002 - the signature of a handler
        """Notes the signal."""
        if self.number:
            sys.stderr.write("toolyard: stopped at once\n")
            sys.stderr.flush()
            os._exit(128 + number)
        self.number = number


def run_async(work: Work[Result]) -> Result:
    """The result of the work; within a command as `finish_or_cancel` has it, elsewhere signals are the caller's."""
    here = threading.current_thread() is threading.main_thread()
    if here and _raise_stopped in map(signal.getsignal, SIGNALS):
        return finish_or_cancel(work)
    found: list[Result] = []

    async def keep() -> None:
        found.append(await work)

    # Not returned through the task: asyncio writes that out when it gives the signal back, result and all.
    asyncio.run(keep())
    return found[0]


def finish_or_cancel(work: Work[Result]) -> Result:
    """The result of the work; a signal cancels it, so that files are closed and what was spent is written down."""
    received = Received()
    before = {number: signal.getsignal(number) for number in _handled_signals()}
    # While the loop is made nothing may be raised: it would be left half made.
    for number in before:
        signal.signal(number, received.take)
    try:
        result = asyncio.run(_result_unless_signalled(received, work))
        if received.number:
            raise Stopped(received.number)
        return result
    except (asyncio.CancelledError, KeyboardInterrupt):
        raise Stopped(received.number or signal.SIGINT) from None
    finally:
        # A signal that came before its first step leaves it unbegun, of which the interpreter would complain.
        work.close()
        if received.number:
            end_at_once()
        else:
            for number, handler in before.items():
                signal.signal(number, handler)


async def _result_unless_signalled(received: Received, work: Work[Result]) -> Result:
    """The result of the work, unless a signal comes or has come."""
    task, loop = asyncio.current_task(), asyncio.get_running_loop()
    assert task is not None, "a coroutine runs in a task"

    def stop(number: int, frame: object = None) -> None:
        received.take(number, frame)
        loop.call_soon_threadsafe(cancel)
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        signal.setitimer(signal.ITIMER_REAL, PATIENCE)

    def cancel() -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        task.cancel()

    heeded = _handled_signals()
    for number in heeded:
        signal.signal(number, stop)
    if received.number:
        task.cancel()
    try:
        return await work
    except KeyboardInterrupt:
        # Of the alarm, by way of a task that kept the loop busy; nobody would take it out of this task.
        raise asyncio.CancelledError from None
    finally:
        # A loop that is being closed takes no more calls.
        for number in heeded:
            signal.signal(number, received.take)
        signal.setitimer(signal.ITIMER_REAL, 0)
