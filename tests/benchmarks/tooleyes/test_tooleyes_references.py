"""References: selectors, what they point to, and decisions that follow from them."""

import json
from pathlib import Path
from typing import Any

import pytest

from cases import cases
from toolyard.benchmarks.tooleyes.data.queries import read_queries
from toolyard.benchmarks.tooleyes.data.references import (
    PLACE,
    fill_references,
    fill_text,
    look_up,
    observed_calls,
)
from toolyard.benchmarks.tooleyes.data.sample import QueryGold
from toolyard.benchmarks.tooleyes.scoring.checks.decisions import OneOfSeveral, YesOrNo
from toolyard.benchmarks.tooleyes.scoring.checks.fact_verdicts import Fact
from toolyard.benchmarks.tooleyes.scoring.checks.wanted_facts import decision_of, fact_of
from toolyard.core.errors import DataError
from toolyard.core.types import Failure

SEEN: list[Any] = [
    {
        "items": [
            {"name": "Kraken", "id": 7, "kind": "old", "price": {"total": 30}, "on": True},
            {"name": "A [b] = c", "id": 8, "kind": "new", "price": {"total": 10.5}, "on": False},
            {"name": "Coin Base", "id": 9, "kind": "new", "price": {"total": 90}, "on": False},
        ]
    },
    {"id": 8, "worth": "1,200.5", "day": "2024-05-02"},
    [{"name": "x", "rank": "10"}, {"name": "y", "rank": "9"}, {"name": "z"}],
]


@pytest.mark.parametrize(
    ("reference", "value"),
    [
        ("0.items[name=Kraken].id", 7),
        ("0.items[name=Coin Base].price.total", 90),
        ('0.items[name="A [b] = c"].id', 8),
        ("0.items[name='A [b] = c'].id", 8),
        ("0.items[id=8].kind", "new"),
        ("0.items[price.total=10.5].id", 8),
        ("0.items[on=true].name", "Kraken"),
        ("0.items[kind=new].id", 8),
        ("0.items[kind=new][name=Coin Base].id", 9),
        ("0.items[id=$1.id].kind", "new"),
        ("max_by(0.items, price.total).name", "Coin Base"),
        ("min_by(0.items, price.total).id", 8),
        ("min_by(0.items,id)", SEEN[0]["items"][0]),
        ("max_by(0.items[kind=old], price.total).id", 7),
        ("max_by(2, rank).name", "x"),
        ("0.items[].id", [7, 8, 9]),
        ("0.items[kind=new][].price.total", [10.5, 90]),
        ("0.items[kind=none][].id", None),
        ("count(0.items)", 3),
        ("count(0.items[kind=new])", 2),
        ("count(0.items[kind=none])", 0),
        ("gap(0.items[id=7].price.total, max_by(0, x))", None),
        ("gap(1.worth, 0.items[id=7].price.total)", 1170.5),
        ("gap(1.id, 0.items[id=9].id)", 1),
        ("0.items[name=Nobody].id", None),
        ("0.items[name].id", None),
        ("0.items[name=].id", None),
        ("max_by(0.items, size).id", None),
        ("max_by(0.items)", None),
        ("count(1.id)", None),
        ("gap(1.day, 1.id)", None),
        ("0.items[id=$5.id].kind", None),
    ],
)
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
    every = fact_of({"value": {"$": value}, "of": [[{"$": label}]]})
    assert every is not None
    found = [fact.resolved(SEEN, ()) for fact in every.with_each_item(SEEN)]
    assert [fact.shown for fact in found if isinstance(fact, Fact)] == ["10.5", "90"]
    assert [fact.labels for fact in found if isinstance(fact, Fact)] == [(("A [b] = c",),), (("Coin Base",),)]
    none = fact_of({"$": "0.items[kind=none][].id"})
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
    by_place, by_key = (fact_of({"$": f"{head}.name"}) for head in ("0.items[1]", selector))
    assert by_place is not None and by_key is not None
    assert by_place.resolved(SEEN, ()) == by_key.resolved(SEEN, ())
    assert by_place.list_path == by_key.list_path == "0.items[].name"


CHOICE = {
    "choose": "Kraken",
    "among": "Base",
    "more": ["dearer"],
    "said": "Kraken wins",
    "denied": "Base wins",
}
ASKED = {"decide": True, "yes": ["on"], "no": ["off"], "said": "It is on", "denied": "It is off"}


@pytest.mark.parametrize(
    ("comparison", "holds"), cases(__file__, "a_decision_turns_round_where_its_comparison_does_not_hold")
)
def test_a_decision_turns_round_where_its_comparison_does_not_hold(
    comparison: dict[str, Any], holds: bool
) -> None:
    choice, asked = decision_of({**CHOICE, **comparison}), decision_of({**ASKED, **comparison})
    assert choice is not None and asked is not None
    chosen, decided = choice.resolved(SEEN), asked.resolved(SEEN)
    assert isinstance(chosen, OneOfSeveral) and isinstance(decided, YesOrNo)
    assert chosen.chosen == (("Kraken",) if holds else ("Base",))
    assert chosen.said == ("Kraken wins" if holds else "Base wins")
    assert decided.answer is holds and decided.said == ("It is on" if holds else "It is off")


def test_a_choice_between_equals_has_no_right_side() -> None:
    same = {"if": {"$": "1.id"}, "over": {"$": "0.items[id=8].id"}}
    choice, asked = decision_of({**CHOICE, **same}), decision_of({**ASKED, **same})
    assert choice is not None and isinstance(choice.resolved(SEEN), Failure)
    decided = asked.resolved(SEEN) if asked is not None else None
    assert isinstance(decided, YesOrNo) and decided.answer is False
    broken = decision_of({**ASKED, "if": {"$": "0.nothing"}, "over": 3})
    assert broken is not None and isinstance(broken.resolved(SEEN), Failure)


ROW: dict[str, Any] = {
    "id": "two-coins", "path": "A/B", "scenario": "AM", "query": "Which one?",
    "checks": {"facts": [{"$": "0.a"}]},
    "plan": [{"tool": "look", "arguments": {}}, {"tool": "look", "arguments": {"id": {"$": "0.a"}}}],
    "answer": "It is {1.b}.",
}  # fmt: skip


def gold_of(folder: Path, **changes: Any) -> QueryGold:
    path = folder / "queries.jsonl"
    path.write_text(json.dumps({**ROW, **changes}) + "\n")
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


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"checks": {"facts": [{"$": "0.a[name=]"}]}}, "checks"),
        ({"checks": {"facts": [{"value": {"$": "0.a"}, "of": [[{"$": "first"}]]}]}}, "checks"),
        ({"checks": {"facts": [{"$": "2.a"}]}}, "checks"),
        ({"plan": [{"tool": "look", "arguments": {"id": {"$": "0.a"}}}]}, r"plan\[0\].arguments"),
        ({"plan": [{"tool": "look", "arguments": {"ids": [{"$": "max_by(0)"}]}}]}, r"plan\[0\].arguments"),
        ({"answer": "It is {0.items[name=].x}."}, "answer"),
        ({"answer": "It is {max_by(0.items).x}."}, "answer"),
        ({"answer": "It is {7.x}."}, "answer"),
        ({"answer": "It is {decision}."}, "answer"),
        ({"checks": {"decisions": [{**ASKED, "over": 3}]}}, "checks.decisions"),
        ({"checks": {"decisions": [{**ASKED, "if": {"$": "0.a"}, "over": 3, "is": 4}]}}, "checks.decisions"),
        ({"checks": {"decisions": [{**ASKED, "said": "{0.a[=3]}"}]}}, "checks.decisions"),
    ],
)
def test_a_wrong_reference_is_named_by_row_and_field(
    tmp_path: Path, changes: dict[str, Any], field: str
) -> None:
    with pytest.raises(DataError, match=rf"line 1: field {field}: wanted .* in the row two-coins"):
        gold_of(tmp_path, **changes)
