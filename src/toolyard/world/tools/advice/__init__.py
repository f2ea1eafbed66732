"""Advice: slips of advice, and things to do against boredom."""

from toolyard.world.kernel.categories import ALL, Category

CATEGORY = Category(
    reference=(
        "Advice_slip/advice_by_id search_advice",
        "Bored/get_activity_by_key",
    ),
    invented=True,
    fields={ALL: {"leisure": 7}},
)
