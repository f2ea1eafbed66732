"""Prices of shares, funds and coins: one source for ranges and series, and days that are over."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.price_tables import known_days
from toolyard.world.state import World

YAHOO, MARKET = "Finance/Yahoo_Finance_stock", "Finance/Yahoo_Finance_market"
TIMES, INFO, NEWS = "Finance/USStockRealTime", "Finance/USStockInfo", "Finance/USStockNews"


def said(name: str, seed: int = 0, **arguments: Any) -> Any:
    observation = call(World.fresh(seed), name, arguments)
    assert observation.error is None, observation.text
    return json.loads(observation.text)


def refused(name: str, **arguments: Any) -> str:
    observation = call(World.fresh(), name, arguments)
    assert observation.error is not None, observation.text
    return observation.text


@pytest.mark.parametrize("seed", [0, 5])
@pytest.mark.parametrize(
    ("symbol", "low", "high"),
    [("KO", 51.55, 64.99), ("F", 9.63, 15.42), ("NVDA", 283.0, 974.0), ("NKE", 88.66, 123.39)],
)
def test_yearly_ranges_are_those_of_the_series(seed: int, symbol: str, low: float, high: float) -> None:
    overview = said(f"{INFO}/get_company_overview", seed, symbol=symbol)
    assert [overview["fifty_two_week_low"], overview["fifty_two_week_high"]] == [low, high]
    assert said(f"{YAHOO}/get_summary", seed, symbol=symbol)["fifty_two_week_range"] == [low, high]
    weeks = said(f"{TIMES}/get_stock_time_series_weekly", seed, symbol=symbol)["rows"]
    assert low <= min(row["close"] for row in weeks) and max(row["close"] for row in weeks) <= high


def test_coins_have_true_closes_and_no_row_for_today() -> None:
    rows = said(f"{YAHOO}/get_historical_data", symbol="BTC-USD")["prices"]
    closes = {row["date"]: row["close"] for row in rows}
    assert rows[0]["date"] == "2024-05-14"
    assert round(closes["2024-04-22"]) == 66838 and round(closes["2024-05-03"]) == 62890
    assert abs(said(f"{YAHOO}/get_summary", symbol="BTC-USD")["change_percent"]) < 3


def test_days_that_are_known_whole() -> None:
    bar = said("Stock/Stock/get_daily_prices", symbol="MSFT", date="2024-04-25")
    assert (bar["open"], bar["low"]) == (394.03, 388.03)
    for days in known_days().values():
        assert all(day.low <= day.open <= day.high for day in days.values())


def test_quarters_and_targets_are_not_by_one_rule() -> None:
    pepsi = said(f"{YAHOO}/get_analysis", symbol="PEP")
    ends = [row["period_end"] for row in pepsi["estimates"]]
    assert ends == ["2024-06-15", "2024-09-07", "2024-12-28", "2025-03-22"]


def test_funds_are_valued_once_a_day_and_the_east_has_closed() -> None:
    tokyo = said(f"{MARKET}/get_quotes", symbols=["^N225"])[0]
    assert (tokyo["price"], tokyo["market_time"]) == (38385.73, "2024-05-15")
    assert said(f"{MARKET}/get_quotes", symbols=["^HSI"])[0]["market_time"] == "2024-05-14"


def test_companies_are_at_home_where_they_are() -> None:
    assert said(f"{YAHOO}/get_profile", symbol="GSK")["country"] == "United Kingdom"
    assert said(f"{YAHOO}/get_profile", symbol="AMAT")["industry"] == "Semiconductor Equipment"
    assert all(".HK" not in row["symbol"] for row in said(f"{YAHOO}/get_recommendations", symbol="V"))
    german = next(row for row in said(f"{MARKET}/get_tickers_by_quote_type", region="DE"))
    assert german["symbols"][0] == "SAP.DE"


def test_what_moved_and_what_was_reported() -> None:
    assert said(f"{MARKET}/get_trending_tickers")[0]["symbol"] == "GME"
    stories = said(f"{NEWS}/get_market_news_and_sentiment", tickers=["AAPL"], topics=["earnings"])["articles"]
    assert any("earns 1.53 a share" in story["title"] for story in stories)


def test_indian_schemes_of_many_categories() -> None:
    kinds = said("Finance/Latest_Mutual_Fund_NAV/fetch_scheme_categories_by_scheme_type")[0]["categories"]
    assert {"Equity Scheme - ELSS", "Equity Scheme - Flexi Cap Fund", "Debt Scheme - Gilt Fund"} <= set(kinds)
    for kind in kinds:
        assert said(
            "Finance/Latest_Mutual_Fund_NAV/fetch_historical_nav", date="2023-06-30", SchemeCategory=kind
        )


def test_what_cannot_be_is_refused() -> None:
    assert "2023-05-01" in refused(f"{MARKET}/get_earnings", start_date="2020-01-01", end_date="2020-02-01")
    assert "today" in refused(f"{NEWS}/get_market_news_and_sentiment", time_from="2030-01-01")
    assert "keywords" in refused(f"{TIMES}/get_stock_symbol_search_endpoint", keywords="")
    assert "volume" in refused(
        "Finance/Technical_Indicators/get_technical_indicator_of_ticker",
        indicator_symbol="OBV",
        symbol="VFIAX",
    )
    assert "New York" in refused(f"{YAHOO}/get_options", symbol="SAP.DE")
