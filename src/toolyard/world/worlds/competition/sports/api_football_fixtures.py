"""Competition/API_FOOTBALL: fixtures, rounds, statistics of clubs, and predictions counted from past matches."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Unpack

from toolyard.world.faults import ToolFault, invalid, not_found
from toolyard.world.registry import tool
from toolyard.world.shared.days import parse_date
from toolyard.world.state import World
from toolyard.world.types import IsoDate, Page, TimeZoneName
from toolyard.world.worlds.competition.sports import common
from toolyard.world.worlds.competition.sports.api_football import (
    GROUP,
    IDS,
    FixtureId,
    FootballSeason,
    LeagueId,
    TeamId,
)
from toolyard.world.worlds.competition.sports.core import (
    Game,
    League,
    Tally,
    Team,
    form,
    leagues,
    tally,
)
from toolyard.world.worlds.competition.sports.football_core import (
    KEYS,
    clubs,
    find_club,
    minute_of,
    score_at,
)
from toolyard.world.worlds.competition.sports.football_shapes import (
    ClubStatistics,
    Counts,
    FixtureDetails,
    FixtureFilters,
    FixtureRow,
    Prediction,
    Round,
    SideOutlook,
)
from toolyard.world.worlds.competition.sports.seasons import games as season_games
from toolyard.world.worlds.competition.sports.seasons import is_over, played

SHOWN = 20


def round_name(game: Game) -> str:
    """What the service calls the round of a game."""
    return f"{game.stage} - {game.round}" if game.stage == "Regular Season" else game.stage


def _ground(game: Game) -> int | None:
    """The ground of the home side; finals are played on another one."""
    return game.home.id + 500 if game.stage != "Final" else None


def _row(seed: int, game: Game, now: datetime, timezone: TimeZoneName) -> FixtureRow:
    date, time = common.local(game.start, timezone)
    score = score_at(seed, game, now)
    return {
        "id": IDS.of(game),
        "date": date,
        "time": time,
        "timezone": timezone,
        "league_id": leagues()[game.league].id,
        "season": game.season,
        "round": round_name(game),
        "venue_id": _ground(game),
        "status": common.status_of(game, now, 120),
        "home_id": game.home.id,
        "home": game.home.name,
        "away_id": game.away.id,
        "away": game.away.name,
        "home_goals": score[0] if score else None,
        "away_goals": score[1] if score else None,
    }


def _details(world: World, game: Game, timezone: TimeZoneName) -> FixtureDetails:
    if world.now < game.start:
        return {"fixture": _row(world.seed, game, world.now, timezone)}
    minute = 90 if is_over(game, world.now) else minute_of(game, world.now)
    return {"fixture": _row(world.seed, game, world.now, timezone), "elapsed": min(90, minute)}


def _numbers(text: str, parameter: str) -> list[int]:
    parts = text.split("-")
    if not all(part.strip().isdecimal() and len(part) < 12 for part in parts):
        raise invalid(parameter, text[:60], "want numbers joined by hyphens")
    return [int(part) for part in parts[:20]]


def _candidates(world: World, filters: FixtureFilters) -> list[Game]:
    numbers = _numbers(filters["ids"], "ids") if "ids" in filters else []
    numbers += [filters["id_"]] if "id_" in filters else []
    if numbers:
        return [IDS.find(world.seed, number, world.now) for number in numbers]
    keys: Sequence[str] = (common.find_league(KEYS, filters["league"]).key,) if "league" in filters else KEYS
    if "team" in filters:
        club = find_club(filters["team"])
        keys = [key for key in keys if key in (club.league, "ucl")]
    day, season = filters.get("date"), filters.get("season")
    if season is not None and "league" in filters:
        common.need_season(common.find_league(KEYS, filters["league"]), season)
    span = [parse_date(filters[key], key) for key in ("from_date", "to_date") if key in filters]
    if season is None and day is None and span:
        years = range(min(one.year for one in span) - 1, max(one.year for one in span) + 1)
        return [
            game
            for year in list(years)[:12]
            for key in keys
            for game in season_games(world.seed, key, year, world.now)
        ]
    zone = filters.get("timezone", "UTC")
    return list(common.search_games(world.seed, world.now, keys, season=season, day=day, timezone=zone))


def _fits(world: World, filters: FixtureFilters, game: Game) -> bool:
    status = common.status_of(game, world.now, 120)
    day = game.start.date()
    wanted = filters.get("live", "all")
    return (
        ("team" not in filters or filters["team"] in (game.home.id, game.away.id))
        and ("live" not in filters or status == "LIVE")
        and (wanted == "all" or leagues()[game.league].id in _numbers(wanted, "live"))
        and ("from_date" not in filters or day >= parse_date(filters["from_date"], "from_date"))
        and ("to_date" not in filters or day <= parse_date(filters["to_date"], "to_date"))
        and ("round" not in filters or round_name(game).casefold() == filters["round"].strip().casefold())
        and ("status" not in filters or status in filters["status"].upper().split("-"))
        and ("venue" not in filters or _ground(game) == filters["venue"])
    )


@tool(
    GROUP,
    examples=[
        {"league": 39, "season": 2019, "round": "Regular Season - 1"},
        {"id": 198772},
        {"live": "all"},
        {"team": 541, "last": 3},
        {"league": 98, "next": 4},
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
    """Football fixtures in order of time with their scores: the first 10 that fit, and how many there are.

    Five leagues are on record from 2017 on, and the late rounds of the Champions League; the J1 League is shown from now on.
    """
    if not set(filters) - {"timezone"}:
        raise invalid("arguments", {}, "give at least one filter, e.g. league and season, or a date")
    found = [game for game in _candidates(world, filters) if _fits(world, filters, game)]
    found.sort(key=lambda game: (game.start, game.home.id))
    if "last" in filters:
        found = [game for game in found if is_over(game, world.now)][-filters["last"] :]
    if "next" in filters:
        found = [game for game in found if game.start > world.now][: filters["next"]]
    zone = filters.get("timezone", "UTC")
    rows = [_details(world, game, zone) for game in found[:10]]
    return {"total": len(found), "offset": 0, "items": rows}


@tool(
    GROUP,
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
    both = common.pair(h2h, clubs(), {team: team.id for team in clubs()})
    keys = [key for key in KEYS if key == "ucl" or {key} == {team.league for team in both}]
    found = [
        game
        for key in keys
        for year in leagues()[key].seasons
        for game in season_games(world.seed, key, year, world.now)
        if {game.home, game.away} == set(both)
    ]
    found.sort(key=lambda game: game.start, reverse=True)
    rows = [_row(world.seed, game, world.now, "UTC") for game in found[:SHOWN]]
    return {"total": len(found), "offset": 0, "items": rows}


@tool(
    GROUP,
    examples=[{"league": 39, "season": 2023}, {"league": 98, "season": 2024, "current": True}],
    phrase=(
        "list the round names of the football league whose number is {league} in the season that began in "
        "{season}[, with the filter for the current round set to {current}]"
    ),
    noun="the list of football rounds",
)
def fixtures_round(
    world: World, *, league: LeagueId, season: FootballSeason, current: bool = False
) -> list[Round]:
    """Names of the rounds of a season, in order.

    league: Number of the league.
    season: Year in which the season began.
    current: Only the round under way: the first that is not over (the last one after the season).
    """
    found = common.find_league(KEYS, league)
    common.need_season(found, season)
    games = season_games(world.seed, found.key, season, world.now)
    ordered = sorted(games, key=lambda game: game.round)
    names = list(dict.fromkeys(round_name(game) for game in ordered))
    if not current:
        return names
    return next(([round_name(game)] for game in ordered if not is_over(game, world.now)), names[-1:])


def _counts(record: Tally) -> Counts:
    return {
        "played": record.played,
        "wins": record.won,
        "draws": record.drawn,
        "losses": record.lost,
        "goals_for": record.scored,
        "goals_against": record.conceded,
    }


@tool(
    GROUP,
    examples=[{"league": 39, "season": 2019, "team": 33}, {"league": 78, "season": 2023, "team": 157}],
    phrase=(
        "get the season statistics of the football club whose number is {team} in the league whose number is "
        "{league} in the season that began in {season}[, counting only matches up to {date}]"
    ),
    noun="the football club statistics",
)
def teams_statistics(
    world: World, *, league: LeagueId, season: FootballSeason, team: TeamId, date: IsoDate | None = None
) -> ClubStatistics:
    """A club's season in a competition: results at home and away, goals, form, clean sheets, biggest results.

    league: Number of the league.
    season: Year in which the season began.
    team: Number of the club.
    date: Count only matches up to this day.
    """
    found, club = common.find_league(KEYS, league), find_club(team)
    common.need_season(found, season)
    there = season_games(world.seed, found.key, season, world.now)
    taking_part = {one for game in there for one in (game.home, game.away)}
    if club not in taking_part:
        raise not_found(f"club of {found.name} {season}", team, known=sorted(one.id for one in taking_part))
    if found.key == "j1" and not any(game.start <= world.now for game in there):
        raise ToolFault("not_found", f"no result of {found.name} {season} is on record; fixtures to come are")
    own = _own(world.seed, found, season, club, common.before(date, world.now))
    sides = [game.side(club) for game in own]
    wins = sorted((side for side in sides if side[0] > side[1]), key=lambda side: side[1] - side[0])
    losses = sorted((side for side in sides if side[0] < side[1]), key=lambda side: side[0] - side[1])
    return {
        "team_id": team,
        "team": club.name,
        "league_id": league,
        "season": season,
        "form": form(own, club, 38),
        "total": _counts(tally(own, club)),
        "home": _counts(tally(own, club, where="home")),
        "away": _counts(tally(own, club, where="away")),
        "clean_sheets": sum(them == 0 for _, them in sides),
        "failed_to_score": sum(us == 0 for us, _ in sides),
        "biggest_win": f"{wins[0][0]}-{wins[0][1]}" if wins else None,
        "biggest_loss": f"{losses[0][0]}-{losses[0][1]}" if losses else None,
    }


def _own(seed: int, league: League, season: int, team: Team, until: datetime) -> list[Game]:
    return [game for game in played(seed, league.key, season, until) if team in (game.home, game.away)]


def _recent(world: World, game: Game, team: Team) -> list[Game]:
    """The ten league matches that a club played before a fixture."""
    home, until = leagues()[team.league], min(game.start, world.now)
    found = [
        one for year in (game.season - 1, game.season) for one in _own(world.seed, home, year, team, until)
    ]
    return found[-10:]


def _usual(recent: list[Game], team: Team) -> tuple[float, float]:
    """Goals that a club scores and concedes in a match; without any match on record, those of a promoted club."""
    if not recent:
        return 1.0, 1.7
    record = tally(recent, team)
    return record.scored / len(recent), record.conceded / len(recent)


def _outlook(team: Team, recent: list[Game], expected: float) -> SideOutlook:
    scored, conceded = _usual(recent, team)
    return {
        "team_id": team.id,
        "team": team.name,
        "form": form(recent, team),
        "average_scored": round(scored, 2) if recent else None,
        "average_conceded": round(conceded, 2) if recent else None,
        "expected_goals": round(expected, 2),
    }


@tool(
    GROUP,
    examples=[{"fixture": 198772}],
    phrase="predict the chances of the two clubs in the football fixture whose number is {fixture}",
    noun="the football prediction",
)
def predictions(world: World, *, fixture: FixtureId) -> Prediction:
    """Chances of the two clubs in a fixture: Poisson goals from what each scored and conceded in ten matches before.

    fixture: Number of the fixture.
    """
    game = IDS.find(world.seed, fixture, world.now)
    ours, theirs = _recent(world, game, game.home), _recent(world, game, game.away)
    us, them = _usual(ours, game.home), _usual(theirs, game.away)
    ours_more, theirs_more = (0.05, 0.05) if game.on_neutral_ground else (0.2, -0.1)
    home = max(0.2, (us[0] + them[1]) / 2 + ours_more)
    away = max(0.2, (them[0] + us[1]) / 2 + theirs_more)
    win, draw, loss, over, _ = common.football_chances(home, away)
    best = game.home.name if win >= loss else game.away.name
    return {
        "fixture_id": fixture,
        "date": game.start.date().isoformat(),
        "winner": best,
        "advice": f"{best} to win" if max(win, loss) > 0.45 else f"{best} or draw",
        "home_percent": round(100 * win),
        "draw_percent": round(100 * draw),
        "away_percent": round(100 * loss),
        "over_2_5_percent": round(100 * over),
        "home": _outlook(game.home, ours, home),
        "away": _outlook(game.away, theirs, away),
        "matches_used": len(ours) + len(theirs),
    }
