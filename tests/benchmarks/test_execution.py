"""Verdict by execution: what an answer may state otherwise, and what it must not leave out."""

from __future__ import annotations

import random
from pathlib import Path

import orjson
import pytest

from toolyard.benchmarks import load_benchmark
from toolyard.benchmarks.execution_verdict import (
    StatedCall,
    executed_verdict,
    is_documented_default,
    pair_calls,
    stated_values,
    unstated_wish,
)
from toolyard.core.benchmark import RunSetup
from toolyard.core.types import Evidence, Failure, JsonValue

ROOT = Path(__file__).parents[2]
DOCUMENT = {
    "sort": {"description": "cheapest, rating or relevance (the default) first."},
    "distance": {"description": "How far away at most, 10 miles unless told."},
    "day": {"description": "Day of departure; tomorrow if left out."},
    "order": {"description": "Oldest (asc) or latest (desc) first; latest by default."},
    "currency": {
        "description": "Currency of the prices; Russian roubles (RUB) if left out.",
        "default": "RUB",
    },
}


@pytest.mark.parametrize(
    ("name", "value", "is_default"),
    [
        ("sort", "relevance", True), ("sort", "rating", False),
        ("distance", 10, True), ("distance", "10 miles", True), ("distance", 1, False), ("distance", 5, False),
        ("day", "2024-05-16", True), ("day", "2024-05-17", False),
        ("order", "desc", True), ("order", "asc", False),
        ("currency", "RUB", True), ("currency", "EUR", False),
    ],
)  # fmt: skip
def test_a_default_is_documented_in_its_field_or_in_words(
    name: str, value: JsonValue, is_default: bool
) -> None:
    assert is_documented_default(DOCUMENT[name], value) is is_default


@pytest.mark.parametrize(
    ("gold", "given", "unstated"),
    [
        # said in another way: what it means is for execution to find out
        ({"day": "2024-06-03"}, {"day": "2024-06-03T00:00:00"}, ""),
        ({"name": "Premier League"}, {"search": "Premier League"}, ""),
        ({"q": "red dress"}, {"q": "dress red"}, ""),
        ({"to": "spa"}, {"to": "es"}, ""),
        ({"code": "GB"}, {"code": "UK"}, ""),
        ({"unit": "cups"}, {"unit": "cup"}, ""),
        ({"q": "Lisbon, Portugal"}, {"q": "Lisbon"}, ""),
        ({"distance": 10}, {}, ""),
        ({"q": "pizza"}, {"q": "pizza", "distance": 10}, ""),
        # left out, or another wish
        ({"sort": "rating"}, {}, "sort"),
        ({"sort": "rating"}, {"sort": "cheapest"}, "sort"),
        ({"adults": 3}, {"adults": 2}, "adults"),
        ({"maxPrice": 200}, {}, "maxPrice"),
        ({"maxPrice": 200}, {"minPrice": 200}, ""),
        ({"maxPrice": 200}, {"minPrice": 100}, "maxPrice"),
        ({"day": "2024-06-03"}, {"day": "2024-06-13"}, "day"),
        ({"day": "2024-01-01"}, {"day": "2024-01-02"}, "day"),
        ({"q": "red dress"}, {"q": "dress"}, "q"),
        ({"q": "attention is all"}, {"q": "is all"}, "q"),
        ({"q": "chess"}, {"q": "something for chess would be more useful I think"}, "q"),
        ({"ids": ["a", "b"]}, {"ids": ["a"]}, "ids"),
    ],
)  # fmt: skip
def test_every_wish_of_gold_is_stated(
    gold: dict[str, JsonValue], given: dict[str, JsonValue], unstated: str
) -> None:
    assert unstated_wish(StatedCall("t", gold), StatedCall("t", given), DOCUMENT) == unstated


def test_a_returned_value_is_not_known_without_its_call() -> None:
    gold = StatedCall("t", {"code": "API_call_0"}, {"API_call_0": (0, "code")})
    other = StatedCall("t", {"code": "call0_code"}, {"call0_code": (0, "code")})
    assert unstated_wish(gold, other, {}) == ""
    assert unstated_wish(gold, StatedCall("t", {"code": "LIS"}), {}) == "code"


@pytest.mark.parametrize("given", [{"file": "notes.txt"}, {"path": "notes.txt"}])
def test_what_the_request_names_may_stand_for_a_returned_value(given: dict[str, JsonValue]) -> None:
    write = StatedCall("write", {"text": "API_call_0", "file": "notes.txt"}, {"API_call_0": (0, "text")})
    read = StatedCall("read", {"file": "API_call_1"}, {"API_call_1": (1, "path")})
    said = stated_values([write, read])
    assert said == ("notes.txt",)
    assert unstated_wish(read, StatedCall("read", given), {}, said=said) == ""
    assert unstated_wish(read, StatedCall("read", {"file": "other.txt"}), {}, said=said) == "file"


def test_calls_are_paired_by_tool_and_arguments() -> None:
    gold = [StatedCall("a", {"q": "x"}), StatedCall("a", {"q": "y"}), StatedCall("b", {})]
    assert pair_calls(gold, [gold[2], gold[1], gold[0]]) == (2, 1, 0)
    assert pair_calls(gold, [gold[0], gold[0], gold[0]]) is None
    assert pair_calls(gold, gold * 400) is None


SAME = {"tool": "t", "output": "1f", "error": ""}
STATE = {"gold": "", "calls": ""}


@pytest.mark.parametrize(
    ("seeds", "right"),
    [
        ({"0": {"gold": [SAME], "calls": [SAME], "state": STATE}}, True),
        ({"0": {"gold": [SAME], "calls": [{**SAME, "output": "2e"}], "state": STATE}}, False),
        ({"0": {"gold": [SAME], "calls": [{**SAME, "error": "not_found"}], "state": STATE}}, False),
        ({"0": {"gold": [SAME], "calls": [SAME], "state": {"gold": "", "calls": "9a"}}}, False),
        ({"0": {"gold": [SAME], "calls": [], "state": STATE}}, False),
        ({}, False),
        ("torn", False),
    ],
)
def test_the_verdict_reads_what_was_executed(seeds: JsonValue, right: bool) -> None:
    reply = orjson.dumps({"seeds": seeds}).decode()
    assert executed_verdict("q is wrong", Evidence("1", "execution", reply=reply)).right is right
    assert executed_verdict("", None).right is True
    assert executed_verdict("q is wrong", None) == (False, "q is wrong")


def test_without_the_world_the_verdict_is_unknown_and_says_what_to_install() -> None:
    missing = Failure("missing_extra", "executing calls needs babel: pip install 'toolyard[world]'")
    found = executed_verdict("q is wrong", Evidence("1", "execution", error=missing))
    assert found == (None, "executing calls needs babel: pip install 'toolyard[world]'")


@pytest.mark.parametrize("name", ["nestools", "mtu"])
def test_rewritten_gold_is_judged_rightly(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "recipes"))
    import rewritten_gold

    setup = RunSetup.default(load_benchmark(name))
    answers = list(rewritten_gold.rewritten_answers(name, setup.benchmark.data.starter, rows=15, seed=1))
    drawn = random.Random(1).sample(answers, min(100, len(answers)))
    classes = rewritten_gold.judged_classes(drawn, setup)
    wrong = [each for each in classes if each.share < 0.97 and each.number - each.caught > 1]
    assert not wrong and sum(each.number for each in classes) > 50
