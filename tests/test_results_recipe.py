"""docs/results.md out of packed answers: models by figures, paired differences, ranks, what a style moved."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolyard.run.api import evaluate

RECIPES = Path(__file__).parents[1] / "recipes"


def test_the_page_is_rebuilt_from_packed_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(RECIPES))
    import results

    monkeypatch.setattr(results, "ANSWERS", tmp_path / "answers")
    monkeypatch.setattr(results, "INDEX", tmp_path / "answers" / "index.json")
    runs = tmp_path / "runs"
    folders = [
        evaluate("nestools", model, style=style, limit=6, runs=runs).folder
        for model, style in (("scripted/oracle", "default"), ("scripted/random", "default"), ("scripted/random", "native"))
    ]  # fmt: skip
    results.pack(folders)
    page, readme = tmp_path / "results.md", tmp_path / "README.md"
    readme.write_text("before\n<!-- results:start -->\nold\n<!-- results:end -->\nafter\n")
    results.rebuild(tmp_path / "again", tmp_path / "nothing", page, readme)
    text = page.read_text()
    for title in (
        "Models by figures",
        "Paired differences",
        "What style and serving moved",
        "Smallest detectable",
    ):
        assert f"### {title}" in text
    assert "| scripted/oracle | default | 6 | 100.0" in text
    assert "old" not in readme.read_text() and "| scripted/oracle |" in readme.read_text()
    stored = next((tmp_path / "answers").glob("*.xz"))
    stored.write_bytes(b"changed")
    with pytest.raises(SystemExit, match="is not what"):
        results.unpack(tmp_path / "third", tmp_path / "nothing")
