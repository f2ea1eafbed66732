"""The official profile gives the released scorer's figures; deviations and known defects are as stated."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import mtu_gpt4
import pytest

from cases import cases
from graded_answers import grade
from json_files import read_json
from toolyard.benchmarks.mtu import BENCHMARK
from toolyard.core.benchmark import RunSetup
from toolyard.core.types import Options, Profile, Sample, Transcript
from toolyard.run.play.offline import play_offline
from toolyard.stats.summary import Graded, Summary, summarise

SETS = ("perfect", "wrong_tool_10", "wrong_value_15", "dropped_call_20", "unparsable_5")
FIGURES = cases(__file__, "FIGURES")
SIZE = re.compile(r"GPT-4 (\S+) (\d\.\d{4}) paper, (\d\.\d{4}) official")


@pytest.fixture(scope="module")
def samples(shared: Path) -> tuple[Sample, ...]:
    return BENCHMARK.data.load(shared / "data" / "mtu", Options())


@pytest.fixture(scope="module")
def gpt4(
    shared: Path, samples: tuple[Sample, ...], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Transcript, ...]:
    """GPT-4's released answers, the two mislabelled ones put right as the recipe does."""
    folder = mtu_gpt4.relabelled(shared / "data" / "mtu", tmp_path_factory.mktemp("responses"))
    return BENCHMARK.scoring.read_predictions(folder, samples)


def summary_of(samples: tuple[Sample, ...], answers: tuple[Transcript, ...], profile: Profile) -> Summary:
    by_id = {sample.id: sample for sample in samples}
    graded = [
        Graded(sample, answer, grade(BENCHMARK, sample, answer, profile))
        for answer in answers
        if answer.error is None and (sample := by_id[answer.sample])
    ]
    return summarise(BENCHMARK, graded, profile)


def assert_equal(summary: Summary, expected: dict[str, dict[str, Any]]) -> None:
    for setting, figures in expected.items():
        for short, percent in figures.items():
            value = summary.groups["setting"][setting][FIGURES[short]].value
            assert value == pytest.approx(percent / 100, abs=1e-8), (setting, short)


@pytest.mark.parametrize("name", SETS)
def test_the_figures_of_a_perturbed_set_are_the_released_scorers(
    shared: Path, samples: tuple[Sample, ...], name: str
) -> None:
    expected = read_json(shared / "parity" / "mtu" / "expected.json")["sets"][name]
    answers = BENCHMARK.scoring.read_predictions(shared / "parity" / "mtu" / name, samples)
    summary = summary_of(samples, answers, "official")
    assert set(summary.groups["setting"]) == set(expected)
    assert_equal(summary, expected)


def test_every_set_that_lies_there_is_tested(shared: Path) -> None:
    assert set(read_json(shared / "parity" / "mtu" / "expected.json")["sets"]) == set(SETS)


def test_the_figures_of_gpt4_are_the_released_scorers(
    shared: Path, samples: tuple[Sample, ...], gpt4: tuple[Transcript, ...]
) -> None:
    figures = read_json(shared / "parity" / "mtu" / "gpt4_figures.json")
    summary = summary_of(samples, gpt4, "official")
    assert_equal(summary, figures["A_all_rows_patched_P1_P5_raw"])
    hard = summary.groups["setting_difficulty"]
    assert round(100 * (hard["S-S hard"]["average"].value or 0), 2) == figures["paper"]["hard"]["S-S"]["Avg"]
    assert round(100 * (hard["S-M hard"]["average"].value or 0), 2) == figures["paper"]["hard"]["S-M"]["Avg"]


def test_without_relabelling_two_rows_are_missing(shared: Path, samples: tuple[Sample, ...]) -> None:
    answers = BENCHMARK.scoring.read_predictions(shared / "data" / "mtu" / "responses", samples)
    missing = [answer.sample for answer in answers if answer.error is not None]
    assert missing == ["S-M_24", "S-M_31"]
    summary = summary_of(samples, answers, "official")
    assert summary.samples == 935
    assert summary.groups["setting"]["S-M"]["tool_number"].value == pytest.approx(0.630758, abs=1e-6)


def test_an_unreadable_action_input_counted_as_wrong_gives_the_papers_figures(
    shared: Path, samples: tuple[Sample, ...], tmp_path: Path
) -> None:
    figures = read_json(shared / "parity" / "mtu" / "gpt4_figures.json")
    expected = figures["D_M-S_parse_failures_of_7_no-call_rows_counted_wrong"]
    turns = mtu_gpt4.scored(samples, mtu_gpt4.relabelled(shared / "data" / "mtu", tmp_path))
    found = mtu_gpt4.figures(mtu_gpt4.unread_counted_wrong(turns), "M-S")
    assert {short: round(found[FIGURES[short]], 2) for short in expected} == expected


def test_all_blocks_are_printed(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mtu_gpt4.main(shared / "data" / "mtu")
    printed = capsys.readouterr().out
    assert printed.count("\n  difference") == 8
    assert "S-M  TN 62.5494  TO 65.0294  Avg 63.7894" in printed


def test_deviations_are_as_large_as_stated(samples: tuple[Sample, ...], gpt4: tuple[Transcript, ...]) -> None:
    paper, official = (summary_of(samples, gpt4, profile) for profile in ("paper", "official"))
    measured = 0
    for deviation in BENCHMARK.deviations:
        match = SIZE.match(deviation.size)
        if match is None:
            continue
        measured += 1
        setting, first, second = match.groups()
        for summary, stated in ((paper, first), (official, second)):
            value = summary.groups["setting"][setting][deviation.figure].value
            assert value is not None
            assert f"{value:.4f}" == stated, (deviation.figure, setting, summary.profile)
    assert measured == 6


def test_error_classes_are_near_table_16(samples: tuple[Sample, ...], gpt4: tuple[Transcript, ...]) -> None:
    errors = summary_of(samples, gpt4, "official").errors
    assert errors["S-M"] == {"missed": 8, "excessive": 5, "incorrect": 4, "parameter": 37, "format": 0}
    assert errors["M-M"] == {"missed": 17, "excessive": 27, "incorrect": 5, "parameter": 43, "format": 0}
    assert errors["S-S"] == {"missed": 8, "excessive": 0, "incorrect": 4, "parameter": 32, "format": 0}
    assert errors["M-S"] == {"missed": 18, "excessive": 28, "incorrect": 4, "parameter": 82, "format": 4}


def test_the_audit_lists_the_known_defects(shared: Path, samples: tuple[Sample, ...]) -> None:
    assert BENCHMARK.data.audit is not None
    findings = BENCHMARK.data.audit(shared / "data" / "mtu", samples)
    not_listed = [finding.where for finding in findings if "is not in the tool list" in finding.what]
    numbers = (17, 23, 25, 75, 79, 90, 92, 94, 98)
    assert not_listed[:12] == [*(f"S-S_{number}" for number in numbers), "M-S_18_2", "M-M_27_2", "M-M_44_3"]
    assert Counter(where.split("_")[0] for where in not_listed[12:]) == {"OOD": 7}
    repeated = [finding.where for finding in findings if finding.what.startswith("the id stands at")]
    assert repeated[:3] == ["M-M_19_0", "M-M_19_1", "M-M_19_2"]
    unreadable = [finding.where for finding in findings if finding.kind == "official_unreadable"]
    assert unreadable == ["M-S_17_3"]
    assert any(finding.where == "S-S_17" and "no tool document" in finding.what for finding in findings)
    assert any("stands nowhere" in finding.what for finding in findings)


def readme() -> str:
    return (BENCHMARK.data.starter.parent / "README.md").read_text("utf-8")


@pytest.mark.parametrize("name", ["no-call", "random", "first-tool", "copy-query"])
def test_the_readmes_averages_of_trivial_answers_hold(samples: tuple[Sample, ...], name: str) -> None:
    played = play_offline(RunSetup.default(BENCHMARK), samples, BENCHMARK.checks.baselines[name])
    found = summary_of(samples, tuple(played), "paper")
    cells = [found.groups["setting"][key]["average"].value for key in ("S-S", "S-M", "M-S", "M-M", "OOD")]
    told = " | ".join(f"{value:.3f}" for value in [*cells, found.figures["average"].value])
    assert re.search(rf"^\| [\w, -]*{name}[\w, -]* \| {re.escape(told)} \|$", readme(), re.M), told


def test_the_readme_counts_remarks_on_official_files(shared: Path, samples: tuple[Sample, ...]) -> None:
    assert BENCHMARK.data.audit is not None
    findings = BENCHMARK.data.audit(shared / "data" / "mtu", samples)
    text = " ".join(readme().split())
    kinds = {
        "gold tools that are not in the tool list": "is not in the tool list",
        "repeated ids": "the id stands at",
        "values that stand nowhere": "stands nowhere",
        "turns for which the next turn's history records": "the next turn's history records",
    }
    told = {words: sum(part in finding.what for finding in findings) for words, part in kinds.items()}
    assert f"lists {len(findings)} remarks" in text, len(findings)
    assert all(f"{count} {words}" in text for words, count in told.items()), told


def test_the_readmes_outcome_of_gpt4_holds(samples: tuple[Sample, ...], gpt4: tuple[Transcript, ...]) -> None:
    found = summary_of(samples, gpt4, "paper").figures
    shown = {
        name: f"{found[name].value:.3f}"
        for name in ("outcome", "outcome_call", "outcome_no_call", "turn_success")
    }
    told = (
        f"GPT-4's released answers: {shown['outcome']} ({shown['outcome_call']} of the turns with a call, "
        f"{shown['outcome_no_call']} of those without), `turn_success` {shown['turn_success']}"
    )
    assert told in " ".join(readme().split()), told
