"""Football players and matches: line-ups, goals with minute and scorer, cards; figures of players add up to results."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from toolyard.world import seeds
from toolyard.world.faults import not_found
from toolyard.world.shared.people import LAST, MALE
from toolyard.world.worlds.competition.sports.box_scores import named
from toolyard.world.worlds.competition.sports.core import Game, Team, all_teams, leagues
from toolyard.world.worlds.competition.sports.seasons import is_over

# What people call competitions, folded -> how they are listed.
LEAGUE_NAMES = {"super lig": "Süper Lig", "european championship": "Euro Championship", "mls": "Major League Soccer",
                 "conference league": "UEFA Europa Conference League", "europa league": "UEFA Europa League",
                 "segunda division": "Segunda División", "club world cup": "FIFA Club World Cup", "epl": "Premier League",
                 "champions league": "UEFA Champions League", "afcon": "Africa Cup of Nations"}  # fmt: skip
SQUAD = 18
_POSITIONS = "GDDDDMMMFFFGDDMMDF"
_NAMES = {"G": "Goalkeeper", "D": "Defender", "M": "Midfielder", "F": "Attacker"}
_SCORING = {"Goalkeeper": 0.02, "Defender": 0.5, "Midfielder": 1.5, "Attacker": 4.0}
KEYS = tuple(key for key, league in leagues().items() if league.sport == "football")


@dataclass(frozen=True, slots=True, eq=False)
class Footballer:
    """A player; he stays with his club in all seasons of this world."""

    id: int
    name: str
    position: str
    nationality: str
    team: Team
    number: int
    born: str
    height_cm: int


@dataclass(frozen=True, slots=True)
class Goal:
    """A goal: when, by whom, prepared by whom."""

    minute: int
    at_home: bool
    scorer: Footballer
    assist: Footballer | None


@dataclass(frozen=True, slots=True)
class Match:
    """What happened in a game."""

    line_ups: tuple[tuple[Footballer, ...], tuple[Footballer, ...]]
    substitutes: tuple[tuple[Footballer, ...], tuple[Footballer, ...]]
    goals: tuple[Goal, ...]
    yellow: tuple[Footballer, ...]
    red: tuple[Footballer, ...]


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


@functools.lru_cache(maxsize=2048)
def squad(seed: int, team: Team) -> tuple[Footballer, ...]:
    """The eighteen players of a club, each famous one in a place of his position."""
    left = list(named().get(team.key, ()))
    country = leagues()[team.league].country
    first = 1000 + clubs().index(team) * SQUAD
    found = []
    for place, letter in enumerate(_POSITIONS):
        chance = seeds.stream(seed, "footballer", team.key, place)
        entry = next((entry for entry in left if entry[1] == letter), None)
        if entry is not None:
            left.remove(entry)
        name, _, nation = entry or (f"{chance.choice(MALE)} {chance.choice(LAST)}", letter, country)
        born = f"{chance.randrange(1988, 2003)}-{chance.randrange(1, 13):02d}-{chance.randrange(1, 29):02d}"
        height = {"G": 190, "D": 185, "M": 179, "F": 181}[letter] + chance.randrange(-6, 7)
        found.append(Footballer(first + place, name, _NAMES[letter], nation, team, place + 1, born, height))
    return tuple(found)


@functools.lru_cache(maxsize=8)
def footballers(seed: int) -> dict[int, Footballer]:
    """All players by number."""
    return {player.id: player for team in clubs() for player in squad(seed, team)}


@functools.lru_cache(maxsize=8192)
def match(seed: int, game: Game) -> Match:
    """Line-ups, goals and cards of a game."""
    chance = seeds.stream(seed, "match", game.key)
    starts, benches = [], []
    for team in (game.home, game.away):
        out = chance.sample(range(1, 11), 2)
        places = [place + 11 if place in out and place < 7 else place for place in range(11)]
        starts.append(tuple(squad(seed, team)[place] for place in places))
        rest = [player for player in squad(seed, team)[11:] if player not in starts[-1]]
        benches.append(tuple(chance.sample(rest, 3)))
    goals = []
    for at_home, count in ((True, game.home_score), (False, game.away_score)):
        people = starts[not at_home]
        weights = [_SCORING[player.position] for player in people]
        for _ in range(count):
            scorer = chance.choices(people, weights)[0]
            helper = chance.choice(people) if chance.random() < 0.75 else None
            goals.append(Goal(chance.randrange(1, 95), at_home, scorer, None if helper is scorer else helper))
    everyone = [*starts[0], *starts[1]]
    return Match(
        (starts[0], starts[1]),
        (benches[0], benches[1]),
        tuple(sorted(goals, key=lambda goal: (goal.minute, goal.scorer.id))),
        tuple(chance.sample(everyone, chance.randrange(0, 7))),
        tuple(chance.sample(everyone, 1 if chance.random() < 0.08 else 0)),
    )


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
    seen = [goal for goal in match(seed, game).goals if goal.minute <= minute_of(game, now)]
    home = sum(goal.at_home for goal in seen)
    return home, len(seen) - home


@dataclass(slots=True)
class Season:
    """A player's season in figures."""

    games: int = 0
    starts: int = 0
    minutes: int = 0
    goals: int = 0
    assists: int = 0
    yellow: int = 0
    red: int = 0


def season_of(seed: int, found: Sequence[Game], team: Team) -> dict[Footballer, Season]:
    """What the players of a club did in some games."""
    rows = {player: Season() for player in squad(seed, team)}
    for game in found:
        if team not in (game.home, game.away):
            continue
        seen, side = match(seed, game), int(team is game.away)
        # The three who come on play the last third for the last three of the eleven.
        for place, player in enumerate(seen.line_ups[side]):
            row = rows[player]
            row.games, row.starts = row.games + 1, row.starts + 1
            row.minutes += 60 if place > 7 else 90
        for player in seen.substitutes[side]:
            rows[player].games += 1
            rows[player].minutes += 30
        goals = [goal for goal in seen.goals if goal.at_home == (team is game.home)]
        _count(rows, "goals", [goal.scorer for goal in goals])
        _count(rows, "assists", [goal.assist for goal in goals])
        _count(rows, "yellow", seen.yellow)
        _count(rows, "red", seen.red)
    return rows


def _count(rows: dict[Footballer, Season], name: str, people: Iterable[Footballer | None]) -> None:
    for player in people:
        if player in rows:
            setattr(rows[player], name, getattr(rows[player], name) + 1)
