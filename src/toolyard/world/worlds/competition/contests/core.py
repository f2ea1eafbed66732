"""Contests that are really held: submissions decide standings, standings decide ratings, in order of time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from toolyard.world import seeds
from toolyard.world.worlds.competition.contests.contestants import (
    ORGANIZER,
    UNKNOWN_BEST,
    User,
    find_user,
    users,
)
from toolyard.world.worlds.competition.contests.judge import HANDED_IN, STRONG, language_of, number_at
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
class Attempt:
    """What somebody hands in at a minute of a contest, before it has a number."""

    minute: int
    user: User
    problem: Problem
    verdict: str


@dataclass(frozen=True, slots=True)
class Attack:
    """Somebody's test against an attempt, in seconds after the start of the contest."""

    after: int
    hacker: User
    target: Attempt
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
    elsewhere = _in_the_second(seed, contest)
    there = [
        user
        for user in users(seed)
        if user.registered < contest.start
        and (recent or not user.famous)
        and user.handle != ORGANIZER
        and user not in elsewhere
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


def _in_the_second(seed: int, contest: Contest) -> frozenset[User]:
    """Who sits in the second division while a round of the first is held."""
    beside = [one for one in contests(seed) if one.start == contest.start and one is not contest]
    return frozenset(user for one in beside if contest.rated_from for user in entrants(seed, one))


_WORKED = "HACK_SUCCESSFUL"


def _tries(
    contest: Contest, user: User, problem: Problem, chance: Random, minute: int
) -> list[tuple[int, str]]:
    """(minute, verdict) of the attempts at a problem, starting at a minute."""
    gap = problem.hardness - user.skill
    odds = 1 / (1 + 10 ** ((gap - 100) / 400))
    # What is easy for somebody takes a minute or two, what is as hard as he is good half an hour.
    usual = 2 + 24 * 2 ** (min(800, gap) / 500)
    seen, limit = [], contest.duration // 60 - 1
    for _ in range(3):
        minute += max(1, round(usual * chance.uniform(0.5, 1.7)))
        if minute >= limit:
            break
        if chance.random() < odds:
            seen.append((minute, "OK"))
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


def _attempts(seed: int, contest: Contest) -> list[Attempt]:
    """What everybody handed in, before anybody looked for mistakes in it."""
    rows: list[Attempt] = []
    for user in entrants(seed, contest) if contest.problems else ():
        chance, minute = seeds.stream(seed, "attempts", contest.id, user.handle), 0
        for problem in contest.problems:
            tries = _tries(contest, user, problem, chance, minute)
            minute = tries[-1][0] if tries else minute
            rows += [Attempt(at, user, problem, verdict) for at, verdict in tries]
    return rows


def room_of(seed: int, contest: Contest, user: User) -> str:
    """The room somebody sat in, ten to a room."""
    return str(1 + entrants(seed, contest).index(user) // 10)


def _attacks(seed: int, contest: Contest, rows: Sequence[Attempt]) -> Iterator[Attack]:
    """Who looked for mistakes in whose solutions: people who solved the problem, too, where points count those of the room.

    More than a third of the attacks work. Nobody tries to break what famous people have written, and nobody is
    attacked twice.
    """
    chance, last = seeds.stream(seed, "hacks", contest.id), contest.duration // 60 - 1
    good = [one for one in rows if one.verdict == "OK"]
    rooms = {user: room_of(seed, contest, user) for user in entrants(seed, contest)}
    verdicts: list[str] = []
    for _ in range(2 + seeds.number(seed, "hacked", contest.id) % 4):
        verdicts += ["HACK_UNSUCCESSFUL"] * chance.randrange(1, 3) + [_WORKED]
    # Who attacks solutions of a problem has locked his own, and nothing happens to it any more.
    locked: set[Attempt] = set()
    aims: set[User] = set()
    for target in chance.sample(good, len(good)):
        if target in locked or target.user in aims or target.user.famous:
            continue
        able = [
            one
            for one in good
            if one.problem is target.problem
            and one.user is not target.user
            and one.user not in aims
            and (contest.kind != "CF" or rooms[one.user] == rooms[target.user])
            and max(one.minute, target.minute) + 2 < last
        ]
        if not able:
            continue
        hacker = chance.choice(able)
        locked.add(hacker)
        aims.add(target.user)
        at = min(max(hacker.minute, target.minute) + chance.randrange(2, 20), last)
        # Where solved problems count, solutions are open to attack for twelve hours, once the contest is over.
        at = at if contest.kind == "CF" else last + chance.randrange(1, 720)
        verdict = verdicts.pop()
        if verdict != _WORKED and chance.random() < 0.1:
            verdict = "INVALID_INPUT"
        yield Attack(60 * at + chance.randrange(60), hacker.user, target, verdict)
        if not verdicts:
            return


@seeds.remembered(512)
def _held(seed: int, contest: Contest) -> tuple[tuple[Attempt, ...], tuple[Attack, ...]]:
    """Attempts and attacks; whose solution was broken during the contest hands in a better one, if time is left."""
    rows = _attempts(seed, contest)
    attacks = () if contest.gym else tuple(_attacks(seed, contest, rows))
    broken = {attack.target: attack for attack in attacks if attack.verdict == _WORKED}
    taken = {(one.user, one.minute) for one in rows}
    rows = [replace(one, verdict="CHALLENGED") if one in broken else one for one in rows]
    for one, attack in broken.items():
        again = attack.after // 60 + 3 + seeds.number(seed, "again", contest.id, one.user.handle) % 9
        if again < contest.duration // 60 - 1 and (one.user, again) not in taken:
            rows.append(replace(one, minute=again))
    return tuple(rows), attacks


@seeds.remembered(512)
def submissions(seed: int, contest: Contest) -> tuple[Submission, ...]:
    """All solutions handed in during a contest, in order of time."""
    timed = sorted(
        (
            (
                60 * row.minute + seeds.number(seed, "second", contest.id, row.minute, row.user.handle) % 60,
                row,
            )
            for row in _held(seed, contest)[0]
        ),
        key=lambda one: (one[0], one[1].user.handle),
    )
    first = number_at(contest.start)
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


def _submission(seed: int, number: int, contest: Contest, at: int, row: Attempt) -> Submission:
    minute, user, problem, verdict = row.minute, row.user, row.problem, row.verdict
    chance = seeds.number(seed, "submission", number)
    passed = chance % 60
    language = language_of(seed, contest, user)
    spent = 15 + chance % (900 if user.skill > STRONG else 1900)
    # Two seconds are the usual limit.
    spent = 2000 + chance % 47 if verdict == "TIME_LIMIT_EXCEEDED" else spent
    return Submission(number, contest, problem, user, minute, at % 60, verdict, language, spent, passed)


@seeds.remembered(512)
def hacks(seed: int, contest: Contest) -> tuple[Hack, ...]:
    """Attempts to break solutions, in order of time: one worked for each that was challenged, others failed on good ones."""
    found = {(one.user, one.problem.index, one.minute): one for one in submissions(seed, contest)}
    aimed = (
        (attack, found[attack.target.user, attack.target.problem.index, attack.target.minute])
        for attack in _held(seed, contest)[1]
    )
    rows = sorted(aimed, key=lambda row: (row[0].after, row[1].id))
    # Some 84 hacks a day were tried on the whole site since it opened.
    first = (contest.start - HANDED_IN[0][0]) * 84 // 86400
    return tuple(
        Hack(first + 1 + 3 * n, attack.after, attack.hacker, target, attack.verdict)
        for n, (attack, target) in enumerate(rows)
    )


def _hack_points(seed: int, contest: Contest) -> dict[User, int]:
    worth = {_WORKED: 100, "HACK_UNSUCCESSFUL": -50, "INVALID_INPUT": 0}
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
