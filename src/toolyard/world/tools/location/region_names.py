"""The first-level regions of a country under the names that people give them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from toolyard.world.reference.packed_tables import packed_table
from toolyard.world.reference.places.gazetteer import within_country
from toolyard.world.reference.places.geography import cities
from toolyard.world.tools.location.region_cities import iso_codes, region_code

# Parts of the sea and the land that are no regions, and regions of the standard that are abroad or no more.
_UNITS = ("Geographical unit", "Geographical region", "Geographical entity")
_NO_REGIONS = frozenset(
    "NL-AW NL-CW NL-SX NL-BQ1 NL-BQ2 NL-BQ3 NO-30 NO-38 NO-54 NO-21 NO-22 FR-CP FR-TF FR-PF FR-NC FR-WF FR-PM FR-BL "
    "FR-MF TH-S".split()
)
_OWN_NAMES = {
    "NO": {"31": "Østfold", "32": "Akershus", "33": "Buskerud", "39": "Vestfold", "40": "Telemark", "55": "Troms",
           "56": "Finnmark"},
    "SG": {"01": "Central Singapore", "02": "North East", "03": "North West", "04": "South East", "05": "South West"},
    "FI": {"01": "Åland", "06": "Kanta-Häme"},
    "SE": {"D": "Södermanland", "E": "Östergötland", "F": "Jönköping", "G": "Kronoberg", "I": "Gotland", "N": "Halland",
           "S": "Värmland", "U": "Västmanland", "W": "Dalarna", "X": "Gävleborg", "Y": "Västernorrland", "Z": "Jämtland",
           "AC": "Västerbotten", "BD": "Norrbotten"},
    "CN": {"NM": "Inner Mongolia", "TW": "Taiwan", "XZ": "Tibet", "HK": "Hong Kong", "MO": "Macau"},
    "FR": {"CVL": "Centre-Val de Loire", "973": "French Guiana", "20R": "Corsica", "974": "Réunion"},
    "RU": {"AL": "Altai Republic", "DA": "Dagestan", "KR": "Karelia", "KO": "Komi", "ME": "Mari El", "SA": "Sakha",
           "SE": "North Ossetia", "TY": "Tuva", "KEM": "Kemerovo Oblast", "ZAB": "Zabaykalsky Krai",
           "ARK": "Arkhangelsk Oblast"},
    "UA": {"32": "Kyiv Oblast", "51": "Odesa Oblast"}, "KZ": {"15": "Aktobe Region"}, "NP": {"P4": "Gandaki"},
    "MN": {"061": "Dornod", "063": "Dornogovi", "059": "Dundgovi", "057": "Zavkhan", "047": "Töv"},
    "BZ": {"SC": "Stann Creek"}, "VE": {"X": "La Guaira"}, "IN": {"LD": "Lakshadweep"}, "BY": {"HR": "Grodno Region"},
    "BW": {"SO": "Southern"}, "CD": {"BC": "Kongo Central"}, "BH": {"13": "Capital"}, "ST": {"01": "Água Grande"},
    "MG": {"T": "Antananarivo", "F": "Fianarantsoa", "M": "Mahajanga", "A": "Toamasina", "U": "Toliara",
           "D": "Antsiranana"},
    "ET": {"SN": "Southern Nations, Nationalities and Peoples"},
    "CF": {"HS": "Mambéré-Kadéï", "OP": "Ouham-Pendé", "AC": "Ouham"},
    "MD": {"GA": "Gagauzia", "SN": "Transnistria"},
    "KR": {"42": "Gangwon-do", "43": "Chungcheongbuk-do"}, "TW": {"TNN": "Tainan"},
    "US": {"VI": "U.S. Virgin Islands"}, "SB": {"CT": "Capital Territory"}, "ES": {"AS": "Asturias"},
}  # fmt: skip


def _short(name: str) -> str:
    """A name of the standard without what it adds in brackets."""
    return re.sub(r"\s*[\[(].*[\])]", "", name)


def _told_apart(code: str, found: dict[str, str], kinds: Mapping[str, str]) -> dict[str, str]:
    """Regions of which no two have one name: Hsinchu City and Hsinchu County."""
    often = Counter(found.values())
    return {
        key: name
        if often[name] == 1 or name in kinds.get(key, "")
        else f"{name} {_kind(kinds.get(key, ''))}".strip()
        for key, name in found.items()
    }


def _kind(text: str) -> str:
    return "City" if "city" in text.lower() or text == "Municipality" else text.split(" ")[-1].title()


def regions_of(code: str, within: bool) -> dict[str, str]:
    """Code -> name of the regions of a country; with the parts of regions on demand."""
    known = [city for city in cities() if city["country_code"] == code]
    names = {
        key: row["region"]
        for row in reversed([*known, *within_country(code)])
        if (key := region_code(row)) == row["region_code"] or (code, row["region"]) in iso_codes()
    }
    rows = packed_table("subdivisions").starting(f"{code}-", 500)
    units = {full for full, _, kind, _ in rows if kind in _UNITS}
    listed = {
        full.partition("-")[2]: _short(name)
        for full, name, _, parent in rows
        if (within or not parent or parent in units) and full not in units and full not in _NO_REGIONS
    }
    if code in _OWN_NAMES:
        listed |= _OWN_NAMES[code]
        names = {**names, **_OWN_NAMES[code]}
    found = {region: names.get(region, name) for region, name in listed.items()} if listed else dict(names)
    found = _told_apart(code, found, {full.partition("-")[2]: kind for full, _, kind, _ in rows})
    if within:
        found = names | found
    return found
