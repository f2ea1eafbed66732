"""What people write on boards: threads that are written out, and others that ask something about a thing of the board."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

from toolyard.world import seeds
from toolyard.world.tables import read_table


class Talk(NamedTuple):
    """What a thread is about: its thing, another one of the board, and which opening post it has (of those of its kind,
    or of those that are written out for the board)."""

    board: str
    thing: str
    other: str
    kind: str
    opener: int


class _Kind(NamedTuple):
    """How threads of a kind open, and what they are called and what is answered with each opening post."""

    subjects: tuple[tuple[str, ...], ...]
    openers: tuple[str, ...]
    replies: tuple[tuple[str, ...], ...]


# So many of the answers to an opening post, and of the reactions to other replies, are at hand in one thread.
_ANSWERS, _REACTIONS = 12, 26


# What may be asked only of some things: what one does (*), old things that one keeps (+), things to choose from (#).
_ONLY = {
    "back": "*",
    "lesson": "*",
    "brother": "*",
    "begin": "*",
    "hours": "*",
    "worst": "*",
    "found": "+",
    "show": "+",
    "rank": "#",
}
# What nobody would say of a nuisance or a misfortune (!): that one stands by it, came back to it, or which is best.
_NOT = {"alone": "!", "brother": "!", "back": "!", "then": "!", "rank": "!", "view": "!"}


class _Thing(NamedTuple):
    name: str
    marks: str


@functools.cache
def _things() -> Mapping[str, tuple[_Thing, ...]]:
    return {
        row["board"]: tuple(_Thing(text.rstrip("*+#!"), text) for text in row["things"].split(";"))
        for row in read_table("chan_things.tsv")
    }


_WRITTEN = "written"


@functools.cache
def _written() -> Mapping[str, _Kind]:
    """The threads that are written out, by board."""
    rows: dict[str, list[dict[str, str]]] = {}
    for row in read_table("chan_written.tsv"):
        rows.setdefault(row["board"], []).append(row)
    return {
        board: _Kind(
            tuple((row["subject"],) for row in own),
            tuple(row["opener"] for row in own),
            tuple(tuple(row["replies"].split("|")) for row in own),
        )
        for board, own in rows.items()
    }


def _kind(talk: Talk) -> _Kind:
    return _written()[talk.board] if talk.kind == _WRITTEN else _kinds()[talk.kind]


def most_replies(talk: Talk, most: int) -> int:
    """How many replies a thread has at most: fewer reactions than answers where it is written out."""
    return len(_kind(talk).replies[talk.opener]) * 3 // 2 if talk.kind == _WRITTEN else most


@functools.cache
def _kinds() -> Mapping[str, _Kind]:
    rows: dict[str, list[dict[str, str]]] = {}
    for row in read_table("chan_talk.tsv"):
        rows.setdefault(row["kind"], []).append(row)
    return {
        kind: _Kind(
            tuple(tuple(row["subjects"].split(";")) for row in own),
            tuple(row["opener"] for row in own),
            tuple(tuple(row["replies"].split("|")) for row in own),
        )
        for kind, own in rows.items()
    }


def written_talks(board: str, chance: Random) -> list[Talk]:
    """The threads of a board that are written out, in an order of chance."""
    found = [Talk(board, "", "", _WRITTEN, n) for n in range(len(_written()[board].openers))]
    chance.shuffle(found)
    return found


def talks(board: str, chance: Random) -> Sequence[Talk]:
    """Everything else that threads of a board may be about, in an order of chance in which neighbours differ."""
    things = _things()[board]
    found = [
        Talk(board, thing.name, chance.choice([one.name for one in things if one != thing]), kind, opener)
        for thing, (kind, row) in itertools.product(things, _kinds().items())
        if kind != "reaction"
        and _ONLY.get(kind, "") in thing.marks
        and _NOT.get(kind, "\0") not in thing.marks
        for opener in range(len(row.openers))
    ]
    chance.shuffle(found)
    return _apart(found)


# So many threads in a row open in different ways, and so many are about different things.
_WAYS_APART, _THINGS_APART = 6, 3


def _apart(found: Sequence[Talk]) -> list[Talk]:
    """The same talks, each moved back until it is unlike those just before it; those without such a place are left out."""
    left, kept = list(found), list[Talk]()
    while left:
        ways = {(one.kind, one.opener) for one in kept[1 - _WAYS_APART :]}
        things = {one.thing for one in kept[1 - _THINGS_APART :]}
        fits = (
            place
            for place, one in enumerate(left)
            if (one.kind, one.opener) not in ways and one.thing not in things
        )
        place = next(fits, None)
        if place is None:
            break
        kept.append(left.pop(place))
    return kept


def _filled(text: str, talk: Talk) -> str:
    if talk.kind == _WRITTEN:
        return text
    thing, other = talk.thing, talk.other
    return text.format(
        thing=thing, Thing=thing[0].upper() + thing[1:], other=other, Other=other[0].upper() + other[1:], board=talk.board
    )  # fmt: skip


def subject_and_opener(talk: Talk, chance: Random) -> tuple[str, str]:
    """Subject and opening post of a thread."""
    kind = _kind(talk)
    return _filled(chance.choice(kind.subjects[talk.opener]), talk), _filled(kind.openers[talk.opener], talk)


def replies(talk: Talk, count: int, chance: Random) -> list[tuple[int | None, str]]:
    """Replies to a thread, none twice: the place of the post that each one quotes (0 is the first), and its words."""
    own = seeds.stream(0, "talk", *map(str, talk))
    every = _kind(talk).replies[talk.opener]
    answers = own.sample(every, min(_ANSWERS, len(every)))
    reactions = own.sample(_kinds()["reaction"].replies[0], _REACTIONS)
    chance.shuffle(answers)
    chance.shuffle(reactions)
    found: list[tuple[int | None, str]] = []
    often, answered = 0.8 if talk.kind == _WRITTEN else 0.5, [0]
    for place in range(1, count + 1):
        if answers and (place < 3 or not reactions or chance.random() < often):
            found.append((0 if chance.random() < 0.3 else None, _filled(answers.pop(), talk)))
            answered.append(place)
        else:
            drawn = chance.randrange(max(1, place - 8), place)
            found.append((max(one for one in answered if one <= drawn), reactions.pop()))
    return found
