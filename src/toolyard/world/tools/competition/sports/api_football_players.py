"""Competition/API_FOOTBALL: well-known players with their clubs and league figures."""

from typing import TypedDict

from toolyard.world.kernel.faults import not_found
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import page_of, plain
from toolyard.world.kernel.types import Page
from toolyard.world.simulated.sports import common
from toolyard.world.simulated.sports import football_core as football
from toolyard.world.simulated.sports.core import all_leagues, teams_in_season
from toolyard.world.tools.competition.sports.api_football import (
    GROUP,
    FootballSeason,
    LeagueId,
    PlayerId,
    PlayerName,
    TeamId,
    find_league,
    seasons,
)


class PlayerRow(TypedDict):
    id: PlayerId
    name: PlayerName
    nationality: str
    position: str
    team_id: TeamId
    team: str
    league_id: LeagueId
    season: FootballSeason
    appearances: int
    goals: int
    assists: int


def _player_row(world: World, player: football.Footballer, season: int) -> PlayerRow:
    row = football.player_figures(world.seed, player.team, season, world.now)[player]
    return {
        "id": player.id,
        "name": player.name,
        "nationality": player.nationality,
        "position": player.position,
        "team_id": player.team.id,
        "team": player.team.name,
        "league_id": all_leagues()[player.team.league].id,
        "season": season,
        "appearances": row.games,
        "goals": row.goals,
        "assists": row.assists,
    }


@GROUP.tool(
    examples=[
        {"season": 2023, "team": 40},
        {"season": 2022, "search": "Haaland"},
        {"season": 2022, "league": 78},
    ],
    phrase=(
        "get well-known football players with their figures for the season that began in {season}[, only the player "
        "whose number is {id}][, only players of the club whose number is {team}][, only players of the "
        "league whose number is {league}][, only players with {search} in their name][, showing page {page}]"
    ),
    noun="the football player figures",
)
def players(
    world: World,
    *,
    season: FootballSeason,
    id_: PlayerId | None = None,
    team: TeamId | None = None,
    league: LeagueId | None = None,
    search: PlayerName | None = None,
    page: common.PageNumber = 1,
) -> Page[PlayerRow]:
    """Well-known football players with their clubs and their figures in the league of a season, fifteen a page. Players
    whose club was in no league of the season are left out.

    season: Year in which the season began.
    id: Number of one player.
    team: Only players of this club.
    league: Only players of this league; of the Champions League those whose clubs play in it.
    search: Part of the name.
    page: Number of the page, from 1.
    """
    if season not in seasons():
        raise not_found("season", season, known=seasons(), listed_by=f"{GROUP}/seasons")
    everyone = football.all_footballers()
    if id_ is not None and id_ not in everyone:
        raise not_found("player", id_, known=list(everyone))
    if search is not None and not any(plain(search) in plain(one.name) for one in everyone.values()):
        raise not_found("player", search[:60], known=[one.name for one in everyone.values()])
    club = football.find_club(team) if team is not None else None
    there = teams_in_season(find_league(league, season).key, season) if league is not None else None
    chosen = [
        player
        for player in everyone.values()
        if id_ in (None, player.id)
        and club in (None, player.team)
        and player.team.league != "ucl"
        and season in all_leagues()[player.team.league].seasons
        and player.team in teams_in_season(player.team.league, season)
        and (there is None or player.team in there)
        and (search is None or plain(search) in plain(player.name))
    ]
    return page_of(chosen, lambda player: _player_row(world, player, season), 15, 15 * page - 15)
