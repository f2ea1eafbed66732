"""Competition/API_FOOTBALL: predictions counted from past matches."""

from __future__ import annotations

import math

from toolyard.world.registry import tool
from toolyard.world.state import World
from toolyard.world.worlds.competition.sports import common
from toolyard.world.worlds.competition.sports.api_football import GROUP, IDS, FixtureId
from toolyard.world.worlds.competition.sports.api_football_fixtures import own_matches
from toolyard.world.worlds.competition.sports.core import Game, Team, form, leagues, tally
from toolyard.world.worlds.competition.sports.football_shapes import Prediction, SideOutlook


def _recent(world: World, game: Game, team: Team) -> list[Game]:
    """The ten matches on record that a club played before a fixture, in its league and in the Champions League."""
    until = min(game.start, world.now)
    found = [
        one
        for key in dict.fromkeys((team.league, "ucl"))
        for year in (game.season - 1, game.season)
        for one in own_matches(world.seed, leagues()[key], year, team, until)
    ]
    return sorted(found, key=lambda one: one.start)[-10:]


def _usual(recent: list[Game], team: Team) -> tuple[float, float]:
    """Goals that a club scores and concedes in a match; without any match on record, those of a promoted club."""
    if not recent:
        return 1.0, 1.7
    record = tally(recent, team)
    return record.scored / len(recent), record.conceded / len(recent)


def _percents(*chances: float) -> list[int]:
    """Chances in whole per cent that add up to 100."""
    whole = [math.floor(100 * chance) for chance in chances]
    parts = sorted(range(len(chances)), key=lambda place: whole[place] - 100 * chances[place])
    for place in parts[: 100 - sum(whole)]:
        whole[place] += 1
    return whole


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
    home_percent, draw_percent, away_percent = _percents(win, draw, loss)
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
        "home": _outlook(game.home, ours, home),
        "away": _outlook(game.away, theirs, away),
        "matches_used": len(ours) + len(theirs),
    }
