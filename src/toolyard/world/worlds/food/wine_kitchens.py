"""Wines that are usually served with the food of a kitchen and with well-known dishes."""

from __future__ import annotations

from collections.abc import Mapping

from toolyard.world.search import words
from toolyard.world.tables import plain

_KITCHENS: Mapping[str, str] = {
    "thai": "riesling, gewurztraminer, sauvignon blanc", "indian": "riesling, gewurztraminer, chenin blanc",
    "chinese": "riesling, gewurztraminer, pinot noir", "japanese": "champagne, riesling, pinot noir",
    "mexican": "malbec, zinfandel, sauvignon blanc", "greek": "assyrtiko, sauvignon blanc, rose",
    "spanish": "tempranillo, albarino, sherry", "korean": "riesling, rose, gewurztraminer",
    "vietnamese": "riesling, gruner veltliner, sauvignon blanc", "german": "riesling, silvaner, pinot noir",
    "austrian": "gruner veltliner, zweigelt, riesling", "american": "zinfandel, cabernet sauvignon, chardonnay",
    "southern": "zinfandel, chardonnay, rose", "cajun": "riesling, zinfandel, rose",
    "british": "cabernet sauvignon, pinot noir, chardonnay", "irish": "cabernet sauvignon, merlot, chardonnay",
    "portuguese": "vinho verde, touriga nacional, port", "argentine": "malbec, bonarda, torrontes",
    "brazilian": "malbec, merlot, vinho verde", "peruvian": "sauvignon blanc, torrontes, albarino",
    "turkish": "syrah, grenache, rose", "hungarian": "blaufrankisch, furmint, tokaji",
    "swiss": "riesling, pinot noir, chardonnay", "belgian": "muscadet, chardonnay, pinot noir",
    "caribbean": "riesling, rose, sauvignon blanc", "jamaican": "riesling, zinfandel, rose",
    "indonesian": "riesling, gewurztraminer, viognier", "filipino": "riesling, rose, pinot noir",
    "malaysian": "riesling, gewurztraminer, viognier", "singaporean": "riesling, gewurztraminer, viognier",
    "asian": "riesling, gewurztraminer, pinot noir", "mediterranean": "rose, vermentino, grenache",
    "moroccan": "grenache, syrah, viognier", "russian": "champagne, riesling, pinot noir",
    "italian": "sangiovese, barbera, pinot grigio", "french": "pinot noir, bordeaux, chardonnay",
    "middle eastern": "rose, grenache, sauvignon blanc", "latin american": "malbec, sauvignon blanc, zinfandel",
    "european": "pinot noir, chardonnay, riesling", "cuban": "malbec, rose, albarino",
    "african": "chenin blanc, pinotage, rose",
    "polish": "riesling, pinot noir, blaufrankisch", "australian": "syrah, riesling, chardonnay",
}  # fmt: skip
_DISHES: Mapping[str, str] = {
    "pad thai": "riesling, gewurztraminer, sauvignon blanc", "green curry": "riesling, gewurztraminer, sauvignon blanc",
    "red curry": "riesling, gewurztraminer, sauvignon blanc", "butter chicken": "riesling, gewurztraminer, chardonnay",
    "tikka masala": "riesling, gewurztraminer, chardonnay", "tandoori chicken": "riesling, rose, gewurztraminer",
    "biryani": "riesling, viognier, grenache", "kung pao chicken": "riesling, gewurztraminer, pinot noir",
    "dumplings": "riesling, gewurztraminer, champagne", "ramen": "champagne, riesling, pinot noir",
    "caesar salad": "chardonnay, sauvignon blanc, pinot grigio", "greek salad": "assyrtiko, sauvignon blanc, rose",
    "caprese": "pinot grigio, prosecco, rose", "carbonara": "pinot grigio, chardonnay, sangiovese",
    "alfredo": "chardonnay, pinot grigio, soave", "bolognese": "sangiovese, barbera, montepulciano",
    "mac cheese": "chardonnay, pinot noir, riesling", "macaroni cheese": "chardonnay, pinot noir, riesling",
    "gnocchi": "barbera, pinot grigio, nebbiolo", "ceviche": "sauvignon blanc, albarino, torrontes",
    "fish chips": "champagne, sauvignon blanc, albarino", "clam chowder": "chardonnay, muscadet, albarino",
    "fried chicken": "champagne, chardonnay, rose", "roast chicken": "chardonnay, pinot noir, beaujolais",
    "meatloaf": "merlot, cabernet sauvignon, zinfandel", "beef stew": "cabernet sauvignon, syrah, merlot",
    "pulled pork": "zinfandel, syrah, malbec", "chili": "zinfandel, malbec, syrah", "tacos": "malbec, zinfandel, rose",
    "enchiladas": "zinfandel, malbec, tempranillo", "burrito": "zinfandel, malbec, tempranillo",
    "falafel": "rose, sauvignon blanc, gruner veltliner", "hummus": "rose, sauvignon blanc, gruner veltliner",
    "moussaka": "syrah, grenache, merlot", "ratatouille": "rose, grenache, syrah", "quiche": "chardonnay, riesling, cremant",
    "eggs benedict": "champagne, prosecco, chardonnay", "tomato soup": "rose, sangiovese, sauvignon blanc",
    "onion soup": "chardonnay, beaujolais, pinot noir", "creme brulee": "sauternes, moscato, ice wine",
    "apple pie": "riesling, ice wine, moscato", "apple strudel": "tokaji, ice wine, moscato",
    "cheesecake": "moscato, ice wine, sauternes", "tiramisu": "vin santo, marsala, moscato",
    "cannoli": "vin santo, marsala, moscato", "panna cotta": "moscato, asti, sauternes",
    "fruit salad": "moscato, asti, prosecco", "strawberry": "moscato, champagne, rose", "ice cream": "sherry, moscato, port",
    "pumpkin pie": "sauternes, madeira, moscato", "pecan pie": "madeira, port, sherry", "baklava": "muscat, tokaji, moscato",
    "lemon tart": "moscato, riesling, sauternes", "key lime pie": "moscato, riesling, ice wine",
    "curry": "riesling, gewurztraminer, chenin blanc", "spicy": "riesling, gewurztraminer, moscato",
    "salmon": "pinot noir, chardonnay, rose", "smoked salmon": "champagne, riesling, pinot noir",
    "turkey": "pinot noir, chardonnay, zinfandel", "burger": "zinfandel, malbec, cabernet sauvignon",
    "pizza": "sangiovese, barbera, montepulciano", "lasagna": "sangiovese, barbera, montepulciano",
    "paella": "tempranillo, albarino, rose", "ham": "riesling, rose, pinot noir",
    "chicken": "chardonnay, pinot noir, sauvignon blanc", "mozzarella": "pinot grigio, prosecco, sangiovese",
    "pork": "pinot noir, riesling, chenin blanc",
    "shrimp": "sauvignon blanc, albarino, chardonnay", "pulled pork sandwich": "zinfandel, syrah, malbec",
    "vegetarian": "sauvignon blanc, gruner veltliner, pinot noir", "vegan": "sauvignon blanc, gruner veltliner, pinot noir",
    "green salad": "sauvignon blanc, pinot grigio, rose", "seafood": "albarino, sauvignon blanc, chardonnay",
    "lamb": "cabernet sauvignon, syrah, bordeaux",
    "shrimp scampi": "pinot grigio, sauvignon blanc, chardonnay", "pork ribs": "zinfandel, malbec, syrah",
    "salad": "sauvignon blanc, pinot grigio, rose", "hot dog": "rose, riesling, zinfandel",
    "mushroom": "pinot noir, nebbiolo, merlot", "mushroom risotto": "pinot noir, nebbiolo, chardonnay",
    "risotto": "pinot grigio, chardonnay, barbera",
    "chocolate": "port, madeira, sherry", "brownie": "port, madeira, sherry",
}  # fmt: skip
_BY_WORDS = {frozenset(words(name)): wines.split(", ") for name, wines in _DISHES.items()}


def usual_wines(food: str) -> list[str]:
    """The wines that go with a kitchen that is named outright, or with a dish that a text names; nothing otherwise."""
    kitchen = plain(food).strip().removesuffix(" food").removesuffix(" cuisine")
    if kitchen in _KITCHENS:
        return _KITCHENS[kitchen].split(", ")
    said = set(words(food[:100]))
    fitting = [name for name in _BY_WORDS if name <= said]
    hot = set(words("curry spicy"))
    best = max(fitting, key=lambda name: (len(name), bool(name & hot), sorted(name)), default=None)
    return _BY_WORDS[best] if best else []
