"""Competition/Horse_Racing: a year of races with cards, results, horses, jockeys and trainers."""

import re
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Annotated, Literal, TypedDict, Unpack

from toolyard.world.kernel.faults import invalid, not_found, out_of_range
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import plain
from toolyard.world.kernel.types import ClockTime, Page, Range, Semantic, Unit
from toolyard.world.kernel.views import View
from toolyard.world.reference.days import parse_date
from toolyard.world.simulated.sports import horses as racing
from toolyard.world.simulated.sports.core import RacingDay
from toolyard.world.simulated.sports.horses import FIRST, LAST_DAY, Horse, HorseName, Race, Run, is_over, runs

RaceId = Annotated[int, Semantic("horse_race_id")]
HorseId = Annotated[int, Semantic("horse_id")]
CourseName = Annotated[str, Semantic("racecourse")]
Metres = Annotated[int, Unit("m"), Range(0, 10000)]
RaceClass = Annotated[int, Range(1, 7)]


class RaceHead(TypedDict):
    id_race: RaceId
    course: CourseName
    date: RacingDay
    time: ClockTime
    title: str
    distance_m: int
    race_class: int


class RaceRow(RaceHead):
    runners: int
    finished: bool


class CardRow(TypedDict):
    id_race: RaceId
    course: CourseName
    date: RacingDay
    off_time: ClockTime
    title: str
    going: str
    prize_gbp: int


class ResultRow(TypedDict):
    id_race: RaceId
    course: CourseName
    time: ClockTime
    title: str
    winner_id: HorseId
    winner: HorseName
    jockey: str
    starting_price: float
    placed: list[HorseName]


class RunnerRow(TypedDict):
    id_horse: HorseId
    horse: HorseName
    number: int
    jockey: str
    trainer: str
    age: int
    weight_kg: float
    official_rating: int
    form: str
    owner: str
    sire: str
    dam: str
    odds: float
    position: int | None


class RaceDetails(RaceHead):
    going: str
    prize_gbp: int
    finished: bool
    horses: list[RunnerRow]


class PastRun(TypedDict):
    id_race: RaceId
    date: RacingDay
    course: CourseName
    position: int
    runners: int
    distance_m: int
    race_class: int
    jockey: str
    starting_price: float


class HorseStats(TypedDict):
    id_horse: HorseId
    horse: HorseName
    runs: int
    wins: int
    places: int
    results: list[PastRun]


class WinRate(TypedDict):
    name: str
    runs: int
    wins: int
    win_rate_percent: float


class HorseRow(TypedDict):
    id_horse: HorseId
    horse: HorseName
    age: int
    trainer: str
    official_rating: int


Bound = Literal["distance_from", "distance_to", "class_from", "class_to", "date_from", "date_to"]


class RaceFilters(TypedDict, total=False):
    """Which races.

    course: Part of the name of the course, e.g. Ascot.
    name: Part of the title of the race.
    distance_from: Shortest distance in metres.
    distance_to: Longest distance in metres.
    class_from: Best class, 1 being the highest.
    class_to: Lowest class, 5 being the lowest.
    id_horse: Only races in which this horse runs.
    date_from: First day; races are known from May 2023 on.
    date_to: Last day; three days ahead at most.
    page: Number of the page of 20 races, from 1.
    order_by_date: Oldest (asc) or latest (desc) first; latest by default.
    """

    course: CourseName
    name: str
    distance_from: Metres
    distance_to: Metres
    class_from: RaceClass
    class_to: RaceClass
    id_horse: HorseId
    date_from: RacingDay
    date_to: RacingDay
    page: Annotated[int, Range(1, 100000)]
    order_by_date: Literal["asc", "desc"]


GROUP = Group("Competition/Horse_Racing")


HEADS = View.of(RaceHead, id_race="id", date=lambda race: race.day.isoformat(), distance_m="metres")


def _find_horse(number: int) -> Horse:
    """The horse of a number; a not_found fault otherwise."""
    place = number - racing.FIRST_HORSE
    if not 0 <= place < racing.HORSES:
        known = range(racing.FIRST_HORSE, racing.FIRST_HORSE + racing.HORSES)
        raise not_found("horse", number, known=known, listed_by=f"{GROUP}/query_horses")
    return racing.all_horses()[place]


def _find_race(number: int) -> Race:
    if number not in racing.all_races():
        raise not_found("race", number, known=sorted(racing.all_races()), listed_by=f"{GROUP}/query_races")
    return racing.all_races()[number]


def _past_runs(seed: int, horse: Horse, now: datetime) -> list[Run]:
    done = [race for race in racing.races_by_horse(seed)[horse.id - racing.FIRST_HORSE] if is_over(race, now)]
    return [run for race in done for run in runs(seed, race) if run.horse is horse]


def _count_paid_places(runners: int) -> int:
    """How many horses count as placed, the winner among them: three of eight or more runners, two of fewer."""
    return 3 if runners >= 8 else 2


def _horse_form(seed: int, horse: Horse, until: datetime) -> str:
    return "".join(str(run.position % 10) for run in _past_runs(seed, horse, until)[-5:])


@GROUP.tool(
    examples=[{"id_race": 207660}],
    phrase="get the detailed card with jockeys, odds and finish of the horse race whose number is {id_race}",
    noun="the horse race card",
    jobs=("horse races",),
    promises={"OR": "horses[].official_rating"},
)
def race_detail_info(world: World, *, id_race: RaceId) -> RaceDetails:
    """The card of a race: every horse with jockey, trainer, weight, rating, form, breeding and odds, and the finish once
    it is over.

    id_race: Number of the race.
    """
    race = _find_race(id_race)
    over = is_over(race, world.now)
    field = sorted(runs(world.seed, race), key=lambda run: run.position if over else run.number)
    return {
        **HEADS.row(race),
        "going": racing.ground_state(world.seed, race),
        "prize_gbp": race.prize,
        "finished": over,
        "horses": [_runner_row(world.seed, run, over) for run in field],
    }


def _runner_row(seed: int, run: Run, over: bool) -> RunnerRow:
    horse = run.horse
    return {
        "id_horse": horse.id,
        "horse": horse.name,
        "number": run.number,
        "jockey": run.jockey,
        "trainer": horse.trainer,
        "age": horse.age_in(run.race.day.year),
        "weight_kg": run.weight_kg,
        "official_rating": run.rating,
        "form": _horse_form(seed, horse, run.race.start),
        "owner": horse.owner,
        "sire": horse.sire,
        "dam": horse.dam,
        "odds": run.odds,
        "position": run.position if over else None,
    }


def _races_on(world: World, day: str | None) -> tuple[Race, ...]:
    wanted = parse_date(day) if day is not None else world.today
    if not FIRST <= wanted <= LAST_DAY:
        raise out_of_range("date", wanted.isoformat(), f"races are known from {FIRST} to {LAST_DAY}")
    return racing.daily_cards()[(wanted - FIRST).days]


@GROUP.tool(
    examples=[{"date": "2024-05-15"}, {}],
    phrase="list horse races with course, off time and going[ for {date}]",
    noun="the list of horse races",
    jobs=("horse races",),
)
def racecards(world: World, *, date: RacingDay | None = None) -> list[CardRow]:
    """The races of a day with course, time of the off there, going and prize money: two meetings in Britain and Ireland
    and one elsewhere.

    date: The day; today by default. Known from May 2023 to three days ahead.
    """
    return [
        {
            "id_race": race.id,
            "course": race.course,
            "date": race.day.isoformat(),
            "off_time": race.time,
            "title": race.title,
            "going": racing.ground_state(world.seed, race),
            "prize_gbp": race.prize,
        }
        for race in _races_on(world, date)
    ]


@GROUP.tool(
    examples=[{"date": "2024-05-10"}],
    phrase="get the winners and placed horses of the horse races that were run[ on {date}]",
    noun="the horse racing results",
    jobs=("horse races",),
)
def results(world: World, *, date: RacingDay | None = None) -> list[ResultRow]:
    """Winners and placed horses of the races of a day that have been run, of the same meetings as `racecards` has; none
    before the first race of a day. The second is placed, and of eight runners or more the third, too.

    date: The day; today by default. Known from May 2023 on.
    """
    if date is not None and parse_date(date) > world.today:
        raise out_of_range("date", date, f"its races have not been run; want a day up to {world.today}")
    rows: list[ResultRow] = []
    for race in _races_on(world, date):
        if is_over(race, world.now):
            field = runs(world.seed, race)
            rows.append(
                {
                    "id_race": race.id,
                    "course": race.course,
                    "time": race.time,
                    "title": race.title,
                    "winner_id": field[0].horse.id,
                    "winner": field[0].horse.name,
                    "jockey": field[0].jockey,
                    "starting_price": field[0].odds,
                    "placed": [run.horse.name for run in field[1 : _count_paid_places(len(field))]],
                }
            )
    return rows


@GROUP.tool(
    examples=[{"id_horse": 56789}],
    phrase="get all runs and the win record of the race horse whose number is {id_horse}",
    noun="the record of the race horse",
)
def horse_stats(world: World, *, id_horse: HorseId) -> HorseStats:
    """The runs of a horse since May 2023, latest first, the last 30 at most, with how often it won and was placed:
    first or second, of eight runners or more also third.

    id_horse: Number of the horse, as query_horses returns it.
    """
    horse = _find_horse(id_horse)
    past = _past_runs(world.seed, horse, world.now)
    return {
        "id_horse": horse.id,
        "horse": horse.name,
        "runs": len(past),
        "wins": sum(run.position == 1 for run in past),
        "places": sum(run.position <= _count_paid_places(len(runs(world.seed, run.race))) for run in past),
        "results": [
            {
                "id_race": run.race.id,
                "date": run.race.day.isoformat(),
                "course": run.race.course,
                "position": run.position,
                "runners": len(runs(world.seed, run.race)),
                "distance_m": run.race.metres,
                "race_class": run.race.race_class,
                "jockey": run.jockey,
                "starting_price": run.odds,
            }
            for run in past[::-1][:30]
        ],
    }


def _win_rates(world: World, days: int, who: Callable[[Run], str]) -> list[WinRate]:
    """Runs and wins of the last days, most wins first; the first forty names."""
    first, today = (world.today - timedelta(days=days) - FIRST).days, (world.today - FIRST).days
    counts: dict[str, list[int]] = {}
    for race in (race for day in racing.daily_cards()[max(0, first) : today + 1] for race in day):
        for run in runs(world.seed, race) if is_over(race, world.now) else ():
            row = counts.setdefault(who(run), [0, 0])
            row[0] += 1
            row[1] += run.position == 1
    order = sorted(counts, key=lambda name: (-counts[name][1], counts[name][0], name))
    return [
        {
            "name": name,
            "runs": counts[name][0],
            "wins": counts[name][1],
            "win_rate_percent": round(100 * counts[name][1] / counts[name][0], 2),
        }
        for name in order[:40]
    ]


@GROUP.tool(
    examples=[{"last_days": 14}],
    phrase="rank the jockeys by wins and win rate[, over the last {last_days} days]",
    noun="the jockeys' win rates",
)
def jockeys_win_rate(world: World, *, last_days: Annotated[int, Range(1, 365)] = 30) -> list[WinRate]:
    """Jockeys with their runs, wins and share of wins over the last days: the forty with
    most wins.

    last_days: How many days to count, up to today.
    """
    return _win_rates(world, last_days, lambda run: run.jockey)


@GROUP.tool(
    examples=[{"last_days": 14}],
    phrase="rank the horse trainers by wins and win rate[, over the last {last_days} days]",
    noun="the trainers' win rates",
)
def trainers_win_rate(world: World, *, last_days: Annotated[int, Range(1, 365)] = 30) -> list[WinRate]:
    """Trainers with their runs, wins and share of wins over the last days: the forty with
    most wins.

    last_days: How many days to count, up to today.
    """
    return _win_rates(world, last_days, lambda run: run.horse.trainer)


def _courses_named(text: str) -> frozenset[str]:
    """The courses of a name: the one that has it, else those that have it in theirs; York Racecourse is York."""
    wanted = re.sub(r"^the |(?<=\w) (?:racecourse|race course|racetrack|races)$", "", plain(text))
    names = {name: plain(name) for name in racing.race_courses()}
    exact = frozenset(name for name, short in names.items() if short == wanted)
    return exact or frozenset(name for name, short in names.items() if wanted in short)


_BOUNDS: tuple[tuple[Bound, Bound], ...] = (
    ("distance_from", "distance_to"), ("class_from", "class_to"), ("date_from", "date_to"),
)  # fmt: skip


def _check_filters(filters: RaceFilters) -> None:
    """Refuses bounds that no race can lie between, days far from the known ones, and courses that nobody knows."""
    for first, last in _BOUNDS:
        low, high = filters.get(first), filters.get(last)
        if low is not None and high is not None and str(low).zfill(10) > str(high).zfill(10):
            raise invalid(first, low, f"it lies beyond {last}, which is {high}")
    outside = f"races are known from {FIRST} to {LAST_DAY}"
    if "date_from" in filters and parse_date(filters["date_from"], "date_from") > LAST_DAY:
        raise out_of_range("date_from", filters["date_from"], outside)
    if "date_to" in filters and parse_date(filters["date_to"], "date_to") < FIRST:
        raise out_of_range("date_to", filters["date_to"], outside)
    for text, given in (("course", filters.get("course")), ("name", filters.get("name"))):
        if given is not None and not given.strip():
            raise invalid(text, given[:60], "want a part of a name, or leave it out")
    if not _courses_named(filters.get("course", "")):
        raise not_found("course", filters["course"][:60], known=list(racing.race_courses()))


def _fits_filters(race: Race, filters: RaceFilters) -> bool:
    day = race.day.isoformat()
    return (
        filters.get("date_from", day) <= day <= filters.get("date_to", day)
        and filters.get("distance_from", 0) <= race.metres <= filters.get("distance_to", race.metres)
        and filters.get("class_from", 1) <= race.race_class <= filters.get("class_to", race.race_class)
        and filters.get("name", "").strip().casefold() in race.title.casefold()
    )


@GROUP.tool(
    examples=[
        {"course": "Ascot", "class_from": 1, "class_to": 2},
        {"id_horse": 56789, "order_by_date": "asc"},
        {"name": "hurdle", "date_from": "2024-04-20"},
        {"course": "Newmarket", "distance_to": 1700, "date_to": "2024-05-07"},
    ],
    phrase=(
        "search horse races[ at the course named {course}][, with {name} in the title][, with a distance in "
        "metres from {distance_from}][, with a distance in metres up to {distance_to}][, with the best class "
        "set to {class_from}][, with the lowest class set to {class_to}][, run by the horse whose number is "
        "{id_horse}][, starting from {date_from}][, until {date_to}][, with the date order set to "
        "{order_by_date}]"
    ),
    noun="the list of matching horse races",
    jobs=("horse races",),
)
def query_races(world: World, **filters: Unpack[RaceFilters]) -> Page[RaceRow]:
    """Races that fit all conditions, twenty a page, and how many there are; the same races as `racecards` has."""
    _check_filters(filters)
    found: Iterable[Race] = racing.all_races().values()
    if "id_horse" in filters:
        found = racing.races_by_horse(world.seed)[_find_horse(filters["id_horse"]).id - racing.FIRST_HORSE]
    where = _courses_named(filters.get("course", ""))
    rows = [race for race in found if race.course in where and _fits_filters(race, filters)]
    rows.sort(key=lambda race: race.start, reverse=filters.get("order_by_date") != "asc")
    start = (filters.get("page", 1) - 1) * 20
    if start and start >= len(rows):
        raise out_of_range("page", filters["page"], f"there are {-(-len(rows) // 20)} pages")
    runners = racing.race_fields(world.seed)
    items: list[RaceRow] = [
        {**HEADS.row(race), "runners": len(runners[race.id]), "finished": is_over(race, world.now)}
        for race in rows[start : start + 20]
    ]
    return {"total": len(rows), "offset": start, "items": items}


@GROUP.tool(
    examples=[{"name": "golden"}],
    phrase="find race horses with {name} in their name",
    noun="the list of matching horses",
)
def query_horses(world: World, *, name: HorseName) -> Page[HorseRow]:
    """Race horses with some text in their names, with the age of this year: the first 40, and how many there are.

    name: Part of the name.
    """
    if not name.strip():
        raise invalid("name", name[:60], "want a part of a name")
    found = [horse for horse in racing.all_horses() if plain(name) in plain(horse.name)]
    items: list[HorseRow] = [
        {
            "id_horse": horse.id,
            "horse": horse.name,
            "age": horse.age,
            "trainer": horse.trainer,
            "official_rating": racing.horse_rating(world.seed, horse),
        }
        for horse in found[:40]
    ]
    return {"total": len(found), "offset": 0, "items": items}
