"""Runs that answered different samples, compared on those that all of them have."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from toolyard.cli.app import app
from toolyard.core.errors import UsageError
from toolyard.report.compare.comparison import compare_runs
from toolyard.report.tables.comparison_tables import leaderboard
from toolyard.run.api import evaluate
from toolyard.run.run import Run
from toolyard.stats.bootstrap import Estimate


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A whole run, a weighted part of the same set, and two parts that share some or no samples."""
    folder = tmp_path_factory.mktemp("runs")
    made = {
        "whole": {"model": "scripted/word-overlap"},
        "part": {"model": "scripted/oracle", "budget": 24},
        "first": {"model": "scripted/empty", "ids": ("OOD_0_0",)},
        "other": {"model": "scripted/empty", "ids": ("OOD_1_0",)},
    }
    return {
        name: evaluate("mtu", str(given.pop("model")), runs=folder, name=name, **given).folder
        for name, given in ((name, dict(given)) for name, given in made.items())
    }


def test_runs_and_baselines_share_samples_as_the_least_part_weights(
    runs: dict[str, Path],
) -> None:
    (found,) = compare_runs([runs["whole"], runs["part"]], shared=True).values()
    whole, part = found.runs
    assert whole.summary.samples == part.summary.samples == len(Run.open(runs["part"]).samples)
    assert (whole.restricted, part.restricted) == (True, False)
    weights = [{item.sample.id: item.sample.weight for item in run.graded} for run in found.runs]
    assert weights[0] == weights[1]
    assert any("on the" in remark and "that they share" in remark for remark in found.remarks)
    # the difference of the two scores is the paired difference
    scores = [run.headline for run in found.runs]
    (difference,) = found.differences
    assert scores[0] is not None and scores[1] is not None
    assert difference.test.difference.value == pytest.approx(scores[0] - scores[1])
    overlap = next(item for item in found.baselines if item.name == "scripted/word-overlap")
    assert overlap.figures["average"] == pytest.approx(found.runs[0].headline)
    (both,) = compare_runs([runs["whole"], runs["first"]], shared=True).values()
    assert [run.summary.samples for run in both.runs] == [1, 1]


def test_a_part_is_weighted_in_a_pair_whichever_comes_first(runs: dict[str, Path]) -> None:
    def difference(*folders: Path) -> Estimate:
        (found,) = compare_runs(folders).values()
        return found.differences[0].test.difference

    one, two = difference(runs["whole"], runs["part"]), difference(runs["part"], runs["whole"])
    assert one.value is not None and two.value is not None
    assert one.value == pytest.approx(-two.value)


def test_runs_that_share_nothing_are_refused_in_one_line(runs: dict[str, Path]) -> None:
    with pytest.raises(UsageError, match="first, other share no sample"):
        compare_runs([runs["first"], runs["other"]], shared=True)


def test_short_prints_a_line(runs: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    other = evaluate("nestools", "scripted/random", limit=3, runs=tmp_path).folder
    given = ["compare", *map(str, (runs["part"], runs["whole"], other)), "--short", "--shared"]
    printed = CliRunner().invoke(app, given).stdout
    lines = [line.split("│") for line in printed.splitlines() if line.startswith("│")]
    assert [line[1].strip() for line in lines] == ["MTU-Bench", "NesTools"]
    assert lines[0][3].strip() == "scripted/oracle"
    assert lines[0][6].strip() == "beats 1 of 1, above baseline"
    assert re.fullmatch(r" (?:word-overlap|empty|no-call) \d+\.\d +", lines[0][5])


def test_runs_on_other_samples_do_not_rank_and_have_baselines_of_their_own(
    runs: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "220")
    (found,) = compare_runs([runs["part"], runs["whole"], runs["first"]]).values()
    # the part has the higher score, but on other samples
    assert [run.folder.name for run in found.ranked_runs] == ["whole", "part", "first"]
    assert [[run.folder.name for run in some.runs] for some in found.sets] == [["whole"], ["part"], ["first"]]
    for some in found.sets:
        overlap = next(item for item in some.baselines if item.name == "scripted/word-overlap")
        (alone,) = compare_runs([some.runs[0].folder]).values()
        assert dict(overlap.figures) == {item.name: item.figures for item in alone.baselines}[overlap.name]
    printed = CliRunner().invoke(app, ["compare", *(str(runs[name]) for name in ("part", "whole"))]).stdout
    part = found.sets[1].size
    assert [item.title for item in leaderboard(found).parts][:2] == ["", f"{part} samples: ranked apart"]
    assert f"Not ranked with these, on {part} samples of their own: scripted/oracle" in printed
    assert printed.count("scripted/first-tool") == 2
    assert "Highest average: scripted/word-overlap" in printed or "No run stands out" in printed
