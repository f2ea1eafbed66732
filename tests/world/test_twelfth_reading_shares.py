"""Shares, prices and names: what further reading of the tools found."""

from __future__ import annotations

from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.state import World

STOCK = "Finance/Yahoo_Finance_stock/"
MARKET = "Finance/Yahoo_Finance_market/"


@pytest.fixture(scope="module")
def world() -> World:
    return World.fresh(0)


def told(world: World, tool: str, **arguments: Any) -> Any:
    answer = call(world, tool, arguments)
    assert answer.error is None, answer.text
    return answer.value


@pytest.mark.parametrize("symbol", ["GLD", "QQQ", "SLV"])
def test_funds_are_no_companies(world: World, symbol: str) -> None:
    assert call(world, STOCK + "get_statistics", {"symbol": symbol}).error == "not_found"
    assert told(world, MARKET + "get_quotes", symbols=[symbol])[0]["quote_type"] == "ETF"


@pytest.mark.parametrize(
    ("symbol", "day", "close"),
    [
        ("GOOGL", "2014-09-30", 29.42),
        ("META", "2012-08-31", 18.06),
        ("ABNB", "2021-02-26", 206.35),
        ("ARM", "2024-02-09", 115.21),
    ],
)
def test_closes_of_well_known_days(world: World, symbol: str, day: str, close: float) -> None:
    assert told(world, "Stock/Stock/get_daily_prices", symbol=symbol, date=day)["close"] == close


def test_charts_begin_within_their_range(world: World) -> None:
    charts = told(world, MARKET + "get_spark", symbols=["^N225", "NVDA"], interval="1mo", range="5y")
    assert {chart["times"][0] for chart in charts} == {"2019-06-28"}
    [coin] = told(world, MARKET + "get_spark", symbols=["BTC-USD"], interval="1mo", range="1y")
    points = zip(coin["times"], coin["closes"], strict=True)
    assert max(close for day, close in points if day < "2023-10-01") < 32_000


def test_german_companies_report_on_the_days_announced(world: World) -> None:
    items = told(world, MARKET + "get_earnings", region="DE", start_date="2024-07-15", size=20)["items"]
    days = {item["ticker"]: item["report_date"] for item in items}
    assert (days["DBK.DE"], days["VOW3.DE"], days["ALV.DE"]) == ("2024-07-24", "2024-08-01", "2024-08-08")


def test_years_are_told_without_businesses_that_were_given_away(world: World) -> None:
    assert told(world, STOCK + "get_financials", symbol="JNJ")["revenue_growth"] == 0.0646


@pytest.mark.parametrize(
    ("symbol", "sector", "industry"),
    [
        ("EA", "Communication Services", "Electronic Gaming"),
        ("CEG", "Utilities", "Utilities"),
        ("PM", "Consumer Defensive", "Tobacco"),
        ("ADS.DE", "Consumer Cyclical", "Footwear"),
        ("VLO", "Energy", "Oil & Gas Refining"),
    ],
)
def test_industries(world: World, symbol: str, sector: str, industry: str) -> None:
    profile = told(world, STOCK + "get_profile", symbol=symbol)
    assert (profile["sector"], profile["industry"]) == (sector, industry)


def test_rivals_abroad(world: World) -> None:
    rows = told(world, STOCK + "get_recommendations", symbol="ADS.DE")
    assert [row["symbol"] for row in rows][:2] == ["NKE", "PUM.DE"]


def test_names_and_symbols_of_then(world: World) -> None:
    found = told(world, "Finance/USStockRealTime/get_stock_symbol_search_endpoint", keywords="bank of")
    assert "BK" in [row["symbol"] for row in found]
    assert "Bank of Yokohama" not in [row["name"] for row in found]
    profile = told(world, STOCK + "get_profile", symbol="UCBI")
    assert profile["company"] == "United Community Banks, Inc."
    titles = [who["title"] for who in told(world, STOCK + "get_profile", symbol="NFLX")["officers"]]
    assert titles.count("Co-Chief Executive Officer") == 2


def test_where_names_are_at_home(world: World) -> None:
    rows = told(
        world, "Predict/Predict/predict_nationality", names=["Thiago", "Mamadou", "Ayesha", "Konstantinos"]
    )
    assert [row["countries"][0]["country_id"] for row in rows] == ["BR", "SN", "PK", "GR"]
    [age] = told(world, "Predict/Predict/predict_age", names=["Olumide"])
    assert age["age"] >= 30
    men = told(world, "Predict/Predict/predict_gender", names=["Tunde", "Somchai", "Zanele"])
    assert [row["gender"] for row in men] == ["male", "male", "female"]
