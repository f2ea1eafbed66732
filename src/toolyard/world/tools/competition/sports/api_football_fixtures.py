"""Competition/API_FOOTBALL: fixtures, rounds, statistics of clubs, and predictions."""

import math
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, NotRequired, TypedDict, Unpack

from toolyard.world.kernel.faults import invalid, not_found
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import page_of, plain
from toolyard.world.kernel.types import ClockTime, IsoDate, Page, Range, Semantic, TimeZoneName
from toolyard.world.reference.days import parse_date
from toolyard.world.simulated.sports import common
from toolyard.world.simulated.sports.core import (
    FootballDay,
    Game,
    Tally,
    Team,
    all_leagues,
    expected_goals,
    recent_form,
    team_skill,
    team_tally,
    teams_in_season,
)
from toolyard.world.simulated.sports.football_core import KEYS, find_club, football_clubs, minute_of, score_at
from toolyard.world.simulated.sports.seasons import finished_games, is_over, scheduled_games
from toolyard.world.tools.competition.sports.api_football import (
    GROUP,
    IDS,
    FixtureId,
    FootballSeason,
    LeagueId,
    SeasonOfLeague,
    TeamId,
    find_league,
    seasons,
)

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


SHOWN = 20


def round_name(game: Game) -> str:
    """What the service calls the round of a game."""
    return f"{game.stage} - {game.round}" if game.stage == "Regular Season" else game.stage


def _fixture_row(seed: int, game: Game, now: datetime, timezone: TimeZoneName) -> FixtureRow:
    date, time = common.local_date_and_time(game.start, timezone)
    score = score_at(seed, game, now)
    return {
        "id": IDS.of(game),
        "date": date,
        "time": time,
        "timezone": timezone,
        "league_id": all_leagues()[game.league].id,
        "season": game.season,
        "round": round_name(game),
        "status": common.status_now(game, now, 120),
        "home_id": game.home.id,
        "home": game.home.name,
        "away_id": game.away.id,
        "away": game.away.name,
        "home_goals": score[0] if score else None,
        "away_goals": score[1] if score else None,
    }


def _fixture_details(world: World, game: Game, timezone: TimeZoneName) -> FixtureDetails:
    row = _fixture_row(world.seed, game, world.now, timezone)
    if world.now < game.start:
        return {"fixture": row}
    return {
        "fixture": row,
        "elapsed": 90 if is_over(game, world.now) else min(90, minute_of(game, world.now)),
    }


def _parse_numbers(text: str, parameter: str) -> list[int]:
    parts = text.split("-")
    if not all(part.strip().isdecimal() and len(part) < 12 for part in parts):
        raise invalid(parameter, text[:60], "want numbers joined by hyphens")
    return [int(part) for part in parts[:20]]


def _candidate_games(world: World, filters: FixtureFilters) -> list[Game]:
    numbers = _parse_numbers(filters["ids"], "ids") if "ids" in filters else []
    numbers += [filters["id_"]] if "id_" in filters else []
    if numbers:
        return [IDS.find(world.seed, number, world.now) for number in dict.fromkeys(numbers)]
    keys: Sequence[str] = (find_league(filters["league"]).key,) if "league" in filters else KEYS
    day, season = filters.get("date"), filters.get("season")
    if season is not None and "league" in filters:
        common.require_season(find_league(filters["league"]), season)
    if "team" in filters:
        club = find_club(filters["team"])
        keys = [key for key in keys if key in (club.league, "ucl")]
    span = [parse_date(filters[key], key) for key in ("from_date", "to_date") if key in filters]
    if season is None and day is None and span:
        years = range(min(one.year for one in span) - 1, max(one.year for one in span) + 1)
        return [
            game
            for year in list(years)[:12]
            for key in keys
            for game in scheduled_games(world.seed, key, year, world.now)
        ]
    where = filters.get("timezone", "UTC")
    return list(common.search_games(world.seed, world.now, keys, season=season, day=day, timezone=where))


_STATUSES = ("NS", "LIVE", "FT")


def _require_sense(world: World, filters: FixtureFilters) -> None:
    """A fault where a filter cannot fit any fixture."""
    common.require_order(filters.get("from_date"), filters.get("to_date"), ("from_date", "to_date"))
    if "status" in filters and not set(filters["status"].upper().split("-")) <= set(_STATUSES):
        raise invalid("status", filters["status"][:60], f"want one or more of {', '.join(_STATUSES)}")
    if filters.get("live", "all") != "all":
        for number in _parse_numbers(filters["live"], "live"):
            find_league(number)
    if "season" in filters and filters["season"] not in seasons():
        raise not_found("season", filters["season"], known=seasons(), listed_by=f"{GROUP}/seasons")
    grounds = {club.id + 500 for club in football_clubs()}
    if "venue" in filters and filters["venue"] not in grounds:
        raise not_found("ground", filters["venue"], known=sorted(grounds))
    if "round" in filters and "league" in filters:
        season = filters.get("season", find_league(filters["league"]).last)
        known = fixtures_round(world, league=filters["league"], season=season)
        if plain(filters["round"]) not in map(plain, known):
            raise not_found("round", filters["round"][:60], known=known, listed_by=f"{GROUP}/fixtures_round")


def _is_in_span(filters: FixtureFilters, game: Game) -> bool:
    """Whether a game lies between the days asked for, in the time zone."""
    if "from_date" not in filters and "to_date" not in filters:
        return True
    day = common.local_date_and_time(game.start, filters.get("timezone", "UTC"))[0]
    return filters.get("from_date", day) <= day <= filters.get("to_date", day)


def _fits_filters(world: World, filters: FixtureFilters, game: Game) -> bool:
    status = common.status_now(game, world.now, 120)
    wanted = filters.get("live", "all")
    return (
        ("team" not in filters or filters["team"] in (game.home.id, game.away.id))
        and ("live" not in filters or status == "LIVE")
        and (wanted == "all" or all_leagues()[game.league].id in _parse_numbers(wanted, "live"))
        and _is_in_span(filters, game)
        and ("round" not in filters or round_name(game).casefold() == filters["round"].strip().casefold())
        and ("status" not in filters or status in filters["status"].upper().split("-"))
        and ("venue" not in filters or game.home.id + 500 == filters["venue"])
    )


@GROUP.tool(
    examples=[
        {"league": 39, "season": 2019, "round": "Regular Season - 1"},
        {"id": 198772},
        {"live": "all"},
        {"team": 541, "last": 3},
        {"league": 135, "next": 4},
    ],
    phrase=(
        "list football fixtures with their scores[, only the fixture whose number is {id}][, with the "
        "live filter set to {live}][, on {date}][, in the league whose number is {league}][, in the season "
        "that began in {season}][, with the club whose number is {team}][, the last {last} that are over][, "
        "the next {next} to come][, starting from {from_date}][, until {to_date}][, in the round called "
        "{round}][, with the match status set to {status}][, with the time zone set to {timezone}]"
    ),
    noun="the list of football fixtures",
    jobs=("football matches",),
)
def fixtures(world: World, **filters: Unpack[FixtureFilters]) -> Page[FixtureDetails]:
    """Football fixtures in order of time with their scores: the first 10 that fit, and how many there are."""
    if not set(filters) - {"timezone"}:
        raise invalid("arguments", {}, "give at least one filter, e.g. league and season, or a date")
    _require_sense(world, filters)
    found = [game for game in _candidate_games(world, filters) if _fits_filters(world, filters, game)]
    found.sort(key=lambda game: (game.start, game.home.id))
    if "last" in filters:
        found = [game for game in found if is_over(game, world.now)][-filters["last"] :]
    if "next" in filters:
        found = [game for game in found if game.start > world.now][: filters["next"]]
    where = filters.get("timezone", "UTC")
    return page_of(found, lambda game: _fixture_details(world, game, where), 10)


@GROUP.tool(
    examples=[{"h2h": "40-50"}],
    phrase="list all known football meetings[ of the two clubs whose numbers are {h2h}]",
    noun="the football head-to-head record",
    jobs=("football matches",),
)
def fixtures_head_to_head(world: World, *, h2h: str | None = None) -> Page[FixtureRow]:
    """All known meetings of two clubs, latest first, and how many there are.

    h2h: Numbers of the two clubs joined by a hyphen, e.g. 33-34.
    """
    if h2h is None:
        raise invalid("h2h", None, "give the ids of two teams joined by a hyphen, e.g. 33-34")
    both = common.pair(h2h, football_clubs(), {team: team.id for team in football_clubs()})
    keys = [key for key in KEYS if key == "ucl" or {key} == {team.league for team in both}]
    found = [
        game
        for key in keys
        for year in all_leagues()[key].seasons
        for game in scheduled_games(world.seed, key, year, world.now)
        if {game.home, game.away} == set(both)
    ]
    found.sort(key=lambda game: game.start, reverse=True)
    return page_of(found, lambda game: _fixture_row(world.seed, game, world.now, "UTC"), SHOWN)


@GROUP.tool(
    examples=[{"league": 39, "season": 2023}, {"league": 140, "season": 2023, "current": True}],
    phrase=(
        "list the round names of the football league whose number is {league} in the season that began in "
        "{season}[, with the filter for the current round set to {current}]"
    ),
    noun="the list of football rounds",
)
def fixtures_round(
    world: World, *, league: LeagueId, season: SeasonOfLeague, current: bool = False
) -> list[Round]:
    """Names of the rounds of a season, in order.

    league: Number of the league.
    season: Year in which the season began.
    current: Only the round under way: the first that is not over, or the last one after the season.
    """
    found = find_league(league, season)
    games = scheduled_games(world.seed, found.key, season, world.now)
    ordered = sorted(games, key=lambda game: game.round)
    names = list(dict.fromkeys(round_name(game) for game in ordered))
    if not current:
        return names
    open_ = [round_name(game) for game in ordered if not is_over(game, world.now)]
    return open_[:1] or names[-1:]


def _record_counts(record: Tally) -> Counts:
    return {
        "played": record.played,
        "wins": record.won,
        "draws": record.drawn,
        "losses": record.lost,
        "goals_for": record.scored,
        "goals_against": record.conceded,
    }


@GROUP.tool(
    examples=[{"league": 39, "season": 2019, "team": 33}, {"league": 78, "season": 2023, "team": 157}],
    phrase=(
        "get the season statistics of the football club whose number is {team} in the league whose number is "
        "{league} in the season that began in {season}[, counting only matches up to {date}]"
    ),
    noun="the football club statistics",
)
def teams_statistics(
    world: World, *, league: LeagueId, season: SeasonOfLeague, team: TeamId, date: IsoDate | None = None
) -> ClubStatistics:
    """A club's season in a competition: results at home and away, goals, form, clean sheets, biggest results.

    league: Number of the league.
    season: Year in which the season began.
    team: Number of the club.
    date: Count only matches up to this day.
    """
    found, club = find_league(league, season), find_club(team)
    there = teams_in_season(found.key, season)
    if club not in there:
        raise not_found(f"club of {found.name} {season}", team, known=sorted(one.id for one in there))
    past = _finished_matches(world.seed, found.key, season, club, world.now)
    own = common.games_over_by(past, common.last_counted_day(date, world.now), world.now)
    sides = [game.side(club) for game in own]
    wins = sorted((side for side in sides if side[0] > side[1]), key=lambda side: side[1] - side[0])
    losses = sorted((side for side in sides if side[0] < side[1]), key=lambda side: side[0] - side[1])
    return {
        "team_id": team,
        "team": club.name,
        "league_id": league,
        "season": season,
        "form": recent_form(own, club, 38),
        "total": _record_counts(team_tally(own, club)),
        "home": _record_counts(team_tally(own, club, where="home")),
        "away": _record_counts(team_tally(own, club, where="away")),
        "clean_sheets": sum(them == 0 for _, them in sides),
        "failed_to_score": sum(us == 0 for us, _ in sides),
        "biggest_win": f"{wins[0][0]}-{wins[0][1]}" if wins else None,
        "biggest_loss": f"{losses[0][0]}-{losses[0][1]}" if losses else None,
    }


def _finished_matches(seed: int, league: str, season: int, team: Team, until: datetime) -> list[Game]:
    """The matches of a club in a season that are over."""
    return [game for game in finished_games(seed, league, season, until) if team in (game.home, game.away)]


def _recent_matches(world: World, game: Game, team: Team) -> list[Game]:
    """The ten matches that a club played before a fixture, in its league and in the Champions League."""
    until = min(game.start, world.now)
    keys = dict.fromkeys((team.league, "ucl"))
    found = [one for key in keys for year in (game.season - 1, game.season, game.season + 1)
             for one in _finished_matches(world.seed, key, year, team, until)]  # fmt: skip
    return sorted(found, key=lambda one: one.start)[-10:]


def _round_percents(*chances: float) -> list[int]:
    """Chances in whole per cent that add up to 100."""
    whole = [math.floor(100 * chance) for chance in chances]
    parts = sorted(range(len(chances)), key=lambda place: whole[place] - 100 * chances[place])
    for place in parts[: 100 - sum(whole)]:
        whole[place] += 1
    return whole


def _side_outlook(team: Team, recent: list[Game], expected: tuple[float, float]) -> SideOutlook:
    record = team_tally(recent, team)
    scored = (record.scored / len(recent), record.conceded / len(recent)) if recent else expected
    return {
        "team_id": team.id,
        "team": team.name,
        "form": recent_form(recent, team),
        "average_scored": round(scored[0], 2),
        "average_conceded": round(scored[1], 2),
        "expected_goals": round(expected[0], 2),
    }


@GROUP.tool(
    examples=[{"fixture": 198772}],
    phrase="predict the chances of the two clubs in the football fixture whose number is {fixture}",
    noun="the football prediction",
)
def predictions(world: World, *, fixture: FixtureId) -> Prediction:
    """Chances of the two clubs in a fixture: Poisson goals by their strengths in the season, with their form in the ten
    matches before.

    fixture: Number of the fixture.
    """
    game = IDS.find(world.seed, fixture, world.now)
    ours, theirs = _recent_matches(world, game, game.home), _recent_matches(world, game, game.away)
    home, away = expected_goals(
        team_skill(world.seed, game.home, game.season) - team_skill(world.seed, game.away, game.season)
    )
    win, draw, loss, over, _ = common.football_chances(home, away)
    home_percent, draw_percent, away_percent = _round_percents(win, draw, loss)
    best = game.home.name if home_percent >= away_percent else game.away.name
    return {
        "fixture_id": fixture,
        "date": game.start.date().isoformat(),
        "winner": best,
        "advice": f"{best} to win" if max(win, loss) > 0.45 else f"{best} or draw",
        "home_percent": home_percent,
        "draw_percent": draw_percent,
        "away_percent": away_percent,
        "over_2_5_percent": round(100 * over),
        "home": _side_outlook(game.home, ours, (home, away)),
        "away": _side_outlook(game.away, theirs, (away, home)),
        "matches_used": len(ours) + len(theirs),
    }
