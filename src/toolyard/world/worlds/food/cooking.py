"""How a dish is cooked: steps that follow from what kind of dish it is and from what is in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from toolyard.world.worlds.food.kitchen import dough, joined, of, rest_of
from toolyard.world.worlds.food.sweets import dessert

Way = Callable[[str, Sequence[str], dict[str, str]], Iterator[str]]
_AROMATICS = frozenset("onion garlic ginger shallot leek celery carrot scallions".split())
_LIQUIDS = frozenset((
    "tomato sauce", "coconut milk", "cream", "milk", "water", "red wine", "white wine", "beer", "chicken broth",
    "beef broth", "vegetable broth", "tomato", "tomato paste", "yogurt", "sour cream", "orange juice", "vinegar",
))  # fmt: skip
_FINISH = frozenset((
    "parmesan cheese", "basil", "parsley", "cilantro", "mint", "lemon", "lemon juice", "lime juice", "feta cheese",
    "sesame seeds", "pine nuts", "mozzarella", "cheddar cheese", "avocado", "lettuce", "cucumber", "mayonnaise",
    "greek yogurt", "peanuts", "almonds", "cashews", "walnuts", "pickles", "olives", "ketchup", "mustard", "hot sauce",
    "sour cream", "yogurt", "maple syrup", "honey",
))  # fmt: skip
_FAT = ("butter", "olive oil", "vegetable oil", "sesame oil", "coconut oil", "bacon")
_FRIED = (
    "schnitzel", "tonkatsu", "katsu", "kiev", "croquetas", "bitterballen", "fried chicken", "tempura", "pakora",
    "falafel", "scotch egg", "fish and chips", "chicken parmesan", "crab cakes", "general tso", "orange chicken",
    "samosa", "lumpia", "langos", "french fries", "buffalo wings", "potato pancakes", "rösti", "sweet and sour",
    "patatas",
)  # fmt: skip
_BAKED = (
    "pie", "quiche", "lasagna", "moussaka", "gratin", "wellington", "pasty", "meatloaf", "stuffed", "tourtière",
    "bobotie", "toad", "soufflé", "yorkshire", "enchiladas", "spanakopita", "empanadas", "pide", "lahmacun", "pizza",
    "calzone", "baked",
)  # fmt: skip
_ROASTED = ("roast", "piri piri", "tandoori", "jerk", "char siu", "ribs", "pulled", "confit")
_GRILLED = (
    "souvlaki", "gyros", "kebab", "shawarma", "bratwurst", "currywurst", "satay", "yakitori", "asado", "grilled",
    "bulgogi", "steak", "fajitas", "hamburger", "cheeseburger", "burger", "hot dog", "banh mi", "bun cha",
)  # fmt: skip
_FILLED = ("ravioli", "gyoza", "dumplings", "momo", "pierogi", "pelmeni", "wonton")
_RAW = ("poke", "sushi", "sashimi", "ceviche", "gravlax")
# Dishes whose way no rule tells.
_TOLD = {
    "Tiramisu": ("Beat the eggs with the sugar in a bowl until pale and fold in the mascarpone",
                 "Dip the ladyfingers into the cold coffee and lay half of them out in a dish",
                 "Spread half of the cream on top, add the other ladyfingers and the rest of the cream",
                 "Chill for four hours and dust with the cocoa powder"),
    "Cannoli": ("Knead the flour with a little wine and water to a firm dough and roll it out thinly",
                "Wrap circles of it around metal tubes and fry in hot oil until golden",
                "Beat the ricotta cheese with the sugar and stir in the chopped dark chocolate",
                "Let the shells cool and fill them just before serving"),
    "Gnocchi": ("Boil the potato in its skin, peel and press it while hot",
                "Knead with the flour and the eggs to a soft dough, roll into ropes and cut into pieces",
                "Boil in salted water in a pot until they float",
                "Toss in the melted butter and serve with the parmesan cheese"),
    "Spätzle": ("Beat the flour, the eggs and a little water in a bowl to a thick batter",
                "Press it through a colander into boiling salted water", "Lift out with a spoon when they float",
                "Toss in the butter in a pan and serve"),
    "Shepherd's Pie": ("Boil the potato and mash it with the butter",
                       "Chop the carrot and onion and brown them with the lamb in a pan, then add the green peas",
                       "Put the meat into a baking dish and spread the mash on top",
                       "Bake in the oven at 200 °C for 25 minutes until golden"),
    "Cottage Pie": ("Boil the potato and mash it with the butter",
                    "Chop the carrot and onion and brown them with the ground beef in a pan",
                    "Put the meat into a baking dish and spread the mash on top",
                    "Bake in the oven at 200 °C for 25 minutes until golden"),
    "Stuffed Peppers": ("Cook the rice and brown the ground beef in a pan", "Mix both with half of the tomato sauce",
                        "Halve the bell pepper, fill it and put it into a baking dish with the rest of the sauce",
                        "Bake in the oven at 180 °C for 35 minutes"),
    "Soufflé": ("Melt the butter in a saucepan, stir in the flour and the milk and let it thicken",
                "Take it off the heat and stir in the cheddar cheese and the egg yolks",
                "Beat the egg whites in a bowl until stiff and fold them in",
                "Bake in buttered dishes in the oven at 190 °C for 25 minutes and serve at once"),
    "Eggs Benedict": ("Whisk egg yolks with the lemon juice over hot water and beat in the melted butter",
                      "Poach the eggs in simmering water in a saucepan for 3 minutes", "Toast the bread and warm the ham",
                      "Put ham and eggs on the bread and pour the sauce over"),
}  # fmt: skip
_OF_BATTER = frozenset(
    ("flour", "egg", "milk", "butter", "sugar", "baking powder", "maple syrup", "vegetable oil", "blueberry")
)
_PASTA = ("pasta", "noodles", "spaghetti")


def steps(title: str, course: str, names: Sequence[str], category: dict[str, str]) -> list[str]:
    """The steps of a dish, each without its full stop."""
    plain = title.lower()
    if title in _TOLD:
        return list(_TOLD[title])
    early = {_RAW: _raw, _FILLED: _parcels}
    for words, way in early.items():
        if any(word in plain for word in words):
            return list(way(plain, names, category))
    if course in _COURSES:
        return _COURSES[course](plain, names)
    if "yeast" in names or course == "bread":
        return list(dough(plain, names))
    return list(_by_heat(plain, names)(plain, names, category))


def _by_heat(plain: str, names: Sequence[str]) -> Way:
    """How a dish that is neither sweet nor a salad, soup or bread gets hot."""
    if any(word in plain for word in _BAKED):
        return _baked
    if {"flour", "egg"} <= set(names) and set(names) <= _OF_BATTER:
        return _batter
    ways = {_FRIED: _fried, _ROASTED: _roasted, _GRILLED: _grilled}
    return next((way for words, way in ways.items() if any(word in plain for word in words)), _cooked)


def _meat(names: Sequence[str], category: dict[str, str]) -> list[str]:
    return [name for name in names if category.get(name) in ("meat", "poultry", "fish", "shellfish")]


def _cooked(plain: str, names: Sequence[str], category: dict[str, str]) -> Iterator[str]:
    """Pan and pot: starch apart, aromatics softened, meat browned, liquids simmered, the rest at the end."""
    fat = of(names, _FAT)
    pasta = [name for name in names if any(word in name for word in _PASTA)]
    rice = of(names, ("rice", "arborio rice", "couscous", "quinoa", "bulgur"))
    bread = of(names, ("bread", "tortilla", "burger bun"))
    finish = [name for name in of(names, _FINISH) if name not in fat]
    if pasta:
        yield f"Boil the {joined(pasta)} in a large pot of salted water until just tender and drain"
    if rice:
        yield f"Cook the {joined(rice)} in a pot with twice its volume of water until soft"
    yield from _in_the_pan(rest_of(names, pasta, rice, bread, finish), fat, category)
    if pasta or rice:
        yield f"Toss the {joined([*pasta, *rice])} with the rest"
    served = [*finish, *bread]
    yield f"Serve with the {joined(served)}" if served else "Season to taste and serve hot"


def _in_the_pan(names: Sequence[str], fat: list[str], category: dict[str, str]) -> Iterator[str]:
    """What goes into the pan one after the other."""
    meat = [name for name in _meat(names, category) if name not in fat]
    aromatics, liquid = of(names, _AROMATICS), of(names, _LIQUIDS)
    kinds = ("spice", "herb", "condiment", "sweetener")
    season = [name for name in names if category.get(name) in kinds and name not in liquid]
    eggs = [name for name in names if category.get(name) == "egg"]
    other = rest_of(names, fat, meat, aromatics, liquid, season, eggs)
    cut = [name for name in other if category.get(name) in ("vegetable", "fruit", "dairy", "legume")]
    warm = f"in {joined(fat)} " if fat else ""
    brown = f"Fry the {joined(meat)} {warm}in a large pan until browned"
    said = (
        (aromatics, f"Chop the {joined(aromatics)} and soften {warm}in a large pan for 5 minutes"),
        (meat, f"Add the {joined(meat)} and brown on all sides" if aromatics else brown),
        (season, f"Stir in the {joined(season)}"),
        (cut, f"Cut the {joined(cut)} to size, add to the pan and cook until tender"),
        (rest_of(other, cut), f"Stir in the {joined(rest_of(other, cut))}"),
        (liquid, f"Add the {joined(liquid)} and simmer over low heat until the sauce has thickened"),
        (eggs, f"Add the {joined(eggs)} and cook until set"),
    )
    yield from (text for found, text in said if found)


def _raw(plain: str, names: Sequence[str], category: dict[str, str]) -> Iterator[str]:
    """Fish that is not cooked: fresh, cut, and cured or served as it is."""
    fish = _meat(names, category)
    rice, rest = of(names, ("rice",)), rest_of(names, fish, ("rice",))
    sour = of(rest, ("lime juice", "salt", "sugar", "soy sauce", "vinegar"))
    if rice:
        yield "Cook the rice in a pot and let it cool"
    yield f"Cut the very fresh {joined(fish)} into even pieces"
    if sour:
        yield f"Season with the {joined(sour)} and leave in the refrigerator for a while"
    left = rest_of(rest, sour)
    yield f"Serve cold with the {joined([*rice, *left])}" if rice or left else "Serve cold"


def _fried(plain: str, names: Sequence[str], category: dict[str, str]) -> Iterator[str]:
    coating = of(names, ("flour", "egg", "breadcrumbs", "cornstarch", "beer"))
    solid = [name for name in names if category.get(name) in ("vegetable", "legume") and "sauce" not in name]
    core = _meat(names, category) or solid
    rest = rest_of(names, coating, core, _FAT)
    yield f"Cut the {joined(core)} to size and season with salt"
    if coating:
        yield f"Coat with the {joined(coating)}"
    yield "Fry in hot oil in a deep pan until golden and drain on a paper towel"
    if rest:
        yield f"Prepare the {joined(rest)} and serve alongside"
    else:
        yield "Serve hot"


def _roasted(plain: str, names: Sequence[str], category: dict[str, str]) -> Iterator[str]:
    core = _meat(names, category)
    rub = [name for name in names if category.get(name) in ("spice", "herb", "condiment", "sweetener", "fruit")
           or name in ("garlic", "butter", "lemon juice", "lime juice", "chili pepper", "yogurt", "vinegar")]  # fmt: skip
    rest = rest_of(names, core, rub)
    yield f"Rub the {joined(core)} with the {joined(rub)}" if rub else f"Season the {joined(core)}"
    if rest:
        yield f"Put into a roasting pan together with the {joined(rest)}"
    yield "Roast in the oven at 180 °C until cooked through, basting now and then"
    yield "Let it rest for 10 minutes, carve and serve"


def _grilled(plain: str, names: Sequence[str], category: dict[str, str]) -> Iterator[str]:
    core = _meat(names, category) or list(names[:1])
    rub = [name for name in names if category.get(name) in ("spice", "herb", "oil", "sweetener")
           or name in ("garlic", "soy sauce", "lemon juice", "lime juice", "fish sauce", "peanut butter")]  # fmt: skip
    rest = rest_of(names, core, rub)
    if rub:
        yield f"Season the {joined(core)} with the {joined(rub)} and leave for 20 minutes"
    yield f"Grill the {joined(core)} over high heat until cooked through"
    yield f"Slice and serve with the {joined(rest)}" if rest else "Slice and serve hot"


def _parcels(plain: str, names: Sequence[str], category: dict[str, str]) -> Iterator[str]:
    dough = of(names, ("flour", "egg"))
    served = of(names, ("soy sauce", "butter", "sour cream", "chicken broth", "scallions", "parmesan cheese"))
    filling = rest_of(names, dough, served)
    wet = "" if "egg" in dough else " and a little hot water"
    yield f"Knead the {joined(dough)}{wet} to a dough and roll it out thinly"
    yield f"Chop the {joined(filling)} finely and mix in a bowl"
    yield "Cut circles out of the dough, put a spoon of filling on each and seal the edges"
    yield "Boil or steam in a pot for 6 to 8 minutes"
    yield f"Serve with the {joined(served)}" if served else "Serve hot"


def _baked(plain: str, names: Sequence[str], category: dict[str, str]) -> Iterator[str]:
    crust = {"flour", "butter"} <= set(names) and any(
        word in plain
        for word in ("pie", "quiche", "pasty", "wellington", "tourtière", "empanada", "spanakopita")
    )
    base = (
        of(names, ("flour", "butter")) if crust and "shepherd" not in plain and "cottage" not in plain else []
    )
    rest = rest_of(names, base)
    if base:
        yield f"Rub the {joined(base)} together, add a little cold water, knead to a dough and roll it out"
    yield f"Cook the {joined(rest)} in a pan until nearly done and season" if rest else "Season"
    yield "Fill the dough with it" if base else "Layer everything in a baking dish"
    yield "Bake in the oven at 190 °C for 35 minutes until golden"


def _batter(plain: str, names: Sequence[str], category: dict[str, str]) -> Iterator[str]:
    served = of(names, ("maple syrup", "blueberry", "sugar"))
    base = rest_of(names, served)
    yield f"Whisk the {joined(base)} in a bowl to a smooth batter and let it rest for 15 minutes"
    yield "Bake in portions in a hot pan or iron until golden on both sides"
    yield f"Serve with the {joined(served)}" if served else "Serve at once"


def _soup(plain: str, names: Sequence[str]) -> list[str]:
    late = of(names, ("rice noodles", "egg noodles", "pasta", "cream", "sour cream", "cilantro", "basil", "lime juice",
                       "scallions", "bread", "cheddar cheese", "lettuce", "egg", "kale", "shrimp", "miso"))  # fmt: skip
    early = rest_of(names, late)
    if "gazpacho" in plain:
        return [f"Cut the {joined(names[:3])} into pieces", f"Blend with the {joined(names[3:])} in a blender until smooth",
                "Chill for two hours and serve cold"]  # fmt: skip
    broth = any("broth" in name for name in early) or "water" in early
    return [
        f"Cut the {joined([name for name in early if 'broth' not in name]) or joined(early)} into pieces where needed",
        f"Simmer in a large pot {'in the broth' if broth else 'in a litre of water'} until tender",
        *([f"Add the {joined(late)} at the end and heat through"] if late else []),
        "Season to taste and serve",
    ]


def _salad(plain: str, names: Sequence[str]) -> list[str]:
    raw = (
        "potato",
        "egg",
        "chicken breast",
        "green beans",
        "bacon",
        "ground beef",
        "bulgur",
        "beetroot",
        "tofu",
    )
    boiled = of(names, raw)
    dressing = of(names, ("olive oil", "lemon juice", "lime juice", "mayonnaise", "mustard", "vinegar", "fish sauce",
                           "peanut butter", "egg yolk"))  # fmt: skip
    fresh = rest_of(names, boiled, dressing)
    found = [f"Cook the {joined(boiled)} and let cool"] if boiled else []
    if fresh:
        found.append(f"Wash and cut the {joined(fresh)}")
    if dressing:
        found.append(f"Stir a dressing of the {joined(dressing)} in a large bowl")
    return [*found, "Toss everything, season to taste and serve"]


def _dip(plain: str, names: Sequence[str]) -> list[str]:
    first = (
        [f"Roast the {names[0]} in the oven until soft and scoop out the flesh"]
        if names[0] == "eggplant"
        else []
    )
    return [*first, f"Chop or mash the {joined(names)} as fine as you like", "Mix in a bowl and season to taste",
            "Chill before serving"]  # fmt: skip


def _beverage(plain: str, names: Sequence[str]) -> list[str]:
    hot = set(names) & {"coffee", "tea"} or any(word in plain for word in ("hot", "mulled"))
    cold = any(word in plain for word in ("cold", "iced"))
    if len(names) == 1 and plain.endswith("juice"):
        return [
            f"Press the {names[0]} in a juicer or blender",
            "Strain through a sieve into a glass and serve cold",
        ]
    if hot and not cold and "kombucha" not in plain:
        return [f"Heat the {joined(names)} gently in a saucepan", "Stir and serve hot in a glass or cup"]
    return [f"Mix the {joined(names)} in a jug or blender", "Pour over ice into a glass and serve"]


_COURSES = {"dessert": dessert, "soup": _soup, "salad": _salad, "dip": _dip, "beverage": _beverage}
