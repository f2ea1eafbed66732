"""Rows of invented data: what each resource consists of, made by Faker from a number."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, TypedDict

from toolyard.world.kernel.tables import plain, table_words, values_of
from toolyard.world.kernel.types import (
    Amount,
    CityName,
    CountryCode,
    CountryName,
    EmailAddress,
    FirstName,
    IpAddress,
    IsoDate,
    Latitude,
    Longitude,
    PersonName,
    PhoneNumber,
    PostalCode,
    Prose,
    Url,
)
from toolyard.world.reference.places.geography import City, cities
from toolyard.world.tools.faker.fake_codes import city_postcode
from toolyard.world.tools.faker.fake_numbers import fake_phone, tax_number
from toolyard.world.tools.faker.fake_places import fake_street, firm_name

GENRES = ("Novel", "Thriller", "Poetry", "History", "Science", "Travel", "Biography")
_ADJECTIVES = (
    "Silent Hidden Golden Lost Distant Broken Secret Endless Burning Quiet Crooked Narrow Forgotten".split()
)
_NOUNS = "Harbour Garden River Letter Winter Mirror Island Promise Journey Orchard Lantern Staircase Ferry Bridge".split()
_PLACES = table_words("fake_books.places")
_THINGS = table_words("fake_books.things")
_STUDIES = table_words("fake_books.studies")
# Forms of a title by kind of book; further ones than those of a novel would be odd for it.
_FORMS: Mapping[str, tuple[str, ...]] = values_of("fake_books.forms")
_ONE = frozenset({"Moss", "Rust", "Sleep", "Dust", "Ice", "Sound", "Colour"})


def book_title(fake: Any, genre: str) -> str:
    """An English title for a book of a kind."""
    noun, other = fake.random.sample(_NOUNS, 2)
    study = fake.random.choice(_STUDIES)
    form = fake.random.choice(_FORMS[genre])
    if study in _ONE:
        form = form.replace("Matter", "Matters")
    return str(
        form.format(
            adjective=fake.random.choice(_ADJECTIVES),
            noun=noun,
            other=other,
            place=fake.random.choice(_PLACES),
            thing=fake.random.choice(_THINGS),
            study=study,
            name=fake.last_name(),
        )
    )


if TYPE_CHECKING:
    from faker import Faker


class Address(TypedDict):
    street: str
    postcode: PostalCode
    city: CityName
    country: CountryName
    country_code: CountryCode
    latitude: Latitude
    longitude: Longitude


class Book(TypedDict):
    title: str
    author: PersonName
    isbn: str
    published: IsoDate
    genre: str


class Company(TypedDict):
    company_name: str
    vat: str
    email: EmailAddress
    phone: PhoneNumber
    website: Url
    city: CityName


class CreditCard(TypedDict):
    card_type: str
    number: str
    expiration: str
    owner: PersonName


class Image(TypedDict):
    title: str
    url: Url
    width: int
    height: int


class Person(TypedDict):
    name: PersonName
    first_name: FirstName
    last_name: str
    gender: str
    birthday: IsoDate
    email: EmailAddress
    phone: PhoneNumber
    city: CityName


class PlaceRow(TypedDict):
    place_name: str
    city: CityName
    country_code: CountryCode
    latitude: Latitude
    longitude: Longitude


class Product(TypedDict):
    product_name: str
    ean: str
    net_price: Amount
    taxes: float
    price: Amount
    categories: list[int] | list[str]


class Text(TypedDict):
    title: str
    content: Prose


class User(TypedDict):
    uuid: str
    username: str
    name: PersonName
    email: EmailAddress
    ip: IpAddress
    website: Url


@dataclass(frozen=True, slots=True)
class RowOptions:
    """What the optional parameters of the tool say."""

    locale: str
    kind: str
    width: int
    height: int
    gender: str | None
    birthday_start: date
    birthday_end: date
    price_min: float
    price_max: float
    taxes: float
    categories: str
    characters: int


@functools.lru_cache(maxsize=32)
def locale_faker(locale: str) -> Faker:
    """The generator of a locale; AttributeError for an unknown one."""
    from faker import Faker

    return Faker(locale)


def draw_city(fake: Faker, locale: str) -> City:
    own = [city for city in cities() if city["country_code"] == locale[-2:].upper()]
    found: City = fake.random.choice(own or cities()[:100])
    return found


def mail(fake: Faker, name: str) -> str:
    """A mail address made of a name."""
    # Letters that no mail address has (a Chinese or Arabic name) leave a neutral word.
    parts = [
        "".join(sign for sign in plain(part) if sign.isascii() and sign.isalnum()) for part in name.split()
    ]
    local = ".".join(part for part in parts if part) or "user"
    return f"{local}{fake.random.randrange(1, 1000)}@example.org"


def draw_day(fake: Faker, first: date, last: date) -> str:
    """A day between two days."""
    return (first + timedelta(days=fake.random.randrange((last - first).days + 1))).isoformat()


def _fake_address(fake: Faker, options: RowOptions) -> Address:
    city = draw_city(fake, options.locale)
    return {
        "street": fake_street(fake, options.locale, number=True),
        "postcode": city_postcode(city, fake.postcode()),
        "city": city["name"],
        "country": city["country"],
        "country_code": city["country_code"],
        "latitude": round(city["latitude"] + fake.random.uniform(-0.05, 0.05), 5),
        "longitude": round(city["longitude"] + fake.random.uniform(-0.05, 0.05), 5),
    }


def _fake_title(fake: Faker, options: RowOptions, genre: str) -> str:
    """The title of a book: an English one that fits its kind, else words of the language."""
    if options.locale.startswith("en"):
        return book_title(fake, genre)
    words = [word for word in fake.words(6) if len(word) > 2][:3]
    return " ".join(words).capitalize()


def _format_isbn(drawn: str) -> str:
    """A number of thirteen digits with a right check digit, in groups."""
    digits = "".join(sign for sign in drawn if sign.isdigit())[:12].ljust(12, "0")
    check = -sum(int(sign) * (3 if n % 2 else 1) for n, sign in enumerate(digits)) % 10
    return f"{digits[:3]}-{digits[3]}-{digits[4:8]}-{digits[8:]}-{check}"


def _fake_book(fake: Faker, options: RowOptions) -> Book:
    genre = fake.random.choice(GENRES)
    return {
        "title": _fake_title(fake, options, genre),
        "author": fake.name(),
        "isbn": _format_isbn(fake.isbn13()),
        "published": draw_day(fake, date(1975, 1, 1), date(2024, 1, 1)),
        "genre": genre,
    }


def firm_domain(name: str, number: int) -> str:
    """A domain that sounds like the name of a firm; one with a number where the name has no Latin letters."""
    return (
        "".join(sign for sign in plain(name) if sign.isascii() and sign.isalnum())[:20]
        or f"firm{number % 10**5}"
    )


def _fake_company(fake: Faker, options: RowOptions) -> Company:
    name, number = firm_name(fake, options.locale), fake.random.randrange(10**8, 10**9)
    domain, city = firm_domain(name, number), draw_city(fake, options.locale)
    return {
        "company_name": name,
        "vat": tax_number(options.locale, number),
        "email": f"info@{domain}.example",
        "phone": fake_phone(fake, options.locale, city["name"]),
        "website": f"https://www.{domain}.example",
        "city": city["name"],
    }


def _fake_card(fake: Faker, options: RowOptions) -> CreditCard:
    kind = fake.random.choice(("Visa", "Mastercard", "American Express"))
    return {
        "card_type": kind,
        "number": fake.credit_card_number({"Visa": "visa", "Mastercard": "mastercard"}.get(kind, "amex")),
        "expiration": f"{fake.random.randrange(1, 13):02d}/{fake.random.randrange(25, 31)}",
        "owner": fake.name(),
    }


def _fake_image(fake: Faker, options: RowOptions) -> Image:
    number = fake.random.randrange(1, 1000)
    return {
        "title": f"{options.kind.capitalize() if options.kind != 'any' else 'Picture'} {number}",
        "url": f"https://images.example/{options.kind}/{number}-{options.width}x{options.height}.jpg",
        "width": options.width,
        "height": options.height,
    }


def _fake_person(fake: Faker, options: RowOptions) -> Person:
    gender = options.gender or fake.random.choice(("female", "male"))
    first = fake.first_name_female() if gender == "female" else fake.first_name_male()
    last, city = fake.last_name(), draw_city(fake, options.locale)
    return {
        "name": full_name(options.locale, first, last),
        "first_name": first,
        "last_name": last,
        "gender": gender,
        "birthday": draw_day(fake, options.birthday_start, options.birthday_end),
        "email": mail(fake, f"{first} {last}"),
        "phone": fake_phone(fake, options.locale, city["name"]),
        "city": city["name"],
    }


def full_name(locale: str, first: str, last: str) -> str:
    """A name in the order of its language: the family name comes first in some."""
    if locale[:2] in ("zh", "ko"):  # written without a blank
        return f"{last}{first}"
    return f"{last} {first}" if locale[:2] in ("ja", "vi", "hu") else f"{first} {last}"


def _fake_place(fake: Faker, options: RowOptions) -> PlaceRow:
    city = draw_city(fake, options.locale)
    kind = fake.random.choice(("Park", "Library", "Museum", "Market", "Theatre", "Station"))
    return {
        "place_name": f"{fake.last_name()} {kind}",
        "city": city["name"],
        "country_code": city["country_code"],
        "latitude": round(city["latitude"] + fake.random.uniform(-0.05, 0.05), 5),
        "longitude": round(city["longitude"] + fake.random.uniform(-0.05, 0.05), 5),
    }


_LOOKS = ("Compact", "Classic", "Light", "Sturdy", "Simple", "Large", "Small", "Modern")
_CATEGORIES = ("Home", "Garden", "Office", "Sport", "Kitchen", "Toys")
# Goods: what they are made of, where a shop puts them (numbers of categories), and what they mostly cost.
_WARES: Mapping[str, tuple[tuple[str, ...], tuple[int, int], tuple[int, int]]] = values_of("fake_rows.wares")


def _fake_product(fake: Faker, options: RowOptions) -> Product:
    low, high = options.price_min, options.price_max
    fitting = [name for name, (_, _, costs) in _WARES.items() if costs[0] <= high and low <= costs[1]]
    ware = fake.random.choice(fitting or tuple(_WARES))
    materials, numbers, costs = _WARES[ware]
    if fitting:
        low, high = max(low, costs[0]), min(high, costs[1])
    net = round(fake.random.uniform(low, high), 2)
    shown: Mapping[str, list[str] | list[int]] = {
        "integer": [number + 1 for number in numbers],
        "string": [_CATEGORIES[number] for number in numbers],
        "uuid": [fake.uuid4() for _ in numbers],
    }
    return {
        "product_name": f"{fake.random.choice(_LOOKS)} {fake.random.choice(materials)} {ware}",
        "ean": fake.ean13(),
        "net_price": net,
        "taxes": options.taxes,
        "price": round(net * (1 + options.taxes / 100), 2),
        "categories": shown[options.categories],
    }


def _fake_text(fake: Faker, options: RowOptions) -> Text:
    return {"title": fake.sentence(nb_words=4), "content": fake.text(max_nb_chars=max(options.characters, 5))}


def _fake_user(fake: Faker, options: RowOptions) -> User:
    female = (options.gender or fake.random.choice(("female", "male"))) == "female"
    first = fake.first_name_female() if female else fake.first_name_male()
    name = full_name(options.locale, first, fake.last_name())
    address = mail(fake, name)
    return {
        "uuid": fake.uuid4(),
        "username": address.split("@")[0],
        "name": name,
        "email": address,
        "ip": fake.ipv4_public(),
        "website": f"https://{address.split('@')[0].replace('.', '-')}.example",
    }


MAKERS: Mapping[str, Callable[[Faker, RowOptions], Any]] = {
    "addresses": _fake_address,
    "books": _fake_book,
    "companies": _fake_company,
    "credit_cards": _fake_card,
    "images": _fake_image,
    "persons": _fake_person,
    "places": _fake_place,
    "products": _fake_product,
    "texts": _fake_text,
    "users": _fake_user,
}
