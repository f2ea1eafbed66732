"""Random: numbers, texts and draws."""

from toolyard.world.kernel.categories import ALL, Category

CATEGORY = Category(invented=True, on_the_web=False, fields={ALL: {"os": 6}})
