"""Local businesses of every city, found by words, phone number, id or alias."""

import functools
import re
from collections.abc import Iterator, Mapping
from random import Random
from typing import Literal

from toolyard.world.index import Index
from toolyard.world.kernel import seeds
from toolyard.world.kernel.derived_rows import derive_row, derived_names, title_case
from toolyard.world.kernel.faults import not_found
from toolyard.world.kernel.tables import plain, read_table, table_texts, table_words, values_of
from toolyard.world.reference.places.gazetteer import beginning, city_by_number, city_number
from toolyard.world.reference.places.geography import City, cities, find_city
from toolyard.world.simulated.business_hours import Week
from toolyard.world.simulated.business_rows import (
    CHAIN_CITIES,
    CITIES_KEPT,
    FIRST_FURTHER,
    business_row,
    further_businesses,
)
from toolyard.world.simulated.business_rows import CHAIN_PHONE as CHAIN_PHONE
from toolyard.world.simulated.business_rows import Business as Business
from toolyard.world.simulated.business_rows import BusinessKind as BusinessKind
from toolyard.world.simulated.business_rows import businesses as businesses
from toolyard.world.simulated.business_rows import listed_kinds as listed_kinds
from toolyard.world.simulated.business_rows import more_businesses as more_businesses
from toolyard.world.simulated.business_rows import single_offers as single_offers
from toolyard.world.simulated.business_rows import unlisted_kinds as unlisted_kinds

_ID = re.compile(r"Y(\d{3,6})(\d{3})[0-9a-f]{15}|X(\d{3,6})(\d{4})[0-9a-f]{14}")
_PHONE = re.compile(r"\+\d{1,7}?555(\d{3,6})(\d{4})")


def listed_businesses(seed: int, place_id: str) -> tuple[Business, ...]:
    """The businesses of the listed categories in a city."""
    return (*businesses(seed, place_id), *further_businesses(seed, place_id))


def _businesses_with_number(seed: int, city: City, number: int) -> list[Business]:
    """The business of a city with a number; those of large cities may have another number than their place."""
    if number >= FIRST_FURTHER:
        rows = further_businesses(seed, city["id"])
        return [row for row in rows if row["phone"].endswith(f"{number:04d}")]
    return [*businesses(seed, city["id"]), *more_businesses(seed, city["id"])][number : number + 1]


@functools.lru_cache(maxsize=CITIES_KEPT)
def _listed_index(seed: int, place_id: str) -> Index[Business]:
    return Index(listed_businesses(seed, place_id), ("name", "category_titles", "category_aliases", "offers"))


@functools.lru_cache(maxsize=CITIES_KEPT)
def _unlisted_index(seed: int, place_id: str) -> Index[Business]:
    return Index(more_businesses(seed, place_id), ("name", "category_titles", "category_aliases", "offers"))


# Words that ask for a business and do not say of what kind.
_ASKING = frozenset(table_words("businesses.asking"))


@functools.cache
def _more_aliases() -> frozenset[str]:
    return frozenset(kind["alias"] for kind in unlisted_kinds())


@functools.cache
def _kind_words() -> frozenset[str]:
    """Words that say what a business is or offers: pizza, bakery."""
    every = (*listed_kinds(), *unlisted_kinds())
    return frozenset(plain(word) for kind in every for word in f"{kind['title']} {kind['offers']}".split())


def search_businesses(seed: int, city: City, text: str | None) -> list[Business]:
    """The businesses of a city that fit some words, best first; all for None.

    Those with all the words come first, then those with most of them; branches of chains and houses that cook a dish which
    no category has are derived.
    """
    if text is None:
        return list(listed_businesses(seed, city["id"]))
    text = without_plural_s(text.partition(" with ")[0])
    asked = without_plural_s(" ".join(word for word in plain(text).split() if word not in _ASKING) or text)
    listed, more = _listed_index(seed, city["id"]), _unlisted_index(seed, city["id"])
    if plain(asked) in _CHAINS:
        return chain_or_dish_businesses(seed, city, asked)
    full = listed.search(asked, bound=1.0)
    if all(row["category_aliases"][0] in _more_aliases() for row in full):
        full = [*full, *more.search(asked, bound=1.0)]
    head = asked.split()[-1]
    if not full and _DOCTORS.search(plain(asked)):
        return listed.search("doctor", bound=1.0)
    if not full and head in _GENERAL:
        rest = asked.removesuffix(head).strip()
        return (listed.search(rest, bound=1.0) or more.search(rest, bound=1.0)) if rest else []
    return (
        _own_kind_first(full, head)
        or more.search(asked, bound=0.6)
        or (_search_either(listed, more, head) if " " in asked and head in _kind_words() else [])
        or listed.search(asked, bound=0.5)
        or chain_or_dish_businesses(seed, city, asked)
        or (listed.search("restaurants", bound=1.0) if "restaurant" in plain(text) else [])
    )


def without_plural_s(text: str) -> str:
    """What businesses call that which somebody asks for."""
    return _KNOWN_AS.get(plain(text), text)


def _own_kind_first(rows: list[Business], word: str) -> list[Business]:
    """Businesses in their order, those whose category is what is asked for before those that have it among other things."""
    stem = word.removesuffix("s")

    def other(row: Business) -> bool:
        return not any(stem in plain(name) for name in (row["category_aliases"][0], *row["category_titles"]))

    return sorted(rows, key=other)


# What people ask for -> what businesses call it; and trades that no category names though a word of theirs does.
_KNOWN_AS = table_texts("businesses.known_as")
# Words that many trades share: who wants surf lessons is not helped by a driving school.
_GENERAL = frozenset(("lessons", "lesson", "classes", "class", "school", "rental", "repair", "club"))
_DOCTORS = re.compile(r"\b\w*(?:ologist|surgeon|physician|doctor)s?$")


def _search_either(listed: Index[Business], more: Index[Business], word: str) -> list[Business]:
    return listed.search(word, bound=1.0) or more.search(word, bound=1.0)


def search_group(seed: int, city: City, text: str, group: str) -> list[Business]:
    """The businesses of a city in one group that fit most of some words, best first; none is derived."""
    asked = " ".join(word for word in plain(text).split() if word not in _ASKING) or text
    indexes = (_listed_index(seed, city["id"]), _unlisted_index(seed, city["id"]))
    for bound in (1.0, 0.6, 0.4):
        for index in indexes:
            found = index.search(asked, where=lambda row: row["group"] == group, bound=bound)
            if found:
                return found
    return []


FIRST_UNLISTED = 900
# Chains that everybody knows, in plain words -> how they write themselves, the category of their branches, and where.
_CHAINS: Mapping[str, tuple[str, ...]] = values_of("businesses.chains")


def is_chain(name: str) -> bool:
    """Whether a business is a branch of a chain that everybody knows."""
    return plain(name) in _chain_names()


@functools.cache
def _chain_names() -> frozenset[str]:
    return frozenset(plain(name) for name, *_ in _CHAINS.values())


def chains_beginning(letters: str) -> list[str]:
    """The names of chains that begin so; none for one letter."""
    start = plain(letters)
    names = (name for key, (name, *_) in _CHAINS.items() if len(start) > 1 and key.startswith(start))
    return list(dict.fromkeys(names))


def chain_or_dish_businesses(seed: int, city: City, text: str) -> list[Business]:
    """Three branches of a chain or houses that cook a dish of no category, in a city; none for other words."""
    wanted = plain(text)
    chain, dish = _CHAINS.get(wanted), wanted in _dish_names() and len(text.split()) < 4
    if not chain and not dish:
        return []
    if chain and chain[2] and city["country_code"] not in chain[2].split():
        return []
    kind = _unlisted_kind(text, city)
    first = FIRST_UNLISTED + 3 * _kind_slot(kind)

    def built(_: Random) -> list[Business]:
        number = city_number(city["id"])
        rows = [business_row(seed, city, number, first + turn, kind, turn) for turn in range(3)]
        rows = [_chain_branch(row) if chain else _with_own_id(row, wanted) for row in rows]
        names = [row["alias"] for row in rows]
        return [
            row if row["alias"] not in names[:turn] else {**row, "alias": f"{row['alias']}-{turn + 1}"}
            for turn, row in enumerate(rows)
        ]

    return derive_row(seed, "businesses", f"{wanted} @ {city['id']}", built)


def _chain_branch(row: Business) -> Business:
    """A branch of a chain: cheap, open on all days, and nobody raves about it."""
    rating = max(2.5, row["rating"] - 1.0)
    return {**row, "rating": rating, "price": _chain_price(row), "hours": _hours_all_week(row)}


def _with_own_id(row: Business, dish: str) -> Business:
    """A house with an id of its dish: the places of numbers are few."""
    return {**row, "id": f"{row['id'][:-15]}{seeds.token(15, 'dish', dish, row['id'])}"}


def _kind_slot(kind: BusinessKind) -> int:
    """The place of a kind among those beyond the lists: each chain has one of its own."""
    chains = sorted(_chain_names())
    name = plain(kind["names"][0])
    return (
        chains.index(name)
        if name in chains
        else len(chains) + seeds.number("kind", kind["offers"]) % (33 - len(chains))
    )


def _hours_all_week(row: Business) -> Week:
    """The hours of a branch of a chain, which is open on all days of the week."""
    usual = next(span for span in row["hours"] if span is not None)
    return [usual] * 7


def _chain_price(row: Business) -> int:
    return 1 if row["category_aliases"][0] in ("burgers", "delis", "pizza") else min(2, row["price"])


@functools.cache
def _dish_names() -> frozenset[str]:
    return frozenset(plain(row["title"]) for row in read_table("food_recipes.tsv"))


def _unlisted_kind(text: str, city: City) -> BusinessKind:
    """The kind of business that some words ask for: branches of a chain, else houses that are called after a dish."""
    chain = _CHAINS.get(plain(text))
    if chain:
        name, alias, _ = chain
        like = next(kind for kind in (*listed_kinds(), *unlisted_kinds()) if kind["alias"] == alias)
        return {**like, "names": [name] * 3}
    title = title_case(text)
    names = [f"{title} House", f"The {title} Kitchen", f"{city['name']} {title}"]
    return {**listed_kinds()[0], "offers": plain(text), "names": names}


def _find_derived_business(
    seed: int, wanted: str, key: Literal["id", "alias", "phone"] = "id"
) -> list[Business]:
    """The derived business with this id, alias or phone number that the running world has named."""
    for name in derived_names("businesses"):
        text, _, place = name.partition(" @ ")
        found = [row for row in chain_or_dish_businesses(seed, find_city(place), text) if row[key] == wanted]
        if found:
            return found
    return []


def businesses_by_phone(seed: int, phone: str) -> list[Business]:
    """The businesses with a phone number, blanks and dashes aside."""
    number = "+" + re.sub(r"\D", "", phone)
    if number == CHAIN_PHONE:
        places = [
            row for row in cities() if plain(row["name"]) in CHAIN_CITIES and row["country_code"] == "US"
        ]
        return [businesses(seed, row["id"])[0] for row in places]
    match = _PHONE.fullmatch(number)
    city = city_by_number(int(match[1])) if match else None
    if match is None or city is None:
        return []
    found = [row for row in _businesses_with_number(seed, city, int(match[2])) if row["phone"] == number]
    return found or _find_derived_business(seed, number, "phone")


def find_business(seed: int, wanted: str) -> Business:
    """The business of an id or alias; a not_found fault otherwise."""
    match = _ID.fullmatch(wanted.strip())
    city = city_by_number(int(match[1] or match[3])) if match else None
    if match and city:
        rows = _businesses_with_number(seed, city, int(match[2] or match[4]))
        found = [row for row in rows if row["id"] == wanted.strip()]
        found = found or _find_derived_business(seed, wanted.strip())
    else:
        alias = plain(wanted)[:200]
        found = _businesses_by_alias(seed, alias) or _find_derived_business(seed, alias, "alias")
    if not found:
        raise not_found(
            "business", wanted[:80], such_as=[row["alias"] for row in businesses(seed, "US-NY-new-york")[:3]]
        )
    return found[0]


def _businesses_by_alias(seed: int, alias: str) -> list[Business]:
    """The business of an alias, which ends in its city: a well-known one, else any town or suburb called so."""
    for city in (*(city for city in cities() if f"-{_slug(city)}" in alias), *_towns_ending_alias(alias)):
        rows = (*listed_businesses(seed, city["id"]), *more_businesses(seed, city["id"]))
        found = [row for row in rows if row["alias"] == alias]
        if found:
            return found
    return []


def _slug(city: City) -> str:
    return re.sub(r"[^a-z0-9]+", "-", plain(city["name"])).strip("-")


def _towns_ending_alias(alias: str) -> Iterator[City]:
    """The towns whose name an alias ends in, the longest names first."""
    parts = alias.split("-")
    for size in range(min(4, len(parts) - 1), 0, -1):
        name = " ".join(parts[-size:])
        if len(name) > 2:
            yield from [city for city in beginning(name, 60) if _slug(city) == name.replace(" ", "-")][:12]
