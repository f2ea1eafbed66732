"""Recipes: ingredient lines and steps out of a table; nutrition, diets, price and taste computed from them.

Recipe(id=716429, title="Pasta with Garlic, ...", cuisines=("Italian", ...), lines=(Line(...), ...), steps=(...), ...)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from toolyard.core.sums import added
from toolyard.world import seeds
from toolyard.world.faults import not_found
from toolyard.world.shared.geography import plain, read_table
from toolyard.world.worlds.food.dishes import FIRST_ID, dish_rows
from toolyard.world.worlds.food.ingredients import INTOLERANCES, price_cents, scaled
from toolyard.world.worlds.food.measures import Line, read_line
from toolyard.world.worlds.food.nutrients import NUTRIENTS
from toolyard.world.worlds.food.wider_kitchens import narrow, with_wider

SITE = "https://recipes.example"
DIETS = ("vegetarian", "lacto ovo vegetarian", "vegan", "pescatarian", "gluten free", "dairy free", "ketogenic",
         "paleolithic")  # fmt: skip
_BANNED = {"vegetarian": "mfh", "lacto ovo vegetarian": "mfh", "vegan": "mfhdea", "pescatarian": "m",
           "gluten free": "gw", "dairy free": "d"}  # fmt: skip
# Of what is weighed with its bones, the part that is eaten.
_EATEN = {"whole chicken": 0.66, "pork ribs": 0.6, "chicken wings": 0.55}
# What is left of the salt of what is soaked before it is cooked.
_SOAKED = {"salt cod": 0.15}
# Nobody bakes with more soda than that; it is for dipping dough.
_SODA_BATH = 20.0
# What goes with the main ingredient of a pattern, by the dish.
_SIDES: Mapping[str, str] = {
    "stir-fry": "broccoli,bell pepper,green beans,zucchini,asparagus,carrot,mushrooms,cabbage",
    "pasta": "broccoli,spinach,zucchini,asparagus,cherry tomato,mushrooms,kale,bell pepper",
    "salad": "bell pepper,spinach,carrot,corn,cabbage,kale,lettuce",
    "soup": "leek,spinach,green beans,zucchini,kale,celery,cabbage,green peas",
    "roast": "broccoli,bell pepper,zucchini,asparagus,carrot,cherry tomato,mushrooms,green beans",
    "tacos": "corn,cabbage,cherry tomato,bell pepper,lettuce,cucumber",
    "curry": "spinach,green beans,bell pepper,zucchini,carrot,green peas,eggplant",
    "rice bowl": "spinach,edamame,cucumber,cabbage,corn,avocado",
    "omelette": "spinach,mushrooms,zucchini,asparagus,bell pepper,cherry tomato,kale",
}
# What the palaeolithic and the ketogenic diets leave out, whatever its category.
_MADE_IN_FACTORIES = frozenset(
    ("grenadine", "tonic water", "ginger beer", "root beer", "strawberry jam", "apricot jam", "powdered sugar", "sugar",
     "brown sugar", "sausage", "chorizo", "pepperoni", "bacon", "ham", "ketchup", "cola", "beer", "potato chips",
     "vegetable oil",
     "sunflower oil", "canola oil", "dark chocolate", "dulce de leche", "molasses")
)  # fmt: skip
_SUGARED = frozenset(
    ("grenadine", "triple sec", "tonic water", "ginger beer", "root beer", "powdered sugar", "molasses", "ketchup", "sugar",
     "honey", "maple syrup", "brown sugar", "cola", "condensed milk")
)  # fmt: skip
# What is done to the main ingredient of a salad.
_READY = {
    "chicken breast": "Fry the chicken breast in a frying pan for 12 minutes, let it cool and slice it",
    "tuna": "Drain the tuna and flake it",
    "chickpeas": "Drain and rinse the chickpeas",
    "lentils": "Boil the lentils in a pot for 18 minutes, drain them and let them cool",
    "feta cheese": "Crumble the feta cheese",
    "egg": "Boil the eggs in a saucepan for 9 minutes, let them cool and quarter them",
}
_SLOT = re.compile(r"\{side (\d+)\}")


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
    health: int
    open_license: bool

    @property
    def url(self) -> str:
        """Where the recipe is published."""
        return f"{SITE}/{self.id}-{re.sub(r'[^a-z0-9]+', '-', plain(self.title)).strip('-')}"

    @property
    def kitchens(self) -> tuple[str, ...]:
        """The cuisines of countries; regions only where it has no other."""
        return narrow(self.cuisines)

    @property
    def duration(self) -> str:
        """How long it takes, in minutes, hours or days."""
        hours = self.minutes / 60
        if hours < 5:
            return f"{self.minutes} minutes"
        return f"{hours:.0f} hours" if hours < 48 else f"{hours / 24:.0f} days"

    @property
    def instructions(self) -> str:
        """The steps as one text."""
        return " ".join(f"{step}." for step in self.steps)

    @property
    def tags(self) -> tuple[str, ...]:
        """Cuisines, courses and diets in lower case."""
        return tuple(tag.lower() for tag in (*self.cuisines, *self.types, *self.diets))

    def suits(self, diet: str) -> bool:
        """Whether the recipe keeps a diet."""
        return diet in self.diets

    def holds(self, ingredient_id: int) -> bool:
        """Whether the recipe needs an ingredient."""
        return any(line.ingredient.id == ingredient_id for line in self.lines)


@seeds.table
def recipes(seed: int) -> tuple[Recipe, ...]:
    """All recipes: those of the table, then those made from patterns."""
    written = [_recipe(seed, int(row["id"]), row) for row in read_table("food_recipes.tsv")]
    made = [
        _recipe(seed, int(row["base"]) + number, _filled(seed, row, main))
        for row in read_table("food_recipe_patterns.tsv")
        for number, main in enumerate(row["mains"].split(";"))
    ]
    return (*written, *made)


@seeds.table
def more_recipes(seed: int) -> tuple[Recipe, ...]:
    """Recipes of further dishes, which a search for them finds but no list shows."""
    return tuple(_recipe(seed, FIRST_ID + place, row) for place, row in enumerate(dish_rows()))


@seeds.table
def every_recipe(seed: int) -> tuple[Recipe, ...]:
    """All recipes, each dish once: those of the table and of patterns, then the further dishes."""
    titles = {row.title for row in recipes(seed)}
    return (*recipes(seed), *(row for row in more_recipes(seed) if row.title not in titles))


@seeds.table
def drinks(seed: int) -> frozenset[str]:
    """The plain titles of all that is drunk."""
    return frozenset(plain(row.title) for row in every_recipe(seed) if "drink" in row.types)


@seeds.table
def kitchens(seed: int) -> Mapping[str, str]:
    """The cuisines by their names in lower case."""
    return {name.lower(): name for row in every_recipe(seed) for name in row.cuisines}


def _filled(seed: int, row: Mapping[str, str], main: str) -> dict[str, str]:
    """A pattern with its main ingredient, and a side that differs between worlds."""
    line = read_line(main)
    name = line.ingredient.name if line else main
    own = _listed(row["ingredients"], main)
    sides = [name for name in _SIDES.get(row["dish"], "spinach,kale").split(",") if not _named(name) & own]
    side = seeds.pick(sides, seed, "side", row["base"], main)
    filled = dict(row)
    # What is the main ingredient is not listed beside it once more.
    others = [part for part in row["ingredients"].split(";") if not _named(part) & _named(main)]
    ready = _READY.get(name, "Cook {name} and let it cool")
    fried = "{side}" if "cheese" in name else "{name} and {side}"
    filled["ingredients"] = ";".join(others)
    filled["steps"] = row["steps"].replace(f"{{name}}, {name}", "{name}").replace("{ready}", ready)
    filled["steps"] = filled["steps"].replace("{fried}", fried)
    for key in ("title", "ingredients", "steps"):
        text = _SLOT.sub(rf"\1 g {side}", filled[key])
        for slot, value in (("{main}", main), ("{name}", name), ("{side}", side), ("{Main}", name.removesuffix("s").title()),
                            ("{Side}", side.title())):  # fmt: skip
            text = text.replace(slot, value)
        filled[key] = text
    return filled


def _named(text: str) -> set[int]:
    """The ingredient that a line names; nothing for a slot of a pattern."""
    line = None if text.startswith("{") else read_line(text)
    return {line.ingredient.id} if line else set()


def _listed(lines: str, main: str) -> set[int]:
    """The ingredients of a pattern that is filled with a main one."""
    return set().union(*map(_named, lines.split(";")), _named(main))


def _recipe(seed: int, recipe_id: int, row: Mapping[str, str]) -> Recipe:
    lines = tuple(line for text in row["ingredients"].split(";") if (line := read_line(text)))
    servings = int(row["servings"])
    nutrients = nutrients_of(lines, servings)
    flags = flags_of(lines)
    chance = seeds.stream(seed, "recipe", recipe_id)
    return Recipe(
        id=recipe_id,
        title=row["title"],
        dish=row["dish"],
        cuisines=with_wider(row["cuisines"].split(",")),
        types=tuple(row["types"].split(",")),
        minutes=int(row["minutes"]),
        servings=servings,
        lines=lines,
        steps=tuple(row["steps"].split("/")),
        nutrients=nutrients,
        flags=flags,
        diets=diets_of(flags, lines, nutrients),
        price_per_serving=round(cost(seed, lines) / servings, 2),
        likes=int(10 ** (1 + 2.5 * chance.random())),
        health=drink_score(nutrients, flags) if "drink" in row["types"] else health_score(nutrients),
        open_license=chance.random() < 0.7,
    )


def eaten_grams(line: Line) -> float:
    """What is eaten of a line: frying oil stays in the pot but for a tenth, a bath of soda nearly all, and bones."""
    part = 0.1 if line.ingredient.category == "oil" and line.grams > 400 else 1.0
    if line.ingredient.name == "baking soda" and line.grams > _SODA_BATH:
        return 0.05 * line.grams
    return line.grams * _EATEN.get(line.ingredient.name, part)


def nutrients_of(lines: Iterable[Line], servings: int = 1) -> dict[str, float]:
    """The nutrients of one serving, of what is eaten."""
    total = {kind.key: 0.0 for kind in NUTRIENTS}
    for line in lines:
        for key, value in scaled(line.ingredient.per_100g, eaten_grams(line)).items():
            soaked = _SOAKED.get(line.ingredient.name, 1.0) if key == "sodium" else 1.0
            total[key] += value * soaked / servings
    return {key: round(value, 3) for key, value in total.items()}


def flags_of(lines: Iterable[Line]) -> str:
    """The letters of all ingredients, each once."""
    return "".join(sorted({letter for line in lines for letter in line.ingredient.flags}))


def diets_of(flags: str, lines: Iterable[Line], nutrients: Mapping[str, float]) -> tuple[str, ...]:
    """The diets that food with these flags, ingredients and nutrients keeps."""
    found = [diet for diet, banned in _BANNED.items() if not set(banned) & set(flags)]
    energy = max(nutrients["calories"], 1.0)
    lines = tuple(lines)
    sugared = any(
        line.ingredient.name in _SUGARED or line.ingredient.category in ("grain", "pasta") for line in lines
    )
    lean = 4 * (nutrients["carbs"] - nutrients["fiber"]) < 0.1 * energy
    if not sugared and lean and 9 * nutrients["fat"] > 0.5 * energy:
        found.append("ketogenic")
    modern = {"grain", "pasta", "legume", "dairy", "snack", "baking", "condiment"}
    made = _MADE_IN_FACTORIES
    modern_food = any(line.ingredient.category in modern or line.ingredient.name in made for line in lines)
    if not modern_food and "o" not in flags:
        found.append("paleolithic")
    return tuple(found)


def intolerances_of(flags: str) -> list[str]:
    """The intolerances that food with these flags does not suit."""
    return [name for name, letters in INTOLERANCES.items() if set(letters) & set(flags)]


def cost(seed: int, lines: Iterable[Line]) -> float:
    """What the ingredients cost in US cents, each to the cent."""
    return added(float(round(price_cents(seed, line.ingredient, line.grams))) for line in lines)


def health_score(nutrients: Mapping[str, float]) -> int:
    """Zero to 100: protein, fibre, vitamin C and iron count for a dish; sugar, salt and saturated fat against it."""
    share = {kind.key: min(1.0, nutrients[kind.key] / kind.daily) for kind in NUTRIENTS}
    good = 25 * share["protein"] + 25 * share["fiber"] + 15 * share["vitamin_c"] + 10 * share["iron"]
    bad = 20 * share["saturated"] + 15 * share["sugar"] + 15 * share["sodium"]
    return max(0, min(100, round(40 + good - bad)))


def drink_score(nutrients: Mapping[str, float], flags: str) -> int:
    """As `health_score` for what is drunk: water and sugar do nobody good, and alcohol leaves hardly anything."""
    share = {kind.key: nutrients[kind.key] / kind.daily for kind in NUTRIENTS}
    nourishing = min(1.0, 4 * (share["protein"] + share["fiber"]))
    score = health_score(nutrients) - round(30 * (1 - nourishing))
    return max(1, score // 10 if "o" in flags else score)


@seeds.table
def _by_id(seed: int) -> Mapping[int, Recipe]:
    return {row.id: row for row in recipes(seed)}


def find_recipe(seed: int, recipe_id: int) -> Recipe:
    """The recipe of an id; a not_found fault otherwise."""
    row = _by_id(seed).get(recipe_id)
    if row is None and FIRST_ID <= recipe_id < FIRST_ID + len(dish_rows()):
        return more_recipes(seed)[recipe_id - FIRST_ID]
    if row is None:
        # A dish of both tables is one recipe, as every_recipe counts them.
        titles = {row.title for row in recipes(seed)}
        count = len(recipes(seed)) + sum(dish["title"] not in titles for dish in dish_rows())
        raise not_found("recipe with id", recipe_id, known=_by_id(seed), count=count)
    return row


# What is in nearly everything says nothing of a dish.
_COMMON = frozenset(
    ("water", "salt", "black pepper", "sugar", "vegetable oil", "flour", "egg", "butter", "olive oil")
)


# So many grams of egg for each make a dish of eggs.
_OF_EGGS = 60


def telling(recipe: Recipe) -> set[int]:
    """The ingredients by which a recipe is known."""
    return {
        line.ingredient.id
        for line in recipe.lines
        if line.ingredient.name not in _COMMON
        or (line.ingredient.name == "egg" and line.grams >= _OF_EGGS * recipe.servings)
    }
