"""Invented numbers that follow the ways of a country: phones and tax numbers."""

from __future__ import annotations

from typing import Any

from toolyard.world.shared.atlas import country_or_none


def tax_number(locale: str, number: int) -> str:
    """A number in the form of a country's number for value-added tax; of a tax id in the United States."""
    text, country = str(number), locale[-2:].upper()
    forms = {
        "US": f"{text[:2]}-{text[2:]}",
        "IT": f"IT{text}{number % 97:02d}",
        "FR": f"FR{number % 97:02d}{text}",
        "ES": f"ESB{text[:8]}",
        "AT": f"ATU{text[:8]}",
        "NL": f"NL{text}B01",
        "PL": f"PL{text}{number % 10}",
    }
    return forms.get(country, country + text)


_FICTION = {
    "de_DE": "+49 171 39200{:03d}", "en_GB": "+44 7700 900{:03d}", "fr_FR": "+33 639 980 {:03d}",
    "es_ES": "+34 600 000 {:03d}", "it_IT": "+39 320 0000{:03d}", "ja_JP": "+81 90 0000 0{:03d}",
    "en_AU": "+61 491 570 {:03d}", "en_CA": "+1 613 555 0{:03d}", "nl_NL": "+31 6 0000 0{:03d}",
    "zh_CN": "+86 139 0000 0{:03d}", "ru_RU": "+7 900 000 0{:03d}", "pl_PL": "+48 500 000 {:03d}",
    "sv_SE": "+46 70 000 0{:03d}", "pt_BR": "+55 11 90000 0{:03d}", "pt_PT": "+351 910 000 {:03d}",
    "ko_KR": "+82 10 0000 0{:03d}", "hi_IN": "+91 90000 00{:03d}", "tr_TR": "+90 500 000 0{:03d}",
    "es_MX": "+52 55 0000 0{:03d}", "de_AT": "+43 660 0000{:03d}", "de_CH": "+41 78 000 0{:03d}",
}  # fmt: skip


def phone(fake: Any, locale: str = "en_US") -> str:
    """A number of a range that is kept for fiction, in the country of the locale where it has one."""
    code = "" if locale == "en_US" else _digits_of(locale)
    form = _FICTION.get(locale, f"+{code} 000 000 {{:03d}}" if code else "+1-202-555-0{:03d}")
    return form.format(fake.random.randrange(100, 200))


def _digits_of(locale: str) -> str:
    """The calling code of a locale's country; nothing where it has none of its own."""
    country = country_or_none(locale[-2:])
    return "".join(sign for sign in country["calling_code"] if sign.isdigit()) if country else ""
