"""Horses, races and their results: the tables under the racing service."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Annotated

from toolyard.core.sums import added
from toolyard.world import seeds
from toolyard.world.shared.people import FEMALE, LAST, MALE
from toolyard.world.tables import read_table
from toolyard.world.types import Semantic
from toolyard.world.worlds.competition.sports import racing_rules

HorseName = Annotated[str, Semantic("horse")]
# Race 207660 is the first of 10 May 2024; twelve races are run each day.
DAY, NUMBER, PER_DAY = date(2024, 5, 10), 207660, 12
FIRST, LAST_DAY = date(2023, 5, 1), date(2024, 5, 18)
FIRST_HORSE, HORSES = 55500, 3500
# Races of the other courses have numbers of their own.
FURTHER_NUMBER, FURTHER_PER_DAY = 700_001, 6
COURSES = tuple(
    "Ascot,Cheltenham,Aintree,Epsom Downs,Newmarket,York,Goodwood,Sandown Park,Kempton Park,Leopardstown,"
    "The Curragh,Doncaster".split(",")
)
_ADJECTIVES = (
    "Golden Silent Royal Midnight Crimson Silver Wild Northern Lucky Brave Velvet Amber Distant Noble".split()
)
_NOUNS = "Arrow Dancer Whisper Knight River Storm Legend Comet Harbour Meadow Falcon Promise Tempest Lantern".split()
_FURTHER_ADJECTIVES = (
    "Quiet Rusty Hasty Scarlet Gentle Frosty Merry Hollow Stormy Ivory Copper Dapper Bold Sunny".split()
)
_FURTHER_NOUNS = (
    "Canyon Fiddler Beacon Sparrow Thunder Oak Pilgrim Bard Ember Rambler Cavalier Drifter Echo Heron".split()
)
_TAILS = (
    "",
    *(
        f" {tail}"
        for tail in (
            "Boy Girl Star Lad Rose King Spirit Lass Lady Prince Song Flight Bay Heart Lord Dream Glory".split()
        )
    ),
)


@dataclass(frozen=True, slots=True, eq=False)
class Horse:
    """A horse with the people around it."""

    id: int
    name: str
    age: int
    rating: int
    trainer: str
    owner: str
    sire: str
    dam: str


@dataclass(frozen=True, slots=True, eq=False)
class Race:
    """A race and the horses that are entered for it."""

    id: int
    day: date
    start: datetime
    course: str
    title: str
    metres: int
    race_class: int
    going: str
    prize: int
    runners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Run:
    """One horse in one race."""

    race: Race
    horse: Horse
    jockey: str
    number: int
    position: int
    odds: float
    weight_kg: float


def _people(seed: int, kind: str, count: int) -> tuple[str, ...]:
    return tuple(
        f"{seeds.pick(MALE + FEMALE, seed, kind, n)} {LAST[n * 5 % len(LAST)]}" for n in range(count)
    )


def _names(seed: int, kind: str, nouns: Sequence[str], adjectives: Sequence[str]) -> list[str]:
    names = [f"{adjective} {noun}{tail}" for noun in nouns for adjective in adjectives for tail in _TAILS]
    seeds.stream(seed, kind).shuffle(names)
    return names


def _within(low: int, rating: int, high: int) -> int:
    """A rating between two bounds; one beyond them lies as far inside."""
    return 2 * low - rating if rating < low else 2 * high - rating if rating > high else rating


def _jumps(place: int, age: int) -> bool:
    """Whether a horse runs over jumps: young ones run on the flat, every other one later."""
    return age >= 4 and place % 2 == 1


@seeds.table
def horses(seed: int) -> tuple[Horse, ...]:
    """All horses, by number: those of the main courses, then those of the others."""
    trainers = _people(seed, "trainer", 60)
    names = _names(seed, "horse names", _NOUNS, _ADJECTIVES)[:HORSES]
    names += _names(seed, "further horse names", _FURTHER_NOUNS, _FURTHER_ADJECTIVES)[:HORSES]
    found = []
    for n in range(2 * HORSES):
        chance = seeds.stream(seed, "horse", n)
        rating, age = round(chance.gauss(85, 22)), chance.randrange(3, 11)
        best = 165 if _jumps(n, age) else 125
        found.append(
            Horse(
                FIRST_HORSE + n, names[n], age, _within(40, rating, best), chance.choice(trainers),
                f"{chance.choice(LAST)} Racing", f"{chance.choice(_ADJECTIVES)} {chance.choice(_NOUNS)}",
                f"Lady {chance.choice(_NOUNS)}",
            )
        )  # fmt: skip
    return tuple(found)


class _Stable:
    """Horses of one country and kind of race, called up in groups of like rating."""

    def __init__(self, seed: int, places: Sequence[int], chance: Random) -> None:
        self._ratings = [horse.rating for horse in horses(seed)]
        self._places, self._chance = places, chance
        self._groups: list[tuple[int, ...]] = []

    def field(self) -> tuple[tuple[int, ...], int]:
        """The runners of the next race and its class."""
        if not self._groups:
            self._groups = racing_rules.fields(self._places, self._ratings, self._chance)
        group = self._groups.pop()
        runners = group[: self._chance.randrange(6, len(group) + 1)]
        return runners, racing_rules.class_of(self._ratings[place] for place in runners)


def _stables(seed: int, part: range, chance: Random) -> dict[str, _Stable]:
    ages = [horse.age for horse in horses(seed)]
    jumping = [place for place in part if _jumps(place, ages[place])]
    flat = [place for place in part if not _jumps(place, ages[place])]
    return {
        racing_rules.FLAT: _Stable(seed, flat, chance),
        racing_rules.JUMPS: _Stable(seed, jumping, chance),
    }


@seeds.table
def races(seed: int) -> tuple[Race, ...]:
    """The races of the main courses in order of time; the number of a race tells its place."""
    chance = seeds.stream(seed, "race days")
    stables = _stables(seed, range(HORSES), chance)
    found: list[Race] = []
    for number in range((LAST_DAY - FIRST).days + 1):
        day = FIRST + timedelta(days=number)
        courses = chance.sample([one for one in COURSES if racing_rules.code_of(one, "main", day)], 2)
        for place in range(PER_DAY):
            hourly = datetime(day.year, day.month, day.day, 12 + place // 2, 30 * (place % 2) + 5, tzinfo=UTC)
            course = courses[place % 2]
            start = racing_rules.off_time(course, day, place // 2, hourly)
            where = (course, "main", day)
            found.append(
                _race(seed, NUMBER + (day - DAY).days * PER_DAY + place, start, where, stables, chance)
            )
    return _with_own_titles(found)


def _with_own_titles(found: Sequence[Race]) -> tuple[Race, ...]:
    """The races, those of one card under titles that differ."""
    taken: dict[tuple[str, date], set[str]] = {}
    named = []
    for race in found:
        titles = taken.setdefault((race.course, race.day), set())
        title = racing_rules.own_title(race.title, titles, race.course, race.day)
        titles.add(title)
        named.append(race if title == race.title else replace(race, title=title))
    return tuple(named)


def _race(
    seed: int,
    number: int,
    start: datetime,
    where: tuple[str, str, date],
    stables: dict[str, _Stable],
    chance: Random,
) -> Race:
    course, land, day = where
    code = racing_rules.code_of(*where) or racing_rules.FLAT
    title, metres = racing_rules.race_kind(code, chance)
    runners, level = stables[code].field()
    title = racing_rules.titled(title, level)
    going = racing_rules.going_on(seed, course, land, day)
    return Race(number, day, start, course, title, metres, level, going, 90000 // level // level, runners)


@functools.cache
def _countries() -> dict[str, str]:
    """Course beside the main ones -> its country."""
    return {
        name: row["country"] for row in read_table("race_courses.tsv") for name in row["courses"].split(";")
    }


def further_courses() -> tuple[str, ...]:
    """The courses beside the main ones."""
    return tuple(_countries())


def _is_open(course: str, day: date) -> bool:
    return racing_rules.code_of(course, _countries()[course], day) is not None


@seeds.table
def further_races(seed: int) -> tuple[Race, ...]:
    """The races of the other courses in order of time: three a day on each of two, in turn; horses stay in their country."""
    chance = seeds.stream(seed, "further race days")
    parts, first = {}, HORSES
    for land, count in Counter(_countries().values()).items():
        size = max(36, HORSES * count // len(_countries()))
        parts[land] = range(first, min(first + size, 2 * HORSES))
        first += size
    stables = {land: _stables(seed, part, chance) for land, part in parts.items()}
    found: list[Race] = []
    waiting = chance.sample(further_courses(), len(further_courses()))
    for number in range((LAST_DAY - FIRST).days + 1):
        day = FIRST + timedelta(days=number)
        for place in range(FURTHER_PER_DAY):
            if place % 3 == 0:
                waiting.append(waiting.pop(next(n for n, one in enumerate(waiting) if _is_open(one, day))))
            course = waiting[-1]
            land = _countries()[course]
            hourly = datetime(day.year, day.month, day.day, 12 + place, 45, tzinfo=UTC)
            start = racing_rules.off_time(course, day, place % 3, hourly)
            identity = FURTHER_NUMBER + number * FURTHER_PER_DAY + place
            found.append(_race(seed, identity, start, (course, land, day), stables[land], chance))
    return _with_own_titles(found)


def is_held(race: Race) -> bool:
    """Whether a race of the tables is run: none is on Christmas Day."""
    return (race.day.month, race.day.day) != (12, 25)


@seeds.table
def all_races(seed: int) -> tuple[Race, ...]:
    """The races of all courses in order of time."""
    held = filter(is_held, (*races(seed), *further_races(seed)))
    return tuple(sorted(held, key=lambda race: race.start))


@seeds.table
def entries(seed: int) -> dict[int, list[Race]]:
    """Place of a horse -> its races."""
    found: dict[int, list[Race]] = {n: [] for n in range(2 * HORSES)}
    for race in all_races(seed):
        for place in race.runners:
            found[place].append(race)
    return found


def _jockeys(seed: int, race: Race) -> Sequence[str]:
    """Who can ride in a race: people of its country, and of those the half that is on its course that day."""
    main = race.id < FURTHER_NUMBER
    place = race.id - NUMBER if main else (race.id - FURTHER_NUMBER) // 3
    people = list(_people(seed, "jockey" if main else f"jockey of {_countries()[race.course]}", 44))
    seeds.stream(seed, "jockeys of the day", race.day).shuffle(people)
    return people[place % 2 :: 2]


@seeds.remembered(16384)
def runs(seed: int, race: Race) -> tuple[Run, ...]:
    """The horses of a race in order of finish; odds follow ratings, results follow odds more or less."""
    chance = seeds.stream(seed, "race", race.id)
    jockeys = chance.sample(_jockeys(seed, race), len(race.runners))
    field = [horses(seed)[place] for place in race.runners]
    # What people think of a horse on the day is not its rating alone.
    worth = [1.045 ** (horse.rating + chance.gauss(0, 16)) for horse in field]
    top = 74.0 if " Hurdle" in race.title or " Chase" in race.title else 61.0
    best = max(horse.rating for horse in field)
    total = added(worth)
    finish = sorted(range(len(field)), key=lambda n: -(worth[n] ** 0.5) * chance.random())
    return tuple(
        Run(
            race, field[n], jockeys[n], n + 1, place, round(max(1.2, 0.87 * total / worth[n]), 1),
            round(top - 0.45 * min(24, best - field[n].rating), 1),
        )
        for place, n in enumerate(finish, 1)
    )  # fmt: skip


def is_over(race: Race, now: datetime) -> bool:
    """Whether the race has been run."""
    return race.start + timedelta(minutes=10) <= now
