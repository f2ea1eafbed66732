"""What is right to say where no call is wanted, by why the row wants none; each right answer beside a wrong one."""

import json
from pathlib import Path

import pytest

from cases import cases
from toolyard.benchmarks.mtu import BENCHMARK
from toolyard.benchmarks.mtu.scoring.parse import parse
from toolyard.benchmarks.mtu.scoring.score import score
from toolyard.core.types import Options, Transcript

HISTORY = (
    "History Dialog: \nuser: What is on in Rome, and what does the tour cost?\nfunction: \nThought: I look it up."
    '\nAction: find_shows \nAction Input: {{"town": "Rome"}}\nobservation: : {observation}\nassistant: : {told}\n '
)
TOOLS = [{"name": "find_shows", "description": "Shows in a town.", "required_parameters": ["town"]}]
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
        f"Today is Friday, 2024-05-17.\nThe following is a list of APIs and their parameters that you can use:\n{TOOLS}\n"
        f"{history}\nUser: {row['user']}"
    )
    kept = {key: value for key, value in row.items() if key != "user"}
    line = {"id": "M-S_0_1", "question": question, "answer": {"": {}}, **kept}
    (folder / "M-S_eval.jsonl").write_text(json.dumps(line) + "\n", "utf-8")
    (sample,) = BENCHMARK.data.load(folder, Options())
    transcript = Transcript.answered(sample.id, said)
    return score(sample, parse(sample, transcript, "paper"), {}, "paper").values["outcome"] == 1.0


@pytest.mark.parametrize(("row", "right", "wrong"), cases(__file__, "answers"))
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


@pytest.mark.parametrize("claim", cases(__file__, "claims"))
def test_claims_of_what_nobody_did(tmp_path: Path, claim: str) -> None:
    row = {"user": "Thank you very much.", "situation": "chat"}
    assert not is_right(tmp_path, row, f"Thought: The user is content. {claim}")
    assert is_right(tmp_path, row, "Thought: The user is content. You are welcome, enjoy the show!")
