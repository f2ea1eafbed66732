"""The first-level regions of a country under the names that people give them."""

import re
from collections import Counter
from collections.abc import Mapping

from toolyard.world.kernel.tables import table_words, values_of
from toolyard.world.reference.packed_tables import packed_table
from toolyard.world.reference.places.gazetteer import cities_in_country
from toolyard.world.reference.places.geography import cities
from toolyard.world.tools.location.region_cities import iso_codes, region_code

# Parts of the sea and the land that are no regions, and regions of the standard that are abroad or no more.
_UNITS = ("Geographical unit", "Geographical region", "Geographical entity")
_NO_REGIONS = frozenset(table_words("region_names.no_regions"))
_OWN_NAMES: Mapping[str, Mapping[str, str]] = values_of("region_names.own_names")


def _short_region_name(name: str) -> str:
    """A name of the standard without what it adds in brackets."""
    return re.sub(r"\s*[\[(].*[\])]", "", name)


def _distinct_region_names(code: str, found: dict[str, str], kinds: Mapping[str, str]) -> dict[str, str]:
    """Regions of which no two have one name: Hsinchu City and Hsinchu County."""
    often = Counter(found.values())
    return {
        key: name
        if often[name] == 1 or name in kinds.get(key, "")
        else f"{name} {_region_kind(kinds.get(key, ''))}".strip()
        for key, name in found.items()
    }


def _region_kind(text: str) -> str:
    return "City" if "city" in text.lower() or text == "Municipality" else text.split(" ")[-1].title()


def country_regions(code: str, within: bool) -> dict[str, str]:
    """Code -> name of the regions of a country; with the parts of regions on demand."""
    known = [city for city in cities() if city["country_code"] == code]
    names = {
        key: row["region"]
        for row in reversed([*known, *cities_in_country(code)])
        if (key := region_code(row)) == row["region_code"] or (code, row["region"]) in iso_codes()
    }
    rows = packed_table("subdivisions").starting(f"{code}-", 500)
    units = {full for full, _, kind, _ in rows if kind in _UNITS}
    listed = {
        full.partition("-")[2]: _short_region_name(name)
        for full, name, _, parent in rows
        if (within or not parent or parent in units) and full not in units and full not in _NO_REGIONS
    }
    if code in _OWN_NAMES:
        listed |= _OWN_NAMES[code]
        names = {**names, **_OWN_NAMES[code]}
    found = {region: names.get(region, name) for region, name in listed.items()} if listed else dict(names)
    found = _distinct_region_names(code, found, {full.partition("-")[2]: kind for full, _, kind, _ in rows})
    if within:
        found = names | found
    return found
