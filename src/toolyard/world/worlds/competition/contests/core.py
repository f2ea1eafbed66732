"""Contests that are really held: submissions decide standings, standings decide ratings, in order of time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from random import Random

from toolyard.world import seeds
from toolyard.world.worlds.competition.contests.contestants import (
    ORGANIZER,
    UNKNOWN_BEST,
    User,
    find_user,
    users,
)
from toolyard.world.worlds.competition.contests.rounds import (
    FIRST_OF_2023,
    OPEN_TO_ALL,
    TAGS,
    Contest,
    Problem,
    contests,
    find_contest,
)

__all__ = ["TAGS", "Contest", "Problem", "User", "contests", "find_contest", "find_user", "users"]


@dataclass(frozen=True, slots=True)
class Submission:
    """A solution that was judged; `minute` and `second` count from the start of the contest."""

    id: int
    contest: Contest
    problem: Problem
    user: User
    minute: int
    second: int
    verdict: str
    language: str
    milliseconds: int
    passed: int

    @property
    def time(self) -> int:
        """When it was handed in, in seconds since 1970."""
        return self.contest.start + 60 * self.minute + self.second


@dataclass(frozen=True, slots=True)
class Hack:
    """An attempt to break somebody's solution, in seconds after the start of the contest."""

    id: int
    after: int
    hacker: User
    target: Submission
    verdict: str


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the standings."""

    rank: int
    user: User
    points: int
    penalty: int
    solved: tuple[tuple[str, int, int], ...]
    official: bool


def submissions_by(seed: int, user: User) -> Sequence[Submission]:
    """The solutions of a user, latest first."""
    return submissions_of(seed)[user.handle]


@seeds.remembered(1024)
def entrants(seed: int, contest: Contest) -> tuple[User, ...]:
    """Who took part: those the round is rated for, then up to three out of competition; nobody before signing up.

    Famous people are known to be there since 2023 only, and in rounds for all; the first of them in educational ones, too.
    """
    chance = seeds.stream(seed, "entrants", contest.id)
    recent = contest.id >= FIRST_OF_2023 and not contest.gym
    there = [
        user
        for user in users(seed)
        if user.registered < contest.start and (recent or not user.famous) and user.handle != ORGANIZER
    ]
    rated = [user for user in there if contest.gym or user.skill < contest.rated_below]
    others = [user for user in there if user not in rated and not user.famous]
    chosen = chance.sample(rated, min(27, len(rated)))
    if contest.rated_from:
        # The first division is for the better ones alone.
        able = [user for user in rated if user.skill >= contest.rated_from]
        chosen = [user for user in chosen if user in able]
        more = sorted(able, key=lambda user: seeds.number(seed, "who is able", contest.id, user.handle))
        chosen += [user for user in more if user not in chosen][: 24 - len(chosen)]
    guests = chance.sample(others, min(3, len(others)))
    if recent and contest.rated_below == OPEN_TO_ALL:
        known = [user for user in rated if user.famous]
        strong = [user for user in known if chance.random() < (0.85 if user.best < UNKNOWN_BEST else 0.5)]
        chosen = [*strong, *(user for user in chosen if user not in strong)][:30]
    first = users(seed)[0]
    wanted = contest.rated_below == OPEN_TO_ALL or "Educational" in contest.name
    if recent and wanted and first not in (*chosen, *guests):
        chosen, guests = ([first, *chosen[1:]], guests) if first in rated else (chosen, [first, *guests[1:]])
    return (*chosen, *guests)


_STRONG = 2600


def _tries(
    contest: Contest, user: User, problem: Problem, chance: Random, minute: int
) -> list[tuple[int, str]]:
    """(minute, verdict) of the attempts at a problem, starting at a minute."""
    gap = problem.hardness - user.skill
    odds = 1 / (1 + 10 ** ((gap - 100) / 400))
    # What is easy for somebody takes a minute or two, what is as hard as he is good half an hour.
    usual, slips = 2 + 24 * 2 ** (min(800, gap) / 500), 0.0 if user.skill > _STRONG else 0.04
    seen, limit = [], contest.duration // 60 - 1
    for _ in range(3):
        minute += max(1, round(usual * chance.uniform(0.5, 1.7)))
        if minute >= limit:
            break
        if chance.random() < odds:
            hacked = contest.kind == "CF" and chance.random() < slips
            seen.append((minute, "CHALLENGED" if hacked else "OK"))
            if hacked:
                continue
            break
        if chance.random() < 0.55:
            seen.append(
                (
                    minute,
                    chance.choice(("WRONG_ANSWER", "WRONG_ANSWER", "TIME_LIMIT_EXCEEDED", "RUNTIME_ERROR")),
                )
            )
        else:
            break
    return seen


@seeds.remembered(512)
def submissions(seed: int, contest: Contest) -> tuple[Submission, ...]:
    """All solutions handed in during a contest, in order of time."""
    rows: list[tuple[int, User, Problem, str]] = []
    for user in entrants(seed, contest) if contest.problems else ():
        chance, minute = seeds.stream(seed, "attempts", contest.id, user.handle), 0
        for problem in contest.problems:
            tries = _tries(contest, user, problem, chance, minute)
            minute = tries[-1][0] if tries else minute
            rows += [(at, user, problem, verdict) for at, verdict in tries]
    timed = sorted(
        (
            (60 * row[0] + seeds.number(seed, "second", contest.id, row[0], row[1].handle) % 60, row)
            for row in rows
        ),
        key=lambda one: (one[0], one[1][1].handle),
    )
    first = _number(contest.start)
    found = [_submission(seed, first + 4 * at + n, contest, at, row) for n, (at, row) in enumerate(timed, 1)]
    tests = _tests(seed, contest)
    return tuple(_fully_judged(one, tests) for one in found)


def _tests(seed: int, contest: Contest) -> dict[str, int]:
    """Index of a problem -> how many tests it has."""
    return {
        one.index: 12 + seeds.number(seed, "tests", contest.id, one.index) % 60 for one in contest.problems
    }


def _fully_judged(one: Submission, tests: Mapping[str, int]) -> Submission:
    """An accepted solution passed all the tests of its problem, another one fewer."""
    count = tests[one.problem.index]
    return replace(one, passed=count if one.verdict in ("OK", "CHALLENGED") else one.passed % count)


# Years from which on the judge offered these languages to most people.
_LANGUAGES = {
    2010: ("GNU C++", "GNU C++", "MS C++", "Java 6", "Python 2", "Delphi 7"),
    2014: ("GNU C++11", "GNU C++11", "GNU C++", "Java 8", "Python 2", "Python 3"),
    2018: ("GNU C++17", "GNU C++14", "GNU C++17", "Java 8", "PyPy 3", "Python 3"),
    2021: ("C++17 (GCC 7-32)", "C++20 (GCC 11-64)", "C++20 (GCC 11-64)", "Java 11", "PyPy 3-64", "Python 3"),
    2024: ("C++17 (GCC 7-32)", "C++20 (GCC 13-64)", "C++20 (GCC 13-64)", "Java 21", "PyPy 3-64", "Python 3"),
}
# How many solutions had been handed in on the whole site by a moment (seconds, millions), about.
_HANDED_IN = ((1266500000, 0.0002), (1357000000, 2.9), (1451600000, 15.1), (1514800000, 33.8), (1577800000, 67.8),
              (1641000000, 141.3), (1672500000, 187.3), (1715700000, 260.8), (1900000000, 480.0))  # fmt: skip


def _language(seed: int, contest: Contest, user: User) -> str:
    year = datetime.fromtimestamp(contest.start, UTC).year
    offered = _LANGUAGES[max(first for first in _LANGUAGES if first <= year)]
    # The best write C++, and not always for the same compiler.
    if user.skill > _STRONG:
        return offered[seeds.number(seed, "language", user.handle, contest.id // 40) % 3]
    return offered[seeds.number(seed, "language", user.handle) % 6]


def _number(moment: int) -> int:
    """The running number of a solution that was handed in at a moment."""
    place = next(n for n, (end, _) in enumerate(_HANDED_IN) if moment < end or n == len(_HANDED_IN) - 1)
    (left, low), (right, high) = _HANDED_IN[max(0, place - 1)], _HANDED_IN[max(1, place)]
    return max(1, round(1e6 * (low + (high - low) * (moment - left) / (right - left))))


def _submission(
    seed: int, number: int, contest: Contest, at: int, row: tuple[int, User, Problem, str]
) -> Submission:
    minute, user, problem, verdict = row
    chance = seeds.number(seed, "submission", number)
    passed = chance % 60
    language = _language(seed, contest, user)
    spent = 15 + chance % (900 if user.skill > _STRONG else 1900)
    # Two seconds are the usual limit.
    spent = 2000 + chance % 47 if verdict == "TIME_LIMIT_EXCEEDED" else spent
    return Submission(number, contest, problem, user, minute, at % 60, verdict, language, spent, passed)


@seeds.remembered(512)
def hacks(seed: int, contest: Contest) -> tuple[Hack, ...]:
    """Attempts to break solutions: one worked for each that was challenged, others failed on good ones."""
    if contest.gym:
        return ()
    chance = seeds.stream(seed, "hacks", contest.id)
    found = submissions(seed, contest)
    good = [one for one in found if one.verdict == "OK"]
    # Nobody tries to break what the best have written.
    good = [one for one in good if one.user.skill <= _STRONG]
    failed = chance.sample(good, min(len(good), 10))[: 3 + contest.id % 6]
    people = entrants(seed, contest)
    rows = []
    for target in [*(one for one in found if one.verdict == "CHALLENGED"), *failed]:
        others = [user for user in people if user is not target.user]
        hacker = chance.choice([user for user in others if user.skill > target.user.skill - 150] or others)
        bad = chance.choice(("HACK_UNSUCCESSFUL",) * 9 + ("INVALID_INPUT",))
        verdict = "HACK_SUCCESSFUL" if target.verdict == "CHALLENGED" else bad
        last = contest.duration // 60 - 1
        later = max(target.minute + 1, min(target.minute + chance.randrange(2, 20), last))
        # Where solved problems count, solutions are open to attack for twelve hours, once the contest is over.
        later = last + chance.randrange(1, 720) if contest.kind != "CF" else later
        rows.append((60 * later + chance.randrange(60), hacker, target, verdict))
    rows.sort(key=lambda row: (row[0], row[2].id))
    # Some 84 hacks a day were tried on the whole site since it opened.
    first = (contest.start - _HANDED_IN[0][0]) * 84 // 86400
    return tuple(Hack(first + 1 + 3 * n, *row) for n, row in enumerate(rows))


def _hack_points(seed: int, contest: Contest) -> dict[User, int]:
    worth = {"HACK_SUCCESSFUL": 100, "HACK_UNSUCCESSFUL": -50, "INVALID_INPUT": 0}
    points: dict[User, int] = {}
    for hack in hacks(seed, contest) if contest.kind == "CF" else ():
        points[hack.hacker] = points.get(hack.hacker, 0) + worth[hack.verdict]
    return points


def _solved(seed: int, contest: Contest) -> dict[User, dict[str, tuple[int, int, int]]]:
    """User -> problem -> (what it is worth, wrong tries before, minute)."""
    found: dict[User, dict[str, tuple[int, int, int]]] = {user: {} for user in entrants(seed, contest)}
    wrong: dict[tuple[User, str], int] = {}
    for one in submissions(seed, contest):
        key = (one.user, one.problem.index)
        tries, full = wrong.get(key, 0), one.problem.points
        if one.verdict != "OK":
            wrong[key] = tries + 1
        elif one.problem.index not in found[one.user]:
            worth = max(full * 3 // 10, full - full * one.minute // 250 - 50 * tries)
            found[one.user][one.problem.index] = (worth if contest.kind == "CF" else 1, tries, one.minute)
    return found


@seeds.remembered(512)
def standings(seed: int, contest: Contest) -> tuple[Row, ...]:
    """Points (fewer the later and after wrong tries), or solved problems and penalty, counted from submissions."""
    extra = _hack_points(seed, contest)
    rows = []
    for user, done in _solved(seed, contest).items():
        late = sum(minute + 10 * tries for _, tries, minute in done.values())
        problems = tuple((index, worth, tries) for index, (worth, tries, _) in sorted(done.items()))
        points = sum(worth for worth, _, _ in done.values()) + extra.get(user, 0)
        rows.append(
            Row(
                0,
                user,
                points,
                0 if contest.kind == "CF" else late,
                problems,
                contest.gym or user.skill < contest.rated_below,
            )
        )
    rows.sort(key=lambda row: (-row.points, row.penalty, row.user.handle))
    scores = [(row.points, -row.penalty) for row in rows]
    return tuple(replace(row, rank=1 + scores.index(score)) for row, score in zip(rows, scores, strict=True))


@seeds.table
def submissions_of(seed: int) -> Mapping[str, list[Submission]]:
    """Handle -> solutions, latest first."""
    found: dict[str, list[Submission]] = {user.handle: [] for user in users(seed)}
    for contest in contests(seed):
        for one in submissions(seed, contest):
            found[one.user.handle].append(one)
    for rows in found.values():
        rows.sort(key=lambda one: (-one.time, -one.id))
    return found
