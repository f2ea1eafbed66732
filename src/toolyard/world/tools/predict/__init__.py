"""Predictions about a person from a first name."""

from toolyard.world.kernel.categories import Category

CATEGORY = Category(content="computed", invented=True, on_the_web=False)
