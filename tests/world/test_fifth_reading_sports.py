"""Sport, travel and contests as they were or are: what a reader who knows the field would object to."""

from __future__ import annotations

from datetime import date
from typing import Any

from toolyard.world import World, call
from toolyard.world.shared.geography import find_city
from toolyard.world.worlds.competition.sports.horses import races as horse_races
from toolyard.world.worlds.competition.sports.horses import runs
from toolyard.world.worlds.travel.air import aircraft_of, routes
from toolyard.world.worlds.travel.fares import ways


def ask(tool: str, **arguments: object) -> Any:
    outcome = call(World.fresh(0), tool, arguments)
    assert outcome.error is None, outcome.error
    return outcome.value


def test_cricket_has_the_host_at_home_and_its_hours() -> None:
    dublin = ask("Competition/Cricket_Live_Data/fixtures_by_series", series_id=622)
    assert {(row["home"], row["away"]) for row in dublin} == {("Ireland", "Pakistan")}
    ended = ask("Competition/Cricket_Live_Data/results_by_date", date="2024-03-09")
    assert [row["home"] for row in ended] == ["India"]
    opener = ask("Competition/Cricket_Live_Data/fixtures_by_date", date="2024-06-02")
    assert "2024-06-02T00:30:00Z" in {row["date"] for row in opener}


def test_grands_prix_start_when_they_did_and_have_their_sprints() -> None:
    held = ask("Competition/API_F1/races", season=2023, type="Race")["items"]
    times = {row["competition"]: (row["date"], row["time"]) for row in held}
    assert times["Las Vegas Grand Prix"] == ("2023-11-19", "06:00")
    assert (times["British Grand Prix"][1], times["Miami Grand Prix"][1]) == ("14:00", "19:30")
    assert "São Paulo Grand Prix" in times
    saturday = ask("Competition/API_F1/races", date="2024-05-04")["items"]
    assert saturday[0]["type"] == "Sprint"
    assert [row["time"] for row in ask("Competition/API_F1/races", next=4)["items"]] == [
        "11:30",
        "15:00",
        "10:30",
        "14:00",
    ]
    assert ask("Competition/API_F1/drivers", search="kkönen")["items"][0]["number"] == 7
    wins = {row["name"]: row["wins"] for row in ask("Competition/API_F1/drivers_2")}
    assert (wins["Red Bull Racing"], wins["Toro Rosso"]) == (117, 1)


def test_seasons_before_results_are_found_by_circuit_and_champion() -> None:
    lauda = ask("Competition/Ergast_F1/season_list", driver_id="lauda", driver_standings=1)
    assert [row["season"] for row in lauda] == [1975, 1977, 1984]
    assert len(ask("Competition/Ergast_F1/season_list")) == 75
    assert ask("Competition/Ergast_F1/race_schedule", circuit_id="zandvoort")["total"] == 34
    assert ask("Competition/Ergast_F1/driver_information", driver_standings=1)["total"] == 34


def test_players_are_in_the_team_of_the_season() -> None:
    durant = ask("Competition/API_NBA/players", season=2016, search="Durant")["items"][0]
    assert durant["team_id"] is None
    lakers = ask("Competition/API_NBA/players", team=17, season=2020)["items"]
    assert [row["name"] for row in lakers] == ["LeBron James", "Anthony Davis"]
    kane = ask("Competition/API_FOOTBALL/players", season=2022, search="Kane")["items"]
    assert [row["team"] for row in kane] == ["Tottenham Hotspur"]
    assert ask("Competition/API_FOOTBALL/players", season=2023, search="Kane")["items"][0]["team_id"] == 157


def test_leagues_have_all_their_clubs() -> None:
    europe = {row["team"] for row in ask("Competition/API_BASKETBALL/standings", league=120, season=2023)}
    assert {"Real Madrid", "FC Barcelona", "Valencia Basket"} <= europe
    assert len(europe) == 18
    brazil = ask("Competition/API_FOOTBALL/leagues", country="Brazil")
    assert {row["name"] for row in brazil} >= {"Serie A", "Copa do Brasil"}
    assert ask("Competition/API_FOOTBALL/countries", name="Wales")[0]["code"] == "GB-WLS"


def test_a_jockey_is_on_one_course_a_day_and_ratings_differ() -> None:
    where: dict[tuple[date, str], set[str]] = {}
    for race in horse_races(0)[:120]:
        field = runs(0, race)
        assert len({run.horse.rating for run in field}) > 1
        for run in field:
            where.setdefault((race.day, run.jockey), set()).add(race.course)
    assert {len(courses) for courses in where.values()} == {1}


def test_ranks_count_those_who_are_listed() -> None:
    table = ask("Competition/Codeforces/contest_standings", contest_id=1969, count=2)
    assert [row["rank"] for row in table["rows"]] == [1, 2]


def test_flights_go_both_ways_alike_and_no_farther_than_aircraft_can() -> None:
    known = routes(0)
    assert max(flights[0]["distance_km"] for flights in known.values()) < 15_400
    there = {route["airline"]: aircraft_of(0, route) for route in known["ICN", "SEA"]}
    back = {route["airline"]: aircraft_of(0, route) for route in known["SEA", "ICN"]}
    assert there == back
    assert {route["number"] for route in known["FRA", "JFK"]} >= {"LH400"}


def test_small_airports_are_reached_without_a_change() -> None:
    found = ways(0, find_city("Oslo")["id"], find_city("Tromsø")["id"])
    assert min(way["stops"] for way in found) == 0


def test_sights_cost_what_they_cost_and_lie_apart() -> None:
    cape = {
        row["name"]: row["entry_usd"]
        for row in ask("Travel/BMTool_Travel/landscapeProducts", destination="Cape Town")
    }
    assert cape == {"Table Mountain": 22, "Robben Island": 33, "V&A Waterfront": 0}
    boise = ask("Travel/BMTool_Travel/landscapeProducts", destination="Boise")
    assert len({(row["latitude"], row["longitude"]) for row in boise}) == len(boise)


def test_towns_with_hotels_are_counted_and_grand_hotels_are_hotels() -> None:
    assert ask("Travel/Hotels_Statistical_Data/search_country", query="Ivory Coast")["locations"] > 100
    ghent = ask("Travel/Hotels_Statistical_Data/search_location", name="Ghent")["id"]
    listed = ask("Travel/Hotels_Statistical_Data/list_hotels", locationId=ghent)["items"]
    assert {row["type"] for row in listed if "Hotel" in row["name"]} == {"Hotel resort"}
    assert not any("Hôtel" in row["name"] or "rue" in row["address"] for row in listed)


def test_alliances_have_their_members_of_may_2024() -> None:
    sky = ask("Travel/Flight_JSON_Data/search_alliance", query="SkyTeam")["airlines"]
    assert "SK" not in sky
    assert {"ME", "MF"} <= set(sky)


def test_a_manufacturer_is_the_company_and_not_its_plant() -> None:
    toyota = ask("Vehicle/Vehicle/get_manufacturer_details", manufacturer="Toyota")
    assert (toyota["name"], toyota["country"]) == ("TOYOTA MOTOR CORPORATION", "Japan")
    assert ask("Vehicle/Vehicle/get_manufacturer_details", manufacturer="BMW")["country"] == "Germany"
    korean = {
        row["country"]
        for row in ask("Vehicle/Vehicle/get_WMI", manufacturer="Hyundai")
        if row["wmi"][0] == "K"
    }
    assert korean == {"South Korea"}
    kinds = {row["name"]: row["data_type"] for row in ask("Vehicle/Vehicle/get_vehicle_variables")}
    assert (kinds["Make"], kinds["Doors"]) == ("string", "number")
