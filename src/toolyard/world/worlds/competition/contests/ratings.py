"""Ratings: over the official standings, contest after contest, towards what everybody can do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from toolyard.core.sums import added
from toolyard.world import seeds
from toolyard.world.worlds.competition.contests.contestants import User, users
from toolyard.world.worlds.competition.contests.core import standings
from toolyard.world.worlds.competition.contests.rounds import Contest, rounds

RANKS = (
    (3000, "legendary grandmaster"), (2600, "international grandmaster"), (2400, "grandmaster"),
    (2300, "international master"), (2100, "master"), (1900, "candidate master"), (1600, "expert"),
    (1400, "specialist"), (1200, "pupil"), (-9999, "newbie"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RatingChange:
    """What a contest did to somebody's rating."""

    contest: Contest
    user: User
    rank: int
    old: int
    new: int


def rank_of(rating: int) -> str:
    """The title that goes with a rating."""
    return next(name for low, name in RANKS if rating >= low)


def _first_rating(user: User, contest: Contest) -> int:
    """What somebody brings to the first round that is known: 1500 when new, near the own level after years."""
    new = contest.start < user.registered + 2 * 31557600 and not contest.rated_from
    return 1500 if new else user.skill - 60


# Below which ratings rounds are for people of these levels.
_BOUNDS = (1400, 1600, 2100)


def _after(user: User, rating: int, better: float, contest: Contest) -> int:
    """A rating after a contest: a step towards what somebody can do, more after a place that was better than expected.

    Nobody passes the bound of the division that is meant for him, in which he takes part again.
    """
    new = min(user.best, rating + round((user.skill - rating) * 0.3 + max(-60.0, min(60.0, 6 * better))))
    for bound in _BOUNDS:
        if user.skill < bound <= new:
            return bound - 1 - contest.id % 19
    return new


@seeds.table
def rating_changes(seed: int) -> Mapping[int, tuple[RatingChange, ...]]:
    """Contest -> changes of those it is rated for, against everybody else who took part, from 1500 on."""
    ratings: dict[User, int] = {}
    found: dict[int, tuple[RatingChange, ...]] = {}
    for contest in rounds(seed):
        rows = [row for row in standings(seed, contest) if row.official]
        before = {row.user: ratings.get(row.user, _first_rating(row.user, contest)) for row in rows}
        changes = []
        for place, row in enumerate(rows, 1):
            mine = before[row.user]
            expected = 1 + added(
                1 / (1 + 10 ** ((mine - other) / 400))
                for user, other in before.items()
                if user is not row.user
            )
            changes.append(
                RatingChange(
                    contest, row.user, place, mine, _after(row.user, mine, expected - place, contest)
                )
            )
        ratings.update({change.user: change.new for change in changes})
        found[contest.id] = tuple(changes)
    return found


@seeds.table
def histories(seed: int) -> Mapping[str, list[RatingChange]]:
    """Handle -> rating changes in order of time."""
    found: dict[str, list[RatingChange]] = {user.handle: [] for user in users(seed)}
    for changes in rating_changes(seed).values():
        for change in changes:
            found[change.user.handle].append(change)
    return found
