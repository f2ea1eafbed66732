"""Trends: how often people search for something."""

from toolyard.world.categories import ALL, Category

CATEGORY = Category(kinds=("knowledge",), fields={ALL: {"study": 9, "web": 5}})
