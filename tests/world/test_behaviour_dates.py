"""Dates and times in any usual form: alone as arguments, and inside sentences."""

from __future__ import annotations

from datetime import date, time

import pytest

from toolyard.world import World, call
from toolyard.world.kernel.faults import ToolFault
from toolyard.world.reference.days import find_clock, find_day, moment, parse_date, read_date

TODAY = date(2024, 5, 15)
ADD = "Stock/Stock/add_date"


@pytest.mark.parametrize(
    "text",
    [
        "2024-05-15", "2024/05/15", "20240515", "15 May 2024", "15th of May, 2024", "May 15, 2024", "May 15th 2024",
        "Wednesday, May 15, 2024", "5/15/2024", "15/5/2024", "15.5.2024", "15-May-2024", "2024-05-15T10:30:00Z",
        "2024-05-15 10:30", "May 15, 2024 at 3 pm",
    ],
)  # fmt: skip
def test_a_date_is_read_in_any_usual_form(text: str) -> None:
    assert read_date(text) == TODAY


@pytest.mark.parametrize(
    "text", ["", "hello", "May 2024", "2024", "2024-05-15garbage", "room 5/15", "15 May"]
)
def test_other_text_is_no_date(text: str) -> None:
    assert read_date(text) is None
    with pytest.raises(ToolFault, match="want a calendar date as YYYY-MM-DD"):
        parse_date(text)


@pytest.mark.parametrize("text", ["2024-02-31", "31 February 2024", "2/30/2024", "2023-02-29", "2024-13-01"])
def test_a_day_that_the_calendar_does_not_have_is_refused(text: str) -> None:
    with pytest.raises(ToolFault, match="the calendar has no such day"):
        parse_date(text)
    observation = call(World.fresh(), ADD, {"date": text, "days": 1})
    assert observation.error == "invalid_value"


@pytest.mark.parametrize(
    ("given", "next_day"),
    [
        ("15 May 2024", "2024-05-16"),
        ("5/15/2024", "2024-05-16"),
        ("2024-05-15T23:00:00Z", "2024-05-16"),
        ("tomorrow", "2024-05-17"),
        ("next Friday", "2024-05-18"),
    ],
)
def test_a_tool_that_takes_a_date_takes_it_in_any_form(given: str, next_day: str) -> None:
    assert call(World.fresh(), ADD, {"date": given, "days": 1}).value["date"] == next_day


def test_the_declared_form_stays_in_the_document() -> None:
    from toolyard.world import library

    (schema,) = [each.schema for each in library()[ADD].document.parameters if each.name == "date"]
    assert schema["pattern"].startswith("^(?:\\d{4}-")


@pytest.mark.parametrize(
    ("sentence", "day", "clock"),
    [
        ("lunch tomorrow at 3 pm", date(2024, 5, 16), time(15)),
        ("next Friday at 3:30 p.m.", date(2024, 5, 17), time(15, 30)),
        ("on Wednesday", date(2024, 5, 22), None),
        ("Friday next week 15:00", date(2024, 5, 24), time(15)),
        ("in two weeks at noon", date(2024, 5, 29), time(12)),
        ("the day after tomorrow at 12 am", date(2024, 5, 17), time(0)),
        ("on May 3", date(2025, 5, 3), None),
        ("on 29 February at 10:30", date(2028, 2, 29), time(10, 30)),
        ("Add 'Dentist' on 2024-05-20 at 10:30", date(2024, 5, 20), time(10, 30)),
        ("Call 555-1234 about 3 items", None, None),
    ],
)
def test_days_and_times_are_found_in_sentences(sentence: str, day: date | None, clock: time | None) -> None:
    found_day, found_clock = find_day(sentence, TODAY), find_clock(sentence)
    assert (found_day.day if found_day else None) == day
    assert (found_clock.clock if found_clock else None) == clock


@pytest.mark.parametrize("sentence", ["at 25:00", "at 13 pm", "call at 3"])
def test_a_time_that_is_none_or_may_be_two_is_refused(sentence: str) -> None:
    with pytest.raises(ValueError, match=r"hour|no time|may be"):
        find_clock(sentence)


def test_moments_take_dates_in_words_and_the_end_of_a_day() -> None:
    assert moment("15 May 2024 3 pm", "from") == "2024-05-15T15:00:00Z"
    assert moment("May 15, 2024", "to", end=True) == "2024-05-15T23:59:59Z"
    assert moment("2024-05-15T10:00:00+02:00", "from") == "2024-05-15T08:00:00Z"
