"""Health: body formulas, and the nutrients of foods."""

from toolyard.world.kernel.categories import ALL, Category

CATEGORY = Category(
    content="computed", reference=("FoodData_Central",), kinds=("food",), fields={ALL: {"kitchen": 2}}
)
