"""Programming contests: rounds, problems and users are reference; skills, submissions, hacks and ratings come from the seed.

Submissions decide standings, standings decide ratings, in order of time.
"""

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from random import Random

from toolyard.core.ordered_sums import sum_in_order
from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import not_found
from toolyard.world.kernel.tables import fold_case, read_table, table_words, values_of

OPEN_TO_ALL, ARCHIVE = 9999, 0
# Part of a round's name -> rated for people from and below, difficulty of the first problem, and the step to the next.
_DIVISIONS = (
    ("Div. 1 + Div. 2", 0, OPEN_TO_ALL, 800, 390), ("Div. 4", 0, 1400, 800, 200), ("Div. 3", 0, 1600, 800, 260),
    ("Div. 2", 0, 2100, 800, 380), ("Div. 1", 1800, OPEN_TO_ALL, 1600, 350), ("", 0, OPEN_TO_ALL, 900, 390),
)  # fmt: skip
_BY_SOLVED = re.compile(r"Educational|Div\. [34]")
_LANGUAGES = table_words("core.languages")
_WRONG = ("WRONG_ANSWER", "WRONG_ANSWER", "TIME_LIMIT_EXCEEDED", "RUNTIME_ERROR")
# What a hack is worth, by its verdict.
HACKS = {"HACK_SUCCESSFUL": 100, "HACK_UNSUCCESSFUL": -50, "INVALID_INPUT": 0}
_RANKS: tuple[tuple[int, str], ...] = tuple(values_of("core.ranks").values())
_OFFICIAL, _GUESTS, _ROOM, _SWING = 27, 3, 10, 6


@dataclass(frozen=True, slots=True, eq=False)
class User:
    """Somebody who takes part."""

    handle: str
    name: str
    country: str
    registered: int


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """A problem of a contest."""

    contest: int
    index: str
    name: str
    rating: int
    points: int
    tags: tuple[str, ...]

    @property
    def title(self) -> str:
        """Letter and name."""
        return f"{self.index}. {self.name}"


@dataclass(frozen=True, slots=True, eq=False)
class Contest:
    """A contest with its problems; `start` in seconds since 1970, rated from `rated_from` to below `rated_below`."""

    id: int
    name: str
    kind: str
    start: int
    duration: int
    problems: tuple[Problem, ...]
    rated_from: int = 0
    rated_below: int = 0

    @property
    def gym(self) -> bool:
        """Whether it is a training, for which nobody is rated."""
        return not self.rated_below


@dataclass(frozen=True, slots=True, eq=False)
class Submission:
    """A solution that was judged; `after` counts seconds from the start of the contest."""

    id: int
    contest: Contest
    problem: Problem
    user: User
    after: int
    verdict: str
    language: str
    milliseconds: int
    passed: int

    @property
    def time(self) -> int:
        """When it was handed in, in seconds since 1970."""
        return self.contest.start + self.after


@dataclass(frozen=True, slots=True)
class Hack:
    """An attempt to break somebody's solution, in seconds since 1970."""

    id: int
    time: int
    hacker: User
    target: Submission
    verdict: str


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the standings; solved problems with what each is worth and the wrong tries before."""

    rank: int
    user: User
    points: int
    penalty: int
    solved: tuple[tuple[str, int, int], ...]
    official: bool


@dataclass(frozen=True, slots=True)
class RatingChange:
    """What a contest did to somebody's rating."""

    contest: Contest
    user: User
    rank: int
    old: int
    new: int


def _seconds(text: str) -> int:
    return int(datetime.fromisoformat(f"{text}:00+00:00").timestamp())


@functools.cache
def all_users() -> Mapping[str, User]:
    """Users by folded handle: some whom everybody knows, and made-up ones."""
    found = {}
    for row in read_table("codeforces_users.tsv"):
        opened = datetime(int(row["year"]), 1, 1, tzinfo=UTC).timestamp()
        registered = int(opened) + seeds.number("registered", row["handle"]) % (40 * 86400)
        found[fold_case(row["handle"])] = User(row["handle"], row["name"], row["country"], registered)
    return found


def find_user(handle: str) -> User:
    """The user of a handle (case aside); a not_found fault otherwise."""
    wanted = fold_case(handle)
    if wanted in all_users():
        return all_users()[wanted]
    known = [user.handle for user in all_users().values()]
    near = [one for one in known if wanted and wanted in one.casefold()]
    raise not_found(
        "user", handle[:60], known=known, nearest=near, listed_by="Competition/Codeforces/user_rated_list"
    )


@seeds.cache_by_seed(1024)
def user_skill(seed: int, user: User) -> int:
    """How good somebody is, 800 to 3500: it decides, and nobody sees it."""
    share = (seeds.unit(seed, "skill", user.handle) + seeds.unit(seed, "practice", user.handle)) / 2
    return 800 + int(2700 * share**1.5)


def _problems_in(contest: int, name: str, text: str) -> Iterator[Problem]:
    """The problems of a line of the table: name=rating=tags, of which the name is always there."""
    _, _, _, first, step = next(row for row in _DIVISIONS if row[0] in name)
    for place, part in enumerate(text.split(";") if text else ()):
        title, _, rest = part.partition("=")
        rating, _, tags = rest.partition("=")
        level = int(rating or min(3500, round((first + step * place) / 100) * 100))
        own = tuple(tags.split(",")) if tags else seeds.pick(_TAGS, "tags", contest, title)
        # A problem in two versions has two numbers behind its letter.
        hard = title.replace("(Easy V", "(Hard V").replace("(easy v", "(hard v")
        letter = str(100 + place) if contest == ARCHIVE else "ABCDEFGHIJKL"[place]
        yield Problem(contest, letter + ("1" if hard != title else ""), title, level, 500 * (place + 1), own)
        if hard != title:
            yield Problem(contest, f"{letter}2", hard, min(3500, level + 300), 500 * (place + 1), own)


# Tags of problems of which none are told.
_TAGS = (("implementation", "math"), ("greedy", "sortings"), ("dp", "data structures"), ("graphs", "dfs and similar"),
         ("constructive algorithms",), ("strings", "hashing"), ("number theory", "math"), ("dp", "trees"))  # fmt: skip


@functools.cache
def all_contests() -> Mapping[int, Contest]:
    """All contests by number: rounds held and to come in order of time, those of the gym, and the archive acmsguru."""
    found = []
    for row in sorted(read_table("codeforces_rounds.tsv"), key=lambda row: row["start"]):
        _, lowest, below, _, _ = next(one for one in _DIVISIONS if one[0] in row["name"])
        kind = "ICPC" if _BY_SOLVED.search(row["name"]) else "CF"
        found.append(Contest(int(row["id"]), row["name"], kind, _seconds(row["start"]), 60 * int(row["minutes"]),
                             tuple(_problems_in(int(row["id"]), row["name"], row["problems"])), lowest, below))  # fmt: skip
    for row in read_table("codeforces_gym.tsv"):
        problems = tuple(_problems_in(int(row["id"]), row["name"], row["problems"]))
        found.append(Contest(int(row["id"]), row["name"], "ICPC", _seconds(row["start"]), 5 * 3600, problems))
    return {one.id: one for one in found}


def contest_rounds(*, gym: bool = False) -> list[Contest]:
    """The rated rounds, or the contests of the gym, in order of time."""
    return [one for one in all_contests().values() if one.gym == gym and one.id != ARCHIVE]


def find_contest(number: int) -> Contest:
    """The contest of a number; a not_found fault otherwise."""
    if number == ARCHIVE or number not in all_contests():
        known = [one for one in all_contests() if one != ARCHIVE]
        raise not_found("contest", number, known=known, listed_by="Competition/Codeforces/contest_list")
    return all_contests()[number]


@seeds.cache_by_seed(1024)
def entrants(seed: int, contest: Contest) -> tuple[User, ...]:
    """Who took part: those the round is rated for, then up to three out of competition; nobody before signing up."""
    chance = seeds.stream(seed, "entrants", contest.id)
    there = [user for user in all_users().values() if user.registered < contest.start]
    below = contest.rated_below or OPEN_TO_ALL
    rated = [user for user in there if contest.rated_from <= user_skill(seed, user) < below]
    others = [user for user in there if user not in rated]
    return (
        *chance.sample(rated, min(_OFFICIAL, len(rated))),
        *chance.sample(others, min(_GUESTS, len(others))),
    )


def room_number(seed: int, contest: Contest, user: User) -> str:
    """The room somebody sat in, ten to a room."""
    return str(1 + entrants(seed, contest).index(user) // _ROOM)


def _draw_tries(limit: int, gap: int, chance: Random, minute: int) -> Iterator[tuple[int, str]]:
    """(minute, verdict) of the attempts at a problem that is so much harder than somebody is good, from a minute on."""
    odds = 1 / (1 + 10 ** ((gap - 100) / 400))
    usual = 2 + 24 * 2 ** (min(800, gap) / 500)
    for _ in range(3):
        minute += max(1, round(usual * chance.uniform(0.5, 1.7)))
        if minute >= limit:
            return
        if chance.random() < odds:
            yield minute, "CHALLENGED" if chance.random() < 0.04 else "OK"
            return
        if chance.random() > 0.55:
            return
        yield minute, chance.choice(_WRONG)


@seeds.cache_by_seed(512)
def contest_submissions(seed: int, contest: Contest) -> tuple[Submission, ...]:
    """All solutions handed in during a contest, in order of time."""
    rows: list[tuple[int, User, Problem, str]] = []
    for user in entrants(seed, contest) if contest.problems else ():
        chance, minute = seeds.stream(seed, "attempts", contest.id, user.handle), 0
        for problem in contest.problems:
            gap = problem.rating - user_skill(seed, user)
            for at, verdict in list(_draw_tries(contest.duration // 60 - 1, gap, chance, minute)):
                minute = at
                told = "OK" if contest.gym and verdict == "CHALLENGED" else verdict
                rows.append((60 * minute + chance.randrange(60), user, problem, told))
    rows.sort(key=lambda row: (row[0], row[1].handle))
    return tuple(_submission(seed, contest.id * 1000 + n, contest, row) for n, row in enumerate(rows, 1))


def _submission(seed: int, number: int, contest: Contest, row: tuple[int, User, Problem, str]) -> Submission:
    after, user, problem, verdict = row
    chance, tests = (
        seeds.number(seed, "submission", number),
        12 + seeds.number("tests", contest.id, problem.index) % 60,
    )
    passed = tests if verdict in ("OK", "CHALLENGED") else chance % tests
    # Two seconds are the usual limit.
    spent = 2000 + chance % 47 if verdict == "TIME_LIMIT_EXCEEDED" else 15 + chance % 1900
    language = seeds.pick(_LANGUAGES, seed, "language", user.handle)
    return Submission(number, contest, problem, user, after, verdict, language, spent, passed)


@seeds.cache_by_seed(512)
def hacks(seed: int, contest: Contest) -> tuple[Hack, ...]:
    """Attempts to break solutions in order of time: one worked for each that was challenged, others failed on good ones."""
    if contest.gym:
        return ()
    chance, found, people = (
        seeds.stream(seed, "hacks", contest.id),
        contest_submissions(seed, contest),
        entrants(seed, contest),
    )
    good = [one for one in found if one.verdict == "OK"]
    broken = [one for one in found if one.verdict == "CHALLENGED"]
    rows = []
    for target in [*broken, *chance.sample(good, min(len(good), 8))]:
        hacker = chance.choice([user for user in people if user is not target.user])
        failed = chance.choice(("HACK_UNSUCCESSFUL", "HACK_UNSUCCESSFUL", "INVALID_INPUT"))
        verdict = "HACK_SUCCESSFUL" if target.verdict == "CHALLENGED" else failed
        rows.append(
            (min(target.after + chance.randrange(60, 1200), contest.duration), hacker, target, verdict)
        )
    rows.sort(key=lambda row: (row[0], row[2].id))
    return tuple(
        Hack(contest.id * 100 + n, contest.start + after, hacker, target, verdict)
        for n, (after, hacker, target, verdict) in enumerate(rows, 1)
    )


def solved_count(seed: int, problem: Problem) -> int:
    """How many solved a problem during its contest; nobody those of the archive."""
    found = contest_submissions(seed, all_contests()[problem.contest]) if problem.contest else ()
    return len({one.user for one in found if one.problem is problem and one.verdict == "OK"})


def _solved_problems(seed: int, contest: Contest) -> dict[User, dict[str, tuple[int, int, int]]]:
    """User -> problem -> (what it is worth, wrong tries before, minute)."""
    found: dict[User, dict[str, tuple[int, int, int]]] = {user: {} for user in entrants(seed, contest)}
    wrong: dict[tuple[User, str], int] = {}
    for one in contest_submissions(seed, contest):
        key, minute = (one.user, one.problem.index), one.after // 60
        tries, full = wrong.get(key, 0), one.problem.points
        if one.verdict != "OK":
            wrong[key] = tries + 1
        elif one.problem.index not in found[one.user]:
            worth = max(full * 3 // 10, full - full * minute // 250 - 50 * tries)
            found[one.user][one.problem.index] = (worth if contest.kind == "CF" else 1, tries, minute)
    return found


@seeds.cache_by_seed(512)
def contest_standings(seed: int, contest: Contest) -> tuple[Row, ...]:
    """Points (fewer the later and after wrong tries), or solved problems and penalty, counted from submissions."""
    official = set(entrants(seed, contest)[:-_GUESTS]) if not contest.gym else set(all_users().values())
    extra: dict[User, int] = {}
    for hack in hacks(seed, contest) if contest.kind == "CF" else ():
        extra[hack.hacker] = extra.get(hack.hacker, 0) + HACKS[hack.verdict]
    rows = []
    for user, done in _solved_problems(seed, contest).items():
        late = sum(minute + 10 * tries for _, tries, minute in done.values())
        problems = tuple((index, worth, tries) for index, (worth, tries, _) in sorted(done.items()))
        points = sum(worth for worth, _, _ in done.values()) + extra.get(user, 0)
        rows.append(Row(0, user, points, 0 if contest.kind == "CF" else late, problems, user in official))
    rows.sort(key=lambda row: (-row.points, row.penalty, row.user.handle))
    scores = [(row.points, -row.penalty) for row in rows]
    return tuple(replace(row, rank=1 + scores.index(score)) for row, score in zip(rows, scores, strict=True))


@seeds.table
def submissions_by_user(seed: int) -> Mapping[User, list[Submission]]:
    """User -> solutions, latest first."""
    found: dict[User, list[Submission]] = {user: [] for user in all_users().values()}
    for contest in all_contests().values():
        for one in contest_submissions(seed, contest):
            found[one.user].append(one)
    for rows in found.values():
        rows.sort(key=lambda one: (-one.time, -one.id))
    return found


def rank_title(rating: int) -> str:
    """The title that goes with a rating."""
    return next(name for low, name in _RANKS if rating >= low)


@seeds.table
def rating_changes(seed: int) -> Mapping[int, tuple[RatingChange, ...]]:
    """Contest -> changes of the official participants: Elo against everybody else who took part,
    from what each can do on."""
    ratings: dict[User, int] = {}
    found: dict[int, tuple[RatingChange, ...]] = {}
    for contest in contest_rounds():
        rows = [row for row in contest_standings(seed, contest) if row.official and contest.problems]
        before = {row.user: ratings.get(row.user, user_skill(seed, row.user)) for row in rows}
        changes = []
        for place, row in enumerate(rows, 1):
            mine = before[row.user]
            others = [other for user, other in before.items() if user is not row.user]
            expected = 1 + sum_in_order(1 / (1 + 10 ** ((mine - other) / 400)) for other in others)
            changes.append(
                RatingChange(contest, row.user, place, mine, mine + round(_SWING * (expected - place)))
            )
        ratings.update({change.user: change.new for change in changes})
        found[contest.id] = tuple(changes)
    return found


@seeds.table
def all_histories(seed: int) -> Mapping[User, list[RatingChange]]:
    """User -> rating changes in order of time."""
    found: dict[User, list[RatingChange]] = {user: [] for user in all_users().values()}
    for changes in rating_changes(seed).values():
        for change in changes:
            found[change.user].append(change)
    return found


def rating_and_best(seed: int, user: User) -> tuple[int, int]:
    """The rating of a user and the best one so far; who took part in no rated round has what he can do."""
    found = [change.new for change in all_histories(seed)[user]] or [user_skill(seed, user)]
    return found[-1], max(found)


def last_online(seed: int, user: User, now: int) -> int:
    """When somebody was seen: up to weeks ago, but not before his last contest ended."""
    chance = seeds.unit(seed, "online", user.handle)
    seen = now - int(chance * 1200 if chance < 0.25 else 40 * 86400 * chance**3)
    return max([seen, *(one.contest.start + one.contest.duration for one in all_histories(seed)[user][-1:])])
