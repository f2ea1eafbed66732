"""Asynchronous work run from ordinary code."""

from __future__ import annotations

from toolyard.core.stopping import run_async


class Unprintable:
    """A result whose text costs much."""

    def __repr__(self) -> str:
        raise AssertionError("the result was written out")


def test_a_result_is_handed_back_without_being_written_out() -> None:
    result = Unprintable()

    async def work() -> Unprintable:
        return result

    assert run_async(work()) is result
