"""Jokes, by number, by kind or by chance."""

from toolyard.world.categories import ALL, Category

CATEGORY = Category(invented=True, fields={ALL: {"leisure": 6}})
