"""Food/spoonacular_products: what the tools take and return."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from toolyard.world.types import IngredientName, Money, ProductName, Semantic
from toolyard.world.worlds.food.meanings import Nutrient

GroceryId = Annotated[int, Semantic("grocery_product_id")]
Upc = Annotated[str, Semantic("upc")]


class FoundProduct(TypedDict):
    id: GroceryId
    title: ProductName
    upc: NotRequired[Upc]
    price: NotRequired[Money]
    calories: NotRequired[float]
    aisle: NotRequired[str]


class ByUpc(TypedDict):
    id: GroceryId
    title: ProductName
    upc: Upc
    brand: str
    breadcrumbs: list[str]
    ingredientList: list[IngredientName]
    badges: list[str]


class ProductInformation(TypedDict):
    id: GroceryId
    title: ProductName
    upc: Upc
    price: Money
    packageGrams: float
    servingGrams: float
    numberOfServings: float
    unsuitableFor: list[str]
    nutrition: list[Nutrient]


class Comparable(TypedDict):
    id: GroceryId
    title: ProductName
    upc: Upc
    value: float


class Comparables(TypedDict):
    """Other products of the category that are better in one respect; values per 100 g, price in US cents."""

    fewer_calories: list[Comparable]
    more_protein: list[Comparable]
    less_sugar: list[Comparable]
    lower_price: list[Comparable]


class Completion(TypedDict):
    id: GroceryId
    title: ProductName


class TitleBody(TypedDict):
    """A product to classify."""

    title: str
    upc: NotRequired[str]
    plu_code: NotRequired[str]


class Classified(TypedDict):
    cleanTitle: str
    category: str
    breadcrumbs: list[str]


class Candidate(TypedDict):
    category: str


class ClassifiedWithCandidates(TypedDict):
    cleanTitle: str
    category: str
    breadcrumbs: list[str]
    candidates: list[Candidate]


class ClassifiedOrNot(TypedDict):
    title: str
    category: NotRequired[str]
    breadcrumbs: NotRequired[list[str]]
    problem: NotRequired[str]


class MappingBody(TypedDict):
    """Ingredients to buy."""

    ingredients: list[str]
    servings: NotRequired[float]


class ShoppingItem(TypedDict):
    ingredient: IngredientName
    original: str
    neededGrams: float
    products: list[Completion]
