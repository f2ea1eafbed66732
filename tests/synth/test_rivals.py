"""Which tool can do the job of which: tools that share a job replace each other, and rivals are mutual."""

from __future__ import annotations

import pytest

from toolyard.synth.chains.rivals import near, replaces, rivals
from toolyard.world.kernel.facts import THE_WEB
from toolyard.world.kernel.registry import library

JOBS = sorted({job for tool in library().values() for job in tool.facts.jobs})


@pytest.mark.parametrize("job", JOBS)
def test_tools_of_one_job_replace_each_other(job: str) -> None:
    able = [tool.id for tool in library().values() if job in tool.facts.jobs]
    assert len(able) > 1
    assert all(replaces(one, other) for one in able for other in able)


def test_what_a_tool_stands_in_for_exists() -> None:
    known = {
        part for tool in library().values() for part in (tool.id, tool.id.rsplit("/", 1)[0], tool.category)
    }
    named = {part for tool in library().values() for part in tool.facts.stands_in_for}
    assert named - known == {THE_WEB}


@pytest.mark.parametrize(
    ("one", "other", "able"),
    [
        ("Search/EngineSearch/google_search", "News/news_search/get_news_headlines", True),
        ("News/news_search/get_news_headlines", "Search/EngineSearch/google_search", True),
        ("Vehicle/Vehicle/get_makes", "Vehicle/Vehicle/get_vehicle_types", False),
        ("Weather/weatherapi/marine", "Weather/weatherapi/time_zone", False),
        ("Vehicle/Vehicle/get_makes", "Music/Music/search_itunes", False),
    ],
)
def test_rivals_count_in_both_directions(one: str, other: str, able: bool) -> None:
    assert rivals(one, other) is rivals(other, one) is able


def test_tools_are_near_by_what_they_are_about_not_by_their_category() -> None:
    assert near("Finance/Yelp/yelp_search", "Location/Geodatabase/find_places")
    assert not near("Finance/Yelp/yelp_search", "Stock/Stock/get_daily_prices")
