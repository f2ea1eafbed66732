"""Labels, graphs, depth and structure of call chains."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolyard.core.nesting import (
    STRUCTURES,
    NestedCall,
    ReturnValue,
    dangling,
    depth,
    edges,
    is_label,
    producers,
    references,
    structure,
)


def chain(*calls: tuple[dict[str, object], list[str | None]]) -> list[NestedCall]:
    return [NestedCall(arguments, tuple(labels)) for arguments, labels in calls]


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("API_call_3", ("API_call_3",)),
        (["API_call_0", "x", "API_call_2"], ("API_call_0", "API_call_2")),
        ({"a": {"b": "see API_call_10"}}, ("API_call_10",)),
        ("API_call_", ()),
        (5, ()),
        (None, ()),
    ],
)
def test_references_are_found_wherever_they_stand(value: object, found: tuple[str, ...]) -> None:
    assert references(value) == found


def test_a_label_is_no_part_of_a_longer_one() -> None:
    assert references("API_call_10") == ("API_call_10",)
    assert not is_label("API_call_10 ")


def test_a_repeated_label_belongs_to_the_last_call_and_its_first_place() -> None:
    calls = chain(({}, ["API_call_0"]), ({}, ["API_call_1", "API_call_0", "API_call_0"]))
    assert producers(calls)["API_call_0"] == ReturnValue(1, 1)


def test_references_to_later_calls_make_no_edge_and_dangle() -> None:
    calls = chain(({"a": "API_call_1"}, ["API_call_0"]), ({"b": ["API_call_0"]}, ["API_call_1"]))
    assert edges(calls) == {(0, 1)}
    assert dangling(calls) == ((0, "a", "API_call_1"),)


@pytest.mark.parametrize(
    ("calls", "links", "levels"),
    [
        (3, set(), 1),
        (3, {(0, 2)}, 2),
        (3, {(0, 1), (1, 2)}, 3),
        (4, {(0, 3), (0, 1), (1, 2), (2, 3)}, 4),
        (0, set(), 0),
    ],
)
def test_depth_counts_the_longest_feeding_chain(calls: int, links: set[tuple[int, int]], levels: int) -> None:
    assert depth(calls, links) == levels


@pytest.mark.parametrize("name", list(STRUCTURES))
def test_structures_carry_the_names_of_their_edges(name: str) -> None:
    links = {tuple(int(end) - 1 for end in edge.split("->")) for edge in name.split(",")}
    assert structure(3, links) == name  # type: ignore[arg-type]
    assert structure(4, links) == "other"  # type: ignore[arg-type]


@given(st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)).filter(lambda edge: edge[0] < edge[1])))
def test_depth_is_between_one_and_the_number_of_calls(links: set[tuple[int, int]]) -> None:
    assert 1 <= depth(6, links) <= 6
