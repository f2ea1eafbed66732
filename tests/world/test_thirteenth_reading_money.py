"""What countries, locales, coins and kinds of events must hold: fields, filters and counts that agree."""

from __future__ import annotations

import json
from typing import Any

from toolyard.world.executor import call
from toolyard.world.state import World
from toolyard.world.worlds.finance.coins import listed_coins
from toolyard.world.worlds.location.geodatabase_lists import _locales

COINS, LAND = "Finance/CoinMarketCap", "Location/Geodatabase"


def _answer(tool: str, **arguments: Any) -> Any:
    return json.loads(call(World.fresh(0), tool, arguments).text)


def test_antarctica_has_no_currency_in_the_field_nor_in_the_filter() -> None:
    rows = _answer(f"{LAND}/find_countries", sort_by="population", limit=100)["items"]
    assert {row["countryCode"]: row["currencyCode"] for row in rows}["AQ"] == ""
    paying = _answer(f"{LAND}/find_countries", currencyCode="USD", limit=100)["items"]
    assert "AQ" not in {row["countryCode"] for row in paying}
    assert {row["currencyCode"] for row in paying} == {"USD"}
    assert _answer(f"{LAND}/get_country_details", countryId="AQ")["country"]["currency"] == ""


def test_the_caribbean_netherlands_have_the_people_of_2024() -> None:
    (row,) = _answer(f"{LAND}/find_countries", namePrefix="Caribbean")["items"]
    assert 30_000 <= row["population"] <= 31_000


def test_locales_include_languages_that_are_listed_with_a_script() -> None:
    codes = [row["code"] for row in _locales()]
    assert {"az_AZ", "bs_BA", "sr_RS", "uz_UZ", "zh_CN", "zh_TW", "pa_IN"} <= {*codes}
    assert codes == sorted({*codes})
    assert {"az_AZ", "bs_BA"} <= {row["code"] for row in _answer(f"{LAND}/get_locales", limit=100)["items"]}


def test_every_coin_with_proof_of_work_is_mineable() -> None:
    assert not [
        row["symbol"] for row in listed_coins() if "pow" in row["tags"] and "mineable" not in row["tags"]
    ]
    found = [row["symbol"] for row in _answer(f"{COINS}/get_cryptocurrency_category", id="mineable")["coins"]]
    assert found[found.index("ETC") : found.index("XEC")] == ["ETC", "KAS", "XMR", "BSV"]


def test_the_refusal_of_a_coin_counts_none() -> None:
    message = _answer(f"{COINS}/get_cryptocurrency_categories", symbol=["ZZZQ"])["error"]["message"]
    assert "BTC" in message
    assert "in all" not in message


def test_bitconnect_has_its_id() -> None:
    (row,) = _answer(f"{COINS}/get_cryptocurrency_coinmarketcap_id_map", symbol=["BCC"])
    assert row["id"] == 1513


def test_the_refusal_of_a_kind_of_event_counts_all_that_the_search_lists() -> None:
    rows: list[dict[str, str]] = []
    for number in range(20):
        page = _answer("Location/Ticket/classification_search", size=25, page=number)["items"]
        rows += page
        if not page:
            break
    ids = {row[key] for row in rows for key in ("segment_id", "genre_id", "subgenre_id")}
    refused = _answer("Location/Ticket/get_claasificatioin_details", id="KZnothing000")["error"]["message"]
    assert f"({len(ids)} in all)" in refused
