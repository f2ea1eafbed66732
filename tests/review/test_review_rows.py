"""Rows under review: found in their files, shown, corrected, and written back in the same form."""

import json
from pathlib import Path
from typing import Any

import pytest

from cases import cases, each_case
from compared_runs import make_runs
from toolyard.benchmarks import load_benchmark
from toolyard.core.errors import DataError, RunMismatch, UsageError
from toolyard.core.types import Options
from toolyard.review.drawn_samples import draw_items
from toolyard.review.label_export import export_review, summary_json
from toolyard.review.review_folder import ReviewFolder
from toolyard.review.review_requests import RowDesk, read_row
from toolyard.review.review_rows import entries_of_samples
from toolyard.review.review_sitting import Sitting, open_review
from toolyard.review.review_subject import DataSubject, ReviewTarget
from toolyard.review.row_sections import changed_paths, linked_calls
from toolyard_command import toolyard

WEB: dict[str, list[Any]] = cases(__file__, "WEB")


def begin(tmp_path: Path, what: str = "nestools", **words: object) -> Sitting:
    return open_review(ReviewTarget(what, **words), tmp_path / "review", begin=True)  # type: ignore[arg-type]


def decide(sitting: Sitting, name: str, verdicts: dict[str, object], *, adjudicate: bool = False) -> None:
    assert isinstance(sitting.subject, DataSubject)
    with sitting.folder.writing(name, adjudicate=adjudicate) as appender:
        desk = RowDesk(sitting.subject, sitting.folder, name, appender, lambda: "now", adjudicate=adjudicate)
        for item, verdict in verdicts.items():
            body = verdict if isinstance(verdict, dict) else {"verdict": verdict}
            desk.decide({"item": item, **body})


@pytest.mark.parametrize(("name", "samples_per_row"), [("nestools", 1), ("toolbehonest", 6)])
def test_every_row_of_a_starter_set_is_found_once(name: str, samples_per_row: int) -> None:
    benchmark = load_benchmark(name)
    samples = benchmark.data.load(benchmark.data.starter, Options())
    entries = entries_of_samples(benchmark.data.starter, samples, ())
    assert len(entries) * samples_per_row == len(samples)
    assert len({(entry.file, entry.position) for entry in entries}) == len(entries)


def test_official_mtu_rows_are_found_although_ids_and_texts_repeat(shared: Path) -> None:
    path = shared / "data" / "mtu" / "benchmark"
    samples = load_benchmark("mtu").data.load(path, Options())
    entries = entries_of_samples(path, samples, ())
    assert len(entries) == len(samples)
    assert all(entry.row["id"] == entry.id.split("#")[0] for entry in entries)
    assert all(entry.row["question"] == entry.samples[0].input["question"] for entry in entries)


def test_every_finding_on_official_nestools_reaches_its_row(shared: Path) -> None:
    path, benchmark = shared / "data" / "nestools", load_benchmark("nestools")
    samples = benchmark.data.load(path, Options())
    assert benchmark.data.audit is not None
    findings = benchmark.data.audit(path, samples)
    entries = entries_of_samples(path, samples, findings)
    assert sum(len(entry.findings) for entry in entries) == len(findings)
    assert all(finding.where.split()[1] == entry.id for entry in entries for finding in entry.findings)


def test_a_nested_argument_shows_the_return_value_it_comes_from() -> None:
    tools = {"find_ferry": WEB["api"][0]}
    ferry, seats = linked_calls(WEB["call"], tools)[1]["arguments"]
    assert ferry["sources"] == [
        {"label": "API_call_0", "missing": False, "call": 0, "tool": "find_ferry", "name": "ferry_code",
         "text": "str, code of the crossing"}
    ]  # fmt: skip
    assert seats["sources"][0]["missing"]


def test_changes_name_the_place() -> None:
    before, after = {"call": [{"p": {"n": 1}}], "x": "a"}, {"call": [{"p": {"n": 1.0}}], "x": "a", "y": 2}
    assert [change["path"] for change in changed_paths(before, after)] == ["call[0].p.n", "y"]


def test_a_sample_is_drawn_by_its_seed_and_keeps_the_order() -> None:
    first = draw_items(range(1000), 500, seed=7)
    assert first == draw_items(range(1000), 500, seed=7) != draw_items(range(1000), 500, seed=8)
    assert list(first) == sorted(set(first))
    with pytest.raises(UsageError, match="cannot be drawn"):
        draw_items(range(3), 4, seed=0)


def test_a_path_finds_its_benchmark(tmp_path: Path) -> None:
    sitting = begin(tmp_path, str(load_benchmark("nestools").data.starter))
    assert isinstance(sitting.subject, DataSubject)
    assert sitting.subject.benchmark.name == "nestools"
    with pytest.raises(UsageError, match="neither a path nor a benchmark"):
        begin(tmp_path, "nowhere")
    with pytest.raises(DataError, match="no benchmark can read it"):
        begin(tmp_path, str(tmp_path))


def test_the_export_keeps_accepted_rows_byte_by_byte_and_loads_again(tmp_path: Path) -> None:
    sitting = begin(tmp_path)
    assert isinstance(sitting.subject, DataSubject)
    first, second, third = sitting.subject.entries[:3]
    row = {**second.row, "task": second.row["task"] + " Thank you."}
    edited = {"verdict": "edit", "row": json.dumps(row)}
    decide(sitting, "ada", {first.id: "accept", second.id: edited, third.id: "reject"})
    out = export_review(sitting.subject, sitting.folder, tmp_path / "out")
    lines = (out / "test_data.jsonl").read_text(encoding="utf-8").splitlines()
    assert lines[0] == (sitting.subject.path / "test_data.jsonl").read_text(encoding="utf-8").splitlines()[0]
    assert [json.loads(line)["test_id"] for line in lines] == [int(first.id), int(second.id)]
    samples = sitting.subject.benchmark.data.load(out, Options())
    assert samples[0] == first.samples[0]
    assert samples[1].input["query"].endswith(" Thank you.")
    assert (out / "pool.jsonl").read_bytes() == (sitting.subject.path / "pool.jsonl").read_bytes()
    assert len((out / "test_api_ids.jsonl").read_text().splitlines()) == 2
    card = json.loads((out / "review.json").read_text())
    assert (card["edited"], card["rejected"]) == ([second.id], [third.id])
    assert card["annotators"]["ada"] == {"accept": 1, "reject": 1, "edit": 1}


def test_a_file_of_records_is_exported_as_an_array_without_its_unreviewed_sister(tmp_path: Path) -> None:
    sitting = begin(tmp_path, "toolbehonest")
    assert isinstance(sitting.subject, DataSubject)
    chosen = [entry.id for entry in sitting.subject.entries[::10]]
    decide(sitting, "ada", dict.fromkeys(chosen, "accept"))
    out = export_review(sitting.subject, sitting.folder, tmp_path / "out")
    assert not (out / "test_zh.json").exists()
    samples = sitting.subject.benchmark.data.load(out, Options())
    assert list(dict.fromkeys(sample.cluster for sample in samples)) == chosen


def test_an_export_goes_to_an_empty_folder_outside_the_data(tmp_path: Path) -> None:
    sitting = begin(tmp_path)
    assert isinstance(sitting.subject, DataSubject)
    decide(sitting, "ada", {sitting.subject.entries[0].id: "accept"})
    with pytest.raises(UsageError, match="inside the reviewed data"):
        export_review(sitting.subject, sitting.folder, sitting.subject.path / "out")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    with pytest.raises(UsageError, match="not empty"):
        export_review(sitting.subject, sitting.folder, tmp_path / "full")


@each_case("text, message", besides=[("[" * 100000, "not JSON")])
def test_what_is_not_a_row_is_refused(text: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read_row(text)


def test_an_edit_that_cannot_be_loaded_is_refused_and_any_other_audited_again(tmp_path: Path) -> None:
    sitting = begin(tmp_path)
    assert isinstance(sitting.subject, DataSubject)
    entry = sitting.subject.entries[0]
    broken = json.dumps({**entry.row, "call": []})
    with pytest.raises(DataError, match="field call: wanted at least one call"):
        decide(sitting, "ada", {entry.id: {"verdict": "edit", "row": broken}})
    with pytest.raises(UsageError, match="nothing was changed"):
        decide(sitting, "ada", {entry.id: {"verdict": "edit", "row": json.dumps(entry.row)}})
    assert sitting.folder.decisions() == {}
    assert isinstance(sitting.subject, DataSubject)
    calls = [*entry.row["call"][:-1], {**entry.row["call"][-1], "parameters": {"slot_code": "API_call_99"}}]
    text = json.dumps({**entry.row, "call": calls})
    decide(sitting, "ada", {entry.id: {"verdict": "edit", "row": text}})
    with sitting.folder.writing("ada", adjudicate=False) as appender:
        shown = RowDesk(sitting.subject, sitting.folder, "ada", appender, lambda: "now").item(entry.id)
    assert any("API_call_99" in finding["what"] for finding in shown["findings"])


def test_a_turn_is_edited_among_the_turns_of_its_dialogue(tmp_path: Path) -> None:
    sitting = begin(tmp_path, "mtu")
    assert isinstance(sitting.subject, DataSubject)
    entry = next(
        each
        for each in sitting.subject.entries
        if len(sitting.subject.neighbours(each)) > 2 and each.position
    )
    text = json.dumps({**entry.row, "answer": {"NoSuchTool": {}}})
    decide(sitting, "ada", {entry.id: {"verdict": "edit", "row": text}})
    with sitting.folder.writing("ada", adjudicate=False) as appender:
        shown = RowDesk(sitting.subject, sitting.folder, "ada", appender, lambda: "now").item(entry.id)
    assert [change["path"] for change in shown["decision"]["changes"]]
    assert any("NoSuchTool" in finding["what"] for finding in shown["findings"])


def test_a_torn_line_is_dropped_and_the_rest_kept(tmp_path: Path) -> None:
    sitting = begin(tmp_path)
    assert isinstance(sitting.subject, DataSubject)
    names = [entry.id for entry in sitting.subject.entries[:2]]
    decide(sitting, "ada", dict.fromkeys(names, "accept"))
    file = sitting.folder.path / "decisions" / "ada.jsonl"
    file.write_bytes(file.read_bytes()[:-9])
    assert [line["item"] for line in sitting.folder.decisions()["ada"]] == names[:1]
    decide(sitting, "ada", {names[1]: "reject"})
    assert [line["verdict"] for line in sitting.folder.decisions()["ada"]] == ["accept", "reject"]


def test_an_annotator_never_sees_what_others_decided_and_is_no_adjudicator(tmp_path: Path) -> None:
    sitting = begin(tmp_path)
    assert isinstance(sitting.subject, DataSubject)
    name = sitting.subject.entries[0].id
    decide(sitting, "ada", {name: {"verdict": "reject", "note": "secretremark"}})
    with sitting.folder.writing("ben", adjudicate=False) as appender:
        desk = RowDesk(sitting.subject, sitting.folder, "ben", appender, lambda: "now")
        shown = json.dumps([desk.overview(), desk.item(name)])
    assert "secretremark" not in shown
    assert '"ada"' not in shown
    assert isinstance(sitting.subject, DataSubject)
    decide(sitting, "ada", {sitting.subject.entries[0].id: "accept"})
    with pytest.raises(UsageError, match="nobody may be both"):
        decide(sitting, "ada", {}, adjudicate=True)


def test_the_adjudicator_sees_disputes_only_and_has_the_last_word(tmp_path: Path) -> None:
    sitting = begin(tmp_path)
    assert isinstance(sitting.subject, DataSubject)
    first, second = (entry.id for entry in sitting.subject.entries[:2])
    decide(sitting, "ada", {first: "accept", second: "accept"})
    decide(sitting, "ben", {first: "accept", second: {"verdict": "reject", "note": "wrong city"}})
    with sitting.folder.writing("grace", adjudicate=True) as appender:
        desk = RowDesk(sitting.subject, sitting.folder, "grace", appender, lambda: "now", adjudicate=True)
        assert [line["id"] for line in desk.overview()["items"]] == [second]
        assert [other["note"] for other in desk.item(second)["others"]] == ["", "wrong city"]
        desk.decide({"item": second, "verdict": "reject"})
    found = summary_json(sitting.subject, sitting.folder)
    assert (found["counts"]["accepted"], found["counts"]["rejected"], found["adjudicated"]) == (1, 1, 1)
    assert found["agreement"]["raw"] == 0.5


def test_a_folder_holds_one_review_and_a_name_one_page(tmp_path: Path) -> None:
    begin(tmp_path)
    with pytest.raises(RunMismatch, match="sample, seed differ"):
        begin(tmp_path, sample=3)
    folder = ReviewFolder(tmp_path / "review")
    with (
        folder.writing("ada", adjudicate=False),
        pytest.raises(RunMismatch, match="already reviewing"),
        folder.writing("ada", adjudicate=False),
    ):
        pass


def entries_of_review(sitting: Sitting) -> list[str]:
    assert isinstance(sitting.subject, DataSubject)
    return [entry.id for entry in sitting.subject.entries]


def test_who_continues_need_not_repeat_the_sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    begun = open_review(ReviewTarget("nestools", sample=3, seed=5), None, begin=True)
    decide(begun, "ada", dict.fromkeys(entries_of_review(begun), "accept"))
    again = open_review(ReviewTarget("nestools"), None, begin=False)
    assert again.folder.path == begun.folder.path
    assert entries_of_review(again) == entries_of_review(begun)
    assert summary_json(again.subject, again.folder)["counts"]["accepted"] == 3


def test_a_named_folder_knows_its_own_sample_for_whoever_joins(tmp_path: Path) -> None:
    begun = begin(tmp_path, sample=4, seed=2)
    again = open_review(ReviewTarget("nestools"), tmp_path / "review", begin=False)
    assert entries_of_review(again) == entries_of_review(begun)
    with pytest.raises(RunMismatch, match="sample differ"):
        open_review(ReviewTarget("nestools", sample=3, seed=2), tmp_path / "review", begin=False)
    assert entries_of_review(begin(tmp_path)) == entries_of_review(begun)
    (tmp_path / "review" / "review.json").write_text('{"sample": "many", "seed": 2}')
    with pytest.raises(DataError, match="names no sample that can be drawn"):
        begin(tmp_path)


def test_a_summary_needs_no_sample_even_with_a_name(tmp_path: Path) -> None:
    begun = open_review(ReviewTarget("nestools", sample=3, seed=5), tmp_path / "reviews" / "r", begin=True)
    decide(begun, "ada", dict.fromkeys(entries_of_review(begun), "accept"))
    done = toolyard("review", "nestools", "--json", "--annotator", "ada", cwd=tmp_path)
    assert json.loads(done.stdout)["counts"]["accepted"] == 3
    assert [path.name for path in (tmp_path / "reviews").iterdir()] == ["r"]


@each_case("line")
def test_a_line_that_is_no_decision_is_named(tmp_path: Path, line: str) -> None:
    sitting = begin(tmp_path)
    decide(sitting, "ada", {entries_of_review(sitting)[0]: "accept"})
    with (sitting.folder.path / "decisions" / "ada.jsonl").open("a") as file:
        file.write(line + "\n")
    with pytest.raises(DataError, match=r"ada\.jsonl, line 2 is not a decision; remove that line"):
        sitting.folder.decisions()


def test_samples_are_told_apart_by_their_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match="there is no review in reviews/nestools_"):
        open_review(ReviewTarget("nestools"), None, begin=False)
    for size in (3, 4):
        open_review(ReviewTarget("nestools", sample=size), None, begin=True)
    with pytest.raises(UsageError, match=r"several reviews of this: .*\(sample 4\).*choose one with --out"):
        open_review(ReviewTarget("nestools"), None, begin=False)
    with pytest.raises(UsageError, match="there is no review"):
        open_review(ReviewTarget("toolbehonest"), None, begin=False)
    whole = open_review(ReviewTarget("nestools"), None, begin=True)
    assert open_review(ReviewTarget("nestools"), None, begin=False).folder.path == whole.folder.path


def test_a_review_remembers_what_was_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    first, second = make_runs(tmp_path / "runs", "scripted/oracle", "scripted/random")
    words = {"what": str(first), "second": str(second)}
    base_settings = ReviewTarget(**words, sample=2, seed=9, dimensions=("intent", "quality"))
    begun = open_review(base_settings, None, begin=True)
    again = open_review(ReviewTarget(**words), None, begin=False)
    assert again.subject == begun.subject
    assert summary_json(again.subject, again.folder)["dimensions"].keys() == {"intent", "quality"}
