"""Vehicles by make, model and identification number."""

from toolyard.world.kernel.categories import ALL, Category

CATEGORY = Category(content="reference", kinds=("cars",), fields={ALL: {"town": 4}})
