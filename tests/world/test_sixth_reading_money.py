"""What a sixth reading of shares, coins, funds, apps and collectives found; each test holds a class of it."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from toolyard.world import World, call


def said(tool: str, seed: int = 0, **arguments: Any) -> Any:
    observation = call(World.fresh(seed), tool, arguments)
    assert observation.error is None, observation.text
    return observation.value


def refused(tool: str, **arguments: Any) -> str:
    observation = call(World.fresh(0), tool, arguments)
    assert observation.error in ("not_found", "out_of_range"), observation.text
    return str(observation.text)


def test_the_page_of_a_real_app_says_only_what_is_on_record() -> None:
    page = said("Product/Apple_Product/apple_product_search", product_id=570060128, history=True)
    assert (page["age_rating"], page["version_history"]) == ("4+", [])
    assert "current_version" not in page
    chess = said("Product/Apple_Product/apple_app_store_search", term="chess", num=20)
    assert {row["title"] for row in chess["items"]} == {"Chess"}
    page = said("Product/Apple_Product/apple_product_search", product_id=chess["items"][0]["product_id"])
    assert {"rating_count", "size_mb", "age_rating"}.isdisjoint(page)


def test_a_fund_has_no_value_before_its_first_day() -> None:
    tool = "Finance/Latest_Mutual_Fund_NAV/fetch_historical_nav"
    names = [row["SchemeName"] for row in said(tool, date="2020-03-23", MutualFundFamily="SBI Mutual Fund")]
    assert names and not any("Series 42" in name for name in names)
    assert "2021-05-04" in refused(tool, date="2020-03-23", SchemeName="Series 42")
    for day in ("2011-07-01", "2030-07-01"):
        assert "from 2013-01-01" in refused(tool, date=day)


@pytest.mark.parametrize(
    ("symbol", "day", "since"),
    [
        ("TSLA", "2010-03-03", "2010-06-29"),
        ("META", "2011-07-01", "2012-05-18"),
        ("ORLY", "2019-06-03", "2023-05-01"),
    ],
)
def test_prices_are_told_as_far_as_they_are_on_record(symbol: str, day: str, since: str) -> None:
    assert since in refused("Stock/Stock/get_daily_prices", symbol=symbol, date=day)


@pytest.mark.parametrize(
    ("symbol", "day", "close"), [("AAPL", "2012-12-31", 19.01), ("JPM", "2011-12-30", 33.25)]
)
def test_years_before_2014_close_where_they_did(symbol: str, day: str, close: float) -> None:
    for seed in (0, 5):
        assert said("Stock/Stock/get_daily_prices", seed, symbol=symbol, date=day)["close"] == close


def test_news_overnight_is_in_the_opening_price() -> None:
    bar = said("Stock/Stock/get_daily_prices", symbol="META", date="2022-02-03")
    assert bar["high"] < 260


def test_shares_too_young_for_an_indicator_or_a_beta() -> None:
    young = {"symbol": "RDDT", "interval": "monthly", "indicator_symbol": "RSI"}
    assert "daily" in refused("Finance/Technical_Indicators/get_technical_indicator_of_ticker", **young)
    assert said("Finance/Yahoo_Finance_stock/get_statistics", symbol="GEV")["beta"] is None


def test_a_short_word_is_the_beginning_of_tickers() -> None:
    tool = "Finance/USStockRealTime/get_stock_symbol_search_endpoint"
    rows = said(tool, keywords="BA")
    assert [row["symbol"] for row in rows[:3]] == ["BA", "BAC", "BABA"]


@pytest.mark.parametrize("typed", ["pizz", "cof", "gold"])
def test_suggested_businesses_begin_with_what_was_typed(typed: str) -> None:
    rows = said("Finance/Yelp/yelp_autocomplete", text=typed, location="Chicago")["businesses"]
    assert all(any(word.startswith(typed) for word in row["name"].lower().split()) for row in rows)


@pytest.mark.parametrize("collective", ["babel", "vuejs", "curl"])
def test_nobody_real_is_paid(collective: str) -> None:
    members = said("Social/Open_Collective/get_members", collectiveSlug=collective, limit=50)["items"]
    real = {member["slug"] for member in members if member["role"] == "ADMIN"}
    spent = said("Social/Open_Collective/get_transactions", collectiveSlug=collective, type="DEBIT", limit=50)
    assert real and real.isdisjoint(row["counterparty"] for row in spent["items"])


@pytest.mark.parametrize("collective", ["riverbank-repair-cafe", "harbour-code-club"])
def test_events_last_as_long_as_their_names_say(collective: str) -> None:
    rows = said("Social/Open_Collective/list_events", collectiveSlug=collective, limit=50)["items"]
    for row in rows:
        event = said(
            "Social/Open_Collective/get_event_info", collectiveSlug=collective, eventSlug=row["slug"]
        )
        first, last = (date.fromisoformat(event[key]) for key in ("starts", "ends"))
        assert (last - first).days == ("Weekend" in event["name"])
        assert ("took place" in event["description"]) == (last < date(2024, 5, 15))


def test_what_exchanges_hold_is_the_same_in_every_world() -> None:
    tool = "Finance/CoinMarketCap/get_exchange_assets"
    for number in (270, 89, 24):
        held = [said(tool, seed, id=number)["assets"][0] for seed in (0, 3)]
        assert held[0]["balance"] == held[1]["balance"] < 1e6
        assert held[0]["symbol"] == "BTC"


def test_coins_have_the_rank_of_their_value() -> None:
    rows = said("Finance/CoinMarketCap/get_cryptocurrency_quotes_latest_v2", symbol=["FET", "KAS", "LUNA"])
    by_value = sorted(rows, key=lambda row: -row["quote_usd"]["market_cap"])
    assert by_value == sorted(rows, key=lambda row: row["extra"]["cmc_rank"])
    assert max(row["extra"]["cmc_rank"] for row in rows) < 130


@pytest.mark.parametrize(
    ("code", "day", "low", "high"),
    [("RUB", "2022-03-10", 90, 130), ("EGP", "2024-04-20", 46, 50), ("NGN", "2023-03-20", 440, 480)],
)
def test_currencies_fell_when_they_did(code: str, day: str, low: float, high: float) -> None:
    asked = {"from_currency": "USD", "to_currency": code, "amount": 1, "date": day}
    for seed in (0, 4):
        assert low < said("Finance/Currency_Converter/historical_currency_data", seed, **asked)["rate"] < high


def test_only_paris_is_french() -> None:
    rows = said("Finance/Yahoo_Finance_market/get_trending_tickers", region="FR")
    assert {row["symbol"].rpartition(".")[2] for row in rows} == {"PA"}


@pytest.mark.parametrize("food", ["bananas", "broccoli", "spinach"])
def test_fresh_food_costs_what_food_costs(food: str) -> None:
    rows = said("Product/Walmart/walmart_search", query=food)["items"]
    assert rows and all(row["price"]["amount"] < 7 and "Compact" not in row["title"] for row in rows)


@pytest.mark.parametrize(("title", "least"), [("Airline Pilot", 110_000), ("Cardiologist", 200_000)])
def test_well_paid_titles_are_well_paid(title: str, least: int) -> None:
    rows = said("Job/job_search/get_salary_estimation", job_title=title, location="Atlanta")
    assert all(row["median_salary"] > least for row in rows)
