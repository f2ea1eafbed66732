"""The table of goods that American shops sell, with the ids that all shops agree on.

{"product_id": "15955939185450005725", "title": "Northwool Men's Merino Crew Sweater", "brand": "Northwool",
 "category": ["Clothing", "Men", "Sweaters"], "cents": 5900, "specs": {"Material": "100% merino wool"}, ...}
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import Annotated, TypedDict

from toolyard.world import seeds
from toolyard.world.shared.geography import read_table
from toolyard.world.tables import plain
from toolyard.world.types import ProductName, Semantic
from toolyard.world.worlds.product.article_facts import maker_of, told_about, told_specs
from toolyard.world.worlds.product.kinds import article_kinds, kind_of

ProductId = Annotated[str, Semantic("shopping_product_id")]
WalmartItemId = Annotated[str, Semantic("walmart_item_id")]
_FIRST_ID = "15955939185450005725"
_SIZED = re.compile(
    r"(?<![\d/])(?:\b(?:Size|Newborn|Twin|Full|Queen|King)\b(?: \d)?$|\b[\d.,]+ (?:inch|oz|lb|GB|TB|Quart|qt|mm|"
    r"cu\. ft\.|ft|Count|Piece|Pack|Cup|Gallon|Person|Slice|BTU|mAh|ml|L|Rolls|Sheets|Keys|Yard|Mega Rolls|Watt)\b)"
)


class Good(TypedDict):
    """A thing on sale; `cents` is its list price in US cents."""

    product_id: ProductId
    walmart_item_id: WalmartItemId
    title: ProductName
    brand: str
    category: list[str]
    cents: int
    specs: dict[str, str]
    about: str
    upc: str


@functools.cache
def shop_catalogue() -> tuple[Good, ...]:
    """The goods of the tables, groceries aside."""
    rows = [
        Good(
            product_id=_FIRST_ID if number == 0 else item_number(20, "good", row["title"]),
            walmart_item_id=item_number(9, "walmart", row["title"]),
            title=_titled(row),
            brand=row["brand"],
            category=row["category"].split(" > "),
            cents=round(float(row["price"]) * 100),
            specs=dict(part.split("=", 1) for part in row["specs"].split(";")),
            about=row["about"],
            upc="",
        )
        for number, row in enumerate(read_table("shop_products.tsv"))
    ]
    further = {plain(good["title"]): good for good in (*_further_goods(), *_goods_of_kinds())}
    return (*rows, *further.values())


class TitledGood(TypedDict):
    """The title of a good and the shelves it stands on."""

    title: ProductName
    category: list[str]


@functools.cache
def titled_goods() -> tuple[TitledGood, ...]:
    """Titles and shelves of all goods, groceries last, in the order of the goods and without what it takes to build them."""
    rows = [
        TitledGood(title=_titled(row), category=row["category"].split(" > "))
        for row in read_table("shop_products.tsv")
    ]
    further = [
        TitledGood(title=pair.rpartition("|")[0], category=row["category"].split(" > "))
        for row in read_table("more_products.tsv")
        for pair in row["goods"].split(";")
    ]
    further += [
        TitledGood(title=title, category=list(kind.category))
        for kind in article_kinds()
        for title, _ in kind.goods
    ]
    groceries = [
        TitledGood(title=f"{brand} {row['title']}", category=["Groceries", *row["path"].split(" > ")])
        for row in read_table("food_products.tsv")
        for brand in row["brands"].split(",")
    ]
    return (*rows, *{plain(good["title"]): good for good in further}.values(), *groceries)


def _titled(row: dict[str, str]) -> str:
    return f"{row['brand']} {row['title'].removeprefix(row['brand']).strip()}"


def _further_goods() -> Iterator[Good]:
    """Well-known articles of American shops with what they cost there about the middle of 2024."""
    told = {kind.title: kind.about for kind in article_kinds()}
    for row in read_table("more_products.tsv"):
        for pair in row["goods"].split(";"):
            title, _, price = pair.rpartition("|")
            shelf = row["category"].split(" > ")
            about = told.get(kind_of(title, shelf[0]) or kind_of(row["about"], shelf[0]), row["told"])
            yield _article(title, shelf, float(price), about)


def _goods_of_kinds() -> Iterator[Good]:
    for kind in article_kinds():
        yield from (_article(title, list(kind.category), price, kind.about) for title, price in kind.goods)


def _article(title: str, shelf: list[str], price: float, about: str) -> Good:
    size = _SIZED.search(title)
    return Good(
        product_id=item_number(20, "good", title),
        walmart_item_id=item_number(9, "walmart", title),
        title=title,
        brand=maker_of(title, shelf),
        category=shelf,
        cents=round(price * 100),
        specs=told_specs(title, shelf, size[0] if size else ""),
        about=told_about(title, f"{about}; this one: {size[0]}" if size else about),
        upc="",
    )


def item_number(length: int, *parts: object) -> str:
    """A number of so many digits that follows from what it stands for."""
    return str(10 ** (length - 1) + seeds.number(*parts) % (9 * 10 ** (length - 1)))
