"""Image board and collectives: lists agree with threads, income with transactions."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from toolyard.world import World, call
from toolyard.world.kernel.state import EPOCH
from toolyard.world.simulated.collection import resources
from toolyard.world.simulated.collectives import ADMINS, collectives, events_of, members_of, sums_of


def ask(tool: str, **arguments: Any) -> Any:
    observation = call(World.fresh(), f"Social/{tool}", arguments)
    assert observation.error is None, observation.text
    return observation.value


@pytest.mark.parametrize(
    ("board", "thread"), [("vg", 123456), ("vg", 456789), ("tg", 789123), ("d", 789123), ("b", 789123)]
)
def test_threads_that_the_benchmark_queries_name_are_readable(board: str, thread: int) -> None:
    found = ask("chan/get_posts", board=board, thread_no=thread)
    assert found["archived"] and len(found["posts"]) > 1


def test_threads_come_in_order_of_their_last_reply() -> None:
    times = [
        row["last_modified"]
        for number in range(1, 11)
        for row in ask("chan/get_threads", board="pol", page=number)["threads"]
    ]
    assert times == sorted(times, reverse=True)
    assert len(times) >= 6


def test_catalogue_and_preview_show_the_same_threads() -> None:
    catalogue = ask("chan/get_catalog", board="mu", limit=5, offset=2)["threads"]
    preview = ask("chan/get_threads_with_preview", board="mu", limit=5, offset=2)["threads"]
    assert [row["no"] for row in catalogue] == [row["no"] for row in preview]
    for one, other in zip(catalogue, preview, strict=True):
        assert one["replies"] == other["omitted_posts"] + len(other["posts"]) - 1


def test_archived_threads_are_closed() -> None:
    number = ask("chan/get_archive", board="lit")["threads"][0]
    thread = ask("chan/get_posts", board="lit", thread_no=number)
    assert (thread["closed"], thread["archived"]) == (True, True)


def test_a_page_beyond_the_last_is_not_found() -> None:
    assert call(World.fresh(), "Social/chan/get_threads", {"board": "g", "page": 11}).error == "not_found"
    assert call(World.fresh(), "Social/chan/get_posts", {"board": "g", "thread_no": 5}).error == "not_found"


def all_transactions(slug: str, **arguments: Any) -> list[Any]:
    rows: list[Any] = []
    while True:
        found = ask(
            "Open_Collective/get_transactions", collectiveSlug=slug, limit=50, offset=len(rows), **arguments
        )
        rows += found["items"]
        if len(rows) == found["total"]:
            return rows


def test_income_and_balance_of_webpack_are_sums_of_its_transactions() -> None:
    info = ask("Open_Collective/get_collective_info", collectiveSlug="webpack")
    rows = all_transactions("webpack", includeVirtualCards=True)
    assert info["balance"] == sum(row["amount"] for row in rows)
    assert info["yearlyIncome"] == sum(
        row["amount"] for row in rows if row["amount"] > 0 and row["date"] > "2023-05-16"
    )
    assert 0 < info["yearlyIncome"] < info["total_raised"]


def test_gifts_of_members_are_what_they_transferred() -> None:
    given = ask("Open_Collective/get_members", collectiveSlug="curl", memberType="organizations", limit=50)[
        "items"
    ]
    rows = all_transactions("curl", type="CREDIT")
    for member in given:
        assert member["total_donated"] == sum(
            row["amount"] for row in rows if row["counterparty"] == member["slug"]
        )


@pytest.mark.parametrize("seed", [0, 1, 7])
def test_events_and_members_of_collectives(seed: int) -> None:
    for row in collectives():
        events = events_of(seed, row["slug"])
        assert len(events) == len({event["slug"] for event in events}) > 0
        assert all(event["starts"] <= event["ends"] for event in events)
        assert events[0]["starts"] <= EPOCH.date().isoformat()
        members = members_of(seed, row["slug"])
        assert sum(member.role == "ADMIN" for member in members) == ADMINS
    balance, income, raised = sums_of(seed, "babel", EPOCH.date() - timedelta(days=365))
    assert 0 < income < raised and balance > 0


@pytest.mark.parametrize("seed", [0, 1, 7])
def test_the_museum_shows_one_thing_now_and_its_counts_add_up(seed: int) -> None:
    rows = resources(seed)
    today = EPOCH.date().isoformat()
    for show in rows["exhibition"]:
        state = "past" if show["enddate"] < today else "upcoming" if show["begindate"] > today else "current"
        assert show["status"] == state
    assert sum(show["status"] == "current" for show in rows["exhibition"]) == 1
    kinds = {row["title"]: row["objectcount"] for row in rows["classification"]}
    assert sum(kinds.values()) == len(rows["object"])
    assert {row["gallery"] for row in rows["object"]} <= {row["gallery"] for row in rows["gallery"]}
