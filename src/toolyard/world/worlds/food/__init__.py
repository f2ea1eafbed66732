"""Food: ingredients with their nutrients stand under recipes, products and menus."""

from toolyard.world.categories import ALL, Category

CATEGORY = Category(kinds=("food",), fields={ALL: {"kitchen": 1}})
# What a tool that shows a whole recipe shows as well.
PARTS_OF_RECIPES = (
    "Food/spoonacular_recipes_id",
    "Food/spoonacular_recipes_info",
    "Food/spoonacular_recipes_analyze",
)
