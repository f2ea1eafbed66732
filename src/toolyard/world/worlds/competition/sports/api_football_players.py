"""Competition/API_FOOTBALL: well-known players with their clubs and league figures."""

from __future__ import annotations

from typing import TypedDict

from toolyard.world.faults import ToolFault, invalid, not_found, out_of_range
from toolyard.world.registry import tool
from toolyard.world.tables import plain
from toolyard.world.types import Page
from toolyard.world.worlds.competition.sports import common
from toolyard.world.worlds.competition.sports.api_football import (
    GROUP,
    FootballSeason,
    LeagueId,
    PlayerId,
    PlayerName,
    TeamId,
    find_league,
    seasons,
)
from toolyard.world.worlds.competition.sports.core import leagues as all_leagues
from toolyard.world.worlds.competition.sports.core import teams_of
from toolyard.world.worlds.competition.sports.football_core import (
    Footballer,
    club_in,
    figures,
    find_club,
    footballers,
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
    appearances: int | None
    goals: int | None
    assists: int | None


_FIRST_FIGURES = 2022


def _is_on_record(player: Footballer, season: int) -> bool:
    """Whether the club of a player in a season is known: the present one, or one for which figures are on record."""
    present = season == all_leagues()[player.team.league].last and not player.left
    return present or (player.name, season) in figures()


def _player_row(player: Footballer, season: int) -> PlayerRow:
    row, club = figures().get((player.name, season)), club_in(player, season)
    return {
        "id": player.id,
        "name": player.name,
        "nationality": player.nationality,
        "position": player.position,
        "team_id": club.id,
        "team": club.name,
        "league_id": all_leagues()[club.league].id,
        "season": season,
        "appearances": row.games if row else None,
        "goals": row.goals if row else None,
        "assists": row.assists if row else None,
    }


def _called(players: list[Footballer], search: str | None, season: int, asked: str) -> list[Footballer]:
    """Those with a text in their names; a not_found fault where there is none."""
    if not players:
        raise ToolFault("not_found", f"no player on record in {season} for {asked}")
    found = [player for player in players if search is None or plain(search) in plain(player.name)]
    if not found and search is not None:
        names = [player.name for player in players]
        raise not_found(f"player of the five leagues on record for {season}", search[:60], known=names)
    return found


@tool(
    GROUP,
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
    *,
    season: int,
    id_: PlayerId | None = None,
    team: TeamId | None = None,
    league: LeagueId | None = None,
    search: PlayerName | None = None,
    page: common.PageNumber = 1,
) -> Page[PlayerRow]:
    """Well-known players of five leagues of Europe with their clubs of May 2024, or with their league figures of 2022,
    fifteen a page.

    season: Year in which the season began: 2022 for those whose figures are on record, 2023 for clubs alone.
    id: Number of one player.
    team: Only players of this club.
    league: Only players of this league; of the Champions League those whose clubs were among its last sixteen of 2024.
    search: Part of the name.
    page: Number of the page, from 1.
    """
    if season not in seasons():
        raise not_found("season", season, known=seasons(), listed_by=f"{GROUP}/seasons")
    if season < _FIRST_FIGURES:
        raise out_of_range("season", season, f"players are on record from {_FIRST_FIGURES} on")
    found = find_league(league) if league is not None else None
    if found is not None and found.key == "ucl" and season == _FIRST_FIGURES:
        raise invalid("league", league, f"figures of {season} are those of the five national leagues")
    if id_ is not None and id_ not in footballers():
        raise not_found("player", id_, known=list(footballers()))
    chosen = [
        player
        for player in footballers().values()
        if id_ in (None, player.id) and _is_on_record(player, season)
    ]
    if team is not None:
        chosen = [player for player in chosen if club_in(player, season) is find_club(team)]
    if found is not None:
        chosen = [
            player
            for player in chosen
            if (club := club_in(player, season)).league == found.key or club in teams_of(found.key)
        ]
    asked = common.said(player=id_, team=team and find_club(team).name, league=found and found.name)
    chosen = _called(chosen, search, season, asked)
    rows = [_player_row(player, season) for player in chosen[15 * page - 15 : 15 * page]]
    return {"total": len(chosen), "offset": 15 * page - 15, "items": rows}
