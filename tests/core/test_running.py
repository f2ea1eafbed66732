"""Asynchronous work run from ordinary code."""

from __future__ import annotations

from toolyard.core.stopping import run_async


def test_a_result_is_handed_back_without_being_written_out() -> None:
    written = []

    class Result:
        def __repr__(self) -> str:
            written.append(self)
            return "a result whose text takes long"

    result = Result()

    async def work() -> Result:
        return result

    assert run_async(work()) is result
    assert not written
