"""Verdict by execution: what an answer may state otherwise, and what it must not leave out."""

import random

import orjson
import pytest
import rewritten_gold

from cases import cases, each_case
from toolyard.benchmarks import load_benchmark
from toolyard.benchmarks.execution_verdict import (
    StatedCall,
    executed_verdict,
    is_documented_default,
    stated_values,
    unstated_wish,
)
from toolyard.core.benchmark import RunSetup
from toolyard.core.types import Evidence, Failure, JsonValue

DOCUMENT = cases(__file__, "DOCUMENT")


@each_case("name, value, is_default")
def test_a_default_stands_in_its_field_or_in_words(name: str, value: JsonValue, is_default: bool) -> None:
    assert is_documented_default(DOCUMENT[name], value) is is_default


@each_case("gold, given, unstated")
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
    plan = [write, read]
    assert stated_values(plan) == ("notes.txt",)
    assert unstated_wish(read, StatedCall("read", given), {}, plan) == ""
    assert unstated_wish(read, StatedCall("read", {"file": "other.txt"}), {}, plan) == "file"


@each_case("gold, given, unstated")
def test_a_name_may_be_looked_up_by_a_part_or_a_code(
    gold: dict[str, JsonValue], given: dict[str, JsonValue], unstated: str
) -> None:
    assert unstated_wish(StatedCall("t", gold), StatedCall("t", given), {}) == unstated


@pytest.mark.parametrize(
    ("request_text", "gold", "given", "unstated"),
    [
        # the request states only the part that is given
        ("When do the Celtics play?", "Boston Celtics", "Celtics", ""),
        ("When do the Boston Celtics play?", "Boston Celtics", "Celtics", "name"),
        ("Find work as a content writer.", "Content Writer", "Writer", "name"),
    ],
)
def test_a_stated_word_is_part_of_the_wish(request_text: str, gold: str, given: str, unstated: str) -> None:
    calls = StatedCall("t", {"name": gold}), StatedCall("t", {"name": given})
    assert unstated_wish(*calls, {}, (), request_text) == unstated


@pytest.mark.parametrize(("given", "unstated"), [("vegan", "diet"), ("veggie", "")])
def test_what_another_call_states_is_another_wish(given: str, unstated: str) -> None:
    before, gold = StatedCall("t", {"diet": "vegan"}), StatedCall("t", {"diet": "vegetarian"})
    assert unstated_wish(gold, StatedCall("t", {"diet": given}), {}, [before, gold]) == unstated


def test_a_text_of_the_request_does_not_stand_for_a_result_in_another_parameter() -> None:
    find = StatedCall("find", {"name": "jazz"})
    search = StatedCall("search", {"genreId": "API_call_0"}, {"API_call_0": (0, "id")})
    assert unstated_wish(search, StatedCall("search", {"keyword": "jazz"}), {}, [find, search]) == "genreId"


@pytest.mark.parametrize(
    ("q", "unstated"), [("Toronto, Nairobi", "q"), ("Toronto, Canada", ""), ("Toronto", "")]
)
def test_what_two_calls_say_in_one_place_is_two_wishes(q: str, unstated: str) -> None:
    plan = [StatedCall("t", {"q": "Toronto"}), StatedCall("t", {"q": "Nairobi"})]
    assert unstated_wish(plan[0], StatedCall("t", {"q": q}), {}, plan) == unstated


SAME = {"tool": "t", "output": "1f", "error": ""}
STATE = {"gold": "", "calls": ""}


@each_case("seeds, right")
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
def test_rewritten_gold_is_judged_rightly(name: str) -> None:
    setup = RunSetup.default(load_benchmark(name))
    answers = list(rewritten_gold.rewritten_answers(name, setup.benchmark.data.starter, rows=15, seed=1))
    drawn = random.Random(1).sample(answers, min(100, len(answers)))
    classes = rewritten_gold.judged_classes(drawn, setup)
    wrong = [each for each in classes if each.share < 0.97 and each.number - each.caught > 1]
    assert not wrong and sum(each.number for each in classes) > 50
