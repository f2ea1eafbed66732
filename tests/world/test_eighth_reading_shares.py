"""What a strict reader found in shares, funds, collectives and boards, one test per class."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.state import World


def ask(name: str, **arguments: Any) -> Any:
    found = call(World.fresh(seed=0), name, arguments)
    assert found.error is None, found.text
    return json.loads(found.text)


def refused(name: str, **arguments: Any) -> str:
    found = call(World.fresh(seed=0), name, arguments)
    assert found.error is not None, found.text
    return found.text


def closes(symbol: str) -> dict[str, float]:
    rows = ask("Finance/Yahoo_Finance_stock/get_historical_data", symbol=symbol)["prices"]
    return {row["date"]: row["close"] for row in rows}


def test_closes_are_those_of_the_day() -> None:
    chart = ask(
        "Finance/Yahoo_Finance_market/get_spark", symbols=["^GSPC", "NVDA"], interval="1wk", range="6mo"
    )
    index, share = (dict(zip(one["times"], one["closes"], strict=True)) for one in chart)
    assert (index["2023-11-17"], index["2024-02-16"]) == (4514.02, 5005.57)
    assert (share["2023-12-15"], share["2024-03-01"]) == (488.90, 822.79)
    chart = ask("Finance/Yahoo_Finance_market/get_spark", symbols=["^FTSE"], interval="1mo", range="5y")[0]
    assert dict(zip(chart["times"], chart["closes"], strict=True))["2020-03-31"] == 5671.96
    assert ask("Stock/Stock/get_daily_prices", symbol="AAPL", date="2016-06-30")["close"] == 23.9


@pytest.mark.parametrize("seed", [0, 1])
def test_funds_move_with_their_index(seed: int) -> None:
    symbols = ["^GSPC", "VOO", "^DJI", "DIA", "^RUT", "IWM", "QQQ", "QQQM", "TQQQ"]
    found = call(World.fresh(seed), "Finance/Yahoo_Finance_market/get_quotes", {"symbols": symbols})
    moved = {row["symbol"]: row["change_percent"] for row in json.loads(found.text)}
    for index, fund in (("^GSPC", "VOO"), ("^DJI", "DIA"), ("^RUT", "IWM"), ("QQQ", "QQQM")):
        assert abs(moved[index] - moved[fund]) < 0.05
    assert 2.5 < moved["TQQQ"] / moved["QQQ"] < 3.5


def test_exchanges_keep_their_holidays_and_hours() -> None:
    for symbol, day in (("^HSI", "2024-05-01"), ("^FTSE", "2024-05-06"), ("RELIANCE.NS", "2024-04-17")):
        assert day not in closes(symbol), symbol
    chart = ask("Finance/Yahoo_Finance_market/get_spark", symbols=["^N225"], interval="15m", range="1d")[0]
    clocks = [time[11:] for time in chart["times"]]
    assert clocks[-1] == "15:00" and not any("11:30" < clock <= "12:30" for clock in clocks)
    assert "US exchange" in refused(
        "Finance/USStockRealTime/get_stock_time_series_intraday", symbol="7203.T", interval="5min"
    )


def test_schemes_follow_the_indian_market() -> None:
    names = {"date": "2022-01-26", "SchemeName": "UTI Nifty 50 Index Fund"}
    early = ask("Finance/Latest_Mutual_Fund_NAV/fetch_historical_nav", **names)[0]
    late = ask("Finance/Latest_Mutual_Fund_NAV/fetch_historical_nav", **{**names, "date": "2024-05-14"})[0]
    assert early["Date"] == "2022-01-25" and 0.72 < early["NAV"] / late["NAV"] < 0.79


def test_earnings_are_compared_with_what_was_expected_of_them() -> None:
    quarters = ask("Finance/USStockInfo/get_earnings", symbol="F")["quarterly_earnings"]
    assert (quarters[1]["reported_eps"], quarters[1]["estimated_eps"]) == (0.29, 0.13)
    assert len(ask("Finance/USStockInfo/get_earnings", symbol="SBUX")["quarterly_earnings"]) == 4
    week = ask(
        "Finance/Yahoo_Finance_market/get_earnings", start_date="2024-01-22", end_date="2024-01-26", size=30
    )
    assert {"JNJ", "TSLA", "T", "AXP"} <= {row["ticker"] for row in week["items"]}


def test_liabilities_leave_out_what_others_own() -> None:
    years = ask("Finance/Yahoo_Finance_stock/get_balance_sheet", symbol="KO")["annual"]
    assert [year["total_liabilities"] for year in years] == [70223, 66937, 69494]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        (
            "Finance/USStockNews/get_market_news_and_sentiment",
            {"time_from": "2024-05-01", "time_to": "2024-04-01"},
        ),
        ("Social/Open_Collective/list_events", {"collectiveSlug": "babel"}),
        ("Finance/Yahoo_Finance_stock/get_holders", {"symbol": "SHEL"}),
    ],
)
def test_what_is_not_on_record_is_refused(name: str, arguments: dict[str, Any]) -> None:
    refused(name, **arguments)


def test_listings_are_told_for_days_on_record() -> None:
    for day, told in (("2030-01-01", "2024-05-15"), ("1950-01-01", "2010-01-01")):
        found = ask("Finance/USStockInfo/get_listing_and_delisting_status", date=day)
        assert found["as_of"] == told
    assert "META" not in {row["symbol"] for row in found["active"]}


def test_collectives_have_sums_of_the_right_order() -> None:
    for slug, least in (("babel", 1_000_000), ("vuejs", 500_000), ("eslint", 600_000)):
        info = ask("Social/Open_Collective/get_collective_info", collectiveSlug=slug)
        assert info["total_raised"] > least and info["backersCount"] > 300, slug
        assert 0 < info["balance"] < info["total_raised"] / 5


def test_famous_holders_are_named() -> None:
    assert len(ask("Finance/Yahoo_Finance_stock/get_recommendations", symbol="NEE")) == 5
    largest = ask("Finance/Yahoo_Finance_stock/get_holders", symbol="KO")["largest"][0]
    assert (largest["organization"], largest["percent"]) == ("Berkshire Hathaway", 9.28)
