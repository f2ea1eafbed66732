"""What catalogues of foods call a food."""

from __future__ import annotations

from toolyard.world.worlds.food.ingredients import Ingredient

_GROUPS = {"herb": "Spices", "spice": "Spices", "oil": "Oil", "nut": "Nuts", "fish": "Fish", "shellfish": "Shellfish",
           "beverage": "Beverages", "snack": "Snacks", "sweetener": "Sweets", "condiment": "Sauces", "pasta": "Pasta",
           "egg": "Egg", "legume": "Legumes", "grain": "Cereal grains"}  # fmt: skip
_NOT_RAW = frozenset(("bacon", "ham", "sausage", "tomato sauce", "tomato paste", "lemon juice", "lime juice", "pickles",
                      "olives", "raisins", "dates"))  # fmt: skip


def described(row: Ingredient) -> str:
    """A food as such catalogues describe it: the group or the kind first, the state last."""
    name = row.name
    if name == "mozzarella":
        return "Cheese, mozzarella"
    if name.endswith(" cheese"):
        return f"Cheese, {name.removesuffix(' cheese')}"
    if row.category in ("fruit", "vegetable", "meat", "poultry"):
        return name.capitalize() if name in _NOT_RAW else f"{name.capitalize()}, raw"
    group = _GROUPS.get(row.category)
    if group is None or name == group.lower():
        return f"{name.capitalize()}, whole, raw" if name == "egg" else name.capitalize()
    bare = name.removeprefix("egg ").removesuffix(" oil").removesuffix(" pasta")
    return f"{group}, {bare}"
