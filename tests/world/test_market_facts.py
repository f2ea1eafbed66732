"""What is said about real companies, prices and the economy is what was so in May 2024."""

from __future__ import annotations

import itertools
from datetime import date
from typing import Any

import pytest

from toolyard.world import World, call
from toolyard.world.market_days import easter, is_trading_day, new_york_holidays, trading_days
from toolyard.world.series import known_prices
from toolyard.world.shared.companies import companies, prices
from toolyard.world.shared.statements import on_record, statements


def ask(tool: str, seed: int = 0, **arguments: Any) -> Any:
    observation = call(World.fresh(seed), tool, arguments)
    assert observation.error is None, observation.text
    return observation.value


def test_markets_rest_on_their_holidays() -> None:
    assert easter(2024) == date(2024, 3, 31)
    assert {date(2024, 3, 29), date(2024, 5, 27), date(2024, 11, 28)} <= new_york_holidays(2024)
    assert not is_trading_day(date(2022, 6, 20))
    assert is_trading_day(date(2024, 7, 4), "elsewhere")
    assert len([day for day in trading_days("new_york") if day.startswith("2023")]) == 250


@pytest.mark.parametrize("seed", [0, 7])
def test_prices_go_through_the_known_closes_and_join_without_being_equal(seed: int) -> None:
    bars = prices(seed, "KO").until(date(2023, 12, 31))
    assert bars[-1]["date"] == "2023-12-29"
    assert bars[-1]["close"] == 58.93
    year = bars[-250:]
    assert all(bar["low"] <= min(bar["open"], bar["close"]) for bar in year)
    assert all(bar["high"] >= max(bar["open"], bar["close"]) for bar in year)
    assert sum(now["open"] == before["close"] for before, now in itertools.pairwise(year)) < 25
    assert max(bar["close"] for bar in year) < 1.35 * min(bar["close"] for bar in year)


def test_volumes_have_the_size_of_the_company() -> None:
    for ticker, low, high in (("AMD", 25e6, 120e6), ("KO", 8e6, 30e6), ("V", 4e6, 16e6), ("JPM", 5e6, 20e6)):
        day = prices(0, ticker).until(date(2024, 5, 14))[-1]
        assert low < day["volume"] < high, ticker


def test_a_day_is_known_when_its_trading_is_over() -> None:
    world = World.fresh()
    quote = {"symbol": "IBM"}
    tool = "Finance/USStockRealTime/get_stock_quote_endpoint"
    assert call(world, tool, quote).value["latest_trading_day"] == "2024-05-14"
    world.advance(13 * 3600)
    assert call(world, tool, quote).value["latest_trading_day"] == "2024-05-15"
    story = ask("Finance/USStockNews/get_market_news_and_sentiment", tickers=["IBM"])["articles"][0]
    assert story["time_published"] < "20240515"


def test_shares_have_no_price_before_they_were_listed() -> None:
    observation = call(
        World.fresh(), "Stock/Stock/get_daily_prices", {"symbol": "UBER", "date": "2018-01-03"}
    )
    assert "2019-05-10" in observation.text
    assert known_prices()["UBER"].listed == date(2019, 5, 10)


def test_statements_are_those_that_were_reported() -> None:
    sheet = ask("Finance/USStockInfo/get_balance_sheet", symbol="ADBE")["annual_reports"][0]
    assert (sheet["fiscal_date_ending"], sheet["total_assets"]) == ("2023-12-01", 29779)
    flow = ask("Finance/USStockInfo/get_cash_flow", symbol="NVDA")["annual_reports"][0]
    assert (flow["fiscal_date_ending"], flow["operating_cashflow"]) == ("2024-01-28", 28090)
    coming = ask("Finance/USStockInfo/get_earnings_calender", symbol="NVDA")[0]
    assert coming["fiscal_date_ending"] == "2024-04-28"
    for company in filter(lambda row: on_record(row["ticker"]), companies()):
        for year in statements(company["ticker"]):
            others = year["total_assets"] - year["total_liabilities"] - year["equity"]
            assert 0 <= others < 0.08 * year["total_assets"], company["ticker"]
            assert year["revenue"] >= year["gross_profit"] >= year["operating_income"] - 500, company[
                "ticker"
            ]


def test_the_heads_of_companies_are_real_or_not_named() -> None:
    names = [who["name"] for who in ask("Finance/Yahoo_Finance_stock/get_profile", symbol="NKE")["officers"]]
    assert names == ["John Donahoe", "Matthew Friend"]
    assert ask("Finance/Yahoo_Finance_stock/get_profile", symbol="PODD")["officers"] == []


def test_companies_listed_later_are_not_found_yet() -> None:
    symbols = [row["symbol"] for row in ask("Finance/Yahoo_Finance_stock/get_autocomplete", q="micro")]
    assert not {"INGM", "AMBQ"} & set(symbols)


def test_the_economy_has_its_published_figures() -> None:
    index = {row["date"]: row["value"] for row in ask("Finance/Economic_Indicators/get_us_cpi")["data"]}
    assert (index["2022-06-01"], index["2024-03-01"]) == (296.311, 312.332)
    assert "2024-04-01" not in index  # published on the day itself, at half past twelve UTC
    jobs = ask("Finance/Economic_Indicators/get_us_unemployment")["data"]
    assert (jobs[0]["date"], jobs[0]["value"]) == ("2024-04-01", 3.9)
    assert {row["date"]: row["value"] for row in jobs}["2020-04-01"] == 14.8
    oil = ask("Finance/Commodities/get_commodity_price", commodity="Crude Oil WTI")["rows"]
    assert {row["date"]: row["value"] for row in oil}["2022-06-01"] == 114.84
    quarters = ask("Finance/Economic_Indicators/get_us_real_gdp", interval="quarterly")["data"]
    whole = sum(row["value"] for row in quarters if row["date"].startswith("2023"))
    assert whole == pytest.approx(22376.9, abs=1)


def test_a_chart_says_how_far_apart_its_points_are() -> None:
    (coin,) = ask("Finance/Yahoo_Finance_market/get_spark", symbols=["ETH-USD"])
    assert coin["interval"] == "15m"
    assert coin["times"][0].endswith("00:15")
    assert coin["times"][-1] == "2024-05-15 09:00"


def test_addresses_have_zip_codes_of_their_city() -> None:
    found = ask("Finance/Yelp/yelp_search", location="Chicago", term="pizza")["items"]
    assert all(" IL 606" in row["address"] for row in found)
    observation = call(World.fresh(), "Finance/Yelp/yelp_all_categories", {"locale": "xx_QQ"})
    assert observation.error == "invalid_value"


def test_earnings_and_dividends_are_those_that_were_reported() -> None:
    quarters = ask("Finance/USStockInfo/get_earnings", symbol="NVDA")["quarterly_earnings"]
    assert (quarters[0]["reported_date"], quarters[0]["reported_eps"]) == ("2024-02-21", 5.16)
    coming = ask("Finance/USStockInfo/get_earnings_calender", symbol="WMT")[0]
    assert coming["report_date"] == "2024-05-16"
    paid = ask("Finance/Yahoo_Finance_stock/get_cash_flow", symbol="F")["years"]
    assert [year["dividends_paid"] for year in paid] == [4995, 2009, 403]
    assert ask("Finance/USStockInfo/get_company_overview", symbol="AAPL")["eps"] == 6.43
    assert ask("Finance/USStockInfo/get_balance_sheet", symbol="AAPL")["quarterly_reports"] == []


def test_expectations_agree_with_each_other() -> None:
    for symbol in ("NVDA", "KO", "MSFT", "CMG"):
        found = ask("Finance/Yahoo_Finance_stock/get_analysis", symbol=symbol)
        price = ask("Finance/Yahoo_Finance_stock/get_summary", symbol=symbol)["price"]
        if found["recommendation"] in ("Buy", "Outperform"):
            assert found["target_mean_price"] > price, symbol
    days = [
        {
            row["date"]
            for row in ask("Finance/Yahoo_Finance_stock/get_insider_transactions", symbol=one)["transactions"]
        }
        for one in ("MSFT", "KO")
    ]
    assert len(days[0] & days[1]) < 4


def test_a_year_of_an_index_is_the_mean_of_its_months() -> None:
    tool = "Finance/Commodities/get_global_price_index_of_all_commodities"
    years = {row["date"][:4]: row["value"] for row in ask(tool, interval="annual")["rows"]}
    months = [row["value"] for row in ask(tool)["rows"] if row["date"].startswith("2022")]
    assert abs(years["2022"] - sum(months) / 12) < 3
    assert "2024" not in years


def test_symbols_are_those_of_2024() -> None:
    found = ask("Finance/Yahoo_Finance_market/get_autocomplete", q="gold")
    assert {"symbol": "GOLD", "name": "Barrick Gold Corporation"}.items() <= found[0].items()


def test_nothing_is_graded_or_listed_on_a_day_without_trading() -> None:
    days = [
        row["date"]
        for row in ask("Finance/Yahoo_Finance_stock/get_upgrades_downgrades", symbol="GOOGL")["history"]
    ]
    days += [row["ipo_date"] for row in ask("Finance/USStockInfo/get_ipo_calendar")]
    assert all(is_trading_day(date.fromisoformat(day)) for day in days)


def test_funds_of_shares_rose_with_the_market() -> None:
    found = ask(
        "Finance/Latest_Mutual_Fund_NAV/fetch_historical_nav",
        date="2020-12-31",
        SchemeName="Axis Midcap Fund - Direct Plan - Growth",
    )
    assert 50 < found[0]["NAV"] < 70


def test_funds_hold_what_they_are_for() -> None:
    assert ask("Finance/Yahoo_Finance_stock/get_holdings", symbol="AGG")["top_holdings"] == []
    largest = ask("Finance/Yahoo_Finance_stock/get_holdings", symbol="QQQ")["top_holdings"][0]
    assert largest["symbol"] == "MSFT"
    quotes = ask("Finance/Yahoo_Finance_market/get_quotes", symbols=["CL=F", "^DJI"])
    assert quotes[0]["price"] == 78.02
    assert quotes[1]["price"] == 39558.11
