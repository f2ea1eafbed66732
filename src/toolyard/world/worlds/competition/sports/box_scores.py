"""Basketball players and box scores: what the players of a team score adds up to what the team scored."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from random import Random

from toolyard.world import seeds
from toolyard.world.shared.geography import read_table
from toolyard.world.shared.people import LAST, MALE
from toolyard.world.worlds.competition.sports.core import Game, Team, teams_of

ROSTER = 13
ACTIVE = 10
_WEIGHTS = (24, 19, 15, 13, 12, 10, 9, 7, 6, 5, 4, 3, 2)


@dataclass(frozen=True, slots=True)
class Player:
    """A basketball player; he stays with his team in all seasons of this world."""

    index: int
    name: str
    first: str
    last: str
    position: str
    country: str
    team: Team
    jersey: int
    height_cm: int
    weight_kg: int
    born: str
    since: int


@dataclass(frozen=True, slots=True)
class Line:
    """What one player (or a whole team) did in a game."""

    minutes: int = 0
    fgm: int = 0
    fga: int = 0
    tpm: int = 0
    tpa: int = 0
    ftm: int = 0
    fta: int = 0
    offensive: int = 0
    defensive: int = 0
    assists: int = 0
    steals: int = 0
    blocks: int = 0
    turnovers: int = 0
    fouls: int = 0

    @property
    def points(self) -> int:
        """Two for a goal, one more for a long one, one for a free throw."""
        return 2 * self.fgm + self.tpm + self.ftm


def add(lines: Iterable[Line]) -> Line:
    """Lines summed up."""
    found = list(lines)
    return Line(*(sum(getattr(line, field.name) for line in found) for field in fields(Line)))


@functools.cache
def named() -> dict[str, list[list[str]]]:
    """Team key -> known players as [name, position, country]."""
    return {
        row["team"]: [entry.split("/") for entry in row["players"].split(";")]
        for row in read_table("sports_players.tsv")
    }


def _player(seed: int, team: Team, place: int) -> Player:
    chance = seeds.stream(seed, "nba player", team.code, place)
    known = named()[team.key]
    made_up = [f"{chance.choice(MALE)} {chance.choice(LAST)}", "GFC"[place % 3]]
    entry = known[place] if place < len(known) else made_up
    first, _, last = entry[0].partition(" ")
    tall = {"G": 190, "F": 202, "C": 211}[entry[1]]
    height = tall + chance.randrange(-4, 5)
    since = chance.randrange(2004, 2016)
    born = f"{since - chance.randrange(19, 23)}-{chance.randrange(1, 13):02d}-{chance.randrange(1, 29):02d}"
    return Player(
        teams_of("nba").index(team) * ROSTER + place, entry[0], first, last or first, entry[1],
        entry[2] if len(entry) > 2 else "USA", team, (place * 7 + chance.randrange(4)) % 56, height,
        height - 104 + chance.randrange(-6, 10), born, since,
    )  # fmt: skip


@seeds.table
def players(seed: int) -> tuple[Player, ...]:
    """All players, thirteen for each team; `index` is the place in this list."""
    return tuple(_player(seed, team, place) for team in teams_of("nba") for place in range(ROSTER))


def roster(seed: int, team: Team) -> tuple[Player, ...]:
    """The players of a team."""
    first = teams_of("nba").index(team) * ROSTER
    return players(seed)[first : first + ROSTER]


def deal(total: int, weights: Sequence[float], chance: Random) -> list[int]:
    """A total dealt out by weights, one by one."""
    counts = [0] * len(weights)
    for place in chance.choices(range(len(weights)), weights, k=max(0, total)):
        counts[place] += 1
    return counts


def quarters(seed: int, game: Game) -> tuple[list[int], list[int]]:
    """Points of the home and away side in the four quarters."""
    chance = seeds.stream(seed, "quarters", game.key)
    return deal(game.home_score, (1, 1, 1, 1), chance), deal(game.away_score, (1, 1, 1, 1), chance)


@functools.lru_cache(maxsize=8192)
def box(seed: int, game: Game, at_home: bool) -> tuple[tuple[int, Line], ...]:
    """(place in the roster, line) of every player of one side who took part."""
    score = game.home_score if at_home else game.away_score
    chance = seeds.stream(seed, "box", game.key, at_home)
    out = chance.sample(range(2, ROSTER), ROSTER - ACTIVE)
    out[0] = chance.randrange(2) if chance.random() < 0.12 else out[0]
    active = [place for place in range(ROSTER) if place not in out]
    weights = [_WEIGHTS[place] * (0.6 + 0.8 * chance.random()) for place in active]
    threes = min(score // 5, max(4, round(chance.gauss(score / 9, 3))))
    free = max(5, round(chance.gauss(17, 4)))
    free += (score - 3 * threes - free) % 2
    twos = (score - 3 * threes - free) // 2
    goals = twos + threes
    sums = (240, twos, threes, free, round(goals * chance.uniform(0.95, 1.25)), chance.randrange(2, 9),
            chance.randrange(7, 14), chance.randrange(29, 39), round(goals * chance.uniform(0.5, 0.7)),
            chance.randrange(4, 12), chance.randrange(2, 9), chance.randrange(9, 18), chance.randrange(14, 25))  # fmt: skip
    flat = [weight**0.6 for weight in weights]
    even = [weight**0.4 for weight in weights]
    shapes = (even, weights, weights, weights, weights, flat, flat, flat, weights, flat, flat, flat, even)
    cells = [deal(total, shape, chance) for total, shape in zip(sums, shapes, strict=True)]
    lines = []
    for n, place in enumerate(active):
        minutes, two, three, made, missed, missed_free, *rest = (column[n] for column in cells)
        long_missed = round(missed * 0.55) if three else missed // 4
        lines.append((place, Line(minutes, two + three, two + three + missed, three, three + long_missed,
                                  made, made + missed_free, *rest)))  # fmt: skip
    return tuple(lines)


def own_line(seed: int, game: Game, player: Player) -> Line | None:
    """What a player did in a game of his team; None when he did not play."""
    return dict(box(seed, game, player.team == game.home)).get(player.index % ROSTER)


def team_line(seed: int, game: Game, at_home: bool) -> Line:
    """What a team did in a game."""
    return add(line for _, line in box(seed, game, at_home))
