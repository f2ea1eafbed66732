"""Saved predictions to figures: as a run, with a report, and the paper's own figures alone."""

import codecs
import json
import random
from pathlib import Path
from typing import Any

import orjson
import pytest
from typer.testing import CliRunner

from toolyard.benchmarks import load_benchmark
from toolyard.cli.app import app
from toolyard.core.benchmark import RunSetup
from toolyard.core.errors import DataError, UsageError
from toolyard.core.types import Options
from toolyard.run.api import evaluate
from toolyard.run.grade.grading import grade_all, keep_printed_metrics
from toolyard.run.grade.scoring import score_settings
from toolyard.run.play.offline import play_offline
from toolyard.run.settings import ScoreSettings
from toolyard.run.store.prediction_runs import run_of_predictions

NAMES = ("mtu", "nestools", "toolbehonest", "tooleyes")


def test_scores_of_answers_with_lone_surrogates_can_be_written(tmp_path: Path) -> None:
    call = 'Action: F\ud83d\nAction Input: {"a\ud83d": "\ud83d"}'
    rows = [{"id": f"S-S_{number}", "response": call} for number in range(14)]
    (tmp_path / "S-S.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    base_settings = ScoreSettings("mtu", predictions=tmp_path, profile="official")
    written = orjson.loads(orjson.dumps(score_settings(base_settings).to_json(per_sample=True)))
    assert written["scores"][0]["graded"]["called"][0]["name"] == "F\\ud83d"


@pytest.mark.parametrize(("content", "profile"), [("", "paper"), ("\n\n", "official"), ("\ufeff", "paper")])
@pytest.mark.parametrize("name", NAMES)
def test_an_empty_file_gives_no_figures(tmp_path: Path, name: str, profile: str, content: str) -> None:
    file = tmp_path / "S-S.jsonl"
    file.write_text(content, encoding="utf-8")
    command = ["score", name, "--predictions", str(file), "--profile", profile]
    done = CliRunner().invoke(app, [*command, "--json"])
    assert done.exit_code == 0, done.output
    printed = json.loads(done.stdout)
    assert printed["samples"] == 0
    assert printed["figures"]
    assert set(printed["figures"].values()) == {None}
    if content == "":
        assert CliRunner().invoke(app, command).exit_code == 0


def test_an_empty_object_is_the_results_form_of_no_subtask(tmp_path: Path) -> None:
    (tmp_path / "results.json").write_text("{}")
    base_settings = ScoreSettings("toolbehonest", predictions=tmp_path / "results.json", embedder="none")
    assert score_settings(base_settings).summary.samples == 0


@pytest.mark.parametrize("name", NAMES)
def test_a_file_in_another_form_is_refused(tmp_path: Path, name: str) -> None:
    file = tmp_path / "S-S.jsonl"
    file.write_text('{"something": {"else": 1}}')
    with pytest.raises(DataError, match=r"S-S\.jsonl"):
        score_settings(ScoreSettings(name, predictions=file))


@pytest.mark.parametrize("name", NAMES)
def test_data_may_begin_with_a_byte_order_mark(tmp_path: Path, name: str) -> None:
    benchmark = load_benchmark(name)
    for file in benchmark.data.starter.iterdir():
        (tmp_path / file.name).write_bytes(codecs.BOM_UTF8 + file.read_bytes())
    plain = benchmark.data.load(benchmark.data.starter, Options())
    assert [(one.id, one.input) for one in benchmark.data.load(tmp_path, Options())] == [
        (one.id, one.input) for one in plain
    ]


def starter_predictions(name: str) -> Any:
    """An answer to the first sample, in the results form of the benchmark."""
    sample = load_benchmark(name).data.load(load_benchmark(name).data.starter, Options())[0]
    if name == "toolbehonest":
        return {sample.groups["subtask"]: {"level_1": [{"solvable": "x", "unsolvable": "x"}]}}
    if name == "tooleyes":
        turns = [{"from": "user", "value": "u"}, {"from": "assistant", "value": "x"}]
        return {"id": sample.id, "path": sample.input["path"], "conversations": turns}
    return {"id": sample.id, "test_id": sample.id, "response": "x"}


@pytest.mark.parametrize("name", NAMES)
def test_predictions_may_begin_with_a_byte_order_mark(tmp_path: Path, name: str) -> None:
    text = json.dumps(starter_predictions(name)).encode()
    found = []
    for folder, content in (("plain", text), ("marked", codecs.BOM_UTF8 + text)):
        file = tmp_path / folder / "S-S.jsonl"
        file.parent.mkdir()
        file.write_bytes(content)
        samples = load_benchmark(name).data.load(load_benchmark(name).data.starter, Options())
        found.append(load_benchmark(name).scoring.read_predictions(file, samples))
    assert any(item.text == "x" for item in found[0])
    assert [(item.sample, item.text) for item in found[0]] == [(item.sample, item.text) for item in found[1]]


def test_a_run_is_not_taken_for_predictions(tmp_path: Path) -> None:
    folder = evaluate("nestools", "scripted/random", limit=1, runs=tmp_path).folder
    for path in (folder, folder / "transcripts.jsonl", folder / "transcripts"):
        with pytest.raises(UsageError, match=rf"score it with: toolyard score {folder}"):
            score_settings(ScoreSettings("nestools", predictions=path))


def answers(path: Path, *names: str) -> Path:
    """Empty answers to the first rows of NesTools' starter set, or to rows of these names."""
    benchmark = load_benchmark("nestools")
    samples = benchmark.data.load(benchmark.data.starter, Options())[:3]
    chosen = names or [sample.id for sample in samples]
    lines = [json.dumps({"test_id": int(name), "response": "[]"}) for name in chosen]
    path.write_text("\n".join(lines))
    return path


def test_the_run_has_the_figures_of_the_predictions(tmp_path: Path) -> None:
    settings = ScoreSettings(
        "nestools", predictions=answers(tmp_path / "a.jsonl"), runs=tmp_path, name="mine"
    )
    result = run_of_predictions(settings)
    scored = score_settings(settings)
    assert result.run.config.model == "predictions/mine"
    assert result.summaries["paper"].samples == scored.summary.samples == 3
    assert result.summaries["paper"].figures == scored.summary.figures
    again = run_of_predictions(settings)
    assert again.folder == result.folder
    assert len((again.folder / "transcripts.jsonl").read_text().splitlines()) == 3, "nothing is kept twice"


def test_a_row_that_the_data_lack_cannot_become_part_of_a_run(tmp_path: Path) -> None:
    path = answers(tmp_path / "a.jsonl", "999999")
    with pytest.raises(DataError, match="999999"):
        run_of_predictions(ScoreSettings("nestools", predictions=path, runs=tmp_path))


def test_the_command_writes_the_report_and_keeps_json_clean(tmp_path: Path) -> None:
    path = answers(tmp_path / "a.jsonl")
    words = ["score", "nestools", "--predictions", str(path), "--report", "--runs", str(tmp_path), "--json"]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["samples"] == 3
    assert list(tmp_path.glob("nestools_predictions-a_*/report.html"))


# What needs the tolerant comparison, the world or the words of an answer.
EXPLAINED = {"outcome", "outcome_call", "outcome_no_call", "grounding", "parameter_correctness"}


@pytest.mark.parametrize("name", ["nestools", "mtu", "tooleyes"])
def test_values_and_counts_are_those_of_the_whole_score(name: str) -> None:
    benchmark = load_benchmark(name)
    samples = benchmark.data.load(benchmark.data.starter, Options())[:: 8 if benchmark.task.scene else 3]
    setup = RunSetup.default(benchmark)
    lean = RunSetup.default(keep_printed_metrics(benchmark))
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


def test_figures_that_were_not_asked_for_are_undefined_and_errors_are_absent(
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
