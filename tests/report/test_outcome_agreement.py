"""The sheet for readers of real answers, and their labels beside the figures."""

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

from toolyard.benchmarks.mtu import BENCHMARK
from toolyard.core.types import Options

RECIPE = Path(__file__).parents[2] / "recipes" / "outcome_agreement.py"


@pytest.fixture
def recipe(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    found = importlib.util.spec_from_file_location("outcome_agreement", RECIPE)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    found.loader.exec_module(module)
    return module


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
    recipe: ModuleType, predictions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = tmp_path / "sheet.jsonl"
    recipe.main(["export", "mtu", str(predictions), "--number", "2", "--seed", "5", "--out", str(sheet)])
    rows = [json.loads(line) for line in sheet.read_text(encoding="utf-8").splitlines()]
    assert [sorted(row) for row in rows] == [["answer", "asked", "benchmark", "id", "tools", "wanted"]] * 2
    labels = tmp_path / "labels.jsonl"
    said = [{"id": row["id"], "label": "right", "why": "looks right"} for row in rows]
    labels.write_text("\n".join(map(json.dumps, said)), encoding="utf-8")
    recipe.main(["compare", str(tmp_path / "sheet.key.jsonl"), str(labels), "--answers", str(predictions)])
    printed = capsys.readouterr().out
    assert "| outcome | 1 | 2 | 50.0% | 0.000 | 1 | 0 | 1 | 0 |" in printed
    assert "the reader says right: looks right" in printed


def test_unknown_label_is_refused_in_one_line(recipe: ModuleType, predictions: Path, tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.jsonl"
    recipe.main(["export", "mtu", str(predictions), "--number", "1", "--out", str(sheet), "--hide-gold"])
    assert "wanted" not in json.loads(sheet.read_text(encoding="utf-8"))
    labels = tmp_path / "labels.jsonl"
    labels.write_text('{"id": "mtu-001", "label": "fine"}', encoding="utf-8")
    with pytest.raises(SystemExit, match=r"right\|wrong\|unsure"):
        recipe.main(
            ["compare", str(tmp_path / "sheet.key.jsonl"), str(labels), "--answers", str(predictions)]
        )
