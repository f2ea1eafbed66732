"""Competition/Codeforces: users with ratings, friends, solutions and blogs."""

from __future__ import annotations

from typing import Annotated

from toolyard.world import seeds
from toolyard.world.faults import invalid
from toolyard.world.registry import tool
from toolyard.world.state import World
from toolyard.world.tables import page
from toolyard.world.types import Page, Range
from toolyard.world.worlds.competition.contests import core
from toolyard.world.worlds.competition.contests.blogs import entries
from toolyard.world.worlds.competition.contests.contestants import ORGANIZER, UNKNOWN_BEST
from toolyard.world.worlds.competition.contests.ratings import histories, rank_of
from toolyard.world.worlds.competition.contests.shapes import (
    GROUP,
    ChangeRow,
    ContestId,
    Count,
    EntryRow,
    Handle,
    RatedRow,
    SubmissionRow,
    UserRow,
    change_row,
    entry_row,
    held,
    last_online,
    several,
    submission_page,
    unix_now,
)


@tool(
    GROUP,
    examples=[{"handle": "MikeMirzayanov"}],
    phrase="list the Codeforces blog entries written by {handle}",
    noun="the list of the user's blog entries",
)
def user_blog_entries(world: World, *, handle: Handle) -> list[EntryRow]:
    """Blog entries on record that a user wrote, latest first: of most people none, and of those whom everybody knows only
    two of the founder.

    handle: Handle of the user.
    """
    user = core.find_user(world.seed, handle)
    return [entry_row(entry) for entry in entries(world.seed)[::-1] if entry.user is user]


@tool(
    GROUP,
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
    friends = seeds.stream(world.seed, "friends").sample(core.users(world.seed), 20)
    limit = unix_now(world) - 300
    return [
        user.handle
        for user in friends
        if not only_online or last_online(world.seed, user, unix_now(world)) >= limit
    ]


def _ratings(seed: int, user: core.User) -> tuple[int, int]:
    """The rating of a user and the best one so far; who took part in no rated round yet has the first one."""
    if user.handle == ORGANIZER:
        return 0, 0
    found = [change.new for change in histories(seed)[user.handle]] or [user.skill]
    return found[-1], user.best if user.best < UNKNOWN_BEST else max(found)


def _title(user: core.User, rating: int) -> str:
    return "headquarters" if user.handle == ORGANIZER else rank_of(rating)


# So many users can be asked for at once.
_MOST = 20


@tool(
    GROUP,
    examples=[{"handle": "tourist;Petr"}],
    phrase="get the Codeforces profile with country, rating and title for {handle}",
    noun="the Codeforces profile",
)
def user_info(world: World, *, handle: Handle) -> list[UserRow]:
    """Users on record with name, country, rating and title: some whom everybody knows, others that are made up. Ratings are
    simulated, those of known people near the ones of spring 2024. The founder of the site has no rating (0).

    handle: Handles joined by semicolons, at most 20.
    """
    wanted = list(dict.fromkeys(several(handle)))
    if not 0 < len(wanted) <= _MOST:
        raise invalid("handle", handle[:60], f"want one to {_MOST} handles, joined by semicolons")
    rows: list[UserRow] = []
    for user in (core.find_user(world.seed, one) for one in wanted):
        rating, best = _ratings(world.seed, user)
        rows.append(
            {
                "handle": user.handle,
                "name": user.name,
                "country": user.country,
                "rank": _title(user, rating),
                "rating": rating,
                "max_rank": _title(user, best),
                "max_rating": best,
                "last_online": last_online(world.seed, user, unix_now(world)),
            }
        )
    return rows


@tool(
    GROUP,
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
) -> Page[RatedRow]:
    """Users on record (some 160) with a rating, best first: the first 60, and how many there are. Ratings are simulated,
    those of known people near the ones of spring 2024.

    active_only: Only those who took part in a rated contest during the last month.
    include_retired: Also those who have not been seen for a month.
    contest_id: Only those who took part in this contest.
    """
    month = unix_now(world) - 30 * 86400
    inside = core.entrants(world.seed, held(world, contest_id)) if contest_id is not None else None
    rows: list[RatedRow] = []
    for user in core.users(world.seed):
        changes = histories(world.seed)[user.handle]
        seen = include_retired or last_online(world.seed, user, unix_now(world)) >= month
        active = not active_only or (changes and changes[-1].contest.start >= month)
        if user.handle != ORGANIZER and seen and active and (inside is None or user in inside):
            rating, best = _ratings(world.seed, user)
            rows.append(
                {
                    "handle": user.handle,
                    "rank": rank_of(rating),
                    "rating": rating,
                    "max_rating": best,
                    "country": user.country,
                }
            )
    rows.sort(key=lambda row: (-row["rating"], row["handle"]))
    return page(rows, 60)


@tool(
    GROUP,
    examples=[{"handle": "tourist"}],
    phrase="get the rating history on Codeforces for {handle}",
    noun="the rating history",
)
def user_rating(world: World, *, handle: Handle) -> Page[ChangeRow]:
    """The rating changes of a user in the rounds on record, oldest first and at most 40, and how many there are. The rank is
    that among the some thirty participants on record. Results are simulated, for known people as well.

    handle: Handle of the user.
    """
    found = histories(world.seed)[core.find_user(world.seed, handle).handle]
    first = max(0, len(found) - 40)
    return {"total": len(found), "offset": first, "items": [change_row(change) for change in found[first:]]}


@tool(
    GROUP,
    examples=[{"handle": "tourist", "count": 5}],
    phrase=(
        "list the solutions handed in on Codeforces by {handle}[, {count} of them][, with the first position "
        "set to {from_id}]"
    ),
    noun="the list of the user's submissions",
)
def user_status(
    world: World, *, handle: Handle, from_id: Annotated[int, Range(1)] = 1, count: Count = 10
) -> Page[SubmissionRow]:
    """Solutions of a user during the contests on record, latest first, at most 30 at a time, and how many there are. They
    are simulated, for known people as well.

    handle: Handle of the user.
    from_id: The first one to return, counted from 1.
    count: How many to return.
    """
    user = core.find_user(world.seed, handle)
    return submission_page(core.submissions_by(world.seed, user), from_id, count)
