"""Names of streets as they are in the language of a country, and how an address is written there."""

from collections.abc import Mapping

from toolyard.world.kernel.tables import table_texts, values_of

_NAMES: Mapping[str, tuple[str, ...]] = values_of("streets.names")
_LANGUAGES = {
    country: language
    for language, countries in table_texts("streets.countries").items()
    for country in countries.split()
}
_NUMBER_FIRST = ("English", "French", "Chinese", "Arabic", "Vietnamese")
COUNT = len(_NAMES["English"])


def street_address(country: str, number: int, place: int) -> str:
    """House number and street of a country (by code): `Hauptstraße 12`, `12 rue de la Gare`, `3-4-12 Honcho`."""
    language = _LANGUAGES.get(country, "English")
    name = _NAMES[language][place % COUNT]
    name = name.replace("ß", "ss") if country in ("CH", "LI") else name
    if language == "Japanese":
        return f"{number % 6 + 1}-{number % 19 + 1}-{number % 13 + 1} {name}"
    return f"{number} {name}" if language in _NUMBER_FIRST else f"{name} {number}"
