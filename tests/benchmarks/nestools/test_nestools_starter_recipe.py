"""The recipe of the starter set says which written requests it leaves out."""

from __future__ import annotations

from pathlib import Path

import pytest

RECIPES = Path(__file__).resolve().parents[3] / "recipes"


def test_a_request_that_does_not_hold_any_more_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(RECIPES))
    from starter_sets import left_out

    old = [
        {"test_id": 7, "task": "by hand"},
        {"test_id": 1001, "task": "kept"},
        {"test_id": 1002, "task": "gone"},
    ]
    (line,) = left_out(old, [{"test_id": 1, "task": "kept"}])
    assert "1002" in line and line.endswith(": gone")
