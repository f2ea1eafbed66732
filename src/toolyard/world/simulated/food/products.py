"""Grocery products: each is a mixture of ingredients under a brand, with a valid UPC; size, price and shares are drawn.

Product(id=200101, upc="041790003011", title="Meadow Farm Plain Greek Yogurt", category="yogurt", cents=549, ...)
"""

import functools
from collections.abc import Mapping
from dataclasses import dataclass

from toolyard.core.ordered_sums import sum_in_order
from toolyard.world.index import Index, words
from toolyard.world.kernel import seeds
from toolyard.world.kernel.derived_rows import title_case
from toolyard.world.kernel.faults import invalid, not_found
from toolyard.world.kernel.tables import plain, read_table, share_keys
from toolyard.world.simulated.food.ingredients import Ingredient, all_ingredients, by_words, kinds, name_key
from toolyard.world.simulated.food.nutrients import NUTRIENTS

# Of what a product consists at least in percent that is bought for one food.
MOSTLY = 80
# Bounds of the price of 100 g in US cents, and of a package in the usual one.
CENTS = (25.0, 250.0)
SIZES = (0.5, 0.75, 1.0, 1.25, 1.5, 2.0)
Parts = tuple[tuple[Ingredient, float], ...]


@dataclass(frozen=True, slots=True)
class Article:
    """What exists: a product without its figures; `serving` and `package` are usual sizes in grams."""

    id: int
    upc: str
    title: str
    brand: str
    category: str
    path: tuple[str, ...]
    serving: float
    package: float
    parts: Parts


@dataclass(frozen=True, slots=True)
class Product:
    """A packaged food; `parts` are (ingredient, percent by weight), `nutrients` those of a serving by key."""

    id: int
    upc: str
    title: str
    brand: str
    category: str
    path: tuple[str, ...]
    serving_grams: float
    package_grams: float
    cents: int
    parts: Parts
    nutrients: Mapping[str, float]
    flags: str

    @property
    def ingredient_names(self) -> list[str]:
        """The ingredients, the heaviest first."""
        return [row.name for row, _ in sorted(self.parts, key=lambda part: -part[1])]


def check_digit(digits: str) -> str:
    """The last digit of a UPC: three times the odd places plus the even ones make a multiple of ten."""
    total = 3 * sum(map(int, digits[0::2])) + sum(map(int, digits[1::2]))
    return str(-total % 10)


@functools.cache
def articles() -> tuple[Article, ...]:
    """All products of the table, then a package of each ingredient that none of them is."""
    found = [
        _make_article(number, turn, row)
        for number, row in enumerate(read_table("food_products.tsv"))
        for turn in range(row["brands"].count(",") + 1)
    ]
    sold = {food.id for row in found for food, percent in row.parts if percent >= MOSTLY}
    return (
        *found,
        *(_package(food) for food in all_ingredients() if food.id not in sold and food.name != "water"),
    )


def _make_article(number: int, turn: int, row: Mapping[str, str]) -> Article:
    brand = row["brands"].split(",")[turn]
    code = f"0{41790 + sum(map(ord, brand)) % 999:05d}{number * 7 + turn + 301:05d}"
    parts = (part.rpartition(" ") for part in row["parts"].split(","))
    return Article(
        id=200_101 + 10 * number + turn,
        upc=code + check_digit(code),
        title=f"{brand} {row['title']}",
        brand=brand,
        category=row["category"],
        path=tuple(row["path"].split(" > ")),
        serving=float(row["serving"]),
        package=float(row["package"]),
        parts=tuple((by_words()[name_key(name)], float(percent)) for name, _, percent in parts),
    )


def _package(food: Ingredient) -> Article:
    """A package of one food as it is."""
    kind, number = kinds()[food.category], seeds.number("grocery", plain(food.name))
    code = f"0{49000 + number % 900:05d}{number % 99_991:05d}"
    return Article(
        id=300_000 + number % 600_000,
        upc=code + check_digit(code),
        title=f"{kind.brand} {title_case(plain(food.name))}",
        brand=kind.brand,
        category=food.category,
        path=("Alcohol" if "o" in food.flags else kind.shelf, title_case(plain(food.name))),
        serving=kind.serving,
        package=max(50.0, 5 * kind.serving),
        parts=((food, 100.0),),
    )


@seeds.table
def all_products(seed: int) -> tuple[Product, ...]:
    """All products of a world, in the order of the table."""
    return tuple(_make_product(seed, row) for row in articles())


def _make_product(seed: int, row: Article) -> Product:
    chance = seeds.stream(seed, "product", row.id)
    package = round(row.package * chance.choice(SIZES) / 5) * 5.0
    serving = row.serving * chance.choice((0.8, 1.0, 1.2))
    weights = [percent * chance.uniform(0.7, 1.3) for _, percent in row.parts]
    shares = [round(100 * weight / sum_in_order(weights), 1) for weight in weights]
    parts = tuple((food, share) for (food, _), share in zip(row.parts, shares, strict=True))
    price = CENTS[0] * (CENTS[1] / CENTS[0]) ** chance.random()
    return Product(
        id=row.id,
        upc=row.upc,
        title=row.title,
        brand=row.brand,
        category=row.category,
        path=row.path,
        serving_grams=round(min(serving, package), 1),
        package_grams=package,
        cents=max(49, round(price * package / 100)),
        parts=parts,
        nutrients=_serving_nutrients(parts, round(min(serving, package), 1)),
        flags="".join(sorted({letter for food, _ in parts for letter in food.flags})),
    )


def _serving_nutrients(parts: Parts, serving: float) -> dict[str, float]:
    """The nutrients of a serving: the sum over the parts."""
    sums = (sum_in_order(food.per_100g[kind.key] * share for food, share in parts) for kind in NUTRIENTS)
    return share_keys(
        {kind.key: round(part * serving / 10_000, 3) for kind, part in zip(NUTRIENTS, sums, strict=True)}
    )


@functools.cache
def _product_index() -> Index[dict[str, object]]:
    rows: list[dict[str, object]] = [
        {"title": row.title, "words": (row.category, *row.path), "id": row.id} for row in articles()
    ]
    return Index(rows, ("title", "title", "words"))


def search_products(seed: int, query: str, bound: float = 1.0) -> list[Product]:
    """Products with all words of a query in title or shelf (or this part of them), the best first.

    What is called so comes before what stands on the shelf, and what the last word of the query says before the rest.
    """
    wanted = words(query[:200])

    def place(row: Product) -> tuple[bool, bool, bool]:
        own = words(row.title)
        return plain(row.title) != plain(query), own[-len(wanted) :] != wanted, not set(wanted) <= set(own)

    found = [products_by_id(seed)[row["id"]] for row in _product_index().search(query[:200], bound=bound)]
    return sorted(found, key=place) if wanted else []


@seeds.table
def products_by_id(seed: int) -> Mapping[object, Product]:
    """The products by their ids."""
    return {row.id: row for row in all_products(seed)}


def find_product(seed: int, wanted: int) -> Product:
    """The product of an id; a not_found fault otherwise."""
    if wanted not in products_by_id(seed):
        raise not_found("grocery product with id", wanted, known=products_by_id(seed))
    return products_by_id(seed)[wanted]


def find_upc(seed: int, upc: str) -> Product:
    """The product of a UPC (blanks and dashes aside); a fault that tells a wrong check digit from an unknown code."""
    bare = "".join(sign for sign in upc[:40] if sign in "0123456789")
    if not 10 <= len(bare) <= 12:
        raise invalid("upc", upc[:40], "want the twelve digits of a UPC, such as 041818003012")
    digits = bare.zfill(12)
    for row in all_products(seed):
        if row.upc == digits:
            return row
    if check_digit(digits[:11]) != digits[11]:
        raise invalid("upc", upc[:40], "want the twelve digits of a UPC with a right check digit")
    raise not_found("product with UPC", upc[:40], known=[row.upc for row in all_products(seed)])
