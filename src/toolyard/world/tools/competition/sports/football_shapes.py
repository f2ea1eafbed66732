"""Competition/API_FOOTBALL: what is asked and returned about fixtures."""

from typing import Annotated, NotRequired, TypedDict

from toolyard.world.kernel.types import ClockTime, Range, Semantic, TimeZoneName
from toolyard.world.simulated.sports.core import FootballDay
from toolyard.world.tools.competition.sports.api_football import FixtureId, FootballSeason, LeagueId, TeamId

Round = Annotated[str, Semantic("football_round")]
VenueId = Annotated[int, Semantic("football_venue_id")]
Count = Annotated[int, Range(1, 99)]


class FixtureRow(TypedDict):
    id: FixtureId
    date: FootballDay
    time: ClockTime
    timezone: TimeZoneName
    league_id: LeagueId
    season: FootballSeason
    round: Round
    status: str
    home_id: TeamId
    home: str
    away_id: TeamId
    away: str
    home_goals: int | None
    away_goals: int | None


class FixtureDetails(TypedDict):
    fixture: FixtureRow
    elapsed: NotRequired[int]


class Counts(TypedDict):
    played: int
    wins: int
    draws: int
    losses: int
    goals_for: int
    goals_against: int


class ClubStatistics(TypedDict):
    team_id: TeamId
    team: str
    league_id: LeagueId
    season: FootballSeason
    form: str
    total: Counts
    home: Counts
    away: Counts
    clean_sheets: int
    failed_to_score: int
    biggest_win: str | None
    biggest_loss: str | None


class SideOutlook(TypedDict):
    team_id: TeamId
    team: str
    form: str
    average_scored: float
    average_conceded: float
    expected_goals: float


class Prediction(TypedDict):
    fixture_id: FixtureId
    date: FootballDay
    winner: str
    advice: str
    home_percent: int
    draw_percent: int
    away_percent: int
    over_2_5_percent: int
    home: SideOutlook
    away: SideOutlook
    matches_used: int


class FixtureFilters(TypedDict, total=False):
    """Which fixtures.

    id: Number of one fixture.
    ids: Numbers of up to 20 fixtures joined by hyphens.
    live: "all" or numbers of leagues joined by hyphens: only fixtures being played right now.
    date: Only fixtures on this day in the time zone.
    league: Number of the league.
    season: Year in which the season began; by default that of the date, or the latest one.
    team: Only fixtures of this club.
    last: The latest fixtures that are over, this many.
    next: The fixtures to come, this many.
    from_date: Only fixtures on or after this day.
    to_date: Only fixtures on or before this day.
    round: Name of the round, as fixtures_round returns it.
    status: NS, LIVE or FT, several joined by hyphens.
    venue: Number of the home club's ground: that of the club and 500.
    timezone: Time zone for dates and times, UTC by default.
    """

    id_: FixtureId
    ids: str
    live: str
    date: FootballDay
    league: LeagueId
    season: FootballSeason
    team: TeamId
    last: Count
    next: Count
    from_date: FootballDay
    to_date: FootballDay
    round: Round
    status: str
    venue: VenueId
    timezone: TimeZoneName
