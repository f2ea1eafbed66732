"""What homes cost from city to city."""

from __future__ import annotations

from toolyard.world import seeds
from toolyard.world.shared.geography import City, find_country

# What a home costs in dear cities, against an ordinary one.
_LEVELS = {"New York": 2.7, "San Francisco": 2.3, "Boston": 2.1, "San Jose": 2.0, "San Diego": 1.8, "Los Angeles": 1.9,
           "Miami": 1.8, "Washington": 1.7, "Seattle": 1.6, "Chicago": 1.4, "Honolulu": 1.7, "Denver": 1.35,
           "London": 2.2, "Paris": 1.7, "Zurich": 2.3, "Geneva": 2.2, "Dublin": 1.9, "Amsterdam": 1.7, "Munich": 1.5,
           "Berlin": 1.25, "Oslo": 1.4, "Copenhagen": 1.4, "Milan": 1.3, "Barcelona": 1.2, "Tokyo": 1.2, "Hong Kong": 2.3,
           "Singapore": 2.3, "Seoul": 1.2, "Sydney": 1.8, "Melbourne": 1.4, "Toronto": 1.6, "Vancouver": 1.7, "Dubai": 1.5,
           "Tel Aviv": 1.6, "Shanghai": 0.9, "Beijing": 0.9, "Mumbai": 0.75, "Moscow": 0.7}  # fmt: skip
# What a home costs in further cities of the United States.
_AMERICAN = {"Dayton": 0.6, "Cleveland": 0.7, "Detroit": 0.75, "Memphis": 0.72, "St. Louis": 0.72, "Buffalo": 0.75,
             "Pittsburgh": 0.82, "Toledo": 0.6, "Wichita": 0.65, "Oklahoma City": 0.72, "Tulsa": 0.7, "Birmingham": 0.7,
             "Kansas City": 0.8, "Indianapolis": 0.8, "Milwaukee": 0.8, "Columbus": 0.85, "Cincinnati": 0.82, "El Paso": 0.7,
             "Houston": 0.92, "Dallas": 1.05, "Austin": 1.15, "Phoenix": 1.02, "Las Vegas": 1.0, "Atlanta": 1.15,
             "Philadelphia": 1.12, "Minneapolis": 1.0, "Portland": 1.2, "Nashville": 1.2, "Charlotte": 1.1,
             "New Orleans": 0.98, "Baltimore": 1.05, "Sacramento": 1.3, "Tampa": 1.25, "Orlando": 1.15, "Boise": 1.05,
             "Omaha": 0.8, "Louisville": 0.8, "Albuquerque": 0.85, "Tucson": 0.85, "Fresno": 1.0, "Oakland": 1.8,
             "Salt Lake City": 1.05, "Raleigh": 1.05, "Richmond": 1.0, "Little Rock": 0.65, "Jackson": 0.65,
             "Des Moines": 0.75, "Fargo": 0.7, "Anchorage": 1.05, "Newark": 1.5, "Jersey City": 2.2}  # fmt: skip
# What homes cost elsewhere beside a middling city of the United States.
_CONTINENTS = {
    "Africa": 0.35,
    "Asia": 0.4,
    "South America": 0.42,
    "Europe": 0.85,
    "North America": 0.45,
    "Oceania": 1.2,
}
_DEAR = {"US": 1.0, "CA": 1.05, "JP": 0.75, "KR": 0.75, "SG": 2.2, "HK": 2.0, "TW": 0.7, "IL": 1.2, "AE": 1.2, "QA": 1.2,
         "KW": 0.9, "CH": 1.6, "IE": 1.4, "LU": 1.5, "NO": 1.1, "DK": 1.1, "IS": 1.4, "GB": 1.1, "NL": 1.2, "PL": 0.65,
         "CZ": 0.7, "HU": 0.5, "RO": 0.42, "BG": 0.4, "UA": 0.3, "RU": 0.4, "RS": 0.42, "AL": 0.35, "BY": 0.3, "MD": 0.3,
         "TR": 0.45, "GR": 0.55, "PT": 0.85, "SK": 0.6, "HR": 0.55, "LT": 0.55, "LV": 0.5, "EE": 0.6}  # fmt: skip


def rent_level(seed: int, city: City) -> float:
    """How dear homes are in a city, against a middling one of the United States."""
    code = city["country_code"]
    country = _DEAR.get(code) or _CONTINENTS.get(find_country(code)["continent"], 0.5)
    if code == "US" and city["name"] in _AMERICAN:
        return _AMERICAN[city["name"]]
    return _LEVELS.get(city["name"], country * (0.8 + 0.35 * seeds.unit(seed, "rent level", city["id"])))
