"""The tables of Finance under several seeds: levels inside their bounds, bars that end at them, sums that add up, and
services that show what the tables hold."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

import pytest

from toolyard.world import World, call
from toolyard.world.kernel.registry import select
from toolyard.world.reference.companies import companies, find_company
from toolyard.world.reference.listed import directory
from toolyard.world.simulated.finance.coins import (
    WORTH,
    coin_exchanges,
    coin_quote,
    coins,
    supply,
    volume_share,
)
from toolyard.world.simulated.finance.economy import RATES
from toolyard.world.simulated.finance.instruments import instruments
from toolyard.world.simulated.finance.rates import exchange_rate
from toolyard.world.simulated.finance.statements import coming, last_four_quarters, quarters, years
from toolyard.world.simulated.prices import BOUNDS, PRICES, level, per_dollar_now, prices, share_level

SEEDS = (0, 1, 7)
# Any listed company: some of the best known, and some from all over the directory.
TICKERS = [row["ticker"] for row in companies()[::16]] + [row["ticker"] for row in directory().rows[::900]]
# Lists of what exists, exchange rates and what is computed: the same under every seed.
SAME = {
    "available_currencies", "currency_converter", "historical_currency_data", "get_coinmarketmap_id_map_fiat",
    "get_cryptocurrency_metadata_v2", "fetch_all_mutual_fund_families", "fetch_all_scheme_names",
    "fetch_all_scheme_types", "fetch_scheme_categories_by_scheme_type", "get_all_technical_indicators_available",
    "get_technical_indicator_description", "get_listing_and_delisting_status",
    "get_global_market_open_and_close_status", "get_stock_symbol_search_endpoint", "get_autocomplete",
    "get_tickers_by_quote_type", "yelp_all_categories", "yelp_autocomplete", "yelp_category_details", "add_date",
    "get_open_info", "get_today_date",
}  # fmt: skip


def ask(tool: str, seed: int = 0, **arguments: Any) -> Any:
    observation = call(World.fresh(seed), tool, arguments)
    assert observation.error is None, observation.text
    return observation.value


@pytest.mark.parametrize("seed", SEEDS)
def test_levels_lie_inside_their_bounds_and_bars_end_at_them(seed: int) -> None:
    for ticker in TICKERS:
        company, found = find_company(ticker), share_level(seed, ticker)
        dollars = found.price / per_dollar_now().get(company["currency"], 1.0)
        assert PRICES["EQUITY"][0] * 0.99 <= dollars <= PRICES["EQUITY"][1] * 1.01
        for name in ("volatility", "beta", "shares", "margin", "payout"):
            low, high = BOUNDS[name]
            assert low * 0.99 <= getattr(found, name) <= high * 1.01, (ticker, name)
        bars = prices(seed, ticker).until(date(2024, 5, 15))
        assert bars[-1]["close"] == pytest.approx(found.price, rel=1e-3)
        for bar in bars[-40:]:
            assert (
                bar["low"] <= min(bar["open"], bar["close"]) <= max(bar["open"], bar["close"]) <= bar["high"]
            )
            assert bar["volume"] > 0
        assert len({bar["date"] for bar in bars[-40:]}) == 40


@pytest.mark.parametrize("seed", SEEDS)
def test_statements_of_any_company_add_up(seed: int) -> None:
    for ticker in TICKERS:
        rows = quarters(seed, ticker)
        for row in (*rows, *years(seed, ticker)):
            assert row.revenue == row.cost_of_revenue + row.gross_profit
            assert row.gross_profit == row.operating_expenses + row.operating_income
            assert row.operating_income == row.tax + row.net_income
            assert row.total_assets == row.total_liabilities + row.equity
            assert row.free_cash_flow == row.operating_cash_flow - row.capital_expenditure
            assert min(row.revenue, row.cost_of_revenue, row.net_income, row.equity, row.cash) > 0
            assert row.end < row.reported < date(2024, 5, 15)
        for year in years(seed, ticker):
            parts = [row for row in rows if 0 <= (year.end - row.end).days < 360]
            assert len(parts) == 4
            assert year.net_income == sum(row.net_income for row in parts)
        assert all(row.reported >= date(2024, 5, 15) for row in coming(seed, ticker, 4))


@pytest.mark.parametrize("seed", SEEDS)
def test_services_show_what_the_tables_hold(seed: int) -> None:
    for ticker in TICKERS:
        year, shares = last_four_quarters(seed, ticker), share_level(seed, ticker).shares
        overview = ask("Finance/USStockInfo/get_company_overview", seed, symbol=ticker)
        statistics = ask("Finance/Yahoo_Finance_stock/get_statistics", seed, symbol=ticker)
        price = ask("Finance/USStockRealTime/get_stock_quote_endpoint", seed, symbol=ticker)["price"]
        assert (
            overview["market_capitalization_millions"]
            == statistics["market_cap_millions"]
            == round(price * shares)
        )
        assert overview["revenue_millions"] == year.revenue
        assert overview["pe_ratio"] == statistics["trailing_pe"]
        assert None not in (*overview.values(), *statistics.values())
        income = ask("Finance/USStockInfo/get_income_statement", seed, symbol=ticker)
        yahoo = ask("Finance/Yahoo_Finance_stock/get_financials", seed, symbol=ticker)
        assert [row["net_income"] for row in income["annual_reports"]] == [
            row["net_income"] for row in yahoo["years"]
        ]
        assert [row["net_income"] for row in income["annual_reports"]] == [
            row.net_income for row in years(seed, ticker)
        ]
        sheet = ask("Finance/Yahoo_Finance_stock/get_balance_sheet", seed, symbol=ticker)["annual"][0]
        assert sheet["total_assets"] == years(seed, ticker)[0].total_assets


@pytest.mark.parametrize("seed", SEEDS)
def test_coins_are_worth_their_units(seed: int) -> None:
    world = World.fresh(seed)
    rows = [row for row in coins() if row.active]
    for row in rows:
        found = coin_quote(world, row)
        assert found["market_cap"] == pytest.approx(found["price"] * supply(seed, row), abs=1)
        assert row.max_supply is None or supply(seed, row) <= row.max_supply
        assert WORTH[0] / 3 < found["market_cap"] < WORTH[1] * 3, row.symbol
    listing = ask("Finance/CoinMarketCap/get_cryptocurrency_listing_latest", seed, limit=200)
    assert [row["cmc_rank"] for row in listing["items"]] == [*range(1, len(listing["items"]) + 1)]
    assert sum(volume_share(seed, row) for row in coin_exchanges()) == pytest.approx(1)


def test_every_instrument_has_a_quote_inside_a_year_range() -> None:
    assert len({row.symbol for row in instruments()}) == len(instruments()) > len(companies())
    for row in instruments()[::7]:
        found = ask("Finance/Yahoo_Finance_stock/get_summary", 3, symbol=row.symbol)
        low, high = found["fifty_two_week_range"]
        assert 0 < low <= high, row.symbol
        assert found["price"] > 0, row.symbol


def test_shares_of_one_company_and_futures_move_alike() -> None:
    for seed in SEEDS:
        home, abroad = (level(seed, *key) for key in (("SAP.DE", "EQUITY", "EUR"), ("SAP", "EQUITY", "USD")))
        assert home.price == pytest.approx(abroad.price * per_dollar_now()["EUR"], rel=1e-3)
        for name, symbol in (("Wheat", "ZW=F"), ("Gold", "GC=F")):
            latest = ask("Finance/Commodities/get_commodity_price", seed, commodity=name, interval="daily")[
                "latest"
            ]
            price = ask("Finance/Yahoo_Finance_market/get_quotes", seed, symbols=[symbol])[0]["price"]
            assert price == pytest.approx(latest, rel=1e-2)


@pytest.mark.parametrize("seed", SEEDS)
def test_figures_of_the_economy_follow_from_each_other(seed: int) -> None:
    where = "Finance/Economic_Indicators/"
    halves = ask(f"{where}get_us_cpi", seed, interval="semiannual")["data"]
    means = {row["date"]: row["value"] for row in halves}
    for row in ask(f"{where}get_us_inflation", seed)["data"][:5]:
        year = int(row["date"][:4])
        now, before = (means[f"{one}-01-01"] + means[f"{one}-07-01"] for one in (year, year - 1))
        assert row["value"] == pytest.approx(100 * (now / before - 1), abs=0.01)
    low, high = RATES["unemployment"]
    assert all(
        low - 3 <= row["value"] <= high + 3 for row in ask(f"{where}get_us_unemployment", seed)["data"]
    )
    index = ask("Finance/Commodities/get_global_price_index_of_all_commodities", seed, interval="annual")[
        "rows"
    ]
    assert next(row["value"] for row in index if row["date"] == "2016-01-01") == pytest.approx(100, abs=0.01)


def test_headlines_tell_what_the_prices_did() -> None:
    feed = ask("Finance/USStockNews/get_market_news_and_sentiment", tickers=["MSFT"], time_from="2023-01-01")
    moved = [
        (row, told)
        for row in feed["articles"]
        if (told := re.search(r" (rise|fall) (\d+\.\d)%", row["title"]))
    ]
    assert moved
    for article, told in moved:
        before, row = prices(0, "MSFT").until(date.fromisoformat(article["time_published"][:8]))[-2:]
        assert (row["close"] >= before["close"]) == (told[1] == "rise")


def test_cross_rates_agree_over_every_way() -> None:
    for day in (date(2012, 3, 4), date(2020, 5, 20), date(2024, 5, 15)):
        over = exchange_rate("GBP", "JPY", day) * exchange_rate("JPY", "INR", day)
        assert exchange_rate("GBP", "INR", day) == pytest.approx(over)
        assert exchange_rate("EUR", "DKK", day) == pytest.approx(7.46, rel=0.01)


def test_a_coin_beyond_the_table_is_the_same_by_symbol_slug_and_id() -> None:
    tool = "Finance/CoinMarketCap/get_cryptocurrency_quotes_latest_v2"
    by_symbol = ask(tool, symbol=["STEEM"])[0]
    assert by_symbol == ask(tool, id=[by_symbol["id"]])[0] == ask(tool, slug=[by_symbol["slug"]])[0]


@pytest.mark.parametrize("symbol", ["AAPL", "TLT"])
def test_holdings_are_for_funds_of_shares_only(symbol: str) -> None:
    observation = call(World.fresh(), "Finance/Yahoo_Finance_stock/get_holdings", {"symbol": symbol})
    assert observation.error == "invalid_value"


@pytest.mark.parametrize(
    "tool", [tool for part in ("Finance", "Stock") for tool in select(part)], ids=lambda tool: tool.id
)
def test_examples_hold_under_every_seed_and_differ_where_values_are_drawn(tool: Any) -> None:
    texts = []
    for seed in range(3):
        found = [call(World.fresh(seed), tool.id, dict(example)) for example in tool.examples]
        assert [one.error for one in found] == [None] * len(found)
        texts.append([one.text for one in found])
    assert (texts[0] != texts[1]) == (tool.id.rpartition("/")[2] not in SAME)
