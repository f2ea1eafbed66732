"""Reading of model text: what is read, what is refused, and that nothing raises."""

import json
import math
import re
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import each_case
from parser_targets import targets
from toolyard.benchmarks.tooleyes.scoring.checks.passages import split_passages
from toolyard.benchmarks.tooleyes.scoring.judge_verdicts import repaired_verdict
from toolyard.core.types import Failure
from toolyard.models.key_scrubbing import Scrubber
from toolyard.text.json_scan import MAX_DEPTH, FoundValue
from toolyard.text.parsing import (
    FAILURE_KINDS,
    answer_text,
    first_json_value,
    json_safe,
    json_values,
    read_json,
    read_literal,
    read_python_literal,
    strip_fences,
    strip_thinking,
    value_at,
)
from toolyard.text.repeated_characters import shorten_runs

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=60)
MARKS = [*"[]{}()\"'\\,:1-.", "e9", "null", "None", "true", "json", "\\u12", "\\ud83d", "9" * 5000, "\x00"]
PIECES = st.sampled_from([*MARKS, "\ud800", "\n", " ", "<think>", "</think>", "<reasoning>", "```"])
HOSTILE = ANY_TEXT | st.lists(PIECES, max_size=40).map("".join)
JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)
CONTAINERS = JSON_VALUES.filter(lambda value: isinstance(value, list | dict))
PYTHON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | ANY_TEXT
    | st.binary(max_size=6)
    | st.complex_numbers(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.sets(st.integers() | st.text(max_size=3) | st.booleans(), max_size=4)
        | st.dictionaries(st.integers() | st.text(max_size=3) | st.none() | st.booleans(), inner, max_size=3)
    ),
    max_leaves=8,
)


def short(value: Any) -> str:
    """A test's name for one of its inputs; some are too long or too strange to be one."""
    return ascii(value)[:30] if isinstance(value, str) else type(value).__name__


def kind(value: Any | Failure) -> str:
    return value.kind if isinstance(value, Failure) else "read"


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


@each_case("text, outside", ids=short)
def test_thinking_is_what_stands_in_its_tags(text: str, outside: str | None) -> None:
    assert strip_thinking(text) == outside


@each_case("text, content", ids=short)
def test_the_last_fenced_block_that_is_not_blank_is_the_answer(text: str, content: str) -> None:
    assert strip_fences(text) == content


def test_an_answer_is_freed_of_thinking_before_fences() -> None:
    assert answer_text("<think>```\n[0]\n```</think>```json\n[1]\n```") == "[1]"
    assert answer_text("<think>x") == Failure("thinking_not_closed", "<think>x")
    assert kind(answer_text("<think>x</think> ")) == "empty"


@each_case(
    "text, result",
    besides=[
        (nested(MAX_DEPTH), None),
        (nested(MAX_DEPTH + 1), "too_deep"),
        ("[" * 100_000, "too_deep"),
        ("9" * 4301, "too_long"),
        ('"' + "a" * 1_000_000 + '"', "too_long"),
    ],
    ids=short,
)
def test_json_is_read_whole_or_refused_with_a_kind(text: str, result: Any) -> None:
    value = read_json(text)
    if result is None:
        assert kind(value) == "read"
    else:
        assert (value.kind if isinstance(value, Failure) else value) == result


@each_case(
    "text, result",
    besides=[
        ("{'a': (1, None, True)}", {"a": (1, None, True)}),
        ("9" * 4301, "not_literal"),
        ("-" * 100_000 + "1", "too_deep"),
        ("(" * 100_000, "too_deep"),
    ],
    ids=short,
)
def test_python_literals_are_read_and_nothing_is_run(text: str, result: Any) -> None:
    value = read_python_literal(text)
    assert (value.kind if isinstance(value, Failure) else value) == result


def test_a_long_chain_of_operators_is_a_failure_and_not_a_crash() -> None:
    assert isinstance(read_python_literal("1+" * 100_000 + "1"), Failure)


@each_case("text, plain, lenient", ids=short)
def test_mixtures_of_json_and_python_need_the_lenient_reader(text: str, plain: Any, lenient: Any) -> None:
    for wanted, value in ((plain, read_literal(text)), (lenient, read_literal(text, lenient=True))):
        assert (value.kind if isinstance(value, Failure) else value) == wanted


@each_case(
    "text, opening, first, last",
    besides=[
        ("[" * 200 + "]" * 200, "[", "too_deep", "too_deep"),
        ("[" * 100_000, "[", "not_found", "not_found"),
        ("[1," * 50_000 + "[7]", "[", [7], [7]),
        ('["' * 50_000, "[{", "not_found", "not_found"),
    ],
    ids=short,
)
def test_values_in_prose_are_the_outermost_ones(text: str, opening: str, first: Any, last: Any) -> None:
    value = first_json_value(text, opening)
    assert (value.kind if isinstance(value, Failure) else value) == first
    if not isinstance(last, str):
        assert list(json_values(text, opening))[-1].value == last


def test_python_spellings_in_prose_need_the_lenient_search() -> None:
    text = "call: {'a': True, 'b': [None,]} now"
    assert kind(first_json_value(text, "{")) == "not_found"
    assert first_json_value(text, "{", lenient=True) == {"a": True, "b": [None]}


def test_a_value_is_read_where_it_stands() -> None:
    assert value_at('x:  {"a": [1]} y', 2) == FoundValue(4, 14, {"a": [1]}, 2)
    assert kind(value_at("x: y", 2)) == "not_json"
    assert kind(value_at("x:  ", 2)) == "empty"
    assert kind(value_at(nested(MAX_DEPTH + 1), 0)) == "too_deep"
    assert kind(value_at("(1)", 0)) == "not_json"


@given(HOSTILE)
def test_no_text_raises(text: str) -> None:
    strip_thinking(text)
    strip_fences(text)
    values = [
        answer_text(text),
        read_json(text),
        read_python_literal(text),
        read_literal(text, lenient=True),
        first_json_value(text, "[{("),
        first_json_value(text, "[{(", lenient=True),
        value_at(text, 0, lenient=True),
    ]
    assert {value.kind for value in values if isinstance(value, Failure)} <= set(FAILURE_KINDS)


def same(left: Any, right: Any) -> bool:
    return json.dumps(left) == json.dumps(right)


@given(JSON_VALUES)
def test_written_json_is_read_back(value: Any) -> None:
    assert same(read_json(json.dumps(value)), value)
    assert same(read_literal(json.dumps(value, ensure_ascii=False), lenient=True), value)


@given(CONTAINERS, st.text("abc .:,\n", max_size=10), st.text("abc .:,\n", max_size=10))
def test_a_value_is_found_in_prose_around_it(value: Any, before: str, after: str) -> None:
    for lenient in (False, True):
        text = before + json.dumps(value) + after
        assert same(first_json_value(text, lenient=lenient), value)
        assert same([found.value for found in json_values(text, lenient=lenient)][-1:], [value])


@given(CONTAINERS)
def test_a_python_repr_is_found_by_the_lenient_search(value: Any) -> None:
    assert same(first_json_value(f"so {value!r} it is", lenient=True), value)


@given(HOSTILE)
def test_the_search_agrees_with_the_standard_decoder(text: str) -> None:
    for found in json_values(text):
        assert same(json.loads(text[found.start : found.end], strict=False), found.value)


def first_by_the_standard_decoder(text: str) -> Any | None:
    for match in re.finditer(r"[\[{]", text):
        try:
            return json.JSONDecoder(strict=False).raw_decode(text, match.start())[0]
        except ValueError:
            continue
    return None


@given(st.lists(st.sampled_from(["[", "]", "{", "}", '"a"', ",", ":", "1", " ", "x", "null"]), max_size=30))
def test_the_first_value_is_the_one_that_trying_every_bracket_gives(pieces: list[str]) -> None:
    text = "".join(pieces)
    found = first_json_value(text)
    assert (None if isinstance(found, Failure) else found) == first_by_the_standard_decoder(text)


@pytest.mark.parametrize(
    ("value", "safe"),
    [
        ("a\ud800b", "a\\ud800b"),
        (math.nan, "NaN"),
        (math.inf, "Infinity"),
        (-math.inf, "-Infinity"),
        (2**64 - 1, 2**64 - 1),
        (2**64, "18446744073709551616"),
        (-(2**63) - 1, "-9223372036854775809"),
        (1 << 20_000, hex(1 << 20_000)),
        ((1, (2,)), [1, [2]]),
        ({3, "b", 1}, [1, 3, "b"]),
        (b"a\xff", "a\\xff"),
        ({None: 1, True: 2, 3: 4, (1, 2): 5}, {"null": 1, "true": 2, "3": 4, "[1, 2]": 5}),
        ({1: "a", "1": "b", "1#2": "c"}, {"1": "a", "1#2": "b", "1#2#2": "c"}),
        (1j, "<complex>"),
        (..., "<ellipsis>"),
    ],
    ids=short,
)
def test_unsafe_values_have_one_documented_spelling(value: Any, safe: Any) -> None:
    assert json_safe(value) == safe


def test_what_is_nested_too_deep_or_in_itself_is_cut() -> None:
    circle: list[Any] = []
    circle.append(circle)
    assert b"<too deep>" in orjson.dumps(json_safe(circle))


@given(PYTHON_VALUES)
def test_safe_values_can_be_written_and_stay_as_they_are(value: Any) -> None:
    safe = json_safe(value)
    assert json_safe(safe) == safe
    assert orjson.loads(orjson.dumps(safe)) == safe


@given(JSON_VALUES)
def test_safe_values_are_left_alone(value: Any) -> None:
    assert same(json_safe(value), value)


# By their square these would take longer than a test may.
LENGTH = 120_000
RUNS = ("\t", "\n", " ", "-", "*", "|", "\\", "%5C", "%255C", "[1,", "> ", "< ", "a: ", "`")


def test_only_runs_that_nobody_writes_are_cut() -> None:
    assert shorten_runs("a" + " " * 200 + "b") == "a" + " " * 200 + "b"
    assert shorten_runs("a" + "\n" * 5000 + "b") == "a" + "\n" * 200 + "b"


@pytest.mark.parametrize("door", ["toolbehonest answer", "tooleyes round", "tooleyes verdict"])
def test_runs_in_answers_are_read_in_time(door: str) -> None:
    for run in RUNS:
        targets()[door].run((run * (LENGTH // len(run))).encode())


def test_runs_are_read_in_time_and_a_key_behind_backslashes_is_found() -> None:
    scrubber = Scrubber("sk-planted-0123456789abcdef")
    for run in RUNS:
        text = run * (LENGTH // len(run))
        scrubber.body(text)
        split_passages(text)
        assert isinstance(repaired_verdict(text), Failure)
    key = "sk-planted-0123456789abcdef"
    scrubber = Scrubber(key)
    for run in ("\\", "\\" * 3, "\\" * 63, "%5C", "%255c" * 7):
        told = "".join(f"{run}u{ord(sign):04x}" for sign in key)
        assert scrubber.body(f'{{"said": "{told}"}}') != f'{{"said": "{told}"}}', run
