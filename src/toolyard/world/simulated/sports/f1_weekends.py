"""The sessions of a Grand Prix and their classifications: practice, the parts of qualifying, sprint and race."""

import functools
import math
from dataclasses import dataclass
from datetime import datetime, timedelta

from toolyard.world.kernel import seeds
from toolyard.world.simulated.sports import grand_prix as f1

RACE, SPRINT, _SECOND_PRACTICE = 0, 4, 5  # a sprint has the number that third practice would have
SESSIONS = (
    "Race",
    "3rd Qualifying",
    "2nd Qualifying",
    "1st Qualifying",
    "3rd Practice",
    "2nd Practice",
    "1st Practice",
)
# Hours before the race at which sessions begin.
_AHEAD = (0, 23.2, 23.6, 24, 27.5, 48, 51.5)
# Rounds with a sprint; no third practice then, and from 2023 on no second one.
_SPRINTS = {2021: (10, 14, 19), 2022: (4, 11, 21), 2023: (4, 9, 12, 17, 18, 20), 2024: (5, 6, 11, 19, 21, 23)}
_SPRINT_KILOMETRES = 100


@dataclass(frozen=True, slots=True)
class Session:
    """A session: `kind` is its place in SESSIONS."""

    race: f1.Race
    kind: int
    title: str
    start: datetime

    @property
    def over_by(self) -> datetime:
        """When it is over."""
        return self.start + timedelta(hours=2)

    @property
    def laps(self) -> int | None:
        """The laps of a race, or of a sprint: as few as make a hundred kilometres; other sessions have no number of laps."""
        if self.title == "Sprint":
            return math.ceil(_SPRINT_KILOMETRES / self.race.circuit.length)
        return None if self.kind else self.race.circuit.laps


@functools.cache
def race_sessions(race: f1.Race) -> tuple[Session, ...]:
    """The sessions of a race in order of time."""
    sprint = race.round in _SPRINTS.get(race.season, ())
    return tuple(
        Session(race, kind, "Sprint" if sprint and kind == SPRINT else SESSIONS[kind],
                race.start - timedelta(hours=_AHEAD[kind]))
        for kind in reversed(range(len(SESSIONS)))
        if not (sprint and kind == _SECOND_PRACTICE and race.season >= 2023)
    )  # fmt: skip


def session_classification(seed: int, session: Session) -> list[f1.Finish]:
    """The cars of a session in the order in which they ended it."""
    rows = f1.race_results(seed, session.race)
    part = {"1st Qualifying": 0, "2nd Qualifying": 1, "3rd Qualifying": 2}.get(session.title)
    if session.kind == RACE:
        return list(rows)
    if part is not None:
        return sorted(
            (row for row in rows if len(row.qualifying) > part), key=lambda row: row.qualifying[part]
        )
    race = session.race
    return sorted(
        rows,
        key=lambda row: (
            f1.lap_slowness(seed, race.season, row.driver, row.constructor)
            + 0.008 * seeds.unit(seed, session.title, race.index, row.driver.id)
        ),
    )
