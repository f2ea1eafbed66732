"""Competition/Horse_Racing: a year of races on twelve main and many other courses; a horse runs about every three weeks."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Annotated

from toolyard.world.faults import not_found, out_of_range
from toolyard.world.registry import tool
from toolyard.world.shared.days import parse_date
from toolyard.world.state import World
from toolyard.world.types import Range
from toolyard.world.worlds.competition.sports.core import RacingDay
from toolyard.world.worlds.competition.sports.horse_shapes import (
    CardRow,
    HorseId,
    HorseStats,
    RaceDetails,
    RaceHead,
    RaceId,
    RaceRow,
    ResultRow,
    RunnerRow,
    WinRate,
)
from toolyard.world.worlds.competition.sports.horses import (
    FIRST,
    FIRST_HORSE,
    FURTHER_PER_DAY,
    HORSES,
    LAST_DAY,
    PER_DAY,
    Horse,
    Race,
    Run,
    all_races,
    entries,
    further_races,
    horses,
    is_held,
    is_over,
    races,
    runs,
)

GROUP = "Competition/Horse_Racing"


def _head(race: Race) -> RaceHead:
    return {
        "id_race": race.id,
        "course": race.course,
        "date": race.day.isoformat(),
        "time": race.start.strftime("%H:%M"),
        "title": race.title,
        "distance_m": race.metres,
        "race_class": race.race_class,
    }


def race_row(race: Race, now: datetime) -> RaceRow:
    """A race in a list."""
    return {**_head(race), "runners": len(race.runners), "finished": is_over(race, now)}


def find_horse(seed: int, number: int) -> Horse:
    """The horse of a number; a not_found fault otherwise."""
    place = number - FIRST_HORSE
    if not 0 <= place < 2 * HORSES:
        raise not_found("horse", number, known=range(FIRST_HORSE, FIRST_HORSE + 2 * HORSES))
    return horses(seed)[place]


def _find_race(seed: int, number: int) -> Race:
    for known in (races(seed), further_races(seed)):
        place = number - known[0].id
        if 0 <= place < len(known) and is_held(known[place]):
            return known[place]
    raise not_found("race", number, known=sorted(race.id for race in all_races(seed)))


def _past(seed: int, horse: Horse, now: datetime) -> list[Run]:
    done = [race for race in entries(seed)[horse.id - FIRST_HORSE] if is_over(race, now)]
    return [run for race in done for run in runs(seed, race) if run.horse is horse]


def _placed(race: Race) -> int:
    """How many horses count as placed, the winner among them: three of eight or more runners, two of fewer."""
    return 3 if len(race.runners) >= 8 else 2


def _form(seed: int, horse: Horse, until: datetime) -> str:
    return "".join(str(run.position % 10) for run in _past(seed, horse, until)[-5:])


@tool(
    GROUP,
    examples=[{"id_race": 207660}],
    phrase="get the detailed card with jockeys, odds and finish of the horse race whose number is {id_race}",
    noun="the horse race card",
    jobs=("horse races",),
)
def race_detail_info(world: World, *, id_race: RaceId) -> RaceDetails:
    """The card of an invented race: every horse with jockey, trainer, weight, rating, form, breeding and odds, and the
    finish. Ratings are those of today.

    id_race: Number of the race.
    """
    race = _find_race(world.seed, id_race)
    over = is_over(race, world.now)
    field = sorted(runs(world.seed, race), key=lambda run: run.position if over else run.number)
    return {
        **_head(race),
        "going": race.going,
        "prize_gbp": race.prize,
        "finished": over,
        "horses": [_runner(world.seed, run, over) for run in field],
    }


def _runner(seed: int, run: Run, over: bool) -> RunnerRow:
    horse = run.horse
    return {
        "id_horse": horse.id,
        "horse": horse.name,
        "number": run.number,
        "jockey": run.jockey,
        "trainer": horse.trainer,
        "age": horse.age_in(run.race.day.year),
        "weight_kg": run.weight_kg,
        "official_rating": horse.rating,
        "form": _form(seed, horse, run.race.start),
        "owner": horse.owner,
        "sire": horse.sire,
        "dam": horse.dam,
        "odds": run.odds,
        "position": run.position if over else None,
    }


def _on(world: World, day: str | None) -> list[Race]:
    wanted = parse_date(day) if day is not None else world.today
    days = (wanted - FIRST).days
    if not FIRST <= wanted <= LAST_DAY:
        raise out_of_range("date", wanted.isoformat(), f"races are known from {FIRST} to {LAST_DAY}")
    further = further_races(world.seed)[days * FURTHER_PER_DAY : (days + 1) * FURTHER_PER_DAY]
    main = races(world.seed)[days * PER_DAY : (days + 1) * PER_DAY]
    in_time = (sorted(part, key=lambda race: race.start) for part in (main, further))
    return [race for part in in_time for race in part if is_held(race)]


@tool(
    GROUP,
    examples=[{"date": "2024-05-15"}, {}],
    phrase="list horse races with course, off time and going[ for {date}]",
    noun="the list of horse races",
    jobs=("horse races",),
)
def racecards(world: World, *, date: RacingDay | None = None) -> list[CardRow]:
    """The races of a day with course, time of the off there, going and prize money: two meetings in Britain and Ireland
    and one elsewhere. Horses, people and races are invented; races for two-year-olds and the great ones of the year are not
    among them.

    date: The day; today by default. Known from May 2023 to three days ahead; none at Christmas.
    """
    return [
        {
            "id_race": race.id,
            "course": race.course,
            "date": race.day.isoformat(),
            "off_time": race.start.strftime("%H:%M"),
            "title": race.title,
            "going": race.going,
            "prize_gbp": race.prize,
        }
        for race in _on(world, date)
    ]


@tool(
    GROUP,
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
    for race in _on(world, date):
        if is_over(race, world.now):
            field = runs(world.seed, race)
            rows.append(
                {
                    "id_race": race.id,
                    "course": race.course,
                    "time": race.start.strftime("%H:%M"),
                    "title": race.title,
                    "winner_id": field[0].horse.id,
                    "winner": field[0].horse.name,
                    "jockey": field[0].jockey,
                    "starting_price": field[0].odds,
                    "placed": [run.horse.name for run in field[1 : _placed(race)]],
                }
            )
    return rows


@tool(
    GROUP,
    examples=[{"id_horse": 56789}],
    phrase="get all runs and the win record of the race horse whose number is {id_horse}",
    noun="the record of the race horse",
)
def horse_stats(world: World, *, id_horse: HorseId) -> HorseStats:
    """The runs of an invented horse since May 2023, latest first, the last 30 at most, with how often it won and was placed:
    first or second, of eight runners or more also third.

    id_horse: Number of the horse, as query_horses returns it.
    """
    horse = find_horse(world.seed, id_horse)
    past = _past(world.seed, horse, world.now)
    return {
        "id_horse": horse.id,
        "horse": horse.name,
        "runs": len(past),
        "wins": sum(run.position == 1 for run in past),
        "places": sum(run.position <= _placed(run.race) for run in past),
        "results": [
            {
                "id_race": run.race.id,
                "date": run.race.day.isoformat(),
                "course": run.race.course,
                "position": run.position,
                "runners": len(run.race.runners),
                "distance_m": run.race.metres,
                "race_class": run.race.race_class,
                "jockey": run.jockey,
                "starting_price": run.odds,
            }
            for run in past[::-1][:30]
        ],
    }


def _rates(world: World, days: int, who: Callable[[Run], str]) -> list[WinRate]:
    """Runs and wins of the last days, most wins first; the first forty names."""
    first = (world.today - timedelta(days=days) - FIRST).days * PER_DAY
    counts: dict[str, list[int]] = {}
    for race in races(world.seed)[max(0, first) :]:
        if not is_held(race) or not is_over(race, world.now):
            continue
        for run in runs(world.seed, race):
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


@tool(
    GROUP,
    examples=[{"last_days": 14}],
    phrase="rank the jockeys by wins and win rate[, over the last {last_days} days]",
    noun="the jockeys' win rates",
)
def jockeys_win_rate(world: World, *, last_days: Annotated[int, Range(1, 365)] = 30) -> list[WinRate]:
    """Invented jockeys in Britain and Ireland with their runs, wins and share of wins over the last days: the forty with
    most wins.

    last_days: How many days to count, up to today.
    """
    return _rates(world, last_days, lambda run: run.jockey)


@tool(
    GROUP,
    examples=[{"last_days": 14}],
    phrase="rank the horse trainers by wins and win rate[, over the last {last_days} days]",
    noun="the trainers' win rates",
)
def trainers_win_rate(world: World, *, last_days: Annotated[int, Range(1, 365)] = 30) -> list[WinRate]:
    """Invented trainers in Britain and Ireland with their runs, wins and share of wins over the last days: the forty with
    most wins.

    last_days: How many days to count, up to today.
    """
    return _rates(world, last_days, lambda run: run.horse.trainer)
