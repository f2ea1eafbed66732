"""Kinds that no table can hold in full: derived where they are well formed, refused where they are not."""

from __future__ import annotations

from typing import Any

import pytest

from toolyard.world import World, call


@pytest.fixture
def world() -> World:
    return World.fresh(0)


def ask(world: World, tool: str, **arguments: Any) -> Any:
    seen = call(world, tool, arguments)
    assert seen.error is None, seen.value
    return seen.value


def refused(world: World, tool: str, **arguments: Any) -> bool:
    return call(world, tool, arguments).error == "not_found"


def test_news_tells_what_happened_and_its_pages_can_be_read(world: World) -> None:
    assert ask(world, "Search/EngineSearch/bing_news_search", query="latest news about penguins") == []
    found = ask(world, "Search/EngineSearch/bing_news_search", query="latest news about Eurovision")
    read = ask(world, "Search/EngineSearch/get_further_contents", request_url=found[0]["link"])
    assert read["title"] == found[0]["title"]
    assert ask(world, "News/news_search/get_news_headlines", q="Tesla")["total"] > 0
    assert ask(world, "News/news_search/get_news_headlines", q="xqzzt blorp")["items"] == []


def test_pages_that_are_not_kept_are_refused(world: World) -> None:
    tool = "Search/EngineSearch/get_further_contents"
    assert ask(world, tool, request_url="https://en.wikipedia.org/wiki/Berlin")["title"] == "Berlin"
    assert refused(world, tool, request_url="https://www.nasa.gov/missions")
    assert refused(world, tool, request_url="https://meridian-daily.example/no-such-page")
    assert refused(world, tool, request_url="not a url")


def test_everyday_goods_are_the_same_in_all_shops(world: World) -> None:
    found = ask(world, "Search/ShoppingSearch/walmart_search", query="toilet brush")
    item = found[0]["us_item_id"]
    assert "Toilet Brush" in found[0]["title"]
    assert ask(world, "Search/ShoppingSearch/walmart_review_search", query=item)["us_item_id"] == item
    compared = ask(world, "Search/ShoppingSearch/yahoo_shopping_search", query="toilet brush")
    assert {row["title"] for row in found[:3]} == {row["title"] for row in compared[:3]}


def test_a_product_line_keeps_its_name(world: World) -> None:
    found = ask(world, "Search/ShoppingSearch/walmart_search", query="nintendo switch lite")
    assert found[0]["title"].startswith("Nintendo Switch Lite")


def test_only_handles_and_tags_on_record_are_known(world: World) -> None:
    for handle in ("mnbvmarr", "some_body7", "a b c", "vrkpt"):
        assert refused(world, "Competition/Codeforces/user_info", handle=handle)
    for tag in ("fft", "no such tag"):
        assert refused(world, "Competition/Codeforces/problem_set_problems", tags=tag)
    found = ask(world, "Competition/Codeforces/problem_set_problems", tags="ternary search")["items"]
    assert [row["name"] for row in found] == ["Civilization"]


def test_further_race_courses_have_races_with_cards_and_horses_of_their_own(world: World) -> None:
    race = ask(world, "Competition/Horse_Racing/query_races", course="Uttoxeter Racecourse")["items"][0]
    card = ask(world, "Competition/Horse_Racing/race_detail_info", id_race=race["id_race"])
    assert card["course"] == "Uttoxeter"
    horse = card["horses"][0]["id_horse"]
    runs = ask(world, "Competition/Horse_Racing/horse_stats", id_horse=horse)["results"]
    assert race["id_race"] in {run["id_race"] for run in runs}
    cards = ask(world, "Competition/Horse_Racing/racecards", date=race["date"])
    assert race["id_race"] in {row["id_race"] for row in cards}
    unknown = call(world, "Competition/Horse_Racing/query_races", {"course": "Xqzzt Downs"})
    assert unknown.error == "not_found"


@pytest.mark.parametrize(
    ("asked", "title"),
    [("Galatasaray", "Galatasaray"), ("BVB", "Borussia Dortmund"), ("Lakers", "Los Angeles Lakers")],
)
def test_clubs_are_known_to_the_encyclopaedia_and_the_engines(world: World, asked: str, title: str) -> None:
    assert ask(world, "Search/CostumizeSearch/wiki_search", entity=asked)["title"] == title
    found = ask(world, "Search/EngineSearch/google_search", query=title)["organic_results"]
    assert any(title in row["title"] for row in found)
