"""Flights, hotels, jobs and goods as a reader would check them."""

from __future__ import annotations

from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.state import World


def said(tool: str, **arguments: Any) -> Any:
    """What a tool answers; fails where it refuses."""
    result = call(World.fresh(0), tool, arguments)
    assert result.error is None, result.text
    return result.value


@pytest.mark.parametrize(
    ("origin", "destination"),
    [
        ("MAN", "ALC"),
        ("LON", "PSA"),
        ("LON", "BLQ"),
        ("LON", "FAO"),
        ("DEL", "GOI"),
        ("KUL", "PEN"),
        ("BUD", "CRL"),
    ],
)
def test_holiday_routes_are_flown_without_a_stop(origin: str, destination: str) -> None:
    for start, end in ((origin, destination), (destination, origin)):
        tickets = said(
            "Travel/Flight_Data_v1/cheapest_tickets", origin=start, destination=end, currency="EUR"
        )
        assert tickets["items"][0]["number_of_changes"] == 0
        assert tickets["items"][0]["price"] < 80


def test_all_directions_cost_what_single_routes_cost() -> None:
    every = said("Travel/Flight_Data_v1/cheapest_tickets", origin="BER", destination="-", currency="EUR")
    for ticket in every["items"][:5]:
        single = said(
            "Travel/Flight_Data_v1/cheapest_tickets",
            origin="BER",
            destination=ticket["destination"],
            currency="EUR",
        )
        assert ticket in single["items"]
    assert {"BGY", "BSL"} <= {ticket["destination"] for ticket in every["items"]}


def test_the_cheapest_of_a_month_is_that_of_its_days() -> None:
    months = said(
        "Travel/Flight_Data_v1/cheapest_tickets_each_month", origin="MUC", destination="NYC", currency="USD"
    )
    july = next(row for row in months if row["month"] == "2024-07")
    whole = said(
        "Travel/Flight_Data_v1/cheapest_tickets",
        origin="MUC",
        destination="NYC",
        depart_date="2024-07",
        currency="USD",
    )
    assert july["lowest"] == whole["items"][0]["price"]
