"""What anybody can check: networks of airlines, closed skies, felt temperatures, seas, the owners of addresses."""

from __future__ import annotations

from typing import Any

from toolyard.world import World, call


def said(tool: str, **arguments: Any) -> Any:
    """What a tool answers in a fresh world; a fault is a failure of the test."""
    answer = call(World.fresh(seed=0), tool, arguments)
    assert answer.error is None, answer.text
    return answer.value


def refused(tool: str, **arguments: Any) -> str:
    """What a tool says when it refuses."""
    answer = call(World.fresh(seed=0), tool, arguments)
    assert answer.error is not None, answer.text
    return str(answer.text)


def test_the_felt_temperature_follows_wind_and_moisture() -> None:
    from toolyard.world.worlds.weather.climate import feels_like

    assert round(feels_like(-5.6, 21.8, 77)) == -13
    assert round(feels_like(29.5, 23.8, 74)) == 35
    assert feels_like(18.0, 20.0, 60) == 18.0


def test_businesses_are_not_made_out_of_the_query() -> None:
    found = said("Finance/Yelp/yelp_search", location="Tokyo", term="Starbucks")["items"]
    assert {(row["name"], row["categories"][0]) for row in found} == {("Starbucks", "coffee")}
    begun = said("Finance/Yelp/yelp_autocomplete", text="sus", location="San Francisco")
    assert begun["categories"] == ["sushi"]
    assert not any("Sus " in row["name"] for row in begun["businesses"])
    for city in ("Boston", "Chicago", "Denver", "Austin"):
        events = said("Finance/Yelp/yelp_event_search", location=city, limit=30)["items"]
        assert {row["starts"][11:13] for row in events if row["name"] == "Sunrise Yoga"} <= {"06"}


def test_recipes_can_be_cooked_and_diets_are_kept() -> None:
    puffs = said("Food/spoonacular_recipes_info/get_recipe_information", id=850050)
    assert "water" in [row["name"] for row in puffs["extendedIngredients"]]
    assert "beat in the eggs one by one" in puffs["instructions"]
    sausage = said("Food/spoonacular_recipes_info/get_recipe_information", id=850084)
    assert sausage["diets"] == ["gluten free", "dairy free"]
    found = said(
        "Food/spoonacular_products/classify_grocery_product_bulk",
        postbody=[{"title": "oat milk"}, {"title": "salmon fillet"}],
    )
    assert [row["category"] for row in found] == ["milk substitute", "fish"]


def test_shops_ask_no_more_than_the_list_price_and_apps_have_their_own_numbers() -> None:
    offer = said("Product/Google_Product/google_product_search", product_id="17308884529534430293")
    assert offer["price_range_usd"][1] <= 799
    app = said("Product/Apple_Product/apple_product_search", product_id=544007664)
    assert (app["title"], app["bundle_id"]) == ("YouTube", "com.google.ios.youtube")


def test_houses_hire_whom_they_need() -> None:
    drivers = said("Job/Google_Jobs/google_jobs_search", query="forklift driver", gl="de")["jobs_results"][:3]
    assert "Logistics" in drivers[0]["company_name"]
    assert all(row["location"].endswith(", Germany") for row in drivers)
    near = said("Job/the_muse/search_companies", location=["Tokyo"])["results"]
    assert all(row["location"].startswith("Tokyo") for row in near)
    assert "Airlines" in refused("Job/the_muse/search_companies", industry=["Witchcraft"])




def test_an_index_is_100_in_its_own_year() -> None:
    rows = said("Finance/Commodities/get_global_price_index_of_all_commodities", interval="annual")["rows"]
    assert {row["date"]: row["value"] for row in rows}["2016-01-01"] == 100.0
