"""Errors help to repair, and compatibility mode takes what the official documents allow."""

from __future__ import annotations

import pytest

from toolyard.core.types import Json
from toolyard.world import World, call
from toolyard.world.arguments import coerced
from toolyard.world.faults import not_found


def test_all_mistakes_of_a_call_are_named_at_once() -> None:
    observation = call(World.fresh(), "Weather/weatherapi/forecast", {"q": "Paris", "days": "x", "city": "P"})
    error = observation.value["error"]
    assert observation.error == "wrong_type"
    assert error["message"].startswith(
        "3 mistakes: days: wanted an integer, got 'x'; unknown parameter 'city'"
    )
    assert "aqi is required" in error["message"]
    assert error["parameters"] == ["days", "city", "aqi"]


def test_one_mistake_is_said_as_it_is() -> None:
    observation = call(World.fresh(), "Weather/weatherapi/forecast", {"q": "Paris", "days": 1})
    assert observation.value["error"]["message"].startswith("aqi is required")
    assert "parameters" not in observation.value["error"]


def test_what_is_not_found_comes_with_near_names_and_the_tool_that_lists_them() -> None:
    name = "Zapier/Zapier/run_zapier_NLA_action"
    observation = call(World.fresh(), name, {"action_id": "gmail_send_mail", "instructions": "x"})
    message = observation.value["error"]["message"]
    assert "did you mean gmail_send_email" in message
    assert message.endswith("list_zapier_NLA_actions lists them")


def test_a_tool_that_is_not_offered_is_not_named_in_a_hint() -> None:
    name = "Mail/Mail/recieve_id"
    alone = call(World.fresh(), name, {"id": "m99"}, offered=[name])
    assert "lists them" not in alone.value["error"]["message"]
    both = call(World.fresh(), name, {"id": "m99"}, offered=[name, "Mail/Mail/recieve_list"])
    assert both.value["error"]["message"].endswith("; recieve_list lists them")


def test_numbers_have_no_near_ones_but_a_count() -> None:
    fault = not_found("slip", 99, known=range(1, 81))
    assert fault.message == "no slip 99; known ones are 1, 2, 3, 4, 5 (80 in all)"
    assert (
        not_found("team", "Arsenl", known=["Chelsea", "Arsenal"]).message
        == "no team 'Arsenl'; did you mean Arsenal?"
    )


STRINGS: Json = {"type": "array", "items": {"type": "string"}}


@pytest.mark.parametrize(
    ("text", "schema", "meant"),
    [
        ("['a', 'b']", STRINGS, ["a", "b"]),
        ("('a', 'b')", STRINGS, ["a", "b"]),
        ('["a", "b"]', STRINGS, ["a", "b"]),
        ("a, b", STRINGS, ["a", "b"]),
        ("{'a': True, 'b': None}", {"type": "object"}, {"a": True, "b": None}),
        ("1e3", {"type": "integer"}, 1000),
        ("1e-3", {"type": "number"}, 0.001),
        ("2.5", {"type": "number"}, 2.5),
        ("[__import__('os')]", {"type": "object"}, "[__import__('os')]"),
    ],
)
def test_compatibility_mode_reads_text_as_it_is_meant(text: str, schema: Json, meant: Json) -> None:
    assert coerced(text, schema) == meant


def test_books_are_filtered_by_language_however_it_is_named() -> None:
    name = "Database/non_local/gutendex"
    totals = [
        call(World.fresh(), name, {"languages": [text]}).value["total"] for text in ("fr", "FR", "French")
    ]
    assert totals[0] >= 1
    assert totals == [totals[0]] * 3
    assert call(World.fresh(), name, {"languages": ["xq"]}).error == "invalid_value"


@pytest.mark.parametrize(
    ("ip", "country"), [("134.76.1.1", "DE"), ("200.160.2.3", "BR"), ("2001:638::1", "DE")]
)
def test_an_address_is_in_the_country_that_its_registry_says(ip: str, country: str) -> None:
    assert call(World.fresh(), "IP/IP/ip_country", {"ip": ip}).value["country_code"] == country
    assert call(World.fresh(7), "IP/IP/ip_details", {"ip": ip}).value["country_code"] == country


def test_ukraine_has_holidays_though_people_work_on_them() -> None:
    name = "Calendar/Calendar/public_holidays"
    found = call(World.fresh(), name, {"countryCode": "UA", "year": 2024}).value
    assert ("2024-08-24", "Independence Day") in {(day["date"], day["name"]) for day in found}
    assert (
        call(World.fresh(), "Calendar/Calendar/long_weekend", {"countryCode": "UA", "year": 2024}).value == []
    )
