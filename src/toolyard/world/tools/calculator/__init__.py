"""Calculators: formulas, spoken arithmetic and symbolic algebra."""

from toolyard.world.kernel.categories import ALL, Category

CATEGORY = Category(content="computed", on_the_web=False, fields={ALL: {"os": 4}})
