"""What a tool has from its category, and what it says of itself."""

from __future__ import annotations

import pytest

from toolyard.world import library
from toolyard.world.kernel.categories import Category, category, related
from toolyard.world.kernel.registry import SCENARIOS


def test_every_category_has_a_record_of_its_own() -> None:
    names = [name for categories in SCENARIOS.values() for name in categories]
    assert len(names) == 41
    assert not [name for name in names if category(name) == Category()]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Weather", "Travel", True),
        ("Joke", "Joke", True),
        ("Joke", "Advice", False),
        ("Food", "Vehicle", False),
    ],
)
def test_categories_of_one_kind_are_related(one: str, other: str, expected: bool) -> None:
    assert related(one, other) is related(other, one) is expected


def test_a_subcategory_may_be_about_the_things_of_another_category() -> None:
    assert library()["Finance/Yelp/yelp_search"].about == "Location"
    assert library()["Finance/Currency_Converter/currency_converter"].about == "Finance"


def test_fields_of_work_come_from_category_subcategory_and_tool() -> None:
    assert library()["IP/IP/get_ip"].fields == {"web": 8, "os": 8}
    assert library()["IP/IP/ip_details"].fields == {"web": 8}
    assert library()["Search/ShoppingSearch/ebay_search"].fields == {"web": 1, "leisure": 4}


def test_general_and_unasked_tools_say_so_themselves_or_by_their_category() -> None:
    assert library()["Execute/Execute/execute_pycode"].general
    assert library()["Food/spoonacular_misc/talk_to_chatbot"].general
    assert not library()["Food/spoonacular_misc/random_food_joke"].general
    assert not library()["File/Pdf/rotate"].chat
    assert not library()["Stock/Stock/get_today_date"].chat
    assert library()["Stock/Stock/add_date"].chat
