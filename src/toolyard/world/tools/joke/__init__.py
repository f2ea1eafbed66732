"""Jokes, by number, by kind or by chance."""

from toolyard.world.kernel.categories import ALL, Category

CATEGORY = Category(reference=("jokes/search_cold_jokes",), invented=True, fields={ALL: {"leisure": 6}})
