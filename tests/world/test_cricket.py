"""Cricket: innings add up, results follow from them, and the tools tell one story under every seed."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest

from toolyard.world import World, call
from toolyard.world.simulated.sports.cricket_core import all_series, matches, outcome

SEEDS = (0, 1, 7)


def ask(tool: str, seed: int = 0, **arguments: Any) -> Any:
    observation = call(World.fresh(seed), f"Competition/Cricket_Live_Data/{tool}", arguments)
    assert observation.error is None, observation.text
    return observation.value


@pytest.mark.parametrize("seed", SEEDS)
def test_every_run_and_wicket_is_accounted_for(seed: int) -> None:
    for match in matches()[::7]:
        for innings in outcome(seed, match).innings:
            scored = [re.fullmatch(r".+ (\d+)(\*?) \(\d+\)", text) for text in innings["batting"]]
            bowled = [text.rsplit(" ", 1)[1].split("-") for text in innings["bowling"]]
            assert innings["runs"] == innings["extras"] + sum(int(one[1]) for one in scored if one)
            assert innings["runs"] == sum(int(runs) for _, runs in bowled)
            out = sum(not one[2] for one in scored if one)
            assert innings["wickets"] == out == sum(int(wickets) for wickets, _ in bowled)


@pytest.mark.parametrize("seed", SEEDS)
def test_results_follow_from_the_scores(seed: int) -> None:
    for match in matches()[::5]:
        ended = outcome(seed, match)
        sums = {match.home: 0, match.away: 0}
        for innings in ended.innings:
            sums[innings["team"]] += innings["runs"]
        if ended.winner is not None:
            loser = match.home if ended.winner == match.away else match.away
            assert sums[ended.winner] > sums[loser]
            assert ended.result.startswith(f"{ended.winner} won by ")
        else:
            assert ended.result == "Match drawn"


@pytest.mark.parametrize("seed", SEEDS)
def test_tools_show_one_table(seed: int) -> None:
    assert {row["series_id"] for row in ask("series", seed)} == {match.series.id for match in matches()}
    for row in ask("results", seed)["items"][:5]:
        card = ask("match_scorecard", seed, match_id=row["id"])
        assert (card["result"], card["winner"]) == (row["result"], row["winner"])
        assert row in ask("results_by_date", seed, date=row["date"]) or card["status"] == "Result"
        listed = ask("fixtures_by_series", seed, series_id=row["series_id"])
        assert row["result"] in {one["result"] for one in listed if one["id"] == row["id"]}
    assert all(row["status"] == "Fixture" for row in ask("fixtures", seed)["items"])


def test_matches_lie_within_their_series_and_nobody_plays_two_of_one_at_once() -> None:
    for series in all_series():
        own = [match for match in matches() if match.series is series]
        assert all(series.first <= match.start.date() and match.end.date() <= series.last for match in own)
        for team in series.teams:
            times = sorted((one.start, one.end) for one in own if team in (one.home, one.away))
            assert all(before[1] < after[0] for before, after in pairwise(times)), (
                series.name,
                team,
            )


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [("fixtures_by_series", {"series_id": 1}), ("match_scorecard", {"match_id": 5}),
     ("results_by_date", {"date": "2025-01-01"})],
)  # fmt: skip
def test_what_does_not_exist_is_refused(tool: str, arguments: dict[str, Any]) -> None:
    assert call(World.fresh(), f"Competition/Cricket_Live_Data/{tool}", arguments).error in (
        "not_found",
        "out_of_range",
    )
