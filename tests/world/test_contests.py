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
