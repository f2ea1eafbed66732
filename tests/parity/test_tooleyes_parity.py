"""Trajectory by trajectory, what the official functions give for the same judge replies."""

from pathlib import Path

import pytest

from json_files import read_json
from toolyard.run.grade.scoring import score_settings
from toolyard.run.settings import ScoreSettings


def scored(shared: Path, profile: str) -> dict[str, dict[str, float | None]]:
    folder = shared / "parity" / "tooleyes"
    base_settings = ScoreSettings(
        what="tooleyes",
        data=str(shared / "data" / "tooleyes"),
        predictions=folder / "trajectories.jsonl",
        evidence=folder / "evidence.jsonl",
        profile=profile,
    )
    return {item.sample.id: dict(item.score.values) for item in score_settings(base_settings).graded}


def test_every_trajectory_scores_as_the_official_functions_do(shared: Path) -> None:
    expected = read_json(shared / "parity" / "tooleyes" / "expected.json")
    found = scored(shared, "official")
    assert set(found) == set(expected)
    for name, figures in expected.items():
        for figure, value in figures.items():
            assert found[name][figure] == pytest.approx(value, abs=1e-9), (name, figure)


def test_the_paper_profile_differs_where_the_readme_says_so(shared: Path) -> None:
    found = scored(shared, "paper")
    assert found["finish_only"]["tool_selection"] == pytest.approx(1.0)
    assert found["tool_then_parameter"]["tool_reality"] == pytest.approx(1 / 3)
    assert found["tool_then_parameter"]["tool_selection"] == pytest.approx(1 / 3)
    assert found["json_true"]["format_alignment"] == 1.0
    assert found["forced_after_good"]["format_alignment"] == 1.0
    assert found["forced_after_good"]["answer_pass"] == 0.0
    assert found["forced_after_good"]["answer_organization"] == 0.0
    assert found["forced_after_good"]["answer_quality"] is None


def test_official_data_have_the_papers_counts_and_prompts(shared: Path) -> None:
    from toolyard.benchmarks.tooleyes import BENCHMARK
    from toolyard.benchmarks.tooleyes.data.statistics import PRINTED, scenario_table
    from toolyard.core.types import Options

    samples = BENCHMARK.data.load(shared / "data" / "tooleyes", Options("zero-shot"))
    rows = {row[0]: row[1:] for row in scenario_table(samples).rows}
    assert len({sample.id for sample in samples}) == 382
    assert len({sample.input["official_id"] for sample in samples}) == 380
    for name in ("categories", "subcategories", "queries"):
        assert rows[name] == PRINTED[name]
    # The paper prints 164 tools for AM, its documents hold 30.
    assert rows["tools"] == (27, 26, 75, 164, 150, 30, 96, 568)
    samples = BENCHMARK.data.load(shared / "data" / "tooleyes", Options("verbatim"))
    rows = read_json(shared / "data/tooleyes/Test_Data/scenario_data_five_processed.json")
    for sample, row in zip(samples, rows, strict=True):
        system, user = BENCHMARK.task.prompt(sample, Options("verbatim-five-shot"))
        assert system.content == row["conversations"][0]["value"]
        assert user.content == row["conversations"][1]["value"].strip()
