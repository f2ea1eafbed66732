"""What a fourth stranger found false or odd in a hundred tools, and how it is now."""

from __future__ import annotations

from typing import Any

import pytest

from toolyard.world import World, call


def said(tool: str, **arguments: Any) -> Any:
    """What a tool answers in a fresh world; a fault is a failure of the test."""
    answer = call(World.fresh(seed=0), tool, arguments)
    assert answer.error is None, answer.text
    return answer.value


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("Search/CostumizeSearch/google_autocomplete_search", {"query": " "}),
        ("Search/EngineSearch/google_related_question_search", {"query": ""}),
        ("Entertainment/Google_play_store/games_related_searches", {"q": ""}),
        ("Paper/pubmed/pubmed_query_run", {"query": ""}),
    ],
)
def test_a_blank_search_is_refused(tool: str, arguments: dict[str, str]) -> None:
    assert call(World.fresh(seed=0), tool, arguments).error == "invalid_value"


def test_currencies_have_the_ids_of_coinmarketcap() -> None:
    rows = said("Finance/CoinMarketCap/get_coinmarketmap_id_map_fiat", limit=200)
    ids = {row["symbol"]: row["id"] for row in rows}
    assert (ids["USD"], ids["CHF"], ids["EUR"], ids["GBP"], ids["AED"]) == (2781, 2785, 2790, 2791, 2813)
    assert len(set(ids.values())) == len(ids)
    assert [row["symbol"] for row in rows if row["sign"] == row["symbol"]] == []


def test_fuels_and_drives_have_the_numbers_of_the_catalogue() -> None:
    def numbers(variable: str) -> dict[str, int]:
        rows = said("Vehicle/Vehicle/get_vehicle_variable_values", variable=variable)
        return {row["name"]: row["id"] for row in rows}

    fuels = numbers("Fuel Type - Primary")
    assert (fuels["Gasoline"], fuels["Diesel"], fuels["Electric"]) == (4, 1, 2)
    assert numbers("Drive Type")["FWD/Front-Wheel Drive"] == 1
    assert numbers("Vehicle Type")["Passenger Car"] == 2


def test_lines_are_grouped_and_named_by_the_words_they_share() -> None:
    text = (
        "Heavy rain flooded the streets\nThe new phone has a better camera\nStorm and rain closed the airport\n"
        "A camera phone for under 200 dollars\nRain expected all weekend"
    )
    rows = said("NLP/NLP/text_cluster", txt=text)
    assert [row["lines"] for row in rows] == [[1, 3, 5], [2, 4]]
    assert rows[0]["title"] == "rain"
    assert set(rows[1]["title"].split()) == {"phone", "camera"}


@pytest.mark.parametrize("symbol", ["WMT", "MSFT"])
def test_insiders_trades_are_of_the_last_year(symbol: str) -> None:
    rows = said("Finance/Yahoo_Finance_stock/get_insider_transactions", symbol=symbol)["transactions"]
    assert rows
    assert min(row["date"] for row in rows) >= "2023-05-15"


def test_a_new_company_takes_a_free_ticker() -> None:
    from toolyard.world.shared.companies import company_or_none

    symbols = [row["symbol"] for row in said("Finance/USStockInfo/get_ipo_calendar")]
    assert [symbol for symbol in symbols if company_or_none(symbol)] == []
    assert len(set(symbols)) == len(symbols)


def test_a_company_does_not_lie_in_itself() -> None:
    rows = said("Entity/Wiki_data/find_entity", input="Q53268")["statements"]
    seat = next(row for row in rows if row["relation"] == "headquarters location")
    assert (seat["value"], seat["value_id"]) == ("Toyota", None)


@pytest.mark.parametrize("board", ["an", "ck"])
def test_threads_are_numbered_in_the_order_in_which_they_were_opened(board: str) -> None:
    rows = [
        row
        for page in (1, 2)
        for row in said("Social/chan/get_catalog", board=board, page=page, limit=15)["threads"]
    ]
    by_number = sorted(rows, key=lambda row: row["no"])
    assert [row["time"] for row in by_number] == sorted(row["time"] for row in rows)


def test_a_question_is_not_an_author() -> None:
    rows = said("Paper/pubmed/pubmed_query_run", query="malaria vaccine in African children")
    assert rows
    assert all("malaria" in row["title"].lower() for row in rows)
    assert not [name for row in rows for name in row["authors"] if "malaria" in name.lower()]


def test_the_store_of_the_mac_lists_what_it_has() -> None:
    rows = said("Product/Apple_Product/apple_app_store_search", term="Spotify", device="desktop", num=20)
    assert not {"Netflix", "YouTube", "Spotify"} & {row["title"] for row in rows["items"]}


@pytest.mark.parametrize(
    ("symbol", "closed"),
    [("SAP.DE", {"2024-04-01", "2024-05-01"}), ("^N225", {"2024-04-29", "2024-05-03", "2024-05-06"})],
)
def test_frankfurt_and_tokyo_keep_the_holidays_of_their_country(symbol: str, closed: set[str]) -> None:
    rows = said("Finance/Yahoo_Finance_stock/get_historical_data", symbol=symbol)["prices"]
    assert len(rows) == 45
    assert not closed & {row["date"] for row in rows}
    assert "2024-05-02" in {row["date"] for row in rows}
