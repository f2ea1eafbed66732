"""The threads of a board with all their posts, which are written out: numbers rise with time, as fast as people post
there."""

import functools
from collections.abc import Mapping
from random import Random
from typing import NamedTuple

from toolyard.world.kernel import seeds
from toolyard.world.kernel.state import EPOCH
from toolyard.world.kernel.tables import read_table, values_of
from toolyard.world.tools.social.chan_shapes import PostRow, Thread

PAGES = 10
PER_PAGE = 4
_NOW = int(EPOCH.timestamp())
# A board holds so many posts in its open threads, which tells how long one stays open.
_POSTS_OF_A_BOARD = 1650
# Threads of long ago that people ask for by number: board -> subject -> (number, when it was opened).
_NAMED: Mapping[str, Mapping[str, tuple[int, int]]] = values_of("chan_threads.named")


class _Talk(NamedTuple):
    board: str
    subject: str
    opener: str
    replies: tuple[str, ...]


@functools.cache
def _talks_by_board() -> Mapping[str, tuple[_Talk, ...]]:
    """The threads as they are written, by board."""
    rows: dict[str, list[_Talk]] = {}
    for row in read_table("chan_written.tsv"):
        talk = _Talk(row["board"], row["subject"], row["opener"], tuple(row["replies"].split("|")))
        rows.setdefault(talk.board, []).append(talk)
    return {board: tuple(own) for board, own in rows.items()}


def old_thread_numbers(code: str) -> frozenset[int]:
    """Numbers of a board's threads of another age, which can be read and stand in no list of the last closed ones."""
    return frozenset(number for number, _ in _NAMED.get(code, {}).values())


def board_rows() -> tuple[dict[str, str], ...]:
    """The boards as they are written."""
    return tuple(read_table("chan_boards.tsv"))


class _Draft:
    """A thread whose posts have times and no numbers yet."""

    def __init__(
        self, talk: _Talk, words: tuple[str, ...], opened: int, changed: int, chance: Random
    ) -> None:
        self.talk, self.words = talk, words
        waits = [0.05 + chance.random() ** 2 for _ in words]
        self.times, passed = [opened], 0.0
        for wait in waits:
            passed += wait
            self.times.append(opened + round((changed - opened) * passed / sum(waits)))

    def thread(self, numbers: list[int], *, archived: bool) -> Thread:
        """The thread, its posts under these numbers."""
        first = numbers[0]
        posts: list[PostRow] = [
            {"no": number, "resto": first if place else 0, "time": time, "name": "Anonymous", "com": com}
            for place, (number, time, com) in enumerate(
                zip(numbers, self.times, (self.talk.opener, *self.words), strict=True)
            )
        ]
        return Thread(
            self.talk.board, first, self.talk.subject, self.talk.opener, self.times[0], self.times[-1],
            len(self.words), closed=archived, posts=tuple(posts),
        )  # fmt: skip


def _draft(talk: _Talk, changed: int, span: float, chance: Random) -> _Draft:
    """A thread of these days: some of its replies, in the order in which they are written."""
    places = sorted(chance.sample(range(len(talk.replies)), chance.randint(4, len(talk.replies))))
    lasted = round(span * (0.1 + 0.5 * chance.random())) + 60
    return _Draft(talk, tuple(talk.replies[at] for at in places), changed - lasted, changed, chance)


def _post_numbers(drafts: list[_Draft], top: int, a_day: int) -> dict[tuple[int, int], int]:
    """The number of each post of each thread: the later the higher, and as many a day as the board has."""
    order = sorted(
        ((time, -at, -place) for at, one in enumerate(drafts) for place, time in enumerate(one.times)),
        reverse=True,
    )
    found: dict[tuple[int, int], int] = {}
    last = top
    for time, at, place in order:
        last = min(last - 1, top - round((_NOW - time) * a_day / 86400))
        found[-at, -place] = last
    return found


@seeds.cache_by_seed(64)
def board_threads(seed: int, code: str) -> tuple[tuple[Thread, ...], tuple[Thread, ...]]:
    """Open threads of a board, the latest reply first, and archived ones, the highest number first."""
    board = next(row for row in board_rows() if row["board"] == code)
    chance = seeds.stream(seed, "threads", code)
    a_day = int(board["a_day"])
    span = 86400 * _POSTS_OF_A_BOARD / a_day
    subjects = [talk for talk in _talks_by_board()[code] if talk.subject not in _NAMED.get(code, {})]
    chance.shuffle(subjects)
    count = len(subjects) - max(1, len(subjects) // 4)
    ages = [span * 0.004 * chance.random() + 3]  # somebody has just written on the board
    ages += sorted(span * (0.005 + chance.random() ** 2) for _ in range(count - 1))
    ages += [span * (1.2 + chance.random()) for _ in subjects[count:]]
    drafts = [_draft(talk, _NOW - round(age), span, chance) for talk, age in zip(subjects, ages, strict=True)]
    numbers = _post_numbers(drafts, int(board["posts"]), a_day)
    made = [
        one.thread([numbers[at, place] for place in range(len(one.times))], archived=at >= count)
        for at, one in enumerate(drafts)
    ]
    old = sorted(made[count:], key=lambda thread: -thread.number)
    return tuple(made[:count]), (*old, *_threads_of_long_ago(code, chance))


def _threads_of_long_ago(code: str, chance: Random) -> tuple[Thread, ...]:
    found: list[Thread] = []
    for talk in _talks_by_board()[code]:
        if talk.subject in (named := _NAMED.get(code, {})):
            number, opened = named[talk.subject]
            one = _Draft(talk, talk.replies, opened, opened + 14400, chance)
            steps = [chance.randrange(1, 9) for _ in talk.replies]
            numbers = [number + sum(steps[:at]) for at in range(len(one.times))]
            found.append(one.thread(numbers, archived=True))
    return tuple(sorted(found, key=lambda thread: -thread.number))
