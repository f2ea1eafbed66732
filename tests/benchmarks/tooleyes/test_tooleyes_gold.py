"""Gold follows the world; whoever moves it reads the questions again."""

from __future__ import annotations

from pathlib import Path

import pytest

RECIPES = Path(__file__).resolve().parents[3] / "recipes"


def test_gold_answers_are_those_that_were_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(RECIPES))
    import tooleyes_gold

    changed = tooleyes_gold.differences(tooleyes_gold.kept(), tooleyes_gold.answers())
    told = "\n".join(changed)
    assert not changed, f"read these against their questions, then recipes/tooleyes_gold.py --write:\n{told}"


def test_a_gold_answer_that_moved_is_named_with_both_readings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(RECIPES))
    from tooleyes_gold import differences

    (told,) = differences({"a": "4", "b": "5"}, {"a": "4", "b": "6"})
    assert told.startswith("b") and "5" in told and "6" in told
