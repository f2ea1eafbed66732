"""Replies become calls or a named failure; values and single answers are scored under both profiles."""

import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cases import each_case
from graded_answers import grade
from nestools_ferry import Calls
from toolyard.benchmarks.nestools import BENCHMARK
from toolyard.benchmarks.nestools.scoring.official import plain_date, similarity_or_zero
from toolyard.benchmarks.nestools.scoring.parse import ParsedCall, parse_official, parse_paper
from toolyard.benchmarks.nestools.scoring.value_equality import are_equal, normal_form, same_but_for_type
from toolyard.core.metrics import Row
from toolyard.core.nesting import ReturnValue
from toolyard.core.types import PROFILES, Counts, Failure, Options, Profile, Sample, Score
from toolyard.stats.bootstrap import estimate

Graded = Callable[[Any, Profile], Score]


def figures(
    samples: tuple[Sample, ...], answer: Callable[[Sample], str], profile: Profile
) -> dict[str, float | None]:
    rows = [
        Row(grade(BENCHMARK, sample, answer(sample), profile), sample.cluster, sample.groups)
        for sample in samples
    ]
    return {name: each.value for name, each in estimate(BENCHMARK.scoring.metrics, rows, resamples=1).items()}


@pytest.fixture(scope="module", params=["starter", "official"])
def samples(request: pytest.FixtureRequest) -> tuple[Sample, ...]:
    if request.param == "starter":
        # The contract of all benchmarks plays the whole set.
        return BENCHMARK.data.load(BENCHMARK.data.starter, Options())[::8]
    shared: Path = request.getfixturevalue("shared")
    return BENCHMARK.data.load(shared / "data" / "nestools", Options())


@pytest.mark.parametrize("profile", PROFILES)
def test_the_oracle_scores_one_on_every_figure(samples: tuple[Sample, ...], profile: Profile) -> None:
    found = figures(samples, lambda sample: BENCHMARK.checks.oracle(sample, (), random.Random(0)), profile)
    # There is one outcome, whatever the profile: it stands under `paper`.
    assert found == dict.fromkeys(found, 1.0) | ({"outcome": None} if profile == "official" else {})


@pytest.mark.parametrize("profile", PROFILES)
def test_an_empty_answer_scores_the_floor(samples: tuple[Sample, ...], profile: Profile) -> None:
    found = figures(samples, lambda _: "", profile)
    undefined = {"relative_order"} | ({"outcome"} if profile == "official" else set())
    assert {name for name, value in found.items() if value is None} == undefined
    assert all(value == 0.0 for name, value in found.items() if name not in undefined)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("name", sorted(BENCHMARK.checks.baselines))
def test_trivial_answers_are_far_from_right(samples: tuple[Sample, ...], name: str, profile: Profile) -> None:
    def answer(sample: Sample) -> str:
        messages = BENCHMARK.task.prompt(sample, Options())
        return BENCHMARK.checks.baselines[name](sample, messages, random.Random(1))

    if "distractors" not in samples[0].input:
        samples = samples[:50]
    found = figures(samples, answer, profile)
    assert found["format"] == 1
    assert found["tree"] == 0
    assert found["outcome"] == (0 if profile == "paper" else None)


@pytest.mark.parametrize("profile", PROFILES)
def test_a_wrong_label_costs_a_nested_parameter(gold_calls: Calls, graded: Graded, profile: Profile) -> None:
    gold_calls[2]["parameters"]["ferry"] = "API_call_1"
    score = graded(gold_calls, profile)
    assert score.counts["parameter"] == Counts(8, 9, 9)
    assert score.counts["nested"] == Counts(1, 2, 2)
    assert score.values["tree"] == 0.0
    assert score.values["outcome"] == (0.0 if profile == "paper" else None)
    assert "book_seats.ferry: wanted API_call_0, got API_call_1" in score.reasons


@pytest.mark.parametrize("profile", PROFILES)
def test_a_value_of_another_type_is_told_apart(gold_calls: Calls, graded: Graded, profile: Profile) -> None:
    gold_calls[2]["parameters"]["seats"] = "2"
    score = graded(gold_calls, profile)
    assert score.reasons == ("book_seats.seats: wanted 2 (a number), got 2 (a string)",)


def test_renumbered_and_reordered_answers_have_the_same_outcome(gold_calls: Calls, graded: Graded) -> None:
    text = re.sub(r"API_call_(\d)", lambda found: f"API_call_{9 - int(found[1])}", json.dumps(gold_calls))
    calls = json.loads(text)
    swapped = [calls[1], calls[0], calls[3], calls[2]]
    score = graded(swapped, "paper")
    assert score.values == {"format": 1.0, "tree": 0.0, "tool_set": 1.0, "outcome": 1.0}
    assert score.counts["relative_order"] == Counts(4, 6, 6)
    assert score.counts["parameter"] == Counts(9, 9, 9)
    assert score.counts["nested"] == Counts(2, 2, 2)
    assert score.counts["order"].matched < 3
    assert score.errors["nested"] == dict.fromkeys(score.errors["nested"], 0)


def test_a_consumer_before_its_producer_is_no_equivalent_graph(gold_calls: Calls, graded: Graded) -> None:
    early = [gold_calls[2], gold_calls[0], gold_calls[1], gold_calls[3]]
    score = graded(early, "paper")
    assert score.values["outcome"] == 0
    assert score.errors["nested"]["confusion"] == 1


def test_calls_of_one_tool_are_paired_for_most_agreement(gold_calls: Calls, graded: Graded) -> None:
    # The first predicted crossing shares one argument with either gold call; only the second settles which.
    gold_calls[0]["parameters"] = {"origin": "Turku", "destination": "Turku"}
    calls = [gold_calls[0], {**gold_calls[1], "parameters": {"origin": "Turku", "destination": "Mariehamn"}}]
    assert graded(calls, "paper").counts["parameter"] == Counts(3, 4, 9)
    assert graded(calls, "official").counts["parameter"] == Counts(1, 4, 9)


def test_return_values_are_known_by_name(gold_calls: Calls, graded: Graded) -> None:
    gold_calls[0]["responses"] = {"price": "API_call_1", "ferry_code": "API_call_0"}
    assert graded(gold_calls, "paper").values["tree"] == 1
    assert graded(gold_calls, "official").counts["nested"] == Counts(1, 2, 2)


@each_case("change, name_only, official")
def test_paper_goes_by_name_or_id_and_official_by_id(
    gold_calls: Calls, graded: Graded, change: dict[str, Any], name_only: float, official: float
) -> None:
    changed = [{**call, **change} if call["api_name"] == "find_ferry" else call for call in gold_calls]
    assert graded(changed, "paper").values["tree"] == name_only
    assert graded(changed, "official").values["tree"] == official


@pytest.mark.parametrize("aspect", ["selection", "order", "parameter", "nested"])
@pytest.mark.parametrize("name", ["delete_all_my_files", "find_ferry_2", " ", 311])
def test_an_invented_name_is_no_gold_call(gold_calls: Calls, graded: Graded, name: Any, aspect: str) -> None:
    invented = [{**call, "api_name": name} for call in gold_calls]
    found = graded(invented, "paper")
    assert found.counts[aspect].matched == found.values["tree"] == found.values["outcome"] == 0
    assert found.errors["tool"]["hallucination"] == len(gold_calls)
    assert graded(invented, "official").values["tree"] == 1


def call(name: str, number: Any) -> dict[str, Any]:
    return {"api_name": name, "api_id": number, "parameters": {}, "responses": {}}


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(
    ("kept", "added", "errors"),
    [
        (4, [], {}),
        (3, [], {"omission": 1}),
        (4, [call("ask_weather", 4000)], {"redundancy": 1}),
        (4, [call("book_seats", 96)], {"redundancy": 1}),
        (3, [call("ask_weather", 4000)], {"selection": 1}),
        (3, [call("swim", 12345)], {"hallucination": 1, "omission": 1}),
        (2, [call("ask_weather", 4000)], {"selection": 1, "omission": 1}),
    ],
)
def test_tool_errors_follow_decidable_rules(
    gold_calls: Calls, graded: Graded, profile: Profile, kept: int, added: Calls, errors: dict[str, int]
) -> None:
    found = graded([*gold_calls[:kept], *added], profile).errors["tool"]
    assert {label: count for label, count in found.items() if count} == errors


@pytest.mark.parametrize("profile", PROFILES)
def test_an_unreadable_answer_is_one_format_error_with_gold_counts(graded: Graded, profile: Profile) -> None:
    score = graded("I would call the ferry.", profile)
    assert score.errors["tool"]["format"] == 1
    assert score.counts["parameter"] == Counts(0, 0, 9)
    assert score.counts["order"] == Counts(0, 0, 3)
    assert score.graded["failure"]
    assert score.reasons[0].startswith("the answer is not a list of calls")


@each_case("index, name, value, wanted")
def test_each_wrong_argument_has_one_class(
    gold_calls: Calls, graded: Graded, index: int, name: str, value: Any, wanted: list[str]
) -> None:
    if value is None:
        del gold_calls[index]["parameters"][name]
    else:
        gold_calls[index]["parameters"][name] = value
    errors = graded(gold_calls, "paper").errors
    found = [
        [kind, label]
        for kind, labels in errors.items()
        for label, count in labels.items()
        for _ in range(count)
    ]
    assert found == [wanted]


def test_a_perfect_answer_has_no_reasons_another_argument_has_one(gold_calls: Calls, graded: Graded) -> None:
    for profile in PROFILES:
        score = graded(gold_calls, profile)
        assert score.reasons == ()
        assert score.graded == gold_calls
    gold_calls[2]["parameters"]["deck"] = 5
    for profile in PROFILES:
        score = graded(gold_calls, profile)
        assert score.errors["parameter"]["redundancy"] == 1
        assert "book_seats.deck is filled but not wanted" in score.reasons


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.just("API_call_0"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
some_calls = st.lists(
    st.fixed_dictionaries(
        {
            "api_name": st.sampled_from(["find_ferry", "book_seats", "split_costs", "swim"]) | values,
            "api_id": st.sampled_from([311, 96, 20, 4000]) | values,
            "parameters": st.dictionaries(
                st.sampled_from(["origin", "ferry", "prices", "x"]), values, max_size=4
            ),
        },
        optional={"responses": values | st.dictionaries(st.sampled_from(["price", "booking"]), values)},
    ),
    max_size=6,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(calls=some_calls)
def test_any_calls_are_scored_alike_twice_and_within_bounds(calls: Calls, graded: Graded) -> None:
    for profile in PROFILES:
        first, second = graded(calls, profile), graded(calls, profile)
        assert first == second
        for counts in first.counts.values():
            assert 0 <= counts.matched <= min(counts.predicted, counts.gold) + 1e-9
        if first.values["outcome"]:
            assert first.counts["selection"].matched == 4
        json.dumps(first.graded).encode("utf-8")
        "\n".join(first.reasons).encode("utf-8")


ONE = '[{"api_name": "x", "api_id": 1, "parameters": {"a": true}, "responses": {"b": "API_call_0"}}]'
CALL = ParsedCall("x", 1, {"a": True}, {"b": "API_call_0"})
OBJECT = ONE[1:-1]

HOSTILE = [
    "[" * 100_000,
    "[" * 300 + "]" * 300,
    '[{"api_name": "x", "api_id": 1, "parameters": {"a": ' + "[" * 5_000 + "]" * 5_000 + "}}]",
    "[" + "9" * 10_000 + "]",
    '[{"api_name": "x", "api_id": 0x' + "f" * 10_000 + ', "parameters": {}}]',
    "[" + "-" * 50_000 + "1]",
    "[" + "1+" * 50_000 + "1]",
    "[\x00]",
    "[\ud800]",
    '[{"api_name": "\\ud800", "api_id": 1, "parameters": {"\\udfff": "\\ud800"}}]',
    "[{[]: 1}]",
    "[...]",
    "[b'x', 1j, {1, 2}]",
    "`" * 50_000,
    "<think>" * 10_000,
    '"' * 50_001,
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_is_a_failure_or_harmless(text: str) -> None:
    for read in (parse_official, parse_paper):
        calls = read(text)
        assert isinstance(calls, Failure) or all(isinstance(call, ParsedCall) for call in calls)


@each_case("piece")
def test_brackets_that_stay_open_are_read_in_linear_work(monkeypatch: pytest.MonkeyPatch, piece: str) -> None:
    """A decoder that refuses a place counts the lines before it: these characters are the work that is bounded."""
    counted = 0
    refuse = json.JSONDecodeError.__init__

    def counting(error: json.JSONDecodeError, message: str, document: str, place: int) -> None:
        nonlocal counted
        counted += place
        refuse(error, message, document, place)

    monkeypatch.setattr(json.JSONDecodeError, "__init__", counting)
    text = piece * 4_000
    assert isinstance(parse_paper(text), Failure)
    assert counted <= 40 * len(text)


@each_case(
    "text, official, paper",
    besides=[
        (OBJECT, None, 1),
        (f"{OBJECT}\n{OBJECT}", None, 2),
        (ONE[:-1], None, None),
        (f"[{OBJECT}, {OBJECT[:-9]}", None, None),
        (ONE[:-1] + ",]", None, 1),
        (str(json.loads(ONE)), 1, 1),
        (ONE.replace("true", "'quite' "), 1, 1),
        (ONE.replace("true", '"two\nlines"'), None, 1),
        (f"[{OBJECT}, 5]", None, None),
    ],
)
def test_each_profile_reads_what_it_says(text: str, official: int | None, paper: int | None) -> None:
    for read, wanted in ((parse_official, official), (parse_paper, paper)):
        calls = read(text)
        assert (None if isinstance(calls, Failure) else len(calls)) == wanted


def test_a_call_keeps_what_the_reply_says_and_the_official_reader_takes_python_first() -> None:
    assert parse_official(ONE) == parse_paper(ONE) == (CALL,)
    calls = parse_official('[{"api_name": "x", "api_id": 1, "parameters": {"a": "p\\/q"}}]')
    assert not isinstance(calls, Failure)
    assert calls[0].parameters == {"a": "p\\/q"}


PLACES = {"API_call_0": ReturnValue(0, 0), "API_call_1": ReturnValue(0, 1)}


@each_case("gold, predicted, alike")
def test_which_differences_count(gold: object, predicted: object, alike: bool) -> None:
    first, second = normal_form(gold, PLACES.get), normal_form(predicted, PLACES.get)
    assert are_equal(first, second, lambda left, right: left == right) is alike


@each_case("gold, predicted, alike")
def test_values_written_alike_differ_in_type_only(gold: object, predicted: object, alike: bool) -> None:
    assert same_but_for_type(gold, predicted) is alike


@each_case("text, plain", besides=[("May " + "1" * 5000 + "st, 2023", "May " + "1" * 5000 + "st, 2023")])
def test_the_release_recognises_few_dates(text: str, plain: str) -> None:
    assert plain_date(text) == plain


@each_case("gold, predicted, score", besides=[({"a": 1}, {1: 1}, 0.0), ([1], (1,), 0.0)])
def test_the_release_compares_parts_by_place(gold: object, predicted: object, score: float) -> None:
    assert similarity_or_zero(gold, predicted) == score
