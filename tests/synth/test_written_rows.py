"""Rows whose words were written by hand all stand: their calls run, their values are said, their replies quote results."""

import pytest

from rebuilt_sets import needs_todays_world
from toolyard.benchmarks.mtu.synth import written_dialogues
from toolyard.benchmarks.toolbehonest.synth import written_pairs
from toolyard.synth.stages import Context, Kept, Rejected


@pytest.mark.parametrize(
    ("module", "rows_from"),
    [
        pytest.param(written_dialogues, written_dialogues.WRITTEN, marks=needs_todays_world("mtu"), id="mtu"),
        pytest.param(written_pairs, Context(), marks=needs_todays_world("toolbehonest"), id="toolbehonest"),
    ],
)
def test_every_row_that_was_written_stands(module, rows_from) -> None:  # type: ignore[no-untyped-def]
    fallen = {
        row["id"]: outcome
        for row in module.rows_by_hand(rows_from)
        if row["written"] is not None and not isinstance(outcome := module.carry_out(row, Context()), Kept)
    }
    assert not fallen


def test_a_value_that_nobody_says_is_found() -> None:
    row = next(written_pairs.rows_by_hand(Context()))
    written = {**row["written"], "task": "How high is the swell going to be on Saturday?"}
    outcome = written_pairs.carry_out({"id": row["id"], "written": written}, Context())
    assert isinstance(outcome, Rejected)
    assert outcome.reason == "value_not_said"


def test_a_reply_cannot_quote_what_was_not_shown() -> None:
    row = next(
        row
        for row in written_dialogues.rows_by_hand(written_dialogues.WRITTEN)
        if row["id"].startswith("M-S")
    )
    turns = [
        {**turn, "reply": "{0.colour_of_the_sky}"} if "calls" in turn else turn
        for turn in row["written"]["turns"]
    ]
    outcome = written_dialogues.carry_out(
        {"id": row["id"], "written": {**row["written"], "turns": turns}}, Context()
    )
    assert isinstance(outcome, Rejected)
    assert "colour_of_the_sky" in outcome.detail


def _dialogue(turn: dict[str, object]) -> dict[str, object]:
    turns = [turn, {"user": "Thanks!", "why": "chat", "reply": "Any time."}]
    written = {"setting": "M-S", "spare": ["Mail/Mail/send"], "inferred": ["GBP", "JPY"], "turns": turns}
    return {"id": "M-S/0", "written": written}


_CONVERTER = "Finance/Currency_Converter/currency_converter"
_EXCHANGE = {
    "user": "What are 450 pounds in yen?",
    "calls": [{_CONVERTER: {"from_currency": "GBP", "to_currency": "JPY", "amount": 450}}],
}


def test_a_reply_quotes_any_place_of_the_result_in_a_format() -> None:
    outcome = written_dialogues.carry_out(
        _dialogue({**_EXCHANGE, "reply": "{0/result:,.0f} yen."}), Context()
    )
    assert isinstance(outcome, Kept)
    first = outcome.fields["turns"][0]
    assert first["assistant"] == f"{first['executed'][0]['result']['rate'] * 450:,.0f} yen."


def test_a_reply_cannot_quote_a_place_that_the_result_has_not() -> None:
    outcome = written_dialogues.carry_out(_dialogue({**_EXCHANGE, "reply": "{0/items[0].name}"}), Context())
    assert isinstance(outcome, Rejected)
    assert "items[0].name" in outcome.detail


@pytest.mark.parametrize(("value", "stands"), [("USD", True), ("nothing", False)])
def test_alternatives_are_carried_by_the_row_and_have_to_run(value: str, stands: bool) -> None:
    others = [{"call": 0, "parameter": "to_currency", "values": [value]}]
    outcome = written_dialogues.carry_out(
        _dialogue({**_EXCHANGE, "reply": "Done.", "alternatives": others}), Context()
    )
    if stands:
        assert isinstance(outcome, Kept)
        assert outcome.fields["turns"][0]["alternatives"] == others
    else:
        assert isinstance(outcome, Rejected)
        assert "to_currency" in outcome.detail
