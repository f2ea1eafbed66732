"""What a seventh reading of shares, jobs, shops, entities and texts found; each test holds a class of it."""

from __future__ import annotations

from typing import Any

import pytest

from toolyard.world import World, call


def said(tool: str, seed: int = 0, **arguments: Any) -> Any:
    observation = call(World.fresh(seed), tool, arguments)
    assert observation.error is None, observation.text
    return observation.value


def refused(tool: str, kind: str, **arguments: Any) -> str:
    observation = call(World.fresh(0), tool, arguments)
    assert observation.error == kind, observation.text
    return str(observation.text)


@pytest.mark.parametrize(
    "tool",
    [
        "Finance/USStockRealTime/get_stock_time_series_monthly",
        "Finance/USStockRealTime/get_stock_quote_endpoint",
        "Finance/Yahoo_Finance_stock/get_historical_data",
        "Finance/Yahoo_Finance_stock/get_statistics",
        "Finance/Yahoo_Finance_stock/get_options",
    ],
)
@pytest.mark.parametrize("symbol", ["WING", "SNEX"])
def test_no_price_is_told_where_none_is_on_record(tool: str, symbol: str) -> None:
    assert f"({symbol}) is on record" in refused(tool, "not_found", symbol=symbol)


def test_a_company_without_a_price_is_still_found() -> None:
    assert said("Finance/Yahoo_Finance_stock/get_profile", symbol="WING")["company"] == "Wingstop Inc."
    found = said("Finance/USStockRealTime/get_stock_symbol_search_endpoint", keywords="Wingstop")
    assert [row["symbol"] for row in found] == ["WING"]


@pytest.mark.parametrize(
    ("symbol", "day", "close"),
    [("GME", "2021-01-27", 86.88), ("MSFT", "2012-03-03", 32.08), ("NVDA", "2024-02-16", 726.13)],
)
def test_days_that_are_remembered_close_where_they_did(symbol: str, day: str, close: float) -> None:
    for seed in (0, 5):
        assert said("Stock/Stock/get_daily_prices", seed, symbol=symbol, date=day)["close"] == close


def test_london_rests_on_its_bank_holidays() -> None:
    rows = said("Finance/Yahoo_Finance_stock/get_historical_data", symbol="^FTSE", region="GB")["prices"]
    closes = {row["date"]: row["close"] for row in rows}
    assert len(rows) == 45 and closes["2024-05-09"] == 8381.35
    assert {"2024-04-01", "2024-05-06"}.isdisjoint(closes)


def test_the_index_and_funds_on_it_move_as_they_did() -> None:
    chart = said("Finance/Yahoo_Finance_market/get_spark", symbols=["^GSPC"], interval="1wk", range="3mo")[0]
    weeks = dict(zip(chart["times"], chart["closes"], strict=True))
    assert (weeks["2024-02-16"], weeks["2024-02-23"]) == (5005.57, 5088.8)
    rows = said("Finance/Yahoo_Finance_stock/get_historical_data", symbol="VOO")["prices"]
    closes = {row["date"]: row["close"] for row in rows}
    assert -0.018 < closes["2024-04-30"] / closes["2024-04-29"] - 1 < -0.013


@pytest.mark.parametrize("name", ["Elizabeth II", "Charles III", "Cleopatra", "Catherine the Great"])
def test_kings_and_queens_are_no_politicians(name: str) -> None:
    number = said("Entity/Wiki_data/get_entity_id", input=name)[0]["entity_id"]
    found = said("Entity/Wiki_data/find_entity", input=number)["statements"]
    assert [row["value"] for row in found if row["relation"] == "occupation"] == ["monarch"]


@pytest.mark.parametrize("name", ["Jimmy Carter", "Maggie Smith", "Mario Vargas Llosa", "Jane Goodall"])
def test_nobody_has_died_after_the_day_of_the_world(name: str) -> None:
    number = said("Entity/Wiki_data/get_entity_id", input=name)[0]["entity_id"]
    told = {row["relation"] for row in said("Entity/Wiki_data/find_entity", input=number)["statements"]}
    assert "date of birth" in told and "date of death" not in told


def test_no_website_is_made_up_for_a_real_company() -> None:
    assert ".example" not in str(said("Entity/Wiki_data/find_entity", input="Q312"))


def test_a_title_with_a_word_that_no_title_has_is_no_job() -> None:
    tool = "Job/job_search/get_salary_estimation"
    assert "Astronaut wizard" in refused(tool, "not_found", job_title="Astronaut wizard", location="Paris")
    assert said(tool, job_title="Astronaut", location="Houston")[0]["median_salary"] > 100_000
    assert said(tool, job_title="Senior Pastry Chef", location="Lyon")


def test_a_category_that_no_job_has_is_refused() -> None:
    told = refused("Job/the_muse/search_jobs", "not_found", category=["Dragon Taming"])
    assert "Data Science" in told
    assert said("Job/the_muse/search_jobs", category=["Data Science"])["total"]


def test_a_lowest_price_above_the_highest_is_refused() -> None:
    asked = {"query": "coffee", "min_price": 50, "max_price": 10}
    assert "max_price" in refused("Product/Walmart/walmart_search", "invalid_value", **asked)


@pytest.mark.parametrize("seed", range(4))
def test_other_spellings_of_a_company_have_its_key(seed: int) -> None:
    asked = {"process": "keysonly", "category": "company"}
    rows = said("Database/non_local/company_name_match", seed, **asked)["keys"]
    first = {row["similarity_key"] for row in rows[:14]}
    assert {row["similarity_key"] for row in rows[14:]} <= first
    people = said("Database/non_local/company_name_match", seed, process="keysonly", category="individual")
    assert " ," not in str(people["keys"])


def test_parts_of_well_known_domains_are_well_known() -> None:
    hosts = ["maps.google.com", "en.wikipedia.org", "toyota.co.jp"]
    for seed in range(3):
        ranks = {row["domain"]: row["page_rank"] for row in said("URL/URL/paper_rank", seed, domains=hosts)}
        assert ranks["maps.google.com"] > 6 and ranks["en.wikipedia.org"] > 6 and ranks["toyota.co.jp"] > 4.7
    assert said("URL/URL/paper_rank", domains=["google.com"])[0]["rank"] == 1


def test_apps_of_one_maker_name_each_other() -> None:
    asked = {"more_by_this_developer": True, "also_like": True}
    pages = [
        said("Product/Apple_Product/apple_product_search", product_id=number, **asked)
        for number in (284882215, 389801252)
    ]
    facebook, instagram = ({app["title"] for app in page["more_by_this_developer"]} for page in pages)
    assert {"Instagram", "WhatsApp"} <= facebook and {"Facebook", "WhatsApp"} <= instagram
    assert all(page["you_may_also_like"] for page in pages)


def test_moods_that_are_denied_or_said_of_prices_are_heard() -> None:
    tool = "NLP/NLP/sentiment_analysis"
    denied = said(tool, txt="I don't think this phone is bad at all.")
    assert denied["score"] > 0 and denied["positive_words"] == ["not bad"]
    dear = said(tool, txt="The café was overpriced and slow.")
    assert dear["score"] < 0 and dear["negative_words"] == ["overpriced", "slow"]
    assert said(tool, txt="I don't think so. The hotel was bad.")["score"] < 0
