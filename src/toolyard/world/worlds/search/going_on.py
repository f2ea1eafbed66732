"""Search: how people go on after the name of a thing, by the kind of the thing and what they have typed of the next word."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from toolyard.world.shared.entries import by_name, named
from toolyard.world.shared.entry import Entry
from toolyard.world.shared.found_pictures import SIGHTS
from toolyard.world.tables import plain
from toolyard.world.worlds.product.unlisted import line_of

_OF_PEOPLE = ("news", "age", "biography", "quotes", "pictures", "family", "books", "interview", "facts", "height",
              "net worth", "education", "children", "wikipedia")  # fmt: skip
_OF_THE_DEAD = (
    "biography",
    "facts",
    "quotes",
    "family",
    "early life",
    "death",
    "timeline",
    "wikipedia",
)
_OF_CLUBS = (
    "news",
    "fixtures",
    "results",
    "tickets",
    "shop",
    "players",
    "stadium",
    "jersey",
    "transfer news",
)
_OF_THINGS = ("meaning", "facts")
_OF_SIGHTS = ("facts", "history", "location", "pictures")
_OF_ART = ("meaning", "artist", "museum", "painting", "facts", "history")
_OF_SERIES = ("cast", "season 1", "trailer", "episodes", "streaming", "characters", "finale")
_OF_GAMES = ("download", "online", "release date", "system requirements", "review", "cheats")
_OF_SONGS = ("lyrics", "chords", "meaning", "karaoke", "cover")
_OF_ANIMALS = ("facts", "pictures", "habitat", "lifespan", "size")
_OF_FOOD = ("recipe", "near me", "calories", "ingredients", "nutrition")
_OF_CITIES = ("weather", "hotels", "map", "things to do", "restaurants", "airport", "population", "news", "time zone",
              "attractions", "hostels", "museums", "tours", "flights", "history", "events", "metro", "nightlife",
              "pictures", "beaches", "university", "jobs", "zoo", "castle", "day trips", "itinerary")  # fmt: skip
_OF_COUNTRIES = ("population", "map", "capital", "flag", "currency", "visa", "weather", "news", "history", "language",
                 "food", "time zone", "tourism", "government", "economy", "religion", "embassy")  # fmt: skip
_OF_COMPANIES = ("stock", "careers", "news", "products", "customer service", "headquarters", "ceo", "history", "login",
                 "annual report", "share price", "logo", "jobs", "store near me", "website")  # fmt: skip
_OF_FILMS = ("cast", "trailer", "review", "soundtrack", "ending explained", "streaming", "quotes", "release date",
             "director", "poster", "plot", "rating")  # fmt: skip
_OF_BOOKS = ("summary", "characters", "quotes", "movie", "author", "review", "analysis", "audiobook")
_OF_BANDS = ("songs", "albums", "members", "tour", "tickets", "lyrics", "discography", "merch")
_BY_KIND: Mapping[str, tuple[str, ...]] = {
    "person": _OF_PEOPLE, "city": _OF_CITIES, "country": _OF_COUNTRIES, "company": _OF_COMPANIES, "film": _OF_FILMS,
    "book": _OF_BOOKS, "band": _OF_BANDS, "television series": _OF_SERIES, "series": _OF_SERIES, "video game": _OF_GAMES,
    "song": _OF_SONGS, **dict.fromkeys(SIGHTS, _OF_SIGHTS), "place": _OF_SIGHTS,
}  # fmt: skip
_BY_FIELD = {"art": _OF_ART, "animals": _OF_ANIMALS, "food": _OF_FOOD}
# What a maker's name is followed by in shops, by the shelf its things stand on.
_OF_BRANDS: Mapping[str, tuple[str, ...]] = {
    "Phones": ("phone", "phone case", "charger", "screen protector", "pro", "refurbished"),
    "Audio": ("headphones", "earbuds", "speaker", "soundbar", "replacement pads"),
    "Computers": ("laptop", "monitor", "keyboard", "mouse", "charger", "case"),
    "Television": ("tv", "tv 55 inch", "remote", "tv stand", "soundbar"),
    "Games": ("console", "controller", "games", "headset", "gift card"),
    "Cameras": ("camera", "lens", "battery", "film", "bag"),
    "Wearables": ("watch", "charger", "bands", "sport", "screen protector"),
    "Kitchen": ("recipes", "accessories", "replacement parts", "set", "lid"),
    "Appliances": ("vacuum", "vacuum cleaner", "fan", "air purifier", "filter", "replacement parts"),
    "Furniture": ("sofa", "bed frame", "desk", "mattress", "chair"),
    "Sport": ("shoes", "running shoes", "sneakers", "hoodie", "socks", "backpack", "slides", "shorts"),
    "Brands": ("jacket", "jeans", "t-shirt", "hoodie", "sunglasses", "outlet"),
    "Watches": ("watch", "watches for men", "watches for women", "straps", "vintage"),
    "Toys": ("sets", "sets for adults", "advent calendar", "storage", "toys for kids"),
    "Beauty": ("set", "travel size", "refill", "for sensitive skin", "coupons"),
    "Tools": ("drill", "drill set", "saw", "battery", "tool box"),
    "Baby": ("newborn", "size 1", "car seat", "coupons", "travel bag"),
    "Groceries": ("family size", "calories", "ingredients", "gift box", "variety pack"),
    "Music": ("guitar", "keyboard", "amp", "strings", "case"),
    "Sports": ("gear", "bag", "gloves", "set", "used"),
}
_OF_GOODS = ("sale", "near me", "reviews", "outlet", "gift card", "promo code")
_LONGEST_NAME = 5


class Begun(NamedTuple):
    """A search that begins with the name of a thing: the name as written, its kind, and the stump of the next word."""

    name: str
    kind: str
    stump: str
    endings: tuple[str, ...]


def _begun(query: str) -> Begun | None:
    typed = plain(query).split()
    for size in range(min(len(typed), _LONGEST_NAME), 0, -1):
        name, stump = " ".join(typed[:size]), " ".join(typed[size:])
        # A name whose words stand apart as they were typed: paris h is no parish.
        found = [row for row in named(name) if name in map(plain, (row["title"], *row["aliases"]))]
        if found:
            kind = found[0]["kind"]
            return Begun(name if stump else found[0]["title"], kind, stump, _endings(found[0]))
    return None


def _endings(entry: Entry) -> tuple[str, ...]:
    if entry["kind"] == "person" and "P570" in entry["properties"]:
        return _OF_THE_DEAD
    if entry["kind"].endswith((" club", " team")):
        return _OF_CLUBS
    if entry["kind"] == "city" and plain(entry["title"]) not in by_name():
        return _OF_CITIES[:2]
    return _BY_KIND.get(entry["kind"]) or _BY_FIELD.get(entry["field"], _OF_THINGS)


def brand_searches(query: str) -> list[str]:
    """What people look for in shops after the name of a maker: nike shoes; nothing after any other word."""
    typed = plain(query).split()
    for size in range(min(len(typed), _LONGEST_NAME), 0, -1):
        line = line_of(" ".join(typed[:size]))
        if line is not None:
            stump = " ".join(typed[size:])
            endings = (*_OF_BRANDS.get(line.category.rpartition(" > ")[2], ()), *_OF_GOODS)
            return [f"{line.line.lower()} {text}" for text in endings if text.startswith(stump)]
    return []


def thing_searches(query: str) -> list[str]:
    """What people ask about a person, place, work or word whose name a search begins with."""
    begun = _begun(query)
    if begun is None or (len(begun.stump) == 1 and begun.kind == "person"):
        return []
    return [f"{begun.name} {text}" for text in begun.endings if text.startswith(begun.stump)]
