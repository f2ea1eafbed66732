"""Saved predictions to figures: what a model wrote never stops the printing."""

from __future__ import annotations

import json
from pathlib import Path

import orjson

from toolyard.run.scoring import ScoreWish, score_wish


def test_scores_of_answers_with_lone_surrogates_can_be_written(tmp_path: Path) -> None:
    call = 'Action: F\ud83d\nAction Input: {"a\ud83d": "\ud83d"}'
    rows = [{"id": f"S-S_{number}", "response": call} for number in range(14)]
    (tmp_path / "S-S.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    wish = ScoreWish("mtu", predictions=tmp_path, profile="official")
    written = orjson.loads(orjson.dumps(score_wish(wish).to_json(per_sample=True)))
    assert written["scores"][0]["graded"]["called"][0]["name"] == "F\\ud83d"
