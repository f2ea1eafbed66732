"""News: articles by topic and outlet, and the press on space flight."""

from toolyard.world.kernel.categories import ALL, Category

CATEGORY = Category(
    kinds=("knowledge", "media"),
    fields={ALL: {"study": 4, "web": 2}},
)
