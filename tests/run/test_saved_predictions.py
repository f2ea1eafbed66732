"""Saved predictions to figures: what a model wrote never stops the printing."""

import codecs
import json
from pathlib import Path
from typing import Any

import orjson
import pytest
from typer.testing import CliRunner

from toolyard.benchmarks import load_benchmark
from toolyard.cli.app import app
from toolyard.core.errors import DataError, UsageError
from toolyard.core.types import Options
from toolyard.run.api import evaluate
from toolyard.run.grade.scoring import score_settings
from toolyard.run.settings import ScoreSettings

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
def test_an_empty_file_gives_undefined_figures_of_no_sample(
    tmp_path: Path, name: str, profile: str, content: str
) -> None:
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
