"""The NBA: players with their teams, and box scores in which what the players score adds up to what the team scored."""

import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from random import Random
from typing import Annotated

from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import not_found
from toolyard.world.kernel.tables import read_table
from toolyard.world.kernel.types import Semantic
from toolyard.world.reference.people import LAST, MALE
from toolyard.world.simulated.sports.core import Game, Team, all_leagues, teams_of
from toolyard.world.simulated.sports.seasons import GameIds

NbaSeason = Annotated[int, Semantic("nba_season")]
PlayerName = Annotated[str, Semantic("nba_player")]
TeamName = Annotated[str, Semantic("nba_team")]
TeamCode = Annotated[str, Semantic("nba_team_code")]
SEASONS = all_leagues()["nba"].seasons
ROSTER = 13
_POUND = 0.45359237


@dataclass(frozen=True, slots=True, eq=False)
class Player:
    """A basketball player, with his team since his first season."""

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
    weight_lb: int
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
    rebounds: int = 0
    assists: int = 0
    steals: int = 0
    blocks: int = 0
    turnovers: int = 0

    @property
    def points(self) -> int:
        """Two for a goal, one more for a long one, one for a free throw."""
        return 2 * self.fgm + self.tpm + self.ftm


def add_lines(lines: Iterable[Line]) -> Line:
    """Lines summed up."""
    found = list(lines)
    return Line(*(sum(getattr(line, field.name) for line in found) for field in fields(Line)))


@functools.cache
def known_players() -> dict[str, list[list[str]]]:
    """Team key -> known players as [name, position, country]."""
    return {
        row["team"]: [entry.split("/") for entry in row["players"].split(";")]
        for row in read_table("sports_players.tsv")
    }


def _make_player(team: Team, number: int, place: int, facts: Mapping[str, Mapping[str, str]]) -> Player:
    """A known player, or one of the made-up ones who fill the roster, with what is not known of him drawn."""
    known, chance = known_players()[team.key], seeds.stream("nba player", team.code, place)
    made_up = [f"{chance.choice(MALE)} {chance.choice(LAST)}", "GFC"[place % 3]]
    name, position, *country = known[place] if place < len(known) else made_up
    first, _, last = name.partition(" ")
    height = {"G": 190, "F": 202, "C": 211}[position[0]] + chance.randrange(-4, 5)
    since = chance.randrange(2008, 2015)
    born = f"{since - chance.randrange(19, 23)}-{chance.randrange(1, 13):02d}-{chance.randrange(1, 29):02d}"
    fact = facts.get(name, {})
    height = int(fact.get("height_cm") or height)
    weight = int(fact.get("weight_kg") or height - 104 + chance.randrange(-6, 10))
    pounds = int(fact.get("weight_lb") or 5 * round(weight / _POUND / 5))
    jersey = int(fact.get("jersey") or (place * 7 + chance.randrange(4)) % 56)
    return Player(
        number * ROSTER + place, name, first, last or first, position, country[0] if country else "USA", team, jersey,
        height, weight, pounds, fact.get("born") or born, int(fact.get("since") or since),
    )  # fmt: skip


@functools.cache
def all_players() -> tuple[Player, ...]:
    """All players, thirteen for each team; `index` is the place in this list."""
    facts = {row["name"]: row for row in read_table("nba_people.tsv")}
    return tuple(
        _make_player(team, number, place, facts)
        for number, team in enumerate(teams_of("nba"))
        for place in range(ROSTER)
    )


def team_roster(team: Team, season: int | None = None) -> list[Player]:
    """The players of a team, in a season those who had begun."""
    first = teams_of("nba").index(team) * ROSTER
    return [one for one in all_players()[first : first + ROSTER] if season is None or one.since <= season]


def distribute_total(total: int, weights: Sequence[float], chance: Random) -> list[int]:
    """A total dealt out by weights, one by one."""
    counts = [0] * len(weights)
    for place in chance.choices(range(len(weights)), weights, k=max(0, total)):
        counts[place] += 1
    return counts


@seeds.cache_by_seed(2048)
def box_score(seed: int, game: Game, team: Team) -> Mapping[Player, Line]:
    """The line of every player of one side; their points add up to its score."""
    score, people = game.side(team)[0], team_roster(team, game.season)
    chance = seeds.stream(seed, "box", game.key, team.code)
    skill = [4 + 16 * seeds.unit(seed, "skill", one.index, game.season) for one in people]
    weights = [one * (0.6 + 0.8 * chance.random()) for one in skill]
    threes = min(score // 5, max(4, round(chance.gauss(score / 9, 3))))
    free = max(5, round(chance.gauss(17, 4)))
    free += (score - 3 * threes - free) % 2
    twos = (score - 3 * threes - free) // 2
    goals = twos + threes
    sums = (240, twos, threes, free, round(goals * chance.uniform(0.95, 1.25)), chance.randrange(2, 9),
            chance.randrange(36, 52), round(goals * chance.uniform(0.5, 0.7)), chance.randrange(4, 12),
            chance.randrange(2, 9), chance.randrange(9, 18))  # fmt: skip
    even = [weight**0.4 for weight in weights]
    shapes = (even, weights, weights, weights, weights, even, even, weights, even, even, even)
    cells = [distribute_total(total, shape, chance) for total, shape in zip(sums, shapes, strict=True)]
    lines = {}
    for place, one in enumerate(people):
        minutes, two, three, made, missed, missed_free, *rest = (column[place] for column in cells)
        long_missed = round(missed * 0.55) if three else missed // 4
        lines[one] = Line(minutes, two + three, two + three + missed, three, three + long_missed, made,
                          made + missed_free, *rest)  # fmt: skip
    return lines


@dataclass(frozen=True, slots=True)
class Numbering:
    """How a service numbers teams, players and games of the NBA."""

    teams: tuple[int, ...]
    first_player: int
    games: GameIds
    service: str
    lists: tuple[str, str]  # the tools that list teams and players

    def of_team(self, team: Team) -> int:
        """The number of a team."""
        return self.teams[teams_of("nba").index(team)]

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
        if not 0 <= number - self.first_player < len(all_players()):
            known = range(self.first_player, self.first_player + len(all_players()))
            raise not_found("player", number, known=known, listed_by=f"{self.service}/{self.lists[1]}")
        return all_players()[number - self.first_player]
