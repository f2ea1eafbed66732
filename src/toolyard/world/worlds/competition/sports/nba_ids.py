"""The NBA as two services number it: one core of teams, players and games, two id spaces."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Annotated

from toolyard.world.faults import not_found
from toolyard.world.types import Semantic
from toolyard.world.worlds.competition.sports.box_scores import Player, by_index
from toolyard.world.worlds.competition.sports.core import Game, Team, teams_of
from toolyard.world.worlds.competition.sports.seasons import GameIds

NbaSeason = Annotated[int, Semantic("nba_season")]
PlayerName = Annotated[str, Semantic("nba_player")]
TeamName = Annotated[str, Semantic("nba_team")]
TeamCode = Annotated[str, Semantic("nba_team_code")]
FIRST, LAST_SEASON = 2015, 2023


@dataclass(frozen=True, slots=True)
class Numbering:
    """How a service numbers teams, players and games."""

    teams: tuple[int, ...]
    first_player: int
    games: GameIds
    service: str
    lists: tuple[str, str]  # the tools that list teams and players

    def of_team(self, team: Team) -> int:
        """The number of a team."""
        return self.teams[_place(team)]

    def team(self, number: int) -> Team:
        """The team of a number; a not_found fault otherwise."""
        if number not in self.teams:
            raise not_found("team", number, known=self.teams, listed_by=f"{self.service}/{self.lists[0]}")
        return teams_of("nba")[self.teams.index(number)]

    def of_player(self, player: Player) -> int:
        """The number of a player."""
        return self.first_player + player.index

    def player(self, number: int) -> Player:
        """The player of a number; a not_found fault otherwise."""
        found = by_index().get(number - self.first_player)
        if found is None:
            known = [self.first_player + place for place in by_index()]
            raise not_found("player", number, known=known, listed_by=f"{self.service}/{self.lists[1]}")
        return found


@functools.cache
def _place(team: Team) -> int:
    return teams_of("nba").index(team)


# Where teams played before their present arenas, or what these were called: the last day of each name.
_ARENAS = {
    "GSW": (("2019-06-30", "Oracle Arena"),),
    "LAL": (("2021-12-24", "Staples Center"),),
    "LAC": (("2021-12-24", "Staples Center"),),
    "MIA": (
        ("2021-06-03", "AmericanAirlines Arena"),
        ("2023-01-12", "FTX Arena"),
        ("2023-04-03", "Miami-Dade Arena"),
    ),
    "CLE": (("2019-08-12", "Quicken Loans Arena"),),
    "OKC": (("2021-07-26", "Chesapeake Energy Arena"),),
    "SAS": (("2023-08-02", "AT&T Center"),),
    "UTA": (("2020-10-14", "Vivint Smart Home Arena"), ("2023-06-30", "Vivint Arena")),
    "DEN": (("2020-10-21", "Pepsi Center"),),
    "PHX": (("2020-11-15", "Talking Stick Resort Arena"), ("2021-07-15", "Phoenix Suns Arena")),
}
_BUBBLE = ("2020-07-30", "2020-10-11", "AdventHealth Arena")


def arena_of(game: Game) -> str:
    """The arena of a game, by its name on that day."""
    day = game.start.date().isoformat()
    if _BUBBLE[0] <= day <= _BUBBLE[1]:
        return _BUBBLE[2]
    return next((name for last, name in _ARENAS.get(game.home.code, ()) if day <= last), game.home.venue)
