"""What a shop sells beside food: words of titles that say a thing is none."""

from __future__ import annotations

import itertools

from toolyard.world.search import words

# Last words of things, and what they are sold as, that nobody eats.
_THINGS = frozenset(
    words(
        "detergent soap shampoo conditioner bleach cleaner cleanser disinfectant battery batteries diaper diapers nappy "
        "nappies wipe wipes tissue tissues toothpaste toothbrush mouthwash lotion deodorant candle candles sponge sponges "
        "razor razors litter foil bulb bulbs sanitizer lipstick mascara makeup perfume sunscreen softener freshener mop "
        "broom bucket napkin napkins towel towels bandage bandages laundry dishwasher supplement supplements capsule "
        "capsules charger laptop phone iphone headphones shirt shoes socks mower toy toys notebook pencil pencils pen pens "
        "fertilizer insecticide lighter matches cleaning polish tampons pads cutlery frisbee ballpoint "
        "tablet tablets cable filters filter aspirin ibuprofen advil tylenol listerine umbrella wallet book magazine chair "
        "lamp tire tires"
    )
)
_PAIRS = ("toilet paper", "paper towel", "trash bag", "garbage bag", "parchment paper", "plastic wrap", "cling film",
          "motor oil", "fish oil", "essential oil", "paper plates", "body wash", "face cream", "hand cream", "nail polish",
          "shaving cream", "ice pack", "wrapping paper", "printer paper", "pet shampoo", "bin bag", "bin liner",
          "baby oil")  # fmt: skip
_MAKERS = frozenset(
    words(
        "tide ariel persil pampers huggies charmin duracell energizer colgate lysol clorox febreze kleenex gillette"
    )
)


def is_household(title: str) -> bool:
    """Whether a title names a thing that is no food: laundry pods, toilet paper."""
    said = words(title)
    if {"coffee", "nespresso", "espresso"} & set(said) and {"capsule", "pod"} & set(said):
        return False
    # What grows as a bulb is eaten.
    said = [
        word for word in said if word != "bulb" or not set(said) & {"garlic", "fennel", "onion", "shallot"}
    ]
    pairs = {f"{first} {second}" for first, second in itertools.pairwise(said)}
    return bool(set(said) & (_THINGS | _MAKERS) or pairs & {" ".join(words(pair)) for pair in _PAIRS})
