"""Blog entries of contestants and the comments below them: everybody has written some; votes and comments are seeded."""

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import not_found
from toolyard.world.kernel.state import EPOCH
from toolyard.world.kernel.tables import fold_case, table_rows
from toolyard.world.simulated.contests.core import User, all_contests, all_users

# Numbers grow evenly from the opening of the site until today.
_OPENED, _FIRST, _LAST = 1266240000, 90, 129600
_NOW = int(EPOCH.timestamp()) - 1200
_EACH, _BREAK = 2, " // "


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


def _entry_time(number: int) -> int:
    """When the entry of a number was written."""
    return _OPENED + (_NOW - _OPENED) * (number - _FIRST) // (_LAST - _FIRST)


@functools.cache
def known_tags() -> tuple[str, ...]:
    """The tags of all problems."""
    return tuple(
        sorted({tag for one in all_contests().values() for problem in one.problems for tag in problem.tags})
    )


@functools.cache
def _numbers() -> Mapping[int, tuple[User, Mapping[str, str]]]:
    """Number of an entry -> who wrote it, and the line of the table it comes from."""
    # The first row makes the texts of everybody who has none of their own.
    made, *own = table_rows("codeforces_blogs.tsv")
    found = {int(row["id"]): (all_users()[fold_case(row["author"])], row) for row in own}
    for user in all_users().values():
        for turn in range(_EACH):
            share = seeds.unit("blog", user.handle, turn)
            time = user.registered + int((_NOW - user.registered) * share)
            number = _FIRST + (time - _OPENED) * (_LAST - _FIRST) // (_NOW - _OPENED) + 1
            while number in found:
                number += 1
            found[number] = (user, made)
    return found


def _draw_comments(seed: int, number: int, texts: list[str]) -> Iterator[Comment]:
    chance, time, before = seeds.stream(seed, "comments", number), _entry_time(number), 0
    rest = max(1, min(9 * 86400, _NOW - time) // (len(texts) + 1))
    for place, text in enumerate(texts, 1):
        time += 1 + chance.randrange(rest)
        parent = before if before and chance.random() < 0.4 else None
        before = number * 10 + place
        yield Comment(
            before, chance.choice(list(all_users().values())), time, text, chance.randrange(-5, 40), parent
        )


@seeds.cache_by_seed(1024)
def find_entry(seed: int, number: int) -> Entry:
    """The entry of a number; a not_found fault otherwise."""
    if number not in _numbers():
        raise not_found(
            "blog entry", number, known=sorted(_numbers()), listed_by="Competition/Codeforces/recent_actions"
        )
    user, row = _numbers()[number]
    chance = seeds.stream(seed, "blog", number)
    words = dict(zip(("tag", "other"), chance.sample(known_tags(), 2), strict=True))
    content, texts = row["content"].split(_BREAK), row["comments"].split(_BREAK)
    if row is table_rows("codeforces_blogs.tsv")[0]:
        content, texts = chance.sample(content, 3), chance.sample(texts, chance.randint(2, len(texts)))
    tags = tuple(row["tags"].format(**words).split(","))
    return Entry(number, user, _entry_time(number), row["title"].format(**words), " ".join(content).format(**words), tags,
                 chance.randrange(-15, 400), tuple(_draw_comments(seed, number, texts)))  # fmt: skip


@seeds.table
def blog_entries(seed: int) -> tuple[Entry, ...]:
    """All entries, oldest first."""
    return tuple(find_entry(seed, number) for number in sorted(_numbers()))
