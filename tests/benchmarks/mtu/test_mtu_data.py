"""Loading: prompts taken apart, ids made unique, dialogues rebuilt, saved answers aligned by row or id."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from cases import cases, each_case
from toolyard.benchmarks.mtu import BENCHMARK
from toolyard.benchmarks.mtu.data.dialogues import unique_ids
from toolyard.benchmarks.mtu.data.rows import RawRow, build_samples, samples_by_dialogue
from toolyard.benchmarks.mtu.scoring.predictions import read_predictions
from toolyard.benchmarks.mtu.task.question import QuestionParts, split_question, wants_several_calls
from toolyard.core.errors import DataError
from toolyard.core.types import Failure, Options, Sample

TOOLS = "[{'name': 'find_bus', 'description': 'Finds buses.', 'required_parameters': ['to']}]"
OBSERVED = (
    f"Rules.\nTools you may use:\n{TOOLS}\nHistory Dialog: \n"
    "user: I need a bus.\nfunction: \nThought: Where to?\nobservation: \nassistant: : Where to?\n"
    "user: To Oslo.\nfunction: \nThought: Known now.\nAction: find_bus \nAction Input: {'to': 'Oslo'}\n"
    "observation: : {'line': '7'}\nassistant: : Line 7.\nUser: When does it leave?"
)
ACTIONS = (
    'Rules.\nTools: [{"name": "find_bus", "description": "d"}]\nHistory Dialog: \n'
    'User:  To Oslo.\nAction: {" find_bus": {"to": "Oslo"}}\nAssistant:  Line 7.\n\nUser:  And back?'
)


def parts(question: str) -> QuestionParts:
    found = split_question(question)
    assert isinstance(found, QuestionParts)
    return found


def row(row_id: str, history: list[str], user: str) -> RawRow:
    past = "".join(f"User:  {said}\nAction: {{}}\nAssistant:  Yes.\n\n" for said in history)
    question = f'Rules.\nTools: [{{"name": "t", "description": "d"}}]\nHistory Dialog: \n{past}User:  {user}'
    return RawRow(row_id, question, {}, "", "here")


def test_histories_of_both_forms_are_taken_apart() -> None:
    found = parts(OBSERVED)
    assert found.instructions == "Rules.\nTools you may use:"
    assert [tool["name"] for tool in found.tools] == ["find_bus"]
    assert found.user == "When does it leave?"
    assert found.form == "observed"
    assert found.history[0]["calls"] == []
    assert found.history[1] == cases(__file__, "histories_of_both_forms_are_taken_apart")
    found = parts(ACTIONS)
    assert (found.user, found.form) == ("And back?", "actions")
    assert found.history[0]["calls"] == [{"name": "find_bus", "arguments": {"to": "Oslo"}}]


def test_tools_may_stand_under_apis_and_what_follows_the_last_turn_is_kept_apart() -> None:
    found = parts('Rules: {"apis": [{"name": "t"}], "available_parameters": [{"name": "p"}]}\nUser: Go.')
    assert (len(found.tools), found.shared_parameters) == (1, [{"name": "p"}])
    found = parts("Rules:\n[]\nUser: A pizza.\nAssistant: In which city?")
    assert (found.user, found.after) == ("A pizza.", "In which city?")


@pytest.mark.parametrize(
    ("question", "kind"), [("User: hello", "no_tool_list"), ("Tools: []\nhello", "no_user_turn")]
)
def test_a_prompt_without_its_parts_is_a_failure(question: str, kind: str) -> None:
    found = split_question(question)
    assert isinstance(found, Failure)
    assert found.kind == kind


def test_the_answer_format_says_whether_several_calls_are_wanted() -> None:
    assert not wants_several_calls("Action: the name\nThought: x\nAction: x\nAction Input: x\nThought: x")
    assert wants_several_calls("Thought: x\nAction: x\nAction Input: x\nAction: x\nAction Input: x")


def test_repeated_ids_are_numbered_in_order() -> None:
    assert unique_ids(["a", "b", "a", "a"]) == ["a", "b", "a#2", "a#3"]


@each_case("alike", ids=lambda alike: alike["rule"])
def test_dialogues_that_share_a_number_or_all_turns_are_told_apart(alike: dict[str, Any]) -> None:
    found = build_samples([row(*each) for each in alike["rows"]], alike["setting"])
    turns = [[turn.input["user"] for turn in turns] for turns in samples_by_dialogue(found).values()]
    assert turns == alike["dialogues"]
    assert [
        [
            each.id,
            each.cluster,
            each.groups["dialogue"],
            *(each.gold[p]["turns"] for p in ("paper", "official")),
        ]
        for each in found
    ] == alike["samples"]


def test_official_files_load_with_their_known_counts(shared: Path) -> None:
    samples = BENCHMARK.data.load(shared / "data" / "mtu", Options())
    assert Counter(sample.groups["setting"] for sample in samples) == {
        "S-S": 104, "S-M": 94, "M-S": 473, "M-M": 266, "OOD": 72,
    }  # fmt: skip
    found = Counter(name.split("/")[0] for name in samples_by_dialogue(samples))
    assert found == {"S-S": 104, "S-M": 94, "M-S": 85, "M-M": 80, "OOD": 46}
    kinds = Counter(sample.input["kind"] for sample in samples if sample.groups["setting"] == "OOD")
    assert kinds == {"S-S": 25, "M-S": 10, "S-M": 13, "M-M": 24}
    levels = Counter(sample.groups.get("setting_difficulty", "") for sample in samples)
    assert (levels["S-S hard"], levels["S-S normal"], levels["S-M hard"], levels["S-M normal"]) == (
        52,
        52,
        39,
        55,
    )
    assert len({sample.id for sample in samples}) == 1009
    calls = Counter[str]()
    for sample in samples:
        calls[sample.groups["setting"]] += len(sample.gold["calls"])
    assert calls == {"S-S": 78, "S-M": 315, "M-S": 234, "M-M": 197, "OOD": 90}


@each_case("line, message")
def test_a_broken_file_is_named_with_its_line(tmp_path: Path, line: str, message: str) -> None:
    (tmp_path / "S-S_eval.jsonl").write_text(line)
    with pytest.raises(DataError, match=message):
        BENCHMARK.data.load(tmp_path, Options())


def test_a_folder_without_data_says_what_is_wanted(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"wanted S-S_eval\.jsonl.* come with: toolyard fetch mtu"):
        BENCHMARK.data.load(tmp_path, Options())


def test_gold_that_cannot_be_read_is_loaded_and_listed(tmp_path: Path) -> None:
    broken = {
        "id": "S-S_0",
        "question": 'R: [{"name": "t", "description": "d"}]\nUser: Go.',
        "answer": {"t": "no"},
    }
    (tmp_path / "S-S_eval.jsonl").write_text(json.dumps(broken))
    samples = BENCHMARK.data.load(tmp_path, Options())
    assert BENCHMARK.data.audit is not None
    assert any("cannot be read" in finding.what for finding in BENCHMARK.data.audit(tmp_path, samples))


QUESTION = 'Rules.\nTools: [{"name": "t", "description": "d"}]\nUser: Go.'


def samples(*ids: str) -> tuple[Sample, ...]:
    return tuple(build_samples([RawRow(name, QUESTION, {}, "", "here") for name in ids], "M-M"))


def write(folder: Path, name: str, *rows: dict[str, object]) -> Path:
    (folder / name).write_text("\n".join(json.dumps(row) for row in rows))
    return folder


def test_rows_align_by_number_and_others_by_id_in_order(tmp_path: Path) -> None:
    given = samples("M-M_1_0", "M-M_2_0", "M-M_1_0")
    by_row = [{"row": 2, "id": "M-M_1_0", "response": "c"}, {"row": 0, "id": "M-M_1_0", "response": "a"}]
    write(tmp_path, "M-M.jsonl", *by_row, {"id": "M-M_2_0", "response": "b"})
    assert [found.text for found in read_predictions(tmp_path, given)] == ["a", "b", "c"]
    by_id = [
        {"id": "M-M_1_0", "response": "a"},
        {"id": "M-M_2_0", "response": ""},
        {"id": "M-M_1_0", "response": "c"},
    ]
    write(tmp_path, "M-M.jsonl", *by_id)
    found = read_predictions(tmp_path, given)
    assert [each.text for each in found] == ["a", "", "c"]
    assert all(each.error is None for each in found)


def test_a_missing_row_is_a_missing_prediction_and_a_surplus_one_is_noted(tmp_path: Path) -> None:
    rows = [{"id": "M-M_1_0", "response": "a"}, {"id": "M-M_1_0", "response": "b"}]
    write(tmp_path, "M-M_gpt4_response.jsonl", *rows)
    first, second = read_predictions(tmp_path, samples("M-M_1_0", "M-M_2_0"))
    assert (first.text, first.notes) == ("a", {"surplus_answers_with_this_id": 1})
    assert second.error is not None
    assert second.error.kind == "missing_prediction"


def test_a_setting_without_a_file_is_not_evaluated(tmp_path: Path) -> None:
    starter = BENCHMARK.data.load(BENCHMARK.data.starter, Options())
    write(tmp_path, "S-S.jsonl", *({"id": f"S-S_{n}", "response": ""} for n in range(14)))
    assert {found.sample.split("_")[0] for found in read_predictions(tmp_path, starter)} == {"S-S"}


@each_case("name, row, message")
def test_other_forms_are_named(tmp_path: Path, name: str, row: dict[str, object], message: str) -> None:
    write(tmp_path, name, row)
    with pytest.raises(DataError, match=message):
        read_predictions(tmp_path, samples("M-M_1_0"))


def test_an_empty_file_answers_no_row_and_a_lone_surrogate_is_an_answer(tmp_path: Path) -> None:
    write(tmp_path, "M-M.jsonl")
    found = read_predictions(tmp_path, samples("M-M_1_0"))
    assert [item.error and item.error.kind for item in found] == ["missing_prediction"]
    write(tmp_path, "M-M.jsonl", {"id": "M-M_1_0", "response": "\ud83d"})
    assert [found.text for found in read_predictions(tmp_path, samples("M-M_1_0"))] == ["\ud83d"]


def test_a_setting_without_data_is_left_out_and_two_files_for_one_are_refused(tmp_path: Path) -> None:
    write(tmp_path, "S-S.jsonl", {"id": "S-S_0", "response": "a"})
    with pytest.raises(DataError, match="answers no setting of the data given; wanted one of M-M"):
        read_predictions(tmp_path, samples("M-M_1_0"))
    write(tmp_path, "M-M.jsonl", {"id": "M-M_1_0", "response": "b"})
    assert [found.text for found in read_predictions(tmp_path, samples("M-M_1_0"))] == ["b"]
    row = {"id": "M-M_1_0", "response": "a"}
    write(tmp_path, "M-M_a_response.jsonl", row)
    write(tmp_path, "M-M_b_response.jsonl", row)
    with pytest.raises(DataError, match="several files for M-M"):
        read_predictions(tmp_path, samples("M-M_1_0"))
