"""Typed checks: what an answer says, of whom, whether it means it, however it is spelled."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from cases import cases, each_case
from json_files import read_lines
from tooleyes_answers import labelled_answers
from toolyard.benchmarks.tooleyes import BENCHMARK
from toolyard.benchmarks.tooleyes.data.references import look_up, value_text
from toolyard.benchmarks.tooleyes.data.rows import CHECKS
from toolyard.benchmarks.tooleyes.data.sample import QueryGold
from toolyard.benchmarks.tooleyes.scoring.baselines import oracle
from toolyard.benchmarks.tooleyes.scoring.checks.decisions import (
    OneOfSeveral,
    YesOrNo,
    choice_verdict,
    decision_verdict,
)
from toolyard.benchmarks.tooleyes.scoring.checks.fact_verdicts import Fact, fact_verdict
from toolyard.benchmarks.tooleyes.scoring.checks.passages import split_passages
from toolyard.benchmarks.tooleyes.scoring.checks.stated_values import Number, name_forms
from toolyard.benchmarks.tooleyes.scoring.checks.wanted_facts import read_wanted_fact, read_wanted_sample
from toolyard.benchmarks.tooleyes.scoring.gold_episodes import GoldEpisode
from toolyard.benchmarks.tooleyes.scoring.judge_questions import ask
from toolyard.benchmarks.tooleyes.scoring.outcome import Statements, outcome, selection_fault, statements
from toolyard.benchmarks.tooleyes.scoring.parse import parse
from toolyard.benchmarks.tooleyes.scoring.score import score
from toolyard.core.benchmark import RunSetup
from toolyard.core.state_checks import StateCheck, unwanted_changes, verify
from toolyard.core.types import Evidence, Failure, Options
from toolyard.run.grade.checking import mutation_classes
from toolyard.run.plan.data_sources import load_samples
from toolyard.run.play.offline import play_offline

ANSWERS = Path(__file__).parent / "answers.jsonl"


def holds(written: list[Any], answer: str, observations: Sequence[Any] = ()) -> bool:
    facts = []
    for each in written:
        wanted = read_wanted_fact(each)
        assert wanted is not None
        fact = wanted.resolved(observations, ())
        assert isinstance(fact, Fact)
        facts.append(fact)
    said = split_passages(answer)
    return all(fact_verdict(fact, tuple(facts), said).holds is True for fact in facts)


@pytest.mark.parametrize(
    ("rule", "wanted", "answer", "right"),
    [(rule, *row) for rule, facts in cases(__file__, "facts").items() for row in facts["answers"]],
)
def test_facts_are_found_in_answers(rule: str, wanted: list[Any], answer: str, right: bool) -> None:
    assert holds(wanted, answer, cases(__file__, "facts")[rule]["seen"]) is right


CHANGE = YesOrNo(True, ("change planes", "one stop"), ("direct", "non-stop"))


@each_case("answer, verdict")
def test_a_decision_may_be_put_in_words(answer: str, verdict: bool | None) -> None:
    found = decision_verdict(CHANGE, split_passages(answer)).holds
    assert found is verdict or (verdict is None and found is not True)


WARMER = OneOfSeveral(("Lima",), ("Madrid",), ("warmer", "beats"), ("colder", "cooler"))


@each_case("answer, right")
def test_a_comparison_has_a_subject(answer: str, right: bool) -> None:
    assert choice_verdict(WARMER, split_passages(answer)).holds is right


def test_pasted_data_are_no_answer() -> None:
    assert selection_fault('[{"city": "Lisbon"}]', 20, 1, [])
    assert selection_fault("city_name: Lisbon\ntime_zone: x_y\nas_number: 3\nip_range: 4", 20, 1, [])
    assert selection_fault("x" * 3000, 20, 1, [])
    assert not selection_fault("It is Lisbon.", 20, 1, [{"city": "Lisbon"}])


def test_nothing_else_may_change_in_the_same_table() -> None:
    check = StateCheck("database", "changed", key="products", as_planned=True)
    planned = {
        "database": {"changed": {"products": {"before": {}, "after": {"rows": [[1, 39.9], [4, 49.5]]}}}}
    }
    spoiled = {"database": {"changed": {"products": {"before": {}, "after": {"rows": [[1, 1], [4, 49.5]]}}}}}
    assert verify(check, planned, planned).holds
    assert not verify(check, spoiled, planned).holds
    assert unwanted_changes((check,), planned, planned) == ()
    assert unwanted_changes((check,), spoiled, planned) == ("database: changed products",)
    moved = {"files": {"added": {"/b": "x"}, "removed": {"/a": "x"}, "changed": {}}}
    assert unwanted_changes((StateCheck("files", key="/b"),), moved) == ("files: removed /a",)
    assert (
        unwanted_changes(
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
        other = gold.with_answer(row.text(gold.reference))
        value = outcome(sample.gold, parse(sample, other, "paper")).value
        if value != float(row.right):
            wrong.append((row.query, row.right, value))
    assert len(rows) == 303
    # Labels that rest on values of an earlier world are out of date until answers are labelled anew.
    assert current >= 100
    assert {right for _, right, _ in wrong} <= {True}, wrong
    assert len(wrong) <= 2, wrong


def test_changed_gold_answers_are_told_apart() -> None:
    """Every ninth query; `toolyard check tooleyes` wants 97 % of all; three misses in a sample of sixty can be chance."""
    setup = RunSetup.default(BENCHMARK, Options("zero-shot"))
    samples = load_samples(BENCHMARK, "starter", Options("zero-shot"))[::9]
    golden = play_offline(setup, samples, oracle)
    classes = mutation_classes(setup, samples, golden)
    assert {each.kind for each in classes if each.right} == {
        "other_spelling", "rounded", "list", "table", "other_order", "longer_plan",
    }  # fmt: skip
    assert len(classes) == 19
    for each in classes:
        assert each.caught >= each.number - max(3, round(0.03 * each.number)), each


def test_some_results_are_enough_where_any_will_do() -> None:
    sample = read_wanted_sample({"from": ["get_uuid uuids[]", "find items[].title"], "count": 2})
    assert sample is not None
    own = [("get_uuid", {"uuids": ["a1b2", "c3d4", "e5f6"]}), ("other", {"uuids": ["zzzz"]})]
    assert sample.verdict(own, split_passages("a1b2 and e5f6")).holds is True
    assert sample.verdict(own, split_passages("a1b2 and a1b2")).holds is False
    assert sample.verdict(own, split_passages("a1b2 and zzzz")).holds is False
    titles = [("find", {"items": [{"title": "Black holes"}, {"title": "Dark matter"}]})]
    assert sample.verdict(titles, split_passages("1. Black holes\n2. Dark matter")).holds is True
    for broken in ({}, {"from": [], "count": 1}, {"from": ["a b"], "count": 0}, {"from": ["a b"]}):
        assert read_wanted_sample(broken) is None


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
    open_one = parse(sample, GoldEpisode(played, golden, sample.gold, stated).with_answer(said), "paper")
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
    wanted = read_wanted_fact({"value": {"$": "0.time", "as": "duration"}})
    assert wanted is not None
    fact = wanted.resolved(({"time": found},), ())
    assert isinstance(fact, Failure) if seconds is None else isinstance(fact, Fact)
    if isinstance(fact, Fact):
        assert seconds is not None
        assert fact.values == (Number(seconds, "second"),)


@each_case("said, right")
def test_a_price_of_nothing_may_be_said_in_words(said: str, right: bool) -> None:
    assert bool(list(Number(0.0, "USD").spots(said))) == right
    assert not list(Number(3.0, "USD").spots("The concert is free."))


ROWS = read_lines(Path(__file__).with_name("spelled.jsonl"))
_SLOT = re.compile(r"\{([^{}|#]+?)(?:#([^{}|]+?))?(?:([*/+])([\d.]+)(?:\+(\d+))?)?(?:\|([^{}]*))?\}")


def fill(answer: str, seen: Sequence[Any]) -> str:
    """The answer with its slots filled from the plan's results."""

    def put(slot: re.Match[str]) -> str:
        value: Any = look_up(slot[1], seen)
        if slot[2]:
            found = re.search(slot[2], str(value))
            assert found is not None
            value = int(found[1])
        if slot[3]:
            factor = float(slot[4])
            value = {"*": value * factor, "/": value / factor, "+": value + factor}[slot[3]] + float(
                slot[5] or 0
            )
        if slot[6] == "time":
            return str(value)[11:16]
        return format(value, slot[6]) if slot[6] else value_text(slot[1], value)

    return _SLOT.sub(put, answer)


@pytest.mark.parametrize("seed", [0, 1])
def test_spelling_does_not_matter_and_values_do(seed: int) -> None:
    options = Options("zero-shot", world_seed=seed)
    names = {row["query"] for row in ROWS}
    samples = tuple(each for each in load_samples(BENCHMARK, "starter", options) if each.id in names)
    assert len(samples) == len(names)
    wrong = []
    played = play_offline(RunSetup.default(BENCHMARK, options), samples, oracle)
    for sample, transcript in zip(samples, played, strict=True):
        assert isinstance(sample.gold, QueryGold)
        golden = parse(sample, transcript, "paper")
        stated = statements(sample.gold, golden)
        assert isinstance(stated, Statements)
        gold = GoldEpisode(transcript, golden, sample.gold, stated)
        for row in (row for row in ROWS if row["query"] == sample.id):
            text = fill(row["answer"], gold.reference)
            found = outcome(sample.gold, parse(sample, gold.with_answer(text), "paper"))
            if found.value != float(row["right"]):
                wrong.append((row["right"], sample.id, text, found.reasons))
    assert wrong == []


@each_case("name, short, others")
def test_a_firm_goes_without_its_legal_form(name: str, short: str, others: tuple[str, ...]) -> None:
    assert short in name_forms(name)
    assert not {*others} & {*name_forms(name)}
