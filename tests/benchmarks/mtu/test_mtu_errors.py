"""Why a turn is wrong: classes and sub-types by their rules, with the paper's own cases."""

from pathlib import Path
from typing import Any

import pytest

from cases import cases
from graded_answers import grade
from toolyard.benchmarks.mtu import BENCHMARK
from toolyard.benchmarks.mtu.data.audit import audit
from toolyard.benchmarks.mtu.data.rows import RawRow, build
from toolyard.benchmarks.mtu.scoring.baselines import answer_text
from toolyard.benchmarks.mtu.scoring.calls import Call
from toolyard.benchmarks.mtu.scoring.errors import ERROR_LABELS
from toolyard.core.types import PROFILES, Options, Profile, Sample, Score

PARK = (
    "user: Milton Park\nfunction: \nThought: Look it up.\nAction: SearchAttraction\n"
    'Action Input: {"name": "Milton Park"}\nobservation: : {"phone": "765-98", "street": "4 Mill Lane"}\n'
    "assistant: : It is free.\n"
)


def turn(answer: Any, user: str, history: str = "", setting: str = "M-S") -> Sample:
    tools = '[{"name": "SearchAttraction", "description": "d"}, {"name": "GetRide", "description": "d"}]'
    question = f"Rules.\nTools: {tools}\nHistory Dialog: \n{history}User: {user}"
    return build([RawRow(f"{setting}_0_0", question, answer, "", "here")], setting)[0]


def scored(sample: Sample, text: str, profile: Profile = "paper") -> Score:
    return grade(BENCHMARK, sample, text, profile)


def calling(**named: dict[str, Any]) -> str:
    return answer_text([Call(name, arguments) for name, arguments in named.items()])


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(
    ("gold", "text", "label"),
    [
        ({"A": {}}, calling(), "missed"),
        ({"A": {}, "B": {}}, calling(A={}), "missed"),
        ({}, calling(A={}), "excessive"),
        ({"A": {}}, calling(B={}), "incorrect"),
        ({"A": {}, "B": {}}, calling(A={}, C={}), "incorrect"),
        ({"A": {"x": 1}}, calling(A={"x": 2}), "parameter"),
    ],
)
def test_the_class_follows_from_the_sets_of_names(gold: Any, text: str, label: str, profile: Profile) -> None:
    sample = turn(gold, "Go.", setting="M-M")
    assert scored(sample, text, profile).errors["M-M"] == {label: 1}


def test_a_right_turn_has_no_error() -> None:
    assert scored(turn({"A": {"x": 1}}, "1"), calling(A={"x": 1})).errors == {}


def test_extra_calls_are_excessive_for_the_paper_and_forgiven_by_the_released_scorer() -> None:
    sample = turn({"A": {}}, "Go.", setting="S-M")
    assert scored(sample, calling(A={}, B={})).errors["S-M"] == {"excessive": 1}
    assert scored(sample, calling(A={}, B={}), "official").errors == {}


def test_a_call_that_cannot_be_read_is_a_format_error_and_none_is_not_under_both_profiles() -> None:
    sample = turn({"GetRide": {"to": "x"}}, "Go.")
    assert scored(sample, "Action: GetRide\nAction Input: soon").errors["M-S"] == {"format": 1}
    assert scored(sample, "Action: None\nAction Input: None").errors["M-S"] == {"missed": 1}
    unmarked = 'Thought: Go.\nAction: GetRide\nActionInput: {"to": "x"}'
    assert scored(sample, unmarked, "official").errors["M-S"] == {"format": 1}
    nothing = "Thought: No tool fits.\nAction: None\nAction Input: None"
    assert scored(sample, nothing, "official").errors["M-S"] == {"missed": 1}


def test_parameters_are_omitted_misaligned_or_made_up() -> None:
    sample = turn({"GetRide": {"to": "New York", "riders": 1}}, "One rider to New York.")
    assert scored(sample, calling(GetRide={"to": "New York"})).errors["parameter"] == {"omission": 1}
    assert scored(sample, calling(GetRide={"to": "nyc", "riders": 1})).errors["parameter"] == {
        "misalignment": 1
    }
    more = calling(GetRide={"to": "New York", "riders": 1, "when": "now"})
    assert scored(sample, more).errors["parameter"] == {"hallucination": 1}


def test_a_value_that_only_the_history_holds_fails_to_be_inherited() -> None:
    sample = turn({"GetRide": {"to": "4 Mill Lane"}}, "A taxi there, please.", PARK)
    assert scored(sample, calling(GetRide={"to": "the park"})).errors["parameter"] == {"inheritance": 1}


def test_a_second_call_for_what_is_known_is_a_repeated_call() -> None:
    sample = turn({"": {}}, "Could I get the phone number for that?", PARK)
    found = scored(sample, calling(SearchAttraction={"name": "Milton Park"})).errors
    assert found["M-S"] == {"excessive": 1}
    assert found["action"] == {"more_tools": 1, "repeated_call": 1}


def test_a_call_with_a_value_from_nowhere_is_a_hallucination() -> None:
    sample = turn({"": {}}, "I want a taxi.", PARK)
    found = scored(sample, calling(GetRide={"to": "the airport", "riders": 9})).errors
    assert found["parameter"] == {"hallucination": 2}


def test_reasons_stand_in_the_order_of_the_answer() -> None:
    sample = turn({"GetRide": {}}, "Go.")
    names = [f"extra_{letter}" for letter in "qwertzuiop"]
    reasons = scored(sample, calling(GetRide=dict.fromkeys(names, "x"))).reasons
    told = [reason for reason in reasons if "is not wanted" in reason]
    assert [reason.split(" ")[0] for reason in told] == [f"GetRide.{name}" for name in names]


def test_right_calls_in_a_wrong_order_are_told_as_such() -> None:
    sample = turn({"A": {}, "B": {}}, "Go.", setting="S-M")
    assert scored(sample, calling(B={}, A={})).errors == {"S-M": {"parameter": 1}, "action": {"order": 1}}


def test_every_label_that_occurs_is_declared() -> None:
    samples = BENCHMARK.data.load(BENCHMARK.data.starter, Options())
    for sample in samples[::4]:
        for text in ("", "Action: x", calling(find_trains={"day": "x"}), calling(A={}, B={})):
            for profile in PROFILES:
                for name, labels in scored(sample, text, profile).errors.items():
                    assert set(labels) <= set(ERROR_LABELS[name])


@pytest.mark.parametrize(("user", "value"), cases(__file__, "a_number_in_words_is_no_value_from_nowhere"))
def test_a_number_in_words_is_no_value_from_nowhere(user: str, value: Any) -> None:
    known = turn({"GetRide": {"value": value}}, user)
    assert not [finding for finding in audit(Path(), (known,)) if "stands nowhere" in finding.what]
    wrong = turn({"GetRide": {"value": "9"}}, user)
    assert [finding for finding in audit(Path(), (wrong,)) if "stands nowhere" in finding.what]
