"""Horse racing: horses, courses and cards are reference; fields, odds and finishes come from the seed.

On each day two meetings of six races are held in the British Isles and one elsewhere.
"""

import functools
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from random import Random
from sys import intern
from typing import Annotated

from toolyard.core.ordered_sums import sum_in_order
from toolyard.world.kernel import seeds
from toolyard.world.kernel.tables import read_table
from toolyard.world.kernel.types import Semantic
from toolyard.world.reference.days import zone

HorseName = Annotated[str, Semantic("horse")]
FIRST, LAST_DAY = date(2023, 5, 1), date(2024, 5, 18)
DAYS = (LAST_DAY - FIRST).days + 1
FIRST_HORSE, HORSES = 55500, 7000
# Race 207660 is the first of 10 May 2024; races outside the British Isles have numbers of their own.
_DAY, _NUMBER, _FURTHER_NUMBER, _CARD = date(2024, 5, 10), 207660, 700_001, 6
ISLES = ("United Kingdom", "Ireland")
# What is raced: kind, shortest and longest distance in hundreds of metres, whether over jumps.
_KINDS = (("Handicap", 10, 28, False), ("Stakes", 12, 32, False), ("Conditions Stakes", 10, 24, False),
          ("Hurdle", 32, 48, True), ("Handicap Chase", 36, 65, True))  # fmt: skip
_GOING = ("Good", "Good to Firm", "Good to Soft", "Soft", "Heavy")
_LONGEST_NAME, _PEOPLE = 18, 60
# Horses that keep the name under which they are asked for.
_NAMED = {12: "Golden Dancer", 97: "Lucky Storm Lad"}


@dataclass(frozen=True, slots=True, eq=False)
class Horse:
    """A horse with the people around it; `age` is that of the year of the last race day."""

    id: int
    name: str
    age: int
    trainer: str
    owner: str
    sire: str
    dam: str

    def age_in(self, year: int) -> int:
        """How old it was in a year: horses grow older on New Year's Day."""
        return self.age - (LAST_DAY.year - year)


@dataclass(frozen=True, slots=True, eq=False)
class Race:
    """A race of a card."""

    id: int
    day: date
    start: datetime
    course: str
    title: str
    metres: int
    race_class: int
    prize: int
    jumps: bool

    @property
    def time(self) -> str:
        """The time of the off at the course."""
        return self.start.astimezone(zone(race_courses()[self.course][1])).strftime("%H:%M")


@dataclass(frozen=True, slots=True)
class Run:
    """One horse in one race."""

    race: Race
    horse: Horse
    rating: int
    jockey: str
    number: int
    position: int
    odds: float
    weight_kg: float


@functools.cache
def race_courses() -> Mapping[str, tuple[str, str]]:
    """Name of a course -> its country and time zone."""
    return {
        text.partition("*")[0]: (row["country"], row["zone"])
        for row in read_table("race_courses.tsv")
        for text in row["courses"].split(";")
    }


@functools.cache
def _name_words() -> Mapping[str, tuple[str, ...]]:
    rows = read_table("horse_words.tsv")
    return {row["kind"]: tuple(word.replace("_", " ") for word in row["words"].split()) for row in rows}


@functools.cache
def people_of_kind(kind: str) -> tuple[str, ...]:
    """Jockeys or trainers, all with different names."""
    chance = seeds.stream("racing", kind)
    lasts = chance.sample(_name_words()["british last"], _PEOPLE)
    return tuple(f"{chance.choice(_name_words()['british first'])} {last}" for last in lasts)


def _horse_name(chance: Random) -> str:
    while True:
        one, other = chance.choice(_name_words()["first"]), chance.choice(_name_words()["second"])
        if len(one) + len(other) < _LONGEST_NAME and one != other:
            return f"{one} {other}"


@functools.cache
def all_horses() -> tuple[Horse, ...]:
    """All horses, by number; the first half runs in the British Isles."""
    chance = seeds.stream("racing", "horses")
    names = dict.fromkeys(_NAMED.values())
    while len(names) < HORSES:
        names[_horse_name(chance)] = None
    free = iter(list(names)[len(_NAMED) :])
    return tuple(
        Horse(FIRST_HORSE + n, _NAMED.get(n) or next(free), chance.randrange(4, 11),
              chance.choice(people_of_kind("trainer")), intern(f"{chance.choice(_name_words()['british last'])} Racing"),
              intern(_horse_name(chance)), intern(_horse_name(chance))) for n in range(HORSES)
    )  # fmt: skip


def _draw_card(number: int, course: str, day: date, minute: int, chance: Random) -> list[Race]:
    """The races of a course and day, the best one in the middle."""
    names = chance.sample(_name_words()["race"], _CARD)
    midnight = datetime(day.year, day.month, day.day, tzinfo=zone(race_courses()[course][1]))
    found = []
    for place, name in enumerate(names):
        kind, low, high, jumps = chance.choice(_KINDS)
        level = chance.choice((1, 2)) if place == _CARD // 2 else chance.choice((2, 3, 3, 4, 4, 4, 5, 5))
        start = (midnight + timedelta(hours=13, minutes=minute + 35 * place)).astimezone(UTC)
        prize = 500 * round(180 / level**2 * (0.7 + 0.6 * chance.random()))
        metres, title = 100 * chance.randint(low, high), intern(f"{name} {kind}")
        found.append(Race(number + place, day, start, course, title, metres, level, prize, jumps))
    return found


@functools.cache
def daily_cards() -> tuple[tuple[Race, ...], ...]:
    """The races of each day since the first: those of the British Isles in order of time, then those elsewhere."""
    isles = [name for name, (land, _) in race_courses().items() if land in ISLES]
    abroad = [name for name, (land, _) in race_courses().items() if land not in ISLES]
    found = []
    for number in range(DAYS):
        day, chance = FIRST + timedelta(days=number), seeds.stream("racing", "cards", number)
        first = _NUMBER + (day - _DAY).days * 2 * _CARD
        one, other = chance.sample(isles, 2)
        home = _draw_card(first, one, day, 10, chance) + _draw_card(first + _CARD, other, day, 25, chance)
        further = _draw_card(_FURTHER_NUMBER + number * _CARD, chance.choice(abroad), day, 10, chance)
        found.append((*sorted(home, key=lambda race: (race.start, race.id)), *further))
    return tuple(found)


@functools.cache
def all_races() -> Mapping[int, Race]:
    """All races by number, in order of days."""
    return {race.id: race for day in daily_cards() for race in day}


def ground_state(seed: int, race: Race) -> str:
    """The state of the ground of a course on a day."""
    return seeds.pick(_GOING, seed, "going", race.course, race.day)


def horse_rating(seed: int, horse: Horse) -> int:
    """The official rating of a horse."""
    return 45 + int(75 * (seeds.unit(seed, "rating", horse.id) + seeds.unit(seed, "class", horse.id)) / 2)


@seeds.table
def race_fields(seed: int) -> Mapping[int, Sequence[int]]:
    """Race -> the places of its runners. Horses are called up in turn, so that nobody runs twice before all have run."""
    decks: dict[tuple[bool, bool], list[int]] = {}
    chance, found = seeds.stream(seed, "racing", "fields"), dict[int, Sequence[int]]()
    for race in all_races().values():
        abroad = race.id >= _FURTHER_NUMBER
        deck, count = decks.setdefault((abroad, race.jumps), []), chance.randint(6, 12)
        if len(deck) < count:
            deck[:] = range(HORSES // 2 * abroad + race.jumps, HORSES // 2 * (1 + abroad), 2)
            chance.shuffle(deck)
        found[race.id], deck[:] = array("H", deck[:count]), deck[count:]
    return found


@seeds.table
def races_by_horse(seed: int) -> Sequence[Sequence[Race]]:
    """The races of each horse in order of time."""
    found: list[list[Race]] = [[] for _ in range(HORSES)]
    for number, runners in race_fields(seed).items():
        for place in runners:
            found[place].append(all_races()[number])
    return tuple(map(tuple, found))


@seeds.cache_by_seed(16384)
def runs(seed: int, race: Race) -> tuple[Run, ...]:
    """The horses of a race in order of finish; odds follow ratings, results follow odds more or less."""
    chance = seeds.stream(seed, "race", race.id)
    field = [all_horses()[place] for place in race_fields(seed)[race.id]]
    jockeys = chance.sample(people_of_kind("jockey"), len(field))
    ratings = [horse_rating(seed, horse) for horse in field]
    worth = [1.045 ** (one + chance.gauss(0, 12)) for one in ratings]
    total = sum_in_order(worth)
    weights = [round(52 + one / 8, 1) for one in ratings]
    cloths = sorted(range(len(field)), key=lambda n: (-weights[n], field[n].name))
    finish = sorted(range(len(field)), key=lambda n: -(worth[n] ** 0.5) * chance.random())
    return tuple(
        Run(race, field[n], ratings[n], jockeys[n], cloths.index(n) + 1, place,
            round(min(101.0, max(1.2, 0.87 * total / worth[n])), 1), weights[n])
        for place, n in enumerate(finish, 1)
    )  # fmt: skip


def is_over(race: Race, now: datetime) -> bool:
    """Whether the race has been run."""
    return race.start + timedelta(minutes=10) <= now
