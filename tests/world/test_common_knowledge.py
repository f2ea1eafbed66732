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


def test_airlines_fly_where_they_may() -> None:
    from toolyard.world.worlds.travel.air import airlines, airports, routes
    from toolyard.world.worlds.travel.airspace import closed

    country = {row["iata"]: row["country_code"] for row in airports()}
    flown = {(route["airline"], *pair) for pair, found in routes(0).items() for route in found}
    barred = [
        row
        for row in flown
        if closed(country[row[1]], country[row[2]])
        or closed(airlines()[row[0]]["country_code"], country[row[2]])
    ]
    assert barred == []
    assert ("EK", "DXB", "KEF") not in flown
    assert ("U2", "GVA", "LCY") not in flown
    assert ("JL", "HND", "CTS") in flown
    assert "Ukraine" in refused("Travel/Flight_JSON_Data/search_routes", depart_airport="KBP")
    assert "XXQ" in refused("Travel/Flight_JSON_Data/search_routes", depart_airport="XXQ")
    assert "ZZ" in refused("Travel/Flight_JSON_Data/search_routes", airline="ZZ")


def test_fares_and_passengers_are_of_the_usual_size() -> None:
    months = said(
        "Travel/Flight_Data_v1/cheapest_tickets_each_month", origin="LON", destination="NYC", currency="USD"
    )
    assert len(months) == 11
    found = said("Travel/Flight_Data_v2/cheapest_tickets", origin="LON", destination="BCN", currency="GBP")
    assert len({row["depart_date"][:7] for row in found}) == len(found) >= 5
    assert all(30 < row["value"] < 150 for row in found)
    flown = said("Travel/Flight_Data_v1/popular_airline_routes", airline_code="QF", limit=50)
    count = {(row["origin"], row["destination"]): row["passengers"] for row in flown}
    assert 0.9 < count["SYD", "MEL"] / count["MEL", "SYD"] < 1.1
