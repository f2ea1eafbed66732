"""Reputation, scans and vehicle numbers: real checks, consistent tables, effects that stay."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from toolyard.world import World, call


def ask(name: str, arguments: Mapping[str, Any], world: World | None = None) -> Any:
    observation = call(world or World.fresh(), name, arguments)
    assert observation.error is None, observation.text
    return observation.value


@pytest.mark.parametrize("seed", [0, 7])
def test_blacklist_and_address_reports_agree_with_the_location_tools(seed: int) -> None:
    world = World.fresh(seed)
    listed = ask("Anti_Malware/Anti_Malware/blacklist_ip", {"limit": 20}, world)
    assert listed[0]["ipAddress"] == "118.25.6.39"
    for row in listed[:5]:
        report = ask(
            "Anti_Malware/Anti_Malware/check_ip", {"ipAddress": row["ipAddress"], "maxAgeInDays": 90}, world
        )
        assert report["abuseConfidenceScore"] == row["abuseConfidenceScore"]
        assert (
            report["countryCode"] == ask("IP/IP/ip_country", {"ip": row["ipAddress"]}, world)["country_code"]
        )
        block = ask(
            "Anti_Malware/Anti_Malware/check_block_ip",
            {"network": report["network"], "maxAgeInDays": 90},
            world,
        )
        assert row["ipAddress"] in [found["ipAddress"] for found in block["reportedAddress"]]


def test_countries_and_versions_filter_the_blacklist() -> None:
    name = "Anti_Malware/Anti_Malware/blacklist_ip"
    all_rows = ask(name, {"confidenceMininum": 25, "limit": 100})
    country = all_rows[1]["countryCode"]
    only = ask(name, {"confidenceMininum": 25, "limit": 100, "onlyCountries": [country]})
    assert {row["countryCode"] for row in only} == {country}
    without = ask(name, {"confidenceMininum": 25, "limit": 100, "exceptCountries": [country], "ipVersion": 6})
    assert all(":" in row["ipAddress"] and row["countryCode"] != country for row in without)


def test_a_listed_page_is_found_by_address_and_by_host() -> None:
    row = ask("Anti_Malware/Anti_Malware/blacklist_ip_2", {"limit": 3})[1]
    assert ask("Anti_Malware/Anti_Malware/query_url", {"q_url": row["url"]})["threat"] == row["threat"]
    host = ask("Anti_Malware/Anti_Malware/query_host", {"host": row["host"]})
    assert row["id"] in [found["id"] for found in host["urls"]]
    clean = ask("Anti_Malware/Anti_Malware/query_url", {"q_url": "https://www.python.org/about"})
    assert clean["query_status"] == "no_results"


def test_a_scan_is_remembered_and_its_tests_add_up_to_its_score() -> None:
    world = World.fresh()
    scan = ask("Validation/Validation/analyze_scan", {"website": "https://www.mywebsite.com/"}, world)
    tests = ask("Validation/Validation/get_scan_results", {"id": scan["scan_id"]}, world)["tests"]
    lost = -sum(test["score_modifier"] for test in tests.values())
    assert scan["score"] == max(100 - lost, 0) + (5 if not lost else 0)
    history = ask("Validation/Validation/get_host_history", {"host_name": "mywebsite.com"}, world)
    assert history[0]["scan_id"] == scan["scan_id"]
    assert len(history) > 1
    assert list(world.diff()["web_scans"]["added"]) == [str(scan["scan_id"])]


def test_recent_scans_respect_the_bound() -> None:
    low = ask("Validation/Validation/get_recent_scans", {"way": "max", "score": 50})
    high = ask("Validation/Validation/get_recent_scans", {"way": "min", "score": 80})
    assert len(low) == 10
    assert all(row["score"] <= 50 for row in low)
    assert all(row["score"] >= 80 for row in high)
    assert [row["end_time"] for row in low] == sorted((row["end_time"] for row in low), reverse=True)


@pytest.mark.parametrize(
    ("number", "country", "valid", "form"),
    [
        ("+44 7911 123456", "GB", True, "+447911123456"),
        ("07911 123456", "United Kingdom", True, "+447911123456"),
        ("+44 7911 123456", "US", False, None),
        ("(202) 555-0143", "US", True, "+12025550143"),
        ("102-555-0143", "US", False, None),
        ("12345", "DE", False, None),
        ("call me", "DE", False, None),
    ],
)
def test_phone_numbers_are_checked_by_the_plan_of_the_country(
    number: str, country: str, valid: bool, form: str | None
) -> None:
    found = ask("Validation/Validation/check_phone_number", {"number": number, "country_code": country})
    assert (found["valid"], found["international_format"]) == (valid, form)


def test_swear_words_are_found_as_whole_words_only() -> None:
    found = ask(
        "Validation/Validation/profanity_detect",
        {"text": "Damn! The dickens and the Scunthorpe damned shitake."},
    )
    assert found["found"] == ["damn"]
    assert found["cleaned"] == "The dickens and the Scunthorpe damned shitake."


def test_check_digits_of_vehicle_numbers_are_computed() -> None:
    name = "Vehicle/Vehicle/decode_vin"
    right = ask(name, {"vin": "1HGCM82633A004352"})
    assert (right["make"], right["model"], right["model_year"], right["check_digit"]) == (
        "HONDA",
        "Accord",
        2003,
        "valid",
    )
    assert ask(name, {"vin": "1HGCM82643A004352"})["check_digit"] == "invalid, 3 was expected in place 9"
    partial = ask(name, {"vin": "5UXWX7C5*BA"})
    assert (partial["make"], partial["model"], partial["model_year"]) == ("BMW", "X3", 2011)
    assert call(World.fresh(), name, {"vin": "IOQ"}).error == "invalid_value"
    assert call(World.fresh(), name, {"vin": "ZZZ12345"}).error == "not_found"


def test_makes_models_and_types_fit_together() -> None:
    makes = ask("Vehicle/Vehicle/get_makes", {"manufacturer": "Honda"})
    assert [row["make_name"] for row in makes] == ["ACURA", "HONDA", "ISUZU"]
    models = ask("Vehicle/Vehicle/get_models", {"id": makes[1]["make_id"], "year": 2022})
    assert "Fit" not in [row["model_name"] for row in models]
    types = ask("Vehicle/Vehicle/get_vehicle_types", {"name": "honda"})
    assert {row["vehicle_type"] for row in models} == {row["vehicle_type_name"] for row in types}
    for row in ask("Vehicle/Vehicle/get_WMI", {"manufacturer": "Honda"}):
        assert ask("Vehicle/Vehicle/decode_WMI", {"wmi": row["wmi"]})["manufacturer"] == row["name"]


def test_random_pictures_are_among_all_pictures_and_facts_respect_their_length() -> None:
    world = World.fresh()
    everything = ask(
        "Animal/Animal/all_dog_image_by_sub_breed", {"breed": "hound", "subbreed": "basset"}, world
    )["images"]
    arguments = {"breed": "Hound", "subbreed": "basset", "limit": 4}
    some = ask("Animal/Animal/random_dog_image_by_sub_breed", arguments, world)["random_images"]
    assert set(some) <= set(everything)
    assert len(set(some)) == 4
    facts = ask("Animal/Animal/cat_facts", {"max_length": 45, "limit": 3}, world)
    assert len(facts) == 3
    assert all(len(row["fact"]) <= 45 for row in facts)
    assert call(world, "Animal/Animal/dog_sub_breed", {"breed": "dragon"}).error == "not_found"
