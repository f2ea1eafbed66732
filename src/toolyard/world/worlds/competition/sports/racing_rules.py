"""What is raced where and when: flat races and races over jumps, by course and month; going, kinds and lengths of races."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from random import Random

from toolyard.world import seeds

JUMPS, FLAT = "jumps", "flat"
_JUMPS_ONLY = frozenset(
    "Cheltenham,Aintree,Bangor-on-Dee,Cartmel,Exeter,Fakenham,Fontwell Park,Hereford,Hexham,Huntingdon,Kelso,Ludlow,"
    "Market Rasen,Newton Abbot,Perth,Plumpton,Sedgefield,Stratford-on-Avon,Taunton,Towcester,Uttoxeter,Warwick,Wetherby,"
    "Wincanton,Worcester,Auteuil,Pardubice,Thurles,Kilbeggan,Downpatrick,Wexford,Clonmel".split(",")
)
_BOTH = frozenset(
    "Ascot,Sandown Park,Kempton Park,Leopardstown,Doncaster,Ayr,Carlisle,Catterick,Chepstow,Ffos Las,Haydock Park,Leicester,"
    "Musselburgh,Newbury,Cork,Down Royal,Fairyhouse,Galway,Gowran Park,Killarney,Limerick,Listowel,Naas,Navan,Punchestown,"
    "Roscommon,Sligo,Tipperary,Tramore,Ballinrobe,Bellewstown,Compiègne,Merano".split(",")
)
# Flat courses that are open in winter: on sand, or where winters are mild.
_ALL_YEAR = frozenset(
    "Chelmsford City,Lingfield Park,Newcastle,Southwell,Wolverhampton,Great Leighs,Dundalk,Cagnes-sur-Mer,Pau,Deauville,"
    "Vincennes,Santa Anita Park,Gulfstream Park,Oaklawn Park,Fair Grounds,Tampa Bay Downs,Aqueduct,Los Alamitos,"
    "Laurel Park,Turfway Park,Charles Town,Golden Gate Fields".split(",")
)
_NORTHERN = frozenset(
    {"main", "United Kingdom", "Ireland", "France", "United States", "Germany", "Italy", "Canada"}
)
_RACES = {
    FLAT: (("Handicap", 10, 28), ("Maiden Stakes", 10, 20), ("Conditions Stakes", 12, 20), ("Classified Stakes", 12, 20)),
    JUMPS: (("Novices' Hurdle", 32, 46), ("Handicap Chase", 32, 50), ("Handicap Hurdle", 32, 46),
            ("Beginners' Chase", 32, 46)),
}  # fmt: skip
_SPONSORS = ("Spring", "Castle", "Jubilee", "Meadow", "Founders'", "Riverside", "Oak", "Summit", "Bridge")
_DRY = ("Good", "Good", "Good to Firm", "Good to Soft")
_WET = ("Soft", "Good to Soft", "Heavy", "Good to Soft")


def code_of(course: str, country: str, day: date) -> str | None:
    """What is raced on a course in a month; None while it is closed."""
    winter = day.month in (11, 12, 1, 2, 3)
    if course in _JUMPS_ONLY:
        return JUMPS if day.month not in (6, 7, 8, 9) else None
    if course in _BOTH:
        return JUMPS if winter else FLAT
    return None if winter and country in _NORTHERN and course not in _ALL_YEAR else FLAT


def going_on(seed: int, course: str, day: date) -> str:
    """The state of the ground, one for all races of a course and day."""
    return seeds.pick(_WET if day.month in (11, 12, 1, 2, 3) else _DRY, seed, "going", course, day)


def race_kind(code: str, chance: Random) -> tuple[str, int]:
    """Title and length in metres of a race."""
    kind, low, high = chance.choice(_RACES[code])
    return f"{chance.choice(_SPONSORS)} {kind}", 100 * chance.randrange(low, high + 1)


def titled(title: str, level: int) -> str:
    """The title that a race of this class has: beginners do not run in the best ones, and those are no classified stakes."""
    if level <= 3:
        title = title.replace("Maiden ", "").replace("Classified ", "")
    if level <= 2:
        title = title.replace("Novices' ", "").replace("Beginners' ", "")
    return title


def class_of(ratings: Iterable[int]) -> int:
    """The class of a race for horses of these ratings."""
    best = max(ratings)
    return next((level for level, least in enumerate((105, 95, 85, 75, 65, 55), 1) if best >= least), 7)


def fields(places: Sequence[int], ratings: Sequence[int], chance: Random) -> list[tuple[int, ...]]:
    """Horses in groups of like rating, in chance order."""
    ordered = sorted(places, key=lambda place: ratings[place])
    groups = [tuple(ordered[start : start + 11]) for start in range(0, len(ordered), 11)]
    groups = [group for group in groups if len(group) >= 6]
    chance.shuffle(groups)
    return groups
