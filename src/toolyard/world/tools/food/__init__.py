"""Food: ingredients with their nutrients stand under recipes, products and menus."""

from toolyard.world.kernel.categories import ALL, Category

CATEGORY = Category(
    reference=(
        "spoonacular_ingredient",
        "spoonacular_menu/autocomplete_menu_item_search",
        "spoonacular_misc/conversation_suggests quick_answer search_site_content",
        "spoonacular_products/autocomplete_product_search map_ingredients_to_grocery_products",
        "spoonacular_recipes_analyze/autocomplete_recipe_search",
        "Tasty/get_auto_suggestion",
    ),
    simulated=("spoonacular_ingredient/get_ingredient_information parse_ingredients",),
    computed=(
        "spoonacular_misc/detect_food_in_text",
        "spoonacular_products/classify_grocery_product classify_grocery_product_2 classify_grocery_product_bulk",
        "spoonacular_recipes_analyze/analyze_a_recipe_search_query analyze_recipe_instructions classify_cuisine",
        "spoonacular_recipes_id/equipment_by_id",
        "Tasty/get_similar_recipes",
    ),
    kinds=("food",),
    fields={ALL: {"kitchen": 1}},
)
# What a tool that shows a whole recipe shows as well.
PARTS_OF_RECIPES = (
    "Food/spoonacular_recipes_id",
    "Food/spoonacular_recipes_info",
    "Food/spoonacular_recipes_analyze",
)
