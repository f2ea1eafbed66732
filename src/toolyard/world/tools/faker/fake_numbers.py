"""Invented numbers that follow the ways of a country: phones and tax numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from toolyard.world.kernel.tables import table_texts, values_of
from toolyard.world.reference.places.atlas import country_or_none

if TYPE_CHECKING:
    from faker import Faker


def tax_number(locale: str, number: int) -> str:
    """A number in the form of a country's number for value-added tax, with its check digits; a tax id in the States."""
    text, country = str(number), locale[-2:].upper()
    form = _TAX_FORMS.get(country)
    return form(text) if form else country + text


def _luhn_digit(digits: str) -> str:
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


def _french_vat(text: str) -> str:
    company = text[:8] + _luhn_digit(text[:8])
    return f"FR{(12 + 3 * (int(company) % 97)) % 97:02d}{company}"


def _british_vat(text: str) -> str:
    return f"GB{text[:7]}{97 - _weighted_sum(text[:7], '8765432') % 97:02d}"


def _austrian_vat(text: str) -> str:
    halves = (int(sign) * (1 + n % 2) for n, sign in enumerate(text[:7]))
    return f"ATU{text[:7]}{(96 - sum(value // 10 + value % 10 for value in halves)) % 10}"


_TAX_FORMS: Mapping[str, Callable[[str], str]] = {
    "US": lambda text: f"{text[:2]}-{text[2:]}",
    "IT": lambda text: f"IT{text[:7]}015{_luhn_digit(text[:7] + '015')}",
    "FR": _french_vat,
    "ES": lambda text: f"ESB{text[:7]}{_luhn_digit(text[:7])}",
    "AT": _austrian_vat,
    "NL": lambda text: f"NL{_add_check_digit(text[:8], '98765432')}B01",
    "PL": lambda text: f"PL{_add_check_digit(text, '657234567')}",
    "GB": _british_vat,
}


_FICTION = table_texts("fake_numbers.fiction")


# Area codes of American cities; everywhere in the States 555-0100 to 555-0199 are kept for fiction.
_AREAS: Mapping[str, int] = values_of("fake_numbers.areas")


def fake_phone(fake: Faker, locale: str = "en_US", city: str | None = None) -> str:
    """A number of a range that is kept for fiction, in the country of the locale (in the States: of a city)."""
    code = "" if locale == "en_US" else _calling_code(locale)
    area = _AREAS.get(city or "") or fake.random.choice(tuple(_AREAS.values()))
    form = _FICTION.get(locale, f"+{code} 000 000 {{:03d}}" if code else f"+1-{area}-555-0{{:03d}}")
    return form.format(fake.random.randrange(100, 200))


def _calling_code(locale: str) -> str:
    """The calling code of a locale's country; nothing where it has none of its own."""
    country = country_or_none(locale[-2:])
    return "".join(sign for sign in country["calling_code"] if sign.isdigit()) if country else ""
