"""Wines: what goes with which food, and bottles one could buy."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from random import Random
from typing import Annotated, TypedDict

from toolyard.core.sums import added
from toolyard.world import seeds
from toolyard.world.faults import not_found
from toolyard.world.registry import tool
from toolyard.world.search import words
from toolyard.world.shared.geography import plain, read_table
from toolyard.world.state import World
from toolyard.world.tables import index_by
from toolyard.world.types import CountryName, Money, Prose, Range, Semantic, Unit
from toolyard.world.worlds.food.asked import said
from toolyard.world.worlds.food.ingredients import ingredient_or_none
from toolyard.world.worlds.food.meanings import Count, DishName, Pairable
from toolyard.world.worlds.food.recipe_words import search
from toolyard.world.worlds.food.recipes import drinks, recipes
from toolyard.world.worlds.food.wine_foods import ANYWHERE, BASES, LIKE, NAMES, OWN, written
from toolyard.world.worlds.food.wine_kitchens import usual_wines

GROUP = "Food/spoonacular_wine_restaurants"
WineName = Annotated[str, Semantic("wine")]
Dollars = Annotated[float, Range(0, 100_000), Unit("USD")]
Rating = Annotated[float, Range(0, 1)]
# Makers that do not exist, by country; others make what they like.
_HOUSES = {
    "France": "Maison Delorme;Domaine Vauclair;Maison Perrault;Domaine des Tilleuls;Maison Saint-Aubry;Domaine Rochebelle",
    "Italy": "Tenuta Valdoro;Cantina Montefiore;Podere San Biagio;Tenuta Belcolle;Cantina del Borgo;Casa Ferretti",
    "Spain": "Bodega Valdeluz;Bodegas Montealto;Bodega San Telmo;Bodegas del Robledal;Bodega Torralba;Bodegas Peñarroya",
    "Portugal": "Quinta Velha;Quinta do Sobral;Casa Almeirim;Quinta da Ribeira;Casa Montalvo;Quinta dos Moinhos",
    "Germany": "Weingut Adler;Weingut Steinbach;Weingut Lindenhof;Weingut Rebental;Weingut Hagen;Weingut Sonnleiten",
    "Austria": "Weingut Kirchmayr;Weingut Donauleiten;Weingut Ahorn;Weingut Steinfeder;Weingut Tannberg;Weingut Loess",
    "Hungary": "Aranyhegy Pince;Kerekdomb Birtok;Szarvas Pince;Holdvölgyi Pince;Napfény Birtok;Mészhegy Pince",
    "Greece": "Ktima Elaionas;Ktima Petrini;Ktima Anemos;Ktima Thalassa;Ktima Amygdalia;Ktima Lithari",
    "": "Stone Hill;Three Oaks;Red Gate;Long Shadow;Silver Creek;Bay Terrace",
}
# Wines with a name that is kept for one region; they and those of its neighbours are not made elsewhere.
_AT_HOME_ONLY = frozenset((
    "champagne", "prosecco", "port", "sherry", "cava", "marsala", "chianti", "barolo", "rioja", "burgundy", "bordeaux",
    "beaujolais", "amarone", "brunello", "valpolicella", "cotes du rhone", "chateauneuf-du-pape", "muscadet", "chablis",
    "sancerre", "pouilly-fume", "soave", "white burgundy", "cremant", "lambrusco", "asti", "franciacorta", "sekt",
    "madeira", "vin santo", "sauternes", "tokaji", "vinho verde", "retsina", "white zinfandel", "assyrtiko",
))  # fmt: skip
# Where a grape comes from, if it is now made above all elsewhere.
_AT_HOME = {"cabernet sauvignon": "France", "sauvignon blanc": "France"}
_NO_YEAR = frozenset((
    "champagne", "cava", "port", "sherry", "marsala", "prosecco", "madeira", "vermouth", "cremant", "sekt", "franciacorta",
    "sparkling wine", "asti", "lambrusco",
))  # fmt: skip
_NEVER_BRUT = frozenset(("asti", "lambrusco"))
# The last year of wines that the law keeps in the cellar for longer.
_NEWEST = {"barolo": 2020, "brunello": 2019, "amarone": 2020, "vin santo": 2019, "tokaji": 2019}


_BY_CATEGORY = {
    "fruit": "moscato", "vegetable": "sauvignon blanc", "herb": "sauvignon blanc", "dairy": "chardonnay",
    "grain": "chardonnay", "pasta": "sangiovese", "legume": "gruner veltliner", "nut": "sherry",
    "spice": "gewurztraminer", "sweetener": "port", "snack": "champagne", "egg": "prosecco", "meat": "merlot",
    "poultry": "chardonnay", "fish": "albarino", "shellfish": "albarino", "condiment": "riesling",
    "oil": "pinot grigio", "baking": "moscato", "beverage": "prosecco",
}  # fmt: skip


class Wine(TypedDict):
    """A kind of wine."""

    wine: WineName
    colour: str
    country: CountryName
    price: float
    description: str
    flavours: str
    pairs: list[str]
    dishes: list[DishName]


class Bottle(TypedDict):
    """A wine one can buy; rating from 0 to 1."""

    id: int
    title: str
    price: Money
    averageRating: float


class DishPairing(TypedDict):
    wine: WineName
    pairings: list[DishName]
    text: Prose


class WinePairing(TypedDict):
    food: str
    pairedWines: list[WineName]
    pairingText: Prose
    productMatches: list[Bottle]


class WineDescription(TypedDict):
    wine: WineName
    colour: str
    country: CountryName
    flavours: str
    wineDescription: Prose


class Recommendation(TypedDict):
    recommendedWines: list[Bottle]
    totalFound: int


def _houses(wine: Wine) -> list[str]:
    """Who makes a wine: houses of its home, and others where the name is free."""
    home = _HOUSES.get(wine["country"], _HOUSES[""])
    abroad = "" if wine["wine"].lower() in _AT_HOME_ONLY or home == _HOUSES[""] else _HOUSES[""]
    return [*home.split(";"), *filter(None, abroad.split(";"))]


def _title(house: str, wine: Wine, chance: Random) -> str:
    name = written(wine["wine"])
    if wine["wine"].lower() in _NO_YEAR:
        year = " NV" if wine["wine"].lower() in _NEVER_BRUT else " Brut NV"
        return f"{house} {name}{year if wine['colour'] == 'sparkling' else ''}"
    newest, span = (2021, 6) if wine["colour"] == "red" else (2023, 4)
    newest = _NEWEST.get(wine["wine"].lower(), newest)
    return f"{house} {name} {newest - chance.randrange(span)}"


@functools.cache
def _wines() -> Mapping[str, Wine]:
    rows = [
        Wine(
            wine=row["wine"],
            colour=row["colour"],
            country=row["country"],
            price=float(row["price"]),
            description=row["description"],
            flavours=row["flavours"],
            pairs=row["pairs"].split(","),
            dishes=row["dishes"].split(";"),
        )
        for row in read_table("food_wines.tsv")
    ]
    return index_by(rows, "wine")


@functools.cache
def _more_wines() -> Mapping[str, Wine]:
    """Further wines, which are known by name but not proposed; they go with what their kind goes with."""
    found: dict[str, Wine] = {}
    for row in read_table("food_more_wines.tsv"):
        base = _wines()[LIKE.get(row["wine"], BASES[row["colour"]])]
        own = OWN.get(row["wine"])
        found[_wine_key(row["wine"])] = Wine(
            wine=row["wine"],
            colour=row["colour"],
            country=row["country"],
            price=float(row["price"]),
            description=row["description"],
            flavours=row["flavours"],
            pairs=own.pairs if own else base["pairs"],
            dishes=own.dishes if own else base["dishes"],
        )
    return found


def _all_wines() -> dict[str, Wine]:
    return {**_more_wines(), **_wines()}


def _wine_key(name: str) -> str:
    return " ".join(plain(name[:80]).replace("_", " ").replace("wine", "").split())


def find_wine(name: str) -> Wine:
    """The wine of a name, accents and the word wine aside; a not_found fault otherwise."""
    key = _wine_key(said(name, "wine", "merlot"))
    key = NAMES.get(key, key)
    if key not in _all_wines():
        raise not_found("wine", name[:80], known=_all_wines())
    return _all_wines()[key]


@seeds.remembered(256)
def bottles(seed: int, wine: str) -> tuple[Bottle, ...]:
    """Bottles of a wine, best rated first."""
    key = _wine_key(wine) if wine not in _wines() else wine
    row = _all_wines()[key]
    number = [*_wines(), *_more_wines()].index(key)
    found: list[Bottle] = []
    for place, house in enumerate(_houses(row)):
        chance = seeds.stream(seed, "bottle", wine, house)
        price = row["price"] * (0.55 + 1.2 * chance.random() ** 1.5)
        found.append(
            {
                "id": 428_000 + 100 * number + place,
                "title": _title(house, row, chance),
                "price": {"amount": round(price, 2), "currency": "USD"},
                "averageRating": round(0.62 + 0.36 * chance.random(), 2),
            }
        )
    return tuple(sorted(found, key=lambda bottle: (-bottle["averageRating"], bottle["id"])))


@tool(
    GROUP,
    examples=[{"wine": "malbec"}],
    phrase="suggest dishes to serve with the wine called {wine}",
    noun="the dish pairing",
)
def dish_pairing_for_wine(*, wine: WineName) -> DishPairing:
    """Dishes that go well with a wine.

    wine: Kind of wine, e.g. merlot, riesling or malbec.
    """
    row = find_wine(wine)
    return {
        "wine": row["wine"],
        "pairings": row["dishes"],
        "text": f"{written(row['wine'])} suits food with {' or '.join(row['pairs'][:2])}.",
    }


def _readings(world: World, food: str) -> Iterator[dict[str, float]]:
    """Weights of the ingredients that a food may stand for: an ingredient, a cuisine, a dish."""
    single = ingredient_or_none(food)
    if single:
        yield {single.name: 1.0}
    cuisine = [row for row in recipes(world.seed) if plain(food) in map(str.lower, row.cuisines)]
    for rows in (cuisine, search(world.seed, food) if plain(food) else []):
        weights: dict[str, float] = {}
        for row in rows[:8]:
            for line in row.lines:
                name = "tomato sauce" if line.ingredient.name == "canned tomatoes" else line.ingredient.name
                weights[name] = weights.get(name, 0.0) + line.grams / 100
        yield weights


# Words of desserts, and the wines that are sweet enough for them.
_SWEETS = frozenset(word for text in (
    "cake", "chocolate", "brownie", "cookie", "dessert", "pudding", "ice cream", "tiramisu", "cheesecake", "pie", "tart",
    "mousse", "muffin", "cupcake", "macaron", "pavlova", "baklava", "donut", "crumble", "trifle", "profiterole", "strudel",
) for word in words(text) if word not in ("ice", "cream"))  # fmt: skip
_WITH_SWEETS = ["port", "moscato", "sherry"]
_SAVOURY_PIES = frozenset(words("meat pot shepherd cottage chicken fish crab rice"))


# Foods with wines that everybody serves with them.
_CLASSIC = {
    frozenset(words(food)): wines.split(", ")
    for foods, wines in (
        ("oyster", "chablis, champagne, muscadet"), ("lobster", "chardonnay, champagne, chablis"),
        ("crab", "chardonnay, riesling, sauvignon blanc"), ("scallop", "chardonnay, sauvignon blanc, albarino"),
        ("clam;squid;calamari;octopus", "albarino, muscadet, pinot grigio"), ("caviar", "champagne, chablis"),
        ("blue cheese;roquefort;stilton;gorgonzola", "port, sauternes, riesling"),
        ("foie gras", "sauternes, gewurztraminer"),
        ("goat cheese", "sauvignon blanc, sancerre, rose"), ("brie;camembert", "champagne, chardonnay, pinot noir"),
        ("gouda;swiss cheese;gruyere;fondue", "riesling, chardonnay, pinot noir"), ("duck", "pinot noir, merlot, syrah"),
        ("venison;wild boar", "syrah, nebbiolo, cabernet sauvignon"),
        ("sushi;sashimi", "champagne, riesling, gruner veltliner"),
        ("trout;halibut;sea bass;haddock;tilapia;snapper", "sauvignon blanc, chardonnay, pinot grigio"),
        ("mackerel;sardine;herring", "albarino, vinho verde, rose"), ("barbecue;bbq;ribs", "zinfandel, malbec, syrah"),
        ("salami;prosciutto;charcuterie", "sangiovese, lambrusco, prosecco"), ("truffle", "nebbiolo, barolo, chardonnay"),
    )
    for food in foods.split(";")
}  # fmt: skip


def _paired(weights: Mapping[str, float]) -> list[str]:
    """The three wines that go with most of the weight."""
    scores = {name: added(weights.get(part, 0.0) for part in row["pairs"]) for name, row in _wines().items()}
    ranked = sorted(scores, key=lambda name: (-round(scores[name], 6), name))
    return [name for name in ranked if scores[name] > 0][:3]


@tool(
    GROUP,
    examples=[{"food": "steak"}, {"food": "Italian", "maxPrice": 20}],
    phrase="suggest which wines go well with {food}[, with a bottle costing at most {maxPrice} US dollars]",
    noun="the wine pairing",
    jobs=("wines",),
)
def wine_pairing(world: World, *, food: Pairable, maxPrice: Dollars | None = None) -> WinePairing:
    """Wines that go well with a dish, an ingredient or a cuisine, and a bottle of one of them within the price.

    food: Name of a dish (steak), an ingredient (salmon) or a cuisine (italian).
    maxPrice: Most that the bottle may cost, in US dollars.
    """
    spoken = set(words(said(food, "food", "steak")[:100]))
    sweet = _SWEETS & spoken and not _SAVOURY_PIES & spoken
    classic = next((wines for named, wines in _CLASSIC.items() if named <= spoken), [])
    ranked = usual_wines(food) or (_WITH_SWEETS if sweet else classic)
    ranked = ranked or next(filter(None, map(_paired, _readings(world, food[:100]))), [])
    single = ingredient_or_none(food)
    if single and not ranked:
        ranked = [_BY_CATEGORY[single.category]]
    if not ranked or _is_drink(world, food):
        some = ("steak", "salmon", "Italian", "Chicken Curry", "mushrooms")
        raise not_found("wine pairing for", food[:80], such_as=some)
    offered = (bottle for wine in ranked for bottle in bottles(world.seed, find_wine(wine)["wine"]))
    matches = [bottle for bottle in offered if _cheap(bottle, maxPrice)]
    first = find_wine(ranked[0])
    return {
        "food": food[:100],
        "pairedWines": ranked,
        "pairingText": f"{written(ranked[0])} {first['description']}.",
        "productMatches": matches[:1],
    }


def _is_drink(world: World, food: str) -> bool:
    """Whether a food is a drink by its name, with which nobody drinks wine."""
    return plain(food) in drinks(world.seed)


def _cheap(bottle: Bottle, limit: float | None) -> bool:
    return limit is None or bottle["price"]["amount"] <= limit


@tool(
    GROUP,
    examples=[{"wine": "merlot"}],
    phrase="describe the character and home region of the wine called {wine}",
    noun="the wine description",
)
def wine_description(*, wine: WineName) -> WineDescription:
    """What a kind of wine is like, and a country that is known for it.

    wine: Kind of wine, e.g. merlot, riesling or malbec.
    """
    row = find_wine(wine)
    return {
        "wine": row["wine"],
        "colour": row["colour"],
        "country": "many countries" if row["wine"] in ANYWHERE else _AT_HOME.get(row["wine"], row["country"]),
        "flavours": row["flavours"],
        "wineDescription": f"{written(row['wine'])} {row['description']}. It tastes of {row['flavours']}.",
    }


@tool(
    GROUP,
    examples=[{"wine": "merlot", "number": 3}, {"wine": "riesling", "maxPrice": 20, "minRating": 0.7}],
    phrase=(
        "recommend well rated wine bottles of {wine}[, costing at most {maxPrice} US dollars][, with a "
        "minimum rating of {minRating}][, returning at most {number} bottles]"
    ),
    noun="the wine recommendations",
    jobs=("wines",),
)
def wine_recommendation(
    world: World,
    *,
    wine: WineName,
    maxPrice: Dollars | None = None,
    minRating: Rating = 0.0,
    number: Count = 5,
) -> Recommendation:
    """Bottles of a kind of wine within a price and above a rating, the best rated first.

    wine: Kind of wine, e.g. merlot.
    maxPrice: Most that a bottle may cost, in US dollars.
    minRating: Least average rating, from 0 to 1.
    number: How many bottles at most.
    """
    rows = [
        bottle
        for bottle in bottles(world.seed, find_wine(wine)["wine"])
        if _cheap(bottle, maxPrice) and bottle["averageRating"] >= minRating
    ]
    return {"recommendedWines": rows[:number], "totalFound": len(rows)}
