"""What anybody can check: networks of airlines, closed skies, felt temperatures, seas, the owners of addresses."""

from __future__ import annotations

from typing import Any

import pytest

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


@pytest.mark.parametrize(
    ("latitude", "longitude", "low", "high"),
    [(45.44, 12.33, 16, 20), (44.41, 8.93, 15, 19), (64.15, -21.94, 5, 9), (19.07, 72.88, 27, 31)],
    ids=["Venice", "Genoa", "Reykjavik", "Mumbai"],
)
def test_the_sea_in_may(latitude: float, longitude: float, low: float, high: float) -> None:
    from datetime import date

    from toolyard.world.reference.seas import water

    assert low <= water(latitude, longitude, date(2024, 5, 15)) <= high


def test_the_nearest_coast_and_the_nearest_place() -> None:
    assert said("Weather/weatherapi/marine", q="Zurich")["nearest_city"] == "Genoa"
    here = said("Weather/weatherapi/current_weather", q="78.22,15.65")
    assert here["location"]["name"] == "Longyearbyen"
    assert said("Weather/weatherapi/ip_lookup", q="2001:4860:4860::8888")["city"] == "Mountain View"
    assert said("IP/IP/ip_country", ip="200.52.1.1")["registry"] == "LACNIC"
    assert "hour" in refused("Weather/weatherapi/forecast", q="Oslo", days=2, aqi=False, tp=15)


def test_figures_of_companies_are_on_record_or_not_told() -> None:
    assert said("Finance/Yahoo_Finance_stock/get_statistics", symbol="RIVN")["trailing_pe"] is None
    assert "RIVN" in refused("Finance/Yahoo_Finance_stock/get_holders", symbol="RIVN")
    assert "AAPL" in refused("Finance/USStockInfo/get_balance_sheet", symbol="RIVN")
    coming = said(
        "Finance/Yahoo_Finance_market/get_earnings", start_date="2024-05-15", end_date="2024-06-14", size=100
    )
    days = {row["ticker"]: (row["report_date"], row["fiscal_date_ending"]) for row in coming["items"]}
    assert days["CSCO"] == ("2024-05-15", "2024-04-27")
    assert days["AVGO"] == ("2024-06-12", "2024-05-05")
    known = [row["estimated_eps"] is not None for row in coming["items"]]
    assert sum(known) > 0.75 * len(known)
    assert "2024-05-24" in refused(
        "Finance/Yahoo_Finance_market/get_earnings", start_date="2024-05-24", end_date="2024-05-20"
    )


def test_funds_of_one_market_move_together_and_symbols_are_those_of_the_region() -> None:
    quotes = said("Finance/Yahoo_Finance_market/get_quotes", symbols=["SPY", "VTI", "QQQ"])
    assert all(0.3 < row["change_percent"] < 0.9 for row in quotes)
    kinds = said("Finance/Yahoo_Finance_market/get_tickers_by_quote_type", region="DE")
    assert "SAP.DE" in kinds[0]["symbols"]
    assert "SAP" not in kinds[0]["symbols"]
    told = said("Finance/Technical_Indicators/get_technical_indicator_description", indicator_symbol="ATR")
    assert told["computed_from"] == "high, low and close"


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


def test_hours_and_results_of_games_are_on_record_or_not_told() -> None:
    match = said("Competition/API_FOOTBALL/fixtures", league=2, season=2023, date="2024-02-13")["items"][0]
    assert match["fixture"]["time"] == "20:00"
    games = said("Competition/API_BASKETBALL/game", date="2022-12-25")["items"]
    assert {row["time"] for row in games} == {None}
    assert [row["status"] for row in games if row["home"]["team"] == "Denver Nuggets"] == ["AOT"]
    assert "2010" in refused("Competition/Ergast_F1/qualifying_results", driver_id="senna", season=1988)
    assert "22" in refused("Competition/Ergast_F1/qualifying_results", season=2021, race=40)


def test_an_index_is_100_in_its_own_year() -> None:
    rows = said("Finance/Commodities/get_global_price_index_of_all_commodities", interval="annual")["rows"]
    assert {row["date"]: row["value"] for row in rows}["2016-01-01"] == 100.0
