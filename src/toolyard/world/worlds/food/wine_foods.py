"""What further wines go with: as another wine does, or with foods of their own; and their other names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

BASES = {"red": "merlot", "white": "chardonnay", "sparkling": "champagne", "rose": "pinot grigio", "fortified": "port",
          "dessert": "moscato"}  # fmt: skip
# Wines that go with the food of another wine than the usual one of their colour.
LIKE = {
    "lambrusco": "sangiovese", "chianti": "sangiovese", "barbera": "sangiovese", "dolcetto": "sangiovese",
    "montepulciano": "sangiovese", "valpolicella": "sangiovese", "brunello": "sangiovese", "barolo": "nebbiolo",
    "amarone": "nebbiolo", "rioja": "tempranillo", "burgundy": "pinot noir", "gamay": "pinot noir",
    "beaujolais": "pinot noir", "zweigelt": "pinot noir", "blaufrankisch": "pinot noir", "bordeaux": "cabernet sauvignon",
    "cabernet franc": "cabernet sauvignon", "petite sirah": "syrah", "mourvedre": "syrah", "pinotage": "syrah",
    "cotes du rhone": "grenache", "chateauneuf-du-pape": "grenache", "primitivo": "zinfandel", "bonarda": "malbec",
    "sancerre": "sauvignon blanc", "pouilly-fume": "sauvignon blanc", "verdejo": "sauvignon blanc",
    "vermentino": "sauvignon blanc", "muscadet": "albarino", "vinho verde": "albarino", "assyrtiko": "albarino",
    "silvaner": "gruner veltliner", "torrontes": "gewurztraminer", "viognier": "gewurztraminer", "muscat": "moscato",
    "asti": "moscato", "petit verdot": "cabernet sauvignon",
    "rose wine": "rose", "pinot gris": "pinot grigio",
}  # fmt: skip


class Foods(NamedTuple):
    """What a wine goes with: simple foods, and dishes."""

    pairs: list[str]
    dishes: list[str]


# Wines that no other wine stands for.
OWN: Mapping[str, Foods] = {
    name: Foods(pairs.split(","), dishes.split(";"))
    for name, pairs, dishes in (
        (
            "chablis",
            "oysters,mussels,cod,whole chicken,goat cheese",
            "Moules-Frites;Fish and Chips;Quiche Lorraine",
        ),
        ("muscadet", "oysters,mussels,clams,shrimp", "Moules-Frites;Fish and Chips;Clam Chowder"),
        ("assyrtiko", "shrimp,feta cheese,cod,olives", "Greek Salad;Souvlaki;Tzatziki;Moussaka"),
        ("torrontes", "shrimp,chicken thigh,avocado", "Ceviche;Empanadas;Chicken Curry"),
        ("sancerre", "goat cheese,asparagus,cod,mussels", "Moules-Frites;Greek Salad;Quiche Lorraine"),
        (
            "bordeaux",
            "lamb,beef steak,beef chuck,cheddar cheese",
            "Beef Wellington;Roast Beef",
        ),
        ("amarone", "beef chuck,mushrooms,parmesan cheese", "Osso Buco;Beef Stew;Mushroom Risotto"),
        ("vinho verde", "shrimp,cod,sardines", "Ceviche;Paella;Fish and Chips"),
        ("viognier", "lobster,chicken breast,curry powder,apricot", "Chicken Curry;Tagine;Lobster Roll"),
        ("silvaner", "asparagus,pork chop,trout", "Wiener Schnitzel;Potato Salad;Quiche Lorraine"),
        ("sauternes", "blue cheese,foie gras,apricot,peach", "Crème Brûlée;Tarte Tatin;Fruit Salad"),
        ("tokaji", "blue cheese,foie gras,apricot,walnuts", "Apple Strudel;Kaiserschmarrn;Crème Brûlée"),
        ("ice wine", "blue cheese,peach,apple,mango", "Apple Pie;Cheesecake;Fruit Salad"),
        ("vin santo", "almonds,hazelnuts,blue cheese", "Tiramisu;Panna Cotta;Cannoli"),
        ("cava", "ham,almonds,olives,shrimp", "Croquetas;Patatas Bravas;Tortilla Española;Paella"),
        (
            "vermouth",
            "olives,almonds,ham,anchovies",
            "Croquetas;Patatas Bravas;Bruschetta with Tomato and Basil",
        ),
        (
            "madeira",
            "walnuts,almonds,cheddar cheese",
            "Mushroom Soup;French Onion Soup;Sticky Toffee Pudding",
        ),
        ("marsala", "almonds,parmesan cheese,ricotta", "Tiramisu;Cannoli;Mushroom Soup"),
        ("lambrusco", "ham,parmesan cheese,sausage,pepperoni", "Lasagna Bolognese;Pepperoni Pizza;Ravioli"),
        (
            "beaujolais",
            "whole chicken,turkey,ham,mushrooms",
            "Roast Chicken with Potatoes;Coq au Vin;Roast Turkey",
        ),
        (
            "white zinfandel",
            "shrimp,strawberry,ham,chicken breast",
            "Chicken Tacos;Pad Thai with Shrimp;Fruit Salad",
        ),
        ("retsina", "feta cheese,olives,shrimp,eggplant", "Greek Salad;Souvlaki;Tzatziki;Dolmades"),
    )
}
# Other names of wines.
NAMES: Mapping[str, str] = {
    "shiraz": "syrah", "cabernet": "cabernet sauvignon", "gruener veltliner": "gruner veltliner",
    "brunello di montalcino": "brunello", "chianti classico": "chianti", "barbera d'asti": "barbera",
    "moscato d'asti": "moscato", "tokay": "tokaji", "tokaji aszu": "tokaji", "eiswein": "ice", "icewine": "ice",
    "nero d avola": "nero d'avola", "nero davola": "nero d'avola", "dry red": "red", "dry white": "white",
    "sweet": "dessert", "gewürztraminer": "gewurztraminer", "cab": "cabernet sauvignon",
}  # fmt: skip
# Names as they are written.
WRITTEN: Mapping[str, str] = {
    "rose": "Rosé", "rose wine": "Rosé Wine", "gruner veltliner": "Grüner Veltliner", "albarino": "Albariño",
    "gewurztraminer": "Gewürztraminer", "carmenere": "Carménère", "mourvedre": "Mourvèdre",
    "cotes du rhone": "Côtes du Rhône",
    "torrontes": "Torrontés", "blaufrankisch": "Blaufränkisch", "cremant": "Crémant", "pouilly-fume": "Pouilly-Fumé",
    "nero d'avola": "Nero d'Avola",
}  # fmt: skip


def written(wine: str) -> str:
    """The name of a wine as a label has it."""
    return WRITTEN.get(wine.lower(), wine.title())


# Kinds of wine that are at home wherever wine is made.
ANYWHERE = frozenset(
    ("red wine", "white wine", "sparkling wine", "dessert wine", "rose wine", "red blend", "white blend")
)
