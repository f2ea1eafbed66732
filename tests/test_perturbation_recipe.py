"""recipes/perturbation_study.py: level changes, and what becomes of the order of two models."""

import sys
from pathlib import Path
from typing import Any

import pytest

from toolyard.core.types import Completion, Request
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
        ((0.1, 0.3), (-0.1, 0.2), "clear only without"),
        ((0.1, 0.3), (None, None), "clear only without"),
        ((-0.1, 0.2), (-0.5, -0.2), "clear only with"),
        ((-0.1, 0.2), (-0.1, 0.2), "not clear"),
    ],
)
def test_an_order_is_kept_or_reversed_where_both_differences_are_clear(
    without: tuple[float, float], found: tuple[float | None, float | None], verdict: str
) -> None:
    from perturbation_study import order_verdict

    assert order_verdict(Estimate(0.2, *without), Estimate(0.0, *found)) == verdict


def test_a_study_compares_models_without_and_with_each_perturbation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from perturbation_study import main

    words = ["tooleyes", "scripted/oracle", "scripted/no-call", "--style", "example"]
    words += ["--limit", "3", "--levels", "3"]
    out = tmp_path / "study.md"
    monkeypatch.setattr(sys, "argv", ["study", *words, "--runs", str(tmp_path / "runs"), "--out", str(out)])
    main()
    text = out.read_text(encoding="utf-8")
    assert text == capsys.readouterr().out
    rows = [line.split("|")[1:-1] for line in text.splitlines() if line.startswith("| scripted")]
    assert [row[1].strip() for row in rows[:5]] == ["none", "noise=3", "paging=3", "faults=3", "drift=3"]
    # A model that calls nothing meets no perturbation; the other does under each.
    assert [int(row[6]) > 0 for row in rows[:10]] == [False, *[True] * 4, *[False] * 5]
    assert len(rows) == 14 and "reversed: 0 of 4" in text

    found = sensitivity([*(tmp_path / "runs").glob("*oracle*")])
    assert {each.variation for each in found.varied} == {"base", "noise=3", "paging=3", "faults=3", "drift=3"}


AGENTS = ("gold/careful", "gold/hasty", "gold/forgetful")


def run_study(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    benchmark: str,
    runs: Path,
    limit: str,
) -> dict[tuple[str, ...], list[str]]:
    """The rows of both tables by their first two cells."""
    from perturbation_study import main

    words = [benchmark, *AGENTS, "--limit", limit, "--levels", "3", "--runs", str(runs)]
    monkeypatch.setattr(sys, "argv", ["study", *words])
    main()
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| gold")]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]
    return {tuple(row[:2]): row[2:] for row in rows}


@pytest.mark.parametrize("benchmark", ["nestools", "mtu"])
def test_a_study_finds_the_weakness_of_each_agent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], benchmark: str
) -> None:
    rows = run_study(monkeypatch, capsys, benchmark, tmp_path, "8")
    scores = {key: float(row[0].split()[0]) for key, row in rows.items() if key[0] in AGENTS}
    names = ("none", "noise=3", "paging=3", "faults=3", "drift=3")
    assert {scores["gold/careful", name] for name in names} == {100.0}
    assert scores["gold/hasty", "none"] == 100.0 > scores["gold/hasty", "faults=3"]
    forgetful = {scores["gold/forgetful", name] for name in names}
    assert len(forgetful) == 1 and max(forgetful) < 100.0


def test_a_study_that_was_stopped_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import perturbation_study

    asked: list[str] = []
    generate = perturbation_study.GoldAgent.generate
    stop_at = 20

    async def counted(agent: Any, request: Request) -> Completion:
        asked.append(request.sample)
        if len(asked) == stop_at:
            raise KeyboardInterrupt
        return await generate(agent, request)

    monkeypatch.setattr(perturbation_study.GoldAgent, "generate", counted)
    with pytest.raises(KeyboardInterrupt):
        run_study(monkeypatch, capsys, "nestools", tmp_path / "stopped", "3")
    stop_at, before = -1, len(asked)
    found = run_study(monkeypatch, capsys, "nestools", tmp_path / "stopped", "3")
    resumed = len(asked) - before
    asked.clear()
    assert run_study(monkeypatch, capsys, "nestools", tmp_path / "whole", "3") == found
    assert resumed < len(asked)
    whole = len(asked)
    assert run_study(monkeypatch, capsys, "nestools", tmp_path / "whole", "3") == found
    assert len(asked) == whole


@pytest.mark.parametrize(("packs", "rows"), [("toolbehonest_smollm2-tuned_*", 2), ("mtu_smollm2-tuned_*", 3)])
def test_the_page_of_ways_shows_what_its_recipe_makes(packs: str, rows: int, tmp_path: Path) -> None:
    import ways_study
    from results_runs import score_packs

    from toolyard.text.markdown import markdown_tables

    files = {path: path.name for path in sorted(ways_study.ANSWERS.glob(f"{packs}.xz"))}
    scored, left_out = score_packs(files, tmp_path, ways_study.HERE, 1)
    assert not left_out
    tables, _ = ways_study.study(scored)
    shown = ways_study.PAGE.read_text("utf-8")
    made = [line for line in markdown_tables(tables).splitlines() if line.startswith("| ")]
    assert len(made) >= rows
    assert not [line for line in made if line not in shown]
