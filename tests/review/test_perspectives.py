"""Rows looked at from several perspectives: reasons for each, agreement on each, the papers' protocols."""

import pytest

from toolyard.core.errors import UsageError
from toolyard.review.drawn_samples import PROTOCOLS
from toolyard.review.perspectives import WRONG, Perspective, check_flaws, read_perspectives
from toolyard.review.review_decisions import (
    Decision,
    Review,
    decision_line,
    figures_json,
    fold_decisions,
    review_figures,
)

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
        return {
            item: Decision(item, "reject" if flaws else "accept", flaws=flaws)
            for item, flaws in lines
        }  # fmt: skip

    ada = decide(("1", {}), ("2", {"chain": ("wrong tool",)}), ("3", {"query": (WRONG,)}), ("4", {}))
    bob = decide(("1", {}), ("2", {"chain": ("wrong order",)}), ("3", {}), ("4", {"chain": ("wrong tool",)}))
    review = Review(
        tuple("1234"), {"ada": ada, "bob": bob},
        adjudicator="eve", adjudication=decide(("4", {"chain": ("wrong tool",)})),
        perspectives=(CHAIN, QUERY),
    )  # fmt: skip
    chain, query = review_figures(review).perspectives
    assert (chain.right.hits, chain.right.total) == (2, 4), (
        "1 and 3 are right, 2 is not, 4 by the adjudicator"
    )
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
    assert names == {
        "tooleyes": [],
        "nestools": ["chain", "query"],
        "toolbehonest": ["task", "plan", "twin"],
        "mtu-train": ["selection", "parameters", "definition"],
        "mtu-test": ["selection", "parameters", "definition"],
        "mtu-figures": [],
    }
