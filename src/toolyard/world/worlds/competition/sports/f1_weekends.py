"""The sessions of a Grand Prix: which are held, on which day, and when where that is known."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from toolyard.world.worlds.competition.sports import grand_prix as f1

SESSIONS = (
    "Race",
    "3rd Qualifying",
    "2nd Qualifying",
    "1st Qualifying",
    "3rd Practice",
    "2nd Practice",
    "1st Practice",
)
SPRINT, _SECOND_PRACTICE = 4, 5  # a sprint has the number that third practice would have
# Rounds with a sprint; no third practice then, and from 2023 on no second one.
_SPRINTS = {2021: (10, 14, 19), 2022: (4, 11, 21), 2023: (4, 9, 12, 17, 18, 20), 2024: (5, 6, 11, 19, 21, 23)}
_EUROPE = frozenset(
    "catalunya monaco valencia hockenheimring nurburgring hungaroring spa monza red_bull_ring ricard mugello imola "
    "zandvoort portimao".split()
)
# Last season with these hours before a race in Europe: (qualifying, third, second and first practice).
_EARLIER = (
    (2020, (24, 27, 48, 52)),
    (2021, (24, 27, 48, 51.5)),
    (2022, (23, 26, 46, 49)),
    (9999, (23, 26.5, 46, 49.5)),
)
# At Zandvoort qualifying begins a full day before the race.
_ZANDVOORT = ((2021, (24, 27, 48, 51.5)), (2022, (24, 27, 47, 50.5)), (9999, (24, 27.5, 47, 50.5)))
# In Monaco the first two practices were on Thursday until 2021.
_MONACO = ((2020, (24, 27, 72, 76)), (2021, (24, 27, 72, 75.5)))
# Las Vegas races at night: hours before the race of qualifying, third, second and first practice.
_LAS_VEGAS = {2023: (22, 25.5, 46, 49.5), 2024: (24, 27.5, 48, 51.5)}
_PARTS = {3: 0, 2: 25, 1: 48}  # minutes after which the parts of qualifying begin
_PARTS_BEFORE_2014 = {3: 0, 2: 27, 1: 50}


@dataclass(frozen=True, slots=True)
class Session:
    """A session: `kind` is its place in SESSIONS, `start` is None where only the day is known."""

    race: f1.Race
    kind: int
    title: str
    day: date
    start: datetime | None

    @property
    def over_by(self) -> datetime:
        """When it is certainly over."""
        day = datetime(self.day.year, self.day.month, self.day.day, tzinfo=UTC)
        return self.start + timedelta(hours=2) if self.start else day + timedelta(days=1)


def _days_before(race: f1.Race, kind: int, sprint: bool) -> int:
    if kind in _PARTS:
        return 2 if sprint and race.season < 2024 else 1
    if kind == _SECOND_PRACTICE and sprint:
        return 1
    friday = 3 if race.circuit.id == "monaco" and race.season <= _MONACO[-1][0] else 2
    return {0: 0, SPRINT: 1}.get(kind, friday)


def _start(race: f1.Race, kind: int, sprint: bool) -> datetime | None:
    if kind == 0:
        return race.start
    if race.circuit.id == "vegas" and race.season in _LAS_VEGAS:
        return _ahead(race, _LAS_VEGAS[race.season], kind)
    # Elsewhere than in Europe, and with a sprint, hours differ from race to race.
    if race.circuit.id not in _EUROPE or sprint or race.season == 2020:
        return None
    rule = {"zandvoort": _ZANDVOORT, "monaco": (*_MONACO, *_EARLIER)}.get(race.circuit.id, _EARLIER)
    return _ahead(race, next(hours for last, hours in rule if race.season <= last), kind)


def _ahead(race: f1.Race, hours: tuple[float, ...], kind: int) -> datetime:
    """The start of a session that is so many hours before the race."""
    start = race.start.replace(minute=0) - timedelta(hours=hours[max(0, kind - 3)])
    parts = _PARTS_BEFORE_2014 if race.season < 2014 else _PARTS
    return start + timedelta(minutes=parts.get(kind, 0))


# Who won a sprint: (season, round) -> driver.
_SPRINT_WINNERS = {
    (2021, 14): "bottas", (2021, 19): "bottas", (2022, 21): "russell", (2023, 4): "perez", (2023, 17): "piastri",
    **dict.fromkeys(((2021, 10), (2022, 4), (2022, 11), (2023, 9), (2023, 12), (2023, 18), (2023, 20), (2024, 5), (2024, 6)),
                    "max_verstappen"),
}  # fmt: skip
_SPRINT_KILOMETRES = 100
# Sprints that were shortened.
_SPRINT_LAPS = {(2022, 11): 23, (2023, 12): 11}


def sprint_winner(race: f1.Race) -> str | None:
    """The id of who won the sprint of a race, if it had one."""
    return _SPRINT_WINNERS.get((race.season, race.round))


def laps_of(session: Session) -> int | None:
    """The laps of a race, or of a sprint: as few as make a hundred kilometres; other sessions have no number of laps."""
    if session.title == "Sprint":
        usual = math.ceil(_SPRINT_KILOMETRES / session.race.circuit.length)
        return _SPRINT_LAPS.get((session.race.season, session.race.round), usual)
    return None if session.kind else session.race.laps


def winner_of(session: Session) -> str | None:
    """The name of who won a race or a sprint, where that is on record."""
    race = session.race
    if session.title == "Sprint":
        winner = sprint_winner(race)
    else:
        winner = race.podium[0] if race.podium and not session.kind else None
    return f1.drivers()[winner].name if winner else None


def title_of(race: f1.Race, kind: int) -> str:
    """What a session is called, with its Grand Prix."""
    title = next((one.title for one in sessions(race) if one.kind == kind), SESSIONS[kind])
    return f"{title} of the {race.name} {race.season}"


@functools.cache
def sessions(race: f1.Race) -> tuple[Session, ...]:
    """The sessions of a race in order of time."""
    sprint = race.round in _SPRINTS.get(race.season, ())
    found = []
    for kind in reversed(range(len(SESSIONS))):
        if sprint and kind == _SECOND_PRACTICE and race.season >= 2023:
            continue
        title = "Sprint" if sprint and kind == SPRINT else SESSIONS[kind]
        start = _start(race, kind, sprint)
        local = race.local_day - timedelta(days=_days_before(race, kind, sprint))
        found.append(Session(race, kind, title, start.date() if start else local, start))
    return tuple(sorted(found, key=lambda one: one.day))
