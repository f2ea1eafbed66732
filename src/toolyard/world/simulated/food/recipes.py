"""Recipes: who exists is a table; amounts, times, servings and likes are drawn, and all other figures computed.

Recipe(id=716429, title="Pasta with Garlic, ...", cuisines=("Italian", ...), lines=(Line(...), ...), steps=(...), ...)
"""

import functools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from random import Random

from toolyard.core.ordered_sums import sum_in_order
from toolyard.world.index import Index, words
from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import not_found
from toolyard.world.kernel.state import EPOCH
from toolyard.world.kernel.tables import plain, read_record, read_table, share_keys
from toolyard.world.simulated.food.ingredients import Ingredient, all_ingredients, kinds, price_cents
from toolyard.world.simulated.food.instructions import count_minutes
from toolyard.world.simulated.food.measures import UNITS, Line, format_amount, grams_per
from toolyard.world.simulated.food.nutrients import NUTRIENTS

SITE = "https://recipes.example"
DIETS = ("vegetarian", "lacto ovo vegetarian", "vegan", "pescatarian", "gluten free", "dairy free", "ketogenic",
         "paleolithic")  # fmt: skip
_BANNED = {"vegetarian": "mfh", "lacto ovo vegetarian": "mfh", "vegan": "mfhdea", "pescatarian": "m",
           "gluten free": "gw", "dairy free": "d"}  # fmt: skip
# Kinds of food that the palaeolithic diet leaves out.
_MODERN = frozenset(("grain", "pasta", "legume", "dairy", "snack", "baking", "condiment", "sweetener"))
SERVINGS = (2, 3, 4, 6, 8)
_LINE = re.compile(rf"([\d.]+) (?:({'|'.join(sorted(UNITS, key=len, reverse=True))}) )?([^,]+)(?:, (.*))?")
_TIME = re.compile(r"\b(\d+) (minute|hour|day|week)s?\b")
# Part of the words of a query that a recipe must have.
_FLOOR = 0.5


@dataclass(frozen=True, slots=True)
class Dish:
    """What exists: a recipe without its figures; `parts` are amount, unit, ingredient and note for `serves` people."""

    id: int
    title: str
    dish: str
    cuisines: tuple[str, ...]
    types: tuple[str, ...]
    serves: int
    parts: tuple[tuple[float, str, Ingredient, str], ...]
    steps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Recipe:
    """A recipe; `nutrients` are those of one serving by key, `flags` those of all ingredients."""

    id: int
    title: str
    dish: str
    cuisines: tuple[str, ...]
    types: tuple[str, ...]
    minutes: int
    servings: int
    lines: tuple[Line, ...]
    steps: tuple[str, ...]
    nutrients: Mapping[str, float]
    flags: str
    diets: tuple[str, ...]
    price_per_serving: float
    likes: int
    liked: int
    approved_at: int
    open_license: bool

    @property
    def url(self) -> str:
        """Where the recipe is published."""
        return f"{SITE}/{self.id}-{re.sub(r'[^a-z0-9]+', '-', plain(self.title)).strip('-')}"

    @property
    def health(self) -> int:
        """Zero to 100, by what a serving holds."""
        return health_score(self.nutrients)

    @property
    def instructions(self) -> str:
        """The steps as one text."""
        return " ".join(f"{step}." for step in self.steps)

    @property
    def tags(self) -> tuple[str, ...]:
        """Cuisines, courses and diets in lower case."""
        return tuple(dict.fromkeys(tag.lower() for tag in (*self.cuisines, *self.types, *self.diets)))

    @property
    def ingredient_names(self) -> tuple[str, ...]:
        """Each ingredient once, in the order of the list."""
        return tuple(dict.fromkeys(line.ingredient.name for line in self.lines))


@functools.cache
def all_dishes() -> tuple[Dish, ...]:
    """All dishes, in the order of the table."""
    foods = {row.name: row for row in all_ingredients()}
    return tuple(
        read_record(
            Dish,
            row,
            cuisines=tuple(row["cuisines"].split(",")),
            types=tuple(row["types"].split(",")),
            parts=tuple(_read_part(text, foods) for text in row["ingredients"].split(";")),
            steps=tuple(row["steps"].split("/")),
        )
        for row in read_table("food_recipes.tsv")
    )


def _read_part(text: str, foods: Mapping[str, Ingredient]) -> tuple[float, str, Ingredient, str]:
    match = _LINE.fullmatch(text)
    if match is None or match[3] not in foods:
        raise ValueError(f"food_recipes.tsv: {text!r} is no amount of an ingredient of food_ingredients.tsv")
    return float(match[1]), match[2] or "", foods[match[3]], match[4] or ""


@functools.cache
def _dishes_by_id() -> Mapping[int, Dish]:
    return {row.id: row for row in all_dishes()}


@seeds.table
def recipes(seed: int) -> tuple[Recipe, ...]:
    """All recipes of a world, in the order of the table."""
    return tuple(_make_recipe(seed, number) for number in _dishes_by_id())


@seeds.cache_by_seed(4096)
def _make_recipe(seed: int, number: int) -> Recipe:
    dish = _dishes_by_id()[number]
    chance = seeds.stream(seed, "recipe", dish.id)
    servings = chance.choice(SERVINGS)
    lines = tuple(_draw_line(part, servings / dish.serves, chance) for part in dish.parts)
    steps = tuple(_TIME.sub(lambda match: _draw_time(match, chance), step) for step in dish.steps)
    nutrients, flags = serving_nutrients(lines, servings), ingredient_flags(lines)
    likes = int(10 ** chance.uniform(1, 3.5))
    age = timedelta(minutes=chance.randrange(300, 900 * 1440))
    return Recipe(
        id=dish.id,
        title=dish.title,
        dish=dish.dish,
        cuisines=dish.cuisines,
        types=dish.types,
        minutes=5 * chance.randrange(2, 13) + sum(map(count_minutes, steps)),
        servings=servings,
        lines=lines,
        steps=steps,
        nutrients=nutrients,
        flags=flags,
        diets=kept_diets(flags, lines, nutrients),
        price_per_serving=round(cost_in_cents(seed, lines) / servings, 2),
        likes=likes,
        liked=round(likes * chance.uniform(0.5, 0.99)),
        approved_at=int((EPOCH - age).timestamp()),
        open_license=chance.random() < 0.7,
    )


def _draw_line(part: tuple[float, str, Ingredient, str], share: float, chance: Random) -> Line:
    """An ingredient in an amount of this world: the usual one for so many people, up to 40 % more or less."""
    usual, unit, ingredient, note = part
    amount = _round_amount(usual * share * chance.uniform(0.6, 1.4), unit)
    each = grams_per(ingredient, unit or "piece") or kinds()[ingredient.category].serving
    text = format_amount(amount, unit, ingredient.name) + (f", {note}" if note else "")
    return Line(text, amount, unit, ingredient, round(amount * each, 2), note)


def _round_amount(amount: float, unit: str) -> float:
    """An amount as recipes write it: by 5 g, by the quarter spoon, by the piece."""
    step = {"g": 5.0, "ml": 10.0, "kg": 0.1, "l": 0.1, "tsp": 0.25, "tbsp": 0.5, "cup": 0.25}.get(unit, 1.0)
    return round(max(1, round(amount / step)) * step, 2)


def _draw_time(match: re.Match[str], chance: Random) -> str:
    """A time of this world in place of the usual one, up to half as long or as short."""
    count = max(1, round(int(match[1]) * chance.uniform(0.5, 1.5)))
    return f"{count} {match[2]}{'s' if count > 1 else ''}"


def serving_nutrients(lines: Iterable[Line], servings: int = 1) -> dict[str, float]:
    """The nutrients of one serving: the sum over the ingredients, divided."""
    total = dict.fromkeys((kind.key for kind in NUTRIENTS), 0.0)
    for line in lines:
        share = line.grams / 100 / servings
        for key, value in line.ingredient.per_100g.items():
            total[key] += value * share
    return share_keys({key: round(value, 3) for key, value in total.items()})


def ingredient_flags(lines: Iterable[Line]) -> str:
    """The letters of all ingredients, each once."""
    return "".join(sorted({letter for line in lines for letter in line.ingredient.flags}))


def kept_diets(flags: str, lines: Sequence[Line], nutrients: Mapping[str, float]) -> tuple[str, ...]:
    """The diets that food with these flags, ingredients and nutrients keeps."""
    found = [diet for diet, banned in _BANNED.items() if not set(banned) & set(flags)]
    energy = max(nutrients["calories"], 1.0)
    if 4 * (nutrients["carbs"] - nutrients["fiber"]) < 0.1 * energy and 9 * nutrients["fat"] > 0.5 * energy:
        found.append("ketogenic")
    if "o" not in flags and not _MODERN & {line.ingredient.category for line in lines}:
        found.append("paleolithic")
    return tuple(found)


def cost_in_cents(seed: int, lines: Iterable[Line]) -> float:
    """What the ingredients cost in US cents, each to the cent."""
    return sum_in_order(float(round(price_cents(seed, line.ingredient, line.grams))) for line in lines)


def health_score(nutrients: Mapping[str, float]) -> int:
    """Zero to 100: protein, fibre, vitamin C and iron count for a dish; sugar, salt and saturated fat against it."""
    share = {kind.key: min(1.0, nutrients[kind.key] / kind.daily) for kind in NUTRIENTS}
    good = 25 * share["protein"] + 25 * share["fiber"] + 15 * share["vitamin_c"] + 10 * share["iron"]
    bad = 20 * share["saturated"] + 15 * share["sugar"] + 15 * share["sodium"]
    return max(0, min(100, round(40 + good - bad)))


def recipe_or_none(seed: int, recipe_id: int) -> Recipe | None:
    """The recipe of an id; None where there is none."""
    return _make_recipe(seed, recipe_id) if recipe_id in _dishes_by_id() else None


def find_recipe(seed: int, recipe_id: int) -> Recipe:
    """The recipe of an id; a not_found fault otherwise."""
    found = recipe_or_none(seed, recipe_id)
    if found is None:
        raise not_found("recipe with id", recipe_id, known=_dishes_by_id())
    return found


@functools.cache
def all_cuisines() -> tuple[str, ...]:
    """Every cuisine that recipes have, sorted."""
    return tuple(sorted({name for row in all_dishes() for name in row.cuisines}))


@seeds.table
def _recipe_index(seed: int) -> Index[dict[str, object]]:
    return Index(
        [
            {"recipe": row, "title": row.title, "words": (row.dish, *row.tags, *row.ingredient_names)}
            for row in recipes(seed)
        ],
        ("title", "title", "title", "words"),
    )


@seeds.cache_by_seed(256)
def _search_recipes(seed: int, query: str) -> tuple[Recipe, ...]:
    index = _recipe_index(seed)
    rows = index.search(query, bound=1.0) or index.search(query, bound=_FLOOR)
    found = [row["recipe"] for row in rows]
    wanted = set(words(query))

    def place(row: Recipe) -> tuple[bool, bool]:
        return plain(row.title) != plain(query), not wanted <= set(words(row.title))

    return tuple(sorted((row for row in found if isinstance(row, Recipe)), key=place))


def search(seed: int, query: str) -> list[Recipe]:
    """Recipes with all words of a query in title, tags or ingredients, else with most of them; the best first."""
    return list(_search_recipes(seed, query[:200]))


@functools.cache
def _dishes_per_ingredient() -> Mapping[int, int]:
    """How many dishes have an ingredient."""
    found: dict[int, int] = {}
    for dish in all_dishes():
        for number in {food.id for _, _, food, _ in dish.parts}:
            found[number] = found.get(number, 0) + 1
    return found


def similar_recipes(seed: int, recipe: Recipe) -> list[Recipe]:
    """Other recipes that share a course, the closest first: by dish, title, and ingredients that few others have."""
    return [_make_recipe(seed, number) for number in _similar_ids(recipe.id)]


@functools.lru_cache(maxsize=256)
def _similar_ids(number: int) -> tuple[int, ...]:
    recipe = _dishes_by_id()[number]
    own = {food.id for _, _, food, _ in recipe.parts}

    def likeness(row: Dish) -> float:
        others = {food.id for _, _, food, _ in row.parts}
        shared = sum_in_order(1 / _dishes_per_ingredient()[number] for number in sorted(own & others))
        named = len(set(words(recipe.title)) & set(words(row.title)))
        return round(
            shared + len(own & others) / len(own | others) + (row.dish == recipe.dish) + 0.3 * named, 6
        )

    near = [row for row in all_dishes() if row is not recipe and set(row.types) & set(recipe.types)]
    return tuple(row.id for row in sorted(near, key=lambda row: (-likeness(row), row.id)))
