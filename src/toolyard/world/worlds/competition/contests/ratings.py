"""Ratings: Elo over the official standings, contest after contest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from toolyard.world import seeds
from toolyard.world.worlds.competition.contests.core import RATED, Contest, User, contests, standings, users

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


@seeds.table
def rating_changes(seed: int) -> Mapping[int, tuple[RatingChange, ...]]:
    """Contest -> changes: Elo against everybody else who took part, contest after contest from 1400 on."""
    ratings: dict[User, int] = dict.fromkeys(users(seed), 1400)
    found: dict[int, tuple[RatingChange, ...]] = {}
    for contest in contests(seed)[:RATED]:
        rows = [row for row in standings(seed, contest) if row.official]
        changes = []
        for place, row in enumerate(rows, 1):
            mine = ratings[row.user]
            expected = 1 + sum(
                1 / (1 + 10 ** ((mine - ratings[other.user]) / 400)) for other in rows if other is not row
            )
            changes.append(RatingChange(contest, row.user, place, mine, mine + round(9 * (expected - place))))
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


def history(seed: int, user: User) -> list[RatingChange]:
    """The rating changes of a user in order of time; a derived user ranked below all who are listed."""
    found = histories(seed).get(user.handle)
    return _derived_history(seed, user) if found is None else found


def _derived_history(seed: int, user: User) -> list[RatingChange]:
    chance = seeds.stream(seed, "derived ratings", user.handle)
    rating, found = 1400, []
    for place in sorted(chance.sample(range(RATED), chance.randrange(8, 20))):
        contest = contests(seed)[place]
        new = rating + round((user.skill - rating) * 0.3 + chance.randrange(-60, 61))
        found.append(
            RatingChange(
                contest, user, len(standings(seed, contest)) + chance.randrange(1, 4000), rating, new
            )
        )
        rating = new
    return found
