"""Advice: slips of advice, and things to do against boredom."""

from toolyard.world.categories import ALL, Category

CATEGORY = Category(invented=True, fields={ALL: {"leisure": 7}})
