"""Faker: invented rows of data."""

from toolyard.world.kernel.categories import ALL, Category

CATEGORY = Category(fed=False, invented=True, on_the_web=False, general=True, fields={ALL: {"os": 7}})
