"""The hard set and the pool of tool lists: complete, executed, and read as the official form is."""

import json
from collections import Counter
from pathlib import Path

import pytest

from toolyard.benchmarks.mtu import BENCHMARK
from toolyard.benchmarks.mtu.data.rows import dialogues_of
from toolyard.benchmarks.mtu.data.tool_pool import POOL, without_list
from toolyard.benchmarks.mtu.scoring.baselines import answer_text, word_overlap
from toolyard.benchmarks.mtu.scoring.calls import Call
from toolyard.benchmarks.mtu.scoring.execution_evidence import execution_questions
from toolyard.benchmarks.mtu.scoring.parse import parse
from toolyard.benchmarks.mtu.scoring.score import grade_paper
from toolyard.benchmarks.mtu.synth.written_dialogues import HARD, carry_out, rows_by_hand
from toolyard.core.errors import DataError
from toolyard.core.types import Options, Transcript
from toolyard.lines import read_lines
from toolyard.synth.chains.execution import EXECUTION, holds
from toolyard.synth.stages import Context, Kept, Rejected

FOLDER = BENCHMARK.data.hard
assert FOLDER is not None
SAMPLES = BENCHMARK.data.load(FOLDER, Options())
TOOLS = [{"name": "find_bus", "description": "Buses to a town.", "required_parameters": ["town"]}]


def test_the_hard_set_has_long_lists_and_every_kind_of_turn() -> None:
    dialogues = dialogues_of(SAMPLES)
    lengths = [len(turns[0].input["tools"]) for turns in dialogues.values()]
    kinds = Counter(sample.groups.get("turn_kind", "") for sample in SAMPLES)
    assert len(dialogues) >= 100
    assert len(SAMPLES) >= 400
    assert min(lengths) >= 50
    assert max(lengths) > 450
    assert sum(length >= 200 for length in lengths) >= len(lengths) // 5
    assert min(kinds.values()) >= 5
    assert set(kinds) == {
        *("", "correction", "comparison", "earlier_value", "reading", "other_way", "failing_result"),
        *("many_calls", "chained", "known_already", "missing_tool", "ask_back"),
    }


def test_the_hard_set_has_no_defects() -> None:
    assert BENCHMARK.data.audit is not None
    assert BENCHMARK.data.audit(FOLDER, SAMPLES) == ()
    for sample in SAMPLES:
        listed = {tool["name"] for tool in sample.input["tools"]}
        assert listed >= {call["name"] for call in sample.gold["calls"]}, sample.id


def test_some_dialogues_return_the_same_again_failures_included() -> None:
    lines = list(read_lines(FOLDER / EXECUTION))
    failing = [line for line in lines if any("error" in call for call in line["calls"])]
    assert len(failing) >= 5
    assert all(holds(line) for line in (*failing[:3], *lines[::20]))


def test_shared_words_do_not_find_the_calls() -> None:
    calling = [sample for sample in SAMPLES if sample.gold["calls"]][::3]
    answers = [(sample, Transcript.answered(sample.id, word_overlap(sample, (), None))) for sample in calling]  # type: ignore[arg-type]
    right = [grade_paper(sample, parse(sample, answer, Options())).right for sample, answer in answers]
    assert sum(right) <= 0.02 * len(right)


def test_the_hard_set_is_made_of_what_was_written() -> None:
    row = next(row for row in rows_by_hand(HARD) if len(row["written"]["turns"]) == 5)
    made = carry_out(row, Context())
    assert isinstance(made, Kept)
    turns = [sample for sample in SAMPLES if sample.groups["dialogue"] == "M-S_0"]
    assert [turn["user"] for turn in made.fields["turns"]] == [turn.input["user"] for turn in turns]
    assert made.fields["tools"] == turns[0].input["tools"]


def test_a_call_that_nothing_takes_from_is_refused() -> None:
    row = next(iter(rows_by_hand(HARD)))
    first, *others = row["written"]["turns"]
    silent = {**row["written"], "turns": [{**first, "reply": "Here you are."}, *others[1:]]}
    made = carry_out({**row, "written": silent}, Context())
    assert isinstance(made, Rejected)
    assert "nothing is taken from" in made.detail


def pooled_row(tools: object = None, question: str = "Tools:\n[]\nUser: A bus to Bergen.") -> str:
    row = {"id": "S-S_0", "question": question, "answer": {"find_bus": {"town": "Bergen"}}}
    return json.dumps({**row, "tools": tools or {"python": "S-S_0"}})


def pool(folder: Path, *rows: object) -> None:
    (folder / POOL).write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


@pytest.mark.parametrize(("form", "listing"), [("python", repr(TOOLS)), ("json", json.dumps(TOOLS))])
def test_a_row_that_names_its_tool_list_reads_like_one_that_has_it(
    tmp_path: Path, form: str, listing: str
) -> None:
    question = f"Tools:\n{listing}\nUser: A bus to Bergen."
    row = {"id": "S-S_0", "question": question, "answer": {"find_bus": {"town": "Bergen"}}}
    bare = without_list(row, "S-S_0")
    assert bare["tools"] == {form: "S-S_0"}
    assert len(json.dumps(bare)) < len(json.dumps(row))
    (tmp_path / "whole").mkdir()
    (tmp_path / "whole" / "S-S_eval.jsonl").write_text(json.dumps(row), "utf-8")
    (tmp_path / "S-S_eval.jsonl").write_text(json.dumps(bare), "utf-8")
    pool(tmp_path, {"id": "find_bus", "document": TOOLS[0]}, {"id": "S-S_0", "list": ["find_bus"]})
    assert BENCHMARK.data.load(tmp_path, Options()) == BENCHMARK.data.load(tmp_path / "whole", Options())


@pytest.mark.parametrize(
    ("row", "rows", "said"),
    [
        (pooled_row(), [], "names the tool list 'S-S_0'; wanted one of tools.jsonl"),
        (pooled_row({"xml": "S-S_0"}), [], "field tools cannot be read"),
        (pooled_row(["find_bus"]), [], "field tools cannot be read"),
        (pooled_row(question="User: A bus."), [], "field tools cannot be read"),
        (pooled_row(), [{"id": "S-S_0", "list": ["find_train"]}], "wanted id and document, or id and a list"),
        (pooled_row(), ["find_bus"], "wanted id and document, or id and a list"),
    ],
)
def test_a_tool_list_that_cannot_be_found_is_named(
    tmp_path: Path, row: str, rows: list[object], said: str
) -> None:
    (tmp_path / "S-S_eval.jsonl").write_text(row, "utf-8")
    if rows:
        pool(tmp_path, *rows)
    with pytest.raises(DataError, match=said):
        BENCHMARK.data.load(tmp_path, Options())


@pytest.mark.parametrize(("changed", "asked"), [({"unit": "g"}, 1), ({"unit": "g", "amount": 300}, 0)])
def test_a_stated_default_that_means_what_gold_says_is_executed(
    changed: dict[str, str | int], asked: int
) -> None:
    (sample,) = (each for each in SAMPLES if each.id == "M-M_11_2")
    (gold,) = sample.gold["calls"]
    text = answer_text([Call(gold["name"], {**gold["arguments"], **changed})])
    prediction = parse(sample, Transcript.answered(sample.id, text), Options())
    assert len(execution_questions(sample, prediction)) == asked
