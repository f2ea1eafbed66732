"""Figures against people and readers: on two runs that differ by design, on made-up votes, on the sheet's labels."""

import json
from pathlib import Path
from typing import Any

import outcome_agreement
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compared_runs import changed_copy, rewrite_scores, score_lines
from toolyard import evaluate
from toolyard.benchmarks.mtu import BENCHMARK
from toolyard.core.errors import DataError, UsageError
from toolyard.core.metrics import Row
from toolyard.core.types import Options, Score
from toolyard.report.compare.human_agreement import (
    Side,
    Votes,
    agreement_by_figure,
    agreement_json,
    agreement_table,
    count_votes,
    read_labels,
    vote_table,
)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("runs")
    models = ("scripted/oracle", "scripted/no-call")
    first, second = (evaluate("nestools", model, limit=6, runs=folder).folder for model in models)
    return first, second


def votes(path: Path, *lines: tuple[str, str, int]) -> Path:
    rows = [
        {"sample": sample, "annotator": who, "label": label, "dimension": "overall"}
        for sample, who, label in lines
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_people_who_agree_with_the_figure_and_each_other(runs: tuple[Path, Path], tmp_path: Path) -> None:
    ids = [json.loads(line)["sample"] for line in (runs[0] / "scores.jsonl").read_text().splitlines()]
    labels = read_labels(
        votes(tmp_path / "v.jsonl", *[(item, who, 1) for item in ids for who in ("ada", "bo")])
    )
    [tree] = agreement_by_figure(*runs, labels, figures=["tree"], profile="paper")
    found = tree.preference
    assert (found.items, found.annotators, found.same_side, found.human_same_side) == (len(ids), 2, 1.0, 1.0)
    assert found.metric_human is None, "labels that never vary correlate with nothing"
    assert agreement_table([tree]).rows[0][0] == "tree"


def test_wrong_labels_figures_and_samples_are_named(runs: tuple[Path, Path], tmp_path: Path) -> None:
    with pytest.raises(DataError, match="line 1 has the label 2"):
        read_labels(votes(tmp_path / "a.jsonl", ("1", "ada", 2)))
    labels = read_labels(votes(tmp_path / "b.jsonl", ("nobody", "ada", 1)))
    with pytest.raises(DataError, match="labels name 'nobody'"):
        agreement_by_figure(*runs, labels, figures=[], profile="paper")
    with pytest.raises(UsageError, match="has no metric beauty; it has"):
        agreement_by_figure(*runs, labels, figures=["beauty"], profile="paper")
    with pytest.raises(DataError, match="no vote on 'style'"):
        read_labels(tmp_path / "b.jsonl", "style")


def unscored_copy(run: Path, place: int) -> tuple[Path, str]:
    """The run with one sample that the provider never answered."""
    copy = changed_copy(run, f"{run.name}_cut{place}", lambda manifest: None)
    lost = score_lines(copy)[place]["sample"]

    def lose(line: dict[str, Any]) -> None:
        for score in line["profiles"].values():
            score["unscored"] = "timeout" if line["sample"] == lost else score["unscored"]

    rewrite_scores(copy, lose)
    return copy, lost


def test_every_vote_that_falls_out_is_counted_by_its_reason(runs: tuple[Path, Path], tmp_path: Path) -> None:
    second, lost = unscored_copy(runs[1], 0)
    ids = [line["sample"] for line in score_lines(runs[0])]
    file = votes(
        tmp_path / "v.jsonl",
        (ids[1], "ada", -1), (ids[1], "ada", 1), (ids[2], "ada", 0), (ids[2], "bo", 1),
        (lost, "ada", 1), (lost, "bo", 0), ("gone", "bo", 1),
    )  # fmt: skip
    with file.open("a") as more:
        more.write(json.dumps({"sample": ids[1], "annotator": "bo", "label": 1, "dimension": "style"}) + "\n")
    [found] = agreement_by_figure(
        runs[0], second, read_labels(file, "overall"), figures=["tree"], profile="paper"
    )
    counts = found.votes
    assert (counts.lines, counts.counted, counts.left_out) == (8, 3, 5)
    assert (counts.no_sample, counts.unscored, counts.undefined) == (1, 2, 0)
    assert (counts.other_dimension, counts.replaced, counts.ties) == (1, 1, 1)
    assert found.preference.items == 2
    table = vote_table([found])
    assert dict(zip(table.columns, table.rows[0], strict=True))["unscored"] == 2
    assert table.note.startswith("5 votes are left out")
    [plain] = agreement_json([found])
    assert plain["items"] == 2
    assert plain["votes"]["no_sample"] == 1


def test_a_figure_that_is_undefined_on_an_item_says_so(runs: tuple[Path, Path], tmp_path: Path) -> None:
    copies = [changed_copy(run, f"{run.name}_bare", lambda manifest: None) for run in runs]
    bare = score_lines(runs[0])[3]["sample"]

    def strip(line: dict[str, Any]) -> None:
        if line["sample"] == bare:
            line["profiles"]["paper"]["values"]["tree"] = None

    rewrite_scores(copies[0], strip)
    labels = read_labels(votes(tmp_path / "v.jsonl", (bare, "ada", 1)))
    [tree, form] = agreement_by_figure(*copies, labels, figures=["tree", "format"], profile="paper")
    assert (tree.votes.undefined, tree.votes.counted) == (1, 0)
    assert (form.votes.undefined, form.votes.counted) == (0, 1)


def test_labels_on_unscored_samples_are_counted(runs: tuple[Path, Path], tmp_path: Path) -> None:
    second, lost = unscored_copy(runs[1], 5)
    labels = read_labels(votes(tmp_path / "v.jsonl", (lost, "ada", 1)))
    [found] = agreement_by_figure(runs[0], second, labels, figures=[], profile="paper")
    assert (found.votes.unscored, found.votes.counted, found.preference.items) == (1, 0, 0)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["a", "b"]), st.sampled_from(["1", "2", "3", "4"]), st.sampled_from([1, 0, -1])
        ),
        min_size=1,
        max_size=20,
    ),
    st.sets(st.sampled_from(["1", "2", "3"])),
    st.sets(st.sampled_from(["1", "2", "3"])),
)
def test_a_line_counts_once(lines: list[tuple[str, str, int]], scored: set[str], defined: set[str]) -> None:
    labels: dict[str, dict[str, int]] = {}
    for who, item, label in lines:
        labels.setdefault(who, {})[item] = label
    given = sum(map(len, labels.values()))
    rows = [Row(Score(item), item, {}) for item in sorted(scored)]
    sides = [Side(frozenset("123"), rows)] * 2
    found = count_votes(
        sides, Votes(labels, len(lines), replaced=len(lines) - given), dict.fromkeys(scored & defined, 0.0)
    )
    parts = (found.other_dimension, found.replaced, found.no_sample, found.unscored, found.undefined)
    assert sum(parts) + found.counted == found.lines == len(lines)
    assert found.left_out == sum(parts)


@pytest.fixture
def predictions(tmp_path: Path) -> Path:
    """One gold answer and one without a word, as saved predictions."""
    samples = BENCHMARK.data.load(BENCHMARK.data.starter, Options("default"))
    sample = next(each for each in samples if each.id.startswith("S-S") and each.gold["calls"])
    call = sample.gold["calls"][0]
    right = f"Thought: I call it.\nAction: {call['name']}\nAction Input: {json.dumps(call['arguments'])}"
    folder = tmp_path / "answers"
    folder.mkdir()
    other = next(
        each for each in samples if each.id.startswith("S-S") and each.gold["calls"] and each is not sample
    )
    rows = [{"id": sample.id, "response": right}, {"id": other.id, "response": "I do not know."}]
    (folder / "S-S.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return folder


def test_sheet_holds_no_score_and_no_source_and_labels_are_compared(
    predictions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = tmp_path / "sheet.jsonl"
    outcome_agreement.main(
        ["export", "mtu", str(predictions), "--number", "2", "--seed", "5", "--out", str(sheet)]
    )
    rows = [json.loads(line) for line in sheet.read_text(encoding="utf-8").splitlines()]
    assert [sorted(row) for row in rows] == [["answer", "asked", "benchmark", "id", "tools", "wanted"]] * 2
    labels = tmp_path / "labels.jsonl"
    said = [{"id": row["id"], "label": "right", "why": "looks right"} for row in rows]
    labels.write_text("\n".join(map(json.dumps, said)), encoding="utf-8")
    outcome_agreement.main(
        ["compare", str(tmp_path / "sheet.key.jsonl"), str(labels), "--answers", str(predictions)]
    )
    printed = capsys.readouterr().out
    assert "| outcome | 1 | 2 | 50.0% | 0.000 | 1 | 0 | 1 | 0 |" in printed
    assert "the reader says right: looks right" in printed


def test_unknown_label_is_refused_in_one_line(predictions: Path, tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.jsonl"
    outcome_agreement.main(
        ["export", "mtu", str(predictions), "--number", "1", "--out", str(sheet), "--hide-gold"]
    )
    assert "wanted" not in json.loads(sheet.read_text(encoding="utf-8"))
    labels = tmp_path / "labels.jsonl"
    labels.write_text('{"id": "mtu-001", "label": "fine"}', encoding="utf-8")
    with pytest.raises(SystemExit, match=r"right\|wrong\|unsure"):
        outcome_agreement.main(
            ["compare", str(tmp_path / "sheet.key.jsonl"), str(labels), "--answers", str(predictions)]
        )
