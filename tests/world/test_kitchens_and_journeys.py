"""Hotels, cars, journeys, weather, places and kitchens as a traveller or a cook knows them."""

from __future__ import annotations

from typing import Any

import pytest

from toolyard.world import World, call


def said(tool: str, **arguments: Any) -> Any:
    """What a tool answers in a fresh world; a fault is a failure of the test."""
    answer = call(World.fresh(seed=0), tool, arguments)
    assert answer.error is None, answer.text
    return answer.value


STATISTICS = "Travel/Hotels_Statistical_Data"


def test_rare_amenities_are_rare() -> None:
    counts = {
        name: said(f"{STATISTICS}/search_amenity", name=name)["hotels_with_it"]
        for name in ("Wifi", "Pool", "Water park", "Ocean view", "Casino", "Spa on site")
    }
    assert counts["Wifi"] == 300  # all hotels of twenty capitals
    assert 40 < counts["Pool"] < 130
    assert max(counts["Water park"], counts["Ocean view"], counts["Casino"]) < 12
    assert counts["Spa on site"] < counts["Pool"]


@pytest.mark.parametrize(
    ("word", "amenity"),
    [
        ("Swimming pool", "Pool"),
        ("Free Wi-Fi", "Wifi"),
        ("fitness centre", "Gym"),
        ("jacuzzi", "Hot tub"),
    ],
)
def test_amenities_are_known_by_their_usual_words(word: str, amenity: str) -> None:
    assert said(f"{STATISTICS}/search_amenity", name=word)["name"] == amenity


def test_no_old_town_in_new_york() -> None:
    found = said("Travel/BMTool_Travel/lodgingProducts", destination="JFK", exhibit_maxnum=12)
    assert all("Old Town" not in row["address"] for row in found)
    stay = said(
        "Travel/Hotels/list_properties", dest_regionId=600330, check_in_date=[1, 7, 2024], check_out_date=[3, 7, 2024],
        num_adults_list=[2], children_ages_list=[[]],
    )  # fmt: skip
    assert [row["name"] for row in stay["neighborhoods"]] == ["Midtown", "Lower Manhattan", "Upper West Side"]


@pytest.mark.parametrize(
    ("query", "city"),
    [("Louvre", "Paris"), ("Heathrow airport", "London"), ("Santorini", "Firá"), ("Mallorca", "Palma")],
)
def test_sights_airports_and_islands_lead_to_their_town(query: str, city: str) -> None:
    assert said("Travel/Hotels/search_locations", query=query)[0]["city"] == city


def test_part_of_a_name_finds_hotels_that_bear_it() -> None:
    found = said("Travel/Hotels_Data/search_city_hotels", query="Plaza", lookFor="hotel")["hotels"]
    assert found
    assert all("Plaza" in row["name"] for row in found)


def test_cars_are_those_that_are_sold_in_the_country() -> None:
    models = {
        row["model"]
        for row in said("Travel/BMTool_Travel/carProducts", pickup_location="LAX", exhibit_maxnum=12)
    }
    assert not models & {"Škoda Octavia Combi", "Nissan Qashqai", "Toyota Yaris"}


def test_the_indian_autumn_is_warm_and_its_winter_mild() -> None:
    october = said("Weather/weatherapi/future", q="Delhi", dt="2024-10-15")["day"]["mean_c"]
    december = said("Weather/weatherapi/future", q="Delhi", dt="2024-12-25")["day"]["mean_c"]
    assert 21 < october < 31
    assert 11 < december < 20


def test_the_sea_is_not_told_for_places_far_inland() -> None:
    answer = call(World.fresh(seed=0), "Weather/weatherapi/marine", {"q": "Denver"})
    assert answer.error == "not_found"
    assert said("Weather/weatherapi/marine", q="Brest")["nearest_city"] == "Brest"


def test_completions_name_a_dish_once() -> None:
    found = said("Food/spoonacular_recipes_analyze/autocomplete_recipe_search", query="risot")
    titles = [row["title"] for row in found]
    assert len(titles) == len(set(titles)) > 1


def test_restaurants_are_in_the_city_that_the_query_ends_in() -> None:
    restaurants = "Food/spoonacular_wine_restaurants/search_restaurants"
    found = said(restaurants, query="vegan burger in Berlin")["items"]
    assert {row["city"] for row in found} == {"Berlin"}


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("MIT", "Massachusetts Institute of Technology"),
        ("UCLA", "University of California, Los Angeles"),
        ("ETH", "ETH Zurich"),
    ],
)
def test_universities_are_known_by_their_letters(name: str, first: str) -> None:
    found = said("Location/Geodatabase/get_university_infomation", name=name)
    assert [row["name"] for row in found] == [first]


def test_a_few_letters_suggest_performers_and_venues() -> None:
    stones = said("Location/Ticket/find_suggest", keyword="Rolling")["attractions"]
    assert [row["name"] for row in stones] == ["The Rolling Stones"]
    venues = said("Location/Ticket/find_suggest", keyword="mad", resource=["venues"])["venues"]
    assert venues[0]["name"] == "Madison Square Garden"


def test_small_jets_do_not_cross_the_atlantic() -> None:
    found = said("Travel/Flight_Data_v1/cheapest_direct_tickets", origin="JFK", destination="CDG")
    assert found
    assert {row["aircraft"] for row in found} & {"223", "221", "319"} == set()


@pytest.mark.parametrize("city", ["Leipzig", "Omaha", "Busan", "Quito"])
def test_sights_of_towns_are_their_own(city: str) -> None:
    found = said("Travel/BMTool_Travel/landscapeProducts", destination=city, exhibit_maxnum=6)
    assert not [
        row["name"] for row in found if row["name"] in (f"{city} City Museum", f"{city} Central Market")
    ]
    assert len({(row["latitude"], row["longitude"]) for row in found}) == len(found) > 1


def test_trains_are_found_by_their_towns() -> None:
    found = said("Travel/Railway/indian_railway_search", search="Bhopal")
    assert {row["train_number"] for row in found} >= {"12001", "12002"}
    delhi = said("Travel/Railway/indian_railway_search", search="New Delhi")
    assert all("New Delhi" in (row["origin"], row["destination"], row["name"]) for row in delhi)
    assert len(delhi) > 5
