"""Music: songs, artists and charts."""

from toolyard.world.kernel.categories import ALL, Category

CATEGORY = Category(kinds=("media",), public_people=True, fields={ALL: {"leisure": 1}})
