"""Typed checks: what an answer says, of whom, and whether it means it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tooleyes_answers import labelled_answers
from toolyard.benchmarks.tooleyes import BENCHMARK
from toolyard.benchmarks.tooleyes.baselines import oracle
from toolyard.benchmarks.tooleyes.checks.decisions import (
    OneOfSeveral,
    YesOrNo,
    choice_verdict,
    decision_verdict,
)
from toolyard.benchmarks.tooleyes.checks.fact_verdicts import Fact, fact_verdict
from toolyard.benchmarks.tooleyes.checks.passages import passages
from toolyard.benchmarks.tooleyes.checks.selected_results import pasted
from toolyard.benchmarks.tooleyes.checks.stated_values import Number
from toolyard.benchmarks.tooleyes.checks.wanted import fact_of, sample_of
from toolyard.benchmarks.tooleyes.gold_episodes import GoldEpisode
from toolyard.benchmarks.tooleyes.official_checks import CHECKS
from toolyard.benchmarks.tooleyes.outcome import Statements, outcome, statements
from toolyard.benchmarks.tooleyes.parse import parse
from toolyard.benchmarks.tooleyes.queries import QueryGold
from toolyard.benchmarks.tooleyes.questions import ask
from toolyard.benchmarks.tooleyes.score import score
from toolyard.core.benchmark import RunSetup
from toolyard.core.state_checks import StateCheck, unwanted, verify
from toolyard.core.types import Evidence, Failure, Options
from toolyard.run.checking import mutation_classes
from toolyard.run.data import load_samples
from toolyard.run.offline import play_offline

ANSWERS = Path(__file__).parent / "answers.jsonl"
FOUNDED = [{"value": 1632, "of": "Amsterdam", "exact": True}, {"value": 1636, "of": "Utrecht", "exact": True}]


def holds(written: list[Any], answer: str) -> bool:
    facts = []
    for each in written:
        wanted = fact_of(each)
        assert wanted is not None
        fact = wanted.resolved((), ())
        assert isinstance(fact, Fact)
        facts.append(fact)
    said = passages(answer)
    return all(fact_verdict(fact, tuple(facts), said).holds is True for fact in facts)


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("Amsterdam was founded in 1632 and Utrecht in 1636.", True),
        ("Amsterdam was founded in 1636 and Utrecht in 1632.", False),
        ("1632 for Amsterdam, 1636 for Utrecht", True),
        ("1636 for Amsterdam, 1632 for Utrecht", False),
        ("Amsterdam and Utrecht were founded in 1632 and 1636, respectively.", True),
        ("Utrecht and Amsterdam were founded in 1632 and 1636, respectively.", False),
        ("Utrecht and Amsterdam were founded in 1636 and 1632 respectively.", True),
        ("| | founded |\n|---|---|\n| Utrecht | 1636 |\n| Amsterdam | 1632 |", True),
        ("| | founded |\n|---|---|\n| Utrecht | 1632 |\n| Amsterdam | 1636 |", False),
        ("| Utrecht | Amsterdam |\n|---|---|\n| 1636 | 1632 |", True),
        ("| Utrecht | Amsterdam |\n|---|---|\n| 1632 | 1636 |", False),
        ("**Amsterdam**\n- Founded: 1632\n\n**Utrecht**\n- Founded: 1636", True),
        ("**Amsterdam**\n- Founded: 1636\n\n**Utrecht**\n- Founded: 1632", False),
        ("1. Utrecht: 1636\n2. Amsterdam: 1632", True),
        ("1632 and 1636", True),
        ("1636 and 1632", False),
        ("Amsterdam 1632. The other is from 1635.", False),
        ("It was 1632 (17th century) in Amsterdam and 1636 (also 17th) in Utrecht.", True),
        ("It was 1636 (17th century) in Amsterdam and 1632 (also 17th) in Utrecht.", False),
        ("From 1632 at the gates of Amsterdam it went on to 1636 at the gates of Utrecht.", True),
        ("From 1636 at the gates of Amsterdam it went on to 1632 at the gates of Utrecht.", False),
    ],
)
def test_a_fact_belongs_to_its_subject(answer: str, right: bool) -> None:
    assert holds(FOUNDED, answer) is right


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("The capital is Vienna.", True),
        ("The capital is not Vienna.", False),
        ("The capital isn't Vienna but Graz.", False),
        ("The capital is no longer Vienna.", False),
        ("Vienna is not the capital.", False),
        ("It is Vienna, not Berlin.", True),
        ("It is either Vienna or Graz.", False),
        ("Vienna or Graz, I cannot tell which.", False),
        ("I am not sure, but I think Vienna.", False),
        ("Vienna? No wait, it is Graz.", False),
        ("Not only is Vienna the capital, it is also large.", True),
        ("VIENNA", True),
    ],
)
def test_denial_and_doubt_are_seen(answer: str, right: bool) -> None:
    assert holds(["Vienna"], answer) is right


@pytest.mark.parametrize(
    ("fact", "answer", "right"),
    [
        ({"value": 1473000}, "1,473,000", True),
        ({"value": 1473000}, "1.473 million people", True),
        ({"value": 1473000}, "1.47 million people", True),
        ({"value": 1473000}, "1 473 000", True),
        ({"value": 1473000}, "1.473.000 Einwohner", True),
        ({"value": 1473000}, "1.6 million people", False),
        ({"value": 1234.5}, "1.234,5", True),
        ({"value": 92000}, "92k", True),
        ({"value": 42, "exact": True}, "forty-two", True),
        ({"value": 3}, "the third option", False),
        ({"value": 98.43, "unit": "EUR"}, "98,43 €", True),
        ({"value": 98.43, "unit": "EUR"}, "$98.43", False),
        ({"value": 98.43, "unit": "EUR"}, "98.43 %", False),
        ({"value": 0.95, "unit": "share"}, "95 %", True),
        ({"value": 0.65, "unit": "share"}, "65 out of 100", True),
        ({"value": 0.65, "unit": "share"}, "56 out of 100", False),
        ({"value": 10, "unit": "km"}, "6.2 miles", True),
        ({"value": 27.6, "unit": "km/h"}, "7.7 m/s", True),
        ({"value": 27.6, "unit": "km/h"}, "27.6m/s", False),
        ({"value": 13.8, "unit": "celsius"}, "$13.8^\\circ$C", True),
        ({"value": -2.56, "unit": "percent"}, "down 2.56 %", True),
        ({"value": -2.56, "unit": "percent"}, "up 2.56 %", False),
        ({"value": -2.56, "unit": "percent"}, "-2.56 %", True),
        ({"value": {"date": "2024-05-20"}}, "Monday, 20 May", True),
        ({"value": {"date": "2024-05-20"}}, "Tuesday, 20 May", False),
        ({"value": {"date": "2024-05-20"}}, "20/05/2024", True),
        ({"value": {"date": "2024-05-20"}}, "am 20. Mai 2024", True),
        ({"value": {"date": "2024-05-20"}}, "May 20 2023", False),
        ({"value": {"date": "2024-05-20"}}, "between 18 and 20 May", True),
        ({"value": {"time": "18:38"}}, "6:38 p.m.", True),
        ({"value": {"time": "18:38"}}, "6:38 am", False),
        ({"value": {"time": "18:38"}}, "18h38", True),
        ({"value": {"time": "12:00"}}, "at noon", True),
        ({"value": {"seconds": 5400}}, "an hour and a half", True),
        ({"value": {"seconds": 5400}}, "1 h 30 min", True),
        ({"value": {"seconds": 5400}}, "90 minutes", True),
        ({"value": {"seconds": 5400}}, "9 minutes", False),
        ({"value": 16284.71}, "16,284.71", True),
        ({"value": 16284.71}, "16,284.7", True),
        ({"value": 16284.71}, "16,285", True),
        ({"value": 16284.71}, "16,284", True),
        ({"value": 16284.71}, "about 16,300", True),
        ({"value": 16284.71}, "about 16,000", False),
        ({"value": 16284.71}, "16,290", False),
        ({"value": 16284.71}, "16,284.2", False),
        ({"value": 16284.71, "digits": 2}, "roughly 16,000", True),
        ({"value": 16284.71, "exact": True}, "16,285", False),
        ({"value": 12.4}, "12", False),
        ({"value": 3, "unit": "kcal"}, "3 calories", True),
        ({"value": 3.5, "unit": "GBP"}, "3.50 pounds", True),
        ({"value": 3.5, "unit": "GBP"}, "3.50 British pounds", True),
        ({"value": 3.5, "unit": "GBP"}, "3.50 Egyptian pounds", False),
        ({"value": 3.5, "unit": "CAD"}, "CA$3.50", True),
        ({"value": "SSP"}, "South Sudanese pounds", True),
        ({"value": "South Sudanese pound"}, "SSP", True),
        ({"value": "South Sudanese pound"}, "EGP", False),
        ({"value": "Germany"}, "DEU", True),
        ({"value": "United States"}, "the U.S.", True),
        ({"value": "United States"}, "tell us more", False),
        ({"value": "+15551740102"}, "(555) 174-0102", True),
        ({"value": "https://a.example/x"}, "[here](https://a.example/x)", True),
        ({"value": "London"}, "Europe/London", False),
    ],
)
def test_values_in_any_usual_form(fact: Any, answer: str, right: bool) -> None:
    assert holds([fact], answer) is right


CHANGE = YesOrNo(True, ("change planes", "one stop"), ("direct", "non-stop"))


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("You do have to change planes.", True),
        ("Yes.", True),
        ("There is one stop.", True),
        ("It is not direct.", True),
        ("No, you do not have to change planes.", False),
        ("It is a direct flight.", False),
        ("Yes. It is a non-stop flight.", False),
        ("You might have to change planes or not.", None),
        ("The fare is 98.", None),
    ],
)
def test_a_decision_may_be_put_in_words(answer: str, verdict: bool | None) -> None:
    found = decision_verdict(CHANGE, passages(answer)).holds
    assert found is verdict or (verdict is None and found is not True)


WARMER = OneOfSeveral(("Lima",), ("Madrid",), ("warmer", "beats"), ("colder", "cooler"))


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("Lima is warmer than Madrid.", True),
        ("It is warmer in Lima.", True),
        ("Madrid is colder.", True),
        ("Madrid is warmer than Lima.", False),
        ("Lima is not warmer than Madrid.", False),
        ("Of Madrid and Lima, the latter is warmer.", True),
        ("Of Madrid and Lima, the former is warmer.", False),
        ("Lima.", True),
        ("Madrid.", False),
        ("Lima (19.5) beats Madrid (12.1).", True),
        ("Madrid (19.5) beats Lima (12.1).", False),
        ("Lima and Madrid are about the same.", False),
    ],
)
def test_a_comparison_has_a_subject(answer: str, right: bool) -> None:
    assert choice_verdict(WARMER, passages(answer)).holds is right


def test_pasted_data_are_no_answer() -> None:
    assert pasted('[{"city": "Lisbon"}]', 20, 1, [])
    assert pasted("city_name: Lisbon\ntime_zone: x_y\nas_number: 3\nip_range: 4", 20, 1, [])
    assert pasted("x" * 3000, 20, 1, [])
    assert not pasted("It is Lisbon.", 20, 1, [{"city": "Lisbon"}])


def test_nothing_else_may_change_in_the_same_table() -> None:
    check = StateCheck("database", "changed", key="products", as_planned=True)
    planned = {
        "database": {"changed": {"products": {"before": {}, "after": {"rows": [[1, 39.9], [4, 49.5]]}}}}
    }
    spoiled = {"database": {"changed": {"products": {"before": {}, "after": {"rows": [[1, 1], [4, 49.5]]}}}}}
    assert verify(check, planned, planned).holds
    assert not verify(check, spoiled, planned).holds
    assert unwanted((check,), planned, planned) == ()
    assert unwanted((check,), spoiled, planned) == ("database: changed products",)
    moved = {"files": {"added": {"/b": "x"}, "removed": {"/a": "x"}, "changed": {}}}
    assert unwanted((StateCheck("files", key="/b"),), moved) == ("files: removed /a",)
    assert (
        unwanted(
            (),
            {"clock": {"changed": {"now": 1}}, "python_session": {"added": {"a": 1}}},
            scratch=("python_session",),
        )
        == ()
    )


def test_answers_written_by_people_are_judged_as_they_were_labelled() -> None:
    """Free answers, right and wrong, labelled before any check saw them; the episode before them is the gold one.

    A row counts as long as the world says what its label rests on.
    """
    rows = labelled_answers(ANSWERS)
    wanted = {row.query for row in rows}
    every = load_samples(BENCHMARK, "starter", Options("zero-shot"))
    samples = {sample.id: sample for sample in every if sample.id in wanted}
    setup = RunSetup.default(BENCHMARK, Options("zero-shot"))
    played = play_offline(setup, tuple(samples.values()), oracle)
    episodes = {transcript.sample: transcript for transcript in played}
    wrong, current = [], 0
    for row in rows:
        sample = samples[row.query]
        assert isinstance(sample.gold, QueryGold)
        golden = parse(sample, episodes[sample.id], "paper")
        stated = statements(sample.gold, golden)
        assert isinstance(stated, Statements)
        gold = GoldEpisode(episodes[sample.id], golden, sample.gold, stated)
        if not row.current(sample.gold.answer, golden.answer, gold.reference):
            continue
        current += 1
        other = gold.answering(row.text(gold.reference))
        value = outcome(sample.gold, parse(sample, other, "paper")).value
        if value != float(row.right):
            wrong.append((row.query, row.right, value))
    assert len(rows) == 312
    # Labels that rest on values of an earlier world are out of date until answers are labelled anew.
    assert current >= 100
    assert {right for _, right, _ in wrong} <= {True}, wrong
    assert len(wrong) <= 2, wrong


def test_changed_gold_answers_are_told_apart() -> None:
    """Every ninth query; `toolyard check tooleyes` wants 97 % of all; two misses in a sample can be chance."""
    setup = RunSetup.default(BENCHMARK, Options("zero-shot"))
    samples = load_samples(BENCHMARK, "starter", Options("zero-shot"))[::9]
    golden = play_offline(setup, samples, oracle)
    classes = mutation_classes(setup, samples, golden)
    assert {each.kind for each in classes if each.right} == {
        "other_spelling", "list", "table", "other_order", "longer_plan",
    }  # fmt: skip
    assert len(classes) == 17
    for each in classes:
        assert each.caught >= each.number - max(2, round(0.03 * each.number)), each


def test_some_results_are_enough_where_any_will_do() -> None:
    sample = sample_of({"from": ["get_uuid uuids[]", "find items[].title"], "count": 2})
    assert sample is not None
    own = [("get_uuid", {"uuids": ["a1b2", "c3d4", "e5f6"]}), ("other", {"uuids": ["zzzz"]})]
    assert sample.verdict(own, passages("a1b2 and e5f6")).holds is True
    assert sample.verdict(own, passages("a1b2 and a1b2")).holds is False
    assert sample.verdict(own, passages("a1b2 and zzzz")).holds is False
    titles = [("find", {"items": [{"title": "Black holes"}, {"title": "Dark matter"}]})]
    assert sample.verdict(titles, passages("1. Black holes\n2. Dark matter")).holds is True
    for broken in ({}, {"from": [], "count": 1}, {"from": ["a b"], "count": 0}, {"from": ["a b"]}):
        assert sample_of(broken) is None


def test_official_queries_have_checks_without_their_text(shared: Path) -> None:
    samples = load_samples(BENCHMARK, str(shared / "data/tooleyes"), Options("zero-shot"))
    checked = [sample for sample in samples if isinstance(sample.gold, QueryGold)]
    assert len(samples) == 382
    assert len(checked) >= 300
    text = CHECKS.read_text(encoding="utf-8").lower()
    assert not [sample.id for sample in checked if " ".join(sample.input["query"].lower().split()) in text]
    some = tuple(checked[::12])
    setup = RunSetup.default(BENCHMARK, Options("zero-shot"))
    for sample, transcript in zip(some, play_offline(setup, some, oracle), strict=True):
        assert isinstance(sample.gold, QueryGold)
        assert outcome(sample.gold, parse(sample, transcript, "paper")).value == 1.0, sample.id


def test_a_decision_that_no_rule_sees_goes_to_the_judge() -> None:
    (sample,) = (
        each
        for each in load_samples(BENCHMARK, "starter", Options("zero-shot"))
        if each.id == "usquote-tesla-months"
    )
    setup = RunSetup.default(BENCHMARK, Options("zero-shot"))
    (played,) = play_offline(setup, (sample,), oracle)
    golden = parse(sample, played, "paper")
    assert isinstance(sample.gold, QueryGold)
    stated = statements(sample.gold, golden)
    assert isinstance(stated, Statements)
    numbers = [f"{fact.values[0].number}" for fact in stated.facts if isinstance(fact.values[0], Number)]
    said = f"February {numbers[0]}, March {numbers[1]}, which left holders wincing all the way home."
    open_one = parse(sample, GoldEpisode(played, golden, sample.gold, stated).answering(said), "paper")
    assert outcome(sample.gold, open_one).value is None
    assert "outcome" in [question.id for question in ask(sample, open_one, "paper", {})]
    assert "outcome" not in [question.id for question in ask(sample, golden, "paper", {})]
    for reply, value in (("Evaluation Score: 9", 1.0), ("Evaluation Score: 2", 0.0)):
        evidence = {"outcome": Evidence(sample.id, "outcome", reply=reply, model="given")}
        assert score(sample, open_one, evidence, "paper").values["outcome"] == value
    assert score(sample, open_one, {}, "paper").values["outcome"] is None


@pytest.mark.parametrize(
    ("found", "seconds"), [("1:24.3", 84.3), ("2:00:05", 7205.0), ("12 weeks", 7257600.0), ("soon", None)]
)
def test_a_duration_is_read_from_a_clock_or_from_units(found: str, seconds: float | None) -> None:
    wanted = fact_of({"value": {"$": "0.time", "as": "duration"}})
    assert wanted is not None
    fact = wanted.resolved(({"time": found},), ())
    assert isinstance(fact, Failure) if seconds is None else isinstance(fact, Fact)
    if isinstance(fact, Fact):
        assert seconds is not None
        assert fact.values == (Number(seconds, "second"),)


@pytest.mark.parametrize(
    ("said", "right"),
    [
        ("The concert is free.", True),
        ("It costs nothing.", True),
        ("It costs 0 dollars.", True),
        ("It is not free, it costs 20 dollars.", False),
        ("It costs 20 dollars.", False),
    ],
)
def test_a_price_of_nothing_may_be_said_in_words(said: str, right: bool) -> None:
    assert bool(list(Number(0.0, "USD").spots(said))) == right
    assert not list(Number(3.0, "USD").spots("The concert is free."))
