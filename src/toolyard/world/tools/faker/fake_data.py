"""Faker/fake_data: invented rows for tests, of ten kinds or with fields of one's own."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypedDict, TypeVar, Unpack

from toolyard.world.kernel.faults import invalid
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import table_texts, table_words, values_of
from toolyard.world.kernel.types import JsonValue, PastDate, Range, Semantic, Unit
from toolyard.world.reference.days import parse_date
from toolyard.world.reference.places.geography import City, countries
from toolyard.world.tools.faker import fake_rows as rows
from toolyard.world.tools.faker.fake_codes import city_postcode
from toolyard.world.tools.faker.fake_numbers import fake_phone, tax_number
from toolyard.world.tools.faker.fake_places import fake_street, firm_name

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


GROUP = Group("Faker/fake_data")
# Only some locales have names and places to draw from.
LocaleCode = Annotated[str, Semantic("faker_locale")]
Resource = Literal[
    "addresses",
    "books",
    "companies",
    "credit_cards",
    "images",
    "persons",
    "places",
    "products",
    "texts",
    "users",
]
Quantity = Annotated[int, Range(1, 100)]
Birthday = Annotated[str, Semantic("last_birthday", r"\d{4}-\d{2}-\d{2}")]
Price = Annotated[float, Range(0, 1_000_000), Unit("EUR")]
Pixels = Annotated[int, Range(1, 4000), Unit("px")]
ImageKind = Literal["any", "animals", "architecture", "nature", "people", "tech", "kittens", "pokemon"]
_LOCALE = re.compile(r"([a-z]{2})[_-]([A-Za-z]{2})")


class FakeData(TypedDict):
    locale: LocaleCode
    quantity: int
    data: (
        list[rows.Address]
        | list[rows.Book]
        | list[rows.Company]
        | list[rows.CreditCard]
        | list[rows.Image]
        | list[rows.Person]
        | list[rows.PlaceRow]
        | list[rows.Product]
        | list[rows.Text]
        | list[rows.User]
    )


class CustomData(TypedDict):
    locale: LocaleCode
    rows: list[dict[str, JsonValue]]


def _checked_locale(text: str) -> str:
    found = _LOCALE.fullmatch(text.strip())
    # The original service writes en_EN for English in general.
    name = f"{found[1]}_{found[2].upper()}" if found else ""
    name = {"en_EN": "en_US"}.get(name, name)
    try:
        rows.locale_faker(name or "none")
    except (AttributeError, ImportError, ValueError):
        raise invalid(
            "_locale", text[:40], "want a locale such as en_US, de_DE, fr_FR, es_ES, it_IT or ja_JP"
        ) from None
    return name


def _make_generator(world: World, locale: str, seed: int | None) -> Any:
    fake = rows.locale_faker(locale)
    fake.seed_instance(seed if seed is not None else world.draw("faker").getrandbits(48))
    return fake


class Options(TypedDict, total=False):
    """What the rows shall be like.

    _locale: Language and country of names and filler texts, e.g. de_DE; en_US by default. Cities and
        products are named in English, and texts are mock Latin where a language has none.
    _quantity: How many rows, 5 by default.
    _seed: Number that always gives the same rows; other rows each time without it.
    _type: For images, what they show.
    _width: For images, their width, 640 by default.
    _height: For images, their height, 480 by default.
    _gender: For persons and users, only this gender.
    _birthday_start: For persons, the earliest birthday, 1934-01-01 by default.
    _birthday_end: For persons, the latest birthday, today by default.
    _price_min: For products, the lowest net price, 0.01 by default.
    _price_max: For products, the highest net price, 1000 by default.
    _taxes: For products, the tax on the net price, 22 by default.
    _categories_type: For products, how categories are written, integer by default.
    _characters: For texts, their greatest length, 200 by default.
    """

    _locale: LocaleCode
    _quantity: Quantity
    _seed: int
    _type: ImageKind
    _width: Pixels
    _height: Pixels
    _gender: Literal["male", "female"]
    _birthday_start: PastDate
    _birthday_end: Birthday
    _price_min: Price
    _price_max: Price
    _taxes: Annotated[float, Range(0, 100), Unit("%")]
    _categories_type: Literal["integer", "string", "uuid"]
    _characters: Annotated[int, Range(5, 5000)]


def _row_options(world: World, options: Options) -> rows.RowOptions:
    chosen = rows.RowOptions(
        locale=_checked_locale(options.get("_locale", "en_US")),
        kind=options.get("_type", "any"),
        width=options.get("_width", 640),
        height=options.get("_height", 480),
        gender=options.get("_gender"),
        birthday_start=parse_date(options.get("_birthday_start", "1934-01-01"), "_birthday_start"),
        birthday_end=parse_date(options.get("_birthday_end", world.today.isoformat()), "_birthday_end"),
        price_min=options.get("_price_min", 0.01),
        price_max=options.get("_price_max", 1000.0),
        taxes=options.get("_taxes", 22.0),
        categories=options.get("_categories_type", "integer"),
        characters=options.get("_characters", 200),
    )
    if chosen.birthday_end > world.today:
        end = chosen.birthday_end.isoformat()
        raise invalid("_birthday_end", end, f"nobody is born after today, {world.today.isoformat()}")
    if chosen.birthday_start > chosen.birthday_end:
        start = chosen.birthday_start.isoformat()
        raise invalid(
            "_birthday_start", start, f"must not be after _birthday_end={chosen.birthday_end.isoformat()}"
        )
    if chosen.price_min > chosen.price_max:
        raise invalid("_price_min", chosen.price_min, f"must not be above _price_max={chosen.price_max:g}")
    return chosen


@GROUP.tool(
    examples=[{"resource": kind, "_quantity": 2} for kind in rows.MAKERS],
    phrase=(
        "generate made-up test data for {resource}[ in the locale {_locale}][, with the number of rows set "
        "to {_quantity}][, with the random seed {_seed}]"
    ),
    noun="the made-up test data",
    described_as="Invents rows of data of one kind, e.g. persons or products, to fill a test system.",
)
def fake_data(world: World, *, resource: Resource, **options: Unpack[Options]) -> FakeData:
    """Rows of data drawn by chance, e.g. persons or products, for filling a test system; nothing in them is real.

    resource: What the rows are about.
    """
    chosen = _row_options(world, options)
    quantity = options.get("_quantity", 5)
    fake = _make_generator(world, chosen.locale, options.get("_seed"))
    found = [rows.MAKERS[resource](fake, chosen) for _ in range(quantity)]
    return {"locale": chosen.locale, "quantity": quantity, "data": found}


@GROUP.tool(
    examples=[
        {"custom_fields": {"user": "name", "mail": "email", "born": "date"}, "_quantity": 3, "_seed": 7},
        {"custom_fields": {"user": "name", "town": "city"}, "_quantity": 3},
    ],
    phrase=(
        "generate made-up test data with these custom fields and types: {custom_fields}[, with the number of "
        "rows set to {_quantity}][, in the locale {_locale}][, with the random seed {_seed}]"
    ),
    noun="the test data with custom fields",
    described_as="Invents rows of data whose fields the caller names and types.",
)
def fake_data_custom(
    world: World,
    *,
    custom_fields: dict[str, str],
    _locale: LocaleCode = "en_US",
    _quantity: Quantity = 5,
    _seed: int | None = None,
) -> CustomData:
    """Rows of invented data whose fields the caller names and types.

    custom_fields: Name of each field and its type, e.g. {"p": "pokemon"}; types such as name, email, date, city,
        country_code, uuid, number, text, latitude, phone, ip, job and boolean.
    _locale: Language and country of names, places and texts, e.g. en_US or de_DE; jobs are English where a
        language has none.
    _quantity: How many rows.
    _seed: Number that always gives the same rows; other rows each time without it.
    """
    if not 1 <= len(custom_fields) <= 30:
        raise invalid("custom_fields", f"{len(custom_fields)} fields", "want 1 to 30")
    kinds = {name: field_kind(kind) for name, kind in custom_fields.items()}
    locale = _checked_locale(_locale)
    fake = _make_generator(world, locale, _seed)
    found = [custom_row(n, kinds, fake, locale) for n in range(1, _quantity + 1)]
    return {"locale": locale, "rows": found}
