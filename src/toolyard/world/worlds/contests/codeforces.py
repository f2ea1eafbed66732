"""Competition/Codeforces: contests, standings, submissions, hacks, problems, users and blogs."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import Annotated

from toolyard.world import seeds
from toolyard.world.faults import ToolFault, invalid
from toolyard.world.registry import tool
from toolyard.world.state import World
from toolyard.world.types import Page, Range
from toolyard.world.worlds.contests import core
from toolyard.world.worlds.contests.blogs import entries, find_entry
from toolyard.world.worlds.contests.shapes import (
    GROUP,
    SHOWN,
    Action,
    ChangeRow,
    CommentRow,
    ContestId,
    ContestRow,
    Count,
    EntryDetails,
    EntryId,
    EntryRow,
    HackRow,
    Handle,
    ProblemRow,
    ProblemTag,
    RatedRow,
    Room,
    StandingRow,
    Standings,
    SubmissionRow,
    UserRow,
    change_row,
    comment_row,
    contest_row,
    entry_row,
    hack_row,
    submission_row,
)


@tool(GROUP, examples=[{"blog_entry_id": 100}])
def blog_entry_comments(world: World, *, blog_entry_id: EntryId) -> list[CommentRow]:
    """Comments below a blog entry, oldest first; `parent` is the comment that one answers.

    blog_entry_id: Number of the entry.
    """
    return [comment_row(comment) for comment in find_entry(world.seed, blog_entry_id).comments]


@tool(GROUP, examples=[{"blog_entry_id": 100}])
def blog_entry_view(world: World, *, blog_entry_id: EntryId) -> EntryDetails:
    """A blog entry with its text, tags and rating.

    blog_entry_id: Number of the entry.
    """
    entry = find_entry(world.seed, blog_entry_id)
    return {
        "id": entry.id,
        "author": entry.user.handle,
        "title": entry.title,
        "content": entry.content,
        "creation_time": entry.time,
        "tags": list(entry.tags),
        "rating": entry.rating,
        "number_of_comments": len(entry.comments),
    }


def _as_participant(as_manager: bool) -> None:
    if as_manager:
        raise ToolFault("denied", "only managers of the contest may see it so; leave as_manager out")


@tool(GROUP, examples=[{"contest_id": 1}, {"contest_id": 1901}])
def contest_hacks(world: World, *, contest_id: ContestId, as_manager: bool = False) -> list[HackRow]:
    """Attempts to break other people's solutions during a contest, in order of time.

    contest_id: Number of the contest.
    as_manager: Ask for what only managers may see; denied to everybody else.
    """
    _as_participant(as_manager)
    contest = core.find_contest(world.seed, contest_id)
    return [hack_row(contest, hack) for hack in core.hacks(world.seed, contest)]


def _now(world: World) -> int:
    return int(world.now.timestamp())


@tool(GROUP, examples=[{}, {"gym": True}])
def contest_list(world: World, *, gym: bool = False) -> Page[ContestRow]:
    """Contests, latest first: those to come, and the latest that were held, 50 in all, and how many there are.

    gym: True for the training contests of the gym instead of regular ones.
    """
    found = [contest for contest in core.contests(world.seed) if contest.gym == gym]
    found.sort(key=lambda contest: -contest.start)
    return {"total": len(found), "offset": 0, "items": [contest_row(one, _now(world)) for one in found[:50]]}


@tool(GROUP, examples=[{"contest_id": 1901}])
def contest_rating_changes(world: World, *, contest_id: ContestId) -> list[ChangeRow]:
    """Ratings of all official participants before and after a contest; none for contests that are not rated.

    contest_id: Number of the contest.
    """
    contest = core.find_contest(world.seed, contest_id)
    return [change_row(change) for change in core.rating_changes(world.seed).get(contest.id, ())]


def _room(seed: int, contest: core.Contest, user: core.User) -> str:
    return str(1 + core.entrants(seed, contest).index(user) // 10)


def _standing(seed: int, contest: core.Contest, row: core.Row) -> StandingRow:
    return {
        "rank": row.rank,
        "handle": row.user.handle,
        "participant_type": "CONTESTANT" if row.official else "OUT_OF_COMPETITION",
        "room": _room(seed, contest, row.user),
        "points": row.points,
        "penalty": row.penalty,
        "solved": [
            {"index": index, "points": points, "rejected_attempts": wrong}
            for index, points, wrong in row.solved
        ],
    }


@tool(
    GROUP,
    examples=[{"contest_id": 1901, "count": 5}, {"contest_id": 1, "show_unofficial": True, "room": "1"}],
)
def contest_standings(
    world: World,
    *,
    contest_id: ContestId,
    as_manager: bool = False,
    from_id: Annotated[int, Range(1)] = 1,
    count: Annotated[int, Range(1, 50)] = 10,
    handles: Handle | None = None,
    room: Room | None = None,
    show_unofficial: bool = False,
) -> Standings:
    """Part of the final order of a contest with points and solved problems, and the contest itself.

    contest_id: Number of the contest.
    as_manager: Ask for what only managers may see; denied to everybody else.
    from_id: Row to start from, counted from 1.
    count: How many rows to return.
    handles: Only these users, their handles joined by semicolons.
    room: Only this room.
    show_unofficial: Also those who took part out of competition.
    """
    _as_participant(as_manager)
    contest = core.find_contest(world.seed, contest_id)
    people = {core.find_user(world.seed, one) for one in _several(handles)} if handles is not None else None
    rows = [
        row
        for row in core.standings(world.seed, contest)
        if (row.official or show_unofficial)
        and (people is None or row.user in people)
        and (room is None or room.strip() == _room(world.seed, contest, row.user))
    ]
    shown = rows[from_id - 1 : from_id - 1 + count] if contest.problems else []
    return {
        "contest": contest_row(contest, _now(world)),
        "problems": [f"{one.index}. {one.name}" for one in contest.problems],
        "total": len(rows) if contest.problems else 0,
        "rows": [_standing(world.seed, contest, row) for row in shown],
    }


def _several(text: str) -> list[str]:
    return [part for part in (one.strip() for one in text.split(";")) if part][:50]


def _submissions(found: Sequence[core.Submission], first: int, count: int) -> Page[SubmissionRow]:
    shown = found[first - 1 : first - 1 + min(count, SHOWN)]
    return {"total": len(found), "offset": first - 1, "items": [submission_row(one) for one in shown]}


@tool(GROUP, examples=[{"contest_id": 1901, "handle": "tourist"}, {"contest_id": 1, "from": 11, "count": 5}])
def contest_status(
    world: World,
    *,
    contest_id: ContestId,
    as_manager: bool = False,
    handle: Handle | None = None,
    from_: Annotated[int, Range(1)] = 1,
    count: Count = 10,
) -> Page[SubmissionRow]:
    """Solutions handed in during a contest, latest first, at most 30 at a time, and how many there are.

    contest_id: Number of the contest.
    as_manager: Ask for what only managers may see; denied to everybody else.
    handle: Only solutions of this user.
    from: The first one to return, counted from 1.
    count: How many to return.
    """
    _as_participant(as_manager)
    user = core.find_user(world.seed, handle) if handle is not None else None
    found = core.submissions(world.seed, core.find_contest(world.seed, contest_id))[::-1]
    return _submissions([one for one in found if user in (None, one.user)], from_, count)


@functools.lru_cache(maxsize=8)
def _archive(seed: int) -> tuple[core.Problem, ...]:
    """The problems of acm.sgu.ru: no contest, numbers from 100 on."""
    names = (
        "A+B",
        "Point in Polygon",
        "Coprimes",
        "Little Shop",
        "Div 3",
        "The Equation",
        "Strange Number",
        "Magic Square",
    )
    return tuple(core.Problem(0, str(100 + n), name, 0, 0, ("*special",)) for n, name in enumerate(names))


@tool(
    GROUP,
    examples=[
        {"tags": "dp;greedy"},
        {"tags": "implementation"},
        {"tags": "", "problem_set_name": "acmsguru"},
    ],
)
def problem_set_problems(
    world: World, *, tags: ProblemTag, problem_set_name: str | None = None
) -> Page[ProblemRow]:
    """Problems that have all the tags, latest first: the first 30, and how many there are.

    tags: Tags joined by semicolons, e.g. dp;greedy; empty for all.
    problem_set_name: Another collection instead: acmsguru.
    """
    found: Iterable[core.Problem] = (
        one for contest in core.contests(world.seed)[::-1] for one in contest.problems
    )
    if problem_set_name is not None:
        if problem_set_name.strip().casefold() != "acmsguru":
            raise invalid("problem_set_name", problem_set_name[:60], "the only other collection is acmsguru")
        found = _archive(world.seed)
    wanted = {tag.casefold() for tag in _several(tags)}
    rows = [one for one in found if wanted <= set(one.tags)]
    items: list[ProblemRow] = [
        {
            "contest_id": one.contest or None,
            "index": one.index,
            "name": one.name,
            "rating": one.rating,
            "tags": list(one.tags),
        }
        for one in rows[:SHOWN]
    ]
    return {"total": len(rows), "offset": 0, "items": items}


@tool(GROUP, examples=[{"count": 5}])
def problem_set_recent_status(
    world: World, *, count: Count, problem_set_name: str | None = None
) -> Page[SubmissionRow]:
    """The solutions handed in most recently to any contest, latest first, at most 30.

    count: How many to return.
    problem_set_name: Another collection instead: acmsguru, to which nobody has handed in anything.
    """
    if problem_set_name is not None:
        return {"total": 0, "offset": 0, "items": []}
    done = [one for one in core.contests(world.seed) if one.start <= _now(world) and not one.gym]
    found = [one for contest in done[-3:] for one in core.submissions(world.seed, contest)]
    found.sort(key=lambda one: (-one.contest.start - 60 * one.minute, -one.id))
    return _submissions(found, 1, count)


@tool(GROUP, examples=[{"max_count": 5}])
def recent_actions(world: World, *, max_count: Annotated[int, Range(1, 100)]) -> list[Action]:
    """What happened last in the blogs: new entries and comments, latest first, at most 25.

    max_count: How many to return.
    """
    found: list[Action] = []
    for entry in entries(world.seed)[-20:]:
        found.append({"time": entry.time, "blog_entry": entry_row(entry)})
        found += [
            {"time": comment.time, "blog_entry": entry_row(entry), "comment": comment_row(comment)}
            for comment in entry.comments
        ]
    found = [action for action in found if action["time"] <= _now(world)]
    return sorted(found, key=lambda action: -action["time"])[: min(max_count, 25)]


@tool(GROUP, examples=[{"handle": "tourist"}])
def user_blog_entries(world: World, *, handle: Handle) -> list[EntryRow]:
    """Blog entries written by a user, latest first.

    handle: Handle of the user.
    """
    user = core.find_user(world.seed, handle)
    return [entry_row(entry) for entry in entries(world.seed)[::-1] if entry.user is user]


def _last_online(world: World, user: core.User) -> int:
    """Within the last five minutes for one in four, else some hours or weeks ago."""
    chance = seeds.unit(world.seed, "online", user.handle)
    return _now(world) - int(chance * 1200 if chance < 0.25 else 40 * 86400 * chance**3)


@tool(GROUP, examples=[{}, {"only_online": True}])
def user_friends(world: World, *, only_online: bool = False) -> list[Handle]:
    """Handles of the friends of the account that is signed in here.

    only_online: Only those who were seen within the last five minutes.
    """
    friends = seeds.stream(world.seed, "friends").sample(core.users(world.seed), 20)
    limit = _now(world) - 300
    return [user.handle for user in friends if not only_online or _last_online(world, user) >= limit]


def _ratings(seed: int, user: core.User) -> list[int]:
    return [change.new for change in core.histories(seed)[user.handle]] or [1400]


@tool(GROUP, examples=[{"handle": "tourist;Petr"}])
def user_info(world: World, *, handle: Handle) -> list[UserRow]:
    """Users with name, country, rating and title.

    handle: Handles joined by semicolons, at most 20.
    """
    wanted = _several(handle)[:20]
    if not wanted:
        raise invalid("handle", handle[:60], "want at least one handle")
    rows: list[UserRow] = []
    for user in (core.find_user(world.seed, one) for one in wanted):
        ratings = _ratings(world.seed, user)
        rows.append(
            {
                "handle": user.handle,
                "name": user.name,
                "country": user.country,
                "city": user.city or None,
                "organization": user.organization,
                "rank": core.rank_of(ratings[-1]),
                "rating": ratings[-1],
                "max_rank": core.rank_of(max(ratings)),
                "max_rating": max(ratings),
                "contribution": user.contribution,
                "friend_of": user.friends,
                "registration_time": user.registered,
                "last_online": _last_online(world, user),
            }
        )
    return rows


@tool(GROUP, examples=[{}, {"active_only": True}, {"contest_id": 1901}])
def user_rated_list(
    world: World,
    *,
    active_only: bool = False,
    include_retired: bool = False,
    contest_id: ContestId | None = None,
) -> Page[RatedRow]:
    """Users with a rating, best first: the first 60, and how many there are.

    active_only: Only those who took part in a rated contest during the last month.
    include_retired: Also those who have not been seen for a month.
    contest_id: Only those who took part in this contest.
    """
    month = _now(world) - 30 * 86400
    inside = (
        core.entrants(world.seed, core.find_contest(world.seed, contest_id))
        if contest_id is not None
        else None
    )
    rows: list[RatedRow] = []
    for user in core.users(world.seed):
        history = core.histories(world.seed)[user.handle]
        seen = include_retired or _last_online(world, user) >= month
        active = not active_only or (history and history[-1].contest.start >= month)
        if history and seen and active and (inside is None or user in inside):
            ratings = _ratings(world.seed, user)
            rows.append(
                {
                    "handle": user.handle,
                    "rank": core.rank_of(ratings[-1]),
                    "rating": ratings[-1],
                    "max_rating": max(ratings),
                    "contests": len(history),
                }
            )
    rows.sort(key=lambda row: (-row["rating"], row["handle"]))
    return {"total": len(rows), "offset": 0, "items": rows[:60]}


@tool(GROUP, examples=[{"handle": "tourist"}])
def user_rating(world: World, *, handle: Handle) -> Page[ChangeRow]:
    """The latest 40 rating changes of a user, oldest of them first, and how many there are.

    handle: Handle of the user.
    """
    found = core.histories(world.seed)[core.find_user(world.seed, handle).handle]
    first = max(0, len(found) - 40)
    return {"total": len(found), "offset": first, "items": [change_row(change) for change in found[first:]]}


@tool(GROUP, examples=[{"handle": "tourist", "count": 5}])
def user_status(
    world: World, *, handle: Handle, from_id: Annotated[int, Range(1)] = 1, count: Count = 10
) -> Page[SubmissionRow]:
    """Solutions of a user, latest first, at most 30 at a time, and how many there are.

    handle: Handle of the user.
    from_id: The first one to return, counted from 1.
    count: How many to return.
    """
    user = core.find_user(world.seed, handle)
    return _submissions(core.submissions_of(world.seed)[user.handle], from_id, count)
