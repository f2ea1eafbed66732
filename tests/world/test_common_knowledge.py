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


def test_the_dead_do_not_perform() -> None:
    found = said("Location/Ticket/attraction_search", keyword="Elvis Presley")["items"][0]
    assert found["name"] == "A Tribute to Elvis Presley"
    assert "nope" in refused("Location/Ticket/attraction_search", genreId="nope")
    assert said("Location/Geodatabase/get_country_details", countryId="VA")["country"]["area_km2"] == 0.49


def test_hours_and_results_of_games_are_on_record_or_not_told() -> None:
    match = said("Competition/API_FOOTBALL/fixtures", league=2, season=2023, date="2024-02-13")["items"][0]
    assert match["fixture"]["time"] == "20:00"
    games = said("Competition/API_BASKETBALL/game", date="2022-12-25")["items"]
    assert {row["time"] for row in games} == {None}
    assert [row["status"] for row in games if row["home"]["team"] == "Denver Nuggets"] == ["AOT"]
    assert "2010" in refused("Competition/Ergast_F1/qualifying_results", driver_id="senna", season=1988)
    assert "22" in refused("Competition/Ergast_F1/qualifying_results", season=2021, race=40)


def test_an_index_is_100_in_its_own_year_and_cheap_airlines_sell_no_connections() -> None:
    rows = said("Finance/Commodities/get_global_price_index_of_all_commodities", interval="annual")["rows"]
    assert {row["date"]: row["value"] for row in rows}["2016-01-01"] == 100.0
    days = said(
        "Travel/Flight_Data_v1/cheapest_tickets_each_day", origin="PAR", destination="MAD", currency="EUR"
    )
    assert {row["number_of_changes"] for row in days if row["airline"] in ("U2", "VY", "FR")} <= {0}
