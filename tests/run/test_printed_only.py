"""`score --printed-only`: the paper's own figures, the same as with all that explains them."""

import random
from pathlib import Path

import orjson
import pytest

from toolyard.benchmarks import load_benchmark
from toolyard.core.benchmark import RunSetup
from toolyard.core.errors import UsageError
from toolyard.core.types import Options
from toolyard.run.grade.grading import grade_all, with_printed_metrics_only
from toolyard.run.grade.scoring import score_settings
from toolyard.run.play.offline import play_offline
from toolyard.run.settings import ScoreSettings

# What needs the tolerant comparison, the world or the words of an answer.
EXPLAINED = {"outcome", "outcome_call", "outcome_no_call", "grounding", "parameter_correctness"}


@pytest.mark.parametrize("name", ["nestools", "mtu", "tooleyes"])
def test_values_and_counts_are_those_of_the_whole_score(name: str) -> None:
    benchmark = load_benchmark(name)
    samples = benchmark.data.load(benchmark.data.starter, Options())[:: 8 if benchmark.task.scene else 3]
    setup = RunSetup.default(benchmark)
    lean = RunSetup.default(with_printed_metrics_only(benchmark))
    for answerer in (benchmark.checks.oracle, *benchmark.checks.baselines.values()):
        played = play_offline(setup, samples, answerer)
        for profile in benchmark.profiles:
            whole = grade_all(setup, samples, played, {}, profile)
            alone = grade_all(lean, samples, played, {}, profile)
            for full, short in zip(whole, alone, strict=True):
                known = {key: value for key, value in full.score.values.items() if value is not None}
                assert short.score.counts == full.score.counts
                assert {**short.score.values} == {
                    key: value
                    for key, value in full.score.values.items()
                    if key not in EXPLAINED and (key in known or key in short.score.values)
                }
                assert short.score.unscored == full.score.unscored
                assert not short.score.errors
                assert not short.score.graded


def nestools_answers(folder: Path) -> Path:
    benchmark = load_benchmark("nestools")
    samples = benchmark.data.load(benchmark.data.starter, Options())
    rows = [
        {"test_id": int(sample.id), "response": benchmark.checks.oracle(sample, (), random.Random(0))}
        for sample in samples[:40]
    ]
    path = folder / "predictions.jsonl"
    path.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    return path


def test_figures_that_were_not_asked_for_are_undefined_and_errors_are_not_zero_but_absent(
    tmp_path: Path,
) -> None:
    predictions = nestools_answers(tmp_path)
    whole = score_settings(ScoreSettings("nestools", predictions=predictions)).to_json()
    alone = score_settings(ScoreSettings("nestools", predictions=predictions, printed_only=True)).to_json()
    pieces = score_settings(
        ScoreSettings("nestools", predictions=predictions, printed_only=True, workers=1)
    ).to_json()
    assert whole["figures"]["outcome"] == 1.0
    assert alone["figures"]["outcome"] is None
    assert alone["errors"] == pieces["errors"] == {}
    assert {**alone["figures"], "outcome": 1.0} == whole["figures"]
    assert pieces["figures"] == alone["figures"]


def test_what_explains_figures_cannot_be_asked_for_with_them_alone(tmp_path: Path) -> None:
    predictions = nestools_answers(tmp_path)
    with pytest.raises(UsageError, match="--printed-only leaves out what --report is for"):
        score_settings(ScoreSettings("nestools", predictions=predictions, printed_only=True, report=True))
    with pytest.raises(UsageError, match="toolbehonest has no metrics besides"):
        score_settings(ScoreSettings("toolbehonest", predictions=predictions, printed_only=True))
    with pytest.raises(UsageError, match="--printed-only cannot change what the run"):
        score_settings(ScoreSettings(str(tmp_path), printed_only=True))
