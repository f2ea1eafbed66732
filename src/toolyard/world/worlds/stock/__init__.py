"""Stock: shares and options in short, and the date."""

from toolyard.world.categories import ALL, Category

CATEGORY = Category(kinds=("money",), fields={ALL: {"money": 1}})
