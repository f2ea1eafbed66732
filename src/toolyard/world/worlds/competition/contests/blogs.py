"""Blog entries of contestants and the comments below them; people and words are made up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from toolyard.world import seeds
from toolyard.world.faults import not_found
from toolyard.world.tables import read_table
from toolyard.world.worlds.competition.contests.contestants import ORGANIZER, User, users

# When the last comments below the newest entries were written, 2024-05-15 08:40 UTC.
_LATEST = 1715762400
_DAY = 86400
# (number of an entry, when it was written), about: numbers have grown ever faster.
_WRITTEN = ((79, 1266240000), (100, 1266340000), (190, 1268150000), (1000, 1293840000),
            (3500, 1325376000), (6300, 1356998400), (10000, 1388534400),
            (15700, 1420070400), (22500, 1451606400), (49500, 1483228800), (56900, 1514764800), (64200, 1546300800),
            (72500, 1577836800), (86400, 1609459200), (98700, 1640995200), (110900, 1672531200), (124000, 1704067200),
            (129300, 1714860000), (129560, 1715760000))  # fmt: skip
# (moment, how many comments there were), about.
_COMMENTED = ((1266278400, 1200), (1356998400, 130_000), (1483228800, 330_000), (1577836800, 590_000),
              (1672531200, 1_005_000), (1715760000, 1_152_700))  # fmt: skip
# Entries of the first year are about rounds of the same week.
_FIRST_YEAR, _BREAK = 1000, " // "


@dataclass(frozen=True, slots=True, eq=False)
class Comment:
    """A comment on an entry."""

    id: int
    user: User
    time: int
    text: str
    rating: int
    parent: int | None


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """A blog entry."""

    id: int
    user: User
    time: int
    title: str
    content: str
    tags: tuple[str, ...]
    rating: int
    comments: tuple[Comment, ...]


def _between(points: tuple[tuple[int, int], ...], place: int) -> int:
    """The value at a place on the line through some points."""
    (left, low), (right, high) = next(
        (pair for pair in pairwise(points) if place <= pair[1][0]), (points[-2], points[-1])
    )
    return low + (high - low) * (place - left) // (right - left)


def _person(seed: int, number: int) -> User:
    """The contestant of a number; 0 is the founder."""
    known = users(seed)
    return known[number] if number else next(user for user in known if user.handle == ORGANIZER)


def _moments(seed: int, number: int, time: int, count: int) -> list[int]:
    """When the comments below an entry were written: quickly at first, and below a new one until now."""
    early = number < _FIRST_YEAR
    most = min(_LATEST - time, (2 if early else 2 + seeds.number(seed, "talk", number) % 8) * _DAY)
    shares = [
        (place / count) ** 1.7 * (0.9 + 0.1 * seeds.unit(seed, "said", number, place))
        for place in range(1, count + 1)
    ]
    return [time + max(240, int(most * share)) for share in shares]


def _numbered(moments: Iterable[int]) -> dict[int, int]:
    """Moment -> number of the comment that was written then; later ones have higher numbers."""
    found: dict[int, int] = {}
    last = 0
    for moment in sorted(moments):
        last = found[moment] = max(last + 1, _between(_COMMENTED, moment))
    return found


def _comments(
    seed: int, text: str, moments: Iterable[int], numbers: Mapping[int, int]
) -> tuple[Comment, ...]:
    """The comments of a line of the table: author, votes, which comment before it is answered (0: none), and the words."""
    found: list[Comment] = []
    for part, moment in zip(text.split(_BREAK), moments, strict=True):
        author, votes, answered, words = part.split(" ", 3)
        parent = found[int(answered) - 1].id if int(answered) else None
        found.append(Comment(numbers[moment], _person(seed, int(author)), moment, words, int(votes), parent))
    return tuple(found)


@seeds.table
def entries(seed: int) -> tuple[Entry, ...]:
    """All entries, oldest first."""
    rows = list(read_table("codeforces_blogs.tsv"))
    times = [
        _between(_WRITTEN, int(row["id"])) + seeds.number(seed, "entry", row["id"]) % 3000 for row in rows
    ]
    talks = [
        _moments(seed, int(row["id"]), time, 1 + row["comments"].count(_BREAK))
        for row, time in zip(rows, times, strict=True)
    ]
    numbers = _numbered(moment for talk in talks for moment in talk)
    found = [
        Entry(int(row["id"]), _person(seed, int(row["author"])), time, row["title"], row["content"],
              tuple(row["tags"].split(",")), int(row["rating"]), _comments(seed, row["comments"], talk, numbers))
        for row, time, talk in zip(rows, times, talks, strict=True)
    ]  # fmt: skip
    return tuple(sorted(found, key=lambda entry: entry.time))


def find_entry(seed: int, number: int) -> Entry:
    """The entry of a number; a not_found fault otherwise."""
    for entry in entries(seed):
        if entry.id == number:
            return entry
    raise not_found("blog entry", number, known=[entry.id for entry in entries(seed)])
