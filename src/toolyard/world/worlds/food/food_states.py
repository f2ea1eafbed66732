"""Foods that were dried, cooked or canned: the reference table has figures of their own for them."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import replace

from toolyard.world.reference.foods import GenericFood, foods_with
from toolyard.world.tables import plain
from toolyard.world.worlds.food.generic_foods import PART, amounts_of
from toolyard.world.worlds.food.ingredient import Ingredient

# What people say of a food -> parts of names in the reference table that mean it, the nearest first.
STATES: Mapping[str, tuple[str, ...]] = {
    "dried": ("dried", "sun-dried"),
    "cooked": ("cooked", "from dried", "boiled", "baked or broiled", "stewed"),
    "boiled": ("boiled", "boiled or poached", "hard-boiled", "cooked", "from dried"),
    "steamed": ("steamed", "boiled", "cooked"),
    "baked": ("baked", "baked or broiled"),
    "roasted": ("roasted", "baked or broiled", "rotisserie"),
    "grilled": ("grilled", "broiled", "baked or broiled"),
    "fried": ("fried", "fried with oil", "sauteed"),
    "stewed": ("stewed",),
    "canned": ("canned", "from canned"),
    "smoked": ("smoked",),
}
# Parts of names beside the state that make no other food of it.
_BESIDE = frozenset(
    "boiled;drained;without salt;with salt;no salt added;no added fat;nfs;dry heat;uncooked;sulfured;fresh;plain;prunes;"
    "shiitake;enriched;without added salt;garbanzo beans;bengal gram;from fresh;peel not eaten;pearled;whole;cooked;white;"
    "skin not eaten;mature seeds;raw;regular;as ingredient;ns as to fat".split(";")
)
_SHELVES = frozenset(("fish", "crustaceans", "mollusks", "nuts", "seeds", "vegetables"))
_DRY_GOODS = ("legume", "grain", "pasta")
# Below so many kilocalories in 100 g a bean or a noodle holds the water in which it was cooked.
_SOAKED = 200.0
_CUPS = {"cooked rice": 158.0, "boiled rice": 158.0}
# Of two foods that are the same otherwise, the one without these is plainer.
_LESS_PLAIN = frozenset(("with salt", "as ingredient", "nfs", "ns as to fat"))


def in_state(base: Ingredient, state: str, first_id: int) -> Ingredient | None:
    """A food as it is after what was done to it; None where nobody has measured that."""
    dry_good, soaked = base.category in _DRY_GOODS, base.per_100g["calories"] < _SOAKED
    if dry_good and soaked and state in ("cooked", "boiled", "canned"):
        return base
    if state == "dried" and (not (dry_good and soaked) and base.category not in ("fruit", "vegetable")):
        return None
    meant = ("dry", "mature seeds") if dry_good and state == "dried" else STATES[state]
    foods = _measured(_named(base), meant)
    if not foods:
        return base if state == "roasted" and base.category == "nut" else None
    food = foods[0]
    # Boiling adds nothing but water: what holds much more was boiled with fat.
    if (
        state in ("boiled", "steamed")
        and food.nutrients.get("calories", 0.0) > 1.4 * base.per_100g["calories"]
    ):
        return None
    cups = (other.portion for other in foods if other.portion and 80 <= other.portion <= 260)
    cup = _CUPS.get(f"{state} {base.name}") or next(cups, base.grams_per_cup)
    return replace(
        base,
        id=first_id + food.place,
        name=f"{state} {base.name}",
        german=f"{state} {base.german}",
        aliases=(),
        per_100g=amounts_of(food),
        grams_per_cup=cup,
        grams_per_piece=0.0 if state == "dried" else base.grams_per_piece,
    )


def _named(base: Ingredient) -> str:
    """What the reference table calls a food: all pasta of wheat is pasta there once it is cooked."""
    return "pasta" if base.category == "pasta" and "noodle" not in base.name else base.name


def _one(word: str) -> str:
    word = plain(word)
    for ending, stem in (("ies", "y"), ("oes", "o"), ("ches", "ch")):
        if word.endswith(ending):
            return word.removesuffix(ending) + stem
    return word.removesuffix("s")


@functools.lru_cache(maxsize=512)
def _measured(name: str, meant: tuple[str, ...]) -> tuple[GenericFood, ...]:
    """Foods of the reference table that are called so and are in one of these states, the plainest first."""
    wanted = {_one(word) for word in name.split()}
    found = []
    for spelling in dict.fromkeys((name, f"{name}es", " ".join(map(_one, name.split())))):
        for food in foods_with(spelling, 200):
            parts = [part.strip(" )").lower() for part in PART.split(food.name)]
            parts = parts[1:] if parts[0] in _SHELVES else parts
            for size in (1, 2):
                rest = parts[size:]
                own = {_one(word) for part in parts[:size] for word in part.split()}
                place = next((number for number, part in enumerate(meant) if part in rest), None)
                if own == wanted and place is not None and set(rest) <= _BESIDE.union(meant):
                    found.append((place, bool(_LESS_PLAIN & set(rest)), len(rest), food.place, food))
    return tuple(entry[4] for entry in sorted(found, key=lambda entry: entry[:4]))
