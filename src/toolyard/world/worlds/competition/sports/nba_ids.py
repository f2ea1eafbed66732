"""The NBA as two services number it: one core of teams, players and games, two id spaces."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Annotated

from toolyard.world.faults import not_found
from toolyard.world.types import Semantic
from toolyard.world.worlds.competition.sports.box_scores import Player, by_index
from toolyard.world.worlds.competition.sports.core import Team, teams_of
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

    def of_team(self, team: Team) -> int:
        """The number of a team."""
        return self.teams[_place(team)]

    def team(self, number: int) -> Team:
        """The team of a number; a not_found fault otherwise."""
        if number not in self.teams:
            raise not_found("team", number, known=self.teams)
        return teams_of("nba")[self.teams.index(number)]

    def of_player(self, player: Player) -> int:
        """The number of a player."""
        return self.first_player + player.index

    def player(self, number: int) -> Player:
        """The player of a number; a not_found fault otherwise."""
        found = by_index().get(number - self.first_player)
        if found is None:
            raise not_found("player", number, known=[self.first_player + place for place in by_index()])
        return found


@functools.cache
def _place(team: Team) -> int:
    return teams_of("nba").index(team)
