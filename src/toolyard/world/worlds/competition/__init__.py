"""Competition: programming contests, and sports under eight services with ids of their own."""

from toolyard.world.categories import ALL, Category

CATEGORY = Category(kinds=("sports",), public_people=True, fields={ALL: {"sport": 1}})
