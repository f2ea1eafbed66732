"""Competition/Ergast_F1: the races of all seasons, whether held already or not."""

from __future__ import annotations

from toolyard.world.worlds.competition.sports import grand_prix as f1
from toolyard.world.worlds.competition.sports.ergast_filters import Filters, need_round
from toolyard.world.worlds.competition.sports.ergast_shapes import RaceRow
from toolyard.world.worlds.competition.sports.f1_record import calendar


def calendar_rows(filters: Filters) -> list[RaceRow]:
    """Races by season, round and circuit, whether held already or not."""
    season, number, circuit = filters.get("season"), filters.get("race"), filters.get("circuit_id")
    if season is not None and number is not None:
        need_round(season, number)
    return _planned(filters) + [
        race_row(race)
        for race in f1.races()
        if season in (None, race.season)
        and number in (None, race.round)
        and circuit in (None, race.circuit.id)
    ]


def _planned(filters: Filters) -> list[RaceRow]:
    """Races before the first season with results; their hours are not on record."""
    season, circuit = filters.get("season"), filters.get("circuit_id")
    rows = (row for year in calendar().values() for row in year)
    return [
        {
            "season": row.season,
            "round": row.round,
            "race": row.name,
            "circuit_id": row.circuit_id,
            "circuit": f1.circuits()[row.circuit_id].name,
            "country": f1.circuits()[row.circuit_id].country,
            "date": row.date,
        }
        for row in rows
        if season in (None, row.season)
        and circuit in (None, row.circuit_id)
        and filters.get("race", row.round) == row.round
    ]


def race_row(race: f1.Race) -> RaceRow:
    """A race of a season with results, with day and time."""
    return {
        "season": race.season,
        "round": race.round,
        "race": race.name,
        "circuit_id": race.circuit.id,
        "circuit": race.circuit.name,
        "country": race.circuit.country,
        "date": race.start.date().isoformat(),
        "time": race.start.strftime("%H:%M"),
    }
