"""Boards, papers, jobs, texts and addresses: what is told is little, and right for whatever is asked."""

from __future__ import annotations

from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.state import World
from toolyard.world.tables import read_table


@pytest.fixture(scope="module")
def world() -> World:
    return World.fresh(0)


def told(world: World, tool: str, **arguments: Any) -> Any:
    """What a tool answers."""
    outcome = call(world, tool, arguments)
    assert outcome.error is None, outcome.text
    return outcome.value


def refused(world: World, tool: str, **arguments: Any) -> str:
    """Why a tool refuses."""
    outcome = call(world, tool, arguments)
    assert outcome.error is not None, outcome.text
    return outcome.text


CHAN = "Social/chan"


@pytest.mark.parametrize("board", ["b", "sci", "po", "vip", "sp", "vg"])
def test_every_post_of_a_board_is_written_for_its_thread(world: World, board: str) -> None:
    written = {
        row["opener"]: row["replies"].split("|")
        for row in read_table("chan_written.tsv")
        if row["board"] == board
    }
    numbers = list(told(world, f"{CHAN}/get_archive", board=board)["threads"])
    for page in range(1, 11):
        numbers += [
            row["no"] for row in told(world, f"{CHAN}/get_threads", board=board, page=page)["threads"]
        ]
    seen = set()
    for number in numbers:
        first, *others = told(world, f"{CHAN}/get_posts", board=board, thread_no=number)["posts"]
        assert {post["com"] for post in others} <= set(written[first["com"]])
        seen.add(first["com"])
    assert len(seen) == len(numbers)


def test_later_pages_of_a_board_are_empty_and_there_are_ten(world: World) -> None:
    assert told(world, f"{CHAN}/get_catalog", board="sci", page=9)["threads"] == []
    assert "1 to 10" in refused(world, f"{CHAN}/get_catalog", board="sci", page=11)


def test_boards_threads_and_posts_say_only_what_is_sure(world: World) -> None:
    assert set(told(world, f"{CHAN}/get_boards")["items"][0]) == {
        "board",
        "title",
        "meta_description",
        "bump_limit",
    }
    row = told(world, f"{CHAN}/get_catalog", board="g")["threads"][0]
    assert not {"unique_ips", "images", "sticky"} & set(row)
    assert "filename" not in told(world, f"{CHAN}/get_posts", board="g", thread_no=row["no"])["posts"][0]
