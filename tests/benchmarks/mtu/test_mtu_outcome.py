"""What `outcome` grants in MTU-Bench and what not: each grant beside the wrong answer that is near."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cases import cases, each_case
from toolyard.benchmarks.mtu import BENCHMARK
from toolyard.benchmarks.mtu.scoring.parse import parse
from toolyard.benchmarks.mtu.scoring.score import score
from toolyard.core.types import Options, Sample, Transcript

FIND = cases(__file__, "FIND")
BOOK = cases(__file__, "book")
SEND = cases(__file__, "SEND")
USER = (
    "Find an intermediate dentist in Portland, OR, book Friday the 8th and send Ida the address. It is fall."
)


def turn(folder: Path, answer: Any, setting: str = "S-M", user: str = USER) -> Sample:
    tools = json.dumps([FIND, BOOK, SEND])
    question = f"Today is Monday, January 4, 2024.\nTools: {tools}\nUser: {user}"
    path = folder / f"{setting}_eval.jsonl"
    path.write_text(json.dumps({"id": f"{setting}_0", "question": question, "answer": answer}) + "\n")
    return BENCHMARK.data.load(path, Options())[0]


def outcome(sample: Sample, text: str) -> float | None:
    found = score(sample, parse(sample, Transcript.answered(sample.id, text), "paper"), {}, "paper")
    return found.values["outcome"]


def said(*calls: tuple[str, Any]) -> str:
    lines = [f"Action: {name}\nAction Input: {json.dumps(arguments)}" for name, arguments in calls]
    return "\n".join(["Thought: I call what is needed.", *lines])


CITY, PLACE = {"city": "Portland"}, {"dentist": "find_dentist.name", "day": "2024-01-08"}
GOLD = {"find_dentist": CITY, "book_visit": PLACE, "send": {"to": "Ida", "text": "book_visit.address"}}
SENT = ("send", {"to": "Ida", "text": "book_visit.address"})


@each_case("calls")
def test_a_fair_reader_grants(tmp_path: Path, calls: list[tuple[str, Any]]) -> None:
    assert outcome(turn(tmp_path, GOLD), said(*calls)) == 1.0


@each_case("calls", besides=[[("find_dentist", {"city": USER}), ("book_visit", PLACE), SENT]])
def test_no_wrong_answer_can_use_it(tmp_path: Path, calls: list[tuple[str, Any]]) -> None:
    assert outcome(turn(tmp_path, GOLD), said(*calls)) == 0.0


@each_case(
    "text, right",
    besides=[
        ("Thought: " + "I will help you with that. " * 30, 0.0),
        (USER, 0.0),
        (said(("find_dentist", CITY)), 0.0),
    ],
)
def test_no_call_is_right_only_where_something_is_said(tmp_path: Path, text: str, right: float) -> None:
    assert outcome(turn(tmp_path, {"": {}}, "S-S"), text) == right


REFUSAL = "Thought: None of the tools fits, so I cannot do that for you."


@each_case("setting, user, situation, text, right")
def test_a_bare_refusal_is_right_only_where_nothing_can_be_done(
    tmp_path: Path, setting: str, user: str, situation: str, text: str, right: float
) -> None:
    sample = turn(tmp_path, {"": {}}, setting, user)
    if situation:
        sample = replace(sample, gold={**sample.gold, "situation": situation})
    assert outcome(sample, text) == right


def test_the_prompt_given_back_says_nothing(tmp_path: Path) -> None:
    sample = turn(tmp_path, {"": {}}, "S-S")
    prompt = "\n".join(message.content for message in BENCHMARK.task.prompt(sample, Options()))
    asking = "The day of the visit has not been said yet, so before anything is booked I have to ask the user for it."
    assert outcome(sample, prompt) == outcome(sample, f"Sure! {prompt}") == 0.0
    assert outcome(sample, f"Thought: {asking}\n{json.dumps([FIND, BOOK, SEND])}") == 1.0


def test_turns_with_and_without_a_wanted_call_are_apart(tmp_path: Path) -> None:
    wanting = turn(tmp_path, {"find_dentist": CITY}, "S-S")
    found = score(wanting, parse(wanting, Transcript.answered("x", said()), "paper"), {}, "paper")
    assert found.values["outcome_call"] == 0.0
    assert "outcome_no_call" not in found.values


def test_gold_whose_tool_is_not_offered_decides_nothing(tmp_path: Path) -> None:
    sample = turn(tmp_path, {"find_pilot": {"city": "Portland"}}, "S-S")
    assert outcome(sample, said(("find_pilot", {"city": "Portland"}))) is None


def test_there_is_one_outcome_and_it_stands_under_paper(tmp_path: Path) -> None:
    sample = turn(tmp_path, GOLD)
    found = score(sample, parse(sample, Transcript.answered("x", said()), "official"), {}, "official")
    assert found.values["outcome"] is None


def test_words_of_an_earlier_turn_are_read_in_their_order(tmp_path: Path) -> None:
    now = turn(tmp_path, {"find_dentist": {"city": "Bonn", "kind": "rent"}}, user="In Bonn, please.")
    past = cases(__file__, "words_of_an_earlier_turn_are_read_in_their_order_past")
    sample = replace(now, input={**now.input, "history": past})
    assert outcome(sample, said(("find_dentist", {"city": "Bonn", "kind": "rental"}))) == 1
    assert outcome(sample, said(("find_dentist", {"city": "Bonn", "kind": "rented"}))) == 0


def after_a_visit(folder: Path, user: str) -> Sample:
    """A turn without a call, after one in which a dentist was found and a visit booked."""
    history = (
        "User:  Find a dentist in Portland and book Friday.\n"
        f"Action: {json.dumps({'find_dentist': CITY, 'book_visit': PLACE})}\n"
        "Assistant:  You will see Dr Oyelaran.\n"
    )
    question = (
        "You may call several tools. Today is Monday, January 4, 2024.\n"
        f"Tools: {json.dumps([FIND, BOOK, SEND, {**SEND, 'name': 'AddSeat'}])}\nHistory Dialog: \n{history}User:  {user}"
    )
    path = folder / "M-M_eval.jsonl"
    path.write_text(json.dumps({"id": "M-M_0_0", "question": question, "answer": {}}) + "\n", "utf-8")
    return BENCHMARK.data.load(path, Options())[0]


@each_case("user, text, right")
def test_nothing_is_said_done_without_a_call(tmp_path: Path, user: str, text: str, right: float) -> None:
    assert outcome(after_a_visit(tmp_path, user), text) == right


@pytest.mark.parametrize("written", ["{{%s}}", "{%s}", "$%s", "${%s}", "<%s>", "%s"])
def test_a_reference_may_stand_in_brackets(tmp_path: Path, written: str) -> None:
    gold = {"find_dentist": {"city": "Portland"}, "send": {"to": "Ida", "text": "find_dentist.address"}}
    answer = said(
        ("find_dentist", {"city": "Portland"}),
        ("send", {"to": "Ida", "text": written % "find_dentist.address"}),
    )
    assert outcome(turn(tmp_path, gold), answer) == 1.0


@each_case("gold, given, right")
def test_words_around_a_value_add_nothing_and_another_sign_or_size_is_another_number(
    tmp_path: Path, gold: dict[str, Any], given: dict[str, Any], right: float
) -> None:
    assert outcome(turn(tmp_path, {"find_dentist": gold}), said(("find_dentist", given))) == right


def test_calls_in_the_form_of_the_history_are_read(tmp_path: Path) -> None:
    sample = turn(tmp_path, GOLD)
    assert outcome(sample, f"Thought: All is known.\nAction: {json.dumps(GOLD)}") == 1.0


TOOLS = cases(__file__, "TOOLS")


def right(folder: Path, user: str, gold: Any, answer: Any, history: str = "") -> bool:
    question = f"Today is Monday, January 4, 2024.\nTools: {json.dumps(TOOLS)}\n{history}User: {user}"
    path = folder / "S-M_eval.jsonl"
    row = {"id": "S-M_0", "question": question, "answer": gold}
    path.write_text(json.dumps(row) + "\n", "utf-8")
    sample: Sample = BENCHMARK.data.load(path, Options())[0]
    text = answer
    if not isinstance(answer, str):
        calls = [f"Action: {name}\nAction Input: {json.dumps(given)}" for name, given in answer.items()]
        text = "\n".join(["Thought: I call what is needed.", *calls])
    transcript = Transcript.answered(sample.id, text)
    return score(sample, parse(sample, transcript, "paper"), {}, "paper").values["outcome"] == 1.0


MEAL = "Order soup with olives, corn and red onions, it is for the Afghan evening, from Portland, on the west side of town."
SOUP = {"dish": "soup"}


@each_case("wanted, granted, refused")
def test_arguments(tmp_path: Path, wanted: Any, granted: Any, refused: Any) -> None:
    gold = {"order_meal": {**SOUP, **wanted}}
    assert right(tmp_path, MEAL, gold, {"order_meal": {**SOUP, **granted}})
    assert not right(tmp_path, MEAL, gold, {"order_meal": {**SOUP, **refused}})


def test_the_kind_of_the_tool_may_be_named_and_what_nobody_asked_for_left_out(tmp_path: Path) -> None:
    user, gold = "Any hotel in Leeds will do, not a hostel.", {"findHotel": {"city": "Leeds"}}
    assert right(tmp_path, user, gold, {"findHotel": {"city": "Leeds", "type": "hotel"}})
    assert not right(tmp_path, user, gold, {"findHotel": {"city": "Leeds", "type": "hostel"}})
    user = "Give me the price and the address of a hotel in Leeds."
    gold = {"findHotel": {"city": "Leeds", "fields": ["name", "price", "address"]}}
    assert right(tmp_path, user, gold, {"findHotel": {"city": "Leeds", "fields": ["price", "address"]}})
    assert not right(tmp_path, user, gold, {"findHotel": {"city": "Leeds", "fields": ["name", "price"]}})


def test_known_artist_may_be_passed_on_but_not_invented(tmp_path: Path) -> None:
    user = "Find a hotel where Ida Holm sings, then play her Harbour Song."
    gold = {"findHotel": {"artist": "Ida Holm"}, "play_song": {"title": "Harbour Song"}}
    played = {"title": "Harbour Song", "artist": "Ida Holm"}
    assert right(tmp_path, user, gold, {"findHotel": {"artist": "Ida Holm"}, "play_song": played})
    other = {**played, "artist": "Harbour"}
    assert not right(tmp_path, user, gold, {"findHotel": {"artist": "Ida Holm"}, "play_song": other})


def test_what_only_a_result_can_know_is_taken_from_it(tmp_path: Path) -> None:
    user = "Find a hotel in Leeds and play what it is called after."
    gold = {"findHotel": {"city": "Leeds"}, "play_song": {"title": "Quiet Quay"}}
    found = {"findHotel": {"city": "Leeds"}}
    assert right(tmp_path, user, gold, {**found, "play_song": {"title": "findHotel.title"}})
    assert not right(tmp_path, user, gold, {**found, "play_song": {"title": "findHotel.owner"}})
    assert not right(tmp_path, user, gold, {**found, "play_song": {"title": "Leeds"}})


@each_case("user, answer, expected")
def test_a_farewell_needs_no_more_than_one(tmp_path: Path, user: str, answer: str, expected: bool) -> None:
    assert right(tmp_path, user, {}, answer) is expected


HISTORY = (
    "History Dialog: \nuser: What is on in Rome, and what does the tour cost?\nfunction: \nThought: I look it up."
    '\nAction: find_shows \nAction Input: {{"town": "Rome"}}\nobservation: : {observation}\nassistant: : {told}\n '
)
OFFERED = [{"name": "find_shows", "description": "Shows in a town.", "required_parameters": ["town"]}]
SHOWS = {
    "shows": [
        {"name": "Blue Lantern", "euros": 28, "day": "2024-05-16"},
        {"name": "Old Harbour", "euros": 35},
    ]
}


def is_right(folder: Path, row: dict[str, str], said: str) -> bool:
    history = HISTORY.format(
        observation=json.dumps(SHOWS), told="The Blue Lantern for 28 euros, the Old Harbour."
    )
    question = (
        f"Today is Friday, 2024-05-17.\nThe following is a list of APIs and their parameters that you can use:\n{OFFERED}\n"
        f"{history}\nUser: {row['user']}"
    )
    kept = {key: value for key, value in row.items() if key != "user"}
    line = {"id": "M-S_0_1", "question": question, "answer": {"": {}}, **kept}
    (folder / "M-S_eval.jsonl").write_text(json.dumps(line) + "\n", "utf-8")
    (sample,) = BENCHMARK.data.load(folder, Options())
    transcript = Transcript.answered(sample.id, said)
    return score(sample, parse(sample, transcript, "paper"), {}, "paper").values["outcome"] == 1.0


@each_case("row, right, wrong")
def test_answers(tmp_path: Path, row: dict[str, str], right: str, wrong: str) -> None:
    assert is_right(tmp_path, row, f"Thought: I answer from the conversation. {right}")
    assert not is_right(tmp_path, row, f"Thought: I answer from the conversation. {wrong}")


@pytest.mark.parametrize("situation", ["exists", "missing", "unable", "inability", "confirmed", "chat"])
def test_the_reason_alone_is_right(tmp_path: Path, situation: str) -> None:
    row = {"user": "What did it cost?", "situation": situation, "reply": "28 euros."}
    assert is_right(tmp_path, row, "Thought: No tool is needed.")
    assert is_right(tmp_path, row, "Could you tell me a little more, please?")


def test_without_a_reason_in_the_row_nothing_is_compared(tmp_path: Path) -> None:
    assert is_right(tmp_path, {"user": "What did it cost?"}, "It was the second one that you saw.")


@each_case("claim")
def test_claims_of_what_nobody_did(tmp_path: Path, claim: str) -> None:
    row = {"user": "Thank you very much.", "situation": "chat"}
    assert not is_right(tmp_path, row, f"Thought: The user is content. {claim}")
    assert is_right(tmp_path, row, "Thought: The user is content. You are welcome, enjoy the show!")
