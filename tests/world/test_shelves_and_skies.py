"""Weather as it is at a place, names as old as they are, and shelves that hold what was asked for."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from toolyard.world import World, call
from toolyard.world.reference.climates import climate_of


def _ask(tool: str, /, **arguments: Any) -> Any:
    result = call(World.fresh(seed=0), tool, arguments)
    assert result.error is None, result.text
    return result.value


def _refused(tool: str, /, **arguments: Any) -> str:
    result = call(World.fresh(seed=0), tool, arguments)
    assert result.error is not None, result.text
    return result.text


@pytest.mark.parametrize(
    ("city", "latitude", "longitude", "january", "july"),
    [
        ("Ulan Bator", 47.91, 106.88, -21, 18),
        ("Lhasa", 29.65, 91.1, -1, 16),
        ("Tromsø", 69.65, 18.96, -4, 12),
        ("Lahore", 31.56, 74.35, 13, 32),
        ("Faisalabad", 31.42, 73.09, 12, 34),
        ("Caracas", 10.49, -66.88, 21, 22),
        ("Turku", 60.45, 22.27, -4, 18),
    ],
)
def test_the_means_of_winter_and_summer(
    city: str, latitude: float, longitude: float, january: float, july: float
) -> None:
    here = climate_of(latitude, longitude)
    found = [here.mean_on(day) for day in (15, 196)]
    assert found == pytest.approx([january, july], abs=4), city


def test_a_dry_coast_with_a_cold_current_is_humid() -> None:
    assert _ask("Weather/weatherapi/current_weather", q="Lima")["current"]["humidity_percent"] >= 60


def test_tides_differ_from_sea_to_sea_and_follow_each_other() -> None:
    heights = {}
    for city in ("Honolulu", "Vancouver"):
        days = _ask("Weather/weatherapi/marine", q=city, tide=True)["days"]
        for day in days:
            times = [tide["time"] for tide in day["tides"]]
            assert times == sorted(times)
        kinds = [tide["type"] for day in days for tide in day["tides"]]
        assert all(one != other for one, other in itertools.pairwise(kinds))
        heights[city] = max(tide["height_m"] for day in days for tide in day["tides"])
    assert heights["Honolulu"] < 1 < 2 < heights["Vancouver"]


def test_names_are_as_old_as_in_their_country() -> None:
    ages = {
        row["name"]: row["age"]
        for row in _ask("Predict/Predict/predict_age", names=["Luca", "Matteo", "Ali"])
    }
    assert all(25 <= age <= 50 for age in ages.values()), ages
    german = _ask("Predict/Predict/predict_age", names=["Kevin", "Gertrud"], country_id="DE")
    assert [row["age"] for row in german] == [30, 82]


@pytest.mark.parametrize(
    ("tool", "query", "genre"),
    [
        ("games", "car racing games", "racing"),
        ("movies", "science fiction", "science fiction"),
        ("books", "dystopia", "dystopia"),
        ("apps", "weather", "weather"),
    ],
)
def test_a_genre_brings_its_own_works_alone(tool: str, query: str, genre: str) -> None:
    found = _ask(f"Entertainment/Google_play_store/{tool}_related_searches", q=query)
    assert len(found) >= 3
    assert all(genre in row["genres"] for row in found), [row["title"] for row in found]


def test_a_film_has_its_genre_and_none_that_is_not_out() -> None:
    found = _ask("Entertainment/Google_play_store/movies_related_searches", q="Arrival")
    assert found[0]["genres"] == ["science fiction"]
    titles = [
        row["trackName"]
        for row in _ask("Music/Music/search_itunes", term="Deadpool & Wolverine", country="US")["results"]
    ]
    assert "Deadpool & Wolverine" not in titles


def test_artists_have_their_albums() -> None:
    found = _ask("Music/Music/search_itunes", term="Radiohead", country="GB", media="music", entity="album")
    assert {"OK Computer", "Kid A", "Pablo Honey"} <= {row["trackName"] for row in found["results"]}


def test_a_business_of_a_suburb_is_found_by_its_alias() -> None:
    row = _ask("Finance/Yelp/yelp_search", location="Ajuda, Lisbon", term="breakfast", limit=1)["items"][0]
    assert row["alias"].endswith("-lisbon")  # Ajuda is a quarter of the city
    assert _ask("Finance/Yelp/yelp_business_details", business_id_or_alias=row["alias"])["id"] == row["id"]


def test_a_poem_that_is_not_there_is_refused_with_what_there_is() -> None:
    said = _refused("Database/non_local/poetry", input_field=["author"], search_term=["Homer Simpson"])
    assert "authors" in said


def test_a_question_stays_a_question() -> None:
    found = _ask(
        "Translation/Translation/get_translation_baidu", text="where is the train station?", tgt_lang="spa"
    )
    assert found["result"] == "¿dónde está la estación de tren?"


def test_rum_is_no_chocolate() -> None:
    found = _ask("Health/FoodData_Central/search_foods", query="dark rum")["foods"]
    assert not any("chocolate" in row["description"].lower() for row in found)


def test_a_recursive_listing_goes_into_folders() -> None:
    found = _ask("Execute/Execute/execute_bash_code", commands="mkdir -p a/b && touch a/b/c.txt && ls -R a")
    assert found["stdout"] == "a:\nb\n\na/b:\nc.txt\n"


def test_foods_of_the_wide_table_can_be_had_together() -> None:
    tool = "Health/FoodData_Central/get_multiple_food_items_by_ids"
    assert [row["description"] for row in _ask(tool, fdcIds=[173944, 1])] == ["Bananas, raw"]
    assert "FDC id 1" in _refused(tool, fdcIds=[1, 2])


def test_a_currency_that_no_country_has_is_refused_and_antarctica_has_none() -> None:
    assert "XXZ" in _refused("Location/Geodatabase/find_countries", currencyCode="XXZ")
    assert "no currency" in _refused("Location/Geodatabase/get_currencies", countryId="AQ")


def test_invented_addresses_have_post_codes_of_their_city() -> None:
    rows = _ask("Faker/fake_data/fake_data", resource="addresses", _quantity=20, _locale="fr_FR")["data"]
    wanted = {"Paris": "75", "Marseille": "130", "Lyon": "690"}
    assert all(row["postcode"].startswith(wanted.get(row["city"], "")) for row in rows)
    assert {row["city"] for row in rows} & set(wanted)
