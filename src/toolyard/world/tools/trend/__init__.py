"""Trends: how often people search for something."""

from toolyard.world.kernel.categories import ALL, Category

CATEGORY = Category(
    reference=("Google_Trends/google_trends_autocomplete_search",),
    kinds=("knowledge",),
    fields={ALL: {"study": 9, "web": 5}},
)
