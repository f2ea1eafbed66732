"""Rows whose words were written by hand all stand: their calls run, their values are said, their replies quote results."""

from __future__ import annotations

import pytest

from toolyard.benchmarks.mtu.synth import written_dialogues
from toolyard.benchmarks.toolbehonest.synth import written_pairs
from toolyard.synth.stages import Context, Kept, Rejected


@pytest.mark.parametrize("module", [written_dialogues, written_pairs], ids=["mtu", "toolbehonest"])
def test_every_row_that_was_written_stands(module) -> None:  # type: ignore[no-untyped-def]
    fallen = {
        row["id"]: outcome
        for row in module.rows_by_hand(Context())
        if not isinstance(outcome := module.carry_out(row, Context()), Kept)
    }
    assert not fallen


def test_a_value_that_nobody_says_is_found() -> None:
    row = next(written_pairs.rows_by_hand(Context()))
    written = {**row["written"], "task": "How high is the swell going to be on Saturday?"}
    outcome = written_pairs.carry_out({"id": row["id"], "written": written}, Context())
    assert isinstance(outcome, Rejected)
    assert outcome.reason == "value_not_said"


def test_a_reply_cannot_quote_what_was_not_shown() -> None:
    row = next(row for row in written_dialogues.rows_by_hand(Context()) if row["id"].startswith("M-S"))
    turns = [
        {**turn, "reply": "{0.colour_of_the_sky}"} if "calls" in turn else turn
        for turn in row["written"]["turns"]
    ]
    outcome = written_dialogues.carry_out(
        {"id": row["id"], "written": {**row["written"], "turns": turns}}, Context()
    )
    assert isinstance(outcome, Rejected)
    assert "colour_of_the_sky" in outcome.detail
