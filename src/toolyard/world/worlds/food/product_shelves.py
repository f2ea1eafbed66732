"""Where a shop puts a product, by its title."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping

from toolyard.world.derived import titled
from toolyard.world.faults import not_found
from toolyard.world.search import words
from toolyard.world.tables import plain, read_table
from toolyard.world.worlds.food.ingredient import Ingredient
from toolyard.world.worlds.food.ingredients import FIRST_GENERIC_ID, ingredient_or_none, mentions
from toolyard.world.worlds.food.products import SHELVES, Product

_AMOUNT = re.compile(
    r"\b\d[\d.,]*\s*(?:%|x|ml|cl|l|g|kg|oz|lb|lbs|ct|pack|pcs)?\b|\b(?:ml|cl|l|g|kg|oz|lb|pack)\b", re.I
)


_PACKED = frozenset(
    "bag bags box boxes bottle bottles jar jars can cans carton cartons tin tins pack packet pouch clamshell clamshells "
    "each bunch bunches head heads bulb bulbs tub tubs tray punnet crate dozen chunks".split()
)


# Words of titles that name no food: spaghetti no. 5 is not juice with no pulp.
_FILLING = frozenset("no no. nr nr. number the with without and of & in for".split())


def bare_title(title: str) -> str:
    """A title without amounts, sizes, what it is packed in and words that name no food."""
    kept = [
        word
        for word in _AMOUNT.sub(" ", title).split()
        if plain(word) not in _PACKED and plain(word) not in _FILLING
    ]
    return " ".join(kept) or title


def _of(product: Product) -> frozenset[str]:
    """What a product is: the last words of its title, its category and its place."""
    return _last_words((product.title, product.category, *product.path))


@functools.lru_cache(maxsize=2048)
def _last_words(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(word for name in names for word in words(name)[-1:])


def _before(title: str) -> str:
    """A title up to what a food is with or in: tuna in water."""
    return re.split(r" (?:with|in) ", plain(title), maxsplit=1)[0] or title


def kinds_of(known: Iterable[Product]) -> frozenset[str]:
    """What the products are, by their last words."""
    return frozenset(word for row in known for word in _of(row))


def head_of(title: str, kinds: frozenset[str]) -> set[str]:
    """The last word of a title, before what is with it, that any product is: the milk of oat milk, whole."""
    kept, _, _ = plain(bare_title(_before(title))).partition(",")
    return set(next(([word] for word in reversed(words(kept)) if word in kinds), []))


def of_its_kind(found: list[Product], head: set[str]) -> list[Product]:
    """Products that are what the head of a title says: butter cookies are cookies, and coffee beans no baked beans."""
    return [row for row in found if head & _of(row)]


_PLANTS = frozenset("oat soy soya almond coconut rice cashew hemp pea hazelnut".split())
_FISH = frozenset("salmon cod tuna trout haddock halibut tilapia mackerel herring".split())


def food_at_end(title: str) -> Ingredient | None:
    """The listed food that the last words of a title name: organic bananas, original cream cheese; not what is with it."""
    if " with " in f" {plain(title)} ":
        return None
    said = [word for word in bare_title(_before(title)).split() if plain(word) != "frozen"]
    for size in (3, 2, 1):
        found = ingredient_or_none(plain(" ".join(said[-size:]))) if len(said) >= size else None
        if (
            found
            and found.id < FIRST_GENERIC_ID
            and set(words(" ".join(said[-size:])))
            in [set(words(name)) for name in (found.name, *found.aliases)]
        ):
            return found
    return None


def food_within(title: str) -> Ingredient | None:
    """The last listed food that a title names anywhere: kale of kale, organic."""
    last = [one.ingredient for one in mentions(bare_title(_before(title)))][-1:]
    return last[0] if last and last[0].id < FIRST_GENERIC_ID else None


def fits(product: Product, food: Ingredient) -> bool:
    """Whether a product is that food, or one that is named after it in the same part of the shop."""
    same = words(product.title)[-1:] == words(food.name)[-1:] or product.path[0] == SHELVES.get(food.category)
    # A drink that tastes of lemon is no lemon.
    drunk = product.path[0] == "Beverages" and food.category != "beverage"
    return same and not drunk and set(words(food.name)) <= set(words(product.title))


# Category and place of foods that are sold as they are, by what they are.
_OWN_SHELVES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "fruit": ("fruit", ("Produce", "Fruit")), "vegetable": ("vegetable", ("Produce", "Vegetables")),
    "herb": ("fresh herbs", ("Produce", "Herbs")), "meat": ("meat", ("Meat", "Fresh Meat")),
    "poultry": ("poultry", ("Meat", "Poultry")), "fish": ("fish", ("Seafood", "Fresh Fish")),
    "shellfish": ("shellfish", ("Seafood", "Shellfish")), "nut": ("nuts", ("Snacks", "Nuts")),
    "spice": ("spices", ("Pantry", "Spices")), "condiment": ("condiments", ("Pantry", "Condiments")),
    "grain": ("grains", ("Pantry", "Grains")), "legume": ("dry beans", ("Pantry", "Dry Goods", "Beans and Lentils")),
    "egg": ("eggs", ("Dairy", "Eggs")), "pasta": ("pasta", ("Pantry", "Pasta")), "oil": ("oil", ("Pantry", "Oils")),
    "baking": ("baking", ("Pantry", "Baking")), "snack": ("snacks", ("Snacks",)),
    "sweetener": ("sweetener", ("Pantry", "Sweeteners")), "beverage": ("drink", ("Beverages",)),
    "dairy": ("dairy", ("Dairy",)),
}  # fmt: skip
_FROZEN = {
    "Produce": "frozen vegetables",
    "Seafood": "frozen fish",
    "Meat": "frozen meat",
    "Bakery": "frozen bread",
}
_ICE = {
    "frozen vegetables": "Vegetables",
    "frozen fish": "Fish",
    "frozen meat": "Meat",
    "frozen bread": "Bread",
}


def where_frozen(title: str, category: str, path: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """Category and place of what a title says, among the frozen foods where it says that it is frozen."""
    if "frozen" not in plain(title).split() or path[0] not in _FROZEN:
        return category, path
    if category == "fruit":
        return "frozen fruit", ("Frozen Foods", "Fruit")
    frozen = _FROZEN[path[0]]
    return frozen, ("Frozen Foods", _ICE[frozen])


def shelf_of(title: str, like: Product | None) -> tuple[str, tuple[str, ...]]:
    """Category and place in the shop: those of a product that is alike, unless words of the title say otherwise."""
    said, food = set(plain(title).split()), food_at_end(title) or (None if like else food_within(title))
    if food and (like is None or not fits(like, food)):
        near = like is not None and like.category in words(food.name)
        category, path = _OWN_SHELVES.get(food.category, (food.category, ("Pantry", titled(food.name))))
        return (like.category, like.path[:2]) if like and near else (category, path)
    if like is None:
        raise not_found("category for", title[:80], such_as=("milk", "pasta", "cereal", "cheese"))
    if said & _PLANTS and said & {"milk", "drink", "yogurt", "creamer"}:
        return "milk substitute", ("Dairy Alternatives", "Plant-Based Milk")
    if said & _FISH and "frozen" in like.category and not said & {"frozen", "canned", "smoked"}:
        return "fish", ("Seafood", "Fresh Fish")
    return like.category, like.path


@functools.cache
def _shelves() -> Mapping[tuple[str, ...], tuple[str, tuple[str, ...]]]:
    """Category and place in the shop by the words that name them."""
    return {
        tuple(words(name)): (row["category"], tuple(row["path"].split(" > ")))
        for row in read_table("food_shelves.tsv")
        for name in row["words"].split(";")
    }


def named_shelf(title: str, kinds: frozenset[str]) -> tuple[str, tuple[str, ...]] | None:
    """The shelf that words of a title name: a name at its end counts, else the longest one; None where none does.

    A single word right before what any product is only says of what it is made: olive oil is no olives.
    """
    said = words(bare_title(_before(title)))
    best = (0, 0, 0)
    found = None
    for size in (4, 3, 2, 1):
        for place in range(len(said) - size + 1):
            shelf = _shelves().get(tuple(said[place : place + size]))
            rank = _weight(said, place, size), size, place + 1
            maker = not place and tuple(said[:size]) in _BRANDED
            made_of = size == 1 and not maker and set(said[place + 1 : place + 2]) & kinds
            if shelf and rank > best and not made_of:
                best, found = rank, shelf
    return found


# Names of makers and of what they make, which say what a thing is whatever it tastes of.
_BRANDED = frozenset(
    tuple(words(name))
    for name in (
        "ben & jerry's;ben and jerry's;"
        "pringles;doritos;cheetos;fritos;lay's;lays;ruffles;sun chips;tostitos;oreo;chips ahoy;clif bar;kind bar;quest bar;"
        "rxbar;larabar;luna bar;nutri-grain bar;wheat thins;goldfish;ritz;triscuit;cheez-it;eggo;cheerios;froot loops;"
        "lucky charms;special k;rice krispies;chex;digiorno;red baron;lean cuisine;hot pockets;gatorade;powerade;red bull;"
        "la croix;lacroix;bubly;white claw;haribo;skittles;starburst;kit kat;kitkat;twix;snickers;huel;soylent;spam;nutella;"
        "pop-tarts;pop tarts;velveeta;skippy;jif;beyond burger;impossible burger;coffee creamer;popcorn;crackers;rice cakes;"
        "pretzels;baby food;dog food;cat food;prego;ragu;similac;purina;pedigree;whiskas;oatly;birds eye;bird's eye;ore-ida;"
        "stouffer's;twinkies;crisco;tofurky;gardein;quorn;boar's head;ensure;slimfast;pedialyte;folgers;maxwell house;"
        "nesquik;hidden valley;grey poupon;frank's redhot;classico;swiss miss;slim jim;quest protein bar;"
        "perrier;evian;san pellegrino;cadbury dairy milk;velveeta shells;hamburger helper;nespresso;"
        "kind dark chocolate;chobani;fage;yoplait;dannon;oikos;activia;siggi's;tostitos queso"
    ).split(";")
)


_LEADING = frozenset(tuple(words(name)) for name in ("popcorn", "crackers", "pretzels", "rice cakes"))


def _weight(said: list[str], place: int, size: int) -> int:
    """How much a name says of what a thing is: most at the start where it is a maker's, then at the end."""
    first = tuple(said[:size])
    branded = not place and first in _BRANDED
    last = place + size == len(said)
    if branded and (size > 1 or first in _LEADING):
        return 4
    if last and size > 1:
        return 3
    return 2 if branded else int(last or (not place and size > 2))


_BRITISH_SHELVES = {"Chips": "Crisps", "Cookies": "Biscuits", "Candy": "Sweets", "Soda": "Fizzy Drinks",
                    "Zucchini": "Courgette",
                    "Eggplant": "Aubergine", "Canned Goods": "Tinned Goods", "Arugula": "Rocket"}  # fmt: skip


def place_name(path: tuple[str, ...], locale: str) -> list[str]:
    """The place in the shop as Americans or Britons call it."""
    return [_BRITISH_SHELVES.get(part, part) for part in path] if locale == "en_GB" else list(path)
