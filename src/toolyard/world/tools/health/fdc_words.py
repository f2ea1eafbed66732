"""Foods of the catalogue by the words of a query."""

import functools
import re
from collections.abc import Mapping

from toolyard.world.index.postings import Postings
from toolyard.world.kernel import seeds
from toolyard.world.kernel.tables import plain, table_words
from toolyard.world.simulated.food.ingredients import singular_word
from toolyard.world.tools.health.fdc_catalogue import CatalogueFood, food_catalogue, foods_by_id

_WORD = re.compile(r"[a-z0-9%]+")
# Words that say no more than that a food is the plain one.
_PLAIN_WORDS = frozenset(table_words("fdc_words.plain_words"))
_TYPES: Mapping[str, int] = {"Foundation": 0, "SR Legacy": 0, "Survey (FNDDS)": 1, "Branded": 2}


@functools.lru_cache(maxsize=1024)
def _words(text: str) -> tuple[str, ...]:
    return tuple(singular_word(word) for word in _WORD.findall(plain(text)))


@seeds.table
def _food_ids_by_word(seed: int) -> Postings:
    """The ids of the foods that have a word in description or brand."""
    found: dict[str, list[int]] = {}
    for food in food_catalogue(seed):
        for word in _words(f"{food.description} {food.brand}"):
            found.setdefault(word, []).append(food.id)
    return Postings(found)


# First words of descriptions that only say of what group a food is, and words of what only takes after a food.
_GROUPS = frozenset("fish nuts spices seeds beverages crustaceans mollusks oil cheese".split())
_UNLIKE = frozenset(
    "oil meatless imitation substitute turkey fried dried stick diet zevia light soup use sandwich".split()
)


def _distance(food: CatalogueFood, wanted: tuple[str, ...]) -> tuple[bool, bool, bool, int, int, int, int]:
    """How far a food is from some words: those that begin with them and say little else are near."""
    shown = food.description.partition(" (Includes")[0]
    named = shown.split(",")
    mixed = any(part.startswith(" and ") for part in named)
    if named[0].lower() in _GROUPS and len(named) > 1 and not mixed:
        named = named[1:]
    own, parts = _words(",".join(named)), [set(_words(part)) for part in named[:2]]
    head = parts[0] == set(wanted) or set().union(*parts) == set(wanted)
    extra = [word for word in own if word not in wanted]
    strange = sum(word not in _PLAIN_WORDS for word in extra)
    unlike = (
        any(word in _UNLIKE for word in _words(shown) if word not in wanted) or named[-1].strip() == "skin"
    )
    first = own[: len(wanted)] == wanted
    return unlike, not head, not first, strange, _TYPES[food.data_type], len(extra), food.id


def _foods_with_word(seed: int, word: str) -> frozenset[int]:
    """The foods that have a word; 70% is found in 70-85%."""
    places = _food_ids_by_word(seed)
    return frozenset((*places[word], *places[word[:-1] if word.endswith("%") else word]))


def matching_foods(seed: int, query: str) -> list[CatalogueFood]:
    """Foods with all the words of a query, nearest first; else with most of them and the last that any food has."""
    wanted = tuple(word for word in dict.fromkeys(_words(query)) if word not in ("and", "of", "the", "in"))
    having = {word: found for word in wanted if (found := _foods_with_word(seed, word))}
    if not having or 2 * len(having) < len(wanted):
        return []
    shared = frozenset.intersection(*having.values())
    if not shared or len(having) < len(wanted):
        # Of words that some food has, most must be there: what is only canned in water is no tuna.
        least = len(having) // 2 + 1
        last = _foods_with_most(having, having[list(having)[-1]], least)
        shared = last or _foods_with_most(having, frozenset().union(*having.values()), least)
    return sorted((foods_by_id(seed)[number] for number in shared), key=lambda food: _distance(food, wanted))


def _foods_with_most(having: Mapping[str, frozenset[int]], of: frozenset[int], least: int) -> frozenset[int]:
    """Those that have most of the words, the rarest one among them."""
    rarest = min(having.values(), key=len)
    counts = {number: sum(number in found for found in having.values()) for number in of & rarest}
    most = max(counts.values(), default=0)
    return frozenset(number for number, count in counts.items() if count == most and count >= least)
