"""Which place a statement means: the capital of Libya is the city of Tripoli there, neither the mineral nor a namesake."""

import functools
import re
from collections.abc import Iterable, Mapping

from toolyard.world.kernel.tables import plain
from toolyard.world.reference.encyclopaedia.catalogue_and_nouns import wide_entries_named as wide_named
from toolyard.world.reference.encyclopaedia.entries import by_name, entries_named
from toolyard.world.reference.encyclopaedia.entry import Entry, known_id, made_up_id
from toolyard.world.reference.encyclopaedia.place_entries import town_entry
from toolyard.world.reference.packed_tables import packed_table
from toolyard.world.reference.places.gazetteer import TABLES, read_city
from toolyard.world.reference.places.geography import cities, countries

# Relations whose values are places, and those whose values lie in the country of what is told about.
PLACES = frozenset(("P36", "P131", "P19", "P20", "P159", "P740", "P551"))
_AT_HOME = frozenset(("P36", "P131", "P159"))
_AREA = re.compile(
    r"state\b|province|district|region|country|island|area|territory|county|archipelago|range|"
    r"principality|department|peninsula|valley|landmark|place"
)
_KINDS = frozenset(("city", "place", "country", "continent", "landmark"))


@functools.cache
def _country_codes() -> Mapping[str, str]:
    return {row["name"]: row["code"] for row in countries()}


def home_country(entry: Entry, relation: str) -> str:
    """The country in which the value of a statement lies; "" where the statement does not tell."""
    if relation not in _AT_HOME:
        return ""
    own = entry["title"] if entry["kind"] == "country" else ""
    return own or next(iter(entry["properties"].get("P17", ())), "")


def _is_place(entry: Entry) -> bool:
    return entry["kind"] in _KINDS or (entry["field"] == "geography" and entry["kind"] != "person")


def _has_name(entry: Entry, value: str) -> bool:
    names = (plain(name).replace("-", " ") for name in (entry["title"], *entry["aliases"]))
    return plain(value).replace("-", " ") in names


def _lies_in(entry: Entry, home: str) -> bool:
    """Whether a place is one of a country, as far as its entry tells."""
    lands = entry["properties"].get("P17")
    return home in lands if lands else plain(home) in plain(entry["text"])


def _best_at_home(found: Iterable[Entry], value: str, relation: str, home: str) -> str:
    fitting = [entry for entry in found if _is_place(entry) and _has_name(entry, value)]
    if not home:
        return fitting[0]["qid"] if fitting else ""
    at_home = [entry["qid"] for entry in fitting if _lies_in(entry, home)]
    if relation == "P131" and not at_home:  # a region need not say where it lies
        plain_ones = [entry for entry in fitting if "P17" not in entry["properties"]]
        at_home = [entry["qid"] for entry in plain_ones if _AREA.search(entry["kind"])]
    return at_home[0] if at_home else ""


def _town_id(value: str, home: str) -> str:
    """The largest town of this name, in a country where one is given."""
    code = _country_codes().get(home, "")
    if home and not code:
        return ""
    names = (plain(value), plain(value).replace("-", " "), plain(value).replace(" ", "-"))
    rows = [
        row for table in TABLES for name in dict.fromkeys(names) for row in packed_table(table).with_key(name)
    ]
    rows = [row for row in rows if not home or row[2] == code]
    if not rows:
        return ""
    city = read_city(max(rows, key=lambda row: int(row[6])))
    if city["id"] in {row["id"] for row in cities()}:
        return known_id("city", f"{city['name']}, {city['country_code']}")
    return town_entry(city)["qid"]


def is_place_meant(entry: Entry | None, relation: str, home: str) -> bool:
    """Whether the thing that has the name of a place is that place: one with a known id, unless its entry says otherwise."""
    if entry is None or not home:
        return entry is None or _is_place(entry)
    lands = entry["properties"].get("P17")
    return _is_place(entry) and (home in lands if lands else relation == "P131")


@functools.lru_cache(maxsize=20_000)
def find_place_id(value: str, relation: str, home: str) -> str:
    """The entity id of the place that a value of this relation names; one of our own where nothing on record is it."""
    name = plain(value)
    known = (*by_name().get(name, ()), *entries_named(value), *wide_named(name, True))
    found = _best_at_home(known, value, relation, home) or _town_id(value, home)
    return found or made_up_id(f"{value}, {home}" if home else value)
