"""A bound on work that does not depend on the clock: library code may make so many calls and no more."""

import inspect
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from toolyard.world.kernel.faults import ToolFault


class OutOfSteps(BaseException):
    """The bound was reached; not an Exception, so that no library swallows it."""


@contextmanager
def limit_calls(calls: int, what: str) -> Iterator[None]:
    """Raises a limit_exceeded fault when the body makes more than `calls` function calls in this thread."""
    left = calls

    def count(frame: FrameType, event: str, argument: object) -> None:  # noqa: ARG001 - the signature of a profiler
        nonlocal left
        left -= 1
        # What is raised while a generator is thrown away is lost, and the profiler with it: wait for the next frame.
        if left < 0 and not frame.f_code.co_flags & inspect.CO_GENERATOR:
            raise OutOfSteps

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        yield
    except OutOfSteps:
        raise ToolFault("limit_exceeded", f"{what} takes too many steps; try something smaller") from None
    finally:
        sys.setprofile(before)
    if left < 0:
        raise ToolFault("limit_exceeded", f"{what} takes too many steps; try something smaller")
