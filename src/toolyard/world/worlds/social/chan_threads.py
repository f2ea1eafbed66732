"""The threads of a board with all their posts: numbers rise with time, as fast as people post there."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from random import Random

from toolyard.world import seeds
from toolyard.world.shared.geography import read_table
from toolyard.world.state import EPOCH
from toolyard.world.worlds.social.chan_shapes import PostRow, Thread
from toolyard.world.worlds.social.chan_talk import (
    Talk,
    most_replies,
    replies,
    subject_and_opener,
    talks,
    written_talks,
)

PER_PAGE = 15
ARCHIVED = 60
MOST_REPLIES = 22
_NOW = int(EPOCH.timestamp())
# Threads of long ago that people ask for by number: board -> (number, when it was opened).
_NAMED = {
    "vg": ((123456, 1302000000), (456789, 1305000000)),
    "tg": ((789123, 1203800000),),
    "d": ((789123, 1170000000),),
    "b": ((789123, 1075000000),),
}


def of_long_ago(code: str) -> frozenset[int]:
    """Numbers of a board's threads of another age, which can be read and stand in no list of the last closed ones."""
    return frozenset(number for number, _ in _NAMED.get(code, ()))


def board_rows() -> tuple[dict[str, str], ...]:
    """The boards as they are written."""
    return tuple(read_table("chan_boards.tsv"))


class _Draft:
    """A thread whose posts have times and no numbers yet."""

    def __init__(self, talk: Talk, changed: int, span: float, chance: Random, least: int = 0) -> None:
        self.talk = talk
        self.subject, self.text = subject_and_opener(talk, chance)
        wished = 0 if chance.random() < 0.08 else 1 + int(chance.expovariate(1 / 10))
        most = most_replies(talk, MOST_REPLIES)
        drawn = max(min(most, wished), least)
        # Where more people wish to answer than a thread holds, some do not: threads must not all be full.
        self.count = drawn if wished <= most else max(least, most - wished * 7 % (most // 2 + 1))
        lasted = round(span * (0.1 + 0.6 * chance.random()) * (0.2 + drawn / MOST_REPLIES)) + 60
        opened = changed - lasted if self.count else changed
        waits = [0.05 + chance.random() ** 3 for _ in range(drawn)][: self.count]
        self.times, passed = [opened], 0.0
        for wait in waits:
            passed += wait
            self.times.append(opened + round((changed - opened) * passed / sum(waits)))
        self.words = replies(talk, drawn, chance)[: self.count]
        self.pictures = [chance.random() < 0.25 for _ in range(drawn)][: self.count]

    def thread(self, numbers: list[int], *, archived: bool) -> Thread:
        """The thread, its posts under these numbers."""
        first = numbers[0]
        posts: list[PostRow] = [
            _post(first, 0, self.times[0], self.text, f"{self.times[0]}{first % 1000:03d}.jpg")
        ]
        for place, (quoted, words) in enumerate(self.words, start=1):
            number, time = numbers[place], self.times[place]
            picture = f"{time}{number % 1000:03d}.png" if self.pictures[place - 1] else None
            com = words if quoted is None else f">>{numbers[quoted]} {words}"
            posts.append(_post(number, first, time, com, picture))
        return Thread(
            self.talk.board, first, self.subject, self.text, self.times[0], self.times[-1], self.count,
            sum(self.pictures), closed=archived, posts=tuple(posts),
        )  # fmt: skip


def _post(number: int, thread: int, time: int, com: str, picture: str | None) -> PostRow:
    return {"no": number, "resto": thread, "time": time, "name": "Anonymous", "com": com, "filename": picture}


def _numbers(drafts: list[_Draft], top: int, a_day: int) -> dict[tuple[int, int], int]:
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


@seeds.remembered(64)
def threads_of(seed: int, code: str) -> tuple[tuple[Thread, ...], tuple[Thread, ...]]:
    """Open threads of a board, the latest reply first, and archived ones, the highest number first."""
    board = next(row for row in board_rows() if row["board"] == code)
    chance = seeds.stream(seed, "threads", code)
    count, a_day = int(board["pages"]) * PER_PAGE, int(board["a_day"])
    span = 86400 * count * 11 / a_day  # the seconds in which all posts of the open threads were written
    named = len(_NAMED.get(code, ()))
    written = written_talks(code, chance)
    subjects = talks(code, chance)
    ages = sorted(span * chance.random() ** 2 + 3 for _ in range(count))
    ages += [span * (1.2 + chance.random()) for _ in range(ARCHIVED)]
    drafts = [
        _Draft(talk, _NOW - round(age), span, chance)
        for talk, age in zip(itertools.chain(written[named:], itertools.cycle(subjects)), ages, strict=False)
    ]
    numbers = _numbers(drafts, int(board["posts"]), a_day)
    made = [
        one.thread([numbers[at, place] for place in range(len(one.times))], archived=at >= count)
        for at, one in enumerate(drafts)
    ]
    old = sorted(made[count:], key=lambda thread: -thread.number)
    return tuple(made[:count]), (*old, *_of_long_ago(code, written, chance))


def _of_long_ago(code: str, subjects: Sequence[Talk], chance: Random) -> tuple[Thread, ...]:
    found: list[Thread] = []
    for place, (number, opened) in enumerate(_NAMED.get(code, ())):
        one = _Draft(subjects[place], opened + 14400, 20000, chance, least=8)
        shift = opened - one.times[0]
        one.times = [time + shift for time in one.times]
        steps = [chance.randrange(1, 9) for _ in range(one.count)]
        numbers = [number + sum(steps[:at]) for at in range(one.count + 1)]
        found.append(one.thread(numbers, archived=True))
    return tuple(reversed(found))
