"""What made foods consist of, as it stands on their packages, the heaviest first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

_MADE_OF: Mapping[str, str] = {
    "greek yogurt": "milk", "yogurt": "milk", "almond milk": "water,almonds,salt", "soy milk": "soy milk",
    "oat milk": "water,oats,canola oil,salt", "mozzarella": "milk,salt", "cheddar cheese": "milk,salt",
    "parmesan cheese": "milk,salt", "cream cheese": "milk,cream,salt", "cottage cheese": "milk,cream,salt",
    "feta cheese": "milk,salt", "swiss cheese": "milk,salt", "sour cream": "cream,milk",
    "ice cream": "milk,cream,sugar,vanilla extract", "tomato sauce": "tomato,tomato paste,salt",
    "ham": "pork shoulder,water,salt,sugar",
    "ketchup": "tomato paste,sugar,vinegar,salt", "mustard": "water,vinegar,salt", "bacon": "pork belly,salt,sugar",
    "mayonnaise": "vegetable oil,egg yolk,vinegar,salt,sugar", "soy sauce": "soy sauce",
    "peanut butter": "peanuts,salt", "hummus": "chickpeas,tahini,lemon juice,olive oil,garlic,salt",
    "bread": "flour,water,yeast,sugar,salt", "whole wheat bread": "whole wheat flour,water,yeast,sugar,salt",
    "tortilla": "flour,water,vegetable oil,salt", "burger bun": "flour,water,sugar,vegetable oil,yeast,salt",
    "potato chips": "potato,vegetable oil,salt", "dark chocolate": "cocoa powder,sugar,vanilla extract",
    "cola": "water,sugar", "spaghetti": "flour,water", "pasta": "flour,water", "tofu": "tofu",
    "granola": "oats,sugar,vegetable oil,salt", "bagel": "flour,water,sugar,yeast,salt",
    "croissant": "flour,butter,milk,egg,sugar,yeast,salt", "pita bread": "flour,water,yeast,salt",
    "tortilla chips": "cornmeal,vegetable oil,salt", "pretzels": "flour,water,vegetable oil,yeast,salt",
    "rice cake": "brown rice,salt", "corn flakes": "cornmeal,sugar,salt",
    "chocolate chip cookie": "flour,sugar,butter,dark chocolate,egg,baking soda,salt",
    "shortbread cookie": "flour,butter,sugar,salt",
    "graham crackers": "flour,whole wheat flour,sugar,vegetable oil,molasses,salt",
    "mixed nuts": "cashews,almonds,hazelnuts,pecans,salt", "trail mix": "raisins,almonds,cashews,sunflower seeds,salt",
    "beef jerky": "beef steak,sugar,vinegar,salt", "white chocolate": "sugar,milk,vanilla extract",
    "salsa": "tomato,onion,chili pepper,cilantro,lime juice,salt", "guacamole": "avocado,onion,lime juice,cilantro,salt",
    "barbecue sauce": "tomato paste,vinegar,brown sugar,molasses,salt",
    "ranch dressing": "vegetable oil,buttermilk,egg yolk,vinegar,garlic,salt",
    "pesto": "basil,olive oil,parmesan cheese,pine nuts,garlic,salt",
    "chicken nuggets": "chicken breast,flour,vegetable oil,salt", "french fries": "potato,vegetable oil,salt",
    "fish sticks": "cod,flour,vegetable oil,salt", "frankfurter": "beef chuck,water,salt",
    "salami": "pork shoulder,salt,garlic",
    "cranberry juice": "water,cranberry,sugar", "energy drink": "water,sugar", "sports drink": "water,sugar,salt",
    "applesauce": "apple,water", "crackers": "flour,vegetable oil,salt", "egg noodles": "flour,egg",
    "chicken broth": "water,chicken thigh,salt", "strawberry jam": "strawberry,sugar",
    "tahini": "sesame seeds", "beer": "water,barley,yeast", "red wine": "grapes", "white wine": "grapes",
    "beef broth": "water,beef chuck,salt", "vegetable broth": "water,carrot,onion,celery,salt", "tomato paste": "tomato",
    "breadcrumbs": "flour,water,yeast,salt", "taco shell": "cornmeal,vegetable oil,salt", "pickles": "cucumber,vinegar,salt",
    "olives": "olives,salt", "ricotta cheese": "milk,salt", "lasagna sheets": "flour,water", "rice noodles": "rice,water",
    "chocolate chips": "sugar,cocoa powder,vanilla extract", "sausage": "pork shoulder,salt,black pepper",
    "baking powder": "baking soda,cornstarch,cream of tartar", "apple juice": "apple", "orange juice": "orange",
    "curry powder": "turmeric,coriander seeds,cumin,chili powder", "cornstarch": "corn",
    "veggie burger": "mushrooms,flour,onion,vegetable oil,salt",
}  # fmt: skip


def is_made(name: str) -> bool:
    """Whether a food is made of others."""
    return name in _MADE_OF


def as_listed(names: Iterable[str]) -> list[str]:
    """The foods of a product in their order, made ones by what they consist of, each once."""
    listed = list(names)
    alone = len(listed) == 1
    whole = {name for name in listed if not is_made(name) or (name in _CHEESES and not alone)}
    parts = (part for name in listed for part in ([name] if name in whole else _MADE_OF[name].split(",")))
    return list(dict.fromkeys(parts))


# What is named on the package of a food that is made with it: a pizza has mozzarella, not milk.
_CHEESES = frozenset(
    "mozzarella,cheddar cheese,parmesan cheese,cream cheese,cottage cheese,feta cheese,swiss cheese".split(
        ","
    )
)
