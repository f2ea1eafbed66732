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
# The number of the first of those players who stand in a list of their own.
FURTHER = 4000
_POSITIONS = {"G": "Goalkeeper", "D": "Defender", "M": "Midfielder", "F": "Attacker"}
# Of the J1 League the clubs are known; its fixtures are not on record.
NUMBERED = tuple(key for key, league in leagues().items() if league.sport == "football")
KEYS = tuple(key for key in NUMBERED if key != "j1")


@dataclass(frozen=True, slots=True)
class Footballer:
    """A well-known player with his club of May 2024, or with the last one where he has left the leagues on record."""

    id: int
    name: str
    position: str
    nationality: str
    team: Team
    left: bool = False


@dataclass(frozen=True, slots=True)
class Season:
    """A player's league season in figures."""

    games: int
    goals: int
    assists: int | None
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
    for place, team in enumerate(team for team in all_teams() if team.league in NUMBERED):
        for number, (name, letter, nation) in enumerate(named().get(team.key, ()), 1000 + place * ROSTER):
            if team.league in KEYS:
                found[number] = Footballer(number, name, _POSITIONS[letter], nation, team)
    for number, row in enumerate(read_table("football_further.tsv"), FURTHER):
        team = find_club(int(row["present_club"] or row["club"]))
        position = _POSITIONS[row["position"]]
        found[number] = Footballer(
            number, row["name"], position, row["nationality"], team, not row["present_club"]
        )
    return found


@functools.cache
def figures() -> dict[tuple[str, int], Season]:
    """Name of a player and season -> his figures in the league, as far as they are known."""
    rows = [(row["player"], row) for row in read_table("football_figures.tsv")]
    rows += [(row["name"], row) for row in read_table("football_further.tsv") if row["season"]]
    return {
        (name, int(row["season"])): Season(
            int(row["appearances"]),
            int(row["goals"]),
            int(row["assists"]) if row["assists"] else None,
            int(row["club"]) if row["club"] else None,
        )
        for name, row in rows
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
