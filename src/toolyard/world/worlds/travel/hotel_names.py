"""What hotels are called, in the manner of their country, and the quarters that well-known cities have them in.

No two towns have the same houses: each takes its own names from those that are usual in its country.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence

from toolyard.world import seeds
from toolyard.world.shared.geography import City, read_table
from toolyard.world.tables import kilometres, plain

# The kinds of houses by their place among the hotels of a city.
_KINDS = ("grand", "good", "good", "inn", "inn", "good", "middling", "grand", "flats", "plain", "hostel", "villa",
          "flats", "good", "good", "middling")  # fmt: skip
_IN_FRENCH = frozenset(
    ("Geneva", "Lausanne", "Montreux", "Neuchâtel", "Sion", "Québec", "Quebec", "Montreal", "Gatineau")
)
# People of a city whose quarters are told by name, and kilometres from its centre that none of them is.
_LARGE, _FAR = 100_000, 40


@functools.cache
def _styles() -> Mapping[tuple[str, str], tuple[str, ...]]:
    """(country, kind of house) -> what such houses are called there; the country is "others" for all the rest."""
    return {
        (code, row["kind"]): tuple(row["names"].split(";"))
        for row in read_table("hotel_names.tsv")
        for code in row["countries"].split()
    }


@functools.cache
def _known_quarters() -> Mapping[str, tuple[str, ...]]:
    return {row["city"]: tuple(row["quarters"].split(";")) for row in read_table("hotel_quarters.tsv")}


@functools.cache
def _points() -> Mapping[str, tuple[tuple[float, float], ...]]:
    """City -> the middles of its quarters."""
    return {
        row["city"]: tuple(
            (float(north), float(east))
            for north, east in (point.split(",") for point in row["points"].split(";"))
        )
        for row in read_table("hotel_quarters.tsv")
    }


def _is_known(city: City) -> bool:
    """Whether the quarters of a city are known; a namesake far away has others."""
    if city["name"] not in _points() or city["population"] <= _LARGE:
        return False
    return kilometres(*_points()[city["name"]][0], city["latitude"], city["longitude"]) < _FAR


def quarter_point(city: City, area: int) -> tuple[float, float] | None:
    """The middle of a quarter (0 to 2) that a city is known for."""
    return _points()[city["name"]][area] if _is_known(city) else None


def quarters_of(city: City) -> tuple[str, ...]:
    """Three quarters of a city with hotels; none where it is not known for any."""
    return _known_quarters()[city["name"]] if _is_known(city) else ()


# Names that tell where in a town a house stands.
_PLACED = re.compile(
    r"station|ekimae|bahnhof|\bgare\b|termin(?:us|al)\b|estaci[oó]n|esta[cç][aã]o|stazione|rodovi[aá]ria|\bcentral|"
    r"old (?:town|market)|plaza mayor|catedral|\bdomhotel|am theater|\bopera\b|union square|riverside|lake view|"
    r"\bbryggen\b",
    re.IGNORECASE,
)


def quarter_of(city: City, name: str, drawn: int) -> int | None:
    """The quarter (0 to 2) of a house: the one that its name tells, none if it tells another place, else the drawn one."""
    names = [plain(quarter) for quarter in quarters_of(city)]
    told = [n for n, quarter in enumerate(names) if re.search(rf"\b{re.escape(quarter)}\b", plain(name))]
    if told:
        return told[0]
    return None if not names or _PLACED.search(name) else drawn


def hotel_name(city: City, place: int) -> str:
    """The name of the house at a place among the hotels of a city; of two names of a city (Laudio / Llodio) the first."""
    kind = _KINDS[place]
    own = _own_order(city["id"], style_of(city), kind)
    pattern, town = own[_KINDS[:place].count(kind) % len(own)], city["name"].split(" / ")[0]
    name = pattern.replace("{}", town.removeprefix("The ") if pattern.startswith("The ") else town)
    return name.replace("ß", "ss") if city["country_code"] in ("CH", "LI") else name


def style_of(city: City) -> str:
    """The country in whose manner a city calls its houses: Geneva speaks French, Ghent Dutch, Vienna lies in no valley."""
    if city["name"] in _IN_FRENCH:
        return "FR"
    if city["id"].startswith("BE-VLG-"):
        return "NL"
    if city["name"] in ("Lugano", "Locarno", "Bellinzona"):
        return "IT"
    if city["country_code"] in ("AT", "CH") and city["population"] >= 100_000:
        return "DE"
    return city["country_code"]


@functools.lru_cache(maxsize=4096)
def _own_order(city: str, style: str, kind: str) -> Sequence[str]:
    """The names of a kind in the order in which a city takes them."""
    names = list(_styles().get((style, kind)) or _styles()["others", kind])
    seeds.stream("hotel names", city, kind).shuffle(names)
    return names
