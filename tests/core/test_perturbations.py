"""Perturbed results: they can be undone, follow from the seed, and a call is made once however often it is asked for."""

import json
from collections.abc import Generator, Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import cases
from toolyard.core.perturbations import (
    DRIFT,
    FAULTS,
    MOMENTARY,
    NAMES,
    NOISE,
    PAGE,
    PAGING,
    Perturbation,
    PerturbedCalls,
    SeenResult,
    draw_drifted_names,
    read_results,
)
from toolyard.core.types import Effect, JsonValue, Observation

FIELDS = cases(__file__, "fields")
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-10_000, 10_000)
    | st.sampled_from([0.5, 12.25, 3.125])
    | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=7)
        | st.dictionaries(st.sampled_from([*FIELDS, "a", "cut"]), inner, max_size=5)
    ),
    max_leaves=25,
)
RESULTS = st.dictionaries(st.sampled_from([*FIELDS, "a"]), VALUES, max_size=5) | st.lists(VALUES, max_size=7)
LEVELS = st.integers(1, 3)


def perturbation(name: str, level: int, seed: int = 0, *, entries: bool = False) -> Perturbation:
    made = Perturbation(name, level, seed, entries=entries)
    renames = {"look": draw_drifted_names(made, "look", FIELDS)} if name == DRIFT else {}
    return Perturbation(name, level, seed, renames, entries)


class Calls:
    """A tool that always returns one value, and an agent that handles what happens to it."""

    def __init__(self, value: JsonValue, given: Perturbation | None) -> None:
        self.value, self.given, self.made = value, given, 0
        self.calls = PerturbedCalls(given)

    def ask(self, arguments: Mapping[str, JsonValue]) -> SeenResult:
        def make(given: Mapping[str, JsonValue]) -> Generator[Effect, Any, Observation]:
            assert PAGE not in given
            self.made += 1
            return Observation(json.dumps(self.value), self.value)
            yield

        try:
            next(self.calls.perform("look", arguments, make))
        except StopIteration as stop:
            found: SeenResult = stop.value
            return found
        raise AssertionError("nothing is waited for")

    def handle(self) -> tuple[JsonValue, list[SeenResult]]:
        seen: list[SeenResult] = []
        more: dict[str, JsonValue] = {}
        while len(seen) < 10:
            seen.append(self.ask({"of": "Lima", **more}))
            whole, page = read_results([("look", each.value) for each in seen], self.given)
            if whole:
                return whole[0], seen
            more = {PAGE: page} if page else {}
        raise AssertionError("no end")


@settings(max_examples=150, deadline=None)
@given(RESULTS, st.sampled_from(NAMES), LEVELS, st.integers(0, 50), st.booleans())
def test_an_agent_that_handles_it_reads_what_the_tool_wrote(
    value: JsonValue, name: str, level: int, seed: int, entries: bool
) -> None:
    calls = Calls(value, perturbation(name, level, seed, entries=entries))
    found, seen = calls.handle()
    if name == NOISE:
        assert contains(found, value)
    else:
        assert found == value
    # What scoring reads is the tool's own result, whatever the model saw.
    assert json.loads(seen[-1].record) == value
    assert (calls.made, len(calls.calls.log) >= len(seen) - 1) == (1, True)


def contains(found: JsonValue, value: JsonValue) -> bool:
    if isinstance(value, Mapping):
        return isinstance(found, Mapping) and all(
            key in found and contains(found[key], value[key]) for key in value
        )
    if isinstance(value, list):
        return isinstance(found, list) and len(found) == len(value) and all(map(contains, found, value))
    return found == value


@settings(max_examples=60, deadline=None)
@given(RESULTS, st.sampled_from(NAMES), LEVELS, st.integers(0, 50))
def test_the_same_seed_shows_the_same(value: JsonValue, name: str, level: int, seed: int) -> None:
    first, second = (Calls(value, perturbation(name, level, seed)).handle()[1] for _ in range(2))
    assert [each.text for each in first] == [each.text for each in second]


@given(RESULTS)
def test_without_a_perturbation_nothing_changes(value: JsonValue) -> None:
    calls = Calls(value, None)
    seen = calls.ask({"of": "Lima"})
    assert (seen.text, seen.record, seen.error) == (json.dumps(value), json.dumps(value), None)
    assert calls.calls.notes() == {}


def test_higher_levels_fail_more_and_a_failure_passes() -> None:
    shares = []
    for level in (1, 2, 3):
        first = []
        for seed in range(300):
            calls = Calls({"slips": [1, 2, 3]}, perturbation(FAULTS, level, seed))
            first.append(calls.ask({}))
            assert calls.ask({}).error is None
        failed = [each for each in first if each.error]
        assert {each.error for each in failed} == set(MOMENTARY)
        shares.append(len(failed) / len(first))
    assert 0.1 < shares[0] < 0.3 < shares[1] < 0.5 < 0.7 < shares[2] < 0.9


@pytest.mark.parametrize(("level", "pages"), [(1, 2), (2, 3), (3, 5)])
def test_a_list_comes_in_pages_and_others_are_refused(level: int, pages: int) -> None:
    calls = Calls({"slips": list(range(10)), "total": 10}, perturbation(PAGING, level))
    seen = [calls.ask({PAGE: number}) for number in range(1, pages + 1)]
    assert [item for each in seen for item in json.loads(each.text)["slips"]] == list(range(10))
    assert len(json.loads(seen[-1].record)["slips"]) == 10
    assert json.loads(seen[0].record)["slips"] == seen[0].value["slips"]  # type: ignore[index,call-overload]
    assert {calls.ask({PAGE: wrong}).error for wrong in (0, pages + 1, "two", True)} == {"no_such_page"}


def test_documents_announce_drift_until_level_three() -> None:
    document = {"name": "look", "description": "Looks.", "parameters": {"type": "object", "properties": {}}}
    for level in (1, 2, 3):
        given = perturbation(DRIFT, level)
        new = list(given.renames["look"].values())
        shown = given.document(document)["description"]
        assert new and all(name in shown for name in new) == (level < 3)
    assert PAGE in perturbation(PAGING, 1).document(document)["parameters"]["properties"]
    assert perturbation(NOISE, 3).document(document) == perturbation(FAULTS, 3).document(document) == document


def test_drift_changes_units_with_the_names_that_state_them() -> None:
    given = Perturbation(DRIFT, 2, renames={"look": {"length_km": "length_m"}})
    seen = Calls({"stages": [{"length_km": 12.5}, {"length_km": None}]}, given).ask({})
    assert seen.value == {"stages": [{"length_m": 12500}, {"length_m": None}]}
    assert json.loads(seen.record) == {"stages": [{"length_km": 12.5}, {"length_km": None}]}
