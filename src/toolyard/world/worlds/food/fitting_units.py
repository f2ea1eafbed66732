"""Which units of the kitchen fit an ingredient: garlic comes in cloves and heads, a banana in neither."""

from __future__ import annotations

from toolyard.world.tables import plain
from toolyard.world.worlds.food.ingredient import Ingredient
from toolyard.world.worlds.food.ingredients import FIRST_GENERIC_ID

_NAMES = {
    "clove": "garlic",
    "head": "garlic,lettuce,cabbage,napa cabbage,cauliflower,broccoli,fennel,bok choy,celery,radicchio",
    "stalk": "celery,lemongrass,rhubarb,asparagus,leek,scallions,broccoli,kale",
    "stick": "butter,cinnamon,celery,margarine",
    "slice": "tomato,onion,cucumber,zucchini,eggplant,potato,sweet potato,apple,pear,orange,lemon,lime,peach,mango,"
    "pineapple,watermelon,cantaloupe,avocado,kiwi,banana,ginger,radish,beetroot,carrot,bell pepper,pickles,bread,"
    "rye bread,ham,bacon,turkey,corned beef,pepperoni,chorizo,smoked salmon,cheddar cheese,mozzarella,gouda,brie,"
    "swiss cheese,gruyere cheese,raclette cheese,parmesan cheese,feta cheese,tofu,grapefruit,papaya,pumpkin,mushrooms",
    "leaf": "lettuce,cabbage,spinach,kale,swiss chard,bay leaf,arugula,napa cabbage",
    "bunch": "spinach,kale,scallions,radish,asparagus,carrot,beetroot,grapes,celery,swiss chard,arugula,bok choy,broccoli",
    "can": "tomato,tomato sauce,tomato paste,tuna,sardines,salmon,mackerel,anchovies,coconut milk,corn,hominy,olives,"
           "condensed milk,pineapple,peach,pumpkin,mushrooms,green beans,green peas,baked beans,crab,clams,cola,beer,"
           "tonic water,ginger beer,root beer,tomato juice",
}  # fmt: skip
_FITTING = {unit: frozenset(names.split(",")) for unit, names in _NAMES.items()}
_KINDS = {
    "fillet": ("fish", "poultry"), "leaf": ("herb",), "bunch": ("herb",), "sprig": ("herb",),
    "can": ("legume",), "pinch": ("spice", "herb", "sweetener", "baking"),
    "dash": ("spice", "condiment", "beverage", "oil", "dairy", "sweetener"),
    "glass": ("beverage", "dairy"), "bottle": ("beverage", "oil", "condiment"),
}  # fmt: skip
# What is spread, poured or minced has no pieces.
_WHOLE = frozenset(
    "butter,strawberry jam,apricot jam,dulce de leche,yeast,ground beef,ground pork,lemon juice,lime juice,duck".split(
        ","
    )
)
_NEVER_CANNED = frozenset(("tofu", "hummus", "edamame", "chickpea flour", "split peas"))
_SIZED = ("fruit", "vegetable", "egg", "meat", "poultry", "fish", "shellfish", "grain")
_BAKED = frozenset(
    "bread pizza pie cake cheesecake loaf toast quiche lasagna cheese ham salami bacon".split()
)


def unit_fits(ingredient: Ingredient, unit: str) -> bool:
    """Whether cooks measure an ingredient in a unit; weights and spoons always fit."""
    if unit == "piece":
        return ingredient.name not in _WHOLE
    if unit not in _FITTING and unit not in _KINDS and unit not in ("small", "medium", "large"):
        return True
    if unit in ("small", "medium", "large"):
        return ingredient.category in _SIZED and ingredient.grams_per_piece >= 10
    if unit == "can" and ingredient.name in _NEVER_CANNED:
        return False
    if ingredient.name in _FITTING.get(unit, ()) or ingredient.category in _KINDS.get(unit, ()):
        return True
    other = ingredient.id >= FIRST_GENERIC_ID and unit == "slice"
    return other and bool(_BAKED & set(plain(ingredient.name).replace(",", " ").split()))
