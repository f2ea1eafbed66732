"""Two requests in one turn that both say too little."""

import random

from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import DialogueTurn
from toolyard.benchmarks.mtu.synth.instruct.corpus_rows import StandardRow
from toolyard.benchmarks.mtu.synth.training.turn_drafts import two_vague_requests


def opening(name: str, user: str, tool: str, topic: str) -> StandardRow:
    documents = [
        {
            "name": each,
            "description": "",
            "required_parameters": [],
            "optional_parameters": [],
            "result_parameters": [],
        }
        for each in (tool, f"Book{topic}")
    ]
    turn = DialogueTurn(user, "Where?", "missing", thought=f"For {tool} I still need more.")
    originals = {str(each["name"]): [str(each["name"]).lower()] for each in documents}
    return StandardRow(
        name, "sgd", "", [topic], "", "train", [name], (turn,), documents, (), originals, setting="M-S"
    )


def test_both_are_asked_for_and_nothing_is_called() -> None:
    rows = [
        opening("a", "I would like to eat out.", "FindRestaurants", "Restaurant"),
        opening("b", "I need a ride.", "GetRide", "Taxi"),
    ]
    (made,) = two_vague_requests(rows, 1, random.Random(3))
    (turn,) = made.turns
    assert (made.setting, turn.calls, turn.label) == ("M-M", (), "missing")
    assert "eat out" in turn.user
    assert "ride" in turn.user
    assert sorted(str(each["name"]) for each in made.documents) == ["FindRestaurants", "GetRide"]
    assert "FindRestaurants" in turn.thought
    assert "GetRide" in turn.thought


def test_one_opening_alone_gives_none() -> None:
    assert [
        *two_vague_requests([opening("a", "I need a ride.", "GetRide", "Taxi")], 5, random.Random(0))
    ] == []
