"""Searches: real events before filler, the famous thing before its namesakes, and queries answered as they are written."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.state import World


def ask(name: str, **arguments: object) -> Any:
    result = call(World.fresh(0), name, arguments)
    assert result.error is None, result.text
    return json.loads(result.text)


NEWS = "Search/EngineSearch/bing_news_search"


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("NVIDIA earnings", "Nvidia before its results"),
        ("Eurovision 2024", "Nemo wins"),
        ("Boeing safety", "Boeing broke agreement"),
        ("Fed interest rate decision", "Federal Reserve holds rates"),
        ("Slovakia Fico", "Fico's Smer"),
        ("Gaza ceasefire", "Rafah"),
        ("Manchester City Premier League title race", "Manchester City beat Tottenham"),
    ],
)
def test_news_of_several_words_find_the_events_and_no_filler(query: str, told: str) -> None:
    titles = [row["title"] for row in ask(NEWS, query=query)]
    assert told in titles[0]
    assert not any(title.startswith(("In pictures:", "Explained:", "From the archive:")) for title in titles)


def test_the_name_of_one_thing_is_no_news_about_another() -> None:
    assert all("apple pie" in row["title"] for row in ask(NEWS, query="apple pie"))
