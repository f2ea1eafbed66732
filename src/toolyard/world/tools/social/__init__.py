"""Social: an image board with threads and posts, and collectives with members, money and events."""

from toolyard.world.kernel.categories import ALL, Category

CATEGORY = Category(kinds=("media",), fields={ALL: {"town": 5}})
