"""Markets, prices, shops and food: amounts that add up, figures within bounds, indicators worked out by hand."""

import math
from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import cases, each_case
from toolyard.world import World, call
from toolyard.world.kernel.state import EPOCH
from toolyard.world.reference.companies import companies, find_company
from toolyard.world.reference.listed_companies import directory
from toolyard.world.simulated.finance import averages
from toolyard.world.simulated.finance.bars import merge, minute_bars, monthly_bars, weekly_bars
from toolyard.world.simulated.finance.coins import (
    WORTH,
    coin_exchanges,
    coin_quote,
    coin_supply,
    listed_coins,
    volume_share,
)
from toolyard.world.simulated.finance.options import black_scholes_prices
from toolyard.world.simulated.finance.rates import exchange_rate
from toolyard.world.simulated.finance.statements import coming_quarters, fiscal_years, last_quarters
from toolyard.world.simulated.food.ingredients import all_ingredients, price_cents
from toolyard.world.simulated.food.instructions import count_minutes
from toolyard.world.simulated.food.measures import read_line
from toolyard.world.simulated.food.nutrients import NUTRIENTS
from toolyard.world.simulated.food.products import all_products, articles, check_digit
from toolyard.world.simulated.food.recipes import SERVINGS, all_dishes, recipes
from toolyard.world.simulated.prices import (
    BOUNDS,
    PRICES,
    current_units_per_dollar,
    share_bars,
    share_level,
)
from toolyard.world.simulated.product.goods import PRICE_FACTORS, RATINGS, STARS, goods, rating, store_offers
from toolyard.world.simulated.product.shop_catalogue import shop_catalogue
from toolyard.world.simulated.series import Bar
from toolyard.world.tools.finance import bar_indicators as ranges
from toolyard.world.tools.finance import technical as cycles
from toolyard.world.tools.finance.technical import indicators
from toolyard.world.tools.food.menus import CENTS, menu_items
from toolyard.world.tools.food.wines import PRICES as WINE_PRICES
from toolyard.world.tools.food.wines import all_wines, bottles
from world_answers import ask


def bar(low: float, high: float, close: float, volume: int = 100, open_: float | None = None) -> Bar:
    return {
        "date": "2024-01-02",
        "open": close if open_ is None else open_,
        "high": high,
        "low": low,
        "close": close,
        "volume": volume,
    }


def test_indicators_of_closing_prices_by_hand() -> None:
    values = [1.0, 2.0, 3.0, 4.0, 8.0]
    assert averages.simple_mean(values, 3) == [None, None, 2.0, 3.0, 5.0]
    # Starts at the mean 2 of the first three; weight 1/2: (4+2)/2 = 3, (8+3)/2 = 5.5.
    assert averages.ema(values, 3) == [None, None, 2.0, 3.0, 5.5]
    # (1*1 + 2*2 + 3*3) / 6, (1*2 + 2*3 + 3*4) / 6, (1*3 + 2*4 + 3*8) / 6
    assert averages.weighted_average(values, 3) == [
        None,
        None,
        pytest.approx(14 / 6),
        pytest.approx(20 / 6),
        pytest.approx(35 / 6),
    ]
    assert averages.momentum(values, 2) == [None, None, 2.0, 2.0, 5.0]
    assert averages.rate_of_change(values, 4)[-1] == 700.0
    # Steps +1, -1, +2: mean gain 1/2, mean loss 1/2 over two; then gain (1/2+2)/2 = 1.25, loss 1/4.
    assert averages.rsi([10.0, 11.0, 10.0, 12.0], 2) == [None, None, 50.0, pytest.approx(100 * 1.25 / 1.5)]
    assert averages.rsi([1.0, 2.0, 3.0], 2)[-1] == 100.0
    assert averages.rsi([5.0, 5.0, 5.0], 2)[-1] == 50.0
    values = [float(number**2) for number in range(1, 9)]
    lines = averages.macd(values, fast=2, slow=3, signal=2)
    fast, slow = averages.ema(values, 2), averages.ema(values, 3)
    assert lines["MACD"][2:] == [
        pytest.approx(a - b) for a, b in zip(fast[2:], slow[2:], strict=True) if a and b
    ]
    assert lines["MACD_Signal"][3] == pytest.approx((lines["MACD"][2] + lines["MACD"][3]) / 2)  # type: ignore[operator]
    assert lines["MACD_Hist"][3] == pytest.approx(lines["MACD"][3] - lines["MACD_Signal"][3])  # type: ignore[operator]
    bands = averages.bollinger_bands([2.0, 4.0, 6.0], size=3, width=2)
    spread = math.sqrt(8 / 3)
    assert bands["Real Middle Band"][-1] == 4.0
    assert bands["Real Upper Band"][-1] == pytest.approx(4 + 2 * spread)
    assert bands["Real Lower Band"][-1] == pytest.approx(4 - 2 * spread)


def test_indicators_of_whole_bars_by_hand() -> None:
    bars = [bar(9, 11, 10), bar(10, 14, 13, 200), bar(8, 13, 9, 300)]
    assert ranges.true_range(bars) == [2, 4, 5]
    # Over three bars the range is 8 to 14; the close 9 lies 1/6 above the low.
    assert ranges.fast_stochastic(bars, 3)["FastK"][-1] == pytest.approx(100 / 6)
    assert ranges.williams_percent_range(bars, 3)[-1] == pytest.approx(100 / 6 - 100)
    assert ranges.on_balance_volume(bars) == [100, 300, 0]
    assert ranges.window_midprice(bars, 3)[-1] == 11.0
    # The highest high was one bar ago, the lowest low is now.
    assert {name: line[-1] for name, line in ranges.aroon_lines(bars, 2).items()} == {
        "Aroon Down": 100.0,
        "Aroon Up": 50.0,
    }
    assert ranges.balance_of_power([bar(8, 12, 11, open_=9)]) == [0.5]
    # Typical prices 10, 37/3, 10: rises with 200, falls with 300.
    up, down = 37 / 3 * 200, 10 * 300
    assert ranges.money_flow_index(bars, 2)[-1] == pytest.approx(100 * up / (up + down))
    rows = [{**bar(9, 11, 10), "time": "2024-01-02 10:30"}, {**bar(19, 21, 20, 300), "time": "2024-01-02 11:30"},
            {**bar(4, 6, 5), "time": "2024-01-03 10:30"}]  # fmt: skip
    assert ranges.volume_weighted_price(rows) == [10.0, 17.5, 5.0]


def test_every_listed_indicator_is_computed_and_within_its_bounds() -> None:
    bounded = cases(__file__, "every_listed_indicator_is_computed_and_within_its_bounds")
    for symbol in indicators():
        found = ask("Finance/Technical_Indicators/get_technical_indicator_of_ticker", indicator_symbol=symbol,
                    symbol="IBM", interval="hourly")  # fmt: skip
        assert len(found["rows"]) == 25, symbol
        low, high = bounded.get(symbol, (-math.inf, math.inf))
        assert all(low <= value <= high for row in found["rows"] for value in row["values"].values()), symbol


def test_minutes_make_up_the_day_and_days_the_week_and_month() -> None:
    past = share_bars(3, "IBM").until(date(2024, 5, 31))
    for minutes in (1, 15, 60):
        rows: list[Any] = [{**row, "date": "2024-05-31"} for row in minute_bars(3, "IBM", past[-1], minutes)]
        assert {**merge(rows, "2024-05-31")} == past[-1]
    assert merge(weekly_bars(past[-5:]), "x") == merge(monthly_bars(past[-5:]), "x") == merge(past[-5:], "x")


def test_calls_and_puts_are_in_parity() -> None:
    call_value, put_value = black_scholes_prices(100, 95, 0.5, 0.3, 0.05)
    assert call_value - put_value == pytest.approx(100 - 95 * math.exp(-0.025))
    # A textbook case: S=42, K=40, r=10 %, sigma=20 %, half a year gives 4.76 and 0.81.
    assert [round(value, 2) for value in black_scholes_prices(42, 40, 0.5, 0.2, 0.1)] == [4.76, 0.81]


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


SEEDS = (0, 1, 7)
# Any listed company: some of the best known, and some from all over the directory.
TICKERS = [row["ticker"] for row in companies()[::16]] + [row["ticker"] for row in directory().rows[::900]]


@pytest.mark.parametrize("seed", SEEDS)
def test_levels_lie_inside_their_bounds_and_bars_end_at_them(seed: int) -> None:
    for ticker in TICKERS:
        company, found = find_company(ticker), share_level(seed, ticker)
        dollars = found.price / current_units_per_dollar().get(company["currency"], 1.0)
        assert PRICES["EQUITY"][0] * 0.99 <= dollars <= PRICES["EQUITY"][1] * 1.01
        for name in ("volatility", "beta", "shares", "margin", "payout"):
            low, high = BOUNDS[name]
            assert low * 0.99 <= getattr(found, name) <= high * 1.01, (ticker, name)
        bars = share_bars(seed, ticker).until(date(2024, 5, 15))
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
        rows = last_quarters(seed, ticker)
        for row in (*rows, *fiscal_years(seed, ticker)):
            assert row.revenue == row.cost_of_revenue + row.gross_profit
            assert row.gross_profit == row.operating_expenses + row.operating_income
            assert row.operating_income == row.tax + row.net_income
            assert row.total_assets == row.total_liabilities + row.equity
            assert row.free_cash_flow == row.operating_cash_flow - row.capital_expenditure
            assert min(row.revenue, row.cost_of_revenue, row.net_income, row.equity, row.cash) > 0
            assert row.end < row.reported < date(2024, 5, 15)
        for year in fiscal_years(seed, ticker):
            parts = [row for row in rows if 0 <= (year.end - row.end).days < 360]
            assert len(parts) == 4
            assert year.net_income == sum(row.net_income for row in parts)
        assert all(row.reported >= date(2024, 5, 15) for row in coming_quarters(seed, ticker, 4))


@pytest.mark.parametrize("seed", SEEDS)
def test_coins_are_worth_their_units(seed: int) -> None:
    world = World.fresh(seed)
    rows = [row for row in listed_coins() if row.active]
    for row in rows:
        found = coin_quote(world, row)
        assert found["market_cap"] == pytest.approx(found["price"] * coin_supply(seed, row), abs=1)
        assert row.max_supply is None or coin_supply(seed, row) <= row.max_supply
        assert WORTH[0] / 3 < found["market_cap"] < WORTH[1] * 3, row.symbol
    listing = ask("Finance/CoinMarketCap/get_cryptocurrency_listing_latest", seed, limit=200)
    assert [row["cmc_rank"] for row in listing["items"]] == [*range(1, len(listing["items"]) + 1)]
    assert sum(volume_share(seed, row) for row in coin_exchanges()) == pytest.approx(1)


def test_cross_rates_agree_over_every_way() -> None:
    for day in (date(2012, 3, 4), date(2020, 5, 20), date(2024, 5, 15)):
        over = exchange_rate("GBP", "JPY", day) * exchange_rate("JPY", "INR", day)
        assert exchange_rate("GBP", "INR", day) == pytest.approx(over)
        assert exchange_rate("EUR", "DKK", day) == pytest.approx(7.46, rel=0.01)


GOOGLE = "Product/Google_Product"


def test_a_token_of_the_search_opens_the_product_it_came_with() -> None:
    for row in ask(f"{GOOGLE}/google_shopping_search", query="headphones")["shopping_results"]:
        opened = ask(f"{GOOGLE}/google_immersive_product_search", page_token=row["immersive_page_token"])
        assert (opened["product_id"], opened["query"]) == (row["product_id"], "headphones")


@pytest.mark.parametrize("token", ["", "%%%", "AAAA", "W10=", "eyJjYXRhbG9naWQiOiI1In0="])
def test_other_tokens_are_refused(token: str) -> None:
    observation = call(World.fresh(), f"{GOOGLE}/google_immersive_product_search", {"page_token": token})
    assert observation.error in ("invalid_value", "not_found")


@pytest.mark.parametrize("seed", [0, 1, 7])
def test_goods_are_within_their_bounds_and_shops_show_them(seed: int) -> None:
    low, high = PRICE_FACTORS
    for good, listed in zip(goods(seed), shop_catalogue(), strict=False):
        assert good["product_id"] == listed["product_id"]
        assert low * listed["cents"] - 1 <= good["cents"] <= high * listed["cents"] + 1
    for good in goods(seed)[seed::997]:
        stars, count = rating(seed, good)
        assert STARS[0] <= stars <= STARS[1] and RATINGS[0] <= count <= RATINGS[1]
        prices = [offer["price"]["amount"] for offer in store_offers(seed, good)]
        assert prices == sorted(prices) and prices[-1] <= good["cents"] / 100 + 0.01
        page = ask("Product/Google_Product/google_product_search", seed, product_id=good["product_id"])
        assert page["price_range_usd"] == [prices[0], prices[-1]]
        assert (page["rating"], page["reviews"]) == (stars, count)


@each_case("line, amount, unit, name, grams")
def test_ingredient_lines_are_weighed(line: str, amount: float, unit: str, name: str, grams: float) -> None:
    read = read_line(line)
    assert read is not None
    assert (read.amount, read.unit, read.ingredient.name) == (amount, unit, name)
    assert read.grams == pytest.approx(grams, abs=0.5)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=80))
def test_no_ingredient_line_raises(text: str) -> None:
    read = read_line(text)
    assert read is None or read.grams >= 0


def test_energy_of_ingredients_agrees_with_their_macronutrients() -> None:
    """4, 9 and 4 kcal per gram hold within 15 % or 20 kcal; alcohol, fibre-rich spices and yeast aside."""
    odd = {"spice", "herb", "baking", "beverage"}
    for row in all_ingredients():
        facts = row.per_100g
        if row.category in odd:
            continue
        energy = 4 * facts["protein"] + 9 * facts["fat"] + 4 * (facts["carbs"] - facts["fiber"] / 2)
        assert facts["calories"] == pytest.approx(energy, rel=0.15, abs=20), row.name


def test_conversion_goes_there_and_back() -> None:
    there = ask(
        "Food/spoonacular_ingredient/convert_amounts",
        ingredientName="flour",
        sourceAmount=2,
        sourceUnit="cups",
        targetUnit="grams",
    )
    assert there["targetAmount"] == 250
    back = ask(
        "Food/spoonacular_ingredient/convert_amounts",
        ingredientName="flour",
        sourceAmount=250,
        sourceUnit="g",
        targetUnit="cup",
    )
    assert back["targetAmount"] == pytest.approx(2)


SEEDS_FOOD = pytest.mark.parametrize("seed", [0, 1, 7])


@SEEDS_FOOD
def test_the_figures_of_recipes_are_in_bounds_and_add_up(seed: int) -> None:
    rows = recipes(seed)
    assert len({row.id for row in rows}) == len(rows) == len(all_dishes())
    assert {716429, 69095} <= {row.id for row in rows}
    for row in rows:
        for kind in NUTRIENTS:
            total = sum(line.grams * line.ingredient.per_100g[kind.key] / 100 for line in row.lines)
            assert row.nutrients[kind.key] == pytest.approx(total / row.servings, abs=0.001), row.title
        prices = [round(price_cents(seed, line.ingredient, line.grams)) for line in row.lines]
        assert row.price_per_serving == pytest.approx(sum(prices) / row.servings, abs=0.01)
        assert 10 <= row.minutes - sum(map(count_minutes, row.steps)) <= 60
        assert row.servings in SERVINGS and 0 <= row.nutrients["calories"] < 2500
        assert 0 <= row.liked <= row.likes and 0 <= row.health <= 100
        assert row.approved_at < EPOCH.timestamp()
        assert "vegan" not in row.diets or not set("mfhde") & set(row.flags)


@SEEDS_FOOD
def test_the_figures_of_products_menus_and_wines_are_in_bounds_and_add_up(seed: int) -> None:
    assert len({row.id for row in all_products(seed)}) == len(all_products(seed)) == len(articles())
    for row in all_products(seed):
        assert sum(share for _, share in row.parts) == pytest.approx(100, abs=0.5)
        protein = sum(food.per_100g["protein"] * share / 100 for food, share in row.parts)
        assert row.nutrients["protein"] == pytest.approx(protein * row.serving_grams / 100, abs=0.01)
        assert 0 < row.serving_grams <= row.package_grams and row.cents >= 49
    for item in menu_items(seed):
        assert item.calories == 4 * item.protein + 9 * item.fat + 4 * item.carbs
        assert item.grams > item.protein + item.fat + item.carbs and CENTS[0] <= item.cents < CENTS[1]
    for wine in all_wines():
        ratings = [row["averageRating"] for row in bottles(seed, wine)]
        assert ratings == sorted(ratings, reverse=True)
        assert all(WINE_PRICES[0] <= row["price"]["amount"] <= WINE_PRICES[1] for row in bottles(seed, wine))


@pytest.mark.parametrize(
    "name", ["motor oil", "moon cheese", "Professor Finkelwhistle", "unicorn meat", "xyzzy"]
)
def test_what_is_no_food_is_refused(name: str) -> None:
    for tool, parameter in (("get_ingredient_substitutes", "ingredientName"), ("wine_pairing", "food")):
        assert call(World.fresh(), tool, {parameter: name}).error == "not_found"
    assert ask("Food/spoonacular_products/search_grocery_products", query=name)["total"] == 0


def test_product_codes_have_right_check_digits_and_lead_back() -> None:
    for row in all_products(0):
        assert check_digit(row.upc[:11]) == row.upc[11]
    assert len({row.upc for row in all_products(0)}) == len(all_products(0))
    upc = all_products(0)[3].upc
    found = ask("Food/spoonacular_products/search_grocery_products_by_UPC", upc=upc)
    assert found["id"] == all_products(0)[3].id
    wrong = upc[:11] + str((int(upc[11]) + 1) % 10)
    observation = call(World.fresh(), "Food/spoonacular_products/get_comparable_products", {"upc": wrong})
    assert observation.error == "invalid_value"


def test_body_formulas_give_published_figures() -> None:
    health = "Health/Fitness_Calculator"
    man = {"age": 25, "gender": "male", "height": 180, "weight": 70, "activitylevel": "level_3"}
    need = ask(f"{health}/get_daily_calory_requirement", **man)
    assert need["basal_metabolic_rate"] == 10 * 70 + 6.25 * 180 - 5 * 25 + 5
    assert need["goals"][0]["calories"] == round(1705 * 1.465)
    assert ask(f"{health}/get_bmi", age=42, height=180, weight=90)["bmi"] == 27.78
    assert ask(f"{health}/get_ideal_weight", gender="male", height=180)["devine"] == 74.99
    burned = ask(f"{health}/get_calories_burned", activityid="ru_1", activitymin=30, weight=80)
    assert burned["burned_kcal"] == pytest.approx(8.3 * 3.5 * 80 / 200 * 30, abs=0.1)
    plans = ask(f"{health}/get_macro_nutrients_amount", **man, goal="weightlose")
    for name in ("balanced", "lowfat", "lowcarbs", "highprotein"):
        plan = plans[name]
        energy = 4 * plan["protein"] + 9 * plan["fat"] + 4 * plan["carbs"]
        assert energy == pytest.approx(plans["calories"], rel=0.005)
