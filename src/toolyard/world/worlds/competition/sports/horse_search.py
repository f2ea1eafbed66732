"""Competition/Horse_Racing: search for races and horses."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Unpack

from toolyard.world.faults import invalid, not_found, out_of_range
from toolyard.world.registry import tool
from toolyard.world.shared.days import parse_date
from toolyard.world.state import World
from toolyard.world.tables import plain
from toolyard.world.types import Page
from toolyard.world.worlds.competition.sports.horse_racing import GROUP, find_horse, race_row
from toolyard.world.worlds.competition.sports.horse_shapes import Bound, HorseRow, RaceFilters, RaceRow
from toolyard.world.worlds.competition.sports.horses import (
    FIRST,
    FIRST_HORSE,
    LAST_DAY,
    HorseName,
    Race,
    all_races,
    courses,
    entries,
    horses,
)

_BOUNDS: tuple[tuple[Bound, Bound], ...] = (
    ("distance_from", "distance_to"), ("class_from", "class_to"), ("date_from", "date_to"),
)  # fmt: skip


def _check(filters: RaceFilters) -> None:
    """Refuses bounds that no race can lie between, days far from the known ones, and courses that nobody knows."""
    for first, last in _BOUNDS:
        low, high = filters.get(first), filters.get(last)
        if low is not None and high is not None and str(low).zfill(10) > str(high).zfill(10):
            raise invalid(first, low, f"it lies beyond {last}, which is {high}")
    outside = f"races are known from {FIRST} to {LAST_DAY}"
    if "date_from" in filters and parse_date(filters["date_from"], "date_from") > LAST_DAY:
        raise out_of_range("date_from", filters["date_from"], outside)
    if "date_to" in filters and parse_date(filters["date_to"], "date_to") < FIRST:
        raise out_of_range("date_to", filters["date_to"], outside)
    for text, given in (("course", filters.get("course")), ("name", filters.get("name"))):
        if given is not None and not given.strip():
            raise invalid(text, given[:60], "want a part of a name, or leave it out")
    wanted = filters.get("course", "")
    if not _called(wanted):
        raise not_found("course", wanted[:60], known=list(courses()))


def _bounded(found: Iterable[Race], filters: RaceFilters) -> Iterable[Race]:
    first = parse_date(filters["date_from"], "date_from") if "date_from" in filters else FIRST
    last = parse_date(filters["date_to"], "date_to") if "date_to" in filters else LAST_DAY
    shortest, longest = filters.get("distance_from", 0), filters.get("distance_to", 99999)
    best, worst = filters.get("class_from", 1), filters.get("class_to", 7)
    for race in found:
        if (
            first <= race.day <= last
            and shortest <= race.metres <= longest
            and best <= race.race_class <= worst
        ):
            yield race


def _course(text: str) -> str:
    """The part of a course's name that is asked for, without what may stand behind it: York Racecourse is York."""
    name = re.sub(r"^the |(?<=\w) (?:racecourse|race course|racetrack|races)$", "", plain(text))
    return _ALSO_CALLED.get(name, name)


def _called(text: str) -> frozenset[str]:
    """The courses of a name: the one that has it, else those that have it in theirs."""
    wanted = _course(text)
    names = {name: _course(name) for name in courses()}
    exact = frozenset(name for name, short in names.items() if short == wanted)
    return exact or frozenset(name for name, short in names.items() if wanted in short)


_ALSO_CALLED = {"royal ascot": "ascot", "royal randwick": "randwick", "parislongchamp": "longchamp",
                "great leighs": "chelmsford city",
                "woodbine toronto": "woodbine"}  # fmt: skip


@tool(
    GROUP,
    examples=[
        {"course": "Ascot", "class_from": 1, "class_to": 2},
        {"id_horse": 56789, "order_by_date": "asc"},
        {"name": "hurdle", "date_from": "2024-04-20"},
        {"course": "Newmarket", "distance_to": 1700, "date_to": "2024-05-07"},
    ],
    phrase=(
        "search horse races[ at the course named {course}][, with {name} in the title][, with a distance in "
        "metres from {distance_from}][, with a distance in metres up to {distance_to}][, with the best class "
        "set to {class_from}][, with the lowest class set to {class_to}][, run by the horse whose number is "
        "{id_horse}][, starting from {date_from}][, until {date_to}][, with the date order set to "
        "{order_by_date}]"
    ),
    noun="the list of matching horse races",
    jobs=("horse races",),
)
def query_races(world: World, **filters: Unpack[RaceFilters]) -> Page[RaceRow]:
    """Races that fit all conditions, twenty a page, and how many there are; the same invented races as `racecards` has."""
    _check(filters)
    found: Iterable[Race] = all_races(world.seed)
    if "id_horse" in filters:
        found = entries(world.seed)[find_horse(world.seed, filters["id_horse"]).id - FIRST_HORSE]
    where, name = _called(filters.get("course", "")), filters.get("name", "").strip().casefold()
    rows = [
        race for race in _bounded(found, filters) if race.course in where and name in race.title.casefold()
    ]
    ordered = rows if filters.get("order_by_date") == "asc" else rows[::-1]
    start = (filters.get("page", 1) - 1) * 20
    if start and start >= len(ordered):
        raise out_of_range("page", filters["page"], f"there are {-(-len(ordered) // 20)} pages")
    items = [race_row(race, world.now) for race in ordered[start : start + 20]]
    return {"total": len(ordered), "offset": start, "items": items}


@tool(
    GROUP,
    examples=[{"name": "golden"}],
    phrase="find race horses with {name} in their name",
    noun="the list of matching horses",
)
def query_horses(world: World, *, name: HorseName) -> Page[HorseRow]:
    """Invented race horses of four years and more with some text in their names, with the age of this year: the first 40,
    and how many there are.

    name: Part of the name.
    """
    wanted = name.strip().casefold()
    if not wanted:
        raise invalid("name", name[:60], "want a part of a name")
    found = [horse for horse in horses(world.seed) if wanted in horse.name.casefold()]
    items: list[HorseRow] = [
        {
            "id_horse": horse.id,
            "horse": horse.name,
            "age": horse.age,
            "trainer": horse.trainer,
            "official_rating": horse.rating,
        }
        for horse in found[:40]
    ]
    return {"total": len(found), "offset": 0, "items": items}
