"""Files: the world's disk, and documents on it."""

from toolyard.world.kernel.categories import ALL, Category

CATEGORY = Category(
    content="computed", kinds=("text",), on_the_web=False, chat=False, fields={ALL: {"os": 2}}
)
