"""Nested calls, sums and sizes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import cases
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
from toolyard.core.sums import sum_in_order
from toolyard.core.untrusted.json_size import too_large


def chain(*calls: tuple[dict[str, object], list[str | None]]) -> list[NestedCall]:
    return [NestedCall(arguments, tuple(labels)) for arguments, labels in calls]


@pytest.mark.parametrize(("value", "found"), cases(__file__, "references_are_found_wherever_they_stand"))
def test_references_are_found_wherever_they_stand(value: object, found: list[str]) -> None:
    assert references(value) == tuple(found)


def test_references_make_edges_to_the_last_call_of_their_label() -> None:
    calls = chain(({}, ["API_call_0"]), ({}, ["API_call_1", "API_call_0", "API_call_0"]))
    assert producers(calls)["API_call_0"] == ReturnValue(1, 1)
    calls = chain(({"a": "API_call_1"}, ["API_call_0"]), ({"b": ["API_call_0"]}, ["API_call_1"]))
    assert edges(calls) == {(0, 1)}
    assert dangling(calls) == ((0, "a", "API_call_1"),)
    assert references("API_call_10") == ("API_call_10",)
    assert not is_label("API_call_10 ")


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


def test_numbers_are_added_one_after_the_other() -> None:
    assert sum_in_order([0.1] * 10) == 0.9999999999999999
    assert sum_in_order(iter([])) == 0.0
    assert sum_in_order([True, 2, 0.5]) == 3.5


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        (b'"' + b'[{,\\"' * 2_500_000 + b'"', False),
        (b"[" + b"{}," * 5_000_000 + b"{}]", True),
        ("[" + "[]," * 9_000_000 + "[]]", True),
        (b"[1]", False),
    ],
    ids=["marks inside a text", "objects", "lists", "small"],
)
def test_only_objects_lists_and_parts_count(text: bytes | str, refused: bool) -> None:
    assert bool(too_large(text)) is refused
