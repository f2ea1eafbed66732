"""What values mean in the food world, and the records that several of its tools return."""

from typing import Annotated, Literal, TypedDict

from toolyard.world.kernel.types import IngredientName, Range, Semantic, Unit

IngredientId = Annotated[int, Semantic("ingredient_id")]
DishName = Annotated[str, Semantic("dish")]
CuisineName = Annotated[str, Semantic("cuisine")]
DietName = Annotated[str, Semantic("diet")]
NutrientName = Annotated[str, Semantic("nutrient")]
EquipmentName = Annotated[str, Semantic("kitchen_equipment")]
RecipeTag = Annotated[str, Semantic("recipe_tag", accepts=("cuisine", "diet"))]
RecipeUrl = Annotated[str, Semantic("recipe_url", is_a=("url",))]
InstructionText = Annotated[str, Semantic("cooking_instructions", is_a=("prose",))]
IngredientList = Annotated[str, Semantic("ingredient_list", accepts=("ingredient",))]
FoodQuery = Annotated[str, Semantic("food_query", accepts=("ingredient", "dish", "cuisine"))]
Pairable = Annotated[str, Semantic("food_to_pair", accepts=("dish", "ingredient", "cuisine"))]

Language = Literal["en", "de"]
Count = Annotated[int, Range(1, 100)]
FewCount = Annotated[int, Range(1, 25)]
Offset = Annotated[int, Range(0, 990)]
Grams = Annotated[float, Unit("g"), Range(0, 100_000)]
Calories = Annotated[float, Unit("kcal"), Range(0, 100_000)]
Servings = Annotated[int, Range(1, 1000)]
Intolerance = Literal[
    "Dairy", "Egg", "Gluten", "Grain", "Peanut", "Seafood", "Sesame", "Shellfish", "Soy", "Sulfite", "Tree Nut", "Wheat"
]  # fmt: skip


class Nutrient(TypedDict):
    """An amount of one nutrient and its share of an adult's daily value."""

    name: NutrientName
    amount: float
    unit: str
    percentOfDailyNeeds: float


class IngredientLine(TypedDict):
    """One line of an ingredient list, read."""

    id: IngredientId
    name: IngredientName
    original: str
    amount: float
    unit: str
    grams: float


class MacroLimits(TypedDict, total=False):
    """Limits per serving.

    minCarbs: Least carbohydrates in grams.
    maxCarbs: Most carbohydrates in grams.
    minProtein: Least protein in grams.
    maxProtein: Most protein in grams.
    minCalories: Least energy in kilocalories.
    maxCalories: Most energy in kilocalories.
    minFat: Least fat in grams.
    maxFat: Most fat in grams.
    """

    minCarbs: Grams
    maxCarbs: Grams
    minProtein: Grams
    maxProtein: Grams
    minCalories: Calories
    maxCalories: Calories
    minFat: Grams
    maxFat: Grams
