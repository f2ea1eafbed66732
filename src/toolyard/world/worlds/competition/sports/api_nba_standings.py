"""Competition/API_NBA: the tables of a season."""

from __future__ import annotations

from toolyard.world.registry import tool
from toolyard.world.state import World
from toolyard.world.tables import filter_rows
from toolyard.world.worlds.competition.sports.api_nba import of_team
from toolyard.world.worlds.competition.sports.api_nba_shapes import (
    GROUP,
    IDS,
    Conference,
    Division,
    LeagueName,
    StandingRow,
    TeamId,
)
from toolyard.world.worlds.competition.sports.core import Game, Tally, Team, form, ranked, tally, teams_of
from toolyard.world.worlds.competition.sports.nba_ids import (
    NbaSeason,
)
from toolyard.world.worlds.competition.sports.seasons import games as season_games
from toolyard.world.worlds.competition.sports.seasons import is_over


@tool(
    GROUP,
    examples=[{"league": "standard", "season": 2020}, {"league": "standard", "season": 2023, "team": 17}],
    phrase=(
        "get the NBA standings for the league named {league} in the season that began in {season}[, only in "
        "the conference called {conference}][, only in the division called {division}][, only for the team "
        "whose number is {team}]"
    ),
    noun="the NBA standings",
    jobs=("basketball standings",),
)
def standings(
    world: World,
    *,
    league: LeagueName,
    season: NbaSeason,
    conference: Conference | None = None,
    team: TeamId | None = None,
    division: Division | None = None,
) -> list[StandingRow]:
    """The NBA table of a season, counted from the regular-season games played so far, best first.

    league: Name of the league; only standard has a table.
    season: Year in which the season began.
    conference: East or West only.
    team: Only the row of this team.
    division: Teams of one division only.
    """
    if league != "standard":
        return []
    found = [game for game in season_games(world.seed, "nba", season, world.now) if is_over(game, world.now)]
    found = [game for game in found if game.stage == "Regular Season"]
    order = ranked(found, teams_of("nba")) if found else []
    best = {
        side: next(one for one in order if one[0].group.startswith(side))
        for side in ("East", "West")
        if order
    }
    wanted = IDS.team(team) if team is not None else None
    rows = []
    for side in best:
        inside = [one for one in order if one[0].group.startswith(side)]
        for rank, (club, record) in enumerate(inside, 1):
            if wanted in (None, club):
                rows.append(_standing(of_team(found, club), season, rank, club, record, best[side][1]))
    return filter_rows(rows, conference=conference, division=division)


def _standing(
    found: list[Game], season: int, rank: int, team: Team, record: Tally, best: Tally
) -> StandingRow:
    conference, division = team.group.split("/")
    return {
        "season": season,
        "team_id": IDS.of_team(team),
        "team": team.name,
        "conference": conference,
        "conference_rank": rank,
        "division": division,
        "won": record.won,
        "lost": record.lost,
        "percentage": record.share,
        "games_behind": (best.won - record.won + record.lost - best.lost) / 2,
        "last_ten_won": form(found, team, 10).count("W"),
        "home_won": tally(found, team, where="home").won,
        "away_won": tally(found, team, where="away").won,
    }
