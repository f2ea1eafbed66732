"""What is raced where and when: flat races and races over jumps, by course and month; going, kinds and lengths of races."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from random import Random

from toolyard.world import seeds

JUMPS, FLAT = "jumps", "flat"
_JUMPS_ONLY = frozenset(
    "Cheltenham,Aintree,Bangor-on-Dee,Cartmel,Exeter,Fakenham,Fontwell Park,Hereford,Hexham,Huntingdon,Kelso,Ludlow,"
    "Market Rasen,Newton Abbot,Perth,Plumpton,Sedgefield,Stratford-on-Avon,Taunton,Uttoxeter,Warwick,Wetherby,"
    "Wincanton,Worcester,Auteuil,Pardubice,Thurles,Kilbeggan,Downpatrick,Wexford,Clonmel".split(",")
)
_BOTH = frozenset(
    "Ascot,Sandown Park,Kempton Park,Leopardstown,Doncaster,Ayr,Carlisle,Catterick,Chepstow,Ffos Las,Haydock Park,Leicester,"
    "Musselburgh,Newbury,Cork,Down Royal,Fairyhouse,Galway,Gowran Park,Killarney,Limerick,Listowel,Naas,Navan,Punchestown,"
    "Roscommon,Sligo,Tipperary,Tramore,Ballinrobe,Bellewstown,Compiègne,Merano".split(",")
)
# Flat courses that are open in winter: on sand, or where winters are mild.
_ALL_YEAR = frozenset(
    "Chelmsford City,Lingfield Park,Newcastle,Southwell,Wolverhampton,Dundalk,Cagnes-sur-Mer,Pau,Deauville,"
    "Santa Anita Park,Gulfstream Park,Oaklawn Park,Fair Grounds,Tampa Bay Downs,Aqueduct,Los Alamitos,"
    "Laurel Park,Turfway Park,Charles Town,Golden Gate Fields".split(",")
)
_NORTHERN = frozenset(
    {"main", "United Kingdom", "Ireland", "France", "United States", "Germany", "Italy", "Canada"}
)
# Months in which courses are open that close for most of the year, or in another season than their neighbours.
_MONTHS = {
    course: frozenset(months)
    for courses, months in (
        ("Cheltenham", (10, 11, 12, 1, 3, 4)), ("Aintree", (4, 5, 6, 10, 11, 12)), ("Laytown", (9,)),
        ("Killarney", (5, 7, 8)),
        ("Cartmel,Newton Abbot,Perth,Stratford-on-Avon,Worcester", (5, 6, 7, 8, 9)), ("Galway", (7, 8, 9, 10)),
        ("Listowel", (6, 9)), ("Saratoga,Colonial Downs", (7, 8)), ("Del Mar", (8, 11)), ("Keeneland", (4, 10)),
        ("Pimlico", (5,)), ("Churchill Downs", (5, 6, 9, 11)), ("Santa Anita Park", (1, 2, 3, 4, 5, 10)),
        ("Oaklawn Park", (1, 2, 3, 4)), ("Fair Grounds,Turfway Park", (12, 1, 2, 3)), ("Belmont Park", (5, 6)),
        ("Aqueduct,Tampa Bay Downs", (11, 12, 1, 2, 3, 4)), ("Monmouth Park", (5, 6, 7, 8, 9)), ("Hakodate", (6, 7)),
        ("Meydan,Jebel Ali,Abu Dhabi,Sharjah,Al Ain", (11, 12, 1, 2, 3)), ("Sapporo", (7, 8)),
        ("Sha Tin,Happy Valley", (9, 10, 11, 12, 1, 2, 3, 4, 5, 6)),
    )
    for course in courses.split(",")
}  # fmt: skip
# Weekdays (Monday is 0) on which a country, or a course of it, races.
_WEEKDAYS = {"Japan": (5, 6), "Ohi": (0, 1, 2, 3, 4), "Sha Tin": (5, 6), "Happy Valley": (2,)}
_SAND = frozenset(
    "Kempton Park,Chelmsford City,Lingfield Park,Newcastle,Southwell,Wolverhampton,Dundalk".split(",")
)
_RACES = {
    FLAT: (("Handicap", 10, 28), ("Maiden Stakes", 10, 20), ("Conditions Stakes", 12, 20), ("Classified Stakes", 12, 20)),
    JUMPS: (("Novices' Hurdle", 32, 46), ("Handicap Chase", 32, 50), ("Handicap Hurdle", 32, 46),
            ("Beginners' Chase", 32, 46)),
}  # fmt: skip
_SPONSORS = ("Spring", "Castle", "Jubilee", "Meadow", "Founders'", "Riverside", "Oak", "Summit", "Bridge")
# The hour (and minutes) of the first race where courses have lights and race in the evening.
_BY_LIGHT = {
    **dict.fromkeys("Chelmsford City,Newcastle,Southwell,Wolverhampton,Dundalk".split(","), 17 * 60),
    "Happy Valley": 18 * 60 + 45, "Charles Town": 19 * 60, "Meydan": 16 * 60, "Ohi": 16 * 60 + 30,
    "Kranji": 18 * 60 + 30,
}  # fmt: skip
_BETWEEN_RACES = timedelta(minutes=35)
_SOUTHERN = frozenset({"Australia", "New Zealand", "South Africa", "Argentina"})
_NO_RAIN = frozenset({"United Arab Emirates", "Hong Kong"})
# Cards that were answered before with races an hour apart, and are answered so again.
_HOURLY_DAYS = frozenset({date(2024, 4, 29), date(2024, 5, 11)})
_HOURLY_COURSES, _HOURLY_FROM = frozenset({"Ascot", "Ascot Perth", "York"}), date(2024, 3, 17)
_DRY = ("Good", "Good", "Good to Firm", "Good to Soft")
_WET = ("Soft", "Good to Soft", "Heavy", "Good to Soft")


def code_of(course: str, country: str, day: date) -> str | None:
    """What is raced on a course in a month; None while it is closed."""
    winter = day.month in (11, 12, 1, 2, 3)
    weekdays = _WEEKDAYS.get(course) or _WEEKDAYS.get(country)
    if day.month not in _MONTHS.get(course, (day.month,)) or (weekdays and day.weekday() not in weekdays):
        return None
    if course in _JUMPS_ONLY:
        return JUMPS if day.month not in (6, 7, 8, 9) or course in _MONTHS else None
    if course in _BOTH:
        return JUMPS if winter else FLAT
    closed = winter and country in _NORTHERN and course not in _ALL_YEAR and course not in _MONTHS
    return None if closed else FLAT


def going_on(seed: int, course: str, country: str, day: date) -> str:
    """The state of the ground, one for all races of a course and day."""
    if course in _SAND and code_of(course, country, day) == FLAT:
        return "Standard"
    if country in ("United States", "Canada"):
        return seeds.pick(("Fast", "Fast", "Fast", "Good"), seed, "going", course, day)
    if country in _NO_RAIN:
        return seeds.pick(("Good", "Good", "Good to Firm"), seed, "going", course, day)
    wet = day.month in ((6, 7, 8) if country in _SOUTHERN else (11, 12, 1, 2, 3))
    return seeds.pick(_WET if wet else _DRY, seed, "going", course, day)


def _as_answered(course: str, day: date) -> bool:
    return day in _HOURLY_DAYS or (course in _HOURLY_COURSES and day >= _HOURLY_FROM)


def off_time(course: str, day: date, place: int, hourly: datetime) -> datetime:
    """When the race in this place of a card starts: by daylight, save where a course has lights."""
    if _as_answered(course, day):
        return hourly
    first = _BY_LIGHT.get(course) or (12 if day.month in (11, 12, 1, 2) else 13) * 60 + 10
    shift = 15 if hourly.minute == 35 else 0
    midnight = datetime(day.year, day.month, day.day, tzinfo=UTC)
    return midnight + timedelta(minutes=first + shift) + place * _BETWEEN_RACES


def own_title(title: str, taken: Collection[str], course: str, day: date) -> str:
    """The title, with another name in front where a race of the same card has it already."""
    if title not in taken or _as_answered(course, day):
        return title
    kind = title.split(" ", 1)[1]
    return next((other for name in _SPONSORS if (other := f"{name} {kind}") not in taken), title)


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
    """Horses in groups whose ratings lie within a dozen points or so, in chance order."""
    ordered = sorted(places, key=lambda place: (ratings[place] // 12, chance.random()))
    groups = [tuple(ordered[start : start + 11]) for start in range(0, len(ordered), 11)]
    groups = [group for group in groups if len(group) >= 6]
    chance.shuffle(groups)
    return groups
