"""Health: body formulas, and the nutrients of foods."""

from toolyard.world.categories import ALL, Category

CATEGORY = Category(kinds=("food",), fields={ALL: {"kitchen": 2}})
