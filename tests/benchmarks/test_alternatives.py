"""What else is right, by data rows and by errata: `paper` takes it, `official` never does."""

import json
from pathlib import Path
from typing import Any

import pytest

from cases import cases, each_case
from toolyard.benchmarks import load_benchmark
from toolyard.benchmarks.alternatives import read_alternatives
from toolyard.benchmarks.errata import apply_errata, read_errata, row_digest
from toolyard.core.benchmark import RunSetup
from toolyard.core.errors import DataError
from toolyard.core.types import Options, Profile, Sample, Score, Transcript
from toolyard.run.grade.grading import grade

TOOL = cases(__file__, "TOOL")
BOOK = cases(__file__, "book")
RESERVE = {**BOOK, "api_name": "reserve", "parameters": {"crossing": {"type": "str", "description": "code"}}}
LIGHT = {"api_name": "light", "api_description": "Light.", "parameters": {}, "required": [], "responses": {}}
GIVEN = cases(__file__, "alternative_row")
ROW, ENTRIES = {"api": [TOOL, BOOK, RESERVE, LIGHT], **GIVEN["row"]}, GIVEN["entries"]


def nestools_sample(folder: Path, entries: Any) -> Sample:
    path = folder / "test_data.jsonl"
    path.write_text(json.dumps({**ROW, "alternatives": entries}) + "\n", encoding="utf-8")
    return load_benchmark("nestools").data.load(path, Options())[0]


def scored(name: str, sample: Sample, text: str, profile: Profile = "paper") -> Score:
    setup = RunSetup.default(load_benchmark(name))
    return grade(setup, sample, Transcript.answered(sample.id, text), {}, profile).score


def called(name: str, number: int, parameters: dict[str, Any], **responses: str) -> dict[str, Any]:
    return {"api_name": name, "api_id": number, "parameters": parameters, "responses": responses}


def answer(
    season: Any = "fall", limit: int | None = None, tool: str = "book", *, light_first: bool = False
) -> str:
    parameters = {"origin": "Turku"} | ({"season": season} if season else {})
    parameters |= {"limit": limit} if limit is not None else {}
    taken = {"book": "code", "reserve": "crossing"}[tool]
    find = called("find_ferry", 0, parameters, code="API_call_0")
    book = called(tool, 1 if tool == "book" else 2, {taken: "API_call_0"}, receipt="API_call_1")
    light = called("light", 3, {})
    return json.dumps([light, find, book] if light_first else [find, book, light])


@pytest.mark.parametrize(
    "text",
    [
        answer("autumn"),
        answer("fall"),
        answer(None),
        answer("fall", 10),
        answer("autumn", tool="reserve"),
        answer("autumn", light_first=True),
    ],
)
def test_nestools_paper_takes_what_the_row_accepts(tmp_path: Path, text: str) -> None:
    found = scored("nestools", nestools_sample(tmp_path, ENTRIES), text)
    assert found.values["tree"] == 1.0, found.reasons


@pytest.mark.parametrize("text", [answer("winter"), answer("fall", 11), answer("autumn", 10)])
def test_nestools_paper_takes_no_other_value(tmp_path: Path, text: str) -> None:
    entries = ENTRIES if "autumn" not in text else ENTRIES[:1]
    assert scored("nestools", nestools_sample(tmp_path, entries), text).values["tree"] == 0.0


def test_nestools_official_never_looks(tmp_path: Path) -> None:
    with_entries, without = nestools_sample(tmp_path, ENTRIES), nestools_sample(tmp_path, [])
    for text in (answer("fall"), answer(None), answer("fall", 10), answer("autumn", tool="reserve")):
        first = scored("nestools", with_entries, text, "official")
        assert first.counts == scored("nestools", without, text, "official").counts
        assert first.values["tree"] == 0.0


MTU_ROW = cases(__file__, "MTU_ROW")


def test_mtu_paper_takes_what_the_row_accepts_and_official_never_looks(tmp_path: Path) -> None:
    path = tmp_path / "S-M_eval.jsonl"
    path.write_text(json.dumps(MTU_ROW) + "\n", encoding="utf-8")
    sample = load_benchmark("mtu").data.load(path, Options())[0]
    rain = 'Action: rain\nAction Input: {"place": "find.town"}'
    right = (
        'Action: find\nAction Input: {"town": "Namen"}\n' + rain,
        'Action: find\nAction Input: {"town": "Namur", "limit": 3}\n' + rain,
        'Action: rain\nAction Input: {"place": "Namur"}',
    )
    wrong = (
        'Action: find\nAction Input: {"town": "Mons"}\n' + rain,
        'Action: rain\nAction Input: {"place": "Mons"}',
    )
    assert [scored("mtu", sample, text).values["right"] for text in right] == [1.0] * 3
    assert [scored("mtu", sample, text).values["right"] for text in wrong] == [0.0] * 2
    assert [scored("mtu", sample, text, "official").values["right"] for text in right] == [0.0] * 3


PAIR = cases(__file__, "PAIR")


def test_toolbehonest_paper_takes_the_other_plan_and_official_never_looks(tmp_path: Path) -> None:
    path = tmp_path / "test_en.json"
    path.write_text(json.dumps([PAIR]), encoding="utf-8")
    samples = {sample.id: sample for sample in load_benchmark("toolbehonest").data.load(path, Options())}
    sample = samples["single_step/3/solvable/2"]
    text = "<answer>Station\nFinish</answer>"
    assert scored("toolbehonest", sample, text).values["solvable_l2_pr"] == 1.0
    assert scored("toolbehonest", sample, text, "official").values["solvable_l2_pr"] == 0.0


@each_case("entries, said")
def test_an_entry_of_another_form_is_one_clear_line(entries: Any, said: str) -> None:
    with pytest.raises(DataError, match=said):
        read_alternatives(entries, 3, "test_data.jsonl, line 1")


YES = Options(values={"errata": "yes"})


@pytest.mark.parametrize("name", ["nestools", "mtu"])
def test_every_erratum_is_about_an_official_row_and_says_why(name: str, shared: Path) -> None:
    benchmark = load_benchmark(name)
    found = benchmark.data.load(shared / "data" / name, YES)
    corrected = {sample.id for sample in found if sample.gold.get("alternatives")}
    errata = read_errata(benchmark.data.starter.parent)
    assert {erratum.id for erratum in errata} == corrected
    assert all(erratum.reason and erratum.alternatives for erratum in errata)
    plain = benchmark.data.load(shared / "data" / name, Options())
    assert not any(sample.gold.get("alternatives") for sample in plain)


def test_paper_takes_an_erratum_and_official_does_not(shared: Path) -> None:
    benchmark = load_benchmark("mtu")
    setup = RunSetup.default(benchmark)
    answer = "Thought: None of these tools finds flights, so I cannot help with that."
    for options, right in ((Options(), 0.0), (YES, 1.0)):
        samples = benchmark.data.load(shared / "data" / "mtu" / "benchmark" / "S-S_eval.jsonl", options)
        sample = next(sample for sample in samples if sample.id == "S-S_25")
        transcript = Transcript.answered(sample.id, answer)
        assert grade(setup, sample, transcript, {}, "paper").score.values["right"] == right
        assert grade(setup, sample, transcript, {}, "official").score.values["right"] == 0.0
        assert grade(setup, sample, transcript, {}, "paper").score.values["outcome"] == (right or None)


def test_errata_meet_no_other_row_of_the_same_id() -> None:
    benchmark = load_benchmark("nestools")
    with pytest.raises(DataError, match="no erratum is about these rows"):
        benchmark.data.load(benchmark.data.starter, YES)


def test_words_of_the_row_stand_in_by_their_place(tmp_path: Path) -> None:
    sample = Sample("1", {"query": "Paint it in the fall, please."}, {"calls": [{"parameters": {}}]})
    line = (
        '{"id": "1", "digest": "%s", "reason": "r", "alternatives": '
        '[{"call": 0, "parameter": "season", "said": [4, 1]}]}'
    )
    (tmp_path / "errata.jsonl").write_text(line % row_digest(sample.input["query"]), encoding="utf-8")
    (found,) = apply_errata((sample,), YES, tmp_path, lambda each: str(each.input["query"]))
    assert found.gold["alternatives"] == [{"call": 0, "parameter": "season", "values": ["fall"]}]
