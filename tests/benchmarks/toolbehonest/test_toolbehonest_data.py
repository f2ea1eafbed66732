"""Loading: six samples a record, one clear line for every mistake, and an item that breaks each data rule."""

import json
from pathlib import Path
from typing import Any

import pytest

from cases import cases, each_case
from toolyard.benchmarks.toolbehonest import BENCHMARK
from toolyard.core.benchmark import Finding
from toolyard.core.errors import DataError
from toolyard.core.types import Options, Sample

ROW: dict[str, Any] = cases(__file__, "ROW")


def load(tmp_path: Path, *rows: Any, language: str = "en") -> tuple[Sample, ...]:
    file = tmp_path / "test.json"
    file.write_text(json.dumps(list(rows)))
    return BENCHMARK.data.load(file, Options(values={"language": language}))


def test_a_record_is_six_samples_of_one_cluster_that_share_a_database(tmp_path: Path) -> None:
    samples = load(tmp_path, ROW)
    assert [sample.id for sample in samples] == [
        f"multi_step_wo_rep/7/{variant}/{level}"
        for variant in ("solvable", "unsolvable")
        for level in (1, 2, 3)
    ]
    assert {sample.cluster for sample in samples} == {"multi_step_wo_rep/7"}
    assert samples[5].groups == {
        "scenario": "MNT", "subtask": "multi_step_wo_rep", "level": "level_3", "variant": "unsolvable"
    }  # fmt: skip
    samples = load(tmp_path, ROW, {**ROW, "id": 8})
    first, second = samples[5].gold, samples[11].gold
    assert first.database.descriptions == ("does a", "does b", "ends", "does a", "does b", "ends")
    assert first.database.descriptions is second.database.descriptions
    assert (first.needed[0].row, second.needed[0].row) == (1, 4)
    row = {key: value for key, value in ROW.items() if key != "id"}
    assert load(tmp_path, ROW, row)[6].id == "multi_step_wo_rep/1/solvable/1"


@each_case("change, said")
def test_a_mistake_in_a_record_is_one_line_that_names_it(tmp_path: Path, change: Any, said: str) -> None:
    with pytest.raises(DataError) as caught:
        load(tmp_path, {**ROW, **change})
    assert "7" in str(caught.value)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_field_an_id_twice_and_another_language_are_refused(tmp_path: Path) -> None:
    row = {key: value for key, value in ROW.items() if key != "unsolvable_tools"}
    with pytest.raises(DataError, match=r"item 7 .*'unsolvable_tools' is missing"):
        load(tmp_path, row)
    with pytest.raises(DataError, match=r"multi_step_wo_rep/7.* 2 times"):
        load(tmp_path, ROW, ROW)
    with pytest.raises(DataError, match="--language en"):
        load(tmp_path, ROW, language="zh")


@pytest.mark.parametrize("text", ["{", '{"a": 1}', "[1]", "[" * 100_000])
def test_files_in_another_form_are_refused_in_one_line(tmp_path: Path, text: str) -> None:
    file = tmp_path / "test.json"
    file.write_text(text)
    with pytest.raises(DataError) as caught:
        BENCHMARK.data.load(file, Options())
    assert "\n" not in str(caught.value)


def test_a_folder_without_the_language_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"no test_en\.json"):
        BENCHMARK.data.load(tmp_path, Options())


def test_a_needed_tool_that_is_not_listed_is_a_finding_and_does_not_stop_the_load(tmp_path: Path) -> None:
    samples = load(tmp_path, {**ROW, "planning_tools": ["A", "C", "Finish"]})
    assert BENCHMARK.data.audit is not None
    findings = BENCHMARK.data.audit(tmp_path / "test.json", samples)
    assert any(finding.what.startswith("G4") for finding in findings)
    unreadable = {finding.where for finding in findings if finding.kind == "official_unreadable"}
    assert "multi_step_wo_rep/7/unsolvable/3" in unreadable


def test_predictions_are_aligned_by_place_and_gaps_are_not_zeros(tmp_path: Path) -> None:
    samples = load(tmp_path, ROW, {**ROW, "id": 8})
    file = tmp_path / "results.json"
    file.write_text(json.dumps({"multi_step_wo_rep": {"level_1": [{"solvable": "", "unsolvable": "x"}]}}))
    found = {each.sample: each for each in BENCHMARK.scoring.read_predictions(file, samples[6:])}
    assert set(found) == {"multi_step_wo_rep/8/solvable/1", "multi_step_wo_rep/8/unsolvable/1"}
    assert all(item.error and item.error.kind == "missing_prediction" for item in found.values())
    first = {each.sample: each for each in BENCHMARK.scoring.read_predictions(file, samples[:6])}
    assert first["multi_step_wo_rep/7/solvable/1"].completions[0].text == ""
    assert first["multi_step_wo_rep/7/unsolvable/1"].text == "x"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("[]", ""),
        ('{"oracle": {}}', ""),
        ("{", ""),
        ('{"os": {"level_1": ["text"]}}', r"os/level_1\[0\] is a str"),
        ('{"os": {"level_1": [{"solvable": 3}]}}', r"\[0\]\.solvable is a int"),
    ],
)
def test_predictions_in_another_form_are_refused(tmp_path: Path, content: str, said: str) -> None:
    samples = load(tmp_path, {**ROW, "subtask": "os"})
    file = tmp_path / "results.json"
    file.write_text(content)
    with pytest.raises(DataError, match=said):
        BENCHMARK.scoring.read_predictions(file, samples)


END = "Finish: Ends.", "UnsolvableQuery: Gap."


def listed(*entries: str) -> str:
    return "\n".join(f"{number}. {entry}" for number, entry in enumerate((*entries, *END), 1))


def row(subtask: str, plan: list[str], unsolvable: list[str], **changes: Any) -> dict[str, Any]:
    """An item with the tools A to D of which the list of the twin lacks those that its plan marks."""
    needed = {tool for tool, step in zip(plan, unsolvable, strict=False) if step == "UnsolvableQuery"}
    lines = "\n".join(f"{number}. step" for number in range(1, len(plan) + 1))
    tools = [f"{letter}: Does the work of {letter}." for letter in "ABCD"]
    base = {
        "id": 1,
        "subtask": subtask,
        "task": f"Do this:\n{lines}",
        "tools": listed(*tools),
        "unsolvable_task": f"Do this:\n{lines}",
        "unsolvable_tools": listed(*(tool for tool in tools if tool[0] not in needed)),
        "planning_tools": [*plan, "Finish"],
        "planning_tools_unsolvable": [*unsolvable, "Finish"],
    }
    return base | changes


def steps(subtask: str, **changes: Any) -> dict[str, Any]:
    return row(subtask, ["A", "B", "C"], ["A", "UnsolvableQuery", "C"], **changes)


def findings(tmp_path: Path, *rows: dict[str, Any]) -> list[Finding]:
    file = tmp_path / "test_en.json"
    file.write_text(json.dumps(rows))
    assert BENCHMARK.data.audit is not None
    return list(BENCHMARK.data.audit(file, BENCHMARK.data.load(file, Options())))


def said(tmp_path: Path, *rows: dict[str, Any]) -> str:
    return "; ".join(finding.what for finding in findings(tmp_path, *rows))


def test_a_sound_item_has_no_finding(tmp_path: Path) -> None:
    assert findings(tmp_path, steps("multi_step_wo_rep")) == []


@each_case("subtask, plan, unsolvable, changes, rule")
def test_a_broken_rule_is_named(
    tmp_path: Path, subtask: str, plan: list[str], unsolvable: list[str], changes: dict[str, Any], rule: str
) -> None:
    assert rule in said(tmp_path, row(subtask, plan, unsolvable, **changes))


def test_ties_and_copies_are_found_and_distractors_missed(tmp_path: Path) -> None:
    tied = steps("multi_step_wo_rep", tools=listed("A: same", "B: same", "C: c", "D: d"))
    tied["unsolvable_tools"] = listed("A: same", "C: c", "D: d")
    found = findings(tmp_path, tied)
    assert "G5: A, B share one description" in [finding.what for finding in found]
    unreadable = [finding.where for finding in found if finding.kind == "official_unreadable"]
    assert unreadable == ["multi_step_wo_rep/1/unsolvable/3"]
    first = steps("multi_step_wo_rep", tools=listed("A: a", "B: b", "C: c"))
    first["unsolvable_tools"] = listed("A: a", "C: c")
    assert "G7: nearly a copy" in said(tmp_path, first, {**first, "id": 2})
    assert "G8: 0 distractors in 1 items" in said(tmp_path, first)


def test_a_plan_that_stops_at_the_tool_limit_is_aligned(tmp_path: Path) -> None:
    limited = row(
        "iter", ["A", "A", "A"], ["A", "UnsolvableQuery"], unsolvable_task="At most one:\n1. x\n2. x\n3. x"
    )
    limited["unsolvable_tools"] = limited["tools"]
    assert findings(tmp_path, limited) == []


def test_a_name_that_level_3_cannot_return_is_listed_as_unreadable(tmp_path: Path) -> None:
    renamed = json.loads(
        json.dumps(steps("multi_step_wo_rep")).replace('"A"', '"A/B"').replace("1. A:", "1. A/B:")
    )
    unreadable = {each.where for each in findings(tmp_path, renamed) if each.kind == "official_unreadable"}
    assert unreadable == {"multi_step_wo_rep/1/solvable/3", "multi_step_wo_rep/1/unsolvable/3"}
