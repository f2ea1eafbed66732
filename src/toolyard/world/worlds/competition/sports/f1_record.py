"""Formula 1 from 1950 on: what is on record of whole seasons. Nothing here is invented."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from toolyard.world.tables import read_table

# Results of single races begin here.
FIRST_SEASON = 2010


@dataclass(frozen=True, slots=True)
class Season:
    """What is on record of a season: its races, the first three drivers, the constructors' champion (from 1958), and for
    which constructors the three drove (before 2010)."""

    year: int
    races: int
    first: tuple[str, ...]
    constructor: str | None
    teams: tuple[tuple[str, ...], ...] = ()

    def drove(self, place: int, team: str | None) -> bool:
        """Whether the driver in a place of the table, from 1, drove for a constructor."""
        return team is None or (place <= len(self.teams) and team in self.teams[place - 1])


@functools.cache
def seasons_on_record() -> Mapping[int, Season]:
    """Finished seasons by year, from 1950."""
    return {
        int(row["season"]): Season(
            int(row["season"]),
            int(row["races"]),
            tuple(row["drivers"].split()),
            row["constructor"] or None,
            tuple(tuple(names.split("+")) for names in row["teams"].split()),
        )
        for row in read_table("f1_champions.tsv")
    }


@dataclass(frozen=True, slots=True)
class Planned:
    """A race of a season without results of single races; its day is on record, its hour is not."""

    season: int
    round: int
    circuit_id: str
    name: str
    date: str


# What races were called where a circuit is known by another one today.
_NAMES = {"rodriguez": "Mexican Grand Prix", "jerez": "Spanish Grand Prix"}


@functools.cache
def calendar() -> Mapping[int, tuple[Planned, ...]]:
    """The races of each season before the first one with results: 1994	interlagos aida:Pacific imola:San_Marino ..."""
    races = {row["id"]: row["race"] for row in read_table("f1_circuits.tsv")}
    found: dict[int, tuple[Planned, ...]] = {}
    for row in read_table("f1_calendar.tsv"):
        season = int(row["season"])
        parts = (text.partition(":") for text in row["circuits"].split())
        found[season] = tuple(
            Planned(
                season, turn, circuit, _race_name(season, circuit, title, races[circuit]), f"{season}-{day}"
            )
            for turn, ((circuit, _, title), day) in enumerate(zip(parts, row["days"].split(), strict=True), 1)
        )
    return found


def _race_name(season: int, circuit: str, title: str, usual: str) -> str:
    if title:
        return f"{title.replace('_', ' ')} Grand Prix"
    if circuit == "indianapolis" and season <= 1960:
        return "Indianapolis 500"
    return _NAMES.get(circuit, usual)


@functools.cache
def openers() -> Mapping[int, tuple[str, str]]:
    """Season before 2010 -> driver and constructor who won its first race."""
    return {int(row["season"]): (row["driver"], row["constructor"]) for row in read_table("f1_openers.tsv")}


@functools.cache
def took_part() -> Mapping[str, Mapping[str, frozenset[int]]]:
    """driver_id and constructor_id -> id -> seasons before the first one with results in which they took part."""
    tables = {"driver_id": "f1_drivers.tsv", "constructor_id": "f1_constructors.tsv"}
    return {
        key: {row["id"]: frozenset(_years(row["earlier"])) for row in read_table(name)}
        for key, name in tables.items()
    }


def _years(text: str) -> Iterator[int]:
    """The years of a text: 1950-1951,1953."""
    for part in text.split(",") if text else ():
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def before_results(season: int | None) -> Season | None:
    """The record of a season that has no results of single races."""
    found = seasons_on_record().get(season) if season is not None else None
    return found if found is not None and found.year < FIRST_SEASON else None
