"""Invented numbers that follow the ways of a country: phones and tax numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from toolyard.world.reference.places.atlas import country_or_none

if TYPE_CHECKING:
    from faker import Faker


def tax_number(locale: str, number: int) -> str:
    """A number in the form of a country's number for value-added tax, with its check digits; a tax id in the States."""
    text, country = str(number), locale[-2:].upper()
    form = _TAX_FORMS.get(country)
    return form(text) if form else country + text


def _luhn(digits: str) -> str:
    """The digit that makes a number right by Luhn's rule."""
    doubled = (int(sign) * (1 + (len(digits) - n) % 2) for n, sign in enumerate(digits))
    return str(-sum(value - 9 * (value > 9) for value in doubled) % 10)


def _weighted_sum(digits: str, weights: str) -> int:
    """The sum of digits by their weights."""
    return sum(int(sign) * int(weight, 36) for sign, weight in zip(digits, weights, strict=True))


def _add_check_digit(digits: str, weights: str) -> str:
    """Digits with their remainder by eleven behind them; the last digit goes up until that is a single one."""
    while _weighted_sum(digits, weights) % 11 == 10:
        digits = f"{digits[:-1]}{(int(digits[-1]) + 1) % 10}"
    return f"{digits}{_weighted_sum(digits, weights) % 11}"


def _french(text: str) -> str:
    company = text[:8] + _luhn(text[:8])
    return f"FR{(12 + 3 * (int(company) % 97)) % 97:02d}{company}"


def _british(text: str) -> str:
    return f"GB{text[:7]}{97 - _weighted_sum(text[:7], '8765432') % 97:02d}"


def _austrian(text: str) -> str:
    halves = (int(sign) * (1 + n % 2) for n, sign in enumerate(text[:7]))
    return f"ATU{text[:7]}{(96 - sum(value // 10 + value % 10 for value in halves)) % 10}"


_TAX_FORMS: Mapping[str, Callable[[str], str]] = {
    "US": lambda text: f"{text[:2]}-{text[2:]}",
    "IT": lambda text: f"IT{text[:7]}015{_luhn(text[:7] + '015')}",
    "FR": _french,
    "ES": lambda text: f"ESB{text[:7]}{_luhn(text[:7])}",
    "AT": _austrian,
    "NL": lambda text: f"NL{_add_check_digit(text[:8], '98765432')}B01",
    "PL": lambda text: f"PL{_add_check_digit(text, '657234567')}",
    "GB": _british,
}


_FICTION = {
    "de_DE": "+49 171 39200{:03d}", "en_GB": "+44 7700 900{:03d}", "fr_FR": "+33 639 980 {:03d}",
    "es_ES": "+34 600 000 {:03d}", "it_IT": "+39 320 0000{:03d}", "ja_JP": "+81 90 0000 0{:03d}",
    "en_AU": "+61 491 570 {:03d}", "en_CA": "+1 613 555 0{:03d}", "nl_NL": "+31 6 0000 0{:03d}",
    "zh_CN": "+86 139 0000 0{:03d}", "ru_RU": "+7 900 000 0{:03d}", "pl_PL": "+48 500 000 {:03d}",
    "sv_SE": "+46 70 000 0{:03d}", "pt_BR": "+55 11 90000 0{:03d}", "pt_PT": "+351 910 000 {:03d}",
    "ko_KR": "+82 10 0000 0{:03d}", "hi_IN": "+91 90000 00{:03d}", "tr_TR": "+90 500 000 0{:03d}",
    "en_IN": "+91 90000 00{:03d}", "ar_SA": "+966 50 000 0{:03d}", "fr_CA": "+1 514 555 0{:03d}",
    "es_MX": "+52 55 0000 0{:03d}", "de_AT": "+43 660 0000{:03d}", "de_CH": "+41 78 000 0{:03d}",
}  # fmt: skip


# Area codes of American cities; everywhere in the States 555-0100 to 555-0199 are kept for fiction.
_AREAS = {
    "New York": 212, "Los Angeles": 213, "Chicago": 312, "Houston": 713, "Phoenix": 602, "Philadelphia": 215,
    "San Antonio": 210, "San Diego": 619, "Dallas": 214, "San Jose": 408, "Austin": 512, "Jacksonville": 904,
    "Fort Worth": 817, "Columbus": 614, "Charlotte": 704, "San Francisco": 415, "Indianapolis": 317, "Seattle": 206,
    "Denver": 303, "Washington": 202, "Boston": 617, "El Paso": 915, "Nashville": 615, "Detroit": 313,
    "Oklahoma City": 405, "Portland": 503, "Las Vegas": 702, "Memphis": 901, "Louisville": 502, "Baltimore": 410,
    "Milwaukee": 414, "Albuquerque": 505, "Tucson": 520, "Fresno": 559, "Sacramento": 916, "Kansas City": 816,
    "Atlanta": 404, "Omaha": 402, "Miami": 305, "Raleigh": 919, "Minneapolis": 612, "Tulsa": 918, "Tampa": 813,
    "New Orleans": 504, "Cleveland": 216, "Honolulu": 808, "Salt Lake City": 801, "Orlando": 407, "Pittsburgh": 412,
    "Cincinnati": 513, "St. Louis": 314, "Buffalo": 716, "Anchorage": 907,
}  # fmt: skip


def phone(fake: Faker, locale: str = "en_US", city: str | None = None) -> str:
    """A number of a range that is kept for fiction, in the country of the locale (in the States: of a city)."""
    code = "" if locale == "en_US" else _digits_of(locale)
    area = _AREAS.get(city or "") or fake.random.choice(tuple(_AREAS.values()))
    form = _FICTION.get(locale, f"+{code} 000 000 {{:03d}}" if code else f"+1-{area}-555-0{{:03d}}")
    return form.format(fake.random.randrange(100, 200))


def _digits_of(locale: str) -> str:
    """The calling code of a locale's country; nothing where it has none of its own."""
    country = country_or_none(locale[-2:])
    return "".join(sign for sign in country["calling_code"] if sign.isdigit()) if country else ""
