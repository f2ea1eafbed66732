"""Shares, prices, commodities and currencies: what answers tell, and no more."""

from __future__ import annotations

from typing import Any

import pytest

from toolyard.world import World, call

TIMES, YAHOO, MARKET = (
    "Finance/USStockRealTime",
    "Finance/Yahoo_Finance_stock",
    "Finance/Yahoo_Finance_market",
)


@pytest.fixture(scope="module")
def world() -> World:
    return World.fresh(0)


def told(world: World, tool: str, **arguments: Any) -> Any:
    answer = call(world, tool, arguments)
    assert answer.error is None, answer.text
    return answer.value


@pytest.mark.parametrize(
    ("tool", "arguments", "place", "keys"),
    [
        (f"{TIMES}/get_stock_time_series_weekly", {"symbol": "KO"}, "rows", {"date", "close"}),
        (f"{TIMES}/get_stock_time_series_monthly", {"symbol": "KO"}, "rows", {"date", "close"}),
        (f"{YAHOO}/get_historical_data", {"symbol": "^FTSE"}, "prices", {"date", "close"}),
        (f"{YAHOO}/get_holders", {"symbol": "JPM"}, "largest", {"organization", "percent"}),
        (f"{YAHOO}/get_analysis", {"symbol": "BA"}, "estimates", {"period_end", "estimated_eps"}),
        (
            f"{TIMES}/get_stock_time_series_intraday",
            {"symbol": "AMD", "interval": "5min"},
            "rows",
            {"time", "close", "volume"},
        ),
        (
            f"{YAHOO}/get_options",
            {"symbol": "AAPL"},
            "puts",
            {"contract", "strike", "last_price", "implied_volatility", "in_the_money"},
        ),
    ],
)
def test_rows_tell_what_can_be_known(
    world: World, tool: str, arguments: dict[str, str], place: str, keys: set[str]
) -> None:
    rows = told(world, tool, **arguments)[place]
    assert rows and all(row.keys() == keys for row in rows)


@pytest.mark.parametrize(
    ("span", "interval", "spacing", "most"),
    [("3mo", "1d", "1wk", 15), ("6mo", "5m", "1wk", 28), ("3mo", "1mo", "1mo", 4), ("1y", "1wk", "1mo", 13),
     ("5y", "1mo", "3mo", 21), ("max", "1d", "1y", 15)],
)  # fmt: skip
def test_long_charts_have_few_points(world: World, span: str, interval: str, spacing: str, most: int) -> None:
    [chart] = told(world, f"{MARKET}/get_spark", symbols=["AAPL"], interval=interval, range=span)
    assert (chart["interval"], chart["range"]) == (spacing, span)
    assert most - 2 <= len(chart["times"]) == len(chart["closes"]) <= most
    assert chart["times"] == sorted(chart["times"]) and chart["times"][-1] == "2024-05-14"


def test_long_charts_go_through_ends_of_quarters_and_years(world: World) -> None:
    [nikkei] = told(world, f"{MARKET}/get_spark", symbols=["^N225"], interval="1mo", range="5y")
    closes = dict(zip(nikkei["times"], nikkei["closes"], strict=True))
    assert closes["2020-03-31"] == 18917.01 and closes["2023-06-30"] == 33189.04
    [coke] = told(world, f"{MARKET}/get_spark", symbols=["KO"], interval="1mo", range="max")
    assert dict(zip(coke["times"], coke["closes"], strict=True))["2021-12-31"] == 59.21


@pytest.mark.parametrize(
    ("symbol", "day", "close"),
    [("^FTSE", "2024-02-16", 7711.71), ("^GDAXI", "2024-02-23", 17419.33), ("^N225", "2024-02-22", 39098.68)],
)
def test_weeks_of_large_indices(world: World, symbol: str, day: str, close: float) -> None:
    [chart] = told(world, f"{MARKET}/get_spark", symbols=[symbol], interval="1wk", range="3mo")
    closes = dict(zip(chart["times"], chart["closes"], strict=True))
    assert closes.get(day, closes.get("2024-02-23")) == close


def test_a_gold_fund_goes_with_gold(world: World) -> None:
    [fund] = told(world, f"{MARKET}/get_spark", symbols=["GLD"], interval="1wk", range="6mo")
    closes = dict(zip(fund["times"], fund["closes"], strict=True))
    assert closes["2024-01-19"] == pytest.approx(188, rel=0.01)


def test_oil_at_ends_of_months(world: World) -> None:
    charts = told(world, f"{MARKET}/get_spark", symbols=["CL=F", "BZ=F"], interval="1mo", range="1y")
    assert [dict(zip(one["times"], one["closes"], strict=True))["2024-01-31"] for one in charts] == [
        75.85,
        81.71,
    ]


@pytest.mark.parametrize(("symbol", "months"), [("NVDA", 60), ("HSBC", 13), ("RDDT", 3), ("ABNB", 42)])
def test_months_end_where_closes_are_not_known(world: World, symbol: str, months: int) -> None:
    assert len(told(world, f"{TIMES}/get_stock_time_series_monthly", symbol=symbol)["rows"]) == months


@pytest.mark.parametrize(
    ("symbol", "day", "close"),
    [("AAPL", "2020-03-16", 60.55), ("TGT", "2022-05-18", 161.61), ("PYPL", "2022-02-02", 132.57)],
)
def test_days_of_great_moves(world: World, symbol: str, day: str, close: float) -> None:
    assert told(world, "Stock/Stock/get_daily_prices", symbol=symbol, date=day)["close"] == close


@pytest.mark.parametrize(
    ("words", "symbols"),
    [("gold", ["GOLD", "GS", "ABX.TO"]), ("Tesla Motors", ["TSLA"]), ("airgain", ["AIRG"])],
)
def test_searches_leave_out_what_is_hardly_known(world: World, words: str, symbols: list[str]) -> None:
    rows = told(world, f"{TIMES}/get_stock_symbol_search_endpoint", keywords=words)
    assert [row["symbol"] for row in rows] == symbols
    assert all(row.keys() == {"symbol", "name", "currency"} for row in rows)


def test_suggestions_hold_all_words_and_no_dealers_shares(world: World) -> None:
    banks = told(world, f"{YAHOO}/get_autocomplete", q="Bank of")
    assert all("bank of" in row["name"].lower() for row in banks) and len(banks) > 4
    micro = told(world, f"{MARKET}/get_autocomplete", q="micro")
    assert {"MSFT", "AMD", "MU"} <= {row["symbol"] for row in micro} and "SFDMY" not in str(micro)
    assert [row["symbol"] for row in told(world, f"{MARKET}/get_autocomplete", q="airga")] == ["AIRG"]
    assert all(row.keys() == {"symbol", "name", "quote_type", "region"} for row in micro)


@pytest.mark.parametrize(
    ("symbol", "first", "never"),
    [
        ("CRWD", "PANW", "UBER"),
        ("SAP.DE", "ORCL", "SAP"),
        ("GOOG", "META", "GOOGL"),
        ("NKE", "ADS.DE", "TJX"),
    ],
)
def test_peers_do_the_same(world: World, symbol: str, first: str, never: str) -> None:
    found = [row["symbol"] for row in told(world, f"{YAHOO}/get_recommendations", symbol=symbol)]
    assert found[0] == first and never not in found and len(found) <= 5


@pytest.mark.parametrize(
    ("symbol", "known"),
    [
        ("KO", True),
        ("^N225", True),
        ("USDJPY=X", True),
        ("BTC-USD", True),
        ("VWCE.DE", False),
        ("TCS.NS", False),
    ],
)
def test_yearly_ranges_are_known_or_not_told(world: World, symbol: str, known: bool) -> None:
    assert (told(world, f"{YAHOO}/get_summary", symbol=symbol)["fifty_two_week_range"] is not None) == known


def test_figures_that_banks_do_not_have(world: World) -> None:
    year = told(world, f"{YAHOO}/get_cash_flow", symbol="JPM")["years"][0]
    assert year["capital_expenditures"] is None and year["free_cash_flow"] is None
    assert "operating_income" not in told(world, f"{YAHOO}/get_financials", symbol="JPM")["years"][0]


def test_both_classes_of_alphabet_have_one_opinion(world: World) -> None:
    first, second = (told(world, f"{YAHOO}/get_analysis", symbol=one) for one in ("GOOGL", "GOOG"))
    assert first["target_mean_price"] == second["target_mean_price"]
    grades = [
        told(world, f"{YAHOO}/get_upgrades_downgrades", symbol=one)["history"] for one in ("GOOGL", "GOOG")
    ]
    assert grades[0] == grades[1] and len(grades[0]) <= 10


@pytest.mark.parametrize(("interval", "rows"), [("daily", 20), ("weekly", 12), ("monthly", 36)])
def test_commodities_tell_recent_prices(world: World, interval: str, rows: int) -> None:
    tool = "Finance/Commodities/get_commodity_price"
    for name in ("Gold", "Copper", "Crude Oil Brent"):
        found = told(world, tool, commodity=name, interval=interval)
        assert len(found["rows"]) == rows
        assert interval == "monthly" or found["latest"] == found["rows"][0]["value"]


def test_the_index_is_not_called_that_of_others(world: World) -> None:
    tool = "Finance/Commodities/get_global_price_index_of_all_commodities"
    quarters = told(world, tool, interval="quarterly")
    assert "Global" not in quarters["name"] and min(row["date"] for row in quarters["rows"]) >= "2019"
    years = {row["date"][:4]: row["value"] for row in told(world, tool, interval="annual")["rows"]}
    assert years["2016"] == 100


def test_lists_are_a_choice(world: World) -> None:
    kinds = told(world, f"{MARKET}/get_tickers_by_quote_type", region="US")
    assert all(len(row["symbols"]) <= 20 for row in kinds)
    assert kinds[0]["symbols"][:3] == ["MSFT", "AAPL", "NVDA"]
    assert all(row.keys() == {"slug", "name", "tickers", "day_change_percent"} for row in
               told(world, f"{MARKET}/get_popular_watchlists"))  # fmt: skip


@pytest.mark.parametrize(
    ("symbol", "sector", "industry"),
    [
        ("TUI1.DE", "Consumer Cyclical", "Travel Services"),
        ("ALV.DE", "Financial Services", "Insurance"),
        ("RHM.DE", "Industrials", "Aerospace & Defense"),
        ("7974.T", "Communication Services", "Electronic Gaming"),
        ("IBE.MC", "Utilities", "Utilities"),
        ("VOD", "Communication Services", "Telecom Services"),
    ],
)
def test_trades_of_companies(world: World, symbol: str, sector: str, industry: str) -> None:
    profile = told(world, f"{YAHOO}/get_profile", symbol=symbol)
    assert (profile["sector"], profile["industry"]) == (sector, industry)
    assert "employs" not in profile["business_summary"]


@pytest.mark.parametrize(("region", "word"), [("DE", "2024-04-01"), ("GB", "US or DE")])
def test_reports_that_are_not_on_record(world: World, region: str, word: str) -> None:
    span = {"start_date": "2024-02-01", "end_date": "2024-03-15"}
    answer = call(world, f"{MARKET}/get_earnings", {"region": region, **span})
    assert answer.error and word in answer.text


@pytest.mark.parametrize(("symbol", "tick"), [("2330.TW", 1.0), ("TCS.NS", 0.05), ("G13.SI", 0.005)])
def test_prices_go_in_ticks(world: World, symbol: str, tick: float) -> None:
    for row in told(world, f"{YAHOO}/get_historical_data", symbol=symbol)["prices"]:
        assert row["close"] / tick == pytest.approx(round(row["close"] / tick))


def test_where_only_the_present_is_known_prices_stay_near(world: World) -> None:
    closes = [row["close"] for row in told(world, f"{YAHOO}/get_historical_data", symbol="TCS.NS")["prices"]]
    assert max(closes) < 1.12 * min(closes)
