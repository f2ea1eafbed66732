"""Calling tools: every mistake is a structured value that says what to do, and nothing raises."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import each_case
from toolyard.world import Faults, World, call, library
from toolyard.world.kernel.arguments import coerce_value
from toolyard.world.kernel.result_text import BUDGET_TOKENS, count_tokens, encode, fitting_rows, render

FORECAST = "Weather/weatherapi/forecast"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(exclude_categories=[])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@each_case("tool, arguments, kind, hint")
def test_mistakes_are_values_with_a_kind_and_advice(tool: str, arguments: Any, kind: str, hint: str) -> None:
    observation = call(World.fresh(), tool, arguments)
    assert observation.error == kind
    assert observation.value["error"]["kind"] == kind
    assert hint in observation.value["error"]["message"]


def test_arguments_are_an_object_and_whole_floats_count_as_integers() -> None:
    assert call(World.fresh(), FORECAST, ["Paris"]).error == "wrong_type"  # type: ignore[arg-type]
    assert call(World.fresh(), FORECAST, {"q": "Paris", "days": 2.0, "aqi": False}).error is None


def test_strings_and_credentials_are_taken_as_meant_in_compatibility_mode_only() -> None:
    arguments = {"q": "Paris", "days": "2", "aqi": "no", "api_key": "secret"}
    assert call(World.fresh(), FORECAST, arguments).error == "wrong_type"
    assert call(World.fresh(), FORECAST, {"q": "Paris", "api_key": "x"}).error == "unknown_parameter"
    lenient = call(World.fresh(), FORECAST, arguments, compatibility=True)
    assert lenient.text == call(World.fresh(), FORECAST, {"q": "Paris", "days": 2, "aqi": False}).text


@each_case("value, schema, wanted")
def test_coercion_reads_what_a_string_plainly_stands_for(value: Any, schema: Any, wanted: Any) -> None:
    assert coerce_value(value, schema) == wanted


def in_other_letters(value: Any, schema: Any) -> Any:
    """Words of closed lists with small and capital letters changed; other values as they are."""
    if isinstance(value, list):
        return [in_other_letters(item, schema.get("items", {})) for item in value]
    return value.swapcase() if isinstance(value, str) and "enum" in schema else value


@pytest.mark.parametrize("compatibility", [False, True])
def test_words_of_closed_lists_are_taken_in_other_letters(compatibility: bool) -> None:
    changed = 0
    for tool in library().values():
        schemas = {each.name: each.schema for each in tool.document.parameters}
        for example in tool.examples:
            given = {name: in_other_letters(value, schemas[name]) for name, value in example.items()}
            if given != example:
                seen = [
                    call(World.fresh(), tool.id, each, compatibility=compatibility)
                    for each in (example, given)
                ]
                assert seen[0].text == seen[1].text
                changed += 1
    assert changed > 100


def test_short_names_work_where_they_are_unique_among_the_offered() -> None:
    offered = [FORECAST, "Weather/weatherapi/current_weather", "Weather/openweathermap/current_weather"]
    assert (
        call(World.fresh(), "forecast", {"q": "Rome", "days": 1, "aqi": False}, offered=offered).error is None
    )
    ambiguous = call(World.fresh(), "current_weather", {"q": "Rome"}, offered=offered)
    assert ambiguous.error == "unknown_tool"
    assert "did you mean weatherapi__current_weather or openweathermap__current_weather?" in ambiguous.text
    beside = call(World.fresh(), "Weather/weatherapi/zzz", {}, offered=offered)
    assert "that part has forecast, weatherapi__current_weather" in beside.text
    assert call(World.fresh(), "weatherapi__current_weather", {"q": "Rome"}, offered=offered).error is None
    assert call(World.fresh(), "IP/IP/get_ip", {}, offered=offered).error == "unknown_tool"


def test_fault_injection_is_seeded_and_keeps_its_rate() -> None:
    def outcomes(seed: int, rate: float) -> list[str | None]:
        world = World.fresh()
        return [call(world, "IP/IP/get_ip", {}, faults=Faults(rate, seed)).error for _ in range(1000)]

    first = outcomes(1, 0.3)
    assert first == outcomes(1, 0.3)
    assert first != outcomes(2, 0.3)
    assert 0.25 < sum(error is not None for error in first) / 1000 < 0.35
    assert set(first) == {None, "rate_limited", "timeout"}
    assert set(outcomes(1, 0.0)) == {None}
    assert None not in outcomes(1, 1.0)


def test_long_lists_lose_their_tail_and_say_so() -> None:
    shown = render({"rows": [{"name": f"row number {n}", "n": n} for n in range(5000)], "page": 1}, 500)
    assert count_tokens(shown.text) <= 500
    cut = shown.value["cut"][0]
    assert cut["path"] == "rows"
    assert cut["kept"] == len(shown.value["rows"]) > 10
    assert cut["kept"] + cut["omitted"] == 5000


@pytest.mark.parametrize(
    "value", ["x" * 100_000, {"text": "word " * 50_000}, {str(n): n for n in range(20_000)}]
)
def test_anything_else_too_long_is_cut_as_well(value: Any) -> None:
    shown = render(value, 500)
    assert count_tokens(shown.text) <= 500
    assert "cut" in shown.value


@pytest.mark.parametrize("size", [0, 1, 30, 31, 200, 90_000])
def test_a_page_holds_as_many_first_rows_as_fit(size: int) -> None:
    rows = [{"text": "a1 " * size, "n": n} for n in range(100)]
    kept = fitting_rows(rows)
    assert kept == rows[: len(kept)] and count_tokens(encode(kept)) < BUDGET_TOKENS * 0.91
    assert len(kept) == len(rows) or count_tokens(encode(rows[: len(kept) + 1])) > BUDGET_TOKENS * 0.89


def test_huge_integers_and_lone_surrogates_are_written() -> None:
    assert encode({"n": 10**30}) == '{"n":1000000000000000000000000000000}'
    assert encode("a\ud800b") == '"a?b"'


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(st.sampled_from(["q", "days", "aqi", "dt", "hour", "zz"]), JSON, max_size=5),
    st.booleans(),
)
def test_no_arguments_make_a_call_raise(arguments: Any, compatibility: bool) -> None:
    observation = call(World.fresh(), FORECAST, arguments, compatibility=compatibility)
    assert count_tokens(observation.text) <= 4096
