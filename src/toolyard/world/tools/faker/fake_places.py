"""Streets and firms in the way of a country, where the generator of its language would give others."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from faker import Faker

# A word for "and" between the names of partners, which would be an English one.
_AND = {"ar": "و", "hi": "और", "fr": "et"}
# What the names of firms that are made up hold; others are those of firms that exist.
_MADE_UP = {"ru_RU": "«", "tr_TR": "."}
_LONG_STREETS = ("US", "CA", "AU", "MX", "BR")
_NUMBER = re.compile(r"\b0*(\d{1,4})\b")
_DRAWN = 12


def fake_street(fake: Faker, locale: str, *, number: bool) -> str:
    """A street, with a house number or without."""
    own = _own_street(fake, locale, number)
    if own is not None:
        return own
    found = str(fake.street_address() if number else fake.street_name()).replace("\n", ", ")
    found = " ".join(found.replace("Stravenue", "Avenue").replace(" ,", ",").split())
    if locale[:2] == "de" and "-" in found:
        head, blank, last = found.rpartition(" ") if number else (found, "", "")
        found = head.replace(" ", "-") + blank + last
    # Streets of most countries are short: few have a house beyond the two hundredth.
    most = 9999 if locale[-2:] in _LONG_STREETS else 180
    return _NUMBER.sub(lambda found: str((int(found[1]) - 1) % most + 1), found)


def _own_street(fake: Faker, locale: str, number: bool) -> str | None:
    """A street of a country whose generator gives American ones, or those of other cities."""
    house = fake.random.randrange(1, 120)
    if locale == "ja_JP":
        block = "-".join(str(fake.random.randrange(1, 30)) for _ in range(3))
        return f"{fake.town()}{block}" if number else str(fake.town())
    if locale == "tr_TR":
        name = f"{fake.last_name()} {fake.random.choice(('Caddesi', 'Sokak'))}"
        return f"{name} No: {house}" if number else name
    if locale == "ko_KR":
        name = f"{fake.street_name()}로"
        return f"{name} {house}" if number else name
    if locale[:2] == "ar":
        name = f"شارع {fake.last_name()}"
        return f"{name} {house}" if number else name
    return None


def firm_name(fake: Faker, locale: str) -> str:
    """The name of a company; a legal form follows a family name that stands alone."""
    drawn = (str(fake.company()) for _ in range(_DRAWN))
    mark = _MADE_UP.get(locale, "")
    name = next((one for one in drawn if mark in one), f"{fake.last_name()} {mark}".strip())
    joined = _AND.get(locale[:2])
    name = name.replace(" and ", f" {joined} ") if joined else name
    form = {"fr": "SARL", "nl": "BV"}.get(locale[:2])
    return f"{name} {form}" if form and " " not in name else name
