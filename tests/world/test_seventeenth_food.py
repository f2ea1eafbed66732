"""Food says less, and what it says holds: kitchens of a region, what is alike, short texts, no fillers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolyard.world import World, call


@pytest.fixture(scope="module")
def world() -> World:
    return World.fresh(0)


def told(world: World, tool: str, **arguments: object) -> Any:
    answer = call(world, f"Food/{tool}", arguments)
    assert answer.error is None, answer.text
    return json.loads(answer.text)


def test_what_is_of_a_country_is_of_its_region(world: World) -> None:
    thai = told(world, "Tasty/get_recipes", from_=0, size=40, tags=["thai"])["items"]
    assert thai and all("asian" in row["tags"] for row in thai)
    found = told(world, "spoonacular_recipes_search/search_recipes", query="chicken", cuisine=["Asian"], number=100)
    assert {"Teriyaki Chicken", "Butter Chicken"} <= {row["title"] for row in found["items"]}
    counts = {row["name"]: row["recipes"] for row in told(world, "Tasty/list_tags")}
    assert counts["asian"] >= counts["chinese"] + counts["thai"] and counts["european"] > counts["italian"]


def test_what_is_called_alike_is_alike(world: World) -> None:
    def alike(query: str) -> list[str]:
        recipe = told(world, "Tasty/get_recipes", from_=0, size=1, q=query)["items"][0]
        return [row["name"] for row in told(world, "Tasty/get_similar_recipes", id=recipe["id"])]

    assert "Shakshuka" in alike("menemen") and "Dal" not in alike("shakshuka")
    assert "Pelmeni" not in alike("bobotie")
    assert "Grilled Cheese Sandwich" not in alike("grilled steak")
    assert {"Ramen", "Pho"} <= set(alike("chicken noodle soup"))
    assert alike("stollen") and alike("jerk chicken") and alike("koshari")


def test_a_recipe_names_no_cook_and_says_in_short_what_it_is(world: World) -> None:
    page = told(world, "Tasty/get_more_info", id=69095)
    assert "credits" not in page
    assert page["description"] == "American soup, 4 servings, ready in 60 minutes."


def test_suggestions_complete_several_words_and_are_titles(world: World) -> None:
    soups = [row["display"] for row in told(world, "Tasty/get_auto_suggestion", prefix="chicken so")]
    assert soups[0] == "Chicken Noodle Soup" and "chicken breast" not in soups
    pasta = told(world, "Tasty/get_auto_suggestion", prefix="pasta")
    assert not [row for row in pasta if row["type"] == "recipe" and row["display"] == "pasta"]
    assert told(world, "Tasty/get_auto_suggestion", prefix="creme br")[0]["display"] == "Crème Brûlée"
