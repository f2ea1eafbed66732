"""Decisions of several people: what follows, how far they agree, from which perspectives, and pairs over runs."""

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from cases import cases
from toolyard.cli.app import app
from toolyard.core.errors import UsageError
from toolyard.core.types import Message, Transcript
from toolyard.report.compare.human_agreement import read_labels
from toolyard.review import label_export as exporting
from toolyard.review.drawn_samples import PROTOCOLS, draw_items, find_protocol
from toolyard.review.pairs import (
    AnswerPair,
    PairReview,
    answer_pairs,
    fold_votes,
    label_lines,
    left_run,
    pair_figures,
    side_of,
    winner_on_side,
)
from toolyard.review.perspectives import WRONG, Perspective, check_flaws, read_perspectives
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
from toolyard.review.review_sitting import open_review
from toolyard.review.review_subject import PairSubject, ReviewTarget
from toolyard.run.api import evaluate


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


def test_accuracy_is_of_settled_rows_and_agreement_of_what_all_have_decided() -> None:
    held = review({**say("accept", "123"), **say("reject", "4")})
    found = review_figures(held)
    assert (found.accuracy.value, found.accuracy.total) == (0.75, 4)
    assert found.accuracy.low is not None and found.accuracy.low < 0.75
    assert found.raw_agreement is None
    found = review_figures(review(say("accept", "123"), say("accept", "1") | say("reject", "5")))
    assert (found.common_items, found.beside_agreement) == (1, 3)
    assert figures_json(found)["agreement"]["decisions_left_out"] == 3
    assert review_figures(review(say("accept", "123"))).beside_agreement == 0
    people = say("accept", "123"), say("accept", "12") | say("reject", "3"), say("reject", "123")
    assert review_figures(review(*people, items="123")).fleiss is not None


@given(st.lists(st.sampled_from(["left", "tie", "right"])), st.sampled_from("ab"))
def test_a_side_comes_back_from_its_winner(sides: list[str], left: str) -> None:
    assert [side_of(winner_on_side(side, left), left) for side in sides] == sides  # type: ignore[arg-type]


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
    (pair,) = answer_pairs(first, second)
    assert (pair.prompt, pair.a, pair.b) == ((ask,), (answer,), (answer,))


CHAIN = Perspective("chain", ("wrong tool", "wrong order"))
QUERY = Perspective("query")


def test_a_command_names_perspectives_with_their_reasons() -> None:
    assert read_perspectives(("chain:wrong tool|wrong order", "query")) == (CHAIN, QUERY)
    assert [item.words for item in (CHAIN, QUERY)] == ["chain:wrong tool|wrong order", "query"]
    for words in (("chain:a||b",), (":a",), ("chain", "chain:a"), ("chain:a|a",)):
        with pytest.raises(UsageError, match="--dimensions"):
            read_perspectives(words)


def test_a_rejection_says_what_is_wrong_and_an_acceptance_that_nothing_is() -> None:
    asked = (CHAIN, QUERY)
    given = {"chain": ["wrong order", "wrong tool"], "query": []}
    assert check_flaws(given, asked, "reject") == {"chain": ("wrong tool", "wrong order")}
    assert check_flaws({}, asked, "accept") == {}
    assert check_flaws({"anything": ["x"]}, (), "reject") == {}, "nothing is asked, nothing is kept"
    with pytest.raises(UsageError, match="an accepted row has no flaw"):
        check_flaws({"query": [WRONG]}, asked, "accept")
    with pytest.raises(UsageError, match="say what is wrong first: chain, query"):
        check_flaws({}, asked, "edit")
    for strange in ({"style": [WRONG]}, {"chain": ["no such reason"]}):
        with pytest.raises(UsageError, match="is not asked"):
            check_flaws(strange, asked, "reject")


def test_flaws_are_the_same_after_their_line() -> None:
    decision = Decision("1", "reject", flaws={"chain": ("wrong order",)})
    assert fold_decisions([decision_line(decision)]) == {"1": decision}
    assert "flaws" not in decision_line(Decision("1", "accept"))


def test_each_perspective_has_its_own_share_agreement_and_reasons() -> None:
    def decide(*lines: tuple[str, dict[str, tuple[str, ...]]]) -> dict[str, Decision]:
        return {item: Decision(item, "reject" if flaws else "accept", flaws=flaws) for item, flaws in lines}

    ada = decide(("1", {}), ("2", {"chain": ("wrong tool",)}), ("3", {"query": (WRONG,)}), ("4", {}))
    bob = decide(("1", {}), ("2", {"chain": ("wrong order",)}), ("3", {}), ("4", {"chain": ("wrong tool",)}))
    review = Review(
        tuple("1234"), {"ada": ada, "bob": bob},
        adjudicator="eve", adjudication=decide(("4", {"chain": ("wrong tool",)})),
        perspectives=(CHAIN, QUERY),
    )  # fmt: skip
    chain, query = review_figures(review).perspectives
    assert (chain.right.hits, chain.right.total) == (2, 4), "1 and 3 are right, 2 is not, 4 adjudicated"
    assert (query.right.hits, query.right.total) == (3, 3), "they differ on 3 and nobody has decided"
    assert (chain.raw, query.raw) == (0.75, 0.75)
    assert chain.cohen["ada / bob"] == pytest.approx(0.5)
    assert chain.reasons == {"wrong tool": 2, "wrong order": 1} and query.reasons == {WRONG: 1}
    found = figures_json(review_figures(review))["perspectives"]
    assert found["chain"]["right"]["value"] == 0.5 and found["query"]["agreement"]["items"] == 4


def test_the_protocols_of_the_papers_bring_their_perspectives() -> None:
    names = {
        name: [item.name for item in read_perspectives(each.perspectives)] for name, each in PROTOCOLS.items()
    }
    assert names == cases(__file__, "the_protocols_of_the_papers_bring_their_perspectives")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("runs")
    models = ("scripted/oracle", "scripted/random", "scripted/word-overlap")
    return [str(evaluate("nestools", model, limit=6, runs=folder).folder) for model in models]


def test_three_runs_make_three_pairs_of_every_sample(runs: list[str], tmp_path: Path) -> None:
    base_settings = ReviewTarget(runs[0], runs[1], others=(runs[2],), dimensions=("quality",))
    sitting = open_review(base_settings, tmp_path / "review", begin=True)
    subject = sitting.subject
    assert isinstance(subject, PairSubject)
    assert len(subject.pairs) == 18 and len({pair.id for pair in subject.pairs}) == 18
    assert Counter((pair.first, pair.second) for pair in subject.pairs).most_common()[0][1] == 6
    names = [Path(run).name for run in runs]
    with sitting.folder.writing("ada", adjudicate=False) as appender:
        for pair in subject.pairs:
            appender.append({"item": pair.id, "dimension": "quality", "winner": "a", "note": "", "at": ""})
    found = exporting.summary_json(subject, sitting.folder)
    assert found["records"]["quality"] == {
        names[0]: {"win": 12, "tie": 0, "loss": 0},
        names[1]: {"win": 6, "tie": 0, "loss": 6},
        names[2]: {"win": 0, "tie": 0, "loss": 12},
    }
    labels = exporting.export_review(subject, sitting.folder, tmp_path / "labels")
    votes = read_labels(labels, "quality", (names[1], names[2]))
    assert votes.lines == 6 and set(votes.labels["ada"].values()) == {1}
    turned = read_labels(labels, "quality", (names[2], names[1]))
    assert set(turned.labels["ada"].values()) == {-1}, "whichever stood first"


def test_a_stratum_gets_its_share() -> None:
    items = [("a", n) for n in range(20)] + [("b", n) for n in range(3)]
    found = draw_items(items, 8, 0, "kind", lambda item: {"kind": item[0]})
    assert Counter(kind for kind, _ in found) == {"a": 5, "b": 3}, "b has no more than three"
    assert draw_items(items, 8, 0, "kind", lambda item: {"kind": item[0]}) == found
    only = draw_items(items, 2, 0, "kind=b", lambda item: {"kind": item[0]})
    assert {kind for kind, _ in only} == {"b"}
    with pytest.raises(UsageError, match="groups are kind"):
        draw_items(items, 2, 0, "colour", lambda item: {"kind": item[0]})


def test_rows_are_drawn_by_stratum_and_the_folder_remembers(tmp_path: Path) -> None:
    begun = open_review(ReviewTarget("nestools", sample=6, by="depth"), tmp_path / "review", begin=True)
    depths = Counter(entry.samples[0].groups["depth"] for entry in begun.subject.entries)  # type: ignore[union-attr]
    assert set(depths.values()) == {2}
    again = open_review(ReviewTarget("nestools"), tmp_path / "review", begin=False)
    assert again.subject.identity == begun.subject.identity


def test_protocols_are_those_of_the_papers() -> None:
    assert (PROTOCOLS["mtu-train"].sample, PROTOCOLS["tooleyes"].sample) == (500, 200)
    assert PROTOCOLS["mtu-figures"].by == "setting=M-S,S-M"
    with pytest.raises(UsageError, match="mtu-train"):
        find_protocol("mine")
    result = CliRunner().invoke(app, ["review", "mtu", "--protocol", "tooleyes", "--annotator", "ada"])
    assert result.exit_code != 0


def test_the_command_sums_up_three_runs(runs: list[str], tmp_path: Path) -> None:
    words = ReviewTarget(runs[0], runs[1], others=(runs[2],), dimensions=("quality",), sample=5)
    open_review(words, tmp_path / "review", begin=True)
    command = ["review", *runs, "--out", str(tmp_path / "review"), "--json", "--summary"]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.output
    assert len(json.loads(result.stdout)["runs"]) == 3
