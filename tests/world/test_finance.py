"""Markets: indicators against values worked out by hand, rates that agree, and bars, statements, news that add up."""

from __future__ import annotations

import math
from datetime import date
from typing import Any

import pytest

from toolyard.world import World, call
from toolyard.world.simulated.finance import averages
from toolyard.world.simulated.finance.bars import intraday, merge, monthly, weekly
from toolyard.world.simulated.finance.options import black_scholes
from toolyard.world.simulated.prices import prices
from toolyard.world.simulated.series import Bar
from toolyard.world.tools.finance import cycles, ranges
from toolyard.world.tools.finance.catalogue import indicators


def ask(name: str, seed: int = 0, **arguments: Any) -> Any:
    observation = call(World.fresh(seed), name, arguments)
    assert observation.error is None, observation.text
    return observation.value


def bar(low: float, high: float, close: float, volume: int = 100, open_: float | None = None) -> Bar:
    return {
        "date": "2024-01-02",
        "open": close if open_ is None else open_,
        "high": high,
        "low": low,
        "close": close,
        "volume": volume,
    }


def test_moving_averages_of_five_prices() -> None:
    values = [1.0, 2.0, 3.0, 4.0, 8.0]
    assert averages.sma(values, 3) == [None, None, 2.0, 3.0, 5.0]
    # Starts at the mean 2 of the first three; weight 1/2: (4+2)/2 = 3, (8+3)/2 = 5.5.
    assert averages.ema(values, 3) == [None, None, 2.0, 3.0, 5.5]
    # (1*1 + 2*2 + 3*3) / 6, (1*2 + 2*3 + 3*4) / 6, (1*3 + 2*4 + 3*8) / 6
    assert averages.wma(values, 3) == [
        None,
        None,
        pytest.approx(14 / 6),
        pytest.approx(20 / 6),
        pytest.approx(35 / 6),
    ]
    assert averages.momentum(values, 2) == [None, None, 2.0, 2.0, 5.0]
    assert averages.rate_of_change(values, 4)[-1] == 700.0


def test_relative_strength_after_wilder() -> None:
    # Steps +1, -1, +2: mean gain 1/2, mean loss 1/2 over two; then gain (1/2+2)/2 = 1.25, loss 1/4.
    assert averages.rsi([10.0, 11.0, 10.0, 12.0], 2) == [None, None, 50.0, pytest.approx(100 * 1.25 / 1.5)]
    assert averages.rsi([1.0, 2.0, 3.0], 2)[-1] == 100.0
    assert averages.rsi([5.0, 5.0, 5.0], 2)[-1] == 50.0


def test_macd_is_the_difference_of_two_exponential_averages() -> None:
    values = [float(number**2) for number in range(1, 9)]
    lines = averages.macd(values, fast=2, slow=3, signal=2)
    fast, slow = averages.ema(values, 2), averages.ema(values, 3)
    assert lines["MACD"][2:] == [
        pytest.approx(a - b) for a, b in zip(fast[2:], slow[2:], strict=True) if a and b
    ]
    assert lines["MACD_Signal"][3] == pytest.approx((lines["MACD"][2] + lines["MACD"][3]) / 2)  # type: ignore[operator]
    assert lines["MACD_Hist"][3] == pytest.approx(lines["MACD"][3] - lines["MACD_Signal"][3])  # type: ignore[operator]


def test_bollinger_bands_use_the_deviation_of_the_whole_window() -> None:
    bands = averages.bollinger([2.0, 4.0, 6.0], size=3, width=2)
    spread = math.sqrt(8 / 3)
    assert bands["Real Middle Band"][-1] == 4.0
    assert bands["Real Upper Band"][-1] == pytest.approx(4 + 2 * spread)
    assert bands["Real Lower Band"][-1] == pytest.approx(4 - 2 * spread)


def test_indicators_of_whole_bars_by_hand() -> None:
    bars = [bar(9, 11, 10), bar(10, 14, 13, 200), bar(8, 13, 9, 300)]
    assert ranges.true_range(bars) == [2, 4, 5]
    # Over three bars the range is 8 to 14; the close 9 lies 1/6 above the low.
    assert ranges.fast_stochastic(bars, 3)["FastK"][-1] == pytest.approx(100 / 6)
    assert ranges.williams(bars, 3)[-1] == pytest.approx(100 / 6 - 100)
    assert ranges.on_balance_volume(bars) == [100, 300, 0]
    assert ranges.midprice(bars, 3)[-1] == 11.0
    # The highest high was one bar ago, the lowest low is now.
    assert {name: line[-1] for name, line in ranges.aroon(bars, 2).items()} == {
        "Aroon Down": 100.0,
        "Aroon Up": 50.0,
    }
    assert ranges.balance_of_power([bar(8, 12, 11, open_=9)]) == [0.5]
    # Typical prices 10, 37/3, 10: rises with 200, falls with 300.
    up, down = 37 / 3 * 200, 10 * 300
    assert ranges.money_flow(bars, 2)[-1] == pytest.approx(100 * up / (up + down))


def test_volume_weighted_price_starts_anew_each_day() -> None:
    rows = [{**bar(9, 11, 10), "time": "2024-01-02 10:30"}, {**bar(19, 21, 20, 300), "time": "2024-01-02 11:30"},
            {**bar(4, 6, 5), "time": "2024-01-03 10:30"}]  # fmt: skip
    assert ranges.volume_weighted_price(rows) == [10.0, 17.5, 5.0]


def test_every_listed_indicator_is_computed_and_within_its_bounds() -> None:
    bounded = {
        "RSI": (0, 100),
        "MFI": (0, 100),
        "WILLR": (-100, 0),
        "ADX": (0, 100),
        "CMO": (-100, 100),
        "BOP": (-1, 1),
    }
    for symbol in indicators():
        found = ask("Finance/Technical_Indicators/get_technical_indicator_of_ticker", indicator_symbol=symbol,
                    symbol="IBM", interval="hourly")  # fmt: skip
        assert len(found["rows"]) == 25, symbol
        low, high = bounded.get(symbol, (-math.inf, math.inf))
        assert all(low <= value <= high for row in found["rows"] for value in row["values"].values()), symbol


def test_the_tool_averages_the_prices_that_the_price_tool_shows() -> None:
    closes = [
        row["close"]
        for row in ask("Finance/USStockRealTime/get_stock_time_series_daily", symbol="BILI")["rows"]
    ]
    found = ask(
        "Finance/Technical_Indicators/get_technical_indicator_of_ticker",
        indicator_symbol="sma",
        symbol="BILI",
    )
    assert found["rows"][0]["values"]["SMA"] == pytest.approx(sum(closes[:10]) / 10, abs=1e-4)


def test_vwap_of_daily_bars_is_refused_with_advice() -> None:
    observation = call(World.fresh(), "Finance/Technical_Indicators/get_technical_indicator_of_ticker",
                       {"indicator_symbol": "VWAP", "symbol": "IBM", "interval": "daily"})  # fmt: skip
    assert observation.error == "invalid_value"
    assert "hourly" in observation.text


def test_minutes_make_up_the_day_and_days_the_week_and_month() -> None:
    past = prices(3, "IBM").until(date(2024, 5, 31))
    for minutes in (1, 15, 60):
        rows: list[Any] = [{**row, "date": "2024-05-31"} for row in intraday(3, "IBM", past[-1], minutes)]
        assert {**merge(rows, "2024-05-31")} == past[-1]
    assert merge(weekly(past[-5:]), "x") == merge(monthly(past[-5:]), "x") == merge(past[-5:], "x")


def test_services_agree_about_a_company() -> None:
    for seed in (0, 4):
        price = ask("Finance/USStockRealTime/get_stock_quote_endpoint", seed, symbol="AMZN")["price"]
        assert ask("Finance/Yahoo_Finance_stock/get_summary", seed, symbol="AMZN")["price"] == price
        assert ask("Stock/Stock/options_data", seed, ticker="amzn")["price"] == price
        assert ask("Stock/Stock/get_daily_prices", seed, symbol="Amazon", date="2024-05-15")["close"] == price
        assets = ask("Finance/USStockInfo/get_balance_sheet", seed, symbol="AMZN")["annual_reports"][0][
            "total_assets"
        ]
        assert (
            ask("Finance/Yahoo_Finance_stock/get_balance_sheet", seed, symbol="AMZN")["annual"][0][
                "total_assets"
            ]
            == assets
        )


def test_calls_and_puts_are_in_parity() -> None:
    call_value, put_value = black_scholes(100, 95, 0.5, 0.3, 0.05)
    assert call_value - put_value == pytest.approx(100 - 95 * math.exp(-0.025))
    # A textbook case: S=42, K=40, r=10 %, sigma=20 %, half a year gives 4.76 and 0.81.
    assert [round(value, 2) for value in black_scholes(42, 40, 0.5, 0.2, 0.1)] == [4.76, 0.81]


def test_ids_and_names_of_the_queries_exist_under_every_seed() -> None:
    for seed in (0, 11):
        assert ask("Finance/CoinMarketCap/get_exchange_assets", seed, id=270)["exchange"] == "Binance"
        assert ask("Finance/Yahoo_Finance_stock/get_insights", seed, symbol="FB")["symbol"] == "META"
        gone = ask(
            "Finance/USStockInfo/get_listing_and_delisting_status",
            seed,
            allow_delisted=True,
            date="2015-05-20",
        )
        assert max(row["delisting_date"] for row in gone["delisted"]) == "2015-02-02"
        nav = ask("Finance/Latest_Mutual_Fund_NAV/fetch_historical_nav", seed, date="2020-12-31",
                  MutualFundFamily="Axis Mutual Fund", SchemeCategory="Equity Mid Cap")  # fmt: skip
        assert [row["SchemeName"] for row in nav] == ["Axis Midcap Fund - Direct Plan - Growth"]


def test_an_ether_index_without_an_exchange_differs_from_the_index_over_all() -> None:
    tool = "Finance/Global_Ethereum_Price_Index/get_custom_ticker"
    without = ask(tool, symbol="ETHUSD", exchanges=["Bitfinex"], if_include=False)
    only = ask(tool, symbol="ETHUSD", exchanges=["Binance", "Coinbase"], if_include=True)
    assert "Bitfinex" not in without["exchanges"]
    assert only["exchanges"] == ["Binance", "Coinbase"]
    assert len({without["last"], only["last"], ask(tool, symbol="ETHUSD")["last"]}) == 3


def test_time_passes_for_prices_markets_and_reports() -> None:
    world = World.fresh()
    before = call(world, "Finance/USStockRealTime/get_stock_quote_endpoint", {"symbol": "IBM"}).value
    world.advance(9 * 3600)
    assert call(world, "Stock/Stock/get_open_info", {"region": "US"}).value["is_open"] is True
    world.advance(30 * 86400)
    after = call(world, "Finance/USStockRealTime/get_stock_quote_endpoint", {"symbol": "IBM"}).value
    assert (before["latest_trading_day"], after["latest_trading_day"]) == ("2024-05-14", "2024-06-13")
    assert call(world, "Stock/Stock/get_today_date", {}).value["date"] == "2024-06-14"


def test_the_hilbert_transform_finds_the_period_of_a_sine() -> None:
    prices_ = [100 + 5 * math.sin(2 * math.pi * n / 20) for n in range(300)]
    periods = cycles.dominant_period(prices_)
    assert periods[31] is None
    assert periods[-1] == pytest.approx(20, abs=1)
    assert cycles.trend_line(prices_)[-1] == pytest.approx(100, abs=0.5)
