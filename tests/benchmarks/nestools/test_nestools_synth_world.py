"""Nested records from the world: they load, their gold executes, and a model may only change the words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NoReturn

import pytest

from toolyard.benchmarks.nestools.data import load
from toolyard.benchmarks.nestools.distractors import distinct, prepare
from toolyard.benchmarks.nestools.synth.similar import distractors, names
from toolyard.benchmarks.nestools.synth.world import document
from toolyard.core.types import Options
from toolyard.run.checking import check_benchmarks
from toolyard.synth.chains.execution import EXECUTION, re_executed
from toolyard.synth.chains.rivals import replaces, rivals
from toolyard.synth.command import Made, SynthWish, synthesise
from toolyard.world.registry import library

ROWS = 14


def make(folder: Path, **wish: object) -> Made:
    return synthesise(SynthWish("nestools", "world", rows=ROWS, seed=7, out=folder, workers=1, **wish))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return make(tmp_path_factory.mktemp("world") / "data")


def records(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "test_data.jsonl").read_text("utf-8").splitlines()]


def test_the_set_has_the_wanted_size_and_passes_check(made: Made) -> None:
    assert made.rows == made.wanted == ROWS
    result = check_benchmarks("nestools", str(made.folder), {})[0]
    assert result.passed, result
    assert "gold executes to its stored results" in {check.name for check in result.checks}
    assert not [finding for finding in result.findings if finding.severity == "defect"]


def test_another_run_gives_the_same_bytes(made: Made, tmp_path: Path) -> None:
    again = make(tmp_path / "again")
    for path in sorted(made.folder.iterdir()):
        assert (again.folder / path.name).read_bytes() == path.read_bytes(), path.name


def test_another_seed_gives_other_records(made: Made, tmp_path: Path) -> None:
    other = synthesise(SynthWish("nestools", "world", rows=ROWS, seed=8, out=tmp_path / "x", workers=1))
    tasks = {record["task"] for record in records(made.folder)}
    assert not tasks & {record["task"] for record in records(other.folder)}


def test_a_changed_result_is_found(made: Made, tmp_path: Path) -> None:
    lines = [json.loads(line) for line in (made.folder / EXECUTION).read_text("utf-8").splitlines()]
    assert re_executed(made.folder).wrong == ()
    name = next(iter(lines[3]["calls"][0]["result"]))
    lines[3]["calls"][0]["result"][name] = "something else"
    (tmp_path / EXECUTION).write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    assert re_executed(tmp_path).wrong == (lines[3]["id"],)


def test_nested_values_are_those_that_were_returned(made: Made) -> None:
    for sample, line in zip(
        load(made.folder, Options()), (made.folder / EXECUTION).read_text("utf-8").splitlines(), strict=True
    ):
        calls = json.loads(line)["calls"]
        produced: dict[str, object] = {}
        for gold, executed in zip(sample.gold["calls"], calls, strict=True):
            tool = next(each for each in sample.input["tools"] if each["api_name"] == gold["api_name"])
            for name, value in gold["parameters"].items():
                wanted = produced[value] if str(value).startswith("API_call_") else value
                assert executed["arguments"][name] == wanted
            values = [executed["result"].get(field) for field in tool["responses"]]
            produced.update(zip(gold["responses"], values, strict=True))


def test_every_tool_of_the_library_has_a_document_in_the_form_of_the_data() -> None:
    names = {document(tool_id)["api_name"] for tool_id in library()}
    assert len(names) == len(library())
    for tool_id in library():
        tool = document(tool_id)
        assert set(tool["required"]) <= set(tool["parameters"])
        assert tool["responses"], tool_id


def test_no_distractor_can_do_the_job_of_a_gold_tool(made: Made) -> None:
    ids = {name: tool_id for tool_id, name in names().items()}
    for sample in load(made.folder, Options()):
        gold = [tool["api_name"] for tool in sample.input["tools"]]
        offered = [tool["api_name"] for tool in sample.input["distractors"]]
        assert len(offered) == len(set(offered)) == 5 * len(gold)
        assert not set(offered) & set(gold)
        for other in offered:
            assert distinct(other, gold), (sample.id, other)
            for needed in gold:
                assert not replaces(ids[other], ids[needed]), (sample.id, other, needed)
                assert not replaces(ids[needed], ids[other]), (sample.id, other, needed)


@pytest.mark.parametrize(
    ("gold", "rival"),
    [
        ("Weather/weatherapi/search", "Location/Geodatabase/find_places"),
        ("Weather/weatherapi/search", "Travel/Hotels_Data/search_city_hotels"),
        ("Finance/Yelp/yelp_phone_search", "Search/EngineSearch/yelp_search"),
        ("Finance/USStockRealTime/get_stock_quote_endpoint", "Finance/Yahoo_Finance_market/get_quotes"),
        (
            "Finance/USStockRealTime/get_stock_time_series_monthly",
            "Finance/Yahoo_Finance_stock/get_historical_data",
        ),
        ("Food/Tasty/list_feeds", "Food/Tasty/get_recipes"),
        (
            "Food/spoonacular_wine_restaurants/wine_pairing",
            "Food/spoonacular_wine_restaurants/wine_recommendation",
        ),
        ("Mail/Mail/send", "Mail/Mail/send_list"),
        ("Mail/Mail/recieve_id", "Mail/Mail/recieve_latest"),
        (
            "Health/FoodData_Central/get_multiple_food_items_by_ids",
            "Health/FoodData_Central/get_food_item_by_id",
        ),
        ("Art/Harvard_art_museum/get_resource_by_id", "Art/Harvard_art_museum/search_resource"),
        ("Anti_Malware/Anti_Malware/check_block_ip", "Anti_Malware/Anti_Malware/check_ip"),
        ("Weather/openweathermap/current_weather", "Weather/weatherapi/forecast"),
        ("Travel/Flight_Data_v2/direction_prices", "Travel/BMTool_Travel/flightProducts"),
        ("Travel/Flight_Data_v2/cheapest_tickets", "Travel/Flight_Data_v1/cheapest_tickets_each_day"),
        ("Stock/Stock/get_daily_prices", "Finance/USStockRealTime/get_stock_time_series_daily"),
        ("Finance/USStockNews/get_special_tickers", "Finance/Yahoo_Finance_market/get_trending_tickers"),
        ("News/news_search/get_news_everything", "Search/EngineSearch/baidu_news_search"),
        ("Stock/Stock/get_today_date", "Calendar/Calendar/current_date"),
    ],
)
def test_a_rival_of_a_gold_tool_is_not_offered(gold: str, rival: str) -> None:
    assert rivals(gold, rival) and rivals(rival, gold)
    assert rival not in distractors([gold])


def test_distractors_are_about_what_the_gold_tool_is_about() -> None:
    found = distractors(["Vehicle/Vehicle/get_vehicle_types"])
    assert len(found) == 5
    assert sum(tool.startswith("Vehicle/") for tool in found) >= 3


def test_a_run_needs_no_embedder_for_a_set_from_the_world(made: Made) -> None:
    def embed(texts: object) -> NoReturn:
        raise AssertionError(texts)

    assert prepare(made.folder, load(made.folder, Options()), embed, 0) == {}


def test_rephrasing_changes_words_and_never_values(tmp_path: Path) -> None:
    async def shouting(messages: list[dict[str, str]]) -> str:
        request = messages[0]["content"].split("----------")[1].strip()
        return f"Please, {request}" if "weather" not in request else "I forgot what you wanted to know."

    made = make(tmp_path / "data", model=shouting)
    assert made.manifest["pipeline"] == "world+model"
    tasks = [str(record["task"]) for record in records(made.folder)]
    assert sum(task.startswith("Please, ") for task in tasks) == ROWS - made.manifest["stages"][-1][
        "repaired"
    ].get("rephrasing_dropped", 0)
    assert not any("I forgot" in task for task in tasks)


def test_a_rewording_about_something_else_is_not_taken(tmp_path: Path) -> None:
    async def dreaming(messages: list[dict[str, str]]) -> str:
        return "Purple bananas sing at dawn, and the sea is quiet again."

    made = make(tmp_path / "data", model=dreaming)
    assert made.manifest["stages"][-1]["repaired"] == {"rephrasing_dropped": ROWS}
    assert not any("bananas" in str(record["task"]) for record in records(made.folder))
