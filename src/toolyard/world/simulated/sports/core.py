"""The core of the ball games: leagues, teams, and games that are the same whoever asks.

Who plays in which league is reference; strengths come from the seed. Tables are counted from the games.
"""

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Annotated

from toolyard.world.kernel import seeds
from toolyard.world.kernel.tables import read_record, read_table
from toolyard.world.kernel.types import Semantic

_DATE = r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])"
# Days of games: dates like others, but tools that list games want days on which some are played.
BasketballDay = Annotated[str, Semantic("basketball_day", _DATE, is_a=("iso_date",))]
FootballDay = Annotated[str, Semantic("football_day", _DATE, is_a=("iso_date",))]
CricketDay = Annotated[str, Semantic("cricket_day", _DATE, is_a=("iso_date",))]
RacingDay = Annotated[str, Semantic("racing_day", _DATE, is_a=("iso_date",))]
LONG_AGO = datetime(1900, 1, 1, tzinfo=UTC)
DURATION = timedelta(hours=2)


@dataclass(frozen=True, slots=True)
class League:
    """A competition; a season is named by the year it opens in."""

    key: str
    sport: str
    id: int
    name: str
    country: str
    kind: str
    first: int
    opening: str
    closing: str
    hour: int

    @property
    def last(self) -> int:
        """The season under way in May 2024, or the latest one."""
        return 2023 if self.opening > self.closing or self.key == "ucl" else 2024

    @property
    def seasons(self) -> range:
        """The known seasons, oldest first."""
        return range(self.first, self.last + 1)

    def day(self, season: int, when: str) -> date:
        """A day of the season from its month and day."""
        late = self.opening > self.closing and when < self.opening
        return date.fromisoformat(f"{season + int(late or self.key == 'ucl')}-{when}")


# Teams and games exist once each, so identity is equality; comparing field by field would cost most of the time.
@dataclass(frozen=True, slots=True, eq=False)
class Team:
    """A team; `group` is "conference/division" where the league has such."""

    league: str
    id: int
    name: str
    code: str
    city: str
    founded: int
    venue: str
    level: int
    group: str

    @property
    def key(self) -> str:
        """What the team is called in the other tables."""
        return f"{self.league}:{self.code}"


@dataclass(frozen=True, slots=True, eq=False)
class Game:
    """A game with its final score; nobody knows of it before `known`."""

    league: str
    season: int
    number: int
    stage: str
    round: int
    start: datetime
    home: Team
    away: Team
    home_score: int
    away_score: int
    known: datetime = LONG_AGO

    @property
    def key(self) -> str:
        """What the game is called in seeds."""
        return f"{self.league}:{self.season}:{self.number}"

    def side(self, team: Team) -> tuple[int, int]:
        """Points scored and conceded by a team."""
        points = (self.home_score, self.away_score)
        return points if team == self.home else points[::-1]


@functools.cache
def all_leagues() -> dict[str, League]:
    """Leagues by key."""
    return {row["key"]: read_record(League, row) for row in read_table("sports_leagues.tsv")}


def season_years(keys: Iterable[str]) -> list[int]:
    """The years in which a known season of some leagues began, latest first."""
    return sorted({year for key in keys for year in all_leagues()[key].seasons}, reverse=True)


@functools.cache
def all_teams() -> tuple[Team, ...]:
    """Every team of every league."""
    return tuple(read_record(Team, row) for row in read_table("sports_teams.tsv"))


@functools.cache
def teams_of(league: str) -> tuple[Team, ...]:
    """The teams of a league in May 2024; in the Champions League sixteen clubs of all leagues of Europe."""
    if league == "ucl":
        first = ("pl", "laliga", "seriea", "bundesliga", "ligue1")
        best = sorted(
            (team for team in all_teams() if team.league in first), key=lambda team: (-team.level, team.id)
        )
        return (*(team for team in all_teams() if team.league == "ucl"), *best[:11])
    own = (team for team in all_teams() if league in (team.league, team.group))
    return tuple(team for team in own if team.group != "former")


@functools.cache
def teams_in_season(league: str, season: int) -> tuple[Team, ...]:
    """The teams of a season: before the latest one, three that have left the league are in the place of the last three."""
    own, gone = (
        teams_of(league),
        [team for team in all_teams() if (team.league, team.group) == (league, "former")],
    )
    if season == all_leagues()[league].last or not gone or league == "ucl":
        return own
    back = [gone[(3 * season + turn) % len(gone)] for turn in range(3)]
    late = sorted(own, key=lambda team: (team.level, -team.id))[:3]
    return tuple(team for team in own if team not in late) + tuple(back)


def team_skill(seed: int, team: Team, season: int) -> float:
    """How good a team is in a season, 0 to 8: half of it stays from season to season."""
    return 4 * seeds.unit(seed, "strength", team.key) + 4 * seeds.unit(seed, "form", team.key, season)


def expected_goals(difference: float) -> tuple[float, float]:
    """Mean goals of the home and the away side for a difference in strength."""
    return min(4.5, 1.5 * 1.13**difference), min(4.5, 1.15 * 1.13**-difference)


@dataclass(slots=True)
class Tally:
    """Games of one team, counted."""

    played: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    scored: int = 0
    conceded: int = 0

    def add(self, scored: int, conceded: int) -> None:
        """Count one game."""
        self.played += 1
        self.won += scored > conceded
        self.drawn += scored == conceded
        self.lost += scored < conceded
        self.scored += scored
        self.conceded += conceded

    @property
    def share(self) -> float:
        """The share of games won."""
        return round(self.won / self.played, 3) if self.played else 0.0


def team_tally(found: Iterable[Game], team: Team, *, where: str = "all") -> Tally:
    """The record of a team over some games: all of them, or those at "home" or "away"."""
    total = Tally()
    for game in found:
        if (team == game.home and where != "away") or (team == game.away and where != "home"):
            total.add(*game.side(team))
    return total


def recent_form(found: Sequence[Game], team: Team, last: int = 5) -> str:
    """The last results of a team as letters, latest last."""
    own = [game.side(team) for game in found if team in (game.home, game.away)]
    return "".join("W" if us > them else "L" if us < them else "D" for us, them in own[-last:])


def all_tallies(found: Iterable[Game]) -> dict[Team, Tally]:
    """The record of every team over some games."""
    records: dict[Team, Tally] = {}
    for game in found:
        records.setdefault(game.home, Tally()).add(game.home_score, game.away_score)
        records.setdefault(game.away, Tally()).add(game.away_score, game.home_score)
    return records


def rank_teams(found: Iterable[Game], teams: Iterable[Team]) -> list[tuple[Team, Tally]]:
    """Teams with their records, best first: share of wins, then difference, then points scored."""
    records = all_tallies(found)
    rows = [(team, records.get(team) or Tally()) for team in teams]
    return sorted(
        rows, key=lambda row: (-row[1].share, row[1].conceded - row[1].scored, -row[1].scored, row[0].id)
    )
