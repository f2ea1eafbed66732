"""Competition/Codeforces: contests, standings, submissions, hacks, problems, users and blogs."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated

from toolyard.world.faults import ToolFault, invalid, not_found, out_of_range
from toolyard.world.registry import tool
from toolyard.world.state import World
from toolyard.world.types import Page, Range
from toolyard.world.worlds.competition.contests import core
from toolyard.world.worlds.competition.contests.blogs import entries, find_entry
from toolyard.world.worlds.competition.contests.ratings import rating_changes
from toolyard.world.worlds.competition.contests.rounds import known_tags
from toolyard.world.worlds.competition.contests.shapes import (
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
    HackRow,
    Handle,
    ProblemRow,
    ProblemTag,
    Room,
    Standings,
    SubmissionRow,
    change_row,
    comment_row,
    contest_row,
    entry_row,
    hack_row,
    held,
    several,
    standing_row,
    submission_page,
    unix_now,
)


@tool(
    GROUP,
    examples=[{"blog_entry_id": 100}],
    phrase="get the comments below the Codeforces blog entry whose number is {blog_entry_id}",
    noun="the blog comments",
)
def blog_entry_comments(world: World, *, blog_entry_id: EntryId) -> list[CommentRow]:
    """Comments below a blog entry, oldest first; `parent` is the comment that one answers. Some two dozen entries are on
    record, written by made-up people.

    blog_entry_id: Number of the entry.
    """
    return [comment_row(comment) for comment in find_entry(world.seed, blog_entry_id).comments]


@tool(
    GROUP,
    examples=[{"blog_entry_id": 100}],
    phrase="open the Codeforces blog entry whose number is {blog_entry_id} with its text and tags",
    noun="the blog entry",
)
def blog_entry_view(world: World, *, blog_entry_id: EntryId) -> EntryDetails:
    """A blog entry with its text, tags and rating. Some two dozen are on record, written by made-up people.

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


@tool(
    GROUP,
    examples=[{"contest_id": 1}, {"contest_id": 1901}],
    phrase=(
        "list the hacks attempted during the Codeforces contest whose number is {contest_id}[, with manager "
        "access set to {as_manager}]"
    ),
    noun="the list of contest hacks",
)
def contest_hacks(world: World, *, contest_id: ContestId, as_manager: bool = False) -> list[HackRow]:
    """Attempts to break other people's solutions during a contest (or in the twelve hours after it, where that is the rule),
    in order of time, among the some thirty participants on record; there are none in the gym. Who attacked whom is
    simulated.

    contest_id: Number of the contest.
    as_manager: Ask for what only managers may see; denied to everybody else.
    """
    _as_participant(as_manager)
    contest = held(world, contest_id)
    found = [hack_row(contest, hack) for hack in core.hacks(world.seed, contest)]
    return sorted(found, key=lambda row: row["time"])


@tool(
    GROUP,
    examples=[{}, {"gym": True}],
    phrase="list Codeforces contests, latest first[, with the option for gym contests set to {gym}]",
    noun="the list of Codeforces contests",
    jobs=("contests",),
)
def contest_list(world: World, *, gym: bool = False) -> Page[ContestRow]:
    """Contests on record, latest first: those to come, and some that were held, 50 at most, and how many there are.

    gym: True for contests of the gym instead of regular ones; six are on record.
    """
    found = [contest for contest in core.contests(world.seed) if contest.gym == gym]
    found.sort(key=lambda contest: -contest.start)
    return {
        "total": len(found),
        "offset": 0,
        "items": [contest_row(one, unix_now(world)) for one in found[:50]],
    }


@tool(
    GROUP,
    examples=[{"contest_id": 1901}],
    phrase=(
        "get the rating changes of all participants after the Codeforces contest whose number is {contest_id}"
    ),
    noun="the contest rating changes",
)
def contest_rating_changes(world: World, *, contest_id: ContestId) -> list[ChangeRow]:
    """Ratings before and after a contest of the official participants on record, some thirty who are ranked among
    themselves; none for contests that are not rated. Results are simulated, those of known people as well.

    contest_id: Number of the contest.
    """
    contest = held(world, contest_id)
    return [change_row(change) for change in rating_changes(world.seed).get(contest.id, ())]


@tool(
    GROUP,
    examples=[{"contest_id": 1901, "count": 5}, {"contest_id": 1, "show_unofficial": True, "room": "1"}],
    phrase=(
        "get the final standings of the Codeforces contest whose number is {contest_id}[, with the first row "
        "set to {from_id}][, showing {count} rows][, only for the users whose handles are {handles}][, only "
        "for the room called {room}][, with showing unofficial participants set to {show_unofficial}]"
    ),
    noun="the contest standings",
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
    """Part of the final order of a contest with points (hacks add or cost some) and solved problems, and the contest itself.
    Of each contest some thirty participants are on record, ranked among themselves; how they did is simulated, for known
    people as well.

    contest_id: Number of the contest.
    as_manager: Ask for what only managers may see; denied to everybody else.
    from_id: Row to start from, counted from 1.
    count: How many rows to return.
    handles: Only these users, their handles joined by semicolons.
    room: Only this room.
    show_unofficial: Also those who took part out of competition.
    """
    _as_participant(as_manager)
    contest = held(world, contest_id)
    rooms = {core.room_of(world.seed, contest, one) for one in core.entrants(world.seed, contest)}
    if room is not None and room.strip() not in rooms:
        raise not_found(f"room of contest {contest_id}", room[:60], known=sorted(rooms))
    if handles is not None and not several(handles):
        raise invalid("handles", handles[:60], "want at least one handle, or leave it out")
    people = {core.find_user(world.seed, one) for one in several(handles)} if handles is not None else None
    listed = [row for row in core.standings(world.seed, contest) if row.official or show_unofficial]
    order = [row.rank for row in listed]
    rows = [
        replace(row, rank=1 + order.index(row.rank))
        for row in listed
        if (people is None or row.user in people)
        and (room is None or room.strip() == core.room_of(world.seed, contest, row.user))
    ]
    if from_id > max(1, len(rows)):
        raise out_of_range("from_id", from_id, f"there are {len(rows)} rows")
    shown = rows[from_id - 1 : from_id - 1 + count] if contest.problems else []
    return {
        "contest": contest_row(contest, unix_now(world)),
        "problems": [f"{one.index}. {one.name}" for one in contest.problems],
        "total": len(rows) if contest.problems else 0,
        "rows": [standing_row(world.seed, contest, row) for row in shown],
    }


@tool(
    GROUP,
    examples=[{"contest_id": 1901, "handle": "tourist"}, {"contest_id": 1, "from": 11, "count": 5}],
    phrase=(
        "list the solutions handed in during the Codeforces contest whose number is {contest_id}[, only "
        "those by {handle}][, {count} of them][, with the first position set to {from}]"
    ),
    noun="the list of contest submissions",
)
def contest_status(
    world: World,
    *,
    contest_id: ContestId,
    as_manager: bool = False,
    handle: Handle | None = None,
    from_: Annotated[int, Range(1)] = 1,
    count: Count = 10,
) -> Page[SubmissionRow]:
    """Solutions handed in during a contest by the some thirty participants on record, latest first, at most 30 at a time,
    and how many there are. They are simulated.

    contest_id: Number of the contest.
    as_manager: Ask for what only managers may see; denied to everybody else.
    handle: Only solutions of this user.
    from: The first one to return, counted from 1.
    count: How many to return.
    """
    _as_participant(as_manager)
    user = core.find_user(world.seed, handle) if handle is not None else None
    found = core.submissions(world.seed, held(world, contest_id))[::-1]
    return submission_page([one for one in found if user in (None, one.user)], from_, count, "from")


def _check_collection(name: str) -> None:
    if name.strip().casefold() != "acmsguru":
        raise invalid("problem_set_name", name[:60], "the only other collection is acmsguru")


# The first problems of acm.sgu.ru, from number 100 on.
_FIRST_OF_ARCHIVE = (
    "A+B;Domino;Coprimes;Traffic Lights;Little Shop of Flowers;Div 3;The Equation;987654321 Problem;Self-numbers II;"
    "Magic of David Copperfield II;Dungeon;Very Simple Problem;a^b - b^a;Nearly Prime Numbers;Telecasting Station;Calendar;"
    "Index of Super-prime;Counting;Digital Root;Magic Pairs;Archipelago;Bridges Painting;The Book;The Sum;Broken Line;"
    "Shtirlits;Boxes;Telephone Directory;Snake;Inheritance;Circle;Hardwood Floor;Another Chocolate Maniac;Border;Centroid;"
    "Drawing Lines;Erasing Edges;Funny Strings;Games of Chess;Help Needed!;Integer Sequences;Jumping Joe;Keyword;"
    "Long Live the Queen;Meeting;Strange People;The Runner;Black-white King;B-Station;Computer Network"
)


@functools.cache
def _archive() -> tuple[core.Problem, ...]:
    names = _FIRST_OF_ARCHIVE.split(";")
    return tuple(
        core.Problem(0, str(100 + n), name, None, 0, 0, ("*special",)) for n, name in enumerate(names)
    )


@tool(
    GROUP,
    examples=[
        {"tags": "dp;greedy"},
        {"tags": "implementation"},
        {"tags": "", "problem_set_name": "acmsguru"},
    ],
    phrase=(
        "list Codeforces problems with the tags set to {tags}[, from the problem set named "
        "{problem_set_name}]"
    ),
    noun="the list of Codeforces problems",
)
def problem_set_problems(
    world: World, *, tags: ProblemTag, problem_set_name: str | None = None
) -> Page[ProblemRow]:
    """Problems of the rounds on record that have all the tags, latest first: the first 30, and how many there are. Tags and
    ratings of many are not on record, and a problem may have more tags than those told.

    tags: Tags joined by semicolons, e.g. dp;greedy; empty for all.
    problem_set_name: Another collection instead: acmsguru, of whose hundreds the first 50 are on record, with
        no tags but *special.
    """
    found: Iterable[core.Problem] = (
        one for contest in core.contests(world.seed)[::-1] if not contest.gym for one in contest.problems
    )
    wanted = {tag.casefold() for tag in several(tags)}
    for tag in sorted(wanted - {*known_tags(), "*special"}):
        raise not_found("problem on record with the tag", tag[:60], known=known_tags())
    if problem_set_name is not None:
        _check_collection(problem_set_name)
        found = _archive()
        if wanted - {"*special"}:
            raise invalid(
                "tags", tags[:60], "problems of acmsguru have no tags but *special; leave them empty"
            )
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


@tool(
    GROUP,
    examples=[{"count": 5}],
    phrase=(
        "list the most recent solutions handed in to any Codeforces contest, {count} of them[, from the "
        "problem set named {problem_set_name}]"
    ),
    noun="the list of recent submissions",
)
def problem_set_recent_status(
    world: World, *, count: Count, problem_set_name: str | None = None
) -> Page[SubmissionRow]:
    """The solutions handed in last during contests on record, latest first, at most 30; they are simulated.

    count: How many to return.
    problem_set_name: Another collection instead: acmsguru, to which nobody has handed in anything.
    """
    if problem_set_name is not None:
        _check_collection(problem_set_name)
        return {"total": 0, "offset": 0, "items": []}
    done = [one for one in core.contests(world.seed) if one.start <= unix_now(world) and not one.gym]
    found = [one for contest in done[-3:] for one in core.submissions(world.seed, contest)]
    found.sort(key=lambda one: (-one.time, -one.id))
    return submission_page(found, 1, count)


@tool(
    GROUP,
    examples=[{"max_count": 5}],
    phrase="show the latest Codeforces blog actions, {max_count} of them",
    noun="the list of recent blog actions",
)
def recent_actions(world: World, *, max_count: Annotated[int, Range(1, 100)]) -> list[Action]:
    """What happened last in the blogs on record: new entries and comments of made-up people, latest first, at most 25.

    max_count: How many to return.
    """
    found: list[Action] = []
    for entry in entries(world.seed)[-30:]:
        found.append({"time": entry.time, "blog_entry": entry_row(entry)})
        found += [
            {"time": comment.time, "blog_entry": entry_row(entry), "comment": comment_row(comment)}
            for comment in entry.comments
        ]
    found = [action for action in found if action["time"] <= unix_now(world)]
    return sorted(found, key=lambda action: -action["time"])[: min(max_count, 25)]
