"""Music: songs, artists and charts."""

from toolyard.world.categories import ALL, Category

CATEGORY = Category(kinds=("media",), public_people=True, fields={ALL: {"leisure": 1}})
