"""What a reader of boards, collectives, books, rents and invented rows found at fault, and must not find again."""

from __future__ import annotations

import itertools
import re
from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.state import World
from toolyard.world.tables import read_table
from toolyard.world.worlds.social.chan_threads import threads_of


def answer(tool: str, **arguments: Any) -> Any:
    """What a tool answers in a fresh world."""
    return call(World.fresh(0), tool, arguments).value


def test_no_reply_is_written_twice_in_a_thread_and_six_are_written() -> None:
    for row in read_table("chan_written.tsv"):
        replies = row["replies"].split("|")
        assert len(set(replies)) == len(replies) == 6, row["subject"]


def test_no_written_thread_is_on_a_board_twice() -> None:
    written = {row["opener"] for row in read_table("chan_written.tsv")}
    opened = [one.text for part in threads_of(0, "g") for one in part if one.text in written]
    assert len(opened) == len(set(opened))


def test_threads_of_long_ago_are_written_out() -> None:
    thread = answer("Social/chan/get_posts", board="tg", thread_no=789123)
    assert thread["posts"][0]["com"] in {
        row["opener"] for row in read_table("chan_written.tsv") if row["board"] == "tg"
    }


def money(slug: str, **more: Any) -> list[Any]:
    found = answer("Social/Open_Collective/get_transactions", collectiveSlug=slug, limit=50, **more)
    return list(found["items"])


def test_nobody_is_called_a_maintainer_who_is_none() -> None:
    rows = money("curl", type="DEBIT", includeVirtualCards=True)
    assert {row["description"] for row in rows if not row["virtual_card"]} <= {
        "Development", "Documentation", "Triage of issues", "Design work",
    }  # fmt: skip
    assert "daniel-stenberg" not in str(rows)


def test_each_contractor_does_one_kind_of_work_and_cards_pay_shops() -> None:
    rows = money("babel", type="DEBIT", includeVirtualCards=True)
    work: dict[str, set[str]] = {}
    for row in rows:
        work.setdefault(row["counterparty"], set()).add(row["description"])
    assert all(len(kinds) == 1 for kinds in work.values())
    shops = {row["counterparty"].rpartition("-")[2] for row in rows if row["virtual_card"]}
    assert shops
    assert shops <= {"hosting", "domains", "travel", "print"}


def test_a_local_group_pays_its_rent_and_no_fortune_for_a_server() -> None:
    purposes = [row["description"] for row in money("riverbank-repair-cafe", type="DEBIT")]
    assert "Rent of rooms" in purposes
    assert "Hosting" not in purposes


def test_ids_of_members_rise_with_the_day_they_joined() -> None:
    rows = answer("Social/Open_Collective/get_members", collectiveSlug="vuejs", limit=50)["items"]
    backers = [(row["member_id"], row["since"]) for row in rows if row["role"] == "BACKER"]
    assert backers == sorted(backers)
    assert [since for _, since in backers] == sorted(since for _, since in backers)


def books(**arguments: Any) -> list[Any]:
    return list(answer("Database/non_local/gutendex", **arguments)["items"])


def test_there_are_no_made_up_translations() -> None:
    assert books(languages=["ko"]) == []
    assert "error" in call(World.fresh(0), "Database/non_local/gutendex", {"id": 900858}).text


def test_an_edition_without_subjects_has_those_of_another() -> None:
    assert books(id=42671)[0]["subjects"] == books(id=1342)[0]["subjects"]
    assert books(id=34079)[0]["subjects"] == []


@pytest.mark.parametrize("topic", ["cookery", "sci-fi", "romance"])
def test_topics_are_found_under_other_names(topic: str) -> None:
    assert len(books(topic=topic)) == 10


def test_downloads_are_counted_to_one() -> None:
    assert [row["download_count"] for row in books() if row["download_count"] % 1000 == 0] == []


@pytest.mark.parametrize(
    ("title", "lines"),
    [("The Tyger", 24), ("Because I could not stop for Death", 20), ("The New Colossus", 14)],
)
def test_poems_that_everybody_asks_for(title: str, lines: int) -> None:
    (poem,) = answer("Database/non_local/poetry", input_field=["title"], search_term=[title])
    assert poem["linecount"] == lines


def rent(**arguments: Any) -> Any:
    return answer("Database/non_local/rent_estimate", **arguments)


def test_comparable_homes_lie_on_many_streets() -> None:
    found = rent(address="Boise, ID", compCount=25)["comparables"]
    streets = {re.sub(r"^\d+ ", "", row["address"]) for row in found}
    assert len(streets) >= 10
    other = {
        re.sub(r"^\d+ ", "", row["address"]) for row in rent(address="Tulsa, OK", compCount=25)["comparables"]
    }
    assert {one.partition(",")[0] for one in streets} != {one.partition(",")[0] for one in other}


def test_a_town_beside_a_dear_city_is_dear() -> None:
    assert rent(address="500 S Buena Vista St, Burbank, CA", propertyType="Studio")["rent"] > 1400


def rows(resource: str, **more: Any) -> list[Any]:
    return list(answer("Faker/fake_data/fake_data", resource=resource, _seed=5, **more)["data"])


def test_american_phones_have_the_area_code_of_their_city() -> None:
    found = {row["city"]: row["phone"][3:6] for row in rows("persons", _quantity=100)}
    known = {"Boston": "617", "Miami": "305", "Chicago": "312", "Seattle": "206", "Denver": "303"}
    assert {city: code for city, code in found.items() if city in known} == {
        city: code for city, code in known.items() if city in found
    }
    assert len(set(found.values())) > 10


def test_titles_fit_the_kind_of_book() -> None:
    found = rows("books", _quantity=60)
    assert len({row["title"] for row in found}) > 50
    assert not [row for row in found if row["genre"] == "Biography" and row["title"].startswith("The Quiet")]


def test_german_streets_are_short_and_hyphened() -> None:
    streets = [row["street"] for row in rows("addresses", _locale="de_DE", _quantity=60)]
    assert all(int(re.findall(r"\d+", street)[-1]) <= 180 for street in streets)
    assert not [street for street in streets if "-" in street and street.count(" ") > 1]


def test_a_job_is_told_in_one_form() -> None:
    found = answer(
        "Faker/fake_data/fake_data_custom",
        custom_fields={"j": "job"},
        _locale="fr_FR",
        _quantity=100,
        _seed=1,
    )
    for row in found["rows"]:
        words = row["j"].split()
        assert not [1 for one, other in itertools.pairwise(words) if len(one) > 3 and other.startswith(one)]


def holidays(code: str, year: int) -> dict[str, str]:
    found = answer("Calendar/Calendar/public_holidays", year=year, countryCode=code)
    return {row["date"]: row["name"] for row in found}


def test_holidays_that_are_past_are_not_estimated() -> None:
    jordan = holidays("JO", 2024)
    assert jordan["2024-04-10"] == "Eid al-Fitr"
    assert jordan["2024-06-16"] == "Eid al-Adha (estimated)"


def test_australia_has_a_monday_for_a_holiday_on_a_weekend() -> None:
    assert holidays("AU", 2025)["2025-01-27"] == "Australia Day (observed)"
    assert holidays("AU", 2022)["2022-12-27"] == "Christmas Day (observed)"


def test_lebanon_was_freed_on_the_25th_of_may() -> None:
    assert holidays("LB", 2024)["2024-05-25"] == "Resistance and Liberation Day"
    assert "2024-05-12" not in holidays("LB", 2024)


def test_antarctica_has_neither_money_nor_language() -> None:
    found = answer("Calendar/Calendar/country_info", countryCode="AQ")
    assert (found["currency"], found["languages"]) == ("", [])


def custom(locale: str, kind: str) -> list[str]:
    found = answer(
        "Faker/fake_data/fake_data_custom", custom_fields={"x": kind}, _locale=locale, _quantity=60, _seed=2
    )
    return [row["x"] for row in found["rows"]]


def test_streets_and_firms_are_those_of_their_language() -> None:
    assert not [one for one in custom("ko_KR", "street_address") if "특별시" in one or "도 " in one]
    assert not [one for one in custom("ar_SA", "street_address") if re.search(r"[A-Za-z]", one)]
    assert not [one for one in custom("ar_SA", "company_name") if " and " in one]
    assert not [one for one in custom("en_AU", "street_address") if re.match(r"0\b", one)]
    assert all("«" in one for one in custom("ru_RU", "company_name"))
    assert not {"Copy", "Make"} & {*custom("de_CH", "job")}
    assert not [one for one in custom("en_GB", "street_address") if "Stravenue" in one]


def test_post_codes_of_kochi_and_prague() -> None:
    for locale, city, begin in (("en_IN", "Kochi", "682"), ("cs_CZ", "Prague", "1")):
        found = rows("addresses", _locale=locale, _quantity=60)
        assert all(row["postcode"].startswith(begin) for row in found if row["city"] == city)


def test_an_event_is_held_by_the_group_and_told_by_its_kind() -> None:
    given = {"collectiveSlug": "harbour-code-club", "eventSlug": "harbour-code-club-volunteers-evening-2024"}
    host = answer("Social/Open_Collective/get_attendees_list", **given)["items"][0]
    admins = answer("Social/Open_Collective/get_members", collectiveSlug="harbour-code-club", limit=3)[
        "items"
    ]
    assert host["name"] in {one["name"] for one in admins}
    assert "soup" in answer("Social/Open_Collective/get_event_info", **given)["description"]


def test_nobody_ranks_prices_or_laughs_about_turnout() -> None:
    opened = {one.text for part in threads_of(0, "pol") for one in part}
    assert not [text for text in opened if "Rank them. Energy prices" in text or "laughs about voter" in text]
