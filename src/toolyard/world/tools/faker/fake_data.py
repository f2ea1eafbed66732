"""Faker/fake_data: invented rows for tests, of ten kinds or with fields of one's own."""

import re
from typing import Annotated, Any, Literal, TypedDict, Unpack

from toolyard.world.kernel.faults import invalid
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.types import JsonValue, PastDate, Range, Semantic, Unit
from toolyard.world.reference.days import parse_date
from toolyard.world.tools.faker import fake_rows as rows
from toolyard.world.tools.faker.fake_fields import custom_row, field_kind

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
