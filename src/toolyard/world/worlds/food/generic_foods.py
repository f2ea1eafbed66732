"""What a food of the reference table is called in a kitchen, of what kind it is and what it usually costs."""

from __future__ import annotations

import re

from toolyard.world import seeds
from toolyard.world.reference import wordnet
from toolyard.world.reference.foods import GenericFood, foods_with
from toolyard.world.reference.packed import packed
from toolyard.world.search import words
from toolyard.world.worlds.food.nutrients import NUTRIENTS

PART = re.compile(r"[,(]")
# Words of a category of generic foods -> category of ingredients; the first that fits counts.
_KINDS = (
    ("fish", "fish"), ("shellfish", "shellfish"), ("poultry", "poultry"), ("chicken", "poultry"), ("turkey", "poultry"),
    ("egg", "egg"), ("dairy", "dairy"), ("milk", "dairy"), ("cheese", "dairy"), ("yogurt", "dairy"), ("cream", "dairy"),
    ("legume", "legume"), ("bean", "legume"), ("nut", "nut"), ("seed", "nut"), ("spice", "spice"), ("fruit", "fruit"),
    ("vegetable", "vegetable"), ("potato", "vegetable"), ("pasta", "pasta"), ("cereal", "grain"), ("grain", "grain"),
    ("bread", "grain"), ("rice", "grain"), ("baked", "snack"), ("fat", "oil"), ("oil", "oil"), ("margarine", "oil"),
    ("sweet", "sweetener"), ("sugar", "sweetener"), ("candy", "sweetener"), ("syrup", "sweetener"), ("sauce", "condiment"),
    ("condiment", "condiment"), ("soup", "condiment"), ("beverage", "beverage"), ("drink", "beverage"),
    ("coffee", "beverage"),    ("tea", "beverage"), ("juice", "beverage"), ("liquor", "beverage"),
    ("wine", "beverage"), ("beer", "beverage"),
    ("papaya", "fruit"), ("mango", "fruit"), ("melon", "fruit"), ("berries", "fruit"), ("citrus", "fruit"),
    ("apple", "fruit"),
    ("banana", "fruit"), ("grape", "fruit"), ("peach", "fruit"), ("pineapple", "fruit"), ("tomato", "vegetable"),
    ("green", "vegetable"), ("broccoli", "vegetable"), ("carrot", "vegetable"), ("onion", "vegetable"),
    ("corn", "vegetable"),
    ("lettuce", "vegetable"), ("cabbage", "vegetable"), ("squash", "vegetable"), ("pepper", "vegetable"),
    ("pork", "meat"), ("beef", "meat"), ("lamb", "meat"), ("meat", "meat"), ("sausage", "meat"), ("bacon", "meat"),
)  # fmt: skip


def amounts_of(food: GenericFood) -> dict[str, float]:
    """The nutrients of a generic food; sugar is measured apart, and is never more than all carbohydrates."""
    # What is left when all else is weighed may come out below nothing.
    found = {kind.key: max(0.0, food.nutrients.get(kind.key, 0.0)) for kind in NUTRIENTS}
    return {**found, "sugar": min(found["sugar"], found["carbs"])}


def foods_starting(prefix: str, limit: int) -> list[GenericFood]:
    """The plainest food of each head that starts so: Pomegranates, raw for pom."""
    heads: dict[str, GenericFood] = {}
    for row in packed("foods").starting(prefix.strip().capitalize(), 200):
        head = PART.split(row[0])[0].strip().lower()
        if head not in heads and (plainest := foods_with(head, 1)):
            heads[head] = plainest[0]
    return list(
        {food.place: food for food in sorted(heads.values(), key=lambda food: len(food.name))}.values()
    )[:limit]


_BREADS = ("bread", "rolls", "bagel", "english muffin", "croissant", "pita", "tortilla", "naan", "biscuit")


def is_bread(food: GenericFood) -> bool:
    """Whether a food is bread of some kind."""
    return food.name.lower().startswith(_BREADS)


def kind_of(food: GenericFood) -> str:
    """The category of ingredients that a food is of."""
    if is_bread(food):
        return "grain"
    lower = food.category.lower().split("excludes")[0]
    # A category of its own that holds more than its first word says.
    if lower.startswith("egg rolls"):
        return "fish" if food.name.lower().startswith("sushi") else "snack"
    return next((kind for word, kind in _KINDS if word in lower), "snack")


# Heads of names that say no more than where a shop would put the food.
_SHELF_WORDS = frozenset(
    ("spices", "nuts", "seeds", "beverages", "crustaceans", "mollusks", "leavening agents")
)
# What a kilogram of a kind usually costs, in cents for 100 g.
_USUAL_CENTS = {
    "spice": 900.0, "nut": 250.0, "fish": 260.0, "shellfish": 300.0, "meat": 180.0, "poultry": 120.0, "oil": 120.0,
    "beverage": 40.0, "fruit": 70.0, "vegetable": 50.0, "dairy": 80.0, "grain": 45.0, "legume": 35.0, "egg": 50.0,
    "sweetener": 60.0, "condiment": 70.0, "pasta": 40.0, "baking": 60.0,
}  # fmt: skip
_DEAR = {"saffron": 60_000.0, "vanilla bean": 20_000.0, "caviar": 30_000.0, "truffle": 30_000.0}


def usual_cents(food: GenericFood, kind: str) -> float:
    """What 100 g of a generic food usually cost."""
    if PART.split(food.name)[0].strip().lower() in (
        "milk",
        "water",
        "soft drink",
        "apple juice",
        "orange juice",
        "tea",
    ):
        return 15.0
    dear = next((cents for word, cents in _DEAR.items() if word in food.name.lower()), None)
    return dear or _USUAL_CENTS.get(kind, 100.0) * (0.7 + 0.6 * seeds.unit("usual price", food.name))


_POURED = frozenset(words("milk juice broth soup drink water kefir shake cocoa lemonade smoothie gravy"))


def cup_of(food: GenericFood, kind: str) -> float:
    """What a cup of a generic food usually weighs in grams."""
    said = set(words(food.name))
    if kind == "beverage" or said & _POURED:
        return 240.0
    if said & {"syrup", "molasse", "honey", "jam"}:
        return 320.0
    return {"oil": 218.0, "spice": 100.0, "condiment": 250.0}.get(kind, 120.0 if "flour" in said else 140.0)


_SAYING_LITTLE = frozenset(("dry powder", "nfs", "raw", "ns as to type", "regular"))
_SAID_LAST = frozenset((
    "bread", "flour", "cheese", "milk", "cookies", "cookie", "pie", "oil", "yogurt", "cake", "juice", "rice", "crackers",
    "salad", "gravy", "muffin", "pancakes", "beans", "nuts", "seeds", "rolls", "pizza",
))  # fmt: skip
_LEFT_OUT = frozenset((
    "candies", "cereal", "cereals", "cereals ready-to-eat", "fish", "sauce", "soup", "potato", "ham", "coffee", "tea",
    "snacks", "sausage",
))  # fmt: skip
# Makers that stand before what they make.
_MAKERS = frozenset((
    "mars snackfood us", "hershey", "hershey's", "hersheys", "nestle", "post", "quaker", "malt-o-meal", "ocean spray",
    "minute maid",
))  # fmt: skip
_SAID_FIRST = frozenset(("pork", "beef", "chicken", "turkey", "lamb", "veal"))


def generic_name(food: GenericFood) -> str:
    """What a generic food is called: by the head of its name where it is the plain one of that head, else by two parts."""
    head, *rest = (part.strip(" )").lower() for part in PART.split(food.name))
    rest = [part for part in rest if not part.startswith("ns as to")]
    rest = rest[1:] if len(rest) > 1 and rest[0] in _MAKERS else rest
    plainest = foods_with(head, 1)
    if rest[1:] and head in _SHELF_WORDS and rest[0] == "pepper":
        return f"{rest[1].split(' or ')[-1]} pepper"
    if rest and head in _SHELF_WORDS:
        return rest[1] if rest[0] == "carbonated" and len(rest) > 1 else rest[0]
    if not rest or (plainest and plainest[0].place == food.place) or rest[0] in _SAYING_LITTLE:
        return head
    if head in _SAID_LAST:
        return f"{rest[0]} {head}"
    if head == "potato" and rest[0] in ("boiled", "mashed", "scalloped", "baked", "roasted"):
        return f"{rest[0]} potato"
    if head in _LEFT_OUT:
        return rest[0]
    return f"{head} {rest[0]}" if head in _SAID_FIRST else f"{head}, {rest[0]}"


# Words of names of foods, and the letters of what is in them.
_HOLDING = (
    ("bread bagel cracker pretzel noodle pasta macaroni lasagna spaghetti pizza nugget stick burger sandwich biscuit", "gw"),
    ("tortilla pita roll bun wheat barley rye couscous bulgur burrito dumpling breaded flour pie pastry pastries", "gw"),
    ("cookie cookies cake cupcake muffin pancake waffle doughnut croissant brownie brownies eclair", "gwed"),
    ("flake oat malt", "g"), ("pesto", "dn"), ("ranch", "de"),
    ("milk cheese cream yogurt butter whey custard pudding latte cappuccino chocolate caramel ice-cream", "d"),
    ("egg mayonnaise custard meringue omelet", "e"), ("peanut", "p"), ("soy tofu tempeh miso edamame", "s"),
    ("sesame tahini", "k"), ("almond cashew walnut pecan hazelnut pistachio macadamia nut", "n"),
    ("beef pork chicken turkey ham bacon sausage salami pepperoni frankfurter jerky lamb veal meat", "m"),
    ("lard suet tallow gelatin gelatins", "m"),
    ("fish salmon tuna cod anchovy", "f"), ("shrimp crab lobster clam oyster mussel", "h"), ("honey", "a"),
    ("beer wine rum vodka whiskey gin tequila liqueur brandy cognac sake", "o"), ("wine champagne sherry", "ou"),
    ("cheeseburger", "dgwm"), ("cheesecake quiche tiramisu", "dgwe"), ("hamburger meatball", "gwm"), ("pizza", "d"),
    ("milkshake buttermilk quesadilla enchilada alfredo eggnog", "d"), ("eggnog", "e"),
    ("gingerbread ravioli gnocchi", "gw"), ("lasagna cannelloni manicotti", "d"), ("shortbread", "gwd"),
    ("worcestershire anchovies caesar surimi sushi ceviche", "f"), ("snickers", "dpe"),
)  # fmt: skip
_PLANT_MILKS = frozenset(words("oat soy almond rice coconut cashew hemp non dairy"))
_OF_OTHER_GRAIN = frozenset(
    words(
        "corn rice almond coconut potato buckwheat quinoa gluten millet teff sorghum amaranth tapioca cornmeal hominy"
    )
)


def without_gluten(food: GenericFood) -> bool:
    """Whether a food is of a grain that holds no gluten."""
    said = set(words(food.name))
    return bool(said & _OF_OTHER_GRAIN) and not said & set(
        words("wheat barley rye spaghetti macaroni noodles egg")
    )


def holding(food: GenericFood) -> str:
    """The letters of intolerances that the name of a generic food gives away; a drink of oats holds no milk."""
    said = set(words(food.name))
    letters = {letter for names, found in _HOLDING if said & set(words(names)) for letter in found}
    if (
        said & set(words("milk yogurt cheese butter cream"))
        and said & _PLANT_MILKS
        and "chocolate" not in said
    ):
        letters -= {"d"}
    if said & {"butter"} and said & set(words("peanut almond cashew sesame apple")):
        letters -= {"d"}
    baked = bool(said & set(words("cookie cookies cake pie muffin bread")))
    other_grain = bool(said & _OF_OTHER_GRAIN) or "chip" in said
    if {"rice", "cake"} <= said:
        return "r"
    if "wheat" not in said and other_grain and not baked:
        letters -= {"g", "w"}
    return "".join(sorted(letters))


# Heads of names that only say of what kind a food is: Spices, saffron; Cheese, swiss; Candies, caramels.
HEADS = frozenset(
    words(
        "spices nuts seeds beverages crustaceans mollusks candies cereals cheese fish sauce snacks oil soup"
    )
)
# What may follow a name without making it another food: pistachio nuts are pistachios, dragon fruit is no dragon.
OF_PLANTS = frozenset(words("nut seed bean root leaf meat bulb kernel pod sprout green"))


def is_a_thing(wanted: list[str]) -> bool:
    """Whether a single word names something else than food, so that it is no kind of one by itself: a brick is no cheese."""
    senses = [sense for sense in wordnet.senses(wanted[0]) if sense.part == "n"] if len(wanted) == 1 else []
    return bool(senses) and all(sense.field in _THING_FIELDS for sense in senses)


# The dictionary's fields of made things, people and substances.
_THING_FIELDS = (6, 18, 27)


def spellings(wanted: list[str]) -> list[list[str]]:
    """Words as they are, and a single one in two parts: lemongrass, lemon grass."""
    if len(wanted) != 1:
        return [wanted]
    word = wanted[0]
    return [wanted, *([word[:place], word[place:]] for place in range(3, len(word) - 2))]
