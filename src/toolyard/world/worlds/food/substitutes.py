"""Substitutes: kitchen rules where they are common knowledge, the nearest kin of an ingredient elsewhere."""

from __future__ import annotations

import math

from toolyard.core.sums import added
from toolyard.world.worlds.food.ingredients import NUTRIENTS, Ingredient, ingredients

_RULES: dict[str, tuple[str, ...]] = {
    "butter": ("1 cup = 7/8 cup vegetable oil + 1/2 tsp salt", "1 cup = 7/8 cup coconut oil", "1 cup = 1 cup margarine"),
    "egg": ("1 egg = 1/4 cup mashed banana", "1 egg = 1 tbsp chia seeds + 3 tbsp water", "1 egg = 2 egg whites"),
    "milk": ("1 cup = 1 cup soy milk", "1 cup = 1 cup almond milk", "1 cup = 1/2 cup evaporated milk + 1/2 cup water"),
    "cream": ("1 cup = 3/4 cup milk + 1/4 cup butter", "1 cup = 1 cup coconut milk"),
    "sour cream": ("1 cup = 1 cup greek yogurt",),
    "yogurt": ("1 cup = 1 cup sour cream", "1 cup = 1 cup milk + 1 tbsp lemon juice"),
    "sugar": ("1 cup = 3/4 cup honey, less 3 tbsp liquid", "1 cup = 1 cup brown sugar", "1 cup = 3/4 cup maple syrup"),
    "brown sugar": ("1 cup = 1 cup sugar + 1 tbsp molasses",),
    "honey": ("1 cup = 1 cup maple syrup", "1 cup = 1 1/4 cups sugar + 1/4 cup water"),
    "flour": ("1 cup = 1 cup whole wheat flour", "1 tbsp for thickening = 1/2 tbsp cornstarch"),
    "cornstarch": ("1 tbsp = 2 tbsp flour",),
    "baking powder": ("1 tsp = 1/4 tsp baking soda + 1/2 tsp cream of tartar",),
    "lemon juice": ("1 tsp = 1/2 tsp vinegar", "1 tbsp = 1 tbsp lime juice"),
    "lime juice": ("1 tbsp = 1 tbsp lemon juice",),
    "soy sauce": ("1 tbsp = 1 tbsp tamari", "1 tbsp = 1/2 tbsp fish sauce"),
    "vinegar": ("1 tbsp = 2 tbsp lemon juice", "1 tbsp = 2 tbsp white wine"),
    "garlic": ("1 clove = 1/8 tsp garlic powder", "1 clove = 1/2 shallot"),
    "onion": ("1 onion = 3 shallots", "1 onion = 1 leek", "1 onion = 1 tbsp onion powder"),
    "white wine": ("1 cup = 1 cup vegetable broth + 1 tbsp vinegar",),
    "red wine": ("1 cup = 1 cup beef broth + 1 tbsp vinegar",),
    "mayonnaise": ("1 cup = 1 cup greek yogurt", "1 cup = 1 cup mashed avocado"),
    "ground beef": ("1 lb = 1 lb turkey", "1 lb = 2 1/2 cups lentils, cooked"),
    "chicken breast": ("1 lb = 1 lb turkey", "1 lb = 1 lb firm tofu"),
    "parmesan cheese": ("1/2 cup = 1/2 cup aged cheddar cheese",),
    "olive oil": ("1 tbsp = 1 tbsp vegetable oil", "1 tbsp = 1 tbsp butter, melted"),
    "breadcrumbs": ("1 cup = 1 cup crushed crackers", "1 cup = 3/4 cup oats"),
    "tomato sauce": ("2 cups = 3/4 cup tomato paste + 1 cup water",),
    "dark chocolate": ("1 oz = 3 tbsp cocoa powder + 1 tbsp butter",),
    "buttermilk": ("1 cup = 1 cup milk + 1 tbsp lemon juice, rested 5 minutes", "1 cup = 1 cup plain yogurt"),
    "tofu": ("100 g = 100 g tempeh", "100 g = 100 g chickpeas in stews and salads"),
    "apple": ("1 apple = 1 firm pear",),
    "pear": ("1 pear = 1 apple",),
    "banana": ("1 banana in baking = 1/2 cup applesauce",),
    "blueberry": ("1 cup = 1 cup blackberries", "1 cup = 1 cup raspberries"),
    "strawberry": ("1 cup = 1 cup raspberries",),
    "lemon": ("1 lemon = 1 lime", "juice of 1 lemon = 3 tbsp bottled lemon juice"),
    "lime": ("1 lime = 1/2 lemon",),
    "spinach": ("1 cup = 1 cup kale", "1 cup = 1 cup swiss chard"),
    "kale": ("1 cup = 1 cup spinach",),
    "potato": ("1 potato = 1 sweet potato", "1 cup mashed = 1 cup mashed cauliflower"),
    "rice": ("1 cup = 1 cup quinoa", "1 cup = 1 cup couscous"),
    "quinoa": ("1 cup = 1 cup rice", "1 cup = 1 cup couscous"),
    "spaghetti": ("400 g = 400 g of any other pasta", "400 g = 600 g zucchini in strips"),
    "mozzarella": ("100 g = 100 g provolone",),
    "cheddar cheese": ("100 g = 100 g gouda",),
    "feta cheese": ("100 g = 100 g goat cheese",),
    "bacon": ("100 g = 100 g pancetta", "100 g = 100 g smoked turkey"),
    "salmon": ("1 fillet = 1 fillet trout", "1 fillet = 1 fillet arctic char"),
    "cod": ("1 fillet = 1 fillet haddock",),
    "shrimp": ("1 lb = 1 lb scallops",),
    "basil": ("1 tbsp fresh = 1 tsp dried basil", "1 tbsp = 1 tbsp oregano"),
    "parsley": ("1 tbsp = 1 tbsp cilantro", "1 tbsp = 1 tbsp chervil"),
    "cilantro": ("1 tbsp = 1 tbsp parsley",),
    "ginger": ("1 tbsp fresh = 1/4 tsp ground ginger",),
    "tomato": ("2 cups chopped = 1 can (14 oz) tomatoes",),
    "coconut milk": ("1 cup = 1 cup cream",),
    "maple syrup": ("1 cup = 1 cup honey",),
    "oats": ("1 cup = 1 cup barley flakes",),
    "almonds": ("1 cup = 1 cup hazelnuts",),
    "walnuts": ("1 cup = 1 cup pecans",),
    "peanut butter": ("1 cup = 1 cup tahini", "1 cup = 1 cup almond butter"),
}  # fmt: skip


def _distance(one: Ingredient, other: Ingredient) -> float:
    """How far apart the nutrients are, each measured by its daily value."""
    return math.sqrt(
        added(((one.per_100g[kind.key] - other.per_100g[kind.key]) / kind.daily) ** 2 for kind in NUTRIENTS)
    )


def substitutes_for(row: Ingredient) -> tuple[list[str], list[Ingredient]]:
    """The rules for an ingredient, and its four nearest kin of the same category."""
    kin = [other for other in ingredients() if other.category == row.category and other is not row]
    nearest = sorted(kin, key=lambda other: (round(_distance(row, other), 6), other.name))[:4]
    rules = _RULES.get(row.name) or tuple(f"100 g {row.name} = 100 g {other.name}" for other in nearest[:1])
    return list(rules), nearest
