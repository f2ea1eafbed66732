"""Vehicles, calendar, ball games, boards and collectives, read once more: one test for each kind of fault found."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.state import World

VEHICLE, CALENDAR, CHAN = "Vehicle/Vehicle", "Calendar/Calendar", "Social/chan"


def ask(tool: str, seed: int = 0, **arguments: Any) -> Any:
    outcome = call(World.fresh(seed), tool, arguments)
    assert outcome.error is None, outcome.text
    return outcome.value


@pytest.mark.parametrize(
    ("make", "year", "built", "not_built"),
    [
        ("Dodge", 1995, {"Viper", "Neon"}, {"Charger", "Challenger"}),
        ("Toyota", 2010, {"Camry", "Prius"}, {"Supra", "MR2"}),
        ("Chevrolet", 2012, {"Camaro", "Sonic"}, {"Blazer", "Trailblazer"}),
        ("Ford", 2005, {"GT", "F-650", "E-350"}, {"F-600", "Bronco"}),
        ("Jeep", 1996, {"Cherokee"}, {"Wrangler"}),
        ("Acura", 2010, {"ZDX"}, {"Integra", "NSX"}),
    ],
)
def test_models_have_the_years_in_which_they_were_sold(
    make: str, year: int, built: set[str], not_built: set[str]
) -> None:
    names = {row["model_name"] for row in ask(f"{VEHICLE}/get_models", name=make, year=year)}
    assert built <= names and not_built.isdisjoint(names)


def test_a_model_names_each_of_its_spans() -> None:
    years = {row["model_name"]: row["years"] for row in ask(f"{VEHICLE}/get_models", name="dodge")}
    assert years["Charger"] == "1966 to 1978, 1982 to 1987, 2006 to 2023"
    makes = {row["make_name"] for row in ask(f"{VEHICLE}/get_makes", manufacturer="BMW", year=1990)}
    assert "TOYOTA" not in makes


def test_small_countries_have_their_languages() -> None:
    for code, language in (("TL", "tet"), ("PW", "pau"), ("KI", "gil"), ("TV", "tvl"), ("CK", "rar")):
        assert language in ask(f"{CALENDAR}/country_info", countryCode=code)["languages"]
    assert ask(f"{CALENDAR}/country_info", countryCode="TL")["continent"] == "Asia"


@pytest.mark.parametrize(
    ("code", "year", "day"),
    [
        ("PL", 2025, "2025-12-24"),
        ("RU", 2025, "2025-05-02"),
        ("KE", 2024, "2024-11-01"),
        ("CN", 2025, "2025-05-02"),
    ],
)
def test_no_holiday_is_known_before_it_was_decided(code: str, year: int, day: str) -> None:
    rows = ask(f"{CALENDAR}/public_holidays", year=year, countryCode=code)
    assert rows and day not in {row["date"] for row in rows}


@pytest.mark.parametrize("board", ["g", "po", "b", "mu"])
def test_posts_are_numbered_in_the_order_in_which_they_were_written(board: str) -> None:
    posts = [
        post
        for page in (1, 5, 10)
        for thread in ask(f"{CHAN}/get_threads_with_preview", board=board, page=page, limit=15)["threads"]
        for post in thread["posts"]
    ]
    posts.sort(key=lambda post: post["no"])
    assert all(one["time"] <= other["time"] for one, other in itertools.pairwise(posts))


def test_nobody_says_the_same_twice_in_a_thread() -> None:
    for row in ask(f"{CHAN}/get_catalog", board="tg", limit=15)["threads"]:
        posts = ask(f"{CHAN}/get_posts", board="tg", thread_no=row["no"])["posts"]
        words = [
            post["com"].split(" ", 1)[-1] if post["com"].startswith(">>") else post["com"] for post in posts
        ]
        assert len(set(words)) == len(words)


def test_a_collective_counts_in_the_money_of_its_town_and_its_guests_come_in_order() -> None:
    group = "Social/Open_Collective"
    assert ask(f"{group}/get_collective_info", collectiveSlug="riverbank-repair-cafe")["currency"] == "GBP"
    guests = ask(
        f"{group}/get_attendees_list", collectiveSlug="webpack", eventSlug="webpack-contributors-summit-2017"
    )["items"]
    days = [row["registered"] for row in guests]
    assert days == sorted(days)
    own = ask(
        f"{group}/get_attendees_list",
        collectiveSlug="harbour-code-club",
        eventSlug="harbour-code-club-volunteers-evening-2024",
    )["items"]
    assert [row["role"] for row in own[:2]] == ["ORGANIZER", "ATTENDEE"]


def test_a_table_is_in_order_and_missing_averages_say_what_there_is() -> None:
    rows = ask("Competition/API_NBA/standings", league="standard", season=2019, conference="East")
    shares = [row["percentage"] for row in rows]
    assert shares == sorted(shares, reverse=True)
    refused = call(
        World.fresh(0), "Competition/balldontlie/get_averages", {"season": 2021, "player_ids": [159]}
    )
    assert refused.error == "not_found" and "2023" in refused.text
