"""The official profile gives the released scorer's figures on the invented parity items, hard and soft."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from toolyard.core.errors import MissingAsset
from toolyard.models.embed.embedding import load_embedder
from toolyard.run.grade.scoring import Scored, score_predictions
from toolyard.run.settings import ScoreSettings

SETS = ("oracle", "always_solvable", "truncated")
LABELS = {
    "correct": "Correct",
    "non_existent_tools": "Non-existent Tools",
    "wrong_tools": "Wrong Tools",
    "solvability_hallucination": "Solvability Hallucination",
    "wrong_unsolvable_query_index": "Wrong UnsolvableQuery Index",
    "wrong_tool_reasoning": "Wrong Tool Reasoning",
}
CONDITIONS = {
    "solvability_hallu": "solvability_hallucination",
    "wrong_unsolvable_index": "wrong_unsolvable_query_index",
    "wrong_reasoning": "wrong_tool_reasoning",
}
COLUMNS = {
    "Level 1 Exact Match": "l1_em",
    "Level 2 Progress Rate": "l2_pr",
    "Level 3 Progress Rate": "l3_pr",
    "Level 3 Matching Score": "l3_ms",
}


def score_set(shared: Path, tmp_path: Path, name: str) -> Scored:
    """One prediction set, scored as the command line does it."""
    try:
        load_embedder("minilm")
    except MissingAsset as error:
        if os.environ.get("TOOLYARD_REQUIRE_SHARED") == "1":
            pytest.fail(str(error))
        pytest.skip(str(error))
    predictions = json.loads((shared / "parity/toolbh/predictions.json").read_text())
    file = tmp_path / "predictions.json"
    file.write_text(json.dumps(predictions[name]))
    data = str(shared / "parity/toolbh/test_en.json")
    return score_predictions(ScoreSettings("toolbehonest", data=data, predictions=file), "official")


def expected_set(shared: Path, name: str) -> dict[str, Any]:
    """The released scorer's figures of one set."""
    expected: dict[str, Any] = json.loads((shared / "parity/toolbh/expected.json").read_text())["sets"][name]
    return expected


@pytest.mark.parametrize("name", SETS)
def test_every_sample_scores_as_released(shared: Path, tmp_path: Path, name: str) -> None:
    scored, expected = score_set(shared, tmp_path, name), expected_set(shared, name)
    assert len(scored.graded) == 420
    for item in scored.graded:
        groups, level = item.sample.groups, item.sample.input["level"]
        twin = "" if groups["variant"] == "unsolvable" else "solvable_"
        for mode, suffix in (("hard", ""), ("soft", "_soft")):
            place = expected[mode]["per_sample"][groups["subtask"]][groups["level"]]
            wanted = place[item.sample.gold.index][groups["variant"]]
            if level == 1:
                assert item.score.values[f"{twin}l1_em"] == wanted
                continue
            assert item.score.values[f"{twin}l{level}_pr{suffix}"] == wanted["progress_rate"]
            if not twin:
                label = CONDITIONS.get(wanted["condition"], wanted["condition"])
                assert item.score.errors[f"level_{level}{suffix}"] == {label: 1}
            if not twin and level == 3:
                found = list(item.score.graded["matching"].values())
                assert found == pytest.approx(wanted["scorers"], abs=1e-5)


@pytest.mark.parametrize("name", SETS)
def test_figures_and_error_counts_are_as_released(shared: Path, tmp_path: Path, name: str) -> None:
    summary = score_set(shared, tmp_path, name).summary.to_json()
    expected = expected_set(shared, name)
    for mode, suffix in (("hard", ""), ("soft", "_soft")):
        wanted = expected[mode]
        figures, groups = summary["figures"], summary["groups"]
        assert figures[f"overall{suffix}"] == pytest.approx(
            wanted["scenario"]["overall"]["overall"], abs=1e-5
        )
        solvable = wanted["solvable"]["overall"]
        assert figures[f"solvable_overall{suffix}"] == pytest.approx(
            solvable["overall_mean_of_3_levels"], abs=1e-12
        )
        assert groups["solvable"]["level_1"]["solvable_l1_em"] == pytest.approx(
            solvable["level_1"], abs=1e-12
        )
        for level in (2, 3):
            found = groups["solvable"][f"level_{level}"][f"solvable_l{level}_pr{suffix}"]
            assert found == pytest.approx(solvable[f"level_{level}"], abs=1e-12)
        for scenario in ("MNT", "PT", "LFT"):
            for column, figure in COLUMNS.items():
                soft = suffix if figure.endswith("_pr") else ""
                tolerance = 1e-5 if figure == "l3_ms" else 1e-12
                found = groups["scenario"][scenario][figure + soft]
                assert found == pytest.approx(wanted["scenario"][scenario][column], abs=tolerance)
        for level in (2, 3):
            counts = wanted["errors"][f"LeveL {level} / Overall"]
            found = summary["errors"][f"level_{level}{suffix}"]
            assert {LABELS[label]: count for label, count in found.items()} == counts


@pytest.mark.parametrize("name", SETS)
def test_subtasks_score_as_released(shared: Path, tmp_path: Path, name: str) -> None:
    groups = score_set(shared, tmp_path, name).summary.to_json()["groups"]["subtask"]
    for mode, suffix in (("hard", ""), ("soft", "_soft")):
        for subtask, wanted in expected_set(shared, name)[mode]["subtask"].items():
            found = groups[subtask]
            assert found["l1_em"] == pytest.approx(wanted["level_1"], abs=1e-12)
            assert found[f"l2_pr{suffix}"] == pytest.approx(wanted["level_2"], abs=1e-12)
            assert found[f"l3_pr{suffix}"] == pytest.approx(wanted["level_3"]["progress_rate"], abs=1e-12)
            assert found["l3_ms"] == pytest.approx(wanted["level_3"]["scorers"], abs=1e-5)
