"""What is raced where and when: flat races and races over jumps, by course and month; going, lengths, classes and prizes."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

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
    {
        "United Kingdom",
        "Ireland",
        "France",
        "United States",
        "Germany",
        "Italy",
        "Canada",
        "Turkey",
        "Czechia",
    }
)
# Months in which courses are open that close for most of the year, or in another season than their neighbours.
_MONTHS = {
    course: frozenset(months)
    for courses, months in (
        ("Cheltenham", (10, 11, 12, 1, 3, 4)), ("Aintree", (4, 5, 6, 10, 11, 12)), ("Laytown", (9,)),
        ("Killarney", (5, 7, 8)), ("Kilbeggan,Ballinrobe,Roscommon,Sligo", (5, 6, 7, 8, 9)), ("Bellewstown", (7, 8, 9)),
        ("York,Goodwood,Chester", (5, 6, 7, 8, 9, 10)), ("Epsom Downs", (4, 5, 6, 7, 8, 9)),
        ("Cartmel,Newton Abbot,Perth,Stratford-on-Avon,Worcester", (5, 6, 7, 8, 9)), ("Galway", (7, 8, 9, 10)),
        ("Listowel", (6, 9)), ("Saratoga,Colonial Downs", (7, 8)), ("Del Mar", (8, 11)), ("Keeneland", (4, 10)),
        ("Pimlico", (5,)), ("Churchill Downs", (5, 6, 9, 11)), ("Santa Anita Park", (1, 2, 3, 4, 5, 10)),
        ("Oaklawn Park", (1, 2, 3, 4)), ("Fair Grounds,Turfway Park", (12, 1, 2, 3)), ("Belmont Park", (5, 6)),
        ("Aqueduct,Tampa Bay Downs", (11, 12, 1, 2, 3, 4)), ("Monmouth Park", (5, 6, 7, 8, 9)), ("Hakodate", (6, 7)),
        ("Meydan,Jebel Ali,Abu Dhabi,Sharjah,Al Ain", (11, 12, 1, 2, 3)), ("Sapporo", (7, 8)),
        ("Tokyo", (1, 2, 4, 5, 6, 10, 11)), ("Nakayama", (1, 2, 3, 4, 9, 12)), ("Kyoto", (1, 2, 4, 5, 10, 11)),
        ("Hanshin", (2, 3, 4, 6, 9, 12)), ("Chukyo", (1, 3, 7, 12)), ("Kokura", (1, 2, 7, 8)), ("Niigata", (4, 5, 7, 8, 10)),
        ("Fukushima", (4, 7, 11)), ("Pardubice", (5, 6, 7, 8, 9, 10)),
        ("Sha Tin,Happy Valley", (9, 10, 11, 12, 1, 2, 3, 4, 5, 6)),
    )
    for course in courses.split(",")
}  # fmt: skip
# Weekdays (Monday is 0) on which a country, or a course of it, races.
_WEEKDAYS = {
    "Japan": (5, 6),
    "Ohi": (0, 1, 2, 3, 4),
    "Sha Tin": (5, 6),
    "Happy Valley": (2,),
    "Kranji": (5, 6),
}
_SAND = frozenset(
    "Kempton Park,Chelmsford City,Lingfield Park,Newcastle,Southwell,Wolverhampton,Dundalk".split(",")
)
# The hour (and minutes) of the first race where courses have lights and race in the evening.
_BY_LIGHT = {
    **dict.fromkeys("Chelmsford City,Newcastle,Southwell,Wolverhampton,Dundalk".split(","), 17 * 60),
    "Happy Valley": 18 * 60 + 45, "Charles Town": 19 * 60, "Meydan": 16 * 60, "Ohi": 16 * 60 + 30,
    "Kranji": 18 * 60 + 30,
}  # fmt: skip
_BETWEEN_RACES = timedelta(minutes=35)
_SOUTHERN = frozenset({"Australia", "New Zealand", "South Africa", "Argentina"})
# Dirt courses where it hardly rains.
_DESERT = frozenset({"King Abdulaziz", "Sharjah", "Al Ain", "Jebel Ali"})
_NO_RAIN = frozenset({"United Arab Emirates", "Hong Kong"})
_DRY = ("Good", "Good", "Good to Firm", "Good to Soft")
_WET = ("Soft", "Good to Soft", "Heavy", "Good to Soft")
# Where the ground has a number as well.
_BY_NUMBER = frozenset({"Australia", "New Zealand"})
_NUMBERED = {
    "Good": "Good 4",
    "Good to Firm": "Good 3",
    "Good to Soft": "Soft 5",
    "Soft": "Soft 6",
    "Heavy": "Heavy 8",
}


# Ireland has no racing on Good Friday.
_GOOD_FRIDAYS = frozenset({date(2024, 3, 29)})


def _is_closed(country: str, day: date) -> bool:
    """Whether a country does not race on a holiday: nobody at Christmas, the British Isles not on the eve of it."""
    christmas = day.month == 12 and day.day == 25
    eve = day.month == 12 and day.day == 24 and country in ("United Kingdom", "Ireland")
    return christmas or eve or (country == "Ireland" and day in _GOOD_FRIDAYS)


def code_of(course: str, country: str, day: date) -> str | None:
    """What is raced on a course in a month; None while it is closed."""
    winter = day.month in (11, 12, 1, 2, 3)
    if _is_closed(country, day):
        return None
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
    if course in _DESERT:
        return "Fast"
    if country in _NO_RAIN:
        return seeds.pick(("Good", "Good", "Good to Firm"), seed, "going", course, day)
    wet = day.month in ((6, 7, 8) if country in _SOUTHERN else (11, 12, 1, 2, 3))
    going = seeds.pick(_WET if wet else _DRY, seed, "going", course, day)
    return _NUMBERED[going] if country in _BY_NUMBER else going


def off_time(course: str, zone: str, day: date, place: int) -> datetime:
    """When the race in this place of a card starts at the course: by daylight, save where a course has lights."""
    first = _BY_LIGHT.get(course) or (12 if day.month in (11, 12, 1, 2) else 13) * 60 + 10
    first += 5 * (sum(map(ord, course)) % 6)
    midnight = datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(zone))
    return midnight + timedelta(minutes=first) + place * _BETWEEN_RACES


# Lengths in furlongs by what horses are made for: sprinters, milers, middle distances, stayers; hurdlers, then chasers.
_FURLONGS = {
    FLAT: ((5, 6), (7, 8), (8, 10), (10, 12, 14, 16)),
    JUMPS: ((16, 17), (20, 21), (16, 17, 20), (24, 25, 26)),
}
KINDS_OF_HORSES = 4
_FURLONG = 201.168
_METRIC = {FLAT: ((1000, 1200), (1400, 1600), (1800, 2000), (2200, 2400)),
           JUMPS: ((3500, 3600), (3900, 4000), (3500, 3900), (4300, 4500))}  # fmt: skip
# On dirt races are shorter.
_AMERICAN = ((5, 6), (6, 7), (8,), (9, 10))


# Flat courses that have not all of these lengths: those that they do have, in furlongs.
_LENGTHS = {
    course: frozenset(lengths)
    for courses, lengths in (
        ("Windsor", (5, 6, 8, 10)), ("Epsom Downs,Brighton", (5, 6, 7, 8, 10, 12)), ("Bath", (5, 8, 10, 14)),
        ("Beverley", (5, 7, 8, 10, 12, 16)), ("Sandown Park", (5, 7, 8, 10, 14, 16)), ("Chester", (5, 6, 7, 10, 12, 16)),
        ("Great Yarmouth", (5, 6, 7, 8, 10, 14, 16)), ("Pontefract", (5, 6, 8, 10, 12)),
        ("Salisbury", (5, 6, 7, 8, 10, 12, 14)),
        ("Galway,Gowran Park,Punchestown,Roscommon,Killarney,Listowel,Limerick,Ballinrobe,Sligo", (7, 8, 10, 12, 14, 16)),
        ("Leopardstown,Fairyhouse", (6, 7, 8, 10, 12, 14)), ("Down Royal", (5, 7, 8, 10, 12)), ("Tramore", (8, 12, 14, 16)),
        ("Laytown", (6, 7)), ("Dundalk", (5, 6, 7, 8, 10, 12, 16)),
    )
    for course in courses.split(",")
}  # fmt: skip


def metres_of(code: str, kind: int, course: str, country: str, chance: Random) -> int:
    """The length of a race for horses of a kind: one that the course has."""
    if country in ("United States", "Canada"):
        return round(chance.choice(_AMERICAN[kind]) * _FURLONG)
    if country in ("United Kingdom", "Ireland"):
        usual = _FURLONGS[code][kind]
        known = _LENGTHS.get(course, frozenset(usual)) if code == FLAT else frozenset(usual)
        there = [length for length in usual if length in known]
        nearest = min(known, key=lambda length: (abs(length - usual[-1]), length))
        return round((chance.choice(there) if there else nearest) * _FURLONG)
    return chance.choice(_METRIC[code][kind])


# The kinds of horses from this one on run over fences, the others over hurdles.
_CHASERS = 2
_STAYERS = KINDS_OF_HORSES - 1


def least_age(code: str, kind: int) -> int:
    """How old the youngest horses of a kind are: three on the flat, where only older ones stay far, more over jumps."""
    if code == FLAT:
        return 4 if kind == _STAYERS else 3
    return 4 if kind < _CHASERS else 5


def fence_of(code: str, kind: int) -> str:
    """What horses of a kind jump over."""
    return "" if code == FLAT else "Hurdle" if kind < _CHASERS else "Chase"


_LEAST_RATINGS = {FLAT: (105, 95, 85, 75, 65, 55), JUMPS: (140, 128, 115, 100)}


def class_of(code: str, ratings: Iterable[int]) -> int:
    """The class of a race for horses of these ratings: 1 to 7 on the flat, 1 to 5 over jumps."""
    best = max(ratings)
    limits = _LEAST_RATINGS[code]
    return next((level for level, least in enumerate(limits, 1) if best >= least), len(limits) + 1)


# The courses of the great meetings, which draw better horses and pay more.
GREAT = frozenset(
    "Ascot,Cheltenham,Aintree,Epsom Downs,Newmarket,York,Goodwood,Sandown Park,Leopardstown,The Curragh,Punchestown,"
    "Longchamp,Chantilly,Flemington,Randwick,Churchill Downs,Saratoga,Belmont Park,Meydan,Baden-Baden".split(
        ","
    )
)
# Other courses of the British Isles that hold races of the first class.
_GOOD = frozenset(
    "Newbury,Haydock Park,Doncaster,Chester,Kempton Park,Ayr,Newcastle,Wetherby,Wincanton,Exeter,Naas,Navan,Fairyhouse,"
    "Gowran Park,Cork,Down Royal,Salisbury,Windsor,Chepstow,Warwick,Lingfield Park,Limerick,Galway".split(",")
)


# Where there are five classes.
_FIVE = frozenset({"Hong Kong", "Singapore"})


def class_at(course: str, country: str, level: int, others: Sequence[int]) -> int:
    """The class in which a course has a race beside the others of a card.

    Small courses of the British Isles hold none of the first; of the best class a card has one race, on great courses two.
    """
    small = country in ("United Kingdom", "Ireland") and course not in GREAT | _GOOD
    best, most = 2 if small else 1, 2 if course in GREAT else 1
    best += others.count(best) >= most
    return min(max(level, best), 5 if country in _FIVE else 7)


# Prize money in hundreds of pounds by class, in Britain; and how much more or less others pay.
_HUNDREDS = {
    FLAT: ((450, 900), (200, 420), (105, 160), (65, 90), (44, 58), (34, 42), (28, 32)),
    JUMPS: ((380, 800), (190, 350), (95, 150), (60, 85), (40, 55)),
}
_PAY = {
    "Ireland": 1.4, "France": 2.2, "Australia": 3.5, "Canada": 2.5,
    "United Arab Emirates": 2.5, "Germany": 1.2, "Italy": 1.4, "South Africa": 0.8, "New Zealand": 1.4, "Argentina": 0.8,
    "Saudi Arabia": 3.0, "Singapore": 3.0, "Turkey": 1.5, "Czechia": 0.7,
}  # fmt: skip

# Where classes lie closer together: in Japan open races, then those of three wins, two and one; five classes in Hong Kong;
# in America stakes, allowances and claiming races.
_OWN_SCALES = {
    "United States": ((900, 2200), (420, 640), (320, 460), (200, 280), (140, 190), (110, 140), (90, 110)),
    "Japan": ((2200, 4000), (1780, 1920), (1100, 1200), (760, 830)),
    "Hong Kong": ((3000, 5500), (2450, 2650), (1700, 1850), (1120, 1220), (760, 850)),
}


def prize_of(code: str, level: int, course: str, country: str, chance: Random) -> int:
    """Prize money of a race in pounds: by its class, its course and its country."""
    low, high = _HUNDREDS[code][level - 1]
    factor = _PAY.get(country, 1.0) * (1.5 if course in GREAT else 1.0)
    drawn = chance.randint(low, high)
    if country in _OWN_SCALES:
        least, most = _OWN_SCALES[country][min(level, len(_OWN_SCALES[country])) - 1]
        own = least + (most - least) * (drawn - low) / (high - low)
        return 100 * round(own * (1.5 if course in GREAT else 1.0))
    hundreds = round(drawn * factor)
    return 100 * max(hundreds, chance.randint(80, 95) if country == "Ireland" else 25)


# Top weights in kilograms: in handicaps, which take 0.45 off for a point of rating, and where all carry the same by age.
_TOP = {FLAT: (61.0, 59.0), JUMPS: (74.0, 71.7)}
_LIGHTER = {"United States": 55.8, "Canada": 55.8, "Japan": 58.0}


def weights(title: str, country: str, day: date, field: Sequence[tuple[int, int]]) -> list[float]:
    """What the horses of a race carry, from (rating, age): by rating in a handicap, else all the same but the young."""
    code = JUMPS if title.endswith(("Hurdle", "Chase")) else FLAT
    if " Handicap" in title:
        best = max(rating for rating, _ in field)
        return [round(_TOP[code][0] - 0.45 * min(24, best - rating), 1) for rating, _ in field]
    young, less = (3, 3.6 if day.month < 7 else 1.8) if code == FLAT else (4, 4.5 if day.month < 6 else 0.0)
    top = _LIGHTER.get(country, _TOP[code][1])
    return [round(top - (less if age <= young else 0), 1) for _, age in field]


def fields(
    places: Sequence[int], ratings: Sequence[int], chance: Random
) -> list[tuple[int, tuple[int, ...]]]:
    """Horses of one kind in groups whose ratings lie within a dozen points or so, in chance order: (kind, group)."""
    groups = []
    kinds: list[list[int]] = [[] for _ in range(KINDS_OF_HORSES)]
    for place in places:
        kinds[kind_of(place)].append(place)
    for kind, own in enumerate(kinds):
        ordered = sorted(own, key=lambda place: (ratings[place] // 12, chance.random()))
        groups += [(kind, tuple(ordered[start : start + 11])) for start in range(0, len(ordered), 11)]
    groups = [group for group in groups if len(group[1]) >= 6]
    chance.shuffle(groups)
    return groups


def kind_of(place: int) -> int:
    """What the horse in a place of the table is made for."""
    return place // 2 % KINDS_OF_HORSES


# Prices as bookmakers write them, in decimals.
_PRICES = (
    1.2, 1.25, 1.29, 1.33, 1.4, 1.44, 1.5, 1.57, 1.62, 1.67, 1.73, 1.8, 1.83, 1.91, 2.0, 2.1, 2.2, 2.25, 2.38, 2.5, 2.63,
    2.75, 2.88, 3.0, 3.25, 3.5, 3.75, 4.0, 4.33, 4.5, 5.0, 5.5, 6.0, 6.5, 7.0, 7.5, 8.0, 8.5, 9.0, 10.0, 11.0, 12.0, 13.0,
    15.0, 17.0, 19.0, 21.0, 26.0, 29.0, 34.0, 41.0, 51.0, 67.0, 81.0, 101.0,
)  # fmt: skip


def price(odds: float) -> float:
    """The next price that bookmakers offer."""
    return _PRICES[min(bisect_left(_PRICES, odds), len(_PRICES) - 1)]
