"""Programming contests: submissions, standings, hacks and ratings tell one story."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from toolyard.world import World, call
from toolyard.world.worlds.competition.contests import core
from toolyard.world.worlds.competition.contests.ratings import histories

SEEDS = (0, 5)


def ask(tool: str, seed: int = 0, **arguments: Any) -> Any:
    observation = call(World.fresh(seed), f"Competition/{tool}", arguments)
    assert observation.error is None, observation.text
    return observation.value


@pytest.mark.parametrize("seed", SEEDS)
def test_standings_are_counted_from_the_submissions(seed: int) -> None:
    contest = core.find_contest(seed, 1901)
    good = {
        (one.user.handle, one.problem.index) for one in core.submissions(seed, contest) if one.verdict == "OK"
    }
    rows = core.standings(seed, contest)
    assert {(row.user.handle, index) for row in rows for index, _, _ in row.solved} == good
    assert [row.points for row in rows] == sorted((row.points for row in rows), reverse=True)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_challenged_solution_was_hacked_once(seed: int) -> None:
    contest = core.find_contest(seed, 1)
    broken = {one.id for one in core.submissions(seed, contest) if one.verdict == "CHALLENGED"}
    worked = [hack.target.id for hack in core.hacks(seed, contest) if hack.verdict == "HACK_SUCCESSFUL"]
    assert sorted(worked) == sorted(broken)
    assert ask("Codeforces/contest_hacks", seed, contest_id=1)


def test_ratings_join_from_contest_to_contest_and_end_in_the_profile() -> None:
    for handle in ("tourist", "Petr"):
        changes = histories(0)[handle]
        assert all(one.new == other.old for one, other in pairwise(changes))
        assert ask("Codeforces/user_info", handle=handle)[0]["rating"] == changes[-1].new
    best = ask("Codeforces/user_rated_list", include_retired=True)["items"][:10]
    assert any(row["handle"] in ("tourist", "jiangly", "Benq", "Um_nik", "Radewoosh") for row in best)


def test_problems_have_all_the_tags_asked_for() -> None:
    found = ask("Codeforces/problem_set_problems", tags="dp;greedy")["items"]
    assert found
    assert all({"dp", "greedy"} <= set(row["tags"]) for row in found)


def test_contests_to_come_are_the_same_on_both_sites() -> None:
    coming = [row["name"] for row in ask("Codeforces/contest_list")["items"] if row["phase"] == "BEFORE"]
    assert sorted(coming) == sorted(
        row["name"] for row in ask("kontests/list_of_kontests", contest_name="codeforces")
    )


def test_what_managers_see_is_denied() -> None:
    answer = call(
        World.fresh(), "Competition/Codeforces/contest_status", {"contest_id": 1, "as_manager": True}
    )
    assert answer.error == "denied"


def test_rounds_problems_and_people_are_those_of_the_site() -> None:
    contest = ask("Codeforces/contest_standings", contest_id=1950, count=3)
    assert contest["contest"]["name"] == "Codeforces Round 937 (Div. 4)"
    assert contest["problems"][0] == "A. Stair, Peak, or Neither?"
    who = ask("Codeforces/user_info", handle="tourist")[0]
    assert (who["name"], who["country"], who["rank"]) == (
        "Gennady Korotkevich",
        "Belarus",
        "legendary grandmaster",
    )
    assert 3500 < who["rating"] <= who["max_rating"] == 3979
    names = [row["name"] for row in ask("Codeforces/problem_set_problems", tags="brute force;math")["items"]]
    assert "Watermelon" in names


def test_rounds_are_rated_for_their_division_and_written_in_the_languages_of_their_time() -> None:
    changed = ask("Codeforces/contest_rating_changes", contest_id=1901)
    assert changed
    assert all(row["old_rating"] < 2200 for row in changed)
    first = ask("Codeforces/contest_status", contest_id=1, count=30)["items"]
    assert {row["language"] for row in first} <= {"GNU C++", "MS C++", "Java 6", "Python 2", "Delphi 7"}
    best = {row["language"] for row in ask("Codeforces/user_status", handle="tourist", count=30)["items"]}
    assert all(language.startswith("C++") for language in best)
