"""toolyard tools, serve, synth and env: what is printed, and one line for each mistake."""

import json
import os
import socket
from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cases import cases, each_case
from toolyard.cli.app import app
from toolyard.core.errors import UsageError
from toolyard.models.assets import cache_folder
from toolyard_command import toolyard


def test_list_prints_the_568_official_tools_by_scenario_and_any_others() -> None:
    rows = json.loads(toolyard("tools", "list", "--json").stdout)
    assert {tuple(sorted(row)) for row in rows} == {("category", "id", "name", "scenario", "subcategory")}
    counts = {"TG": 27, "DU": 26, "RS": 75, "PL": 164, "IR": 150, "AM": 30, "FT": 96}
    assert Counter(row["scenario"] for row in rows) >= Counter(counts)


def test_an_example_that_show_prints_can_be_called_as_it_stands() -> None:
    document = json.loads(toolyard("tools", "show", "Calendar/Calendar/public_holidays", "--json").stdout)
    assert document["id"] == "Calendar/Calendar/public_holidays"
    (example, *_) = document["examples"]
    assert set(example) == {"arguments"}
    done = toolyard("tools", "call", document["id"], json.dumps(example["arguments"]), "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)


def test_an_error_of_a_tool_is_printed_as_data_and_exits_1() -> None:
    done = toolyard("tools", "call", "public_holidays", '{"year": 2024}', "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["error"]["kind"] == "missing_parameter"


def test_search_and_graph_answer_in_json() -> None:
    hits = json.loads(toolyard("tools", "search", "weather tomorrow", "--limit", "3", "--json").stdout)
    assert len(hits) == 3
    assert {hit["category"] for hit in hits} == {"Weather"}
    edges = json.loads(toolyard("tools", "graph", "Advice/Advice_slip", "--json").stdout)
    assert ("Advice/Advice_slip/search_advice", "Advice/Advice_slip/advice_by_id") in {
        (edge["producer"], edge["consumer"]) for edge in edges
    }


def test_a_search_without_a_hit_says_so() -> None:
    done = toolyard("tools", "search", "zzzqqq")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "no tool fits 'zzzqqq'; try other words, or see: toolyard tools list\n"
    assert json.loads(toolyard("tools", "search", "zzzqqq", "--json").stdout) == []


@each_case("words, said")
def test_a_mistake_is_one_line(words: tuple[str, ...], said: str) -> None:
    done = toolyard(*words)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert said in done.stderr


def test_a_port_in_use_is_one_line() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = toolyard("serve", "Weather", "--http", "--port", str(taken.getsockname()[1]))
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "cannot listen on 127.0.0.1" in done.stderr


@each_case("words, told")
def test_a_mistake_is_one_line_and_leaves_nothing(words: tuple[str, ...], told: str, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("keep me", "utf-8")
    done = toolyard("synth", *words, cwd=tmp_path)
    assert done.returncode == 1, done
    assert done.stderr.count("\n") == 1, done.stderr
    assert told in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_synth_prints_the_funnel_and_overwrites_no_set_of_another_benchmark_or_seed(tmp_path: Path) -> None:
    words = ("synth", "nestools", "--from", "world", "--rows", "4", "--seed", "5")
    done = toolyard(*words, "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    printed = json.loads(done.stdout)
    assert printed["rows"] == 4
    assert printed["out"] == "data/nestools-world-5"
    assert [stage["name"] for stage in printed["stages"]] == cases(
        __file__, "synth_prints_the_funnel_and_overwrites_no_set_of_another_benchmark_or_seed"
    )
    assert (tmp_path / "data/nestools-world-5/card.md").exists()
    (tmp_path / "data/nestools-world-5/notes.txt").write_text("mine", "utf-8")
    again = toolyard(*words, cwd=tmp_path)
    assert "Funnel" in again.stdout
    assert (tmp_path / "data/nestools-world-5/notes.txt").read_text("utf-8") == "mine"
    assert "load them with --data data/nestools-world-5" in again.stdout
    for other in (["toolbehonest"], ["nestools", "--seed", "6"]):
        refused = toolyard("synth", *other, "--rows", "7", "--out", "data/nestools-world-5", cwd=tmp_path)
        assert refused.returncode == 1
        assert "holds a set of nestools --from world --seed 5; choose another --out" in refused.stderr


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


def invoked(*words: str) -> str:
    done = CliRunner().invoke(app, ["env", *words], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def test_try_prints_what_each_agent_earns_with_intervals() -> None:
    found = json.loads(invoked("tooleyes", "--try", "2", "--split", "eval", "--json"))
    assert (found["benchmark"], found["split"], found["tasks"]) == ("tooleyes", "eval", 2)
    assert list(found["agents"]) == cases(__file__, "try_prints_what_each_agent_earns_with_intervals")
    assert found["agents"]["oracle"]["reward"]["value"] == 1
    assert found["agents"]["do-nothing"]["outcome"]["interval"][0] == 0
    assert "oracle" in invoked("tooleyes", "--try", "1")


def test_to_writes_a_folder_that_says_how_to_start_it(tmp_path: Path) -> None:
    folder = tmp_path / "gym"
    assert "README.md" in invoked("mtu", "--to", "gymnasium", "--out", str(folder))
    assert "make(NAME, split=split)" in (folder / "environment.py").read_text("utf-8")
    assert "gymnasium==" in (folder / "requirements.txt").read_text("utf-8")


def test_draw_keeps_tasks_in_a_pool_that_the_next_command_reads(tmp_path: Path) -> None:
    words = ("tooleyes", "--draw", "1", "--pool", str(tmp_path / "tasks"))
    assert "1 of them drawn now" in invoked(*words)
    assert json.loads(invoked(*words, "--json"))["drawn"] == 0
    assert "oracle" in invoked("tooleyes", "--try", "1", "--pool", str(tmp_path / "tasks"))


@each_case("words, wanted", ids=["nothing", "library", "no file", "benchmark", "try", "split"])
def test_a_mistake_is_named(words: tuple[str, ...], wanted: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=wanted):
        CliRunner().invoke(app, ["env", *words], catch_exceptions=False)
