"""Weather, races on wheels and on hooves, contests and vehicles: what holds in all their answers."""

from __future__ import annotations

import itertools
import json
from datetime import datetime, timedelta
from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.shared.places import locate
from toolyard.world.state import World
from toolyard.world.worlds.competition.sports import horses
from toolyard.world.worlds.weather import climate

WEATHER, F1, ERGAST = "Weather/weatherapi", "Competition/API_F1", "Competition/Ergast_F1"
CODEFORCES, HORSES, VEHICLE = "Competition/Codeforces", "Competition/Horse_Racing", "Vehicle/Vehicle"


def ask(tool: str, **arguments: Any) -> Any:
    result = call(World.fresh(0), tool, arguments)
    assert result.error is None, result.text
    return json.loads(result.text)


def refusal(tool: str, **arguments: Any) -> str:
    result = call(World.fresh(0), tool, arguments)
    assert result.error is not None
    return result.text


def test_mist_lies_in_still_air() -> None:
    for name in ("Singapore", "Moscow", "Bergen"):
        city, first = locate(name), datetime(2024, 7, 1)
        hours = [climate.hour(0, city, first + timedelta(hours=3 * n)) for n in range(240)]
        assert all(hour["wind_kph"] <= 14 for hour in hours if hour["sky"] == "mist")


def test_a_day_of_much_rain_is_called_after_it() -> None:
    wet = {climate.SKY_TEXT["en"][sky] for sky in ("light_rain", "rain", "thunderstorm", "snow")}
    for name in ("Zermatt", "Bergen", "Manila"):
        days = ask(f"{WEATHER}/forecast", q=name, days=14, aqi=False)["days"]
        assert all(day["condition"] in wet for day in days if day["total_rain_mm"] > 3.1), name


def test_quarters_make_up_the_rain_of_their_hour() -> None:
    day = {"q": "Bergen", "days": 1, "aqi": False, "hour": 15}
    for dt in ("2024-05-16", "2024-05-19", "2024-05-23"):
        (whole,) = ask(f"{WEATHER}/forecast", dt=dt, **day)["days"][0]["hours"]
        parts = ask(f"{WEATHER}/forecast", dt=dt, tp=15, **day)["days"][0]["hours"]
        assert sum(part["rain_mm"] for part in parts) == pytest.approx(whole["rain_mm"], abs=0.25)


def test_large_cities_stand_before_small_ones() -> None:
    assert ask(f"{WEATHER}/search", q="Port")[0]["name"] == "Porto Alegre"
    assert ask(f"{WEATHER}/search", q="New")[0]["name"] == "New York"
    assert "Lanzhou" in [row["name"] for row in ask(f"{WEATHER}/search", q="La")]
    assert ask(f"{WEATHER}/search", q="Bombay")[0]["name"] == "Mumbai"


def test_coming_cricket_begins_when_the_fixtures_say() -> None:
    fixtures = ask("Competition/Cricket_Live_Data/fixtures")["items"]
    known = {(row["match_title"], row["date"]) for row in fixtures}
    events = ask(f"{WEATHER}/sports", q="Kingston, Jamaica")["cricket"]
    jamaican = {(row["match"].split(",")[0], row["start"]) for row in events if row["country"] == "Jamaica"}
    assert len(jamaican) == 3
    assert jamaican <= known


def test_sessions_in_europe_have_hours() -> None:
    monaco = ask(f"{F1}/races", competition=6, season=2018)["items"]
    assert [row["time"] for row in monaco if "Practice" in row["type"]] == ["09:00", "13:00", "10:00"]
    assert all(row["time"] for row in ask(f"{F1}/races", competition=31, season=2021)["items"])


def test_tables_of_constructors_are_whole() -> None:
    table = ask(f"{ERGAST}/constructor_Standings", season=2012)
    assert [row["constructor_id"] for row in table[9:]] == ["caterham", "marussia", "hrt"]
    assert ask(f"{ERGAST}/constructor_Standings", season=2016)[-1]["points"] == 1


def test_race_distances_are_the_official_ones() -> None:
    (monza,) = ask(f"{F1}/circuits", search="monza")
    assert monza["race_distance_km"] == 306.72
    assert "1 to 35" in refusal(f"{F1}/circuits", id=60)


def test_open_hacking_begins_at_the_end() -> None:
    rounds = ask(f"{CODEFORCES}/contest_list")["items"]
    for one in [row for row in rounds if row["type"] == "ICPC" and row["phase"] == "FINISHED"][:8]:
        end = one["start_time"] + one["duration_seconds"]
        hacks = ask(f"{CODEFORCES}/contest_hacks", contest_id=one["id"])
        assert all(end - 60 <= row["time"] <= end + 43200 for row in hacks)


@pytest.mark.parametrize("seed", [0, 4])
def test_no_horse_runs_on_two_days_in_a_row(seed: int) -> None:
    for races in horses.entries(seed).values():
        days = sorted(race.day for race in races)
        assert all((later - earlier).days > 1 for earlier, later in itertools.pairwise(days))
    assert min(len(race.runners) for race in horses.all_races(seed)) >= 5


def test_weights_follow_ratings_in_handicaps_only() -> None:
    classified = ask(f"{HORSES}/query_races", name="classified")["items"][-1]
    level = ask(f"{HORSES}/race_detail_info", id_race=classified["id_race"])
    assert len({row["weight_kg"] for row in level["horses"] if row["age"] > 3}) == 1
    weighted = ask(f"{HORSES}/query_races", name="handicap", course="York")["items"][0]
    handicap = ask(f"{HORSES}/race_detail_info", id_race=weighted["id_race"])["horses"]
    assert len({row["weight_kg"] for row in handicap}) > 3


def test_japanese_classes_pay_alike() -> None:
    prizes = {race.title[-11:]: race.prize for race in horses.all_races(0) if "Win Class" in race.title}
    assert 2 < prizes["3 Win Class"] / prizes["1 Win Class"] < 3


def test_motorcycles_of_well_known_makes() -> None:
    makes = {row["make_name"] for row in ask(f"{VEHICLE}/get_makes", vehicle_type="motorcycle", year=2020)}
    assert {"INDIAN", "APRILIA", "MOTO GUZZI", "HUSQVARNA", "ZERO"} <= makes
    assert not {"VICTORY", "BUELL"} & makes


def test_a_manufacturer_has_one_name() -> None:
    names = {row["manufacturer_name"] for row in ask(f"{VEHICLE}/get_makes", manufacturer="General Motors")}
    assert names == {"GENERAL MOTORS LLC"}
    group = {row["make_name"] for row in ask(f"{VEHICLE}/get_makes", manufacturer="Stellantis")}
    assert {"FIAT", "ALFA ROMEO", "PEUGEOT", "OPEL", "JEEP"} <= group
    fiat, by_id = (ask(f"{VEHICLE}/get_manufacturer_details", manufacturer=one) for one in ("Fiat", "1029"))
    assert fiat == by_id


def test_years_of_heavy_trucks_and_motorcycles_are_the_later_ones() -> None:
    truck = ask(f"{VEHICLE}/decode_vin", vin="1XKYD49X1LJ312345")
    assert (truck["model"], truck["model_year"]) == ("T680", 2020)
    assert "1990" in truck["notes"][0]
    assert ask(f"{VEHICLE}/decode_vin", vin="1XKYD49X1LJ312345", modelyear=1990)["model_year"] == 1990
    assert ask(f"{VEHICLE}/decode_WMI", wmi="2C4")["make"] == "CHRYSLER"
