"""Dialogue rates, setting averages, error classes and the published rows."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from cases import cases, each_case
from graded_answers import grade
from toolyard.benchmarks.mtu import BENCHMARK
from toolyard.benchmarks.mtu.data.audit import audit
from toolyard.benchmarks.mtu.data.rows import RawRow, build_samples
from toolyard.benchmarks.mtu.papers.published import PUBLISHED
from toolyard.benchmarks.mtu.scoring.baselines import answer_text
from toolyard.benchmarks.mtu.scoring.calls import Call
from toolyard.benchmarks.mtu.scoring.errors import ERROR_LABELS
from toolyard.benchmarks.mtu.scoring.metrics import turn_flags
from toolyard.core.exhibits import ModelRun
from toolyard.core.metrics import Row
from toolyard.core.types import PROFILES, Options, Profile, Sample, Score
from toolyard.report.compare.exhibits import published_exhibit
from toolyard.stats.bootstrap import Estimate, estimate, rows_by_cluster


def turn(right: float, place: int, turns: int | None, **more: float) -> Row:
    values = {"right": right, "turn": place, "turns": turns, "dialogue": 0, "row": place, **more}
    return Row(Score("s", values=values), "d", {"setting": "M-S"})


LATER = [turn(1, 0, 2, row=0), turn(1, 1, 2, row=1), turn(0, 0, 2, row=5)]


@pytest.mark.parametrize(
    ("rows", "flags"),
    [
        ([turn(0, 2, 3), turn(1, 0, 3), turn(1, 1, 3)], [[True, True, False]]),
        (LATER, [[False, True]]),
        (LATER[::-1], [[False, True]]),
        ([turn(1, 0, 1), turn(0, 0, 1, dialogue=1)], [[True], [False]]),
        ([turn(1, 0, 2)], []),
        ([turn(1, 0, None), turn(0, 1, None)], [[True, False]]),
        ([turn(1, 0, None), turn(0, 2, None)], []),
        ([turn(1, 1, None)], []),
    ],
    ids=["in order of turns", "the later row of a turn", "by its place in the file", "two dialogues of one cluster",
         "an unscored turn", "an early end of an unstated length", "a gap", "no first turn"],
)  # fmt: skip
def test_flags_of_dialogues(rows: list[Row], flags: list[list[bool]]) -> None:
    assert turn_flags(rows) == flags


def test_trials_are_dialogues_of_their_own() -> None:
    first = turn(1, 0, 1)
    second = Row(Score("s", 1, values={**first.score.values, "right": 0.0}), "d", {"setting": "M-S"})
    assert turn_flags([first, second]) == [[True], [False]]


def test_the_average_is_the_mean_over_the_settings_evaluated() -> None:
    def row(setting: str, name: str, values: dict[str, float]) -> Row:
        return Row(Score(name, values=values), name, {"setting": setting})

    rows = [
        row("S-S", "a", {"tool_selection": 1.0, "parameter_selection": 0.0}),
        row("S-M", "b", {"tool_number": 0.25, "tool_order": 0.75}),
        row("S-M", "c", {"tool_number": 0.75, "tool_order": 0.75}),
    ]
    found = estimate(BENCHMARK.scoring.metrics, rows)
    assert found["average"].value == pytest.approx((0.5 + 0.625) / 2)
    assert found["success_rate"].value is None


def test_intervals_are_drawn_over_dialogues_not_turns() -> None:
    rows = []
    for number in range(20):
        right = float(number % 2)
        for place in range(5):
            values = {"right": right, "parameter_selection": right, "tool_selection": right}
            position = {"turn": place, "turns": 5, "dialogue": 0, "row": number * 5 + place}
            rows.append(Row(Score("s", values={**values, **position}), f"d{number}", {"setting": "M-S"}))
    assert len(rows_by_cluster(rows)) == 20
    found = estimate(BENCHMARK.scoring.metrics, rows, seed=1)["parameter_selection"]
    alone = [Row(row.score, str(place), row.groups) for place, row in enumerate(rows)]
    turnwise = estimate([BENCHMARK.scoring.metric("parameter_selection")], alone, seed=1)[
        "parameter_selection"
    ]
    assert found.low is not None and found.high is not None
    assert turnwise.low is not None and turnwise.high is not None
    # Turns of a dialogue stand and fall together here: five times as many draws must not narrow the interval.
    assert found.high - found.low > 1.8 * (turnwise.high - turnwise.low)


PARK = (
    "user: Milton Park\nfunction: \nThought: Look it up.\nAction: SearchAttraction\n"
    'Action Input: {"name": "Milton Park"}\nobservation: : {"phone": "765-98", "street": "4 Mill Lane"}\n'
    "assistant: : It is free.\n"
)


def erring_turn(answer: Any, user: str, history: str = "", setting: str = "M-S") -> Sample:
    tools = '[{"name": "SearchAttraction", "description": "d"}, {"name": "GetRide", "description": "d"}]'
    question = f"Rules.\nTools: {tools}\nHistory Dialog: \n{history}User: {user}"
    return build_samples([RawRow(f"{setting}_0_0", question, answer, "", "here")], setting)[0]


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
    sample = erring_turn(gold, "Go.", setting="M-M")
    assert scored(sample, text, profile).errors["M-M"] == {label: 1}


def test_a_right_turn_has_no_error_and_the_released_scorer_forgives_extra_calls() -> None:
    assert scored(erring_turn({"A": {"x": 1}}, "1"), calling(A={"x": 1})).errors == {}
    sample = erring_turn({"A": {}}, "Go.", setting="S-M")
    assert scored(sample, calling(A={}, B={})).errors["S-M"] == {"excessive": 1}
    assert scored(sample, calling(A={}, B={}), "official").errors == {}


def test_a_call_that_cannot_be_read_is_a_format_error_and_none_is_not_under_both_profiles() -> None:
    sample = erring_turn({"GetRide": {"to": "x"}}, "Go.")
    assert scored(sample, "Action: GetRide\nAction Input: soon").errors["M-S"] == {"format": 1}
    assert scored(sample, "Action: None\nAction Input: None").errors["M-S"] == {"missed": 1}
    unmarked = 'Thought: Go.\nAction: GetRide\nActionInput: {"to": "x"}'
    assert scored(sample, unmarked, "official").errors["M-S"] == {"format": 1}
    nothing = "Thought: No tool fits.\nAction: None\nAction Input: None"
    assert scored(sample, nothing, "official").errors["M-S"] == {"missed": 1}


def test_parameters_are_omitted_misaligned_or_made_up() -> None:
    sample = erring_turn({"GetRide": {"to": "New York", "riders": 1}}, "One rider to New York.")
    assert scored(sample, calling(GetRide={"to": "New York"})).errors["parameter"] == {"omission": 1}
    assert scored(sample, calling(GetRide={"to": "nyc", "riders": 1})).errors["parameter"] == {
        "misalignment": 1
    }
    more = calling(GetRide={"to": "New York", "riders": 1, "when": "now"})
    assert scored(sample, more).errors["parameter"] == {"hallucination": 1}


def test_values_of_the_history_are_inherited_known_ones_not_asked_again_none_made_up() -> None:
    sample = erring_turn({"GetRide": {"to": "4 Mill Lane"}}, "A taxi there, please.", PARK)
    assert scored(sample, calling(GetRide={"to": "the park"})).errors["parameter"] == {"inheritance": 1}
    sample = erring_turn({"": {}}, "Could I get the phone number for that?", PARK)
    found = scored(sample, calling(SearchAttraction={"name": "Milton Park"})).errors
    assert found["M-S"] == {"excessive": 1}
    assert found["action"] == {"more_tools": 1, "repeated_call": 1}
    sample = erring_turn({"": {}}, "I want a taxi.", PARK)
    found = scored(sample, calling(GetRide={"to": "the airport", "riders": 9})).errors
    assert found["parameter"] == {"hallucination": 2}


def test_reasons_follow_the_answer_and_a_wrong_order_is_told_as_such() -> None:
    sample = erring_turn({"GetRide": {}}, "Go.")
    names = [f"extra_{letter}" for letter in "qwertzuiop"]
    reasons = scored(sample, calling(GetRide=dict.fromkeys(names, "x"))).reasons
    told = [reason for reason in reasons if "is not wanted" in reason]
    assert [reason.split(" ")[0] for reason in told] == [f"GetRide.{name}" for name in names]
    sample = erring_turn({"A": {}, "B": {}}, "Go.", setting="S-M")
    assert scored(sample, calling(B={}, A={})).errors == {"S-M": {"parameter": 1}, "action": {"order": 1}}


def test_every_label_that_occurs_is_declared() -> None:
    samples = BENCHMARK.data.load(BENCHMARK.data.starter, Options())
    for sample in samples[::4]:
        for text in ("", "Action: x", calling(find_trains={"day": "x"}), calling(A={}, B={})):
            for profile in PROFILES:
                for name, labels in scored(sample, text, profile).errors.items():
                    assert set(labels) <= set(ERROR_LABELS[name])


@each_case("user, value")
def test_a_number_in_words_is_no_value_from_nowhere(user: str, value: Any) -> None:
    known = erring_turn({"GetRide": {"value": value}}, user)
    assert not [finding for finding in audit(Path(), (known,)) if "stands nowhere" in finding.what]
    wrong = erring_turn({"GetRide": {"value": "9"}}, user)
    assert [finding for finding in audit(Path(), (wrong,)) if "stands nowhere" in finding.what]


def test_every_table_is_there_with_all_its_rows() -> None:
    assert Counter(row.table for row in PUBLISHED) == cases(__file__, "every_table_is_there")


@pytest.mark.parametrize(
    ("table", "setting", "percent"),
    [
        # 412, 330 of 473 turns and 16 of 85 dialogues
        (
            "Tables 2 and 11, pooled",
            "M-S",
            {"tool_selection": 87.10, "parameter_selection": 69.77, "success_rate": 18.82},
        ),
        ("Tables 3 and 12, pooled", "M-M", {"average_turn_success": 59.64, "success_rate": 16.46}),
    ],
)
def test_normal_and_hard_rows_together_are_what_runs_on_the_release_compare_with(
    table: str, setting: str, percent: dict[str, float]
) -> None:
    (row,) = [row for row in PUBLISHED if (row.table, row.model, row.group) == (table, "GPT-4", setting)]
    assert {name: 100 * (row.figures[name] or 0) for name in percent} == pytest.approx(percent, abs=0.01)
    parts = [value for name, value in row.figures.items() if name != "average"]
    assert row.figures["average"] == pytest.approx(sum(value or 0 for value in parts) / 6)
    found = ModelRun(
        "m", "", "", None, {}, {"setting": {setting: dict.fromkeys(row.figures, Estimate(0.5, None, None))}}, {}, ()
    )  # fmt: skip
    marks = published_exhibit([found], table, [each for each in PUBLISHED if each.table == table]).marks
    assert [mark.value for mark in marks if mark.source == "run"] == [0.5] * 7


def test_these_printed_averages_are_not_the_mean_of_their_parts() -> None:
    found = []
    for row in PUBLISHED:
        average = row.figures.get("average")
        parts = [value for name, value in row.figures.items() if name != "average"]
        known = [value for value in parts if value is not None]
        if average is not None and known and len(known) == len(parts):
            mean = sum(known) / len(known)
            # Printed with four digits.
            if abs(mean - average) > 0.00011:
                found.append([row.table, row.group, row.model, average, round(mean, 4)])
    assert found == cases(__file__, "printed_averages")


def test_the_hard_averages_of_table_4_differ_from_tables_11_and_12_in_three_places() -> None:
    detailed = {
        (row.model, row.group): row.figures["average"]
        for row in PUBLISHED
        if row.table in ("Table 11", "Table 12")
    }
    differing = [
        (row.model, row.group)
        for row in PUBLISHED
        if row.table == "Table 4" and row.figures["average"] != detailed[row.model, row.group]
    ]
    assert differing == [("ChatGLM3-6B", "S-M hard"), ("ChatGLM3-6B", "M-M hard"), ("MTU-LLaMA", "S-S hard")]


def test_table_16_adds_up_to_the_printed_total() -> None:
    assert sum(row.total or 0 for row in PUBLISHED if row.table == "Table 16") == 2781
