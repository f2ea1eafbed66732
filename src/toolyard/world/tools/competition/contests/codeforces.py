"""Competition/Codeforces: contests, standings, submissions, hacks, problems, users and blogs."""

from dataclasses import replace
from typing import Annotated

from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import ToolFault, invalid, not_found, out_of_range
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import page, page_of
from toolyard.world.kernel.types import Page, Range
from toolyard.world.simulated.contests import core
from toolyard.world.simulated.contests.blogs import blog_entries, find_entry, known_tags
from toolyard.world.tools.competition.contests import shapes
from toolyard.world.tools.competition.contests.shapes import (
    GROUP,
    SHOWN,
    ContestId,
    Count,
    EntryId,
    Handle,
    ProblemTag,
    Room,
    contest_row,
    find_started_contest,
    split_list,
    standing_row,
    submission_page,
    unix_now,
)


@GROUP.tool(
    examples=[{"blog_entry_id": 100}],
    phrase="get the comments below the Codeforces blog entry whose number is {blog_entry_id}",
    noun="the blog comments",
)
def blog_entry_comments(world: World, *, blog_entry_id: EntryId) -> list[shapes.CommentRow]:
    """Comments below a blog entry, oldest first; `parent` is the comment that one answers.

    blog_entry_id: Number of the entry.
    """
    return shapes.COMMENTS.rows(find_entry(world.seed, blog_entry_id).comments)


@GROUP.tool(
    examples=[{"blog_entry_id": 100}],
    phrase="open the Codeforces blog entry whose number is {blog_entry_id} with its text and tags",
    noun="the blog entry",
)
def blog_entry_view(world: World, *, blog_entry_id: EntryId) -> shapes.EntryDetails:
    """A blog entry with its text, tags and rating.

    blog_entry_id: Number of the entry.
    """
    return shapes.ENTRY.row(find_entry(world.seed, blog_entry_id))


def _refuse_manager(as_manager: bool) -> None:
    if as_manager:
        raise ToolFault("denied", "only managers of the contest may see it so; leave as_manager out")


@GROUP.tool(
    examples=[{"contest_id": 1}, {"contest_id": 1901}],
    phrase=(
        "list the hacks attempted during the Codeforces contest whose number is {contest_id}[, with manager "
        "access set to {as_manager}]"
    ),
    noun="the list of contest hacks",
)
def contest_hacks(world: World, *, contest_id: ContestId, as_manager: bool = False) -> list[shapes.HackRow]:
    """Attempts to break other people's solutions during a contest, in order of time; there are none in the gym.

    contest_id: Number of the contest.
    as_manager: Ask for what only managers may see; denied to everybody else.
    """
    _refuse_manager(as_manager)
    return shapes.HACKS.rows(core.hacks(world.seed, find_started_contest(world, contest_id)))


@GROUP.tool(
    examples=[{}, {"gym": True}],
    phrase="list Codeforces contests, latest first[, with the option for gym contests set to {gym}]",
    noun="the list of Codeforces contests",
    jobs=("contests",),
)
def contest_list(world: World, *, gym: bool = False) -> Page[shapes.ContestRow]:
    """Contests, latest first: those to come and those that were held, 50 at most, and how many there are.

    gym: True for contests of the gym instead of regular ones.
    """
    found = sorted(core.contest_rounds(gym=gym), key=lambda contest: -contest.start)
    return page_of(found, lambda one: contest_row(one, unix_now(world)), 50)


@GROUP.tool(
    examples=[{"contest_id": 1901}],
    phrase=(
        "get the rating changes of all participants after the Codeforces contest whose number is {contest_id}"
    ),
    noun="the contest rating changes",
)
def contest_rating_changes(world: World, *, contest_id: ContestId) -> list[shapes.ChangeRow]:
    """Ratings before and after a contest of the official participants, best first; none for contests that are not rated.

    contest_id: Number of the contest.
    """
    contest = find_started_contest(world, contest_id)
    return shapes.CHANGES.rows(core.rating_changes(world.seed).get(contest.id, ()))


@GROUP.tool(
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
) -> shapes.Standings:
    """Part of the final order of a contest with points (hacks add or cost some) and solved problems, and the contest itself.

    contest_id: Number of the contest.
    as_manager: Ask for what only managers may see; denied to everybody else.
    from_id: Row to start from, counted from 1.
    count: How many rows to return.
    handles: Only these users, their handles joined by semicolons.
    room: Only this room.
    show_unofficial: Also those who took part out of competition.
    """
    _refuse_manager(as_manager)
    contest = find_started_contest(world, contest_id)
    rooms = {core.room_number(world.seed, contest, one) for one in core.entrants(world.seed, contest)}
    if room is not None and room.strip() not in rooms:
        raise not_found(f"room of contest {contest_id}", room[:60], known=sorted(rooms))
    if handles is not None and not split_list(handles):
        raise invalid("handles", handles[:60], "want at least one handle, or leave it out")
    people = {core.find_user(one) for one in split_list(handles)} if handles is not None else None
    listed = [row for row in core.contest_standings(world.seed, contest) if row.official or show_unofficial]
    order = [row.rank for row in listed]
    rows = [
        replace(row, rank=1 + order.index(row.rank))
        for row in listed
        if (people is None or row.user in people)
        and (room is None or room.strip() == core.room_number(world.seed, contest, row.user))
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


@GROUP.tool(
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
) -> Page[shapes.SubmissionRow]:
    """Solutions handed in during a contest, latest first, at most 30 at a time, and how many there are.

    contest_id: Number of the contest.
    as_manager: Ask for what only managers may see; denied to everybody else.
    handle: Only solutions of this user.
    from: The first one to return, counted from 1.
    count: How many to return.
    """
    _refuse_manager(as_manager)
    user = core.find_user(handle) if handle is not None else None
    found = core.contest_submissions(world.seed, find_started_contest(world, contest_id))[::-1]
    return submission_page([one for one in found if user in (None, one.user)], from_, count, "from")


def _check_collection(name: str) -> None:
    if name.strip().casefold() != "acmsguru":
        raise invalid("problem_set_name", name[:60], "the only other collection is acmsguru")


@GROUP.tool(
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
) -> Page[shapes.ProblemRow]:
    """Problems of the rounds that have all the tags, latest first: the first 30, and how many there are.

    tags: Tags joined by semicolons, e.g. dp;greedy; empty for all.
    problem_set_name: Another collection instead: acmsguru.
    """
    wanted = {tag.casefold() for tag in split_list(tags)}
    for tag in sorted(wanted - set(known_tags())):
        raise not_found("tag", tag[:60], known=known_tags())
    if problem_set_name is not None:
        _check_collection(problem_set_name)
    chosen = core.contest_rounds()[::-1] if problem_set_name is None else [core.all_contests()[core.ARCHIVE]]
    rows = [one for contest in chosen for one in contest.problems if wanted <= set(one.tags)]
    items: list[shapes.ProblemRow] = [
        {**shapes.PROBLEMS.row(one), "solved_count": core.solved_count(world.seed, one)}
        for one in rows[:SHOWN]
    ]
    return {"total": len(rows), "offset": 0, "items": items}


@GROUP.tool(
    examples=[{"count": 5}],
    phrase=(
        "list the most recent solutions handed in to any Codeforces contest, {count} of them[, from the "
        "problem set named {problem_set_name}]"
    ),
    noun="the list of recent submissions",
)
def problem_set_recent_status(
    world: World, *, count: Count, problem_set_name: str | None = None
) -> Page[shapes.SubmissionRow]:
    """The solutions handed in last during contests, latest first, at most 30.

    count: How many to return.
    problem_set_name: Another collection instead: acmsguru, to which nobody has handed in anything.
    """
    if problem_set_name is not None:
        _check_collection(problem_set_name)
        return {"total": 0, "offset": 0, "items": []}
    done = [one for one in core.contest_rounds() if one.start <= unix_now(world)]
    found = [one for contest in done[-3:] for one in core.contest_submissions(world.seed, contest)]
    found.sort(key=lambda one: (-one.time, -one.id))
    return submission_page(found, 1, count)


@GROUP.tool(
    examples=[{"max_count": 5}],
    phrase="show the latest Codeforces blog actions, {max_count} of them",
    noun="the list of recent blog actions",
)
def recent_actions(world: World, *, max_count: Annotated[int, Range(1, 100)]) -> list[shapes.Action]:
    """What happened last in the blogs: new entries and comments, latest first, at most 25.

    max_count: How many to return.
    """
    found: list[shapes.Action] = []
    for entry in blog_entries(world.seed)[-30:]:
        row = shapes.ENTRIES.row(entry)
        found.append({"time": entry.time, "blog_entry": row})
        found += [
            {"time": one.time, "blog_entry": row, "comment": shapes.COMMENTS.row(one)}
            for one in entry.comments
        ]
    found = [action for action in found if action["time"] <= unix_now(world)]
    return sorted(found, key=lambda action: -action["time"])[: min(max_count, 25)]


@GROUP.tool(
    examples=[{"handle": "MikeMirzayanov"}],
    phrase="list the Codeforces blog entries written by {handle}",
    noun="the list of the user's blog entries",
)
def user_blog_entries(world: World, *, handle: Handle) -> list[shapes.EntryRow]:
    """Blog entries that a user wrote, latest first.

    handle: Handle of the user.
    """
    user = core.find_user(handle)
    return shapes.ENTRIES.rows(entry for entry in blog_entries(world.seed)[::-1] if entry.user is user)


@GROUP.tool(
    examples=[{}, {"only_online": True}],
    phrase=(
        "list the friends of my signed-in Codeforces account[, with the restriction to friends online set to "
        "{only_online}]"
    ),
    noun="the list of friends",
)
def user_friends(world: World, *, only_online: bool = False) -> list[Handle]:
    """Handles of the friends of the account that is signed in here.

    only_online: Only those who were seen within the last five minutes.
    """
    friends = seeds.stream(world.seed, "friends").sample(list(core.all_users().values()), 20)
    limit = unix_now(world) - 300
    return [
        user.handle
        for user in friends
        if not only_online or core.last_online(world.seed, user, unix_now(world)) >= limit
    ]


# So many users can be asked for at once.
_MOST = 20


@GROUP.tool(
    examples=[{"handle": "tourist;Petr"}],
    phrase="get the Codeforces profile with country, rating and title for {handle}",
    noun="the Codeforces profile",
)
def user_info(world: World, *, handle: Handle) -> list[shapes.UserRow]:
    """Users with name, country, rating and title.

    handle: Handles joined by semicolons, at most 20.
    """
    wanted = list(dict.fromkeys(split_list(handle)))
    if not 0 < len(wanted) <= _MOST:
        raise invalid("handle", handle[:60], f"want one to {_MOST} handles, joined by semicolons")
    rows: list[shapes.UserRow] = []
    for user in (core.find_user(one) for one in wanted):
        rating, best = core.rating_and_best(world.seed, user)
        rows.append(
            {
                "handle": user.handle,
                "name": user.name,
                "country": user.country,
                "rank": core.rank_title(rating),
                "rating": rating,
                "max_rank": core.rank_title(best),
                "max_rating": best,
                "last_online": core.last_online(world.seed, user, unix_now(world)),
            }
        )
    return rows


@GROUP.tool(
    examples=[{}, {"active_only": True}, {"contest_id": 1901}],
    phrase=(
        "list the rated Codeforces users, best first[, with the restriction to active users set to "
        "{active_only}][, with including retired users set to {include_retired}][, only those who took part "
        "in the contest whose number is {contest_id}]"
    ),
    noun="the list of rated users",
)
def user_rated_list(
    world: World,
    *,
    active_only: bool = False,
    include_retired: bool = False,
    contest_id: ContestId | None = None,
) -> Page[shapes.RatedRow]:
    """Users with a rating, best first: the first 60, and how many there are.

    active_only: Only those who took part in a rated contest during the last month.
    include_retired: Also those who have not been seen for a month.
    contest_id: Only those who took part in this contest.
    """
    month = unix_now(world) - 30 * 86400
    inside = (
        core.entrants(world.seed, find_started_contest(world, contest_id)) if contest_id is not None else None
    )
    rows: list[shapes.RatedRow] = []
    for user in core.all_users().values():
        changes = core.all_histories(world.seed)[user]
        seen = include_retired or core.last_online(world.seed, user, unix_now(world)) >= month
        active = not active_only or (changes and changes[-1].contest.start >= month)
        if seen and active and (inside is None or user in inside):
            rating, best = core.rating_and_best(world.seed, user)
            rows.append(
                {
                    "handle": user.handle,
                    "rank": core.rank_title(rating),
                    "rating": rating,
                    "max_rating": best,
                    "country": user.country,
                }
            )
    rows.sort(key=lambda row: (-row["rating"], row["handle"]))
    return page(rows, 60)


@GROUP.tool(
    examples=[{"handle": "tourist"}],
    phrase="get the rating history on Codeforces for {handle}",
    noun="the rating history",
)
def user_rating(world: World, *, handle: Handle) -> Page[shapes.ChangeRow]:
    """The rating changes of a user, oldest first and at most 40, and how many there are.

    handle: Handle of the user.
    """
    found = core.all_histories(world.seed)[core.find_user(handle)]
    first = max(0, len(found) - 40)
    return {"total": len(found), "offset": first, "items": shapes.CHANGES.rows(found[first:])}


@GROUP.tool(
    examples=[{"handle": "tourist", "count": 5}],
    phrase=(
        "list the solutions handed in on Codeforces by {handle}[, {count} of them][, with the first position "
        "set to {from_id}]"
    ),
    noun="the list of the user's submissions",
)
def user_status(
    world: World, *, handle: Handle, from_id: Annotated[int, Range(1)] = 1, count: Count = 10
) -> Page[shapes.SubmissionRow]:
    """Solutions of a user during contests, latest first, at most 30 at a time, and how many there are.

    handle: Handle of the user.
    from_id: The first one to return, counted from 1.
    count: How many to return.
    """
    user = core.find_user(handle)
    return submission_page(core.submissions_by_user(world.seed)[user], from_id, count)
