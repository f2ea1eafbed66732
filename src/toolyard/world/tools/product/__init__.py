"""Products: goods with offers and reviews in several shops."""

from toolyard.world.kernel.categories import ALL, Category

CATEGORY = Category(kinds=("food", "media"), fields={ALL: {"leisure": 3, "web": 4}})
