"""The NBA on record: players with what is known of them, tables, averages and single lines that are remembered."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from toolyard.world.shared.geography import read_table
from toolyard.world.worlds.competition.sports.core import Game, Team, teams_of

ROSTER = 13


@dataclass(frozen=True, slots=True)
class Player:
    """A basketball player and his team of May 2024; None is not known."""

    index: int
    name: str
    first: str
    last: str
    position: str
    country: str
    team: Team
    jersey: int | None
    height_cm: int | None
    weight_kg: int | None
    born: str | None
    since: int | None
    joined: int | None  # the first season with this team
    weight_lb: int | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """What is remembered of a player's game."""

    player: Player
    team: Team
    points: int
    rebounds: int
    assists: int


@dataclass(frozen=True, slots=True)
class Record:
    """A team's regular season; `rank` is its place in the conference."""

    team: Team
    rank: int
    won: int
    lost: int

    @property
    def share(self) -> float:
        """The share of games won."""
        return round(self.won / (self.won + self.lost), 3)


@functools.cache
def named() -> dict[str, list[list[str]]]:
    """Team key -> known players as [name, position, country]."""
    return {
        row["team"]: [entry.split("/") for entry in row["players"].split(";")]
        for row in read_table("sports_players.tsv")
    }


def _number(text: str | None) -> int | None:
    return int(text) if text else None


def _pounds(known: Mapping[str, str]) -> int | None:
    """The weight in pounds as it is listed, mostly in steps of five; kilograms are rounded from it."""
    if known.get("weight_lb") or not known.get("weight_kg"):
        return _number(known.get("weight_lb"))
    kilograms = int(known["weight_kg"])
    steps = (pounds for pounds in range(140, 320, 5) if round(pounds * 0.45359237) == kilograms)
    return next(steps, round(kilograms / 0.45359237))


@functools.cache
def players() -> tuple[Player, ...]:
    """All players who are known; `index` numbers thirteen places for each team."""
    facts = {row["name"]: row for row in read_table("nba_people.tsv")}
    found = []
    for number, team in enumerate(teams_of("nba")):
        for place, (name, position, *country) in enumerate(named()[team.key]):
            known = facts.get(name, {})
            first, _, last = name.partition(" ")
            found.append(
                Player(
                    number * ROSTER + place, name, first, last or first, position, country[0] if country else "USA", team,
                    _number(known.get("jersey")), _number(known.get("height_cm")), _number(known.get("weight_kg")),
                    known.get("born"), _number(known.get("since")), _number(known.get("joined")), _pounds(known),
                )
            )  # fmt: skip
    return tuple(found)


@functools.cache
def by_index() -> Mapping[int, Player]:
    """Players by their numbers."""
    return {player.index: player for player in players()}


@functools.cache
def _by_name() -> Mapping[str, Player]:
    return {player.name: player for player in players()}


def roster(team: Team) -> list[Player]:
    """The known players of a team."""
    return [player for player in players() if player.team is team]


@functools.cache
def records(season: int) -> tuple[Record, ...]:
    """The tables of both conferences after a regular season, the East first; empty where it is not on record."""
    teams = {team.code: team for team in teams_of("nba")}
    rows = [
        Record(teams[row["team"]], int(row["rank"]), int(row["won"]), int(row["lost"]))
        for row in read_table("nba_records.tsv")
        if int(row["season"]) == season
    ]
    return tuple(rows)


@functools.cache
def other_records(league: str, season: int) -> tuple[Record, ...]:
    """The table of another league after a regular season; empty where it is not on record."""
    teams = {team.code: team for team in teams_of(league)}
    return tuple(
        Record(teams[row["team"]], int(row["rank"]), int(row["won"]), int(row["lost"]))
        for row in read_table("basketball_tables.tsv")
        if row["league"] == league and int(row["season"]) == season
    )


@functools.cache
def averages() -> Mapping[tuple[Player, int], Mapping[str, float]]:
    """Player and season -> games and means per game."""
    return {
        (_by_name()[row["name"]], int(row["season"])): {
            key: float(value) for key, value in row.items() if key not in ("name", "season")
        }
        for row in read_table("nba_averages.tsv")
    }


@functools.cache
def _lines() -> Mapping[str, Sequence[Line]]:
    teams = {team.code: team for team in teams_of("nba")}
    found: dict[str, list[Line]] = {}
    for row in read_table("nba_lines.tsv"):
        line = Line(
            _by_name()[row["name"]], teams[row["team"]], int(row["pts"]), int(row["reb"]), int(row["ast"])
        )
        found.setdefault(row["date"], []).append(line)
    return found


@functools.cache
def with_lines() -> frozenset[Player]:
    """The players of whom a line is on record."""
    return frozenset(line.player for found in _lines().values() for line in found)


def lines(game: Game) -> list[Line]:
    """The lines on record of a game."""
    return [
        line
        for line in _lines().get(game.start.date().isoformat(), ())
        if line.team in (game.home, game.away)
    ]


# Last days of regular seasons: of the NBA, then of leagues of which a single season is on record.
_LAST_DAYS = {
    2015: date(2016, 4, 13), 2016: date(2017, 4, 12), 2017: date(2018, 4, 11), 2018: date(2019, 4, 10),
    2019: date(2020, 8, 14), 2020: date(2021, 5, 16), 2021: date(2022, 4, 10), 2022: date(2023, 4, 9),
    2023: date(2024, 4, 14),
}  # fmt: skip
_ELSEWHERE = {"nbl": date(2024, 2, 18), "euroleague": date(2024, 4, 12)}


def last_day(season: int, league: str = "nba") -> date:
    """The last day of a regular season whose table is on record."""
    return _ELSEWHERE.get(league) or _LAST_DAYS[season]
