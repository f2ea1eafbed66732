"""Horses, races and their results: the tables under the racing service."""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from random import Random
from typing import Annotated

from toolyard.core.sums import added
from toolyard.world import seeds
from toolyard.world.tables import read_table
from toolyard.world.types import Semantic
from toolyard.world.worlds.competition.sports import racing_rules, racing_words

HorseName = Annotated[str, Semantic("horse")]
# Race 207660 is the first of 10 May 2024; on each day two meetings of six races are held in the British Isles.
DAY, NUMBER, PER_DAY = date(2024, 5, 10), 207660, 12
FIRST, LAST_DAY = date(2023, 5, 1), date(2024, 5, 18)
FIRST_HORSE, HORSES = 55500, 3500
# The meeting of six races elsewhere has numbers of its own.
FURTHER_NUMBER, FURTHER_PER_DAY = 700_001, 6
ISLES = ("United Kingdom", "Ireland")
_CARD = 6


@dataclass(frozen=True, slots=True, eq=False)
class Horse:
    """A horse with the people around it; `age` is that of the year of the last race day."""

    id: int
    name: str
    age: int
    rating: int
    trainer: str
    owner: str
    sire: str
    dam: str
    jumps: bool

    def age_in(self, year: int) -> int:
        """How old it was in a year: horses grow older on New Year's Day."""
        return self.age - (LAST_DAY.year - year)


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


@dataclass(frozen=True, slots=True)
class Course:
    """A racecourse: its country, time zone and about how many days a year it races."""

    name: str
    country: str
    zone: str
    days: int


@functools.cache
def courses() -> dict[str, Course]:
    """All courses by name."""
    found = {}
    for row in read_table("race_courses.tsv"):
        for name, _, days in (text.partition("*") for text in row["courses"].split(";")):
            found[name] = Course(name, row["country"], row["zone"], int(days))
    return found


@functools.cache
def _parts() -> dict[str, range]:
    """Country -> the places of its horses in the table; those of the British Isles race together."""
    counts = Counter(one.country for one in courses().values() if one.country not in ISLES)
    parts, first, total = {"United Kingdom": range(HORSES)}, HORSES, sum(max(3, n) for n in counts.values())
    for land, count in counts.items():
        size = HORSES * max(3, count) // total
        parts[land] = range(first, first + size)
        first += size
    return {**parts, land: range(parts[land].start, 2 * HORSES)}


# Where races over jumps are held.
_JUMPING = ("United Kingdom", "France", "Italy", "Czechia")


@functools.cache
def _lands() -> tuple[str, ...]:
    """The country of each horse of the table."""
    return tuple(land for land, part in _parts().items() for _ in part)


def _jumps(place: int, age: int) -> bool:
    """Whether a horse runs over jumps: young ones run on the flat, every other one later, where there are such races."""
    return age >= 4 and place % 2 == 1 and _lands()[place] in _JUMPING


def _rating(chance: Random, jumping: bool) -> int:
    low, mean, spread, high = (75, 108, 17, 170) if jumping else (42, 70, 17, 122)
    rating = round(chance.gauss(mean, spread))
    return rating if low <= rating <= high else chance.randint(low, mean)


@seeds.table
def horses(seed: int) -> tuple[Horse, ...]:
    """All horses, by number: those of the British Isles, then those of the other countries."""
    names = racing_words.horse_names(seed, 2 * HORSES)
    found = []
    for n, land in enumerate(_lands()):
        chance = seeds.stream(seed, "horse", n)
        age = chance.randrange(3, 11)
        jumping = _jumps(n, age)
        # Everybody has run since the first day on record, and was old enough then.
        code = racing_rules.JUMPS if jumping else racing_rules.FLAT
        least = racing_rules.least_age(code, racing_rules.kind_of(n)) + LAST_DAY.year - FIRST.year
        trainers = racing_words.people(
            seed, "trainer", land, 60 if n < HORSES else 30 if len(_parts()[land]) < 300 else 60
        )
        found.append(
            Horse(
                FIRST_HORSE + n, names[n], max(age, least), _rating(chance, jumping),
                chance.choices(trainers, cum_weights=_summed(len(trainers)))[0],
                racing_words.owner(chance, land), racing_words.parent(chance),
                racing_words.parent(chance, dam=True), jumping,
            )
        )  # fmt: skip
    return tuple(found)


@functools.cache
def _weights(count: int) -> tuple[float, ...]:
    """How busy people are: the first of a list a good deal more than the last."""
    return tuple(1 / (n + count / 4) for n in range(count))


@functools.cache
def _summed(count: int) -> tuple[float, ...]:
    return tuple(itertools.accumulate(_weights(count)))


# A horse does not run again before so many days, and a race has so many runners at least.
_REST, _FEW, _SMALL = 2, 6, 95


class _Stable:
    """Horses of one country that run on the flat or over jumps, called up in groups of one kind and like rating."""

    def __init__(self, seed: int, code: str, places: Sequence[int], chance: Random) -> None:
        self._ratings = [horse.rating for horse in horses(seed)]
        self._ages = [horse.age for horse in horses(seed)]
        self._code, self._places, self._chance = code, places, chance
        self._groups: list[tuple[int, tuple[int, ...]]] = []
        self._last: dict[int, date] = {}

    def field(self, day: date, *, great: bool) -> tuple[int, tuple[int, ...], int]:
        """What the horses of the next race are made for, its runners and its class; great courses get better horses."""
        if not self._groups:
            self._groups = racing_rules.fields(self._places, self._ratings, self._chance)
        seen = range(len(self._groups))[-8 if great else -1 :]
        best = max(seen, key=lambda n: self._ratings[self._groups[n][1][0]])
        kind, group = self._groups.pop(best)
        runners = group[: self._chance.randrange(6, len(group) + 1)]
        level = racing_rules.class_of(self._code, (self._ratings[one] for one in runners))
        # A small stable is not used up in a day.
        return kind, self._rested(kind, runners if len(self._places) > _SMALL else runners[:_FEW], day), level

    def _fresh(self, one: int, day: date) -> bool:
        return one not in self._last or (day - self._last[one]).days >= _REST

    def _rested(self, kind: int, runners: tuple[int, ...], day: date) -> tuple[int, ...]:
        """Those of a group that ran neither today nor yesterday; where few are left, the likest others join them."""
        found = [one for one in runners if self._fresh(one, day)]
        if len(found) < min(len(runners), _FEW):
            age = racing_rules.least_age(self._code, kind) + LAST_DAY.year - day.year
            others = [
                one for one in self._places
                if self._ages[one] >= age and one not in runners and self._fresh(one, day)
            ]  # fmt: skip
            level = self._ratings[runners[0]]
            others.sort(
                key=lambda one: (racing_rules.kind_of(one) != kind, abs(self._ratings[one] - level), one)
            )
            found += others[: _FEW - len(found)]
        self._last.update(dict.fromkeys(found, day))
        return tuple(found)


def _stables(seed: int, part: range, chance: Random) -> dict[str, _Stable]:
    jumping = [place for place in part if horses(seed)[place].jumps]
    flat = [place for place in part if not horses(seed)[place].jumps]
    return {
        racing_rules.FLAT: _Stable(seed, racing_rules.FLAT, flat, chance),
        racing_rules.JUMPS: _Stable(seed, racing_rules.JUMPS, jumping, chance),
    }


def _days() -> list[date]:
    return [FIRST + timedelta(days=n) for n in range((LAST_DAY - FIRST).days + 1)]


@functools.cache
def _open_months(course: Course) -> int:
    week = range(1, 8)
    return sum(any(_code(course, date(2023, month, day)) for day in week) for month in range(1, 13))


def _code(course: Course, day: date) -> str | None:
    return racing_rules.code_of(course.name, course.country, day)


class _Calendar:
    """Who races next: of the courses that are open, those that are due, each about as often as it does in truth."""

    def __init__(self, among: Sequence[Course], chance: Random) -> None:
        self._chance = chance
        self._last = {one: FIRST - timedelta(days=chance.randrange(1, 3000 // one.days)) for one in among}

    def meetings(self, day: date, count: int) -> list[Course]:
        """So many courses of the day."""
        ready = [one for one in self._last if _code(one, day)]
        due = {one: (day - self._last[one]).days * one.days / _open_months(one) for one in ready}
        order = sorted(ready, key=lambda one: -due[one] * self._chance.uniform(0.6, 1.4))
        for one in order[:count]:
            self._last[one] = day
        return order[:count]


@seeds.table
def races(seed: int) -> tuple[Race, ...]:
    """The races of the British Isles in order of time; the number of a race tells its place."""
    chance = seeds.stream(seed, "race days")
    stables = _stables(seed, _parts()["United Kingdom"], chance)
    isles = [one for one in courses().values() if one.country in ISLES]
    calendar = _Calendar(isles, chance)
    found: list[Race] = []
    for day in _days():
        first = NUMBER + (day - DAY).days * PER_DAY
        # At Christmas the numbers are kept for races that are not held.
        for place, course in enumerate(calendar.meetings(day, PER_DAY // _CARD) or isles[:2]):
            found += _card(seed, first + place * _CARD, course, day, stables, chance)
    return tuple(found)


def _card(
    seed: int, number: int, course: Course, day: date, stables: dict[str, _Stable], chance: Random
) -> list[Race]:
    """The races of a course and day."""
    code = _code(course, day) or racing_rules.FLAT
    going = racing_rules.going_on(seed, course.name, course.country, day)
    great = course.name in racing_rules.GREAT
    found: list[Race] = []
    for place in range(_CARD):
        kind, runners, level = stables[code].field(day, great=great)
        others = [one.race_class for one in found]
        level = racing_rules.class_at(course.name, course.country, level, others)
        fence = racing_rules.fence_of(code, kind)
        title = racing_words.race_title(course.country, level, fence, [one.title for one in found], chance)
        found.append(
            Race(
                number + place, day, racing_rules.off_time(course.name, course.zone, day, place), course.name, title,
                racing_rules.metres_of(code, kind, course.name, course.country, chance), level, going,
                racing_rules.prize_of(code, level, course.name, course.country, chance), runners,
            )
        )  # fmt: skip
    return found


@seeds.table
def further_races(seed: int) -> tuple[Race, ...]:
    """The races elsewhere in order of days, six a day on one course; horses stay in their country."""
    chance = seeds.stream(seed, "further race days")
    abroad = [one for one in courses().values() if one.country not in ISLES]
    stables = {land: _stables(seed, part, chance) for land, part in _parts().items() if land not in ISLES}
    calendar = _Calendar(abroad, chance)
    found: list[Race] = []
    for number, day in enumerate(_days()):
        (course,) = calendar.meetings(day, 1) or abroad[:1]
        first = FURTHER_NUMBER + number * FURTHER_PER_DAY
        found += _card(seed, first, course, day, stables[course.country], chance)
    return tuple(found)


def is_open(day: date) -> bool:
    """Whether anybody races on a day: nobody at Christmas."""
    return (day.month, day.day) != (12, 25)


def is_held(race: Race) -> bool:
    """Whether a race of the tables is run: none is on Christmas Day, nor in the British Isles on the day before."""
    eve = (race.day.month, race.day.day) == (12, 24) and race.id < FURTHER_NUMBER
    return is_open(race.day) and not eve


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


def _jockeys(seed: int, race: Race, count: int) -> list[str]:
    """Who rides in a race: people of its country and kind, the busy ones more often, of the half that is on its course."""
    land = courses()[race.course].country
    code = racing_rules.code_of(race.course, land, race.day) or racing_rules.FLAT
    people = racing_words.people(
        seed, f"jockey {code}", "United Kingdom" if land in ISLES else land, _JOCKEYS
    )
    meeting = (race.id - (NUMBER if race.id < FURTHER_NUMBER else FURTHER_NUMBER)) // _CARD
    chance, rest = seeds.stream(seed, "jockeys", race.id), _rests(len(people))
    there = sorted(_of_the_day(seed, race.day)[meeting % 2 :: 2], key=lambda n: -(chance.random() ** rest[n]))
    return [people[n] for n in there[:count]]


_JOCKEYS = 48


@functools.cache
def _rests(count: int) -> tuple[float, ...]:
    return tuple(1 / (40 * weight) for weight in _weights(count))


@functools.lru_cache(maxsize=1024)
def _of_the_day(seed: int, day: date) -> list[int]:
    """The places of the jockeys in the order in which they are sent to the courses."""
    order = list(range(_JOCKEYS))
    seeds.stream(seed, "jockeys of the day", day).shuffle(order)
    return order


@seeds.remembered(16384)
def runs(seed: int, race: Race) -> tuple[Run, ...]:
    """The horses of a race in order of finish; odds follow ratings, results follow odds more or less."""
    chance = seeds.stream(seed, "race", race.id)
    jockeys = _jockeys(seed, race, len(race.runners))
    field = [horses(seed)[place] for place in race.runners]
    # What people think of a horse on the day is not its rating alone; the first of the jockeys gets the better mounts.
    worth = sorted((1.045 ** (horse.rating + chance.gauss(0, 16)), n) for n, horse in enumerate(field))
    thought = {n: value for value, n in worth}
    ridden = {n: jockeys[-1 - place] for place, (_, n) in enumerate(worth)}
    aged = [(horse.rating, horse.age_in(race.day.year)) for horse in field]
    weights = racing_rules.weights(race.title, courses()[race.course].country, race.day, aged)
    # Horses of one weight are numbered by rating in a handicap, by name elsewhere.
    names = [horse.name if " Handicap" not in race.title else "" for horse in field]
    by_weight = sorted(range(len(field)), key=lambda n: (-weights[n], names[n], -field[n].rating))
    cloths = {n: number for number, n in enumerate(by_weight, 1)}
    total = added(list(thought.values()))
    finish = sorted(range(len(field)), key=lambda n: -(thought[n] ** 0.5) * chance.random())
    return tuple(
        Run(
            race, field[n], ridden[n], cloths[n], place, racing_rules.price(max(1.2, 0.87 * total / thought[n])),
            weights[n],
        )
        for place, n in enumerate(finish, 1)
    )  # fmt: skip


def is_over(race: Race, now: datetime) -> bool:
    """Whether the race has been run."""
    return race.start + timedelta(minutes=10) <= now
