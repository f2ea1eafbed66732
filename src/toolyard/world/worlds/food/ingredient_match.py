"""Which simple foods a word means: by their names, and by the kind that it names."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping

from toolyard.world.tables import plain
from toolyard.world.worlds.food.ingredient import Ingredient
from toolyard.world.worlds.food.ingredients import ingredient_or_none, ingredients, singular

# Words for a kind of food that its names do not hold -> the category, and words of names that are no such thing.
_KINDS: Mapping[str, tuple[tuple[str, ...], str]] = {
    "fish": (("fish",), ""), "seafood": (("fish", "shellfish"), ""), "shellfish": (("shellfish",), ""),
    "fruit": (("fruit",), "juice"), "vegetable": (("vegetable",), "sauce paste"), "meat": (("meat", "poultry"), ""),
    "poultry": (("poultry",), ""), "nut": (("nut",), "seeds flaxseed tahini milk butter desiccated"),
    "herb": (("herb",), ""), "pasta": (("pasta",), "noodles paper"),
    "seed": (("nut", "spice"), "nuts peanuts almonds walnuts cashews pecans pistachios hazelnuts tahini milk butter"),
    "spice": (("spice",), "salt extract"), "grain": (("grain",), "bread breadcrumbs bun tortilla"),
}  # fmt: skip


def matching(query: str, language: str | None) -> list[Ingredient]:
    """Ingredients with a name that holds the text, or of the kind that it names, closest first."""
    wanted = singular(query[:80]) or plain(query[:80])
    names = _holding(wanted, german=language == "de") or _holding(wanted, german=True)
    kinds, foreign = _KINDS.get(wanted, ((), ""))
    banned = set(foreign.split())
    kin = [row for row in ingredients() if row.category in kinds and not banned & set(row.name.split())]
    if wanted == "seed":
        kin = [row for row in kin if "seed" in row.name]
    heads = [row for row in names if row in kin or not kinds]
    held = [row for row in names if not kinds or wanted in _singular_words(row.name)]
    return list({row.id: row for row in (*heads, *kin, *held)}.values()) or beyond(query)


@functools.cache
def _plain_names() -> tuple[tuple[Ingredient, str, str, tuple[str, ...]], ...]:
    """Ingredients with their name, German name and other names, plain and in the singular."""
    return tuple(
        (row, _singular_words(row.name), plain(row.german), tuple(map(_singular_words, row.aliases)))
        for row in ingredients()
    )


def _singular_words(name: str) -> str:
    return " ".join(singular(word) for word in plain(name).split())


def _holding(wanted: str, *, german: bool) -> list[Ingredient]:
    """Ingredients whose name has a word that begins or ends so, or whose other name ends in it: white fish is fish."""
    # A short word at the end of a longer one is hardly ever the same food: graham crackers hold no ham.
    inside = rf"|{re.escape(wanted)}\b" if len(wanted) > 3 or wanted == "nut" else ""
    edge = re.compile(rf"\b{re.escape(wanted)}{inside}")
    found = []
    for row, name, other, aliases in _plain_names():
        last = any(alias == wanted or alias.endswith(f" {wanted}") for alias in aliases)
        if edge.search(name) or last or (german and edge.search(other)):
            found.append(
                (name != wanted, not name.endswith(wanted), not name.startswith(wanted), not last, row)
            )
    return [row for *_, row in sorted(found, key=lambda entry: entry[:3])]


def beyond(query: str) -> list[Ingredient]:
    """The ingredient beyond the table that a text names in full."""
    row = ingredient_or_none(query) if len(query.strip()) > 2 else None
    return [row] if row else []
