"""The starter and the hard set: complete, without defects, executed, and perfect answers score 1."""

import json
import random
import re
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest
import starter_sets

from graded_answers import grade
from toolyard.benchmarks.mtu import BENCHMARK
from toolyard.benchmarks.mtu.data.hard_types import RULES, hard_types, is_nonsense
from toolyard.benchmarks.mtu.data.rows import SETTINGS, samples_by_dialogue
from toolyard.benchmarks.mtu.data.tool_pool import POOL, replace_tool_list
from toolyard.benchmarks.mtu.scoring.baselines import answer_text, word_overlap
from toolyard.benchmarks.mtu.scoring.calls import Call
from toolyard.benchmarks.mtu.scoring.execution_evidence import execution_questions
from toolyard.benchmarks.mtu.scoring.parse import parse
from toolyard.benchmarks.mtu.scoring.score import grade_paper
from toolyard.benchmarks.mtu.synth.world.subject_book import OUT_OF_DOMAIN
from toolyard.benchmarks.mtu.synth.written_dialogues import HARD, execute_row, rows_by_hand
from toolyard.core.errors import DataError
from toolyard.core.types import PROFILES, Options, Profile, Transcript
from toolyard.lines import read_lines
from toolyard.stats.summary import Graded, summarise
from toolyard.synth.chains.execution import EXECUTION, execution_holds
from toolyard.synth.stages import Context, Kept, Rejected

SAMPLES = BENCHMARK.data.load(BENCHMARK.data.starter, Options())


def test_there_are_a_hundred_dialogues_of_each_setting() -> None:
    counts = Counter(name.split("/")[0] for name in samples_by_dialogue(SAMPLES))
    assert all(counts[setting] >= 100 for setting in SETTINGS)
    assert {sample.groups.get("ood_kind") for sample in SAMPLES} >= {"S-S", "S-M", "M-S", "M-M"}


def test_calls_and_parameters_are_as_many_as_in_the_official_set() -> None:
    for setting in SETTINGS:
        turns = [s.gold["calls"] for s in SAMPLES if s.groups["setting"] == setting and s.gold["calls"]]
        parameters = [len(call["arguments"]) for calls in turns for call in calls]
        assert 2.0 <= sum(parameters) / len(parameters) <= 3.5, setting
    long = [len(s.gold["calls"]) >= 4 for s in SAMPLES if s.groups["setting"] == "S-M"]
    assert sum(long) / len(long) >= 0.3


def test_every_hard_type_occurs() -> None:
    found = {name for sample in SAMPLES for name in hard_types(sample)}
    assert found == set(RULES)


def test_the_audit_finds_no_defect() -> None:
    assert BENCHMARK.data.audit is not None
    assert BENCHMARK.data.audit(BENCHMARK.data.starter, SAMPLES) == ()


@pytest.mark.parametrize("profile", PROFILES)
def test_perfect_answers_score_one_and_what_is_printed_less(profile: Profile) -> None:
    graded = []
    for sample in SAMPLES:
        answer = Transcript.answered(sample.id, BENCHMARK.checks.oracle(sample, (), random.Random(0)))
        graded.append(Graded(sample, answer, grade(BENCHMARK, sample, answer, profile)))
    summary = summarise(BENCHMARK, graded, profile)
    for setting, figures in summary.groups["setting"].items():
        for name, figure in figures.items():
            if name == "tool_order_printed":
                assert figure.value is None or 0 < figure.value < 1
            else:
                assert figure.value in (1.0, None), (setting, name)
    assert all(count == 0 for labels in summary.errors.values() for count in labels.values())


def test_ood_calls_tools_of_categories_that_no_other_setting_calls() -> None:
    for line in read_lines(BENCHMARK.data.starter / EXECUTION):
        if line["calls"]:
            outside = any(call["tool"].split("/")[0] in OUT_OF_DOMAIN for call in line["calls"])
            assert outside == line["id"].startswith("OOD"), line["id"]


@pytest.mark.parametrize(
    ("name", "nonsense"), [("eee", True), ("xyz", True), ("bcd", True), ("get_bus", False)]
)
def test_a_name_without_meaning_is_known(name: str, nonsense: bool) -> None:
    assert is_nonsense({"name": name, "description": "Finds a place to park."}) is nonsense


def test_statistics_count_what_is_there() -> None:
    assert BENCHMARK.data.statistics is not None
    first, *_ = BENCHMARK.data.statistics(BENCHMARK.data.starter, SAMPLES)
    assert {row[0]: row[1] for row in first.rows} == Counter(
        name.split("/")[0] for name in samples_by_dialogue(SAMPLES)
    )


def test_analysis_tables_add_up() -> None:
    assert BENCHMARK.scoring.analysis is not None
    graded = []
    for sample in SAMPLES:
        answer = Transcript.answered(sample.id, "")
        graded.append((sample, answer, grade(BENCHMARK, sample, answer)))
    errors, _, by_turn, *_ = BENCHMARK.scoring.analysis(graded, "paper")
    wanted = sum(bool(sample.gold["calls"]) for sample in SAMPLES)
    assert sum(row[1] for row in errors.rows) == wanted
    assert sum(row[1] for row in by_turn.rows) == sum(
        s.groups["setting"] in ("M-S", "M-M", "OOD") for s in SAMPLES
    )


def test_words_alone_find_the_tools_hardly_more_often_than_on_the_official_data() -> None:
    right = 0
    for sample in SAMPLES:
        chosen = re.findall(r"^Action: (\S+)", word_overlap(sample, (), random.Random(0)), re.MULTILINE)
        right += set(chosen) == {call["name"] for call in sample.gold["calls"]}
    assert right / len(SAMPLES) <= 0.44  # 0.416 on the official data


def written_set(folder: Path, **requests: str) -> dict[str, str]:
    """The files of a set with single requests, by their numbers."""
    asked = {
        name: f"Tools:\n{[{'name': 'find_bus', 'description': 'Buses.'}]}\nUser: {said}"
        for name, said in requests.items()
    }
    rows = [
        {"id": f"S-S{name}", "question": text, "answer": {"find_bus": {}}} for name, text in asked.items()
    ]
    files = {f"{setting}_eval.jsonl": "" for setting in SETTINGS} | {
        "S-S_eval.jsonl": starter_sets.text(rows)
    }
    executed = starter_sets.text({"id": row["id"], "calls": []} for row in rows)
    folder.mkdir()
    for name, content in {**files, EXECUTION: executed}.items():
        (folder / name).write_text(content, "utf-8")
    return files


def test_a_renewed_row_moves_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old, made = tmp_path / "old", tmp_path / "made"
    files = starter_sets.pooled(written_set(old, _1000="To Bergen.", _2005="To Rome."))
    for name, content in files.items():
        (old / name).write_text(content, "utf-8")
    written_set(made, _0="To Bergen.", _1="To Oslo.")
    monkeypatch.setattr(starter_sets, "synthesise", lambda _settings: SimpleNamespace(folder=made))
    found = starter_sets.renew(old, 7, ["S-S_2005"])
    kept, new = found["S-S_eval.jsonl"].splitlines()
    assert kept == files["S-S_eval.jsonl"].splitlines()[0]
    assert (json.loads(new)["id"], json.loads(new)["tools"]) == ("S-S_2006", {"python": "S-S_2006"})
    assert json.loads(new)["question"].endswith("To Oslo.")
    assert [json.loads(line)["id"] for line in found[EXECUTION].splitlines()] == ["S-S_1000", "S-S_2006"]
    assert "S-S_2005" not in found[POOL]


FOLDER = BENCHMARK.data.hard
assert FOLDER is not None
HARD_SAMPLES = BENCHMARK.data.load(FOLDER, Options())
TOOLS = [{"name": "find_bus", "description": "Buses to a town.", "required_parameters": ["town"]}]


def test_the_hard_set_has_long_lists_and_every_kind_of_turn() -> None:
    dialogues = samples_by_dialogue(HARD_SAMPLES)
    lengths = [len(turns[0].input["tools"]) for turns in dialogues.values()]
    kinds = Counter(sample.groups.get("turn_kind", "") for sample in HARD_SAMPLES)
    assert len(dialogues) >= 100
    assert len(HARD_SAMPLES) >= 400
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
    assert BENCHMARK.data.audit(FOLDER, HARD_SAMPLES) == ()
    for sample in HARD_SAMPLES:
        listed = {tool["name"] for tool in sample.input["tools"]}
        assert listed >= {call["name"] for call in sample.gold["calls"]}, sample.id


def test_some_dialogues_return_the_same_again_failures_included() -> None:
    lines = list(read_lines(FOLDER / EXECUTION))
    failing = [line for line in lines if any("error" in call for call in line["calls"])]
    assert len(failing) >= 5
    assert all(execution_holds(line) for line in (*failing[:3], *lines[::20]))


def test_shared_words_do_not_find_the_calls() -> None:
    calling = [sample for sample in HARD_SAMPLES if sample.gold["calls"]][::3]
    answers = [(sample, Transcript.answered(sample.id, word_overlap(sample, (), None))) for sample in calling]  # type: ignore[arg-type]
    right = [grade_paper(sample, parse(sample, answer, Options())).right for sample, answer in answers]
    assert sum(right) <= 0.02 * len(right)


def test_the_hard_set_is_made_of_what_was_written() -> None:
    row = next(row for row in rows_by_hand(HARD) if len(row["written"]["turns"]) == 5)
    made = execute_row(row, Context())
    assert isinstance(made, Kept)
    turns = [sample for sample in HARD_SAMPLES if sample.groups["dialogue"] == "M-S_0"]
    assert [turn["user"] for turn in made.fields["turns"]] == [turn.input["user"] for turn in turns]
    assert made.fields["tools"] == turns[0].input["tools"]


def test_a_call_that_nothing_takes_from_is_refused() -> None:
    row = next(iter(rows_by_hand(HARD)))
    first, *others = row["written"]["turns"]
    silent = {**row["written"], "turns": [{**first, "reply": "Here you are."}, *others[1:]]}
    made = execute_row({**row, "written": silent}, Context())
    assert isinstance(made, Rejected)
    assert "nothing is taken from" in made.detail


def pooled_row(tools: object = None, question: str = "Tools:\n[]\nUser: A bus to Bergen.") -> str:
    row = {"id": "S-S_0", "question": question, "answer": {"find_bus": {"town": "Bergen"}}}
    return json.dumps({**row, "tools": tools or {"python": "S-S_0"}})


def pool(folder: Path, *rows: object) -> None:
    (folder / POOL).write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


@pytest.mark.parametrize(("form", "listing"), [("python", repr(TOOLS)), ("json", json.dumps(TOOLS))])
def test_a_row_that_names_its_tool_list_is_as_one_with_it(tmp_path: Path, form: str, listing: str) -> None:
    question = f"Tools:\n{listing}\nUser: A bus to Bergen."
    row = {"id": "S-S_0", "question": question, "answer": {"find_bus": {"town": "Bergen"}}}
    bare = replace_tool_list(row, "S-S_0")
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
def test_a_missing_tool_list_is_named(tmp_path: Path, row: str, rows: list[object], said: str) -> None:
    (tmp_path / "S-S_eval.jsonl").write_text(row, "utf-8")
    if rows:
        pool(tmp_path, *rows)
    with pytest.raises(DataError, match=said):
        BENCHMARK.data.load(tmp_path, Options())


@pytest.mark.parametrize(("changed", "asked"), [({"unit": "g"}, 1), ({"unit": "g", "amount": 300}, 0)])
def test_a_default_that_means_what_gold_says_is_executed(changed: dict[str, str | int], asked: int) -> None:
    (sample,) = (each for each in HARD_SAMPLES if each.id == "M-M_11_2")
    (gold,) = sample.gold["calls"]
    text = answer_text([Call(gold["name"], {**gold["arguments"], **changed})])
    prediction = parse(sample, Transcript.answered(sample.id, text), Options())
    assert len(execution_questions(sample, prediction)) == asked
