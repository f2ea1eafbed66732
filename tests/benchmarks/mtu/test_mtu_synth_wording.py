"""How several turns become one: their words, and which of them come together at all."""

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import each_case
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import DialogueCall, DialogueTurn
from toolyard.benchmarks.mtu.synth.instruct.composing import (
    answer_as_request,
    go_together,
    is_complete_request,
    join,
    join_replies,
    join_requests,
    joined_rows,
    straight_quotes,
)
from toolyard.benchmarks.mtu.synth.instruct.corpus_rows import StandardRow


def part(
    name: str, user: str, reply: str = "", topic: str = "", others: Sequence[str] = (), **originals: list[str]
) -> StandardRow:
    """A single turn with one call of one tool."""
    turn = DialogueTurn(user, reply, "call", wants=[name], known={}, calls=(DialogueCall(name, {}),))
    documents = [{"name": name, "description": "own"}]
    known = {name: [name], **originals}
    return StandardRow(name, "s", "", [topic or name], "", "train", [name], (turn,), documents, others, known)


@each_case("text, left")
def test_an_answer_goes_on_as_a_request_only_if_it_leans_on_nothing_said(text: str, left: str | None) -> None:
    assert answer_as_request(text) == left


def test_requests_are_joined_grammatically() -> None:
    texts = {
        join_requests(["Play Techno music", "What will the weather be in Riga?"], random.Random(n))
        for n in range(30)
    }
    assert len(texts) > 2
    assert all(text.startswith("Play Techno music. ") and text.endswith("Riga?") for text in texts)
    texts = {join_requests(["Play jazz", "Hello! Book a table for two"], random.Random(n)) for n in range(30)}
    assert all(text.endswith("book a table for two.") for text in texts)
    assert "Play jazz and book a table for two." in texts


@given(st.lists(st.text(max_size=80), min_size=1, max_size=4), st.integers(0, 5))
def test_joining_never_raises_and_keeps_the_first_words(pieces: list[str], seed: int) -> None:
    text = join_requests(pieces, random.Random(seed))
    assert text.startswith(straight_quotes(pieces[0]).rstrip(" .,;"))
    for piece in pieces:
        answer_as_request(piece)


@each_case("piece, end")
def test_words_that_lead_on_are_left_out_of_what_is_asked_along(piece: str, end: str) -> None:
    assert is_complete_request(piece)
    texts = {join_requests(["Play jazz", piece], random.Random(n)) for n in range(30)}
    assert all(text.endswith(end) for text in texts)
    assert not [one for one in texts if "ow find" in one or "Yes" in one or "So" in one or "cuse" in one]


@pytest.mark.parametrize(
    "piece", ["San Fran.", "weather for Riga", "Marvellous! Riga.", "", "A table for two"]
)
def test_what_has_no_verb_cannot_be_asked_along(piece: str) -> None:
    assert not is_complete_request(piece)


def test_what_is_told_does_not_come_after_that() -> None:
    texts = {join_requests(["Find a film", "I live in Riga."], random.Random(n)) for n in range(40)}
    assert texts == {f"Find a film. {lead} I live in Riga." for lead in ("Also,", "And", "One more thing:")}


def test_no_two_requests_are_led_on_to_by_the_same_words() -> None:
    for seed in range(40):
        text = join_requests(["Is it warm?", "Is it wet?", "Is it late?", "Is it far?"], random.Random(seed))
        leads = [sentence.split(" is it")[0] for sentence in text.split("? ")[1:]]
        assert len(leads) == len(set(leads)) == 3


def test_what_the_first_of_two_replies_asks_is_left_out() -> None:
    assert join_replies("It is 9. Anything else?", "Booked.") == "It is 9. Booked."
    assert join_replies("It is 9", "Booked.") == "It is 9. Booked."
    assert join_replies("It is 9. Shall it be Dr. Gull?", "Booked.") == "It is 9. Booked."


def test_replies_on_one_topic_are_never_joined() -> None:
    order = part("order", "I want a mocha.", "We have no mocha.", "Coffee")
    menu = part("menu", "What do you serve?", "We have latte and mocha.", "Coffee")
    film = part("film", "Find a film.", "How about Dogman?", "Movie")
    assert not go_together([order, menu])
    assert go_together([order, film])
    silent = [part("order", "I want a mocha.", "", "Coffee"), part("menu", "Show the menu.", "", "Coffee")]
    assert go_together(silent)


def test_only_the_first_part_can_do_without_a_verb() -> None:
    bare, whole = part("weather", "weather for Riga"), part("film", "Find a film")
    assert go_together([bare, whole])
    assert not go_together([whole, bare])


def test_tools_that_the_corpus_calls_alike_never_stand_beside_each_other() -> None:
    same = {"FindEvents": ["findevents"], "FindEvents_2": ["findevents"]}
    first = part("FindEvents", "Find a concert.", others=["x", "FindEvents_2"], x=["x"], **same)
    alike = part("FindEvents_2", "Find a game.", FindEvents_2=["findevents"])
    assert not go_together([first, alike])
    other = part("film", "Find a film.", others=["FindEvents_2"], FindEvents_2=["findevents"])
    made = join([first, other], "both", random.Random(1))
    assert made.others == ["x"]
    assert set(made.originals) == {"FindEvents", "film", "x"}


def test_a_tool_is_shown_as_the_part_that_calls_it_shows_it() -> None:
    foreign = {"name": "film", "description": "foreign"}
    first = part("weather", "Check the weather.", film=["film"])
    first = replace(first, documents=[*first.documents, foreign])
    made = join([first, part("film", "Find a film.")], "both", random.Random(1))
    assert {each["name"]: each["description"] for each in made.documents} == {"weather": "own", "film": "own"}


def test_a_few_joins_are_of_five_and_six_calls_each_of_another_tool() -> None:
    pool: dict[str, list[StandardRow]] = {f"tool{n}": [part(f"tool{n}", f"Find thing {n}")] for n in range(7)}
    for parts in pool.values():
        parts *= 60
    rows = [*joined_rows({("s", "train", False): {"one": pool}}, 1.0, 0)]
    sizes = [len(row.turns[0].calls) for row in rows]
    assert {2, 3, 4, 5, 6} == set(sizes)
    assert sum(size > 4 for size in sizes) < len(sizes) / 4
    for row in rows:
        assert len({call.name for call in row.turns[0].calls}) == len(row.turns[0].calls)
