"""Football: clubs, well-known players with their figures, and the score of a match while it runs."""

import functools
from dataclasses import dataclass
from datetime import datetime, timedelta

from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import not_found
from toolyard.world.kernel.tables import read_table, table_texts
from toolyard.world.simulated.sports.box_scores import distribute_total, known_players
from toolyard.world.simulated.sports.core import Game, Team, all_leagues, all_teams
from toolyard.world.simulated.sports.seasons import finished_games, is_over

# What people call competitions, folded -> how they are listed.
LEAGUE_NAMES = table_texts("football_core.league_names")
ROSTER = 18
# The number of the first of those players who stand in a list of their own.
FURTHER = 4000
_POSITIONS = {"G": "Goalkeeper", "D": "Defender", "M": "Midfielder", "F": "Attacker"}
KEYS = tuple(key for key, league in all_leagues().items() if league.sport == "football")
# How likely a goal, and the pass before it, is a player's by his position; others of his club have the rest.
_SCORES = {"Goalkeeper": 0.0, "Defender": 1.0, "Midfielder": 3.0, "Attacker": 6.0}
_OTHERS = 16.0


@dataclass(frozen=True, slots=True)
class Footballer:
    """A well-known player with his club."""

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


@functools.cache
def football_clubs() -> tuple[Team, ...]:
    """All football clubs."""
    return tuple(team for team in all_teams() if team.league in KEYS)


def find_club(number: int) -> Team:
    """The club of a number; a not_found fault otherwise."""
    for team in football_clubs():
        if team.id == number:
            return team
    raise not_found("team", number, known=[team.id for team in football_clubs()])


@functools.cache
def all_footballers() -> dict[int, Footballer]:
    """All players by number: eighteen numbers for each club, then those who stand in a list of their own."""
    found = {}
    for place, team in enumerate(football_clubs()):
        for number, (name, letter, nation) in enumerate(
            known_players().get(team.key, ()), 1000 + place * ROSTER
        ):
            found[number] = Footballer(number, name, _POSITIONS[letter], nation, team)
    for number, row in enumerate(read_table("football_further.tsv"), FURTHER):
        team = find_club(int(row["club"]))
        found[number] = Footballer(number, row["name"], _POSITIONS[row["position"]], row["nationality"], team)
    return found


@functools.cache
def club_squad(team: Team) -> tuple[Footballer, ...]:
    """The well-known players of a club."""
    return tuple(player for player in all_footballers().values() if player.team is team)


@seeds.cache_by_seed(1024)
def player_figures(seed: int, team: Team, season: int, now: datetime) -> dict[Footballer, Season]:
    """What the players of a club did in the matches of its league so far; their goals are among those of the club."""
    people, games = (
        club_squad(team),
        [game for game in finished_games(seed, team.league, season, now) if team in (game.home, game.away)],
    )
    chance = seeds.stream(seed, "figures", team.key, season)
    scored = sum(game.side(team)[0] for game in games)
    weights = [_SCORES[one.position] * (0.5 + chance.random()) for one in people]
    goals = distribute_total(scored, [*weights, _OTHERS], chance)
    assists = distribute_total(round(0.7 * scored), [*weights, _OTHERS], chance)
    return {
        one: Season(
            max(goals[place] > 0, round(len(games) * chance.uniform(0.6, 1))), goals[place], assists[place]
        )
        for place, one in enumerate(people)
    }


def minute_of(game: Game, now: datetime) -> int:
    """The minute of play; the break takes fifteen minutes."""
    gone = int((now - game.start) / timedelta(minutes=1))
    return min(95, gone if gone <= 45 else max(45, gone - 15))


def score_at(seed: int, game: Game, now: datetime) -> tuple[int, int] | None:
    """The score right now; None before kick-off."""
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
