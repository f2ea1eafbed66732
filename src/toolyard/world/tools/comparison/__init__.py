"""Comparison: how alike two texts are."""

from toolyard.world.kernel.categories import ALL, Category

CATEGORY = Category(
    content="computed", kinds=("text",), invented=True, on_the_web=False, fields={ALL: {"os": 5}}
)
