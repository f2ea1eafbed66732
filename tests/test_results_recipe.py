"""docs/results.md out of packed answers: models by figures, paired differences, ranks, what a style moved."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from toolyard.core.errors import DataError
from toolyard.run.api import evaluate

RECIPES = Path(__file__).parents[1] / "recipes"


def test_the_page_is_rebuilt_from_packed_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(RECIPES))
    import results

    runs, stored, nothing = tmp_path / "runs", tmp_path / "answers", tmp_path / "nothing"
    folders = [
        evaluate("nestools", model, style=style, limit=6, runs=runs).folder
        for model, style in (("scripted/oracle", "default"), ("scripted/random", "default"), ("scripted/random", "native"))
    ]  # fmt: skip
    several = evaluate("nestools", "scripted/random", limit=6, trials=2, temperature=0.7, runs=runs).folder
    results.pack([*folders, several], nothing, stored)
    page, readme = tmp_path / "results.md", tmp_path / "README.md"
    readme.write_text("before\n<!-- results:start -->\nold\n<!-- results:end -->\nafter\n")
    results.rebuild(stored, tmp_path / "work", nothing, page, readme, jobs=1)
    text = page.read_text()
    for title in (
        "Models by figures", "Trials with sampling", "Paired differences", "What style and serving moved",
        "Smallest detectable",
    ):  # fmt: skip
        assert f"### {title}" in text
    assert "| scripted/oracle | default | 6 | 100.0" in text
    assert "old" not in readme.read_text() and "| scripted/oracle |" in readme.read_text()
    marks = {path: path.stat().st_mtime_ns for path in tmp_path.glob("work/*/scores.jsonl")}
    results.pack(folders[:1], nothing, stored)
    assert len(list(stored.glob("*.xz"))) == 4, "the same run again takes the place of the first"
    results.rebuild(stored, tmp_path / "work", nothing, page, readme, jobs=1)
    assert page.read_text() == text
    assert {path: path.stat().st_mtime_ns for path in marks} == marks, "what was scored is not scored again"
    next(stored.glob("*.xz")).write_bytes(b"changed")
    with pytest.raises(SystemExit, match="is not what"):
        results.unpack(stored, tmp_path / "third", nothing, 1)


def test_a_learning_curve_is_read_off_the_names_of_models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(RECIPES))
    from results_tables import TRAINED_ON

    found = TRAINED_ON.search("openai/smollm2-tuned-2000rows?base_url=http://127.0.0.1:8001/v1")
    assert found is not None and found.groups() == ("2000", "")
    assert TRAINED_ON.search("hf/smollm2-tuned-8k-rows").groups() == ("8", "k")  # type: ignore[union-attr]
    assert TRAINED_ON.search("openai/qwen2.5-coder-1.5b") is None
    other = TRAINED_ON.search("openai/qwen2.5-coder-1.5b-tuned-6859rows")
    assert other is None, "another model is a line of its own, not a point of the curve"


def test_a_run_that_was_stopped_is_kept_where_every_sample_has_its_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(RECIPES))
    import results

    folder = evaluate("nestools", "scripted/oracle", limit=3, runs=tmp_path).folder
    manifest = folder / "manifest.json"
    manifest.write_bytes(orjson.dumps({**orjson.loads(manifest.read_bytes()), "finished": None}))
    assert results.packed_run(folder, tmp_path), "the answers are all there"
    transcripts = folder / "transcripts.jsonl"
    transcripts.write_bytes(b"".join(transcripts.read_bytes().splitlines(keepends=True)[:2]))
    with pytest.raises(DataError, match="is not finished"):
        results.packed_run(folder, tmp_path)
