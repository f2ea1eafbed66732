"""Queries of our own: the form, facts, references, outcome, grounding, and the agents that prove the checks."""

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import cases, each_case
from toolyard.benchmarks.tooleyes import BENCHMARK
from toolyard.benchmarks.tooleyes.data.audit import audit
from toolyard.benchmarks.tooleyes.data.queries import read_queries
from toolyard.benchmarks.tooleyes.data.references import (
    PLACE,
    fill_references,
    fill_text,
    look_up,
    observed_calls,
    tied_references,
)
from toolyard.benchmarks.tooleyes.data.sample import QueryGold
from toolyard.benchmarks.tooleyes.scoring.baselines import answer_falsely, oracle
from toolyard.benchmarks.tooleyes.scoring.checks.decisions import OneOfSeveral, YesOrNo
from toolyard.benchmarks.tooleyes.scoring.checks.fact_verdicts import Fact, fact_verdict
from toolyard.benchmarks.tooleyes.scoring.checks.passages import split_passages
from toolyard.benchmarks.tooleyes.scoring.checks.wanted_facts import read_decision, read_wanted_fact
from toolyard.benchmarks.tooleyes.scoring.grounding import dates_numbers_names, ground_answer
from toolyard.benchmarks.tooleyes.scoring.mutated_answers import tied_templates
from toolyard.benchmarks.tooleyes.scoring.outcome import outcome, parameter_correctness
from toolyard.benchmarks.tooleyes.scoring.parse import AgentTurn, Trajectory
from toolyard.benchmarks.tooleyes.scoring.plain_spelling import find_numbers
from toolyard.benchmarks.tooleyes.scoring.released_parser import is_json_form, stored_text
from toolyard.benchmarks.tooleyes.task.rounds import read_round
from toolyard.core.benchmark import RunSetup
from toolyard.core.errors import DataError
from toolyard.core.types import Failure, Options, Sample
from toolyard.run.grade.grading import grade_all
from toolyard.run.plan.data_sources import load_samples
from toolyard.run.play.offline import play_offline

SETUP = RunSetup.default(BENCHMARK)

ROW: dict[str, Any] = cases(__file__, "ROW")


def one(tmp_path: Path, **changes: Any) -> Sample:
    path = tmp_path / "queries.jsonl"
    path.write_text(json.dumps({**ROW, **changes}) + "\n", encoding="utf-8")
    (sample,) = read_queries(path)
    return sample


@each_case("change, field")
def test_a_mistake_is_named_by_line_and_field(tmp_path: Path, change: dict[str, Any], field: str) -> None:
    with pytest.raises(DataError, match=rf"queries\.jsonl line 1: field {field}:"):
        one(tmp_path, **change)


def test_two_queries_with_one_id_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps(ROW) + "\n")
    (tmp_path / "b.jsonl").write_text(json.dumps(ROW) + "\n")
    with pytest.raises(DataError, match="'ip-one' occurs twice"):
        BENCHMARK.data.load(tmp_path, Options("zero-shot"))
    with pytest.raises(DataError, match="line 2: field id"):
        (tmp_path / "c.jsonl").write_text((json.dumps(ROW) + "\n") * 2)
        read_queries(tmp_path / "c.jsonl")


@each_case("fact, answer, holds")
def test_a_fact_holds_however_it_is_worded(fact: list[Any], answer: str, holds: bool) -> None:
    assert states(fact, answer) is holds


def states(written: Any, answer: str, own: Any = ()) -> bool:
    wanted = read_wanted_fact(written)
    assert wanted is not None
    fact = wanted.resolved((), own)
    assert isinstance(fact, Fact)
    return fact_verdict(fact, (fact,), split_passages(answer)).holds is True


@each_case("text, numbers")
def test_commas_group_digits_by_three_and_else_part_numbers(text: str, numbers: list[float]) -> None:
    assert find_numbers(text) == numbers


@given(st.lists(st.integers(-(10**12), 10**12), min_size=1, max_size=6))
def test_numbers_with_thousands_set_apart_are_read_back(numbers: list[int]) -> None:
    assert find_numbers("; ".join(f"{number:,}" for number in numbers)) == numbers


@given(st.lists(st.integers(0, 10**9), min_size=1, max_size=6), st.integers(1000, 10**9))
def test_a_row_with_a_longer_field_is_read_field_by_field(numbers: list[int], longer: int) -> None:
    row = [*numbers, longer, *numbers]
    assert find_numbers(",".join(map(str, row))) == row


def test_a_fact_of_chance_is_what_the_tool_returned_in_this_episode() -> None:
    fact = [{"tool": "draw", "path": "cards[0]"}]
    assert states(fact, "You drew 48213.", [("draw", {"cards": [48213]})])
    assert not states(fact, "You drew 48213.", [("other", {"cards": [48213]})])
    assert not states(fact, "You drew 48213.")


def test_references_point_into_earlier_observations() -> None:
    seen = [{"items": [{"id": "a7"}]}, "She sits in Tokyo.", [4, 5]]
    assert look_up("0.items[0].id", seen) == "a7"
    assert look_up("1", seen) == "She sits in Tokyo."
    assert look_up("2[-1]", seen) == 5
    for wrong in ("3", "0.items[1].id", "0.items.id", "2[2]", "0.nothing", "nonsense", "2[-3]"):
        assert isinstance(look_up(wrong, seen), Failure)
    arguments = {
        "id": {"$": "0.items[0].id"},
        "list": [{"$": "2[0]"}],
        "city": {"any_of": ["Tokyo", "tokyo"]},
        "text": {"fill": "No. {0.items[0].id}"},
    }
    assert fill_references(arguments, seen) == {"id": "a7", "list": [4], "city": "Tokyo", "text": "No. a7"}
    assert look_up("sum(2[0], 2[1], 2[0])", seen) == 13
    assert fill_text("{0.items[0].id} and {2[1]} but not {name}", seen) == "a7 and 5 but not {name}"
    assert isinstance(fill_text("{5.x}", seen), Failure)


CALL = AgentTurn("assistant", 'Thought: x\nAction: ip_details\nAction Input: {"ip": "8.8.8.8"}')
RESULT = AgentTurn("function", '{"city": "Lisbon", "mail": "ann@example.org"}')


def trajectory(answer: str, *turns: AgentTurn, diff: Any = None) -> Trajectory:
    rounds = tuple(read_round(turn.value) for turn in turns if turn.source == "assistant")
    return Trajectory(turns, rounds, True, answer, diff, len(rounds), {"observations": [], "changes": {}})


def test_the_outcome_wants_facts_absence_and_state(tmp_path: Path) -> None:
    checks = {
        "facts": [["Lisbon"]],
        "absent": [["Porto"]],
        "state": [{"store": "mailbox", "where": {"to": "ann@example.org"}}],
    }
    gold = one(tmp_path, checks=checks).gold
    sent = {"mailbox": {"added": {"m1": {"to": "ann@example.org"}}, "removed": {}, "changed": {}}}
    file = {"files": {"added": {"x": "1"}, "removed": {}, "changed": {}}}

    def value(answer: str, diff: Any) -> float | None:
        return outcome(gold, trajectory(answer, CALL, RESULT, diff=diff)).value

    assert value("Lisbon.", sent) == 1.0
    assert value("Lisbon or Porto.", sent) == 0.0
    assert value("Lisbon, not Porto.", sent) == 1.0
    assert value("Madrid.", sent) == 0.0
    assert value("Lisbon.", {}) == 0.0
    assert value("Lisbon.", {**sent, **file}) == 0.0
    assert value("Lisbon.", None) is None
    assert outcome(gold, trajectory("Lisbon.", diff=sent)).value == 0.0


def test_a_fact_without_the_plans_results_has_no_value(tmp_path: Path) -> None:
    gold = one(tmp_path, checks={"facts": [{"$": "0.city"}]}).gold
    blind = Trajectory((CALL, RESULT), (read_round(CALL.value),), True, "Lisbon.", {}, 1)
    assert outcome(gold, blind).value is None
    seen = trajectory("Lisbon.", CALL, RESULT, diff={})
    told = Trajectory(seen.turns, seen.rounds, True, "Lisbon.", {}, 1, {"observations": [{"city": "Lisbon"}]})
    assert outcome(gold, told).value == 1.0


@each_case("key, held")
def test_a_state_check_may_name_what_an_entry_is_filed_under(tmp_path: Path, key: Any, held: bool) -> None:
    state = [{"store": "files", "where": {"bytes": 12}, **({} if key is None else {"key": key})}]
    files = {"/out/v1.2/album.pdf": {"bytes": 12}, "/out/notes.txt": "album.pdf"}
    diff = {"files": {"added": files, "removed": {}, "changed": {}}}
    other = [{"store": "files", "count": "any"}]
    gold = one(tmp_path, checks={"facts": [["Lisbon"]], "state": state + other}).gold
    assert outcome(gold, trajectory("Lisbon.", CALL, RESULT, diff=diff)).value == float(held)


@pytest.mark.parametrize(
    "key", [3, ["a"], {"contains": 3}, {"any_of": "a"}, {"any_of": [None]}, {"like": "a"}]
)
def test_a_key_in_another_form_is_refused(tmp_path: Path, key: Any) -> None:
    with pytest.raises(DataError, match=r"field checks\.state: wanted a key as text"):
        one(tmp_path, checks={"state": [{"store": "files", "key": key}]})


def test_parameter_correctness_compares_literals_and_looks_for_the_rest(tmp_path: Path) -> None:
    plan = [
        {"tool": "find", "arguments": {"name": "Anna", "limit": 5}},
        {"tool": "show", "arguments": {"id": {"$": "0.id"}}},
        {"tool": "extra", "arguments": {"a": 1}, "optional": True},
        {"tool": "ask_to_user", "arguments": {"question": "Which?"}},
    ]
    gold = one(tmp_path, plan=plan).gold

    def made(first: dict[str, Any], second: dict[str, Any]) -> float | None:
        calls = [AgentTurn("assistant", f"Thought: x\nAction: find\nAction Input: {json.dumps(first)}")]
        calls.append(AgentTurn("function", '{"id": "k-81"}'))
        calls.append(AgentTurn("assistant", f"Thought: x\nAction: show\nAction Input: {json.dumps(second)}"))
        return parameter_correctness(gold, trajectory("done", *calls), "Find Anna.")

    assert made({"name": "anna", "limit": "5"}, {"id": "k-81"}) == 1.0
    assert made({"name": "anna", "limit": 5, "more": 1}, {"id": "k-82"}) == 0.5
    assert made({"name": "Bob"}, {"id": "k-81"}) == 0.5
    assert parameter_correctness(gold, trajectory("done"), "Find Anna.") == 0.0


@each_case("answer, told, share")
def test_grounding_is_the_share_of_items_told(answer: str, told: list[str], share: float | None) -> None:
    assert ground_answer(answer, told).share == share


def test_what_was_derived_counts_as_told_and_the_rest_is_named() -> None:
    assert ground_answer("Together 30 in Rotterdam.", ["Rotterdam 10, 20"], ("30",)).share == 1.0
    assert ground_answer("Together 30 in Rotterdam.", ["Rotterdam 10, 20"]).loose == ("30",)


@given(st.text())
def test_any_answer_can_be_searched_for_items(text: str) -> None:
    share = ground_answer(text, [text]).share
    assert share is None or 0 <= share <= 1
    assert isinstance(dates_numbers_names(text), tuple)


def own_samples() -> tuple[Sample, ...]:
    return load_samples(BENCHMARK, "starter", Options("zero-shot"))


def test_the_perfect_agent_passes_and_the_liar_fails_everywhere() -> None:
    # The contract of all benchmarks plays every sample; a part shows what each figure says.
    samples, options = own_samples()[::4], Options("zero-shot")
    perfect = grade_all(
        SETUP, samples, play_offline(RunSetup.default(BENCHMARK, options), samples, oracle), {}, "paper"
    )
    for item in perfect:
        for name in ("format_alignment", "tool_reality", "answer_pass", "outcome"):
            assert item.score.values[name] == 1.0, (item.sample.id, name, item.score.reasons)
        # Undefined where the answer names nothing, or where every call of the plan may be left out.
        for name in ("grounding", "parameter_correctness"):
            assert item.score.values[name] in (1.0, None), (item.sample.id, name, item.score.reasons)
    lies = grade_all(
        SETUP,
        samples,
        play_offline(RunSetup.default(BENCHMARK, options), samples, answer_falsely),
        {},
        "paper",
    )
    caught = [
        item for item in lies if item.score.values["outcome"] == 0 and item.score.values["grounding"] != 1.0
    ]
    assert len(caught) >= 0.95 * len(lies)


def test_a_file_of_another_name_does_not_pass_for_the_one_that_was_asked_for() -> None:
    (sample,) = (each for each in own_samples() if each.id == "file-april-figures")
    text = "North 2840.00 South 2340.00"
    csv = {"text": "2024-04,North,142,2840.00\n2024-04,South,117,2340.00"}
    turns = (CALL, AgentTurn("function", json.dumps(csv)))
    for path, value in (("/workspace/april.txt", 1.0), ("/workspace/may.txt", 0.0)):
        diff = {"files": {"added": {path: text}, "removed": {}, "changed": {}}}
        played = Trajectory(
            turns,
            (read_round(CALL.value),),
            True,
            "North: 2840, South: 2340",
            diff,
            1,
            {"observations": [csv]},
        )
        assert outcome(sample.gold, played).value == value


@pytest.mark.parametrize("value", [True, False, None, {"deep": [True]}, "true", 'quoted "text"\nand more'])
def test_the_perfect_agent_writes_arguments_that_both_profiles_read(tmp_path: Path, value: Any) -> None:
    sample = one(tmp_path, plan=[{"tool": "ip_details", "arguments": {"ip": value}}])
    said = oracle(sample, (), Random(0))
    assert read_round(said).arguments == {"ip": value}
    assert is_json_form(stored_text(said))


@each_case("changes, remark")
def test_the_audit_finds_what_spoils_a_query(tmp_path: Path, changes: dict[str, Any], remark: str) -> None:
    sample = one(tmp_path, **changes).with_input({"documents": [{"name": "ip_details", "parameters": {}}]})
    assert any(remark in finding.what for finding in audit(tmp_path, (sample,)))


def test_gold_is_not_in_the_input() -> None:
    for sample in own_samples():
        assert isinstance(sample.gold, QueryGold)
        assert not {"checks", "plan", "answer"} & set(sample.input)


SEEN: list[Any] = cases(__file__, "SEEN")


@each_case("reference, value", besides=[("min_by(0.items,id)", SEEN[0]["items"][0])])
def test_a_selector_points_to_one_item(reference: str, value: Any) -> None:
    found = look_up(reference, SEEN)
    if value is None:
        assert isinstance(found, Failure) and found.detail
        return
    assert found == value
    assert fill_references({"a": [{"$": reference}]}, SEEN) == {"a": [value]}
    assert PLACE.findall(f"It is {{{reference}}}.") == [reference]
    text = value if isinstance(value, str) else json.dumps(value)
    assert fill_text(f"{{{reference}}}", SEEN) == (text.strip("[]") if isinstance(value, list) else text)


def test_a_fact_of_every_item_is_one_fact_of_each() -> None:
    value, label = "0.items[kind=new][].price.total", "0.items[kind=new][].name"
    every = read_wanted_fact({"value": {"$": value}, "of": [[{"$": label}]]})
    assert every is not None
    found = [fact.resolved(SEEN, ()) for fact in every.with_each_item(SEEN)]
    assert [fact.shown for fact in found if isinstance(fact, Fact)] == ["10.5", "90"]
    assert [fact.labels for fact in found if isinstance(fact, Fact)] == [(("A [b] = c",),), (("Coin Base",),)]
    none = read_wanted_fact({"$": "0.items[kind=none][].id"})
    assert none is not None and isinstance(none.with_each_item(SEEN)[0].resolved(SEEN, ()), Failure)


def test_a_reference_names_all_calls_that_it_needs() -> None:
    assert observed_calls("0.items[id=$1.id].kind") == (0, 1)
    assert observed_calls("gap(2.a, max_by(0, b).c)") == (2, 0)
    assert observed_calls("gap(2.a)") == ()
    assert observed_calls("gap(2.a, 0.b)") == (2, 0)
    assert observed_calls("max_by(3.items[a=$1.b], c).d") == (3, 1)


@pytest.mark.parametrize(
    "selector", ["0.items[id=8]", "0.items[kind=new][id=8]", "min_by(0.items, price.total)"]
)
def test_a_selected_item_has_the_rivals_of_its_place(selector: str) -> None:
    by_place, by_key = (read_wanted_fact({"$": f"{head}.name"}) for head in ("0.items[1]", selector))
    assert by_place is not None and by_key is not None
    assert by_place.resolved(SEEN, ()) == by_key.resolved(SEEN, ())
    assert by_place.list_path == by_key.list_path == "0.items[].name"


HOTELS: list[Any] = [[
    {"name": "Grand", "rating": 9.6, "price": {"amount": 560}},
    {"name": "Vila", "rating": 9.6, "price": {"amount": 122}},
    {"name": "Villa Nova", "rating": 9.5, "price": {"amount": 122}},
]]  # fmt: skip


@pytest.mark.parametrize(
    ("reference", "fields", "tied"),
    [
        ("max_by(0, rating).name", "", ("0[1].name",)),
        ("min_by(0[price.amount=122], rating).name", "", ()),
        ("min_by(0, price.amount).name", "", ("0[2].name",)),
        ("0[0].name", "rating", ("0[1].name",)),
        ("0[2].name", "amount", ("0[1].name",)),
        ("0[0].name", "rating|amount", ()),
        ("0[0].name", "name", ()),
        ("0[name=Grand].rating", "rating", ()),
        ("count(0)", "rating", ()),
    ],
)
def test_items_of_one_rank_are_tied(reference: str, fields: str, tied: tuple[str, ...]) -> None:
    assert tied_references(reference, HOTELS, re.compile(fields) if fields else None) == tied


def test_of_tied_items_each_one_is_right() -> None:
    wanted = read_wanted_fact({"$": "max_by(0, rating).name"})
    fact = wanted.resolved(HOTELS, ()) if wanted else None
    assert isinstance(fact, Fact)
    held = [
        fact_verdict(fact, (fact,), split_passages(f"Take the {each['name']}.")).holds for each in HOTELS[0]
    ]
    assert held == [True, True, False]


@pytest.mark.parametrize(
    ("query", "plan", "told"),
    [
        ("Which hotel is rated best?", [], ["Take Vila."]),
        ("Which hotel is rated best, the first if several are?", [], []),
        ("Which hotel comes first?", [], []),
        (
            "Which is rated best?",
            [{"tool": "look", "arguments": {"id": {"$": "0[0].name"}}}],
            ["Take Vila.", "Vila"],
        ),
    ],
)
def test_the_answer_about_a_tied_item_must_pass(
    tmp_path: Path, query: str, plan: list[Any], told: list[str]
) -> None:
    steps = [{"tool": "look", "arguments": {}}, *plan]
    gold = gold_of(tmp_path, plan=steps, checks={"facts": [{"$": "0[0].name"}]}, answer="Take {0[0].name}.")
    assert [fill_text(each, HOTELS) for each in tied_templates(gold, query, HOTELS)] == told


CHOICE = cases(__file__, "choice")
ASKED = {"decide": True, "yes": ["on"], "no": ["off"], "said": "It is on", "denied": "It is off"}


@each_case("comparison, holds")
def test_a_decision_turns_where_its_comparison_does_not_hold(comparison: dict[str, Any], holds: bool) -> None:
    choice, asked = read_decision({**CHOICE, **comparison}), read_decision({**ASKED, **comparison})
    assert choice is not None and asked is not None
    chosen, decided = choice.resolved(SEEN), asked.resolved(SEEN)
    assert isinstance(chosen, OneOfSeveral) and isinstance(decided, YesOrNo)
    assert chosen.chosen == (("Kraken",) if holds else ("Base",))
    assert chosen.said == ("Kraken wins" if holds else "Base wins")
    assert decided.answer is holds and decided.said == ("It is on" if holds else "It is off")


def test_a_choice_between_equals_has_no_right_side() -> None:
    same = {"if": {"$": "1.id"}, "over": {"$": "0.items[id=8].id"}}
    choice, asked = read_decision({**CHOICE, **same}), read_decision({**ASKED, **same})
    assert choice is not None and isinstance(choice.resolved(SEEN), Failure)
    decided = asked.resolved(SEEN) if asked is not None else None
    assert isinstance(decided, YesOrNo) and decided.answer is False
    broken = read_decision({**ASKED, "if": {"$": "0.nothing"}, "over": 3})
    assert broken is not None and isinstance(broken.resolved(SEEN), Failure)


REFERRING: dict[str, Any] = {
    "id": "two-coins", "path": "A/B", "scenario": "AM", "query": "Which one?",
    "checks": {"facts": [{"$": "0.a"}]},
    "plan": [{"tool": "look", "arguments": {}}, {"tool": "look", "arguments": {"id": {"$": "0.a"}}}],
    "answer": "It is {1.b}.",
}  # fmt: skip


def gold_of(folder: Path, **changes: Any) -> QueryGold:
    path = folder / "queries.jsonl"
    path.write_text(json.dumps({**REFERRING, **changes}) + "\n")
    (sample,) = read_queries(path)
    assert isinstance(sample.gold, QueryGold)
    return sample.gold


def test_the_answer_says_what_the_decision_comes_to(tmp_path: Path) -> None:
    decision = {**CHOICE, "if": {"$": "0.a"}, "over": {"$": "1.a"}, "denied": "{1.n} wins"}
    checks = {"decisions": [decision, ASKED]}
    gold = gold_of(tmp_path, checks=checks, answer="{decision} by {gap(0.a, 1.a)}. {decision[1]}.")
    first, second = [{"a": 5}, {"a": 3, "n": "Base"}], [{"a": 3}, {"a": 5, "n": "Base"}]
    assert gold.right_answer(first) == "Kraken wins by 2. It is on."
    assert gold.right_answer(second) == "Base wins by 2. It is on."
    assert isinstance(gold.right_answer([{"a": 5}, {"a": 5}]), Failure)


@each_case(
    "changes, field",
    besides=[
        ({"checks": {"decisions": [{**ASKED, "over": 3}]}}, "checks.decisions"),
        ({"checks": {"decisions": [{**ASKED, "if": {"$": "0.a"}, "over": 3, "is": 4}]}}, "checks.decisions"),
        ({"checks": {"decisions": [{**ASKED, "said": "{0.a[=3]}"}]}}, "checks.decisions"),
    ],
)
def test_a_wrong_reference_is_named_by_its_field(tmp_path: Path, changes: dict[str, Any], field: str) -> None:
    with pytest.raises(DataError, match=rf"line 1: field {field}: wanted .* in the row two-coins"):
        gold_of(tmp_path, **changes)
