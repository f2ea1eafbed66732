"""Cities, regions and countries under the names that they have in the language of a locale."""

import functools
from collections.abc import Mapping

from toolyard.world.kernel.tables import values_of

_CITIES: Mapping[str, Mapping[str, str]] = values_of("local_names.cities")
_REGIONS: Mapping[str, Mapping[str, str]] = values_of("local_names.regions")


def city_name(locale: str, name: str) -> str:
    """A city as the language of a locale calls it; as English does where that is not known."""
    return _CITIES.get(locale[:2], {}).get(name, name)


def region_name(locale: str, name: str) -> str:
    """A region in the same way."""
    return _REGIONS.get(locale[:2], {}).get(name, name)


@functools.lru_cache(maxsize=64)
def _territory_names(language: str) -> Mapping[str, str]:
    from babel import Locale, UnknownLocaleError

    try:
        return Locale(language).territories
    except UnknownLocaleError:
        return {}


def country_name(locale: str, code: str, name: str) -> str:
    """A country in the language of a locale."""
    return name if locale[:2] == "en" else _territory_names(locale[:2]).get(code, name)
