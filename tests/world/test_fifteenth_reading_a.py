"""Racing, contests, markets, music and preprints as a stranger would check them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.shared.further_papers import known_papers
from toolyard.world.shared.scholarship import FIRST_REAL_AUTHOR, papers
from toolyard.world.state import World
from toolyard.world.worlds.competition.sports.f1_record import FIRST_SEASON, seasons_on_record, took_part
from toolyard.world.worlds.finance.markets import find_market


def said(tool: str, **arguments: Any) -> Any:
    """What a tool answers; fails where it refuses."""
    result = call(World.fresh(0), tool, arguments)
    assert result.error is None, result.text
    return result.value


def refused(tool: str, **arguments: Any) -> str:
    """Why a tool refuses; fails where it answers."""
    result = call(World.fresh(0), tool, arguments)
    assert result.error is not None, result.text
    return result.text


def drivers(**arguments: Any) -> list[str]:
    """The drivers that fit."""
    found = said("Competition/Ergast_F1/driver_information", **arguments)
    assert found["total"] >= len(found["items"])
    return [row["driver_id"] for row in found["items"]]


def seasons(**arguments: Any) -> list[int]:
    """The seasons that fit."""
    return [row["season"] for row in said("Competition/Ergast_F1/season_list", **arguments)]


@pytest.mark.parametrize("contest", [None, 1951])
def test_who_took_part_in_the_last_month_was_seen_in_it(contest: int | None) -> None:
    rated = "Competition/Codeforces/user_rated_list"
    asked = {} if contest is None else {"contest_id": contest}
    active = said(rated, active_only=True, include_retired=True, **asked)
    assert said(rated, active_only=True, **asked) == active
    assert said(rated, **asked)["total"] >= active["total"] > 0
    (user,) = said("Competition/Codeforces/user_info", handle="Burunduk1")
    last = said("Competition/Codeforces/user_status", handle="Burunduk1")["items"][0]
    assert user["last_online"] >= last["time"]


def test_constructors_filter_champions_of_all_seasons() -> None:
    of_williams = ["jones", "keke_rosberg", "piquet", "mansell", "prost", "damon_hill", "villeneuve"]
    assert drivers(constructor_id="williams", driver_standings=1) == of_williams
    assert drivers(constructor_id="brabham", driver_standings=1) == ["jack_brabham", "hulme", "piquet"]
    assert drivers(constructor_id="mercedes", driver_standings=1) == ["fangio", "hamilton", "rosberg"]
    assert drivers(constructor_id="williams", driver_standings=1, season=1996) == ["damon_hill"]
    assert drivers(constructor_id="haas", driver_standings=1) == []
    years = [1980, 1982, 1987, 1992, 1993, 1996, 1997]
    assert seasons(constructor_id="williams", driver_standings=1) == years
    assert seasons(constructor_id="mclaren", driver_id="hamilton", driver_standings=1) == [2008]
    assert seasons(constructor_id="ferrari", driver_standings=1)[-1] == 2007


def test_a_place_in_the_table_counts_for_drivers_of_any_time() -> None:
    assert drivers(driver_id="alonso", driver_standings=1) == ["alonso"]
    assert drivers(driver_id="moss", driver_standings=1) == []
    assert drivers(driver_id="prost", driver_standings=2) == ["prost"]
    assert len(drivers(driver_standings=1)) == 30
    tool = "Competition/Ergast_F1/driver_information"
    assert "the first 10 are on record" in refused(tool, season=2021, driver_standings=12)
    assert "the first 3 of a table" in refused(tool, driver_standings=25)


def test_the_first_three_drove_for_constructors_that_took_part() -> None:
    for one in seasons_on_record().values():
        if one.year >= FIRST_SEASON:
            assert one.teams == ()
            continue
        assert len(one.teams) == len(one.first)
        for team in (team for names in one.teams for team in names):
            assert one.year in took_part()["constructor_id"][team], (one.year, team)


def test_exchanges_that_follow_new_york_close_earlier_while_summer_time_runs_there() -> None:
    rows = said("Finance/USStockRealTime/get_global_market_open_and_close_status")
    hours = {row["region"]: (row["local_open"], row["local_close"]) for row in rows}
    assert hours["Brazil"] == ("10:00", "17:00")
    assert hours["Mexico"] == ("07:30", "14:00")
    winter = datetime(2024, 1, 17, 20, 30, tzinfo=UTC)
    brazil, mexico = find_market("Brazil", winter), find_market("Mexico", winter)
    assert (brazil["opens"], brazil["closes"], brazil["is_open"]) == ("10:00", "18:00", True)
    assert (mexico["opens"], mexico["closes"], mexico["is_open"]) == ("08:30", "15:00", True)


def test_the_gulf_trades_on_sundays_and_not_on_fridays() -> None:
    sunday, friday = (datetime(2024, 5, day, 9, 0, tzinfo=UTC) for day in (12, 17))
    assert find_market("Saudi Arabia", sunday)["is_open"]
    assert not find_market("Saudi Arabia", friday)["is_open"]
    assert find_market("Germany", friday)["is_open"]


@pytest.mark.parametrize("group", ["Yahoo_Finance_market", "Yahoo_Finance_stock"])
def test_symbols_of_the_region_come_first(group: str) -> None:
    tool = f"Finance/{group}/get_autocomplete"
    assert [row["symbol"] for row in said(tool, q="SAP", region="DE")][:2] == ["SAP.DE", "SAP"]
    assert said(tool, q="SAP")[0]["symbol"] == "SAP"
    found = [row["symbol"] for row in said(tool, q="T", region="DE")]
    assert found[0].endswith(".DE")
    assert "T" in found


def test_albums_stand_under_the_style_of_their_time() -> None:
    def genres(artist: str, entity: str = "album") -> dict[str, str]:
        found = said("Music/Music/search_itunes", term=artist, country="GB", entity=entity, limit=50)
        rows = [row for row in found["results"] if row["artistName"] == artist]
        return {row["trackName"]: row["primaryGenreName"] for row in rows}

    swift = genres("Taylor Swift")
    assert {swift[name] for name in ("Taylor Swift", "Fearless", "Speak Now", "Red")} == {"Country"}
    assert swift["1989"] == "Pop"
    assert swift["Folklore"] == "Alternative"
    assert genres("Taylor Swift", "musicArtist") == {"Taylor Swift": "Pop"}
    assert genres("Beyoncé")["Cowboy Carter"] == "Country"
    assert genres("Bob Dylan")["Blonde on Blonde"] == "Rock"


@pytest.mark.parametrize("seed", [0, 1, 7])
def test_preprints_have_ids_of_their_days(seed: int) -> None:
    simulated = [
        paper
        for paper in papers(seed)
        if paper["arxiv_id"] and paper["authors"][0]["author_id"] < FIRST_REAL_AUTHOR
    ]
    ids = [paper["arxiv_id"] or "" for paper in simulated]
    assert [one[:4] for one in ids] == [paper["date"][2:7].replace("-", "") for paper in simulated]
    assert len(set(ids)) == len(ids)
    assert not set(ids) & {paper["arxiv_id"] for paper in known_papers()}


def test_abstracts_fit_their_field() -> None:
    found = said("Paper/arxiv/arxiv_query", search_query="cat:quant-ph AND ti:error", max_results=5)["items"]
    assert found
    assert not any("observations" in row["summary"] or "few sources" in row["summary"] for row in found)
    for paper in papers(0):
        if paper["category"] in ("quant-ph", "math.NT", "cs.CV", "cs.LG", "cs.RO"):
            assert "observations" not in paper["abstract"], paper["title"]


def test_players_of_a_season_alone_are_listed() -> None:
    tool = "Competition/API_FOOTBALL/players"
    found = said(tool, season=2022)
    assert found["total"] > len(found["items"]) == 15
    assert {row["season"] for row in found["items"]} == {2022}
    assert "1950" in refused(tool, season=1950)
