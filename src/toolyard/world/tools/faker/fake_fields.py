"""The fields of rows whose types the caller chooses; those of one row belong to one person, one place and one card."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from datetime import date
from typing import TYPE_CHECKING, Any, TypeVar

from toolyard.world.kernel.faults import invalid
from toolyard.world.kernel.tables import table_texts, table_words
from toolyard.world.reference.places.geography import City, countries
from toolyard.world.tools.faker import fake_rows as rows
from toolyard.world.tools.faker.fake_codes import city_postcode
from toolyard.world.tools.faker.fake_numbers import fake_phone, tax_number
from toolyard.world.tools.faker.fake_places import fake_street, firm_name
from toolyard.world.tools.faker.local_names import city_name, country_name, region_name

if TYPE_CHECKING:
    from faker import Faker

Made = TypeVar("Made")
_POKEMON = table_words("fake_fields.pokemon")
# Types that nothing else of their row bears on.
_LOOSE: Mapping[str, Callable[[Faker], object]] = {
    "boolean": lambda fake: fake.random.random() < 0.5,
    "boolean_digit": lambda fake: fake.random.randrange(2),
    "building_number": lambda fake: fake.building_number(),
    "card_expiration": lambda fake: f"{fake.random.randrange(1, 13):02d}/{fake.random.randrange(25, 31)}",
    "date": lambda fake: rows.draw_day(fake, date(2000, 1, 1), date(2024, 5, 15)),
    "date_time": lambda fake: (
        f"{rows.draw_day(fake, date(2000, 1, 1), date(2024, 5, 14))}T{fake.random.randrange(24):02d}:00:00Z"
    ),
    "ean": lambda fake: fake.ean13(),
    "image": lambda fake: f"https://images.example/any/{fake.random.randrange(1000)}-640x480.jpg",
    "long_text": lambda fake: fake.text(max_nb_chars=600),
    "null": lambda _: None,
    "number": lambda fake: fake.random.randrange(1000),
    "pokemon": lambda fake: fake.random.choice(_POKEMON),
    "text": lambda fake: fake.text(max_nb_chars=150),
    "upc": lambda fake: _upc_code(fake.random.randrange(10**10, 10**11)),
    "uuid": lambda fake: fake.uuid4(),
    "word": lambda fake: fake.word(),
    "ip": lambda fake: fake.ipv4_public(),
    "job": lambda fake: _single_form(str(fake.job())),
}
# Types that are called otherwise elsewhere.
_ALIASES = table_texts("fake_fields.aliases")
_PLACED = ("city", "state", "postcode", "latitude", "longitude")
_CARDS = {"Visa": "visa", "Mastercard": "mastercard", "American Express": "amex"}


# Jobs that the generator cuts short.
_CUT_SHORT = {"Copy": "Copywriter", "Make": "Make-up artist"}


def _single_form(job: str) -> str:
    """A job without the second form of a word that some have: biomédical biomédicale."""
    words = _CUT_SHORT.get(job, job).split()
    twice = (len(one) > 3 and other.startswith(one) for one, other in zip(["", *words], words, strict=False))
    return " ".join(word for word, again in zip(words, twice, strict=True) if not again)


def _upc_code(number: int) -> str:
    """Eleven digits and the one that checks them."""
    digits = str(number)
    return f"{digits}{-sum(int(sign) * (1 if n % 2 else 3) for n, sign in enumerate(digits)) % 10}"


class _Row:
    """One row while it is made: its first name, mail and user name are those of one person, its second ones of another."""

    def __init__(self, fake: Faker, locale: str, kinds: Collection[str]) -> None:
        self.fake, self.locale = fake, locale
        self.kinds = frozenset(kinds)
        self.placed = any(kind in _PLACED for kind in kinds)
        self.known: dict[tuple[str, int], Any] = {}

    def _once(self, what: str, turn: int, made: Callable[[], Made]) -> Made:
        if (what, turn) not in self.known:
            self.known[what, turn] = made()
        found: Made = self.known[what, turn]
        return found

    def person(self, turn: int) -> tuple[str, str]:
        """First and last name."""

        def made() -> tuple[str, str]:
            if self.fake.random.random() < 0.5:
                return self.fake.first_name_female(), self.fake.last_name_female()
            return self.fake.first_name_male(), self.fake.last_name_male()

        return self._once("person", turn, made)

    def mail(self, turn: int) -> str:
        return str(self._once("mail", turn, lambda: rows.mail(self.fake, " ".join(self.person(turn)))))

    def place(self, turn: int) -> City:
        return self._once("place", turn, lambda: rows.draw_city(self.fake, self.locale))

    def country(self, turn: int) -> tuple[str, str]:
        """Code and name; that of the city, where the row has one."""
        if self.placed:
            city = self.place(turn)
            return city["country_code"], country_name(self.locale, city["country_code"], city["country"])
        found = self._once("country", turn, lambda: self.fake.random.choice(countries()))
        return found["code"], country_name(self.locale, found["code"], found["name"])

    def degrees(self, which: str, turn: int) -> float:
        middle = self.place(turn)["latitude" if which == "latitude" else "longitude"]
        return round(middle + float(self.fake.random.uniform(-0.05, 0.05)), 5)

    def firm(self, turn: int) -> str:
        return str(self._once("firm", turn, lambda: firm_name(self.fake, self.locale)))

    def website(self, turn: int) -> str:
        """The site of the row's company, else of its person, else any."""
        number = self.fake.random.randrange(1000)
        if "company_name" in self.kinds:
            return f"https://www.{rows.firm_domain(self.firm(turn), number)}.example"
        if self.kinds & {"name", "first_name", "last_name", "email", "username"}:
            return f"https://{self.mail(turn).partition('@')[0].replace('.', '-')}.example"
        return f"https://www.{self.fake.random.choice(('north', 'blue', 'quick'))}{number}.example"

    def card(self, turn: int) -> tuple[str, str]:
        """Kind and number of a card."""
        kind = self._once("card", turn, lambda: self.fake.random.choice(tuple(_CARDS)))
        return kind, self._once("number", turn, lambda: self.fake.credit_card_number(_CARDS[kind]))


_JOINED: Mapping[str, Callable[[_Row, int], object]] = {
    "card_number": lambda row, turn: row.card(turn)[1],
    "card_type": lambda row, turn: row.card(turn)[0],
    "city": lambda row, turn: city_name(row.locale, row.place(turn)["name"]),
    "company_name": lambda row, turn: row.firm(turn),
    "country": lambda row, turn: row.country(turn)[1],
    "country_code": lambda row, turn: row.country(turn)[0],
    "email": lambda row, turn: row.mail(turn),
    "first_name": lambda row, turn: row.person(turn)[0],
    "last_name": lambda row, turn: row.person(turn)[1],
    "latitude": lambda row, turn: row.degrees("latitude", turn),
    "longitude": lambda row, turn: row.degrees("longitude", turn),
    "name": lambda row, turn: rows.full_name(row.locale, *row.person(turn)),
    "phone": lambda row, turn: fake_phone(row.fake, row.locale, row.place(turn)["name"]),
    "postcode": lambda row, turn: city_postcode(row.place(turn), row.fake.postcode()),
    "state": lambda row, turn: region_name(row.locale, row.place(turn)["region"]),
    "street_address": lambda row, _: fake_street(row.fake, row.locale, number=True),
    "street_name": lambda row, _: fake_street(row.fake, row.locale, number=False),
    "username": lambda row, turn: row.mail(turn).partition("@")[0],
    "website": lambda row, turn: row.website(turn),
    "vat": lambda row, _: tax_number(row.locale, row.fake.random.randrange(10**8, 10**9)),
}


def field_kind(text: str) -> str:
    """The type of a field, in either spelling: firstName or first_name."""
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", str(text).strip()).lower()
    name = _ALIASES.get(name, name)
    if name != "counter" and name not in _LOOSE and name not in _JOINED:
        known = ", ".join([*sorted((*_LOOSE, *_JOINED)), "counter"])
        raise invalid("custom_fields", str(text)[:40], f"the types are {known}")
    return name


def custom_row(number: int, kinds: Mapping[str, str], fake: Faker, locale: str) -> dict[str, object]:
    """A row with a field of each kind; fields of the same kind are of different people, places or cards."""
    row, turns = _Row(fake, locale, kinds.values()), Counter[str]()
    found: dict[str, object] = {}
    for name, kind in kinds.items():
        if kind == "counter":
            found[name] = number
        elif kind in _LOOSE:
            found[name] = _LOOSE[kind](fake)
        else:
            found[name] = _JOINED[kind](row, turns[kind])
            turns[kind] += 1
    return found
