"""When businesses are open and how dear they are, by what they are.

A span is minutes after local midnight; one that ends after 1440 goes on into the next day.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from random import Random

from toolyard.world.kernel.tables import values_of

Span = tuple[int, int]
Week = list[Span | None]
ALWAYS: Week = [(0, 1440)] * 7
NEVER_CLOSED = ("hotels", "hostels", "hospitals", "servicestations", "parking", "taxis")
_SATURDAY, _SUNDAY, _MONDAY = 5, 6, 0
# Usual hours by group, and the days of which one set is closed.
_GROUPS: Mapping[str, tuple[float, float, Sequence[tuple[int, ...]]]] = {
    "restaurants": (11, 22, ((), (), (_MONDAY,), (_SUNDAY,))),
    "food": (8, 19, ((), (), (_MONDAY,), (_SUNDAY,))),
    "nightlife": (17, 25, ((), (), (_MONDAY,))),
    "shopping": (10, 20, ((), (_SUNDAY,))),
    "health": (8, 18, ((_SATURDAY, _SUNDAY), (_SUNDAY,))),
    "beauty": (9, 19, ((_SUNDAY,), (_SUNDAY, _MONDAY))),
    "arts": (10, 18, ((_MONDAY,), ())),
    "active": (6, 22, ((),)),
    "services": (8, 18, ((_SATURDAY, _SUNDAY), (_SUNDAY,), (_SUNDAY,))),
}
_OFFICE: tuple[float, float, Sequence[tuple[int, ...]]] = (9, 17, ((_SATURDAY, _SUNDAY),))
_DAILY: Sequence[tuple[int, ...]] = ((),)
# What differs from its group.
_KINDS: Mapping[str, tuple[float, float, Sequence[tuple[int, ...]]]] = {
    **dict.fromkeys(
        "lawyers accountants banks notaries psychologists physicaltherapy physio dermatologists pediatricians dentists "
        "physicians chiropractors insurance".split(),
        _OFFICE,
    ),
    **dict.fromkeys("coffee bagels cafes".split(), (7, 19, _DAILY)),
    **dict.fromkeys("bakeries patisserie donuts".split(), (7, 18, ((), (_SUNDAY,), (_MONDAY,)))),
    **dict.fromkeys("icecream desserts bubbletea juicebars".split(), (10, 22, _DAILY)),
    **dict.fromkeys("breakfast_brunch brunch".split(), (8, 15, _DAILY)),
    **dict.fromkeys("grocery supermarkets".split(), (7, 22, _DAILY)),
    **dict.fromkeys("burgers pizza kebab hotdogs chicken_wings".split(), (11, 23, _DAILY)),
    **dict.fromkeys("steak french".split(), (17, 23, ((), (_MONDAY,), (_SUNDAY,)))),
    **dict.fromkeys("theater movietheaters bowling escapegames".split(), (10, 22, _DAILY)),
    **dict.fromkeys("parks playgrounds campgrounds golf".split(), (6, 21, _DAILY)),
    **dict.fromkeys("swimmingpools climbing martialarts danceschools".split(), (9, 22, _DAILY)),
    **dict.fromkeys("locksmiths towing plumbing".split(), (7, 20, ((), (_SUNDAY,)))),
    "libraries": (10, 19, ((_SUNDAY,),)),
    **dict.fromkeys("mini_golf tennis arcades tours car_dealers".split(), (10, 20, ((),))),
    **dict.fromkeys("horsebackriding animalshelters".split(), (10, 17, ((0,), (1,)))),
    **dict.fromkeys("carrental carwash urgentcare laundryservices".split(), (7, 21, _DAILY)),
    "danceclubs": (22, 29, ((6, 0, 1, 2), (6, 0, 1, 2, 3))), "pubs": (11, 23, _DAILY),
    "musicvenues": (18, 25, ((_MONDAY,),)),
    "winebars": (16, 24, ((), (_MONDAY,))), "pharmacy": (9, 21, ((), (_SUNDAY,))), "petservices": (8, 19, ((_SUNDAY,),)),
    "diners": (6, 23, _DAILY), "zoos": (9, 18, _DAILY), "yoga": (7, 21, _DAILY),
    "galleries": (11, 18, ((_MONDAY,), (_SUNDAY, _MONDAY))),
    "farmersmarket": (8, 14, ((0, 1, 3, 4),)), "postoffices": (9, 18, ((_SUNDAY,),)),
    "foodtrucks": (11, 20, ((_SUNDAY,), ())),
}  # fmt: skip
# How many of a kind never close, where some do.
_AT_NIGHT: Mapping[str, float] = values_of("business_hours.at_night")
# The dearest that such places get; nothing is paid at the last ones.
_DEAREST: Mapping[str, int] = values_of("business_hours.dearest")
_DEAREST_OF = {"restaurants": 4, "food": 2, "arts": 2, "active": 2}


def hours_of(chance: Random, alias: str, group: str) -> Week:
    """The opening hours of a week, Monday first."""
    if alias in NEVER_CLOSED or chance.random() < _AT_NIGHT.get(alias, 0.0):
        return list(ALWAYS)
    opens, closes, closed = _KINDS.get(alias) or _GROUPS.get(group) or _GROUPS["services"]
    start, end = (
        int(opens * 60 + chance.choice((-30, 0, 0, 30))),
        int(closes * 60 + chance.choice((-60, 0, 0, 60))),
    )
    if closes <= 24:
        end = min(end, 1440)
    days, span = chance.choice(tuple(closed)), _span(start, end)
    return [None if day in days else span for day in range(7)]


@functools.cache
def _span(start: int, end: int) -> Span:
    """Opening hours; many businesses have the same."""
    return (start, end)


def fair_price(alias: str, group: str, price: int) -> int:
    """A price level, but none of fine dining where one eats in passing."""
    return min(price, _DEAREST.get(alias, _DEAREST_OF.get(group, 3)))


def is_open(week: Sequence[Span | None], weekday: int, minute: int) -> bool:
    """Whether a business is open at a minute of a day, or still open from the evening before."""
    today, before = week[weekday], week[weekday - 1]
    return (today is not None and today[0] <= minute < today[1]) or (
        before is not None and minute < before[1] - 1440
    )
