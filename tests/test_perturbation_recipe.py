"""recipes/perturbation_study.py: level changes, and what becomes of the order of two models."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from toolyard.report.compare.sensitivity import sensitivity
from toolyard.stats.bootstrap import Estimate

RECIPES = Path(__file__).parents[1] / "recipes"


@pytest.fixture(autouse=True)
def recipes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(RECIPES))


@pytest.mark.parametrize(
    ("without", "found", "verdict"),
    [
        ((0.1, 0.3), (0.2, 0.5), "kept"),
        ((0.1, 0.3), (-0.5, -0.2), "reversed"),
        ((-0.3, -0.1), (0.2, 0.5), "reversed"),
        ((0.1, 0.3), (-0.1, 0.2), "not clear"),
        ((0.1, 0.3), (None, None), "not clear"),
    ],
)
def test_an_order_changes_where_both_differences_are_clear(
    without: tuple[float, float], found: tuple[float | None, float | None], verdict: str
) -> None:
    from perturbation_study import order_verdict

    assert order_verdict(Estimate(0.2, *without), Estimate(0.0, *found)) == verdict


def test_a_study_compares_models_without_and_with_each_perturbation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from perturbation_study import main

    words = [
        "tooleyes",
        "scripted/oracle",
        "scripted/no-call",
        "--style",
        "example",
        "--limit",
        "3",
        "--levels",
        "3",
    ]
    out = tmp_path / "study.md"
    monkeypatch.setattr(sys, "argv", ["study", *words, "--runs", str(tmp_path / "runs"), "--out", str(out)])
    main()
    text = out.read_text(encoding="utf-8")
    assert text == capsys.readouterr().out
    rows = [line.split("|")[1:-1] for line in text.splitlines() if line.startswith("| scripted")]
    assert [row[1].strip() for row in rows[:5]] == ["none", "noise=3", "paging=3", "faults=3", "drift=3"]
    # A model that calls nothing meets no perturbation; the other does under each.
    assert [int(row[5]) > 0 for row in rows[:10]] == [False, *[True] * 4, *[False] * 5]
    assert len(rows) == 14 and "reversed: 0 of 4" in text

    found = sensitivity([*(tmp_path / "runs").glob("*oracle*")])
    assert {each.variation for each in found.varied} == {"base", "noise=3", "paging=3", "faults=3", "drift=3"}
