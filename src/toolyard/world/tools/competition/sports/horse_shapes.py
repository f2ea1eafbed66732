"""Competition/Horse_Racing: what is asked and returned."""

from typing import Annotated, Literal, TypedDict

from toolyard.world.kernel.types import ClockTime, Range, Semantic, Unit
from toolyard.world.simulated.sports.core import RacingDay
from toolyard.world.simulated.sports.horses import HorseName

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
