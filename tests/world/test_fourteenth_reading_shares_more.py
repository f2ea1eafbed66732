"""What readers of the tools about shares found in further rounds: beginnings of tickers, leaps, second classes."""

from __future__ import annotations

from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.state import World

TIMES, NEWS = "Finance/USStockRealTime", "Finance/USStockNews"
YAHOO, MARKET = "Finance/Yahoo_Finance_stock", "Finance/Yahoo_Finance_market"


def said(name: str, **arguments: Any) -> Any:
    observation = call(World.fresh(), name, arguments)
    assert observation.error is None, observation.text
    return observation.value


def test_beginnings_of_tickers_come_first() -> None:
    for tool, q, first in (
        (YAHOO, "goo", ["GOOGL", "GOOG"]),
        (YAHOO, "ge", ["GE", "GEV", "GEHC"]),
        (MARKET, "bit", ["BIT", "BITO", "BTC-USD"]),
    ):
        assert [row["symbol"] for row in said(f"{tool}/get_autocomplete", q=q)][: len(first)] == first


def test_words_that_a_name_begins_with_come_first() -> None:
    found = [row["symbol"] for row in said(f"{YAHOO}/get_autocomplete", q="Bank of")]
    assert found[:4] == ["BAC", "BMO", "BNS", "BK"] and "HDB" not in found


def test_the_second_class_of_alphabet_closes_where_it_closed() -> None:
    quote = said(f"{TIMES}/get_stock_quote_endpoint", symbol="GOOG")
    assert (quote["price"], quote["previous_close"]) == (171.93, 170.9)


@pytest.mark.parametrize(
    ("ticker", "title"),
    [
        ("IBM", "International Business Machines Corporation shares fall 8.3%"),
        ("NFLX", "Netflix, Inc. shares fall 9.1%"),
    ],
)
def test_no_leap_of_a_share_that_is_asked_for_is_left_out(ticker: str, title: str) -> None:
    rows = said(
        f"{NEWS}/get_market_news_and_sentiment",
        tickers=[ticker],
        time_from="2024-04-15",
        time_to="2024-04-30",
    )
    assert title in [row["title"] for row in rows["articles"]]


def test_days_of_reports_at_home_hold_in_new_york() -> None:
    rows = said("Finance/USStockInfo/get_earnings_calender", symbol="SAP", horizon="6month")
    assert [row["report_date"] for row in rows] == ["2024-07-22", "2024-10-21"]
    assert said("Finance/USStockInfo/get_earnings_calender", symbol="BABA")[0]["report_date"] == "2024-08-08"


@pytest.mark.parametrize(
    ("q", "later"), [("xl axiata", "XLSMART"), ("neurobo", "MetaVia"), ("fanhua", "AIFU")]
)
def test_names_of_later_years_are_not_told(q: str, later: str) -> None:
    rows = said(f"{YAHOO}/get_autocomplete", q=q)
    assert rows and not any(later in row["name"] for row in rows)
    assert not said(f"{YAHOO}/get_autocomplete", q=later)


def test_prices_before_a_reverse_split_are_told_in_shares_of_today_or_not_at_all() -> None:
    rows = said(f"{TIMES}/get_stock_time_series_monthly", symbol="AMC")["rows"]
    assert (
        rows[-1]["date"] == "2023-05-31" and {row["date"]: row["close"] for row in rows}["2023-07-31"] == 49.7
    )
    refused = call(World.fresh(), "Stock/Stock/get_daily_prices", {"symbol": "AMC", "date": "2021-06-02"})
    assert refused.error == "out_of_range" and "2023-05-31" in refused.text
    assert said(f"{TIMES}/get_stock_quote_endpoint", symbol="CART")["price"] > 30


@pytest.mark.parametrize(
    ("ticker", "sales", "margin"), [("LULU", 9619, 0.1611), ("RIVN", 4434, -1.2251), ("ABT", 40109, 0.1427)]
)
def test_sales_of_further_companies(ticker: str, sales: int, margin: float) -> None:
    found = said("Finance/USStockInfo/get_company_overview", symbol=ticker)
    assert (found["revenue_millions"], found["profit_margin"]) == (sales, margin)
