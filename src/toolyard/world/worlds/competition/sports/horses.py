"""Horses, races and their results: the tables under the racing service."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Annotated

from toolyard.world import seeds
from toolyard.world.shared.people import FEMALE, LAST, MALE
from toolyard.world.tables import read_table
from toolyard.world.types import Semantic

HorseName = Annotated[str, Semantic("horse")]
# Race 207660 is the first of 10 May 2024; twelve races are run each day.
DAY, NUMBER, PER_DAY = date(2024, 5, 10), 207660, 12
FIRST, LAST_DAY = date(2023, 5, 1), date(2024, 5, 18)
FIRST_HORSE, HORSES = 55500, 1500
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
_TAILS = ("", " Boy", " Girl", " Star", " Lad", " Rose", " King", " Spirit")
_RACES = (
    "Handicap",
    "Maiden Stakes",
    "Novices' Hurdle",
    "Handicap Chase",
    "Conditions Stakes",
    "Fillies' Stakes",
)
_SPONSORS = (
    "Spring",
    "Castle",
    "Jubilee",
    "Meadow",
    "Founders'",
    "Riverside",
    "Guineas Trial",
    "Oak",
    "Summit",
)
_GOING = ("Good", "Good to Firm", "Good to Soft", "Soft", "Heavy")


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


@seeds.table
def horses(seed: int) -> tuple[Horse, ...]:
    """All horses, by number: those of the main courses, then those of the others."""
    trainers = _people(seed, "trainer", 60)
    names = _names(seed, "horse names", _NOUNS, _ADJECTIVES)[:HORSES]
    names += _names(seed, "further horse names", _FURTHER_NOUNS, _FURTHER_ADJECTIVES)[:HORSES]
    found = []
    for n in range(2 * HORSES):
        chance = seeds.stream(seed, "horse", n)
        rating = round(chance.gauss(85, 22))
        found.append(
            Horse(
                FIRST_HORSE + n, names[n], chance.randrange(2, 11), min(165, max(35, rating)), chance.choice(trainers),
                f"{chance.choice(LAST)} Racing", f"{chance.choice(_ADJECTIVES)} {chance.choice(_NOUNS)}",
                f"Lady {chance.choice(_NOUNS)}",
            )
        )  # fmt: skip
    return tuple(found)


def _field(deck: list[int], count: int, refill: Callable[[], list[int]]) -> tuple[int, ...]:
    """The next horses of a deck; a new deck when it is used up, so that no horse runs twice in a race."""
    if len(deck) < count:
        deck[:] = refill()
    chosen, deck[:] = tuple(deck[:count]), deck[count:]
    return chosen


@seeds.table
def races(seed: int) -> tuple[Race, ...]:
    """The races of the main courses in order of time; the number of a race tells its place."""
    chance = seeds.stream(seed, "race days")
    deck: list[int] = []
    found: list[Race] = []
    for number in range((LAST_DAY - FIRST).days + 1):
        day = FIRST + timedelta(days=number)
        courses = chance.sample(COURSES, 2)
        for place in range(PER_DAY):
            start = datetime(day.year, day.month, day.day, 12 + place // 2, 30 * (place % 2) + 5, tzinfo=UTC)
            level = chance.choice((1, 2, 2, 3, 3, 4, 4, 4, 5, 5, 6, 7))
            found.append(
                Race(
                    NUMBER + (day - DAY).days * PER_DAY + place, day, start, courses[place % 2],
                    f"{chance.choice(_SPONSORS)} {chance.choice(_RACES)}", chance.randrange(10, 49) * 100, level,
                    chance.choice(_GOING), 90000 // level // level,
                    _field(deck, chance.randrange(6, 12), lambda: chance.sample(range(HORSES), HORSES)),
                )
            )  # fmt: skip
    return tuple(found)


@functools.cache
def further_courses() -> tuple[str, ...]:
    """The courses beside the main ones."""
    return tuple(name for row in read_table("race_courses.tsv") for name in row["courses"].split(";"))


@seeds.table
def further_races(seed: int) -> tuple[Race, ...]:
    """The races of the other courses in order of time: six a day on one course, in turn; other horses run there."""
    chance = seeds.stream(seed, "further race days")
    deck: list[int] = []
    found: list[Race] = []
    courses = chance.sample(further_courses(), len(further_courses()))
    for number in range((LAST_DAY - FIRST).days + 1):
        day = FIRST + timedelta(days=number)
        for place in range(FURTHER_PER_DAY):
            start = datetime(day.year, day.month, day.day, 12 + place, 45, tzinfo=UTC)
            level = chance.choice((2, 3, 4, 4, 5, 5, 6, 7))
            found.append(
                Race(
                    FURTHER_NUMBER + number * FURTHER_PER_DAY + place, day, start,
                    courses[(2 * number + place // 3) % len(courses)],
                    f"{chance.choice(_SPONSORS)} {chance.choice(_RACES)}", chance.randrange(10, 49) * 100, level,
                    chance.choice(_GOING), 90000 // level // level,
                    _field(deck, chance.randrange(6, 12), lambda: chance.sample(range(HORSES, 2 * HORSES), HORSES)),
                )
            )  # fmt: skip
    return tuple(found)


@seeds.table
def all_races(seed: int) -> tuple[Race, ...]:
    """The races of all courses in order of time."""
    return tuple(sorted((*races(seed), *further_races(seed)), key=lambda race: race.start))


@seeds.table
def entries(seed: int) -> dict[int, list[Race]]:
    """Place of a horse -> its races."""
    found: dict[int, list[Race]] = {n: [] for n in range(2 * HORSES)}
    for race in all_races(seed):
        for place in race.runners:
            found[place].append(race)
    return found


@functools.lru_cache(maxsize=16384)
def runs(seed: int, race: Race) -> tuple[Run, ...]:
    """The horses of a race in order of finish; odds follow ratings, results follow odds more or less."""
    chance = seeds.stream(seed, "race", race.id)
    kind = "jockey" if race.id < FURTHER_NUMBER else "further jockey"
    jockeys = chance.sample(_people(seed, kind, 45), len(race.runners))
    field = [horses(seed)[place] for place in race.runners]
    worth = [1.045**horse.rating for horse in field]
    total = sum(worth)
    finish = sorted(range(len(field)), key=lambda n: -(worth[n] ** 0.5) * chance.random())
    return tuple(
        Run(
            race, field[n], jockeys[n], n + 1, place, round(max(1.2, 0.87 * total / worth[n]), 1),
            round(52 + field[n].rating / 8 + n % 3 / 2, 1),
        )
        for place, n in enumerate(finish, 1)
    )  # fmt: skip


def is_over(race: Race, now: datetime) -> bool:
    """Whether the race has been run."""
    return race.start + timedelta(minutes=10) <= now
