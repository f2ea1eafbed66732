"""What readers of the tools about shares found: prices, news, grades, calendars and searches."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise
from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.shared.companies import prices
from toolyard.world.state import World
from toolyard.world.worlds.finance.opinions import GRADES, Opinion, mean_grade, opinions

INFO, NEWS, TIMES = "Finance/USStockInfo", "Finance/USStockNews", "Finance/USStockRealTime"
MARKET, YAHOO, STOCK = "Finance/Yahoo_Finance_market", "Finance/Yahoo_Finance_stock", "Stock/Stock"


def said(name: str, seed: int = 0, **arguments: Any) -> Any:
    observation = call(World.fresh(seed), name, arguments)
    assert observation.error is None, observation.text
    return observation.value


def refused(name: str, **arguments: Any) -> str:
    observation = call(World.fresh(), name, arguments)
    assert observation.error is not None
    return observation.text


# Grades


@pytest.mark.parametrize("ticker", ["AAPL", "TSLA", "NKE", "KO", "JPM", "GME", "SAP"])
def test_grades_of_today_are_what_analysts_think_on_the_whole(ticker: str) -> None:
    world = World.fresh()
    whole = said(f"{YAHOO}/get_analysis", symbol=ticker)["recommendation"]
    assert whole == mean_grade(0, ticker)
    firms: dict[str, list[Opinion]] = {}
    for row in opinions(world, ticker):
        firms.setdefault(row["firm"], []).append(row)
    for rows in firms.values():
        today = GRADES.index(rows[0]["to_grade"])
        for row in rows:
            assert abs(GRADES.index(row["from_grade"]) - today) <= 1
        for new, old in pairwise(rows):
            assert new["from_grade"] == old["to_grade"]


def test_changed_grades_go_after_the_price() -> None:
    with_it = against = 0
    for ticker in ("NVDA", "TSLA", "META", "NFLX", "PYPL", "DIS", "BA", "INTC"):
        for row in opinions(World.fresh(), ticker):
            past = prices(0, ticker).until(date.fromisoformat(row["date"]))
            moved = past[-1]["close"] / past[-63]["close"] - 1
            if abs(moved) > 0.1 and row["action"] != "reiterated":
                with_it += (moved > 0) == (row["action"] == "upgrade")
                against += (moved > 0) != (row["action"] == "upgrade")
    assert with_it > 10 and not against


# Reports


def test_banks_are_counted_without_what_happens_once() -> None:
    rows = said(f"{INFO}/get_earnings", symbol="BAC")["quarterly_earnings"]
    assert [(row["reported_eps"], row["estimated_eps"]) for row in rows[:2]] == [(0.83, 0.76), (0.7, 0.68)]
    rows = said(f"{INFO}/get_earnings", symbol="JPM")["quarterly_earnings"]
    assert [row["reported_eps"] for row in rows] == [4.63, 3.97, 4.33, 4.37]


@pytest.mark.parametrize(("ticker", "newest"), [("HD", 2023), ("TGT", 2023), ("WMT", 2024), ("NVDA", 2024)])
def test_fiscal_years_have_the_names_that_companies_give_them(ticker: str, newest: int) -> None:
    assert said(f"{YAHOO}/get_financials", symbol=ticker)["years"][0]["fiscal_year"] == newest


def test_reports_that_are_announced_for_late_may_are_listed() -> None:
    rows = said(f"{MARKET}/get_earnings", start_date="2024-05-15", end_date="2024-06-05", size=100)["items"]
    days = {row["ticker"]: row["report_date"] for row in rows}
    assert {"DE", "AMAT", "PANW", "SNOW", "INTU", "TJX", "DELL", "LULU", "CRWD"} <= set(days)
    assert (days["SNOW"], days["LULU"]) == ("2024-05-22", "2024-06-05")
    coming = said(f"{INFO}/get_earnings_calender", symbol="SNOW", horizon="12month")
    assert (coming[0]["report_date"], coming[0]["estimate"]) == ("2024-05-22", 0.18)
    assert [row["estimate"] for row in coming[1:]] == [None] * 3


def test_reports_of_further_large_companies_are_on_record() -> None:
    rows = [
        row
        for first, last in (("2024-04-16", "2024-04-24"), ("2024-04-30", "2024-05-08"))
        for row in said(f"{MARKET}/get_earnings", start_date=first, end_date=last, size=100)["items"]
    ]
    told = {row["ticker"]: (row["report_date"], row["reported_eps"]) for row in rows}
    assert told["GE"] == ("2024-04-23", 0.82) and told["SHOP"] == ("2024-05-08", 0.2)
    assert told["UAL"] == ("2024-04-16", -0.15) and told["MMM"] == ("2024-04-30", 2.39)


# Heads and homes


@pytest.mark.parametrize(
    ("ticker", "head"),
    [("PLTR", "Alex Karp"), ("SNOW", "Sridhar Ramaswamy"), ("RTX", "Chris Calio"), ("9984.T", "Masayoshi Son"),
     ("LULU", "Calvin McDonald"), ("SAN.MC", "Héctor Grisi"), ("BAS.DE", "Markus Kamieth")],
)  # fmt: skip
def test_heads_of_further_companies(ticker: str, head: str) -> None:
    assert said(f"{YAHOO}/get_profile", symbol=ticker)["officers"][0]["name"] == head


# Prices


@pytest.mark.parametrize(
    ("ticker", "month", "close"),
    [("SMCI", "2023-06-30", 249.25), ("RIVN", "2023-11-30", 16.76), ("LULU", "2023-11-30", 446.8),
     ("NVO", "2024-01-31", 114.77), ("BRK.B", "2023-08-31", 360.2)],
)  # fmt: skip
def test_closes_of_further_shares_at_ends_of_months(ticker: str, month: str, close: float) -> None:
    rows = said(f"{TIMES}/get_stock_time_series_monthly", symbol=ticker)["rows"]
    assert {row["date"]: row["close"] for row in rows}[month] == pytest.approx(close, abs=0.01)


@pytest.mark.parametrize(
    ("ticker", "low", "high"),
    [
        ("BABA", 66.63, 102.5),
        ("GME", 9.95, 64.83),
    ],
)
def test_yearly_ranges_of_further_shares(ticker: str, low: float, high: float) -> None:
    found = said(f"{YAHOO}/get_summary", symbol=ticker)["fifty_two_week_range"]
    assert found[0] == pytest.approx(low, rel=0.06) and found[1] == pytest.approx(high, rel=0.001)


@pytest.mark.parametrize(
    ("ticker", "day", "opened"),
    [("FB", "2012-05-18", 42.05), ("AAPL", "2020-03-23", 57.02), ("GME", "2021-01-28", 66.25)],
)
def test_days_that_everybody_remembers_are_told_whole(ticker: str, day: str, opened: float) -> None:
    assert said(f"{STOCK}/get_daily_prices", symbol=ticker, date=day)["open"] == opened


def test_asia_follows_new_york_on_the_next_day() -> None:
    quotes = said(f"{MARKET}/get_quotes", symbols=["9988.HK", "BABA"])
    moves = {row["symbol"]: row["change_percent"] for row in quotes}
    assert moves["BABA"] == -6.01 and moves["9988.HK"] > 0


# News


def test_nobody_writes_about_a_share_that_hardly_moved() -> None:
    for ticker in ("AAPL", "KO", "MSFT", "XOM"):
        for row in said(f"{NEWS}/get_market_news_and_sentiment", tickers=[ticker])["articles"]:
            assert "hardly move" not in row["title"] and "shares rise 0." not in row["title"]


def test_topics_fit_the_trade() -> None:
    for ticker, fits, not_so in (
        ("TSLA", "manufacturing", "retail_wholesale"),
        ("JBLU", "energy_transportation", "manufacturing"),
        ("DAL", "energy_transportation", "manufacturing"),
    ):
        rows = said(f"{NEWS}/get_market_news_and_sentiment", tickers=[ticker])["articles"]
        own = [row["topics"] for row in rows if row["ticker_sentiment"][0]["ticker"] == ticker]
        assert own and all(fits in topics and not_so not in topics for topics in own)
    rows = said(f"{NEWS}/get_market_news_and_sentiment", tickers=["AMC"], time_from="2024-05-13")["articles"]
    assert rows and not any("technology" in row["topics"] for row in rows)


def test_reports_come_at_the_time_of_day_at_which_companies_report() -> None:
    for ticker, hours in (("HD", range(10, 13)), ("AAPL", range(20, 24))):
        rows = said(f"{NEWS}/get_market_news_and_sentiment", tickers=[ticker], topics=["earnings"])[
            "articles"
        ]
        told = [row for row in rows if " a share, " in row["title"]]
        assert told and all(int(row["time_published"][9:11]) in hours for row in told)


def test_events_of_the_spring_are_told() -> None:
    titles = {
        row["title"]
        for ticker in ("MSFT", "AMZN", "SBUX", "JPM")
        for row in said(f"{NEWS}/get_market_news_and_sentiment", tickers=[ticker], time_from="2024-02-01")[
            "articles"
        ]
    }
    assert {
        "Starbucks falls 16%",
        "JPMorgan Chase falls 6.5% after its report",
        "Head of Amazon's cloud to leave",
    } <= titles


# Owners, options, searches


@pytest.mark.parametrize("ticker", ["NVDA", "META", "JPM", "PLTR"])
def test_directors_are_not_given_fortunes(ticker: str) -> None:
    rows = said(f"{YAHOO}/get_insider_transactions", symbol=ticker)["transactions"]
    assert rows
    for row in rows:
        close = prices(0, ticker).until(date.fromisoformat(row["date"]))[-1]["close"]
        most = 4e5 if row["position"] == "Director" else 6e6
        assert row["transaction"] != "Award" or row["shares"] * close <= most
        assert row["shares"] * row["price"] <= 12e6


def test_options_on_funds() -> None:
    found = said(f"{YAHOO}/get_options", symbol="SPY")
    strikes = [row["strike"] for row in found["calls"]]
    assert found["price"] == 523.3 and strikes[1] - strikes[0] == 5.0 and min(strikes) < 523 < max(strikes)
    assert said(f"{STOCK}/options_data", ticker="qqq")["company"] == "Invesco QQQ Trust"
    assert "SPY" in refused(f"{YAHOO}/get_options", symbol="^GSPC")
    assert "New York" in refused(f"{YAHOO}/get_options", symbol="VOW3.DE")


def test_a_fund_is_refused_as_such_where_a_company_is_wanted() -> None:
    for name in ("get_balance_sheet", "get_profile", "get_statistics"):
        assert "fund" in refused(f"{YAHOO}/{name}", symbol="SPY")


def test_a_short_search_tells_large_companies_first() -> None:
    found = [row["symbol"] for row in said(f"{TIMES}/get_stock_symbol_search_endpoint", keywords="AI")]
    assert found[0] == "AI" and "AIG" in found[:4] and not {"AIFU", "AIFC", "AIOS"} & set(found[:6])
    found = [row["symbol"] for row in said(f"{TIMES}/get_stock_symbol_search_endpoint", keywords="BA")]
    assert found[:3] == ["BA", "BAC", "BABA"] and found.index("BAX") < found.index("BAS.DE")


def test_lists_by_kind_have_the_funds_and_futures_that_everybody_knows() -> None:
    found = {row["quote_type"]: row["symbols"] for row in said(f"{MARKET}/get_tickers_by_quote_type")}
    assert {"SPY", "QQQ", "VOO", "IVV"} <= set(found["ETF"]) and {"GC=F", "ES=F"} <= set(found["FUTURE"])
    assert "^NDX" in found["INDEX"]


def test_indicators_are_found_by_name() -> None:
    found = said(
        "Finance/Technical_Indicators/get_technical_indicator_description",
        indicator_symbol="stochastic Oscillator",
    )
    assert found["symbol"] == "STOCH"


def test_new_shares_are_not_graded_at_once() -> None:
    first = date(2023, 9, 14) + timedelta(days=25)
    rows = opinions(World.fresh(), "ARM")
    assert rows and all(date.fromisoformat(row["date"]) >= first for row in rows)


# Second round


def test_a_loss_is_called_a_loss() -> None:
    rows = said(f"{NEWS}/get_market_news_and_sentiment", tickers=["BA"], topics=["earnings"])["articles"]
    titles = [row["title"] for row in rows]
    assert "The Boeing Company loses 1.13 a share, less than analysts expected" in titles
    assert not any("earns -" in title for title in titles)


def test_porsche_and_further_large_shares_of_other_markets() -> None:
    assert said(f"{YAHOO}/get_profile", symbol="P911.DE")["officers"][0]["name"] == "Oliver Blume"
    for region, symbols in (("BR", {"B3SA3.SA", "SUZB3.SA"}), ("AU", {"GMG.AX", "STO.AX"}), ("SG", {"BN4.SI", "S68.SI"}),
                            ("ES", {"CABK.MC", "AENA.MC"}), ("CA", {"ENB.TO", "SHOP.TO"})):  # fmt: skip
        found = {
            row["quote_type"]: row["symbols"]
            for row in said(f"{MARKET}/get_tickers_by_quote_type", region=region)
        }
        assert symbols <= set(found["EQUITY"])


@pytest.mark.parametrize(
    ("ticker", "founded", "site"), [("RIVN", 2009, "rivian.com"), ("SNAP", 2011, "snap.com")]
)
def test_facts_of_companies_that_everybody_knows(ticker: str, founded: int, site: str) -> None:
    found = said(f"{INFO}/get_company_overview", symbol=ticker)
    assert (found["founded"], found["website"]) == (founded, site) and found["full_time_employees"] > 1000


def test_those_who_look_at_apple_do_not_look_at_koss() -> None:
    found = [row["symbol"] for row in said(f"{YAHOO}/get_recommendations", symbol="AAPL")]
    assert found[0] == "MSFT" and "KOSS" not in found
    assert [row["symbol"] for row in said(f"{YAHOO}/get_recommendations", symbol="JPM")][:3] == [
        "BAC",
        "WFC",
        "C",
    ]
    assert "IPG" not in [row["symbol"] for row in said(f"{YAHOO}/get_recommendations", symbol="NFLX")]


@pytest.mark.parametrize(
    ("ticker", "day", "close"),
    [
        ("AAPL", "2018-08-02", 51.85),
        ("AMZN", "2018-09-04", 101.98),
        ("DIS", "2019-04-12", 130.06),
        ("ZM", "2020-10-19", 568.34),
    ],
)
def test_closes_of_days_that_everybody_remembers(ticker: str, day: str, close: float) -> None:
    assert said(f"{STOCK}/get_daily_prices", symbol=ticker, date=day)["close"] == close


def test_futures_rest_on_good_friday() -> None:
    days = [row["date"] for row in said(f"{YAHOO}/get_historical_data", symbol="CL=F")["prices"]]
    assert len(days) == 45 and "2024-03-29" not in days and "2024-03-28" in days


@pytest.mark.parametrize(
    ("ticker", "word"), [("AAPL", "iPhone"), ("SAP.DE", "software"), ("GOOG", "YouTube"), ("7203.T", "Lexus")]
)
def test_profiles_tell_what_a_company_does(ticker: str, word: str) -> None:
    assert word in said(f"{YAHOO}/get_profile", symbol=ticker)["business_summary"]


def test_prices_go_in_the_steps_of_their_market() -> None:
    for symbol, step in (("005930.KS", 100), ("9988.HK", 0.05), ("0700.HK", 0.2), ("7203.T", 1)):
        for row in said(f"{YAHOO}/get_historical_data", symbol=symbol)["prices"]:
            assert row["close"] / step == pytest.approx(round(row["close"] / step)), (symbol, row)


def test_oil_was_dear_in_september() -> None:
    chart = said(f"{MARKET}/get_spark", symbols=["CL=F"], interval="1mo", range="1y")[0]
    assert dict(zip(chart["times"], chart["closes"], strict=True))["2023-09-29"] == 90.79
