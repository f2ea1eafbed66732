"""What the official descriptions give is what the tools promise: a field of the result that is never null.

A field whose type has no None is promised by its type. `promises=` of a tool adds the words of the description that
another field stands for.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from toolyard.world import library
from toolyard.world.kernel.compat import resolve_documents
from toolyard.world.kernel.schema import Schema

# What may be absent from the thing itself.
MAY_BE_NULL = {
    "Predict/Predict/predict_age": "nobody on record bears the name",
    "Predict/Predict/predict_gender": "nobody on record bears the name",
    "Weather/weatherapi/astronomy_info": "polar day and night, and days on which the moon does not rise",
    "Competition/Cricket_Live_Data/fixtures_by_series": "a fixture to come has no result",
    "Database/non_local/company_name_match": "each task has its own kind of answer",
    "URL/URL/paper_rank": "a domain may have no rank, which `found` says",
    "IP/IP/ip_details": "an address is known down to its country by some registries",
    "IP/IP/ip_more": "a private address belongs to no network",
}
# Descriptions that belong to another tool, or whose lists tell of examples, sources or arguments.
NOT_ABOUT_RESULTS = {
    "Validation/Validation/get_scan_results",
    "Weather/weatherapi/current_weather",
    "Weather/weatherapi/ip_lookup",
    "Paper/meta_analysis/get_author_details",
    "Paper/meta_analysis/get_paper_complete",
    "Food/spoonacular_misc/detect_food_in_text",
    "Food/spoonacular_products/get_comparable_products",
    "Food/spoonacular_products/search_grocery_products",
    "Job/the_muse/search_companies",
    "Job/the_muse/search_jobs",
    "Location/Ticket/attraction_search",
    "Travel/Hotels/list_properties",
    "Travel/Hotels/resolve_url",
    "Travel/Hotels_Data/search_city_hotels",
    "Anti_Malware/Anti_Malware/check_block_ip",
    "Anti_Malware/Anti_Malware/check_ip",
    "Competition/API_BASKETBALL/leagues",
    "Competition/API_FOOTBALL/leagues",
    "Competition/API_FOOTBALL/fixtures_round",
    "Competition/API_FOOTBALL/predictions",
    "Entity/Wiki_data/get_entity_id",
    "Social/Open_Collective/get_members",
    "Finance/Commodities/get_commodity_price",
    "Finance/Global_Ethereum_Price_Index/get_all_ticker_data",
    "Finance/USStockNews/get_market_news_and_sentiment",
    "Finance/Yelp/yelp_phone_search",
}
# What is left to be given.
GAPS = {
    ("Location/Geodatabase/get_place_details", "elevation above sea-level"),  # no package has it
    ("Food/spoonacular_ingredient/get_ingredient_information", "its image"),
    ("Food/spoonacular_products/get_product_information", "ingredients"),
    ("Food/spoonacular_recipes_info/get_recipe_information", "allergen information"),
    *((f"Weather/weatherapi/{each}", "astronomy data") for each in ("forecast", "history", "marine")),
}
_LIST = re.compile(
    r"(?:[Ii]nclud(?:es|ing)|such as|[Cc]ontains?|information for|Query|paper's|has their|Get the|days\.|\() ?"
    r"((?:[\w'/%-]+ ?){1,6}(?:,? (?:and|or) |, )(?:[\w'/%-]+(?: |, )?)+)"
)
_CLOSING = re.compile(r"etc\b|so on|more\b|to then")


def paths(schema: Schema, path: str = "", null: bool = False) -> Iterator[tuple[str, bool]]:
    """Every path of a result, and whether its value may be null."""
    if "anyOf" in schema:
        options = [each for each in schema["anyOf"] if each.get("type") != "null"]
        for option in options:
            yield from paths(option, path, null or len(options) < len(schema["anyOf"]))
        return
    if path:
        yield path, null
    for name, part in schema.get("properties", {}).items():
        yield from paths(part, f"{path}.{name}".lstrip("."))
    for key, step in (("items", "[]"), ("additionalProperties", ".*")):
        if isinstance(schema.get(key), dict):
            yield from paths(schema[key], f"{path}{step}".lstrip("."))


def stems(text: str) -> set[str]:
    """Words by their first letters: hourly and hours, nutrition and nutrients are one."""
    words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+", text)
    return {word.lower().removesuffix("s")[:4] for word in words}


def words(text: str) -> str:
    """The words of a text or name, in small letters."""
    return " ".join(re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text).lower()))


@pytest.fixture(scope="module")
def descriptions(shared: Path) -> dict[str, str]:
    documents = resolve_documents(shared / "data/tooleyes/Tool_Library")
    return {each.id: str(each.document["description"]) for each in documents}


def test_declared_promises_are_in_the_result_and_in_the_description(descriptions: dict[str, str]) -> None:
    for tool in library().values():
        known = {path for path, _ in paths(tool.document.result)}
        for word, path in tool.facts.promises.items():
            assert path in known, f"{tool.id} has no {path}"
            assert words(word) in words(descriptions[tool.id]), (
                f"{word} is not in the description of {tool.id}"
            )


def test_a_field_that_the_description_names_is_never_null(descriptions: dict[str, str]) -> None:
    for tool in library().values():
        told = f" {words(descriptions[tool.id])} ".replace("s ", " ")
        promised = set(tool.facts.promises.values())
        for path, null in paths(tool.document.result):
            name = f" {words(path.rpartition('.')[2])} ".replace("s ", " ")
            if null and name in told and tool.id not in MAY_BE_NULL:
                assert path in promised, f"{tool.id}: the description gives {path}, and it may be null"


def test_what_a_description_lists_is_a_field_of_the_result(descriptions: dict[str, str]) -> None:
    missing = set()
    for tool in library().values():
        given = set().union(*(stems(path) for path, _ in paths(tool.document.result)))
        named = tuple(map(words, tool.facts.promises))
        for found in _LIST.finditer("" if tool.id in NOT_ABOUT_RESULTS else descriptions[tool.id]):
            for term in re.split(r",? (?:and|or) |, ", found[1].strip(" ,")):
                stands_in = any(word in words(term) for word in named)
                if not (stands_in or _CLOSING.match(term) or stems(term) & given):
                    missing.add((tool.id, term))
    assert sorted(missing - GAPS) == []
    assert sorted(GAPS - missing) == [], "given by now"
