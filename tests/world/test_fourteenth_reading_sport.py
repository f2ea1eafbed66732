"""Sport, racing and contests as a reader would check them."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.state import World
from toolyard.world.worlds.competition.contests import core
from toolyard.world.worlds.competition.contests.rounds import find_contest, rounds
from toolyard.world.worlds.competition.sports.horses import all_races, courses, runs

SPORT = "Competition"


def said(tool: str, **arguments: Any) -> Any:
    """What a tool answers; fails where it refuses."""
    result = call(World.fresh(0), f"{SPORT}/{tool}", arguments)
    assert result.error is None, result.text
    return result.value


def refused(tool: str, **arguments: Any) -> str:
    """Why a tool refuses; fails where it answers."""
    result = call(World.fresh(0), f"{SPORT}/{tool}", arguments)
    assert result.error is not None, result.text
    return result.text


@pytest.mark.parametrize("seed", [0, 7])
def test_a_good_third_of_the_hacks_of_every_round_works(seed: int) -> None:
    for contest in rounds(seed):
        verdicts = Counter(hack.verdict for hack in core.hacks(seed, contest))
        assert verdicts["HACK_SUCCESSFUL"] >= 1, contest.name
        assert 3 * verdicts["HACK_SUCCESSFUL"] >= sum(verdicts.values()), contest.name


def test_who_hacks_solved_the_problem_and_sat_in_the_room() -> None:
    for contest in rounds(0):
        accepted = {
            (one.user, one.problem.index) for one in core.submissions(0, contest) if one.verdict == "OK"
        }
        for hack in core.hacks(0, contest):
            assert (hack.hacker, hack.target.problem.index) in accepted
            rooms = {core.room_of(0, contest, user) for user in (hack.hacker, hack.target.user)}
            assert contest.kind != "CF" or len(rooms) == 1
            assert not hack.target.user.famous


def test_a_broken_solution_counts_for_nothing_unless_there_is_a_better_one() -> None:
    contest = find_contest(0, 1968)
    broken = [one for one in core.submissions(0, contest) if one.verdict == "CHALLENGED"]
    table = {row.user: {index for index, _, _ in row.solved} for row in core.standings(0, contest)}
    assert broken
    assert all(one.problem.index not in table[one.user] for one in broken)


def test_nobody_sits_in_both_divisions_at_once() -> None:
    both = [set(core.entrants(0, find_contest(0, number))) for number in (1965, 1966)]
    assert not both[0] & both[1]


def test_the_best_have_taken_part_within_the_last_month() -> None:
    active = said("Codeforces/user_rated_list", active_only=True)["items"]
    assert active[0]["rating"] > 3000


@pytest.mark.parametrize(
    ("season", "number", "time"), [(2010, 8, "16:00"), (2011, 7, "17:00"), (2015, 1, "05:00")]
)
def test_grands_prix_began_when_they_did(season: int, number: int, time: str) -> None:
    (race,) = said("Ergast_F1/race_schedule", season=season, race=number)["items"]
    assert race["time"] == time


@pytest.mark.parametrize(
    ("asked", "count", "first", "last"),
    [
        ({"driver_id": "michael_schumacher"}, 19, 1991, 2012),
        ({"driver_id": "senna"}, 11, 1984, 1994),
        ({"driver_id": "hamilton"}, 18, 2007, 2024),
        ({"constructor_id": "ferrari"}, 75, 1950, 2024),
        ({"constructor_id": "lotus"}, 37, 1958, 1994),
        ({"constructor_id": "renault"}, 24, 1977, 2020),
    ],
)
def test_seasons_of_drivers_and_teams_go_back_to_the_first(
    asked: dict[str, str], count: int, first: int, last: int
) -> None:
    years = [row["season"] for row in said("Ergast_F1/season_list", **asked)]
    assert (len(years), years[0], years[-1]) == (count, first, last)


def test_hints_name_teams_of_the_same_service() -> None:
    assert "e.g. 33-34" in refused("API_FOOTBALL/fixtures_head_to_head", h2h="abc")
    assert "e.g. 132-133" in refused("API_BASKETBALL/head_2_head", h2h="145")
    assert "e.g. 1-2" in refused("API_NBA/games", h2h="abc")


def test_games_that_are_not_on_record_are_not_answered_with_none() -> None:
    assert "on record are" in refused("API_BASKETBALL/head_2_head", h2h="139-147", season=2023)
    assert said("API_BASKETBALL/head_2_head", h2h="139-147", season=2022)["total"] == 5


@pytest.mark.parametrize(
    "tool",
    ["Horse_Racing/racecards", "Horse_Racing/results", "Cricket_Live_Data/fixtures_by_date",
     "Cricket_Live_Data/results_by_date"],
)  # fmt: skip
def test_days_before_the_record_are_refused(tool: str) -> None:
    assert "from 2023-0" in refused(tool, date="2022-01-01")


def test_searches_beyond_the_known_days_are_refused() -> None:
    assert "races are known from" in refused("Horse_Racing/query_races", date_from="2024-06-01")
    assert "races are known from" in refused("Horse_Racing/query_races", date_to="2023-04-01")


def test_races_are_called_as_in_their_country() -> None:
    cheap = ("Claiming Stakes", "Selling Stakes", "Classified Stakes")
    for race in all_races(0):
        land = courses()[race.course].country
        if race.title.endswith(cheap):
            assert land == "United Kingdom", race
        if land == "Hong Kong":
            assert race.title.endswith(f": Class {race.race_class} Handicap"), race
            assert race.race_class <= 5
        if land in ("Japan", "United Arab Emirates", "Turkey"):
            assert race.title.startswith("Race "), race
        if land == "Australia":
            assert race.going[-1].isdigit(), race
            assert "Arms" not in race.title


def test_courses_have_no_race_over_a_length_that_they_have_not() -> None:
    flat = [race for race in all_races(0) if not race.title.endswith(("Hurdle", "Chase"))]
    assert {race.metres for race in flat if race.course == "Windsor"} <= {1006, 1207, 1609, 2012}
    assert all(race.metres <= 2414 for race in flat if race.course == "Epsom Downs")
    assert all(race.metres >= 1400 for race in flat if race.course == "Galway")
    assert not any(race.metres == 1207 for race in flat if race.course in ("Beverley", "Bath"))


@pytest.mark.parametrize(
    "country", ["United States", "Australia", "Hong Kong", "South Africa", "Saudi Arabia"]
)
def test_jockeys_abroad_are_not_those_of_the_british_isles(country: str) -> None:
    there = [race for race in all_races(0) if courses()[race.course].country == country][:20]
    isles = [race for race in all_races(0) if courses()[race.course].country == "United Kingdom"][:200]
    riders = {run.jockey for race in isles for run in runs(0, race)}
    assert not riders & {run.jockey for race in there for run in runs(0, race)}


def test_a_card_has_few_races_of_the_best_class() -> None:
    cards: dict[tuple[str, object], list[int]] = {}
    for race in all_races(0):
        cards.setdefault((race.course, race.day), []).append(race.race_class)
    assert max(classes.count(1) for classes in cards.values()) == 2
    assert all(classes.count(1) <= 1 for (course, _), classes in cards.items() if course == "Chepstow")
    assert all(classes.count(2) <= 1 for (course, _), classes in cards.items() if course == "Kelso")


def test_equal_chances_favour_the_home_side() -> None:
    found = said("API_FOOTBALL/predictions", fixture=209974)
    assert found["home_percent"] == found["away_percent"]
    assert found["winner"] == "Bournemouth"


def test_football_knows_leagues_of_smaller_countries() -> None:
    for country in ("Senegal", "New Zealand", "Hong Kong", "Ivory Coast", "Montenegro"):
        assert said("API_FOOTBALL/leagues", country=country), country


def test_averages_of_2022_are_there_for_the_best() -> None:
    people = {row["name"]: row["id"] for row in said("balldontlie/get_all_players", per_page=100)["items"]}
    (row,) = said("balldontlie/get_averages", season=2022, player_ids=[people["Nikola Jokic"]])
    assert (row["pts"], row["reb"], row["ast"]) == (24.5, 11.8, 9.8)


def test_basketball_has_cups_and_leagues_of_more_countries() -> None:
    assert {"Copa del Rey", "Coppa Italia"} <= {
        row["name"] for row in said("API_BASKETBALL/leagues", type="cup")
    }
    for country in ("Croatia", "Finland", "New Zealand", "Puerto Rico"):
        assert said("API_BASKETBALL/leagues", country=country), country
        assert said("API_BASKETBALL/countries", name=country), country
    (row,) = said("API_BASKETBALL/leagues", name="ABA League")
    assert (row["type"], row["country"]) == ("league", "Europe")


def test_bookmakers_look_at_the_last_matches_as_well() -> None:
    (row,) = said("API_FOOTBALL/odds", fixture=210340, bet=1, bookmaker=8)["items"]
    paid = {value["value"]: value["odd"] for value in row["bookmakers"][0]["bets"][0]["values"]}
    assert paid["Away"] < 2.3 < paid["Home"]


@pytest.mark.parametrize(
    ("season", "times"), [(2012, ["12:00", "12:27", "12:50"]), (2015, ["12:00", "12:25", "12:48"])]
)
def test_parts_of_qualifying_were_longer_before_2014(season: int, times: list[str]) -> None:
    found = said("API_F1/races", season=season, competition=13)["items"]
    assert [row["time"] for row in found if "Qualifying" in row["type"]] == times


def test_desert_dirt_is_fast_and_prizes_name_no_season() -> None:
    dry = {race.going for race in all_races(0) if race.course in ("King Abdulaziz", "Sharjah", "Jebel Ali")}
    assert dry == {"Fast"}
    assert not any("Primavera" in race.title for race in all_races(0))


def test_cricket_of_late_2023_is_on_record() -> None:
    (boxing_day,) = said("Cricket_Live_Data/fixtures_by_date", date="2023-12-26")
    assert boxing_day["match_title"] == "South Africa v India"
    (final,) = said("Cricket_Live_Data/results_by_date", date="2023-09-17")
    assert (final["home_score"], final["away_score"], final["winner"]) == ("50/10", "51/0", "India")
    assert len(said("Cricket_Live_Data/fixtures_by_series", series_id=627)) == 13
