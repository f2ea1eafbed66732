"""synth and run --fresh as a user meets them."""

import json
import os
from pathlib import Path

import pytest

from cases import cases
from toolyard.models.assets import cache_folder
from toolyard_command import toolyard


@pytest.mark.parametrize(("words", "told"), cases(__file__, "a_mistake_gets_one_line_and_leaves_nothing"))
def test_a_mistake_gets_one_line_and_leaves_nothing(
    words: tuple[str, ...], told: str, tmp_path: Path
) -> None:
    (tmp_path / "mine.txt").write_text("keep me", "utf-8")
    done = toolyard("synth", *words, cwd=tmp_path)
    assert done.returncode == 1, done
    assert done.stderr.count("\n") == 1, done.stderr
    assert told in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_synth_prints_the_funnel_and_overwrites_no_set_of_another_benchmark(tmp_path: Path) -> None:
    words = ("synth", "nestools", "--from", "world", "--rows", "4", "--seed", "5")
    done = toolyard(*words, "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    printed = json.loads(done.stdout)
    assert printed["rows"] == 4
    assert printed["out"] == "data/nestools-world-5"
    assert [stage["name"] for stage in printed["stages"]] == [
        "draft",
        "execute",
        "convert",
        "distract",
        "choose",
    ]
    assert (tmp_path / "data/nestools-world-5/card.md").exists()
    (tmp_path / "data/nestools-world-5/notes.txt").write_text("mine", "utf-8")
    again = toolyard(*words, cwd=tmp_path)
    assert "Funnel" in again.stdout
    assert (tmp_path / "data/nestools-world-5/notes.txt").read_text("utf-8") == "mine"
    assert "load them with --data data/nestools-world-5" in again.stdout
    other = toolyard("synth", "toolbehonest", "--rows", "7", "--out", "data/nestools-world-5", cwd=tmp_path)
    assert other.returncode == 1
    assert "holds a set of nestools --from world; choose another --out" in other.stderr


def test_options_of_the_pipelines_are_listed(tmp_path: Path) -> None:
    done = toolyard("synth", "toolbehonest", "--options", cwd=tmp_path)
    assert done.returncode == 0
    assert "--per-subtask" in done.stdout
    listed = json.loads(toolyard("synth", "toolbehonest", "--options", "--json", cwd=tmp_path).stdout)
    assert "--per-subtask" in [row["option"] for row in listed["Pipelines of toolbehonest"]]


def test_a_fresh_run_shows_public_minus_fresh(tmp_path: Path) -> None:
    # The embedder's weights are where they always are; the fresh set goes to a cache of this test.
    cache = tmp_path / "cache"
    cache.mkdir()
    for kept in cache_folder().iterdir():
        if kept.name not in ("fresh", "prepared.sqlite"):
            (cache / kept.name).symlink_to(kept)
    environment = {**os.environ, "TOOLYARD_CACHE": str(cache)}
    words = ("run", "nestools", "-m", "scripted/oracle", "--limit", "3", "--fresh", "--fresh-seed", "11")
    alone = toolyard(*words, cwd=tmp_path, env=environment)
    assert alone.returncode == 0, alone.stderr
    assert "to see official minus fresh" in alone.stdout
    both = toolyard(*words, "--data", "starter", "--json", cwd=tmp_path, env=environment)
    assert both.returncode == 0, both.stderr
    public, fresh = json.loads(both.stdout)
    assert public["manifest"]["data"] == "starter"
    # Three items need no set of the usual size.
    assert fresh["manifest"]["data"] == "fresh:11:3"
    assert fresh["contamination"]["difference"]["average"] == 0.0
    page = Path(tmp_path / "runs" / fresh["run"] / "report.md").read_text("utf-8")
    assert "Contamination signal: starter minus fresh" in page


def test_there_is_no_fresh_set_without_a_pipeline(tmp_path: Path) -> None:
    done = toolyard("run", "tooleyes", "-m", "scripted/oracle", "--fresh", cwd=tmp_path)
    assert done.returncode == 1
    assert "no pipeline from the world" in done.stderr
