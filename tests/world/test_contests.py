"""Programming contests: submissions, standings, hacks, ratings and blogs tell one story under every seed."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from toolyard.world import World, call
from toolyard.world.simulated.contests import core
from toolyard.world.simulated.contests.blogs import entries

SEEDS = (0, 1, 7)


def ask(tool: str, seed: int = 0, **arguments: Any) -> Any:
    observation = call(World.fresh(seed), f"Competition/{tool}", arguments)
    assert observation.error is None, observation.text
    return observation.value


@pytest.mark.parametrize("seed", SEEDS)
def test_standings_are_counted_from_the_submissions(seed: int) -> None:
    for contest in core.rounds()[:-4:9]:
        found = core.submissions(seed, contest)
        good = {(one.user.handle, one.problem.index) for one in found if one.verdict == "OK"}
        rows = core.standings(seed, contest)
        assert {(row.user.handle, index) for row in rows for index, _, _ in row.solved} == good
        assert [row.points for row in rows] == sorted((row.points for row in rows), reverse=True)
        assert {row.user for row in rows} == set(core.entrants(seed, contest))
        assert all(
            one.user.registered < contest.start <= one.time <= contest.start + contest.duration
            for one in found
        )


@pytest.mark.parametrize("seed", SEEDS)
def test_every_challenged_solution_was_hacked_once(seed: int) -> None:
    for contest in core.rounds()[:-4:9]:
        broken = [one.id for one in core.submissions(seed, contest) if one.verdict == "CHALLENGED"]
        worked = [hack.target.id for hack in core.hacks(seed, contest) if hack.verdict == "HACK_SUCCESSFUL"]
        assert sorted(worked) == sorted(broken)
        assert all(hack.hacker is not hack.target.user for hack in core.hacks(seed, contest))
    assert ask("Codeforces/contest_hacks", seed, contest_id=1)


@pytest.mark.parametrize("seed", SEEDS)
def test_ratings_join_from_contest_to_contest_and_end_in_the_profile(seed: int) -> None:
    for user in list(core.users().values())[::20]:
        changes = core.histories(seed)[user]
        assert all(one.new == other.old for one, other in pairwise(changes))
        told = ask("Codeforces/user_info", seed, handle=user.handle)[0]
        assert told["rating"] <= told["max_rating"]
        assert not changes or told["rating"] == changes[-1].new
        assert ask("Codeforces/user_rating", seed, handle=user.handle)["total"] == len(changes)
        assert 0 < told["rating"] < 4200


@pytest.mark.parametrize("seed", SEEDS)
def test_everybody_has_written_in_the_blogs(seed: int) -> None:
    now = int(World.fresh().now.timestamp())
    for user in core.users().values():
        own = [entry for entry in entries(seed) if entry.user is user]
        assert own, user.handle
        assert all(user.registered <= entry.time <= now for entry in own[1:])
    for entry in entries(seed):
        times = [entry.time, *(comment.time for comment in entry.comments)]
        assert times == sorted(times)
        assert times[-1] <= now
    row = ask("Codeforces/user_blog_entries", seed, handle="Benq")[0]
    whole = ask("Codeforces/blog_entry_view", seed, blog_entry_id=row["id"])
    assert (whole["author"], whole["title"]) == ("Benq", row["title"])
    assert whole["number_of_comments"] == len(
        ask("Codeforces/blog_entry_comments", seed, blog_entry_id=row["id"])
    )


def test_contests_and_problems_are_the_same_under_every_seed() -> None:
    found = ask("Codeforces/problem_set_problems", tags="dp;greedy")["items"]
    assert found
    assert all({"dp", "greedy"} <= set(row["tags"]) for row in found)
    assert found == ask("Codeforces/problem_set_problems", 1, tags="dp;greedy")["items"]
    coming = [row["name"] for row in ask("Codeforces/contest_list")["items"] if row["phase"] == "BEFORE"]
    listed = ask("kontests/list_of_kontests", contest_name="codeforces")
    assert sorted(coming) == sorted(row["name"] for row in listed)


def test_submissions_of_a_contest_are_those_of_its_users() -> None:
    one = ask("Codeforces/problem_set_recent_status", count=1)["items"][0]
    own = ask("Codeforces/user_status", handle=one["author"])["items"]
    there = ask("Codeforces/contest_status", contest_id=one["contest_id"], handle=one["author"])["items"]
    assert one in own
    assert one in there


@pytest.mark.parametrize(
    ("tool", "arguments", "kind"),
    [("contest_status", {"contest_id": 1, "as_manager": True}, "denied"), ("user_info", {"handle": "turist"}, "not_found"),
     ("contest_standings", {"contest_id": 1976}, "out_of_range"), ("contest_hacks", {"contest_id": 0}, "not_found"),
     ("blog_entry_view", {"blog_entry_id": 5}, "not_found"), ("problem_set_problems", {"tags": "cooking"}, "not_found")],
)  # fmt: skip
def test_what_cannot_be_told_is_refused(tool: str, arguments: dict[str, Any], kind: str) -> None:
    assert call(World.fresh(), f"Competition/Codeforces/{tool}", arguments).error == kind
