"""Racing, contests, the weather and vehicles as a reader would check them."""

from __future__ import annotations

from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.state import World
from toolyard.world.worlds.competition.contests import core
from toolyard.world.worlds.competition.contests.ratings import rating_changes
from toolyard.world.worlds.competition.contests.rounds import find_contest, rounds
from toolyard.world.worlds.competition.sports import racing_words
from toolyard.world.worlds.competition.sports.horses import horses


def said(tool: str, **arguments: Any) -> Any:
    """What a tool answers; fails where it refuses."""
    result = call(World.fresh(0), tool, arguments)
    assert result.error is None, result.text
    return result.value


@pytest.mark.parametrize("seed", [0, 3])
def test_rounds_are_rated_for_those_of_their_division_alone(seed: int) -> None:
    first = find_contest(seed, 455)
    assert all(user.skill >= first.rated_from > 1600 for user in core.entrants(seed, first))
    for contest in rounds(seed):
        if contest.start > 1_600_000_000:
            assert all(
                change.old < contest.rated_below for change in rating_changes(seed).get(contest.id, ())
            )


def test_few_hacks_have_a_wrong_input() -> None:
    found = [hack for contest in rounds(0) for hack in core.hacks(0, contest)]
    assert sum(hack.verdict == "INVALID_INPUT" for hack in found) < len(found) / 8
    assert len({len(core.hacks(0, contest)) for contest in rounds(0)}) > 4


def test_whoever_has_a_rating_is_in_the_list_of_the_rated() -> None:
    listed = said("Competition/Codeforces/user_rated_list", include_retired=True)
    assert listed["total"] == len(core.users(0)) - 1  # the founder has none


def test_parents_of_horses_have_names_of_their_sex() -> None:
    for horse in horses(0):
        assert racing_words._OF_MARES.isdisjoint(horse.sire.split())
        assert racing_words._OF_STALLIONS.isdisjoint(horse.dam.split())


def test_seasons_of_a_circuit_have_the_coming_race_unless_a_result_is_asked_for() -> None:
    seasons = said("Competition/Ergast_F1/season_list", circuit_id="imola")
    assert seasons[-1] == {"season": 2024, "races": 24, "champion": None}
    won = said("Competition/Ergast_F1/season_list", circuit_id="imola", results_position=1)
    assert [row["season"] for row in won] == [2020, 2021, 2022]


@pytest.mark.parametrize(
    ("place", "coast"),
    [("Munich", "Venice"), ("Vienna", "Trieste"), ("Kyoto", "Osaka"), ("Zurich", "Genoa"), ("Leeds", "Kingston upon Hull")],
)  # fmt: skip
def test_the_sea_of_a_place_inland_is_that_of_the_nearest_port(place: str, coast: str) -> None:
    assert said("Weather/weatherapi/marine", q=place)["nearest_city"] == coast


@pytest.mark.parametrize("place", ["Mumbai", "Lagos", "Bangkok", "Manila", "Honolulu"])
def test_the_air_of_tropical_coasts_is_humid(place: str) -> None:
    assert said("Weather/weatherapi/current_weather", q=place)["current"]["humidity_percent"] >= 50


def test_a_short_name_means_the_great_city() -> None:
    assert said("Weather/weatherapi/search", q="Rio")[0]["name"] == "Rio de Janeiro"
    assert said("Weather/weatherapi/time_zone", q="Rio, Greece")["time_zone"] == "Europe/Athens"
    assert [row["name"] for row in said("Weather/weatherapi/search", q="Val")[:2]] == ["Valencia", "Vál"]


def test_european_numbers_of_vehicles_have_no_check_digit() -> None:
    assert said("Vehicle/Vehicle/decode_vin", vin="WAUZZZ8V5KA012345")["check_digit"].startswith("none")


def test_codes_of_drivers_are_those_of_the_timing() -> None:
    codes = {
        name: said("Competition/API_F1/drivers", name=name)["items"][0]["abbreviation"]
        for name in ("Mick Schumacher", "Brendon Hartley", "Jean-Éric Vergne")
    }
    assert list(codes.values()) == ["MSC", "HAR", "VER"]


def test_what_is_played_in_a_country_comes_first() -> None:
    found = said("Weather/weatherapi/sports", q="Kolkata")["football"]
    assert (found[0]["match"], found[0]["stadium_city"]) == ("India v Kuwait, World Cup qualifier", "Kolkata")


def test_a_make_belongs_to_its_owner_and_not_to_who_builds_some_of_it() -> None:
    assert (
        said("Vehicle/Vehicle/get_manufacturer_details", manufacturer="Acura")["name"]
        == "HONDA MOTOR CO., LTD"
    )
    assert (
        said("Vehicle/Vehicle/get_manufacturer_details", manufacturer="Freightliner")["country"]
        == "United States"
    )
    assert (
        "Truck"
        in said("Vehicle/Vehicle/get_manufacturer_details", manufacturer="Volkswagen")["vehicle_types"]
    )
    makes = said("Vehicle/Vehicle/get_makes", vehicle_type="truck", year=1995)
    built = {row["make_name"]: row["manufacturer_name"] for row in makes}
    assert built["MITSUBISHI"] == "MITSUBISHI MOTORS CORPORATION (MMC)"
