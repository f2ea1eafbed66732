"""Reference: the goods that shops sell, with the ids that all shops agree on, and which stores sell what.

{"product_id": "15955939185450005725", "title": "Northwool Men's Merino Crew Sweater", "brand": "Northwool",
 "category": ["Clothing", "Men", "Sweaters"], "cents": 5900, "specs": {"Material": "100% merino wool"}, ...}
"""

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, TypedDict

from toolyard.world.index import words
from toolyard.world.kernel import seeds
from toolyard.world.kernel.tables import plain, read_table, share_keys, shared_list
from toolyard.world.kernel.types import ProductName, Semantic
from toolyard.world.simulated.product.kinds import article_kinds, kinds_by_name, title_kind

ProductId = Annotated[str, Semantic("shopping_product_id")]
WalmartItemId = Annotated[str, Semantic("walmart_item_id")]
_FIRST_ID = "15955939185450005725"
_BRANDS = ("Brightmoor", "Oakline", "Fernhill", "Kestrel & Co", "Lumaro", "Havenway", "Pebble Lane", "Quillstone",
           "Alderbrook", "Crestwell")  # fmt: skip
_SIZED = re.compile(
    r"(?<![\d/])(?:\b(?:Size|Newborn|Twin|Full|Queen|King)\b(?: \d)?$|\b[\d.,]+ (?:inch|oz|lb|GB|TB|Quart|qt|mm|"
    r"cu\. ft\.|ft|Count|Piece|Pack|Cup|Gallon|Person|Slice|BTU|mAh|ml|L|Rolls|Sheets|Keys|Yard|Mega Rolls|Watt)\b)"
)


class Good(TypedDict):
    """A thing on sale; `cents` is its list price in US cents: in the reference its size, in a world what is drawn."""

    product_id: ProductId
    walmart_item_id: WalmartItemId
    title: ProductName
    brand: str
    category: list[str]
    cents: int
    specs: dict[str, str]
    about: str
    upc: str


class TitledGood(TypedDict):
    """The title of a good and the shelves it stands on."""

    title: ProductName
    category: list[str]


@functools.cache
def shop_catalogue() -> tuple[Good, ...]:
    """The goods of the tables, groceries aside."""
    rows = [
        Good(
            product_id=_FIRST_ID if number == 0 else item_number(20, "good", row["title"]),
            walmart_item_id=item_number(9, "walmart", row["title"]),
            title=_title_with_brand(row),
            brand=row["brand"],
            category=shared_list(*row["category"].split(" > ")),
            cents=round(float(row["price"]) * 100),
            specs=dict(part.split("=", 1) for part in row["specs"].split(";")),
            about=row["about"],
            upc="",
        )
        for number, row in enumerate(read_table("shop_products.tsv"))
    ]
    known = {plain(good["title"]) for good in rows}
    further = {plain(title): (title, shelf, price, about) for title, shelf, price, about in _article_rows()}
    rows += (_make_good(*row) for name, row in further.items() if name not in known)
    return tuple(map(share_keys, rows))


@functools.cache
def titled_goods() -> tuple[TitledGood, ...]:
    """Titles and shelves of all goods, groceries last, without what it takes to build them."""
    rows = [
        (_title_with_brand(row), shared_list(*row["category"].split(" > ")))
        for row in read_table("shop_products.tsv")
    ]
    rows += [(title, shelf) for title, shelf, _, _ in _article_rows()]
    rows += [
        (f"{brand} {row['title']}", shared_list("Groceries", *row["path"].split(" > ")))
        for row in read_table("food_products.tsv")
        for brand in row["brands"].split(",")
    ]
    once = {plain(title): TitledGood(title=title, category=shelf) for title, shelf in rows}
    return tuple(map(share_keys, once.values()))


def _title_with_brand(row: dict[str, str]) -> str:
    return f"{row['brand']} {row['title'].removeprefix(row['brand']).strip()}"


def _article_rows() -> Iterator[tuple[str, list[str], float, str]]:
    """Title, shelves, size of the price and text of well-known articles, then of everyday things."""
    for row in read_table("more_products.tsv"):
        for pair in row["goods"].split(";"):
            title, _, price = pair.rpartition("|")
            yield title, shared_list(*row["category"].split(" > ")), float(price), row["told"] or row["about"]
    for kind in article_kinds():
        yield from ((title, shared_list(*kind.category), price, kind.about) for title, price in kind.goods)
    for row in read_table("plain_articles.tsv"):
        for name in row["names"].split(";"):
            if tuple(words(name)) in kinds_by_name():
                continue
            start = seeds.number("makers of", name)
            for turn in range(3):
                title = f"{_BRANDS[(start + turn) % len(_BRANDS)]} {name.title()}"
                yield (
                    title,
                    shared_list(*row["category"].split(" > ")),
                    (int(row["low"]) * int(row["high"])) ** 0.5,
                    name,
                )


def _make_good(title: str, shelf: list[str], price: float, about: str) -> Good:
    size, maker = _SIZED.search(title), brand_of_title(title, shelf)
    specs = {"Kind": title_kind(title, shelf[0]), "Brand": maker, "Size": size[0] if size else ""}
    return Good(
        product_id=item_number(20, "good", title),
        walmart_item_id=item_number(9, "walmart", title),
        title=title,
        brand=maker,
        category=shelf,
        cents=round(price * 100),
        specs=share_keys({key: value for key, value in specs.items() if value}),
        about=about,
        upc="",
    )


def brand_of_title(title: str, shelf: Sequence[str]) -> str:
    """The brand with which a title begins; games, books and fresh food do not tell it."""
    first = title.split()[0]
    if (
        shelf[-1] == "Video Games"
        or "Video Game" in title
        or shelf[0] == "Books"
        or first in ("Fresh", "All")
    ):
        return ""
    return next((name for name in _makers_of_words().get(first, ()) if title.startswith(f"{name} ")), first)


@functools.cache
def _makers_of_words() -> Mapping[str, list[str]]:
    """First word -> the makers whose names have more words than this one."""
    found: dict[str, list[str]] = {}
    names = [name for row in read_table("maker_names.tsv") for name in row["names"].split(";")]
    for name in (*names, *(brand for brand in _BRANDS if " " in brand)):
        found.setdefault(name.split()[0], []).append(name)
    return found


@functools.cache
def _stores() -> Mapping[str, tuple[str, ...]]:
    """Brand, or shelf -> the stores that have it."""
    return {
        name: tuple(row["stores"].split(";"))
        for row in read_table("brand_stores.tsv")
        for name in row["brands"].split(";")
    }


def stores_selling(brand: str, shelf: str) -> tuple[str, ...]:
    """The stores that sell a brand of a shelf: those that alone have the brand, else the large ones of the shelf."""
    return _stores().get(brand) or _stores().get(f"shelf {shelf}") or _stores()["shelf"]


def item_number(length: int, *parts: object) -> str:
    """A number of so many digits that follows from what it stands for."""
    return str(10 ** (length - 1) + seeds.number(*parts) % (9 * 10 ** (length - 1)))
