"""Errors help to repair, and compatibility mode takes what the official documents allow."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

import toolyard.world
from toolyard.world import World, call
from toolyard.world.kernel.arguments import coerced
from toolyard.world.kernel.faults import not_found


def test_all_mistakes_of_a_call_are_named_at_once() -> None:
    observation = call(World.fresh(), "Weather/weatherapi/forecast", {"q": "Paris", "days": "x", "city": "P"})
    error = observation.value["error"]
    assert observation.error == "wrong_type"
    assert error["message"].startswith(
        "3 mistakes: days: wanted an integer, got 'x' (e.g. 7); unknown parameter 'city'"
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


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("Competition/API_F1/races", {"id": 987654321}),
        ("Competition/Ergast_F1/season_list", {"season": 1949}),
        ("Finance/Commodities/get_commodity_price", {"commodity": "Unobtainium"}),
    ],
)
def test_no_other_tool_is_named_for_what_a_tool_lists_itself(name: str, arguments: dict[str, object]) -> None:
    message = call(World.fresh(), name, arguments).value["error"]["message"]
    assert "in all)" in message
    assert "lists them" not in message


def test_a_tool_that_is_not_offered_is_not_named_in_a_hint() -> None:
    name = "Mail/Mail/recieve_id"
    alone = call(World.fresh(), name, {"id": "m99"}, offered=[name])
    assert "lists them" not in alone.value["error"]["message"]
    both = call(World.fresh(), name, {"id": "m99"}, offered=[name, "Mail/Mail/recieve_list"])
    assert both.value["error"]["message"].endswith("; recieve_list lists them")


def test_numbers_have_no_near_ones_but_a_count() -> None:
    fault = not_found("slip", 99, known=range(1, 81))
    assert fault.message == "no slip 99; known ones are 1 to 80 (80 in all)"
    assert not_found("scan", 99, known=[3, 5, 8]).message == "no scan 99; known ones are 3, 5, 8 (3 in all)"
    assert (
        not_found("team", "Arsenl", known=["Chelsea", "Arsenal"]).message
        == "no team 'Arsenl'; did you mean Arsenal? (2 in all)"
    )
    assert (
        not_found("airport", "QQQ", known=["LHR"], count=7_884).message
        == "no airport 'QQQ'; known ones are LHR (7,884 in all)"
    )
    assert (
        not_found("page", "x", such_as=("a.org", "b.org")).message
        == "no page 'x'; want one such as a.org or b.org"
    )


def test_no_tool_passes_some_keys_for_all_of_them() -> None:
    """A list of keys that is written down in a call is a sample: the call says how many there are in all."""
    samples = [
        f"{path.name}:{node.lineno}"
        for path in sorted(Path(toolyard.world.__file__).parent.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "not_found" and _only_some(node)
    ]
    assert samples == []


def _only_some(call_: ast.Call) -> bool:
    given = {word.arg: word.value for word in call_.keywords}
    known = given.get("known")
    written = (
        isinstance(known, ast.List | ast.Tuple)
        and sum(not isinstance(one, ast.Starred) for one in known.elts) > 1
    )
    return (written or _slice(known)) and "count" not in given


def _slice(node: ast.AST | None) -> bool:
    inner = node.generators[0].iter if isinstance(node, ast.ListComp) else node
    return isinstance(inner, ast.Subscript) and isinstance(inner.slice, ast.Slice)


@pytest.mark.parametrize(
    ("name", "arguments", "ending"),
    [
        ("News/space_news/get_news_reports_by_id", {"id": 99999}, "(34 in all); get_news_reports lists them"),
        ("Travel/Hotels/resolve_url", {"id": "ho1"}, "want one such as ho885844 or ho885845 or ho885846"),
        ("Competition/Codeforces/contest_hacks", {"contest_id": 3}, "in all); contest_list lists them"),
        ("Finance/Yelp/yelp_event_details", {"event_id": "x-1"}, "; yelp_event_search lists them"),
    ],
)
def test_a_refusal_says_how_many_there_are_and_who_lists_them(name: str, arguments: Any, ending: str) -> None:
    error = call(World.fresh(), name, arguments).value["error"]
    assert error["message"].endswith(ending)
    assert error["parameter"] == next(iter(arguments))


def test_two_unknown_cities_are_two_mistakes() -> None:
    name = "Travel/BMTool_Travel/flightProducts"
    arguments = {"origin": "QQQ", "destination": "ZZZ", "departureDate": "2024-06-01"}
    message = call(World.fresh(), name, arguments).value["error"]["message"]
    assert message.count("'QQQ'") == message.count("'ZZZ'") == 1


STRINGS: Any = {"type": "array", "items": {"type": "string"}}


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
def test_compatibility_mode_reads_text_as_it_is_meant(text: str, schema: Any, meant: Any) -> None:
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


def test_a_name_that_is_like_none_is_not_given_a_far_one() -> None:
    message = call(World.fresh(), "nope", {}).text
    assert "did you mean" not in message
    assert "no name is like it (568 in all); see: toolyard tools search WORDS" in message
