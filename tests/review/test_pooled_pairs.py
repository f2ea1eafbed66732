"""Pairs pooled over any number of runs, draws by stratum, and the papers' protocols."""

import json
from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

from toolyard.cli.app import app
from toolyard.core.errors import UsageError
from toolyard.report.compare.human_agreement import read_labels
from toolyard.review import label_export as exporting
from toolyard.review.drawn_samples import PROTOCOLS, draw_items, protocol_of
from toolyard.review.review_sitting import open_review
from toolyard.review.review_subject import PairSubject, ReviewTarget
from toolyard.run.api import evaluate


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("runs")
    models = ("scripted/oracle", "scripted/random", "scripted/word-overlap")
    return [str(evaluate("nestools", model, limit=6, runs=folder).folder) for model in models]


def test_three_runs_make_three_pairs_of_every_sample(runs: list[str], tmp_path: Path) -> None:
    base_settings = ReviewTarget(runs[0], runs[1], others=(runs[2],), dimensions=("quality",))
    sitting = open_review(base_settings, tmp_path / "review", begin=True)
    subject = sitting.subject
    assert isinstance(subject, PairSubject)
    assert len(subject.pairs) == 18 and len({pair.id for pair in subject.pairs}) == 18
    assert Counter((pair.first, pair.second) for pair in subject.pairs).most_common()[0][1] == 6
    names = [Path(run).name for run in runs]
    with sitting.folder.writing("ada", adjudicate=False) as appender:
        for pair in subject.pairs:
            appender.append({"item": pair.id, "dimension": "quality", "winner": "a", "note": "", "at": ""})
    found = exporting.summary_json(subject, sitting.folder)
    assert found["records"]["quality"] == {
        names[0]: {"win": 12, "tie": 0, "loss": 0},
        names[1]: {"win": 6, "tie": 0, "loss": 6},
        names[2]: {"win": 0, "tie": 0, "loss": 12},
    }
    labels = exporting.export_review(subject, sitting.folder, tmp_path / "labels")
    votes = read_labels(labels, "quality", (names[1], names[2]))
    assert votes.lines == 6 and set(votes.labels["ada"].values()) == {1}
    turned = read_labels(labels, "quality", (names[2], names[1]))
    assert set(turned.labels["ada"].values()) == {-1}, "whichever stood first"


def test_a_stratum_gets_its_share() -> None:
    items = [("a", n) for n in range(20)] + [("b", n) for n in range(3)]
    found = draw_items(items, 8, 0, "kind", lambda item: {"kind": item[0]})
    assert Counter(kind for kind, _ in found) == {"a": 5, "b": 3}, "b has no more than three"
    assert draw_items(items, 8, 0, "kind", lambda item: {"kind": item[0]}) == found
    only = draw_items(items, 2, 0, "kind=b", lambda item: {"kind": item[0]})
    assert {kind for kind, _ in only} == {"b"}
    with pytest.raises(UsageError, match="groups are kind"):
        draw_items(items, 2, 0, "colour", lambda item: {"kind": item[0]})


def test_rows_are_drawn_by_stratum_and_the_folder_remembers(tmp_path: Path) -> None:
    begun = open_review(ReviewTarget("nestools", sample=6, by="depth"), tmp_path / "review", begin=True)
    depths = Counter(entry.samples[0].groups["depth"] for entry in begun.subject.entries)  # type: ignore[union-attr]
    assert set(depths.values()) == {2}
    again = open_review(ReviewTarget("nestools"), tmp_path / "review", begin=False)
    assert again.subject.identity == begun.subject.identity


def test_protocols_are_those_of_the_papers() -> None:
    assert (PROTOCOLS["mtu-train"].sample, PROTOCOLS["tooleyes"].sample) == (500, 200)
    assert PROTOCOLS["mtu-figures"].by == "setting=M-S,S-M"
    with pytest.raises(UsageError, match="mtu-train"):
        protocol_of("mine")
    result = CliRunner().invoke(app, ["review", "mtu", "--protocol", "tooleyes", "--annotator", "ada"])
    assert result.exit_code != 0


def test_the_command_sums_up_three_runs(runs: list[str], tmp_path: Path) -> None:
    words = ReviewTarget(runs[0], runs[1], others=(runs[2],), dimensions=("quality",), sample=5)
    open_review(words, tmp_path / "review", begin=True)
    command = ["review", *runs, "--out", str(tmp_path / "review"), "--json", "--summary"]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.output
    assert len(json.loads(result.stdout)["runs"]) == 3
