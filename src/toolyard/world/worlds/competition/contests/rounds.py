"""Rounds that were held or announced by May 2024, with their problems as far as they are known, and contests of the gym."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from toolyard.world import seeds
from toolyard.world.faults import not_found
from toolyard.world.tables import read_table

FIRST_OF_2023, OPEN_TO_ALL = 1800, 9999
HOUR = 3600
TAGS = (
    "implementation", "math", "greedy", "dp", "data structures", "brute force", "constructive algorithms", "graphs",
    "sortings", "binary search", "dfs and similar", "trees", "strings", "number theory", "combinatorics", "geometry",
    "bitmasks", "two pointers", "dsu", "shortest paths", "games", "hashing", "flows", "interactive",
)  # fmt: skip
# Part of a round's name -> rated for people below, difficulty of the first problem, and the step to the next.
_DIVISIONS = (
    ("Div. 1 + Div. 2", OPEN_TO_ALL, 800, 390), ("Div. 4", 1400, 800, 200), ("Div. 3", 1600, 800, 260),
    ("Div. 2", 2100, 800, 380), ("Div. 1", OPEN_TO_ALL, 1600, 350),
)  # fmt: skip
# Who is good enough for the first division.
_FIRST_DIVISION, _FROM = "(Div. 1)", 1800
_EVERYBODY = (OPEN_TO_ALL, 900, 390)
_BY_SOLVED = re.compile(r"Educational|Div\. [34]")


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """A problem of a contest; `hardness` decides, `rating` is what is published of it (None where not known)."""

    contest: int
    index: str
    name: str
    rating: int | None
    hardness: int
    points: int
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Contest:
    """A contest with its problems; `start` in seconds since 1970, rated from `rated_from` to below `rated_below`."""

    id: int
    name: str
    kind: str
    start: int
    duration: int
    problems: tuple[Problem, ...]
    rated_below: int = OPEN_TO_ALL
    rated_from: int = 0
    gym: bool = False


def _division(name: str) -> tuple[int, int, int]:
    return next((tuple(row[1:]) for row in _DIVISIONS if row[0] in name), _EVERYBODY)  # type: ignore[return-value]


def _problems(contest: int, name: str, text: str) -> Iterator[Problem]:
    """The problems of a line of the table: name=rating=tags, of which only the name is always known."""
    _, first, step = _division(name)
    for place, part in enumerate(text.split(";") if text else ()):
        title, _, rest = part.partition("=")
        rating, _, tags = rest.partition("=")
        known = int(rating) if rating else None
        hardness = known or min(3500, first + step * place)
        # A problem in two versions has two numbers behind its letter; of the harder one only the name is known.
        hard = title.replace("(Easy V", "(Hard V").replace("(easy v", "(hard v")
        letter, points = "ABCDEFGHIJ"[place] + ("1" if hard != title else ""), 500 * (place + 1)
        yield Problem(contest, letter, title, known, hardness, points, tuple(filter(None, tags.split(","))))
        if hard != title:
            yield Problem(contest, f"{letter[0]}2", hard, None, min(3500, hardness + 300), points, ())


@functools.cache
def _rounds() -> tuple[Contest, ...]:
    found = []
    for row in read_table("codeforces_rounds.tsv"):
        number, name = int(row["id"]), row["name"]
        start = int(datetime.fromisoformat(row["start"] + ":00+00:00").timestamp())
        kind = "ICPC" if _BY_SOLVED.search(name) else "CF"
        problems = tuple(_problems(number, name, row["problems"]))
        found.append(
            Contest(
                number,
                name,
                kind,
                start,
                60 * int(row["minutes"]),
                problems,
                _division(name)[0],
                _FROM if _FIRST_DIVISION in name else 0,
            )
        )
    return tuple(sorted(found, key=lambda one: one.start))


def _training(number: int, text: str) -> Iterator[Problem]:
    """The problems of a contest of the gym; no ratings or tags of them are published."""
    for place, title in enumerate(text.split(";")):
        hardness = 1100 + 150 * (seeds.number(0, "gym", number, title) % 14)
        yield Problem(number, "ABCDEFGHIJKL"[place], title, None, hardness, 1, ())


@functools.cache
def _gym() -> tuple[Contest, ...]:
    found = []
    for row in read_table("codeforces_gym.tsv"):
        number, problems = int(row["id"]), tuple(_training(int(row["id"]), row["problems"]))
        start = int(datetime.fromisoformat(row["start"] + ":00+00:00").timestamp())
        found.append(Contest(number, row["name"], "ICPC", start, 5 * HOUR, problems, rated_below=0, gym=True))
    return tuple(found)


def contests(seed: int) -> tuple[Contest, ...]:
    """All contests in order of time: rounds held, those to come, and then six of the gym; the same for every seed."""
    return _all()


@functools.cache
def _all() -> tuple[Contest, ...]:
    return (*_rounds(), *_gym())


def rounds(seed: int) -> list[Contest]:
    """The rated rounds whose problems are known, in order of time."""
    return [one for one in contests(seed) if one.problems and not one.gym]


@functools.cache
def known_tags() -> tuple[str, ...]:
    """The tags of the problems of all rounds."""
    return tuple(sorted({tag for one in _rounds() for problem in one.problems for tag in problem.tags}))


def find_contest(seed: int, number: int) -> Contest:
    """The contest of a number; a not_found fault otherwise."""
    for contest in contests(seed):
        if contest.id == number:
            return contest
    raise not_found("contest", number, known=[contest.id for contest in contests(seed)])
