"""Ball games, vehicles, weather and calendar, as a stranger reads them: one test for each kind of fault found."""

from __future__ import annotations

from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.state import World

BASKETBALL, FOOTBALL = "Competition/API_BASKETBALL", "Competition/API_FOOTBALL"
NBA, BALL = "Competition/API_NBA", "Competition/balldontlie"
CALENDAR, WEATHER, VEHICLE = "Calendar/Calendar", "Weather/weatherapi", "Vehicle/Vehicle"


def ask(tool: str, seed: int = 0, **arguments: Any) -> Any:
    outcome = call(World.fresh(seed), tool, arguments)
    assert outcome.error is None, outcome.text
    return outcome.value


@pytest.mark.parametrize(
    ("tool", "arguments", "parameter"),
    [
        (f"{BASKETBALL}/bets", {"id": 99}, "id"),
        (f"{BASKETBALL}/countries", {"name": "Atlantis"}, "name"),
        (f"{BASKETBALL}/leagues", {"code": "QQ"}, "code"),
        (f"{BASKETBALL}/standings", {"league": 12, "season": 2023, "group": "Moon"}, "group"),
        (f"{BASKETBALL}/head_2_head", {"h2h": "133-166"}, "h2h"),
        (f"{FOOTBALL}/bookmakers", {"id": 99}, "id"),
        (f"{FOOTBALL}/odds", {"league": 39, "bookmaker": 5}, "bookmaker"),
        (f"{FOOTBALL}/leagues", {"country": "Narnia"}, "country"),
        (f"{FOOTBALL}/fixtures", {"league": 39, "status": "XX"}, "status"),
        (
            f"{FOOTBALL}/fixtures",
            {"league": 39, "from_date": "2024-05-01", "to_date": "2024-04-01"},
            "to_date",
        ),
        (f"{NBA}/teams", {"conference": "East", "division": "Pacific"}, "division"),
        (f"{NBA}/standings", {"league": "vegas", "season": 2023}, "league"),
        (f"{NBA}/players", {"season": 1950}, "season"),
        (f"{BALL}/get_all_games", {"start_date": "2024-05-10", "end_date": "2024-05-01"}, "end_date"),
        (f"{WEATHER}/history", {"q": "Paris", "dt": "2024-05-01", "end_dt": "2024-04-01"}, "end_dt"),
        (f"{WEATHER}/time_zone", {"q": "95,200"}, "q"),
        (f"{WEATHER}/ip_lookup", {"q": "999.1.1.1"}, "q"),
    ],
)
def test_what_cannot_exist_is_refused_by_the_name_of_its_parameter(
    tool: str, arguments: dict[str, Any], parameter: str
) -> None:
    outcome = call(World.fresh(0), tool, arguments)
    assert outcome.error is not None
    assert f'"parameter":"{parameter}"' in outcome.text


def test_a_league_of_which_only_the_name_is_known_is_told_so() -> None:
    assert "Liga MX, only the name" in call(World.fresh(0), f"{FOOTBALL}/fixtures", {"league": 262}).text


def test_only_games_that_were_on_a_calendar_are_listed() -> None:
    assert {row["id"] for row in ask(f"{FOOTBALL}/leagues")} == {39, 140, 135, 78, 61, 2}
    europe = ask(f"{BASKETBALL}/game", league=120)["items"]
    assert [(row["home"]["team"], row["time"]) for row in europe] == [
        ("Panathinaikos", "16:00"),
        ("Real Madrid", "19:00"),
    ]
    week = ask(f"{BASKETBALL}/game", league=13)["items"]
    assert max(row["date"] for row in week) == "2024-05-20"
    best = ask(f"{BASKETBALL}/standings", league=5, season=2023)[0]
    assert (best["team"], best["won"], best["lost"]) == ("Melbourne United", 20, 8)


def test_football_countries_have_leagues() -> None:
    names = {row["name"] for row in ask(f"{FOOTBALL}/countries")}
    assert not names & {"Antarctica", "Bouvet Island"}
    assert {"Iceland", "Wales", "Ghana"} <= names


@pytest.mark.parametrize("seed", [0, 3])
def test_odds_follow_what_the_clubs_did_in_the_season(seed: int) -> None:
    found = ask(f"{FOOTBALL}/odds", seed, date="2024-05-17", bookmaker=8, bet=1)["items"][0]
    home, _, away = (value["odd"] for value in found["bookmakers"][0]["bets"][0]["values"])
    assert (found["home"], home < away) == ("Fiorentina", True)


def test_matches_beyond_ninety_minutes_are_told_so() -> None:
    rows = ask(f"{FOOTBALL}/fixtures", league=2, season=2023, status="PEN")["items"]
    assert [row["fixture"]["home"] for row in rows] == ["Arsenal", "Atletico Madrid", "Manchester City"]
    assert {row["elapsed"] for row in rows} == {120}


def test_a_match_put_off_does_not_hold_up_the_round() -> None:
    assert ask(f"{FOOTBALL}/fixtures_round", league=39, season=2023, current=True) == ["Regular Season - 38"]


def test_the_best_known_players_of_a_season_are_found() -> None:
    messi = ask(f"{FOOTBALL}/players", season=2022, search="Messi")["items"][0]
    assert (messi["team"], messi["goals"], messi["assists"]) == ("Paris Saint Germain", 16, 16)
    assert all(ask(f"{FOOTBALL}/players", season=2023, team=club)["total"] for club in (39, 79, 536, 45))


def test_finals_have_lines_and_the_arenas_of_their_day() -> None:
    lines = ask(f"{BALL}/get_all_stats", player_ids=[237], seasons=[2017])["items"]
    assert [line["pts"] for line in lines] == [51, 29, 33, 23]
    assert ask(f"{BALL}/get_a_specific_game", game_id=15011)["arena"] == "Oracle Arena"


def test_holidays_of_all_canada_and_bangladesh_and_none_from_the_future() -> None:
    near = {(row["countryCode"], row["name"]) for row in ask(f"{CALENDAR}/next_public_holidays_worldwide")}
    assert {("CA", "Victoria Day"), ("BD", "Buddha Purnima")} <= near
    assert "Public Holiday" not in {name for _, name in near}
    days = {row["date"] for row in ask(f"{CALENDAR}/public_holidays", year=2024, countryCode="KR")}
    assert "2024-10-01" not in days


def test_long_weekends_hold_the_weekend_of_the_country() -> None:
    israel = ask(f"{CALENDAR}/long_weekend", year=2024, countryCode="IL")
    assert ("2024-10-03", "2024-10-05") in {(row["startDate"], row["endDate"]) for row in israel}


def test_coming_sports_are_those_of_the_fixtures() -> None:
    events = ask(f"{WEATHER}/sports", q="London")["football"]
    assert events[0]["match"] == "Brighton & Hove Albion v Chelsea, Premier League"
    assert ask(f"{WEATHER}/sports", q="Sydney") != ask(f"{WEATHER}/sports", q="Madrid")


def test_days_of_record_weather_are_as_they_were() -> None:
    day = ask(f"{WEATHER}/history", q="London", dt="2022-07-19")["days"][0]
    assert (day["max_c"], day["total_rain_mm"]) == (40.2, 0.0)
    assert ask(f"{WEATHER}/history", q="Dubai", dt="2024-04-16")["days"][0]["total_rain_mm"] > 120
    assert ask(f"{WEATHER}/history", q="Portland, Maine", dt="2021-06-28")["days"][0]["max_c"] < 40


def test_models_end_where_they_ended() -> None:
    jeeps = {row["model_name"] for row in ask(f"{VEHICLE}/get_models", name="Jeep", year=2024)}
    assert not jeeps & {"Liberty", "Patriot", "Commander", "Cherokee"}
    toyota = {row["make_name"] for row in ask(f"{VEHICLE}/get_makes", manufacturer="Toyota")}
    assert {"SCION", "LEXUS", "TOYOTA"} <= toyota
    assert ask(f"{VEHICLE}/get_models", name="DeLorean")[0]["years"] == "1981 to 1983"


def test_a_year_without_a_record_of_holidays_is_refused() -> None:
    assert (
        "from 2008"
        in call(World.fresh(0), f"{CALENDAR}/public_holidays", {"year": 1980, "countryCode": "ES"}).text
    )
    german = {row["date"] for row in ask(f"{CALENDAR}/public_holidays", year=1985, countryCode="DE")}
    assert {"1985-04-05", "1985-05-27", "1985-06-17"} <= german
    assert "2024-03-29" in {
        row["date"] for row in ask(f"{CALENDAR}/public_holidays", year=2024, countryCode="HK")
    }


def test_clocks_and_air_are_those_of_the_place() -> None:
    assert ask(f"{WEATHER}/time_zone", q="Dublin")["daylight_saving"] is True
    assert ask(f"{WEATHER}/time_zone", q="Casablanca")["daylight_saving"] is False
    assert ask(f"{WEATHER}/current_weather", q="Singapore")["current"]["pressure_mb"] >= 1003
    assert ask(f"{WEATHER}/forecast", q="Lahore", days=1, aqi=False)["days"][0]["max_c"] > 36
