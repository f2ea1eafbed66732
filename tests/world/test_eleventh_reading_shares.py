"""Shares, funds, figures of the economy and names: what a reading of all their tools had found."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.shared.companies import company_or_none, find_company, prices
from toolyard.world.shared.listed import has_known_price
from toolyard.world.shared.sisters import IN_NEW_YORK
from toolyard.world.shared.statements import earned_in_four_quarters, on_record
from toolyard.world.state import World
from toolyard.world.tables import read_table
from toolyard.world.worlds.finance.fundamentals import trailing_eps

INFO, NEWS, REAL = "Finance/USStockInfo", "Finance/USStockNews", "Finance/USStockRealTime"
MARKET, STOCK = "Finance/Yahoo_Finance_market", "Finance/Yahoo_Finance_stock"


def said(name: str, **arguments: object) -> Any:
    observation = call(World.fresh(), name, arguments)
    assert not observation.error, observation.text
    return observation.value


@pytest.mark.parametrize("word", ["bitcoin", "space", "quantum", "nuclear"])
def test_nobody_finds_what_was_not_listed_yet(word: str) -> None:
    later = {ticker for row in read_table("companies_later.tsv") for ticker in row["tickers"].split()}
    assert {"MSBT", "SPCX", "XE", "MAIR"} <= later
    found = {row["symbol"] for row in said(f"{MARKET}/get_autocomplete", q=word)}
    assert found and not found & (later | {"ABTC", "BTMCQ"})


def test_companies_have_the_symbols_and_exchanges_of_then() -> None:
    assert find_company("BTM")["exchange"] == "NASDAQ"
    assert find_company("PLTR")["exchange"] == "NYSE"
    assert find_company("CEIX")["name"] == "CONSOL Energy Inc."
    active = {
        row["symbol"]: row
        for row in said(f"{INFO}/get_listing_and_delisting_status", date="2016-08-01")["active"]
    }
    assert active["PEP"]["exchange"] == active["AZN"]["exchange"] == "NYSE"
    assert "LIN" not in active


def test_earnings_are_of_the_last_four_quarters() -> None:
    world = World.fresh()
    assert trailing_eps(world, "COST") == 15.29
    assert said(f"{INFO}/get_company_overview", symbol="SHOP")["pe_ratio"] is None
    assert said(f"{STOCK}/get_statistics", symbol="JNJ")["trailing_pe"] < 10.5
    assert all(company_or_none(ticker) for ticker in earned_in_four_quarters())


def test_a_company_that_owes_more_than_it_owns_has_no_return_on_equity() -> None:
    for ticker in ("BA", "MCD", "SBUX"):
        assert said(f"{INFO}/get_company_overview", symbol=ticker)["return_on_equity"] is None


def test_a_second_class_of_shares_is_a_share_of_its_own() -> None:
    first, second = (said(f"{REAL}/get_stock_quote_endpoint", symbol=one) for one in ("GOOGL", "GOOG"))
    assert second["symbol"] == "GOOG" and 1.0 < second["price"] / first["price"] < 1.02
    reports = [
        said(f"{INFO}/get_income_statement", symbol=one)["annual_reports"] for one in ("GOOGL", "GOOG")
    ]
    assert reports[0] == reports[1]
    events = said(f"{MARKET}/get_earnings", start_date="2024-04-22", end_date="2024-04-26", size=100)["items"]
    assert "GOOG" not in {row["ticker"] for row in events}


@pytest.mark.parametrize("home", sorted(IN_NEW_YORK))
def test_shares_at_home_and_in_new_york_are_of_one_company(home: str) -> None:
    here, there = find_company(home), find_company(IN_NEW_YORK[home])
    if home not in ("RIO.AX", "STLAM.MI"):
        for field in ("sector", "country", "city", "employees", "founded"):
            assert here[field] == there[field], field
    if home != "2330.TW":
        days = [
            {bar["date"]: bar["close"] for bar in prices(0, one).until(date(2024, 5, 14))[-60:]}
            for one in (home, there["ticker"])
        ]
        # Asia closes before New York opens, and follows it on the next day.
        late = home.endswith((".HK", ".T", ".NS", ".AX"))
        before = dict(zip(list(days[1])[1:], list(days[1].values()), strict=False)) if late else days[1]
        ratios = [days[0][day] / before[day] for day in days[0] if day in before]
        assert max(ratios) / min(ratios) < 1.15


def test_other_shares_of_a_company_have_its_sector_and_home() -> None:
    for ticker, sector, country in (
        ("BRK.A", "Financial Services", "United States"),
        ("TOYOF", "Consumer Cyclical", "Japan"),
        ("DTEGY", "Communication Services", "Germany"),
    ):
        row = find_company(ticker)
        assert (row["sector"], row["country"]) == (sector, country)
    assert find_company("COMP")["country"] == "United States"
    assert said(f"{REAL}/get_stock_symbol_search_endpoint", keywords="toyo")[0]["symbol"] == "TM"
    refused = call(World.fresh(), f"{STOCK}/get_profile", {"symbol": "CURLF"})
    assert refused.error == "not_found"


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"tickers": ["NVDA", "AMD"], "time_from": "2024-04-15"},
        {"topics": ["energy_transportation"]},
        {"topics": ["ipo", "technology"]},
        {"topics": ["economy_macro"]},
        {"tickers": ["ALAB"]},
    ],
)
def test_news_are_newest_first_and_say_something(asked: dict[str, Any]) -> None:
    articles = said(f"{NEWS}/get_market_news_and_sentiment", **asked)["articles"]
    times = [article["time_published"] for article in articles]
    assert times and times == sorted(times, reverse=True)
    assert len({article["title"] for article in articles}) == len(articles)
    for article in articles:
        assert set(asked.get("topics", ())) <= set(article["topics"])
        named = {row["ticker"] for row in article["ticker_sentiment"]}
        assert not asked.get("tickers") or named & set(asked["tickers"])
        fell = (
            " fall " in article["title"]
            or " loses " in article["title"]
            or "lowest close" in article["title"]
        )
        assert not fell or article["overall_sentiment_score"] <= 0.05


def test_events_name_companies_of_then() -> None:
    for row in read_table("market_events.tsv"):
        assert row["time"] < "2024-05-15"
        for ticker in (row["tickers"] or "").split():
            assert find_company(ticker)["ticker"] == ticker


def test_a_week_of_the_federal_funds_rate_is_its_mean() -> None:
    rows = said("Finance/Economic_Indicators/get_us_federal_funds_rate", interval="weekly")["data"]
    values = {row["date"]: row["value"] for row in rows}
    assert (values["2023-05-05"], values["2023-07-28"], values["2024-05-10"]) == (4.93, 5.18, 5.33)


def test_all_large_shares_of_a_market_are_listed() -> None:
    shares = said(f"{MARKET}/get_tickers_by_quote_type", region="DE")[0]["symbols"]
    assert {"SIE.DE", "ALV.DE", "DTE.DE", "SAP.DE"} <= set(shares) and len(shares) == 20
    assert all(has_known_price(share) or share in ("BMW.DE", "SIE.DE", "VOW3.DE") for share in shares)


def test_grades_come_after_the_listing() -> None:
    history = said(f"{STOCK}/get_upgrades_downgrades", symbol="RDDT")["history"]
    assert all(row["date"] > "2024-03-21" for row in history)


def test_names_have_their_own_age_and_gender_in_a_country() -> None:
    age = said("Predict/Predict/predict_age", names=["Kevin", "Heinz"], country_id="GB")[0]["age"]
    assert age > 50 and said("Predict/Predict/predict_age", names=["Heinz"])[0]["age"] > 70
    robin, laurence = (
        said("Predict/Predict/predict_gender", names=[name], country_id=country)[0]
        for name, country in (("Robin", "DE"), ("Laurence", "FR"))
    )
    assert robin["gender"] == "male" and robin["probability"] > 0.85
    assert laurence["gender"] == "female"


def test_hours_of_what_is_always_traded_go_on_until_now() -> None:
    asked = {"indicator_symbol": "VWAP", "symbol": "BTC-USD", "interval": "hourly"}
    rows = said("Finance/Technical_Indicators/get_technical_indicator_of_ticker", **asked)["rows"]
    assert rows[0]["time"] == "2024-05-15 09:00"


def test_statements_of_a_share_at_home_are_found_under_the_other() -> None:
    assert on_record("TSM")
    refused = call(World.fresh(), f"{INFO}/get_income_statement", {"symbol": "2330.TW"})
    assert refused.error and "TSM, its share in New York" in refused.text


@pytest.mark.parametrize(("coin", "first"), [("DOGE", "2014-09"), ("TON", "2021-08"), ("USDT", "2015-02")])
def test_coins_have_no_price_before_they_were_traded(coin: str, first: str) -> None:
    chart = said(f"{MARKET}/get_spark", symbols=[f"{coin}-USD"], interval="1mo", range="max")[0]
    assert chart["times"][0] >= first
