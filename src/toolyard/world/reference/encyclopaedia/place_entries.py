"""Towns, airlines, universities and listed companies of the reference tables as entries, made when asked for.

Their entity numbers say which row they are: X96, X95, X94 and X93 with eight digits.
"""

import functools
import re
from collections.abc import Mapping

from toolyard.world.kernel.tables import plain, read_table
from toolyard.world.reference import wordnet
from toolyard.world.reference.airlines import listed_airlines
from toolyard.world.reference.encyclopaedia.entry import Entry, compose_entry, known_id
from toolyard.world.reference.listed_companies import company_by_index, directory, may_be_company
from toolyard.world.reference.packed_tables import packed_table
from toolyard.world.reference.places.gazetteer import TABLES, city_by_number, city_number, read_city
from toolyard.world.reference.places.geography import City, cities, country_names

_TOWN, _AIRLINE, _UNIVERSITY, _COMPANY = "X96{:08d}", "X95{:08d}", "X94{:08d}", "X93{:08d}"
_NUMBERED = re.compile(r"X9([3456])(\d{8})")


def town_entry(city: City) -> Entry:
    """The entry of a town of the tables."""
    text = (
        f"{city['name']} is a town in {city['region']}, {city['country']}, with about {city['population']:,} "
        f"inhabitants. It lies at {city['latitude']}, {city['longitude']} in the time zone {city['time_zone']}."
    )
    known = {
        "P31": ["city"], "P17": [city["country"]], "P131": [city["region"]], "P1082": [str(city["population"])],
        "P421": [city["time_zone"]], "P625": [f"{city['latitude']},{city['longitude']}"],
    }  # fmt: skip
    return compose_entry(
        city["name"], "city", "geography", text, known, qid=_TOWN.format(city_number(city["id"]))
    )


@functools.cache
def _airline_rows() -> tuple[tuple[str, str, str, str], ...]:
    """IATA code, ICAO code, name and country of all airlines."""
    written = [(row["iata"], row["icao"], row["name"], row["country"]) for row in read_table("airlines.tsv")]
    codes = {row[0] for row in written}
    return (*written, *(row for row in listed_airlines() if row.iata not in codes))


@functools.cache
def _airline_numbers() -> Mapping[str, int]:
    found: dict[str, int] = {}
    for number, row in enumerate(_airline_rows()):
        found.setdefault(plain(row[2]), number)
    for number, row in enumerate(_airline_rows()):
        found.setdefault(plain(row[2]).replace(" ", ""), number)
    return found


def _airline_entry(number: int) -> Entry:
    iata, icao, name, country = _airline_rows()[number]
    home = country_names()[country]
    text = f"{name} is an airline of {home} with the IATA code {iata}{f' and the ICAO code {icao}' if icao else ''}."
    known = {"P31": ["airline"], "P17": [home], "P229": [iata], "P230": [icao]}
    return compose_entry(name, "airline", "travel", text, known, qid=_AIRLINE.format(number))


def _university_entry(number: int) -> Entry:
    _, name, country, domain = packed_table("universities")[number]
    home = country_names().get(country, country)
    text = f"{name} is a university in {home}; its site is {domain}."
    known = {"P31": ["university"], "P17": [home], "P856": [domain]}
    return compose_entry(name, "university", "education", text, known, qid=_UNIVERSITY.format(number))


def _company_entry(place: int) -> Entry:
    row = company_by_index(place)
    seat = ", ".join(part for part in (row["city"], row["country"]) if part)
    since = f", founded in {row['founded']}" if row["founded"] else ""
    text = f"{row['name']} ({row['ticker']}) is a company{since} and at home in {seat}. It is listed on "
    known = {
        "P31": ["company"], "P17": [row["country"]], "P159": [row["city"] or ""], "P452": [row["industry"]],
        "P571": [str(row["founded"] or "")], "P249": [row["ticker"]], "P414": [row["exchange"]],
    }  # fmt: skip
    qid = known_id("company", row["name"]) or _COMPANY.format(place)
    return compose_entry(row["name"], "company", "business", f"{text}{row['exchange']}.", known, qid=qid)


@functools.cache
def _university_names() -> Mapping[str, int]:
    """Other ways to write the names of universities -> their places: TU Delft, University of São Paulo, Uni Wien."""
    found: dict[str, int] = {}
    for place, row in enumerate(packed_table("universities")):
        for form in other_names(row[1]):
            found.setdefault(form, place)
    return found


_UNIVERSITY_OF = re.compile(
    r"(?:universidad|universidade|universite|universita|universitat|universitas|universiteit|university)"
    r"(?: degli studi)?(?: di| de| del| do| da| of| zu| van)? (.+)"
)
_TECHNICAL = (("technische universiteit ", "tu "), ("technische universitat ", "tu "), ("technical university of ", "tu "),
              ("delft university of technology", "tu delft"), ("eindhoven university of technology", "tu eindhoven"),
              ("katholieke universiteit ", "ku "), ("catholic university of ", "ku "))  # fmt: skip


# How all the other names of universities begin, where they do not end in university.
_UNIVERSITY_STARTS = ("university of ", "tu ", "ku ")


def other_names(name: str) -> list[str]:
    """Plain names under which a university is known in English or in short."""
    own = plain(name)
    found = [short + own.removeprefix(long) for long, short in _TECHNICAL if own.startswith(long)]
    match = _UNIVERSITY_OF.fullmatch(own)
    if match:
        found += [f"university of {match[1]}", f"{match[1]} university"]
    elif own.endswith(" university"):
        found.append(f"university of {own.removesuffix(' university')}")
    return [form for form in found if form != own]


def organisation_entries(name: str) -> list[Entry]:
    """The airline and the university with this plain name."""
    number = _airline_numbers().get(name, _airline_numbers().get(name.replace(" ", "")))
    found = [] if number is None else [_airline_entry(number)]
    place = packed_table("universities").place(name) if packed_table("universities").with_key(name) else None
    if place is None and (name.startswith(_UNIVERSITY_STARTS) or name.endswith(" university")):
        place = _university_names().get(name)
    return found if place is None else [*found, _university_entry(place)]


def listed_company_entries(name: str) -> list[Entry]:
    """The listed company with this plain name; a word of the dictionary is no name."""
    place = None if wordnet.senses(name) or not may_be_company(name) else directory().index_by_name(name)
    return [] if place is None else [_company_entry(place)]


def town_entries(name: str) -> list[Entry]:
    """The largest town with just this plain name, unless it is one of the best known cities."""
    # The tables stand in order of size: a village is smaller than any city of its name.
    rows = next((found for table in TABLES if (found := packed_table(table).with_key(name))), None)
    if not rows:
        return []
    city = read_city(max(rows, key=lambda row: int(row[6])))
    return [] if city["id"] in {row["id"] for row in cities()} else [town_entry(city)]


def entry_by_number(qid: str) -> Entry | None:
    """The entry with this entity number; none where there is none."""
    match = _NUMBERED.fullmatch(qid)
    if match is None:
        return None
    number = int(match[2])
    if match[1] == "6":
        city = city_by_number(number)
        return town_entry(city) if city else None
    if match[1] == "5":
        return _airline_entry(number) if number < len(_airline_rows()) else None
    if match[1] == "3":
        return _company_entry(number) if number < len(directory().rows) else None
    return _university_entry(number) if number < len(packed_table("universities")) else None
