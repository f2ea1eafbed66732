"""Contests that are really held: submissions decide standings, standings decide ratings, in order of time."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from random import Random

from toolyard.world import seeds
from toolyard.world.derived import derived, well_formed
from toolyard.world.faults import not_found
from toolyard.world.shared.geography import cities, find_country
from toolyard.world.shared.people import FEMALE, LAST, MALE
from toolyard.world.tables import fold

RATED = 96
FIRST_START, LAST_START = datetime(2010, 2, 19, 17, tzinfo=UTC), datetime(2024, 5, 12, 14, 35, tzinfo=UTC)
HOUR = 3600
TAGS = (
    "implementation", "math", "greedy", "dp", "data structures", "brute force", "constructive algorithms", "graphs",
    "sortings", "binary search", "dfs and similar", "trees", "strings", "number theory", "combinatorics", "geometry",
    "bitmasks", "two pointers", "dsu", "shortest paths", "games", "hashing", "flows", "interactive",
)  # fmt: skip
_FURTHER_TAGS = (
    "2-sat", "chinese remainder theorem", "divide and conquer", "expression parsing", "fft", "graph matchings", "matrices",
    "meet-in-the-middle", "probabilities", "schedules", "string suffix structures", "ternary search",
)  # fmt: skip
_FAMOUS = (
    ("tourist", "Belarus", 3800), ("jiangly", "China", 3750), ("Benq", "United States", 3650),
    ("Petr", "Switzerland", 3400), ("Um_nik", "Ukraine", 3500), ("ksun48", "Canada", 3480),
    ("ecnerwala", "United States", 3450), ("maroonrk", "Japan", 3400), ("Radewoosh", "Poland", 3450),
    ("rng_58", "Japan", 3100), ("MikeMirzayanov", "Russia", 1900), ("Errichto", "Poland", 2900),
    ("neal", "United States", 3000), ("SecondThread", "United States", 2500), ("dario2994", "Italy", 2900),
)  # fmt: skip
# Handles that are well known beside those of the table, with the countries of their owners.
_COUNTRIES = {
    handle.casefold(): (country, handle)
    for country, handles in {
        "Russia": "Egor Burunduk1 LHiC 300iq Merkurev Zlobober niyaznigmatul izban eatmore Endagorion pashka andrewzta",
        "China": "ACRush WJMZBMR xudyh TLE cgy4ever fateice skywalkert", "Poland": "mnbvmar Swistakk mareksom Marcin_smu",
        "United States": "scott_wu Lewin bqi343", "Canada": "SnapDragon", "Ukraine": "antontrygubO_o RomaWhite",
        "Japan": "yosupo snuke hos.lyric semiexp", "South Korea": "ainta ko_osaga cki86201", "Slovakia": "Xellos misof",
        "South Africa": "bmerry", "Malaysia": "zscoder", "Indonesia": "dolphinigle",
    }.items()
    for handle in handles.split()
}  # fmt: skip
_HANDLE = re.compile(r"[A-Za-z0-9][\w.]{1,22}[\w.]", re.ASCII)
_NOUNS = (
    "Array Tree Matrix Permutation String Graph Grid Sequence Number Robot Garden Queue Bracket Path Game Board Segment "
    "Subset Stones Candies Lamps Cards Bridge Coins".split()
)
_DEEDS = (
    "Counting Balanced Lucky Shortest Beautiful Minimal Strange Forgotten Colourful Dividing Swapping Merging Cyclic "
    "Hidden Perfect Broken Sorting Prefix Infinite Tidy".split()
)


@dataclass(frozen=True, slots=True, eq=False)
class User:
    """Somebody who takes part; `skill` decides, nobody sees it."""

    handle: str
    name: str
    country: str
    city: str
    organization: str
    skill: int
    registered: int
    contribution: int
    friends: int


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """A problem of a contest."""

    contest: int
    index: str
    name: str
    rating: int
    points: int
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Contest:
    """A contest with its problems; `start` in seconds since 1970."""

    id: int
    name: str
    kind: str
    start: int
    duration: int
    problems: tuple[Problem, ...]
    gym: bool = False


@dataclass(frozen=True, slots=True)
class Submission:
    """A solution that was judged; `minute` counts from the start of the contest."""

    id: int
    contest: Contest
    problem: Problem
    user: User
    minute: int
    verdict: str
    language: str
    milliseconds: int
    passed: int


@dataclass(frozen=True, slots=True)
class Hack:
    """An attempt to break somebody's solution."""

    id: int
    minute: int
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


@seeds.table
def users(seed: int) -> tuple[User, ...]:
    """Ninety users: some that everybody knows, the rest made up."""
    found = []
    for n in range(90):
        chance = seeds.stream(seed, "contestant", n)
        first, last = chance.choice(MALE + FEMALE), chance.choice(LAST)
        home = chance.choice(cities()[:200])
        handle, country, skill = (
            f"{first.lower()}_{last.lower()}{n}",
            home["country"],
            round(chance.gauss(1650, 420)),
        )
        if n < len(_FAMOUS):
            handle, country, skill = _FAMOUS[n]
        found.append(
            User(
                handle if handle.isascii() else f"user_{n}", f"{first} {last}", country,
                home["name"] if country == home["country"] else find_country(country)["capital"],
                f"{home['name']} University", skill,
                1262304000 + chance.randrange(0, 400000000), chance.randrange(-20, 190), chance.randrange(3, 900),
            )
        )  # fmt: skip
    return tuple(found)


def find_user(seed: int, handle: str) -> User:
    """The user of a handle (case aside); a not_found fault otherwise."""
    wanted = fold(handle)
    for user in users(seed):
        if user.handle.casefold() == wanted:
            return user
    if not _HANDLE.fullmatch(handle.strip()) or not (fold(handle) in _COUNTRIES or _pronounced(handle)):
        raise not_found("user", handle[:60], such_as=("tourist", "jiangly", "Petr"))
    return derived(seed, "contestant", handle, lambda chance: _further_user(handle.strip(), chance))


def _pronounced(handle: str) -> bool:
    return well_formed(re.sub(r"[\d_.]+", " ", handle).strip())


def _further_user(handle: str, chance: Random) -> User:
    """Somebody whose handle no table has."""
    home = chance.choice(cities()[:200])
    country, spelled = _COUNTRIES.get(fold(handle), (home["country"], handle))
    strong = fold(handle) in _COUNTRIES
    city = home["name"] if country == home["country"] else find_country(country)["capital"]
    return User(
        spelled, f"{chance.choice(MALE + FEMALE)} {chance.choice(LAST)}", country, city, f"{city} University",
        round(chance.gauss(2800, 200) if strong else chance.gauss(1500, 350)), 1262304000 + chance.randrange(4000000),
        chance.randrange(-20, 60), chance.randrange(3, 200),
    )  # fmt: skip


def submissions_by(seed: int, user: User) -> Sequence[Submission]:
    """The solutions of a user, latest first; those of a derived user were handed in after the contests."""
    found = submissions_of(seed).get(user.handle)
    return _practice(seed, user) if found is None else found


def _practice(seed: int, user: User) -> list[Submission]:
    chance = seeds.stream(seed, "practice", user.handle)
    rows: list[Submission] = []
    for contest in chance.sample(contests(seed)[:RATED], 12):
        for place, problem in enumerate(contest.problems[:3]):
            for minute, verdict in _tries(contest, user, problem, chance, contest.duration // 180 * place):
                number = 900_000_000 + contest.id * 1000 + seeds.number(user.handle, len(rows)) % 1000
                rows.append(_submission(seed, number, contest, (minute, user, problem, verdict)))
    return sorted(rows, key=lambda one: (-one.contest.start - 60 * one.minute, -one.id))


def _problems(seed: int, contest: int, count: int, hardness: int) -> tuple[Problem, ...]:
    chance = seeds.stream(seed, "problems", contest)
    return tuple(
        Problem(
            contest, "ABCDEFG"[n], f"{chance.choice(_DEEDS)} {chance.choice(_NOUNS)}",
            min(3500, round((hardness + 400 * n + chance.randrange(-100, 101)) / 100) * 100), 500 * (n + 1),
            (*chance.sample(TAGS[: 6 + 3 * n], chance.randrange(1, 4)), *_further_tags(seed, contest, n)),
        )
        for n in range(count)
    )  # fmt: skip


def _further_tags(seed: int, contest: int, place: int) -> tuple[str, ...]:
    """The rarer tag of a later problem; half of these have one."""
    number = seeds.number(seed, "further tag", contest, place)
    return (_FURTHER_TAGS[number // 2 % len(_FURTHER_TAGS)],) if place > 1 and number % 2 else ()


def _held(seed: int, place: int) -> Contest:
    kind = ("Div. 2", "Div. 1", "Educational", "Div. 1 + Div. 2")[place % 4]
    number = 1 + place * 20
    span = (LAST_START - FIRST_START).total_seconds()
    start = FIRST_START.timestamp() + int(place * span / (RATED - 1)) // 300 * 300
    name = "Codeforces Beta Round 1" if not place else f"Codeforces Round {1 + place * 10} ({kind})"
    name = f"Educational Codeforces Round {place + 60}" if kind == "Educational" else name
    problems = _problems(seed, number, 5 + place % 3, 1500 if kind == "Div. 1" else 800)
    return Contest(number, name, "ICPC" if kind == "Educational" else "CF", int(start), 2 * HOUR, problems)


@seeds.table
def contests(seed: int) -> tuple[Contest, ...]:
    """All contests by number: those held, four to come, and six in the gym."""
    found = [_held(seed, place) for place in range(RATED)]
    days = (2, 5, 10, 17)
    base = int(datetime(2024, 5, 15, 14, 35, tzinfo=UTC).timestamp())
    for n, later in enumerate(days):
        number, name = 1921 + 20 * n, f"Codeforces Round {961 + 10 * n} (Div. {1 + n % 2})"
        found.append(Contest(number, name, "CF", base + later * 24 * HOUR, 2 * HOUR, ()))
    for n in range(6):
        start = int(datetime(2012 + 2 * n, 10, 14, 9, tzinfo=UTC).timestamp())
        name = f"{2012 + 2 * n}-{2013 + 2 * n} ICPC, {('NEERC', 'SWERC', 'Asia')[n % 3]} Regional Contest"
        problems = _problems(seed, 100001 + n, 7, 1000)
        found.append(Contest(100001 + n, name, "ICPC", start, 5 * HOUR, problems, gym=True))
    return tuple(found)


def find_contest(seed: int, number: int) -> Contest:
    """The contest of a number; a not_found fault otherwise."""
    for contest in contests(seed):
        if contest.id == number:
            return contest
    raise not_found("contest", number, known=[contest.id for contest in contests(seed)])


@functools.lru_cache(maxsize=1024)
def entrants(seed: int, contest: Contest) -> tuple[User, ...]:
    """Who took part; the last three of them out of competition. The first user missed no contest since 2023."""
    chosen = seeds.stream(seed, "entrants", contest.id).sample(users(seed), 30)
    first = users(seed)[0]
    return tuple(chosen) if contest.id < 1800 or first in chosen else (first, *chosen[1:])


def _tries(
    contest: Contest, user: User, problem: Problem, chance: Random, minute: int
) -> list[tuple[int, str]]:
    """(minute, verdict) of the attempts at a problem, starting at a minute."""
    odds = 1 / (1 + 10 ** ((problem.rating - user.skill - 100) / 400))
    seen, limit = [], contest.duration // 60
    for _ in range(3):
        minute += chance.randrange(3, 30)
        if minute >= limit:
            break
        if chance.random() < odds:
            hacked = contest.kind == "CF" and chance.random() < 0.05
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


@functools.lru_cache(maxsize=512)
def submissions(seed: int, contest: Contest) -> tuple[Submission, ...]:
    """All solutions handed in during a contest, in order of time."""
    rows: list[tuple[int, User, Problem, str]] = []
    for user in entrants(seed, contest) if contest.problems else ():
        chance, minute = seeds.stream(seed, "attempts", contest.id, user.handle), 0
        for problem in contest.problems:
            tries = _tries(contest, user, problem, chance, minute)
            minute = tries[-1][0] if tries else minute
            rows += [(at, user, problem, verdict) for at, verdict in tries]
    rows.sort(key=lambda row: (row[0], row[1].handle))
    return tuple(_submission(seed, contest.id * 1000 + n, contest, row) for n, row in enumerate(rows, 1))


def _submission(seed: int, number: int, contest: Contest, row: tuple[int, User, Problem, str]) -> Submission:
    minute, user, problem, verdict = row
    chance = seeds.number(seed, "submission", number)
    languages = (
        "C++17 (GCC 7-32)",
        "C++20 (GCC 11-64)",
        "C++23 (GCC 13-64)",
        "Java 11",
        "PyPy 3-64",
        "Python 3",
    )
    passed = 20 + chance % 60 if verdict == "OK" else chance % 20
    return Submission(number, contest, problem, user, minute, verdict,
                      languages[seeds.number(seed, "language", user.handle) % 6], 15 + chance % 1900, passed)  # fmt: skip


@functools.lru_cache(maxsize=512)
def hacks(seed: int, contest: Contest) -> tuple[Hack, ...]:
    """Attempts to break solutions: one worked for each that was challenged, others failed on good ones."""
    if contest.kind != "CF":
        return ()
    chance = seeds.stream(seed, "hacks", contest.id)
    found = submissions(seed, contest)
    good = [one for one in found if one.verdict == "OK"]
    failed = chance.sample(good, min(len(good), 10))
    people = entrants(seed, contest)
    rows = []
    for target in [*(one for one in found if one.verdict == "CHALLENGED"), *failed]:
        hacker = chance.choice([user for user in people if user is not target.user])
        bad = chance.choice(("HACK_UNSUCCESSFUL", "HACK_UNSUCCESSFUL", "INVALID_INPUT"))
        verdict = "HACK_SUCCESSFUL" if target.verdict == "CHALLENGED" else bad
        rows.append(
            (min(target.minute + chance.randrange(1, 20), contest.duration // 60), hacker, target, verdict)
        )
    rows.sort(key=lambda row: (row[0], row[2].id))
    return tuple(Hack(contest.id * 100 + n, *row) for n, row in enumerate(rows, 1))


def _hack_points(seed: int, contest: Contest) -> dict[User, int]:
    worth = {"HACK_SUCCESSFUL": 100, "HACK_UNSUCCESSFUL": -50, "INVALID_INPUT": 0}
    points: dict[User, int] = {}
    for hack in hacks(seed, contest):
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


@functools.lru_cache(maxsize=512)
def standings(seed: int, contest: Contest) -> tuple[Row, ...]:
    """Points (fewer the later and after wrong tries), or solved problems and penalty, counted from submissions."""
    extra = _hack_points(seed, contest)
    rows = []
    for place, (user, done) in enumerate(_solved(seed, contest).items()):
        late = sum(minute + 10 * tries for _, tries, minute in done.values())
        problems = tuple((index, worth, tries) for index, (worth, tries, _) in sorted(done.items()))
        points = sum(worth for worth, _, _ in done.values()) + extra.get(user, 0)
        rows.append(Row(0, user, points, 0 if contest.kind == "CF" else late, problems, place < 27))
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
        rows.sort(key=lambda one: (-one.contest.start - 60 * one.minute, -one.id))
    return found
