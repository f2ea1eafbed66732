"""Official files, saved trajectories, judge replies, published rows, analysis."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from scipy.stats import f as f_distribution

from cases import cases, each_case
from tooleyes_harbour import DOCUMENTS, HARBOUR, call, finish, replies, saved
from toolyard.benchmarks.tooleyes import BENCHMARK
from toolyard.benchmarks.tooleyes.data.sample import QueryGold
from toolyard.benchmarks.tooleyes.papers.analysis import analysis
from toolyard.benchmarks.tooleyes.papers.published import PUBLISHED
from toolyard.benchmarks.tooleyes.scoring.judge_replies import read_evidence
from toolyard.benchmarks.tooleyes.scoring.parse import parse
from toolyard.benchmarks.tooleyes.scoring.predictions import predicted_samples, read_predictions
from toolyard.benchmarks.tooleyes.scoring.score import score
from toolyard.core.benchmark import F_STATISTIC, P_VALUE, RunSetup
from toolyard.core.errors import DataError
from toolyard.core.types import Options, Profile, Sample, Transcript
from toolyard.run.grade.grading import grade_all

SETUP = RunSetup.default(BENCHMARK)

PROMPT = f"... Specifically, you have access of the following tools:\n{json.dumps(DOCUMENTS)}\n\nLet's Begin!"


def row(query: str, path: str = "Advice/Advice_slip", scenario: str = "TG") -> dict[str, Any]:
    turns = [{"from": "system", "value": PROMPT}, {"from": "user", "value": query}]
    return {
        "id": f"Turn 1: {query}",
        "conversations": turns,
        "path": f"ToolEyes/Tool_Library/{path}",
        "scenario": scenario,
    }


def official(tmp_path: Path) -> tuple[Sample, ...]:
    folder = tmp_path / "Test_Data"
    folder.mkdir()
    rows = [row("Any advice?"), row("More advice?"), row("Any advice?", "Search/WolframSearch", "RS")]
    (folder / "scenario_data_zero_processed.json").write_text(json.dumps(rows))
    return BENCHMARK.data.load(tmp_path, Options("zero-shot"))


def test_ids_are_unique_where_the_official_ones_are_not(tmp_path: Path) -> None:
    samples = official(tmp_path)
    assert [sample.id for sample in samples] == ["TG/Advice_slip/1", "TG/Advice_slip/2", "RS/WolframSearch/1"]
    assert samples[0].input["official_id"] == samples[2].input["official_id"] == "Turn 1: Any advice?"
    assert samples[0].input["system"] == {"zero-shot": PROMPT}
    assert [document["name"] for document in samples[0].input["documents"]] == [
        "find_berth", "tide", "ask_to_user", "finish",
    ]  # fmt: skip


def test_the_release_counts_the_first_trajectory_for_every_query_of_its_text(tmp_path: Path) -> None:
    samples = official(tmp_path)
    good = finish("Sleep on it.")
    bad = "Thought: hm\nAction: nonsense\nAction Input: {no object"
    answers = {"TG/Advice_slip/1": (good,), "RS/WolframSearch/1": (bad, good)}
    transcripts = [replace(saved(*texts), sample=name) for name, texts in answers.items()]

    def alignment(profile: Profile, given: list[Transcript]) -> dict[str, float | None]:
        graded = grade_all(SETUP, samples, given, {}, profile)
        return {item.sample.id: item.score.values["format_alignment"] for item in graded}

    assert alignment("paper", transcripts) == {"TG/Advice_slip/1": 1.0, "RS/WolframSearch/1": 0.5}
    assert alignment("official", transcripts) == {"TG/Advice_slip/1": 1.0, "RS/WolframSearch/1": 1.0}
    assert alignment("official", transcripts[1:]) == {"RS/WolframSearch/1": 0.5}
    (_, counted) = grade_all(SETUP, samples, transcripts, {}, "official")
    assert counted.score.sample == "RS/WolframSearch/1"
    assert counted.score.reasons[0] == "the released scorer counts TG/Advice_slip/1 here"


def test_the_raw_file_takes_its_documents_from_the_library_folder(tmp_path: Path) -> None:
    (tmp_path / "Test_Data").mkdir()
    raw = [{"query": "Any advice?", "path": "ToolEyes/Tool_Library/Advice/Advice_slip", "scenario": "TG"}]
    (tmp_path / "Test_Data" / "scenario_data_raw.json").write_text(json.dumps(raw))
    with pytest.raises(DataError, match=r"config_gpt4\.json"):
        BENCHMARK.data.load(tmp_path, Options("zero-shot"))
    config = tmp_path / "Tool_Library" / "Advice" / "Advice_slip"
    config.mkdir(parents=True)
    (config / "config_gpt4.json").write_text(json.dumps(DOCUMENTS[:1]))
    (sample,) = BENCHMARK.data.load(tmp_path, Options("zero-shot"))
    assert len(sample.input["documents"]) == 3


@pytest.mark.parametrize(
    "text", ["{", "{}", '[{"path": "x"}]', '[{"path": "a/b/c", "conversations": []}]', "[1]"]
)
def test_a_file_in_another_form_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "scenario_data_zero_processed.json").write_text(text)
    with pytest.raises(DataError, match="scenario_data_zero_processed"):
        BENCHMARK.data.load(tmp_path / "scenario_data_zero_processed.json", Options("zero-shot"))


def test_trajectories_are_aligned_by_id_and_path_and_others_stand_by_themselves(tmp_path: Path) -> None:
    samples = official(tmp_path)
    rows = [
        row("Any advice?", "Search/WolframSearch", "RS"),
        row("Any advice?"),
        {**row("New one?"), "id": "mine"},
    ]
    for number, each in enumerate(rows):
        each["conversations"].append({"from": "assistant", "value": finish(f"answer {number}")})
    path = tmp_path / "saved.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    together = predicted_samples(path, samples)
    transcripts = read_predictions(path, together)
    assert [item.sample for item in transcripts] == ["RS/WolframSearch/1", "TG/Advice_slip/1", "mine"]
    by_id = {sample.id: sample for sample in together}
    assert by_id["mine"].input["query"] == "New one?"
    answers = [parse(by_id[item.sample], item, "paper").answer for item in transcripts]
    assert answers == ["answer 0", "answer 1", "answer 2"]
    (tmp_path / "list.json").write_text(json.dumps(rows))
    assert len(read_predictions(tmp_path / "list.json", together)) == 3


@pytest.mark.parametrize("text", ["{", '{"id": 1}', '{"id": "x", "path": "a/b", "conversations": []}', "[1]"])
def test_trajectories_in_another_form_are_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "saved.jsonl").write_text(text)
    with pytest.raises(DataError, match=r"saved\.jsonl"):
        read_predictions(tmp_path / "saved.jsonl", (HARBOUR,))


def test_judge_replies_find_their_question_also_under_a_shared_id(tmp_path: Path) -> None:
    samples = official(tmp_path)
    lines = cases(__file__, "judge_replies_find_their_question_also_under_a_shared_id")
    (tmp_path / "replies.jsonl").write_text("\n".join(map(json.dumps, lines)))
    found = [
        (item.sample, item.question, item.reply)
        for item in read_evidence(tmp_path / "replies.jsonl", samples)
    ]
    assert found == [
        ("TG/Advice_slip/1", "intent", "first"),
        ("RS/WolframSearch/1", "intent", "second"),
        ("RS/WolframSearch/1", "match/3", "third"),
    ]


@each_case("line")
def test_replies_in_another_form_are_named(tmp_path: Path, line: dict[str, Any]) -> None:
    (tmp_path / "replies.jsonl").write_text(json.dumps({"id": "harbour", **line}))
    with pytest.raises(DataError, match=r"replies\.jsonl line 1"):
        read_evidence(tmp_path / "replies.jsonl", (HARBOUR,))


PRINTED = {(row.table, row.model, row.group): row.figures for row in PUBLISHED}
# How many queries the paper has of each scenario.
QUERIES = {"TG": 58, "DU": 49, "RS": 56, "PL": 70, "IR": 54, "AM": 45, "FT": 50}


@pytest.mark.parametrize("model", [row.model for row in PUBLISHED if row.table == "Table 3"])
def test_a_models_published_tables_agree_with_each_other(model: str) -> None:
    cells = {name: PRINTED["Table 2", model, name]["overall"] or 0.0 for name in QUERIES}
    weighted = sum(cells[name] * queries for name, queries in QUERIES.items()) / 382
    assert weighted == pytest.approx(PRINTED["Table 2", model, ""]["overall"], abs=0.00011)
    printed = PRINTED["Table 3", model, ""]
    statistic, p_value = printed[F_STATISTIC] or 0.0, printed[P_VALUE] or 0.0
    # F is printed with two decimals; p must lie between those of its neighbours.
    low, high = (f_distribution.sf(statistic + step, 6, 375) for step in (0.05, -0.05))
    assert low <= p_value <= high
    assert f_distribution.sf(statistic, 6, 160) > p_value


def test_published_rows_cover_the_four_tables() -> None:
    assert {published.table for published in PUBLISHED} == {"Table 2", "Table 3", "Table 4", "Table 9"}
    assert len([published for published in PUBLISHED if published.table == "Table 2"]) == 80


def test_the_analysis_has_turns_tests_and_correlations() -> None:
    items = []
    for number in range(30):
        place = number % 6
        scenario = "TG" if place < 3 else "DU"
        sample = Sample(
            f"s{number}", HARBOUR.input, None, groups={"scenario": scenario, "subcategory": "a/b"}
        )
        transcript = saved(*[call("find_berth", {"ship": str(place)})] * place, finish())
        judged = replies(place + 1, score=place + 3)
        items.append((sample, transcript, score(sample, parse(sample, transcript, "paper"), judged, "paper")))
    tables = {table.title: table for table in analysis(items, "paper")}
    turns = tables["turns per episode"].rows
    assert [turn[0] for turn in turns] == [1, 2, 3, 4, 5, 6]
    assert tables["dimensions by scenario"].rows[0][:2] == ("TG", 15)
    few = {table.title for table in analysis(items[:6], "paper")}
    assert not few & {"differences between scenarios", "correlation of dimensions"}
    assert {line[1] for line in tables["differences between scenarios"].rows} == {"Welch", "classical"}
    assert "unit: sample" in tables["correlation of dimensions"].note
    names = tables["correlation of dimensions"].columns[1:]
    matrix = {
        line[0]: dict(zip(names, line[1:], strict=True)) for line in tables["correlation of dimensions"].rows
    }
    assert matrix["intent_comprehension"]["answer_organization"] == pytest.approx(1.0)


def test_statistics_do_not_call_official_queries_our_own(tmp_path: Path) -> None:
    loaded = official(tmp_path)
    with_plan = replace(
        loaded[0],
        gold=next(
            sample.gold
            for sample in BENCHMARK.data.load(BENCHMARK.data.starter, Options("zero-shot"))
            if isinstance(sample.gold, QueryGold)
        ),
    )
    assert BENCHMARK.data.statistics is not None
    tables = BENCHMARK.data.statistics(tmp_path, (with_plan, *loaded[1:]))
    titles = [table.title for table in tables]
    assert "Queries with a plan to check against: 1 of 3" in titles
    assert not any("our own" in title for title in titles)
