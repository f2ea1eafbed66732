"""Shares, funds, coins and the economy: what is on record, as it was known in May 2024."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.shared.statements import earnings_reported, last_year, statements
from toolyard.world.state import World

YAHOO, TIMES, INFO = "Finance/Yahoo_Finance_stock", "Finance/USStockRealTime", "Finance/USStockInfo"
COINS, ECONOMY = "Finance/CoinMarketCap", "Finance/Economic_Indicators"


def said(name: str, seed: int = 0, **arguments: Any) -> Any:
    observation = call(World.fresh(seed), name, arguments)
    assert observation.error is None, observation.text
    return json.loads(observation.text)


def refused(name: str, **arguments: Any) -> str:
    observation = call(World.fresh(), name, arguments)
    assert observation.error is not None, observation.text
    return observation.text


def found(keywords: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = said(f"{TIMES}/get_stock_symbol_search_endpoint", keywords=keywords)
    return rows


@pytest.mark.parametrize(
    ("symbol", "earned"),
    [("EBAY", [5.19, -2.27, 20.54]), ("SHEL", [5.7, 11.42, 5.14]), ("WFC", [4.83, 3.27, 5.08])],
)
def test_earnings_per_share_are_those_of_their_year(symbol: str, earned: list[float]) -> None:
    assert [row["eps"] for row in said(f"{YAHOO}/get_financials", symbol=symbol)["years"]] == earned
    brief = last_year("UPS")
    assert brief is not None and brief.earnings_per_share == 7.8


def test_every_statement_has_earnings_on_record() -> None:
    for symbol, known in earnings_reported().items():
        if known.years:
            assert len(statements(symbol)) == len(known.years)


def test_search_finds_shares_alone_under_the_symbols_of_then() -> None:
    assert [row["symbol"] for row in found("bank of montreal")] == ["BMO.TO", "BMO"]
    assert [row["symbol"] for row in found("bank of new york")] == ["BK"]
    assert found("latam airlines")[0]["symbol"] == "LTMAY"
    assert {row["symbol"] for row in found("goldman sachs")} == {"GS"}
    assert "GOOG" in {row["symbol"] for row in found("alphabet")}


def test_a_share_without_a_price_names_its_sister() -> None:
    assert "BRK.B" in refused(f"{YAHOO}/get_summary", symbol="BRK-A")


@pytest.mark.parametrize(
    ("symbol", "held"), [("QQQ", "GOOG"), ("SPY", "GOOG"), ("XLC", "GOOG"), ("DIA", "AXP")]
)
def test_the_largest_holdings_leave_none_out(symbol: str, held: str) -> None:
    rows = said(f"{YAHOO}/get_holdings", symbol=symbol)["top_holdings"]
    assert held in [row["symbol"] for row in rows] and len(rows) == 10
    assert [row["percent"] for row in rows] == sorted((row["percent"] for row in rows), reverse=True)


@pytest.mark.parametrize(
    ("symbol", "day", "ends"),
    [
        ("MSFT", "2024-07-23", ["2024-06-30", "2024-09-30"]),
        ("EBAY", "2024-07-24", ["2024-06-30", "2024-09-30"]),
        ("KO", "2024-07-24", ["2024-06-28", "2024-09-27"]),
        ("HD", "2024-08-13", ["2024-07-28", "2024-10-27", "2025-02-02", "2025-05-04"]),
    ],
)
def test_days_not_announced_are_those_of_last_year(symbol: str, day: str, ends: list[str]) -> None:
    rows = said(f"{INFO}/get_earnings_calender", symbol=symbol, horizon="12month")
    assert rows[0]["report_date"] == day
    assert [row["fiscal_date_ending"] for row in rows][: len(ends)] == ends


@pytest.mark.parametrize("seed", [0, 5])
@pytest.mark.parametrize(("home", "abroad"), [("SAP.DE", "SAP"), ("NOVO-B.CO", "NVO"), ("SHEL.L", "SHEL")])
def test_a_share_moves_at_home_as_in_new_york(seed: int, home: str, abroad: str) -> None:
    moves = [said(f"{YAHOO}/get_summary", seed, symbol=symbol)["change_percent"] for symbol in (home, abroad)]
    assert abs(moves[0] - moves[1]) < 0.5


@pytest.mark.parametrize(
    ("symbol", "low", "high"),
    [("USDJPY=X", 135, 160.17), ("7203.T", 1870, 3891), ("NESN.SW", 89, 114.5), ("USDHKD=X", 7.77, 7.85)],
)
def test_ranges_of_currencies_and_of_shares_abroad(symbol: str, low: float, high: float) -> None:
    lowest, highest = said(f"{YAHOO}/get_summary", symbol=symbol)["fifty_two_week_range"]
    assert lowest == pytest.approx(low, rel=0.015) and highest == pytest.approx(high, rel=0.015)
    assert lowest >= 7.75 or symbol != "USDHKD=X"


def test_exchanges_hold_little_of_a_rivals_coin() -> None:
    for number, rank in ((521, 10), (311, 10)):
        assets = said(f"{COINS}/get_exchange_assets", id=number)["assets"]
        assert "BNB" not in [row["symbol"] for row in assets[:rank]]
    poloniex, kucoin = (said(f"{COINS}/get_exchange_assets", id=number) for number in (16, 311))
    assert poloniex["assets"][0]["value_usd"] < kucoin["assets"][0]["value_usd"] / 3


def test_the_product_is_that_known_in_may_2024() -> None:
    heads = said(f"{ECONOMY}/get_us_real_gdp_per_capita")["data"]
    assert heads[0] == {"date": "2024-01-01", "value": 67704.0}
    assert said(f"{ECONOMY}/get_us_real_gdp")["data"][0]["value"] == 22376.9


def test_the_rate_of_banks_is_of_days_on_which_they_lend() -> None:
    days = [row["date"] for row in said(f"{ECONOMY}/get_us_federal_funds_rate", interval="daily")["data"]]
    assert days[0] == "2024-05-13" and "2024-03-29" in days


def test_companies_that_are_gone_since_were_listed_then() -> None:
    assert [found(name)[0]["symbol"] for name in ("walgreens", "discover", "kellanova", "gap")] == [
        "WBA",
        "DFS",
        "K",
        "GPS",
    ]
