"""Competition/API_NBA: the tables of a season."""

from __future__ import annotations

from toolyard.world.registry import tool
from toolyard.world.tables import filter_rows
from toolyard.world.worlds.competition.sports import common
from toolyard.world.worlds.competition.sports.api_nba_shapes import (
    GROUP,
    IDS,
    Conference,
    Division,
    LeagueName,
    StandingRow,
    TeamId,
    need_one_side,
    need_standard,
)
from toolyard.world.worlds.competition.sports.box_scores import Record, records
from toolyard.world.worlds.competition.sports.core import leagues as all_leagues
from toolyard.world.worlds.competition.sports.nba_ids import NbaSeason


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
    *,
    league: LeagueName,
    season: NbaSeason,
    conference: Conference | None = None,
    team: TeamId | None = None,
    division: Division | None = None,
) -> list[StandingRow]:
    """The tables of both NBA conferences after a regular season, best first.

    league: Name of the league; only standard has a table.
    season: Year in which the season began.
    conference: East or West only.
    team: Only the row of this team.
    division: Teams of one division only.
    """
    need_standard(league)
    wanted = IDS.team(team) if team is not None else None
    need_one_side(conference, division, wanted)
    common.need_season(all_leagues()["nba"], season)
    rows = []
    best: Record | None = None
    for record in records(season):
        best = record if best is None or record.rank == 1 else best
        if wanted in (None, record.team):
            rows.append(_standing(season, record, best))
    return filter_rows(rows, conference=conference, division=division)


def _standing(season: int, record: Record, best: Record) -> StandingRow:
    conference, division = record.team.group.split("/")
    return {
        "season": season,
        "team_id": IDS.of_team(record.team),
        "team": record.team.name,
        "conference": conference,
        "conference_rank": record.rank,
        "division": division,
        "won": record.won,
        "lost": record.lost,
        "percentage": record.share,
        "games_behind": (best.won - record.won + record.lost - best.lost) / 2,
    }
