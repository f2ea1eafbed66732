"""Metrics are functions of sums, intervals come from resampled sums; nested calls and sizes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import each_case
from toolyard.core.metrics import (
    Row,
    average,
    average_of_defined,
    cluster_mean,
    f1,
    mean,
    precision,
    recall,
    within,
)
from toolyard.core.nesting import (
    STRUCTURES,
    NestedCall,
    ReturnValue,
    chain_structure,
    dangling_references,
    depth,
    edges,
    is_label,
    label_producers,
    labels_in,
)
from toolyard.core.ordered_sums import sum_in_order
from toolyard.core.types import Counts, Score
from toolyard.core.untrusted.json_size import reason_too_large
from toolyard.stats.bootstrap import FEW_CLUSTERS, corrected_for_chance, estimate


def rows(*values: float | None, cluster: str = "") -> list[Row]:
    return [
        Row(Score(str(n), values={"x": value}), cluster or str(n), {"half": "a" if n % 2 else "b"})
        for n, value in enumerate(values)
    ]


def counted(matched: float, predicted: float, gold: float, cluster: str = "c") -> Row:
    return Row(Score("s", counts={"k": Counts(matched, predicted, gold)}), cluster)


def value(metric, scored):  # type: ignore[no-untyped-def]
    return estimate([metric], scored, resamples=0)[metric.name].value


def test_a_mean_leaves_unknown_values_out_and_of_nothing_is_undefined() -> None:
    assert value(mean("x"), rows(1.0, None, 0.5)) == 0.75
    assert value(mean("x"), rows(None, None)) is None
    assert value(mean("x"), []) is None
    assert value(mean("x"), rows(*[1 / 3] * 3000)) == 1 / 3
    assert value(mean("x"), rows(*[1.0] * 1000)) == 1.0


def test_precision_recall_and_f1_are_micro_and_undefined_where_nothing_is_wanted() -> None:
    scored = [counted(1, 2, 1, "a"), counted(1, 1, 3, "b")]
    assert value(precision("k"), scored) == pytest.approx(2 / 3)
    assert value(recall("k"), scored) == pytest.approx(0.5)
    assert value(f1("k"), scored) == pytest.approx(4 / 7)
    assert value(f1("k"), [counted(0, 0, 3)]) == 0.0
    assert value(precision("k"), [counted(0, 0, 3)]) == 0.0
    assert value(f1("k"), [counted(0, 2, 0)]) is None


def test_cluster_mean_weighs_clusters_and_within_restricts_to_one_group() -> None:
    scored = [*rows(1, 1, 1, cluster="long"), *rows(0, cluster="short")]
    metric = cluster_mean("all right", lambda turns: float(all(row.score.values["x"] for row in turns)))
    assert value(metric, scored) == 0.5
    assert value(within(mean("x"), "half", "a"), rows(0, 1, 0, 0.5)) == 0.75


def test_average_needs_all_parts_and_average_of_defined_may_weigh_those_there_are() -> None:
    parts = [mean("x"), mean("y")]
    assert value(average("both", parts), rows(0.5)) is None
    assert value(average_of_defined("some", parts), rows(0.5)) == 0.5
    parts = [within(mean("x"), "half", "a"), within(mean("x"), "half", "b"), mean("y")]
    assert value(average_of_defined("weighed", parts, [3, 1, 4]), rows(1, 0, 1, 0)) == 0.25


def test_intervals_are_the_same_for_the_same_seed_and_differ_for_another() -> None:
    scored = rows(*[n % 3 / 2 for n in range(60)])
    first, again, other = (estimate([mean("x")], scored, seed=seed)["x"] for seed in (1, 1, 2))
    assert first == again
    assert (first.low, first.high) != (other.low, other.high)


@pytest.mark.parametrize(
    ("value", "count", "low", "high"),
    [(0.0, 2, 0.0, 0.841886), (1.0, 2, 0.158114, 1.0), (1.0, 100, 0.963783, 1.0)],
)
def test_no_spread_at_the_bounds_is_no_certainty(value: float, count: int, low: float, high: float) -> None:
    found = estimate([mean("x")], rows(*[value] * count))["x"]
    assert (found.low, found.high) == (pytest.approx(low, abs=1e-6), pytest.approx(high, abs=1e-6))


def test_clustered_rows_widen_the_interval() -> None:
    flags = [float(n % 2) for n in range(40)]
    apart = rows(*[flag for flag in flags for _ in range(5)])
    together = [Row(Score("s", values={"x": flag}), str(n)) for n, flag in enumerate(flags) for _ in range(5)]
    wide, narrow = (estimate([mean("x")], each)["x"] for each in (together, apart))
    assert wide.high - wide.low > 1.5 * (narrow.high - narrow.low)


@pytest.mark.parametrize(
    ("figure", "chance", "corrected"), [(0.75, 0.5, 0.5), (0.5, 0.5, 0.0), (0.2, 0.5, -0.6), (1.0, 1.0, None)]
)
def test_chance_correction(figure: float, chance: float, corrected: float | None) -> None:
    assert corrected_for_chance(figure, chance) == pytest.approx(corrected)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_a_mean_lies_within_its_values_and_its_interval_within_their_range(values: list[float]) -> None:
    found = estimate([mean("x")], rows(*values), resamples=200)["x"]
    assert found.value is not None and found.low is not None and found.high is not None
    slack = 1e-12
    assert found.low <= found.value + slack
    assert found.value - slack <= found.high
    if len(values) < FEW_CLUSTERS:
        assert 0 <= found.low <= found.high <= 1
    elif max(values) - min(values) > 1e-9:  # less is no spread
        assert min(values) - slack <= found.low <= found.high <= max(values) + slack
    assert min(values) - slack <= found.value <= max(values) + slack


def chain(*calls: tuple[dict[str, object], list[str | None]]) -> list[NestedCall]:
    return [NestedCall(arguments, tuple(labels)) for arguments, labels in calls]


@each_case("value, found")
def test_references_are_found_wherever_they_stand(value: object, found: list[str]) -> None:
    assert labels_in(value) == tuple(found)


def test_references_make_edges_to_the_last_call_of_their_label() -> None:
    calls = chain(({}, ["API_call_0"]), ({}, ["API_call_1", "API_call_0", "API_call_0"]))
    assert label_producers(calls)["API_call_0"] == ReturnValue(1, 1)
    calls = chain(({"a": "API_call_1"}, ["API_call_0"]), ({"b": ["API_call_0"]}, ["API_call_1"]))
    assert edges(calls) == {(0, 1)}
    assert dangling_references(calls) == ((0, "a", "API_call_1"),)
    assert labels_in("API_call_10") == ("API_call_10",)
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
    assert chain_structure(3, links) == name  # type: ignore[arg-type]
    assert chain_structure(4, links) == "other"  # type: ignore[arg-type]


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
    assert bool(reason_too_large(text)) is refused
