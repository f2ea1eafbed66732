"""What readers of real answers accept and refuse, by class: each grant beside the wrong answer that is nearest to it."""

import json
from pathlib import Path
from typing import Any

import pytest

from cases import cases
from toolyard.benchmarks.mtu import BENCHMARK
from toolyard.benchmarks.mtu.scoring.parse import parse
from toolyard.benchmarks.mtu.scoring.score import score
from toolyard.core.types import Options, Sample, Transcript

TOOLS = cases(__file__, "TOOLS")  # fmt: skip


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


@pytest.mark.parametrize(("wanted", "granted", "refused"), cases(__file__, "arguments"))
def test_arguments(tmp_path: Path, wanted: Any, granted: Any, refused: Any) -> None:
    gold = {"order_meal": {**SOUP, **wanted}}
    assert right(tmp_path, MEAL, gold, {"order_meal": {**SOUP, **granted}})
    assert not right(tmp_path, MEAL, gold, {"order_meal": {**SOUP, **refused}})


def test_kind_that_the_tool_is_about_may_be_named_but_no_other(tmp_path: Path) -> None:
    user, gold = "Any hotel in Leeds will do, not a hostel.", {"findHotel": {"city": "Leeds"}}
    assert right(tmp_path, user, gold, {"findHotel": {"city": "Leeds", "type": "hotel"}})
    assert not right(tmp_path, user, gold, {"findHotel": {"city": "Leeds", "type": "hostel"}})


def test_what_nobody_asked_for_need_not_be_returned(tmp_path: Path) -> None:
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


@pytest.mark.parametrize(
    ("user", "answer", "expected"),
    cases(__file__, "farewell_needs_no_more_than_a_farewell"),
)  # fmt: skip
def test_farewell_needs_no_more_than_a_farewell(
    tmp_path: Path, user: str, answer: str, expected: bool
) -> None:
    assert right(tmp_path, user, {}, answer) is expected
