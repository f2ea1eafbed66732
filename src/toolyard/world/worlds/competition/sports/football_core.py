"""Football: clubs, well-known players with their figures, and the score of a match while it runs."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from datetime import datetime, timedelta

from toolyard.world import seeds
from toolyard.world.faults import not_found
from toolyard.world.shared.geography import read_table
from toolyard.world.worlds.competition.sports.box_scores import named
from toolyard.world.worlds.competition.sports.core import Game, Team, all_teams, leagues
from toolyard.world.worlds.competition.sports.seasons import is_over

# What people call competitions, folded -> how they are listed.
LEAGUE_NAMES = {"super lig": "Süper Lig", "european championship": "Euro Championship", "mls": "Major League Soccer",
                 "conference league": "UEFA Europa Conference League", "europa league": "UEFA Europa League",
                 "segunda division": "Segunda División", "club world cup": "FIFA Club World Cup", "epl": "Premier League",
                 "champions league": "UEFA Champions League", "afcon": "Africa Cup of Nations"}  # fmt: skip
ROSTER = 18
_POSITIONS = {"G": "Goalkeeper", "D": "Defender", "M": "Midfielder", "F": "Attacker"}
KEYS = tuple(key for key, league in leagues().items() if league.sport == "football")


@dataclass(frozen=True, slots=True)
class Footballer:
    """A well-known player with his club of May 2024."""

    id: int
    name: str
    position: str
    nationality: str
    team: Team


@dataclass(frozen=True, slots=True)
class Season:
    """A player's league season in figures."""

    games: int
    goals: int
    assists: int
    club: int | None  # where it was not the club of May 2024


@functools.cache
def clubs() -> tuple[Team, ...]:
    """All football clubs."""
    return tuple(team for team in all_teams() if team.league in KEYS)


def find_club(number: int) -> Team:
    """The club of a number; a not_found fault otherwise."""
    for team in clubs():
        if team.id == number:
            return team
    raise not_found("team", number, known=[team.id for team in clubs()])


@functools.cache
def footballers() -> dict[int, Footballer]:
    """All players by number: eighteen numbers for each club."""
    found = {}
    for place, team in enumerate(clubs()):
        for number, (name, letter, nation) in enumerate(named().get(team.key, ()), 1000 + place * ROSTER):
            found[number] = Footballer(number, name, _POSITIONS[letter], nation, team)
    return found


@functools.cache
def figures() -> dict[tuple[str, int], Season]:
    """Name of a player and season -> his figures in the league, as far as they are known."""
    return {
        (row["player"], int(row["season"])): Season(
            int(row["appearances"]),
            int(row["goals"]),
            int(row["assists"]),
            int(row["club"]) if row["club"] else None,
        )
        for row in read_table("football_figures.tsv")
    }


def club_in(player: Footballer, season: int) -> Team:
    """The club of a player in a season."""
    row = figures().get((player.name, season))
    return find_club(row.club) if row and row.club else player.team


def minute_of(game: Game, now: datetime) -> int:
    """The minute of play; the break takes fifteen minutes."""
    gone = int((now - game.start) / timedelta(minutes=1))
    return min(95, gone if gone <= 45 else max(45, gone - 15))


def score_at(seed: int, game: Game, now: datetime) -> tuple[int, int] | None:
    """The score right now; None before kick-off. While a match runs, its goals have fallen in simulated minutes."""
    if now < game.start:
        return None
    if is_over(game, now):
        return game.home_score, game.away_score
    chance = seeds.stream(seed, "minutes", game.key)
    home, away = (
        sum(chance.randrange(1, 95) <= minute_of(game, now) for _ in range(goals))
        for goals in (game.home_score, game.away_score)
    )
    return home, away
