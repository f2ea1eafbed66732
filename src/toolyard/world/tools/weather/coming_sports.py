"""Weather/weatherapi: what is played near a place in the coming weeks."""

import functools
from datetime import datetime
from typing import TypedDict

from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import table_rows
from toolyard.world.kernel.types import CityName, CountryName, IsoDateTime, Place
from toolyard.world.reference.days import iso_stamp
from toolyard.world.reference.places.geography import City, city_or_none
from toolyard.world.reference.places.places import locate
from toolyard.world.simulated.weather import climate
from toolyard.world.tools.weather.weather import GROUP

SHOWN = 8
# Leagues whose fixtures to come are on record, and their seasons.
_LEAGUES = ("pl", "laliga", "seriea", "bundesliga", "ligue1")
_SEASON = 2023
_HOMES = {"England": "United Kingdom"}


class SportsEvent(TypedDict):
    match: str
    stadium_city: CityName
    country: CountryName
    start: IsoDateTime


class SportsCalendar(TypedDict):
    football: list[SportsEvent]
    cricket: list[SportsEvent]
    golf: list[SportsEvent]


@GROUP.tool(
    examples=[{"q": "London"}],
    phrase=(
        "list the upcoming football, cricket and golf events, giving {q} as the place[, in the language "
        "{lang}]"
    ),
    noun="the list of upcoming sports events",
)
def sports(world: World, *, q: Place, lang: climate.Language = "en") -> SportsCalendar:
    """A choice of coming football, cricket and golf events: those in the country of a place first, then others.

    q: The place.
    lang: Language of texts; names of events stay as they are.
    """
    city = locate(q)
    return {
        "football": _coming_events(world, "football", city),
        "cricket": _coming_events(world, "cricket", city),
        "golf": _coming_events(world, "golf", city),
    }


@functools.lru_cache(maxsize=16)
def _league_matches(seed: int, now: datetime) -> tuple[SportsEvent, ...]:
    """The league matches to come, as the fixtures of the football service have them."""
    from toolyard.world.simulated.sports.core import all_leagues
    from toolyard.world.simulated.sports.seasons import scheduled_games

    return tuple(
        {
            "match": f"{game.home.name} v {game.away.name}, {all_leagues()[key].name}",
            "stadium_city": game.home.city,
            "country": _ground_country(game.home.city, all_leagues()[key].country),
            "start": iso_stamp(game.start),
        }
        for key in _LEAGUES
        for game in scheduled_games(seed, key, _SEASON, now)
        if game.start > now
    )


def _ground_country(city: str, of_league: str) -> str:
    """The country of a ground: that of the league, but for the club of Monaco."""
    found = city_or_none(city) if city == "Monaco" else None
    return found["country"] if found else _HOMES.get(of_league, of_league)


def _coming_events(world: World, sport: str, near: City) -> list[SportsEvent]:
    """What is on record for the coming weeks, what takes place in the country first, in the city before others."""
    now = iso_stamp(world.now)
    found: list[SportsEvent] = [
        {"match": row["match"], "stadium_city": row["city"], "country": row["country"], "start": row["start"]}
        for row in table_rows("sports_calendar.tsv")
        if row["sport"] == sport and row["start"] > now
    ]
    if sport == "football":
        found += _league_matches(world.seed, world.now)
    found.sort(
        key=lambda event: (
            event["country"] != near["country"],
            event["start"],
            event["stadium_city"] != near["name"],
            event["match"],
        )
    )
    return found[:SHOWN]
