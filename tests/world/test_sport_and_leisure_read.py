"""Sport, health, cars, music and the store of apps: what a reader objected to who called every tool of them afresh."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from toolyard.world import World, call
from toolyard.world.worlds.competition.sports.horses import all_races

BASKETBALL, FOOTBALL = "Competition/API_BASKETBALL", "Competition/API_FOOTBALL"
F1, ERGAST = "Competition/API_F1", "Competition/Ergast_F1"
RACING, FITNESS = "Competition/Horse_Racing", "Health/Fitness_Calculator"


def ask(tool: str, **arguments: object) -> Any:
    outcome = call(World.fresh(0), tool, arguments)
    assert outcome.error is None, outcome.error
    return outcome.value


def refused(tool: str, **arguments: object) -> str:
    outcome = call(World.fresh(0), tool, arguments)
    assert outcome.error is not None
    return str(outcome.value)


@pytest.mark.parametrize("seed", [0, 3])
def test_horses_run_by_daylight_save_under_lights(seed: int) -> None:
    unlit = [
        race for race in all_races(seed) if race.course in ("Ascot", "Sandown Park", "Chepstow", "Thurles")
    ]
    winter = [race.start for race in unlit if race.day.month in (11, 12, 1)]
    assert winter
    assert max(start.hour * 60 + start.minute for start in winter) <= 15 * 60 + 30
    assert not [race for race in all_races(seed) if (race.day.month, race.day.day) == (12, 25)]


def test_races_of_one_card_have_titles_of_their_own() -> None:
    cards = ask(f"{RACING}/racecards", date="2023-12-26")
    assert max(Counter((row["course"], row["title"]) for row in cards).values()) == 1
    for course in {row["course"] for row in cards}:
        times = [row["off_time"] for row in cards if row["course"] == course]
        assert times == sorted(times)
    assert ask(f"{RACING}/racecards", date="2023-12-25") == []


def test_a_day_without_an_hour_is_found_in_every_time_zone() -> None:
    for zone in ("Europe/Berlin", "Asia/Tokyo", "America/Denver"):
        found = ask(f"{BASKETBALL}/game", league=12, date="2023-12-25", timezone=zone)
        assert found["total"] == 5


def test_what_is_not_on_record_is_refused_and_not_told_as_none() -> None:
    assert "on record" in refused(f"{BASKETBALL}/game", team=132)
    assert "on record" in refused(f"{BASKETBALL}/head_2_head", h2h="133-139")
    assert "2023" in refused(f"{BASKETBALL}/game", league=120, season=2024)
    assert "two different" in refused(f"{BASKETBALL}/head_2_head", h2h="133-133")
    assert "2017 to 2023" in refused(f"{FOOTBALL}/fixtures", league=39, season=2015)
    assert "2022" in refused(f"{FOOTBALL}/players", season=2019, search="Salah")
    assert "1958" in refused(f"{ERGAST}/constructor_Standings", season=1957)
    within = ask(f"{BASKETBALL}/teams_statistics", league=12, season=2023, team=133, date="2024-01-01")
    assert (within["all"], within["home"]) == (None, None)
    after = ask(f"{BASKETBALL}/teams_statistics", league=12, season=2023, team=133, date="2024-05-01")
    assert after["all"]["won"] == 64


def test_players_stood_where_they_were_in_the_season_asked_for() -> None:
    kane = ask(f"{FOOTBALL}/players", season=2022, search="Kane")["items"]
    assert [(row["team"], row["goals"]) for row in kane] == [("Tottenham Hotspur", 30)]
    now = ask(f"{FOOTBALL}/players", season=2023, search="Kane")["items"]
    assert [row["team"] for row in now] == ["Bayern Munich"]


def test_nobody_is_at_home_in_a_final() -> None:
    final = ask(f"{FOOTBALL}/odds", league=2, season=2023, bookmaker=8, bet=1)["items"][0]
    home, _, away = (value["odd"] for value in final["bookmakers"][0]["bets"][0]["values"])
    assert home > away


def test_sprints_have_their_laps_and_winners() -> None:
    sprints = ask(f"{F1}/races", season=2023, type="Sprint")["items"]
    told = [(row["laps"], row["winner"]) for row in sprints]
    assert told[0] == (17, "Sergio Pérez")
    assert told[3] == (19, "Oscar Piastri")
    practice = ask(f"{F1}/races", season=2023, type="1st Practice")["items"]
    assert {row["laps"] for row in practice} == {None}


def test_drivers_of_earlier_times_are_known_with_their_careers() -> None:
    careers = {
        name: ask(f"{F1}/drivers", name=name)["items"][0]
        for name in ("Ayrton Senna", "Rubens Barrichello", "Oscar Piastri")
    }
    assert [row["wins"] for row in careers.values()] == [41, 11, 0]
    assert ask(f"{F1}/rankings_drivers", season=1991)[0]["driver_id"] == careers["Ayrton Senna"]["id"]


def test_circuits_to_come_and_titles_of_constructors_are_listed() -> None:
    last = ask(f"{ERGAST}/circuit_information", season=2024, race=24)["items"]
    assert [row["circuit_id"] for row in last] == ["yas_marina"]
    titles = ask(f"{ERGAST}/season_list", constructor_id="ferrari", constructor_standings=1)
    assert len(titles) == 16


def test_nobody_is_put_on_next_to_nothing_and_children_are_not_judged_as_adults() -> None:
    small = {"gender": "female", "height": 150, "weight": 40, "activitylevel": "level_1"}
    goals = ask(f"{FITNESS}/get_daily_calory_requirement", age=60, **small)["goals"]
    assert min(row["calories"] for row in goals) >= 800
    assert "milder" in refused(f"{FITNESS}/get_macro_nutrients_amount", age=60, goal="extremelose", **small)
    child = ask(f"{FITNESS}/get_bmi", age=5, height=110, weight=19)
    assert (child["bmi"], child["healthy_weight_range_kg"]) == (15.7, None)


def test_a_european_number_has_fillers_and_a_recent_year() -> None:
    golf = ask("Vehicle/Vehicle/decode_vin", vin="WVWZZZ1KZAW000001")
    assert golf["model_year"] == 2010
    assert golf["check_digit"].startswith("none")


def test_a_series_is_filed_under_its_own_name() -> None:
    found = ask("Music/Music/search_itunes", term="Breaking Bad", country="US", media="tvShow")["results"]
    assert found[0]["artistName"] == "Breaking Bad"
