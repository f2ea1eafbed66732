"""Entities: items of the encyclopaedia with their properties, by name, by id and by query."""

from toolyard.world.kernel.categories import ALL, Category

CATEGORY = Category(
    content="reference", kinds=("knowledge",), public_people=True, fields={ALL: {"study": 2, "web": 10}}
)
