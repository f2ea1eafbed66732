"""Decisions of several people: what follows from them and how far they agree."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolyard.core.types import Message, Transcript
from toolyard.review.pairs import (
    AnswerPair,
    PairReview,
    fold_votes,
    label_lines,
    left_run,
    pair_figures,
    pairs_of,
    side_of,
    winner_of,
)
from toolyard.review.review_decisions import (
    Decision,
    Review,
    decision_line,
    disputed_items,
    figures_json,
    fold_decisions,
    review_figures,
    row_outcome,
)


def review(*people: dict[str, Decision], items: str = "12345", **final: Decision) -> Review:
    names = ("ada", "ben", "cleo")
    return Review(tuple(items), dict(zip(names, people, strict=False)), "grace" if final else "", final)


def say(verdict: str, items: str) -> dict[str, Decision]:
    return fold_decisions([{"item": item, "verdict": verdict} for item in items])


def edit(item: str, value: int) -> Decision:
    return Decision(item, "edit", row={"value": value})


def test_a_decision_is_the_same_after_its_line_and_the_last_line_wins() -> None:
    lines = [
        {"item": "1", "verdict": "accept"},
        {"item": "2", "verdict": "reject", "note": "wrong tool"},
        {"item": "1", "verdict": "reject"},
        {"item": "2", "verdict": None},
    ]
    assert {item: held.verdict for item, held in fold_decisions(lines).items()} == {"1": "reject"}
    held = Decision("7", "edit", "seats was a string", {"seats": 2}, "2026-11-15T10:04:31Z")
    assert fold_decisions([decision_line(held)]) == {"7": held}


def test_a_row_is_settled_when_all_annotators_agree() -> None:
    held = review(say("accept", "12"), {**say("accept", "1"), **say("reject", "2")})
    assert row_outcome(held, "1").status == "accepted"
    assert row_outcome(held, "2").status == "disputed"
    assert row_outcome(held, "3").status == "open"
    assert row_outcome(review(say("accept", "1"), say("accept", "2")), "1").status == "open"
    held = review(say("accept", "1"), say("accept", "1"), say("reject", "1"))
    assert row_outcome(held, "1").status == "disputed"


def test_equal_edits_agree_and_different_ones_are_a_dispute() -> None:
    assert disputed_items(review({"1": edit("1", 2)}, {"1": edit("1", 3)})) == ("1",)
    assert row_outcome(review({"1": edit("1", 2)}, {"1": edit("1", 2)}), "1").status == "edited"
    first, second = Decision("1", "edit", row={"price": 28}), Decision("1", "edit", row={"price": 28.0})
    assert not first.says_the_same_as(second)


def test_the_adjudicator_decides_finally_until_the_annotators_come_round() -> None:
    people = (say("accept", "12"), say("reject", "12"))
    held = Review(tuple("12"), dict(zip("ab", people, strict=True)), "grace", {"1": edit("1", 5)})
    assert row_outcome(held, "1").status == "edited"
    assert row_outcome(held, "1").adjudicated
    assert row_outcome(held, "2").status == "disputed"
    assert disputed_items(held) == ("1", "2")
    held = Review(("1",), {"a": say("accept", "1"), "b": say("accept", "1")}, "grace", say("reject", "1"))
    assert row_outcome(held, "1").status == "accepted"


def test_agreement_of_nestools_is_both_right_plus_both_wrong_over_all() -> None:
    first = {**say("accept", "123"), **say("reject", "4"), **say("accept", "5")}
    second = {**say("accept", "123"), "4": edit("4", 1), **say("reject", "5")}
    found = review_figures(review(first, second))
    assert found.raw_agreement == pytest.approx(0.8)
    assert found.cohen["ada / ben"] == pytest.approx((0.8 - 0.56) / (1 - 0.56))
    assert found.fleiss is None
    # Reject and edit agree that row 4 is wrong, but not on what becomes of it.
    assert found.counts["disputed"] == 2


def test_accuracy_is_the_share_of_settled_rows_that_stand_as_they_were() -> None:
    held = review({**say("accept", "123"), **say("reject", "4")})
    found = review_figures(held)
    assert (found.accuracy.value, found.accuracy.total) == (0.75, 4)
    assert found.accuracy.low is not None and found.accuracy.low < 0.75
    assert found.raw_agreement is None


def test_agreement_leaves_out_what_not_all_have_decided() -> None:
    found = review_figures(review(say("accept", "123"), say("accept", "1") | say("reject", "5")))
    assert (found.common_items, found.beside_agreement) == (1, 3)
    assert figures_json(found)["agreement"]["decisions_left_out"] == 3
    assert review_figures(review(say("accept", "123"))).beside_agreement == 0
    people = say("accept", "123"), say("accept", "12") | say("reject", "3"), say("reject", "123")
    assert review_figures(review(*people, items="123")).fleiss is not None


@given(st.lists(st.sampled_from(["left", "tie", "right"])), st.sampled_from("ab"))
def test_a_side_comes_back_from_its_winner(sides: list[str], left: str) -> None:
    assert [side_of(winner_of(side, left), left) for side in sides] == sides  # type: ignore[arg-type]


def test_sides_are_drawn_by_seed_item_and_annotator() -> None:
    drawn = [left_run(0, str(item), "ada") for item in range(400)]
    assert drawn == [left_run(0, str(item), "ada") for item in range(400)]
    assert 150 < drawn.count("a") < 250
    assert drawn != [left_run(0, str(item), "ben") for item in range(400)]
    assert drawn != [left_run(1, str(item), "ada") for item in range(400)]


def test_majority_wins_and_votes_on_items_that_not_everybody_judged_are_counted() -> None:
    votes = [("a", "b", "tie"), ("a", "a", "b"), ("b", "b", "b")]
    people = {
        name: fold_votes([
            {"item": str(number), "dimension": "intent", "winner": row[place]} for number, row in enumerate(votes)
        ])
        for place, name in enumerate(("ada", "ben", "cleo"))
    }  # fmt: skip
    found = pair_figures(PairReview(("0", "1", "2"), ("intent",), people))["dimensions"]["intent"]
    assert (found["a"], found["tie"], found["b"], found["items"]) == (1, 1, 1, 3)
    first = fold_votes([{"item": item, "dimension": "x", "winner": "a"} for item in "0123"])
    second = fold_votes([{"item": "0", "dimension": "x", "winner": "b"}])
    found = pair_figures(PairReview(tuple("0123"), ("x", "y"), {"ada": first, "ben": second}))["dimensions"]
    assert (found["x"]["items"], found["x"]["votes_left_out"]) == (1, 3)
    assert (found["y"]["items"], found["y"]["votes_left_out"]) == (0, 0)


def test_labels_are_one_zero_minus_one_from_the_first_run() -> None:
    lines = [
        {"item": "7", "dimension": name, "winner": winner}
        for name, winner in zip("xyz", ("a", "tie", "b"), strict=True)
    ]
    held = PairReview(("7",), ("x", "y", "z"), {"ada": fold_votes(lines)})
    pair = AnswerPair("7", (), (), (), sample="7", first="one", second="two")
    assert [(line["dimension"], line["label"]) for line in label_lines(held, [pair])] == [
        ("x", 1),
        ("y", 0),
        ("z", -1),
    ]


def test_pairs_share_the_prompt_and_leave_out_failed_and_missing_answers() -> None:
    ask, answer = Message("user", "which?"), Message("assistant", "alpha")
    first = [Transcript("1", messages=(ask, answer)), Transcript("2", messages=(ask, answer))]
    second = [Transcript("1", messages=(ask, Message("assistant", "alpha")))]
    (pair,) = pairs_of(first, second)
    assert (pair.prompt, pair.a, pair.b) == ((ask,), (answer,), (answer,))
