"""Which tool can do the job of which: every line of the table names tools that exist, and rivals are mutual."""

from __future__ import annotations

import pytest

from toolyard.synth.chains.rivals import near, replaces, rivals, same_jobs
from toolyard.world.registry import library


def test_the_table_of_jobs_names_tools_of_the_library_and_at_least_two_of_each() -> None:
    assert same_jobs()
    for job in same_jobs():
        assert len(job) > 1
        assert not job - library().keys()


@pytest.mark.parametrize("job", same_jobs(), ids=lambda job: min(job))
def test_tools_of_one_job_replace_each_other(job: frozenset[str]) -> None:
    assert all(replaces(one, other) for one in job for other in job)


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
