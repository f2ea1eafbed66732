"""Names of one thing that share no letters, and those that do not name one thing."""

from __future__ import annotations

from toolyard.text.same_things import same_thing


def test_airport_codes_stand_for_their_cities() -> None:
    assert same_thing("PDX", "Portland", "origin_airport")
    assert same_thing("Los Angeles", "LAX", "destination")
    assert same_thing("Portland (PDX)", "Portland", "origin_airport")
    assert same_thing("Salt Lake City", "SLC", "to")
    assert same_thing("LHR", "London", "from")


def test_code_of_another_city_or_a_word_that_looks_like_one_does_not() -> None:
    assert not same_thing("SFO", "Los Angeles", "destination_airport")
    assert not same_thing("Seattle (PDX)", "Portland", "origin_airport")
    assert not same_thing("San", "San Diego", "city")
    assert not same_thing("JFK or LAX", "Los Angeles", "destination_airport")
    assert not same_thing("JFK", "LGA", "origin_airport")


def test_people_and_country_are_one_where_food_is_meant() -> None:
    assert same_thing("Afghanistan", "Afghan", "food Type of food or cuisine offered.")
    assert same_thing("Thai food", "Thai", "cuisine")
    assert not same_thing("Afghanistan", "Afghan", "language")
    assert not same_thing("Pakistan", "Afghan", "food")
    assert not same_thing("food", "cuisine", "food")


def test_everyday_doubles_are_one_and_neighbours_are_not() -> None:
    assert same_thing("Music", "concert", "event_type")
    assert same_thing("autumn", "fall", "season")
    assert same_thing("inexpensive", "cheap", "price_range")
    assert not same_thing("moderate", "cheap", "price_range")
    assert not same_thing("theater", "concert", "event_type")
    assert not same_thing("dermatologist", "ophthalmologist", "type")
