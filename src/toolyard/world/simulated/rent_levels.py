"""What homes cost from city to city."""

from __future__ import annotations

from toolyard.world.kernel import seeds
from toolyard.world.reference.places.geography import City, find_country

# What a home costs in dear cities, against an ordinary one.
_LEVELS = {"New York": 2.7, "San Francisco": 2.3, "Boston": 2.1, "San Jose": 2.0, "San Diego": 1.8, "Los Angeles": 1.9,
           "Miami": 1.8, "Washington": 1.7, "Seattle": 1.6, "Chicago": 1.4, "Honolulu": 1.7, "Denver": 1.35,
           "London": 2.2, "Paris": 1.7, "Zurich": 2.3, "Geneva": 2.2, "Dublin": 1.9, "Amsterdam": 1.7, "Munich": 1.5,
           "Berlin": 1.25, "Oslo": 1.4, "Copenhagen": 1.4, "Milan": 1.3, "Barcelona": 1.2, "Tokyo": 1.2, "Hong Kong": 2.3,
           "Singapore": 2.3, "Seoul": 1.2, "Sydney": 1.8, "Melbourne": 1.4, "Toronto": 1.6, "Vancouver": 1.7, "Dubai": 1.5,
           "Tel Aviv": 1.6, "Shanghai": 0.9, "Beijing": 0.9, "Mumbai": 0.75, "Moscow": 0.7}  # fmt: skip
# What a home costs in further cities of the United States.
_AMERICAN = {"Dayton": 0.6, "Cleveland": 0.7, "Detroit": 0.62, "Memphis": 0.72, "St. Louis": 0.72, "Buffalo": 0.75,
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


# What a home costs in a middling town of each state, against one of the whole country.
_STATES = {"CA": 1.35, "MA": 1.4, "NY": 1.0, "NJ": 1.3, "HI": 1.6, "WA": 1.2, "CO": 1.15, "MD": 1.15, "VA": 1.1,
           "CT": 1.1, "NH": 1.15, "RI": 1.15, "FL": 1.1, "OR": 1.05, "AZ": 1.0, "NV": 1.0, "UT": 1.0, "ID": 0.9,
           "DC": 1.7, "VT": 1.05, "ME": 1.0, "DE": 1.0, "GA": 0.95, "NC": 0.9, "SC": 0.9, "TN": 0.85, "TX": 0.85,
           "IL": 0.8, "PA": 0.85, "MN": 0.85, "MI": 0.75, "WI": 0.75, "OH": 0.7, "IN": 0.7, "MO": 0.68, "KS": 0.65,
           "NE": 0.7, "IA": 0.65, "ND": 0.65, "SD": 0.68, "OK": 0.62, "AR": 0.6, "MS": 0.58, "AL": 0.65, "LA": 0.68,
           "KY": 0.68, "WV": 0.58, "NM": 0.75, "MT": 0.9, "WY": 0.75, "AK": 1.0}  # fmt: skip
# The state or country of the dear cities, whose names smaller places bear, too: Paris is one in Texas.
_HOMES = {"New York": "NY", "San Francisco": "CA", "Boston": "MA", "San Jose": "CA", "San Diego": "CA",
          "Los Angeles": "CA", "Miami": "FL", "Washington": "DC", "Seattle": "WA", "Chicago": "IL",
          "Honolulu": "HI", "Denver": "CO", "Portland": "OR", "Columbus": "OH", "Jackson": "MS", "Richmond": "VA",
          "Newark": "NJ", "Cleveland": "OH", "Buffalo": "NY", "Houston": "TX", "Dallas": "TX", "Austin": "TX",
          "Phoenix": "AZ", "Atlanta": "GA", "Orlando": "FL", "Oakland": "CA", "Charlotte": "NC", "Nashville": "TN",
          "Louisville": "KY", "Memphis": "TN", "Birmingham": "AL", "Dayton": "OH", "Toledo": "OH",
          "Milwaukee": "WI", "Omaha": "NE"}  # fmt: skip
_ABROAD = {"London": "GB", "Paris": "FR", "Zurich": "CH", "Geneva": "CH", "Dublin": "IE", "Amsterdam": "NL",
           "Munich": "DE", "Berlin": "DE", "Oslo": "NO", "Copenhagen": "DK", "Milan": "IT", "Barcelona": "ES",
           "Tokyo": "JP", "Hong Kong": "HK", "Singapore": "SG", "Seoul": "KR", "Sydney": "AU", "Melbourne": "AU",
           "Toronto": "CA", "Vancouver": "CA", "Dubai": "AE", "Tel Aviv": "IL", "Shanghai": "CN", "Beijing": "CN",
           "Mumbai": "IN", "Moscow": "RU"}  # fmt: skip
# Towns beside a dear city, which are about as dear.
_BESIDE = {"Cambridge": ("MA", 2.1), "Brookline": ("MA", 2.0), "Somerville": ("MA", 1.9), "Hoboken": ("NJ", 2.3),
           "Santa Monica": ("CA", 2.2), "Beverly Hills": ("CA", 2.4), "Palo Alto": ("CA", 2.5), "Mountain View": ("CA", 2.2),
           "Berkeley": ("CA", 1.8), "Miami Beach": ("FL", 1.9), "Bellevue": ("WA", 1.7), "Arlington": ("VA", 1.7),
           "Santa Barbara": ("CA", 2.0), "Boulder": ("CO", 1.5), "Irvine": ("CA", 1.8), "Burbank": ("CA", 1.9),
           "Glendale": ("CA", 1.85), "Pasadena": ("CA", 1.85), "Long Beach": ("CA", 1.6), "Anaheim": ("CA", 1.65),
           "Santa Clara": ("CA", 2.1), "Sunnyvale": ("CA", 2.2), "San Mateo": ("CA", 2.2), "Cupertino": ("CA", 2.4),
           "Menlo Park": ("CA", 2.5), "Fremont": ("CA", 1.9), "Redwood City": ("CA", 2.1), "Daly City": ("CA", 2.0),
           "Huntington Beach": ("CA", 1.8), "Costa Mesa": ("CA", 1.8), "Newport Beach": ("CA", 2.4), "Malibu": ("CA", 2.9),
           "West Hollywood": ("CA", 2.0), "Culver City": ("CA", 2.0), "Torrance": ("CA", 1.7), "Carlsbad": ("CA", 1.9),
           "Santa Cruz": ("CA", 2.0), "Redmond": ("WA", 1.6), "Kirkland": ("WA", 1.65), "Alexandria": ("VA", 1.6),
           "Bethesda": ("MD", 1.8), "Evanston": ("IL", 1.3), "Stamford": ("CT", 1.6), "White Plains": ("NY", 1.6),
           "Yonkers": ("NY", 1.4), "Newton": ("MA", 1.9), "Quincy": ("MA", 1.6), "Fort Lauderdale": ("FL", 1.6),
           "Coral Gables": ("FL", 1.9), "Naples": ("FL", 1.6), "Aspen": ("CO", 3.0), "Scottsdale": ("AZ", 1.35)}  # fmt: skip


def rent_level(seed: int, city: City) -> float:
    """How dear homes are in a city, against a middling one of the United States."""
    code, name = city["country_code"], city["name"]
    own = city["region_code"] if code == "US" else code
    if code == "US":
        beside = _BESIDE.get(name)
        if beside and beside[0] == own:
            return beside[1]
        known = (
            (_AMERICAN.get(name) or _LEVELS.get(name))
            if _HOMES.get(name, own) == own and name not in _ABROAD
            else None
        )
        country = _STATES.get(own, 0.9)
    else:
        known = _LEVELS.get(name) if _ABROAD.get(name) == code else None
        country = _DEAR.get(code) or _CONTINENTS.get(find_country(code)["continent"], 0.5)
    return known or country * (0.85 + 0.25 * seeds.unit(seed, "rent level", city["id"]))
