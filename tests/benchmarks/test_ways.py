"""One task, every way to call: the same rows and verdicts, gold reaches 1.0, an empty answer the floor."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from answering_model import AnsweringModel
from toolyard import evaluate
from toolyard.benchmarks import load_benchmark
from toolyard.cli.app import app
from toolyard.core.episodes import call_reply
from toolyard.core.errors import UsageError
from toolyard.core.types import Completion, Message, Request
from toolyard.report.compare.studies import find_knee, study_cells, study_table
from toolyard.run.play.execute import RunResult
from toolyard.run.run import Run
from toolyard.run.settings import Settings
from toolyard.stats.bootstrap import Estimate

WAYS = ("native", "native-parallel", "search", "code")
LIMIT = {"nestools": 6, "tooleyes": 4}


def transcripts(folder: Path, benchmark: str, style: str, model: Any, limit: int = 1) -> list[dict[str, Any]]:
    evaluate(benchmark, model, style=style, limit=limit, runs=folder, name="run")
    return [json.loads(line) for line in (folder / "run" / "transcripts.jsonl").read_text().splitlines()]


def outcome(result: RunResult) -> float | None:
    return result.summaries["paper"].figures["outcome"].value


@pytest.mark.parametrize("style", WAYS)
@pytest.mark.parametrize("benchmark", LIMIT)
def test_gold_reaches_one_and_an_empty_answer_the_floor(tmp_path: Path, benchmark: str, style: str) -> None:
    found = {
        script: outcome(
            evaluate(
                benchmark, f"scripted/{script}", style=style, limit=LIMIT[benchmark], runs=tmp_path / script
            )
        )
        for script in ("oracle", "empty")
    }
    assert found == {"oracle": 1.0, "empty": 0.0}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_plan_as_a_program_scores_as_one_of_native_calls(tmp_path: Path, language: str) -> None:
    def figures(script: str, style: str) -> dict[str, float | None]:
        options = {"language": language}
        folder = tmp_path / f"{script}-{style}"
        found = evaluate(
            "toolbehonest", f"scripted/{script}", style=style, limit=12, options=options, runs=folder
        )
        return {name: each.value for name, each in found.summaries["paper"].figures.items()}

    gold = figures("oracle", "code")
    assert gold == figures("oracle", "native")
    assert (gold["overall"], gold["twin"], figures("empty", "code")["outcome"]) == (1.0, 1.0, 0.0)


@pytest.mark.parametrize("history", ["gold", "own"])
@pytest.mark.parametrize("script", ["oracle", "empty"])
def test_turns_as_programs_score_as_turns_in_words(tmp_path: Path, script: str, history: str) -> None:
    def figures(style: str) -> dict[str, float | None]:
        options, folder = {"history": history}, tmp_path / style
        found = evaluate("mtu", f"scripted/{script}", style=style, limit=8, options=options, runs=folder)
        return {name: each.value for name, each in found.summaries["paper"].figures.items()}

    assert figures("code") == figures("default")


def test_a_turn_without_a_program_is_an_answer_in_words_and_results_are_references(tmp_path: Path) -> None:
    (said, *_) = transcripts(tmp_path / "words", "mtu", "code", lambda _: "Which town do you mean?")
    assert (len(said["completions"]), said["notes"]["program"]["errors"], "written" in said["notes"]) == (
        1,
        [],
        False,
    )
    rows = transcripts(tmp_path / "gold", "mtu", "code", "scripted/oracle", limit=20)
    references = [row for row in rows if ".get(" in row["completions"][0]["text"]]
    assert references
    for row in references:
        assert re.search(r'"\w+\.\w+"', row["notes"]["written"])


PROGRAMS = {
    "for step in range(3):\n    Undefined(goal='x')": (1, ["Undefined"]),
    "x = undefined + 1": (2, None),
    "Finish()\nwhile True: pass": (1, ["Finish"]),
    "UnsolvableQuery(missing_tool='a saw')\nFinish()": (1, ["UnsolvableQuery", "Finish"]),
    "Finish(\n": (2, None),
    "while True: pass": (2, None),
}


@pytest.mark.parametrize(("program", "expected"), PROGRAMS.items(), ids=range(len(PROGRAMS)))
def test_the_calls_of_the_last_program_are_the_plan(
    tmp_path: Path, program: str, expected: tuple[int, list[str] | None]
) -> None:
    rows = transcripts(tmp_path, "toolbehonest", "code", lambda _: f"```python\n{program}\n```")
    row = next(row for row in rows if row["sample"].endswith("/2"))
    written = row["notes"].get("written")
    plan = None if written is None else written.removeprefix("<answer>").removesuffix("</answer>").split("\n")
    assert (len(row["completions"]), plan) == expected


@pytest.mark.parametrize("benchmark", LIMIT)
def test_a_program_without_a_call_earns_nothing(tmp_path: Path, benchmark: str) -> None:
    result = evaluate(benchmark, lambda _: "```python\nx = 1\n```", style="code", limit=3, runs=tmp_path)
    assert outcome(result) == 0.0


@pytest.mark.parametrize("benchmark", LIMIT)
def test_a_program_that_fails_is_asked_for_once_more(tmp_path: Path, benchmark: str) -> None:
    (row,) = transcripts(tmp_path, benchmark, "code", lambda _: "```python\nno_such_function()\n```")
    assert len(row["completions"]) == 2
    assert row["notes"]["program"]["errors"] == ["NameError: name 'no_such_function' is not defined"] * 2
    assert "no_such_function" in row["messages"][-1]["content"]


@pytest.mark.parametrize("benchmark", LIMIT)
def test_a_searching_model_is_offered_what_it_found(tmp_path: Path, benchmark: str) -> None:
    offers: list[list[str]] = []
    (sample,) = Run.plan(Settings(benchmark, "scripted/oracle", limit=1, runs=tmp_path)).samples
    first = next(iter(sample.input.get("tools") or sample.input["documents"]))
    query = first.get("api_description") or first["description"]

    def answer(request: Request) -> Completion:
        offers.append([str(tool["function"]["name"]) for tool in request.tools])  # type: ignore[call-overload,index]
        function = {"name": "search_tools", "arguments": json.dumps({"query": query})}
        return Completion(
            "", tool_calls=({"id": str(len(offers)), "type": "function", "function": function},)
        )

    (row,) = transcripts(tmp_path, benchmark, "search", AnsweringModel(answer))
    assert "search_tools" in offers[0]
    assert len(offers[1]) > len(offers[0])
    # The same search again and again is a loop like any other.
    assert (len(offers), row["notes"]["repeated_calls"]) == (3, 2)


@pytest.mark.parametrize("benchmark", LIMIT)
def test_a_call_that_came_too_early_is_made_once_its_tool_is_there(tmp_path: Path, benchmark: str) -> None:
    (sample,) = Run.plan(
        Settings(benchmark, "scripted/oracle", limit=1, style="search", runs=tmp_path)
    ).samples
    tool = next(iter(sample.input.get("tools") or sample.input["documents"]))
    name = tool.get("api_name") or tool["name"]
    query = {"query": f"{name} {tool.get('api_description') or tool['description']}"}
    replies = [call_reply(0, name, {}), call_reply(1, "search_tools", query), call_reply(2, name, {})]

    def answer(request: Request) -> Completion:
        return replies.pop(0) if replies else Completion("Done.")

    (row,) = transcripts(tmp_path, benchmark, "search", AnsweringModel(answer))
    told = [message["content"] for message in row["messages"] if message["role"] == "tool"]
    assert "there is no function" in told[0] and "there is no function" not in told[2]
    assert "repeated_calls" not in row["notes"]


def test_several_calls_a_reply_are_allowed_and_all_are_answered(tmp_path: Path) -> None:
    sample = Run.plan(Settings("nestools", "scripted/oracle", limit=1, runs=tmp_path)).samples[0]
    benchmark = load_benchmark("nestools")
    play = benchmark.task.episode((sample,), Run.plan(
        Settings("nestools", "scripted/oracle", limit=1, style="native-parallel", runs=tmp_path)
    ).setup)  # fmt: skip
    first = next(play)
    assert first.request.parallel_calls is True  # type: ignore[union-attr]
    calls = tuple(
        {"id": str(n), "type": "function", "function": {"name": each["api_name"], "arguments": "{}"}}
        for n, each in enumerate(sample.gold["calls"])
    )
    second = play.send(Completion("", tool_calls=calls))
    answers: list[Message] = [m for m in second.request.messages if m.role == "tool"]  # type: ignore[union-attr]
    assert len(answers) == len(calls) > 1


@pytest.mark.parametrize("benchmark", LIMIT)
def test_the_text_of_a_way_makes_only_its_own_runs_another(tmp_path: Path, benchmark: str) -> None:
    def digest(style: str) -> str:
        return Run.plan(
            Settings(benchmark, "scripted/oracle", limit=1, style=style, runs=tmp_path)
        ).config.templates_sha256

    assert digest("native") != digest("code") != digest("search")


def offered(sample: Any) -> list[str]:
    if "documents" in sample.input:
        return [str(document["name"]) for document in sample.input["documents"]]
    return [tool["api_name"] for tool in (*sample.input["tools"], *sample.input["distractors"])]


@pytest.mark.parametrize("kind", ["", ":far"])
@pytest.mark.parametrize("benchmark", LIMIT)
def test_a_catalogue_has_its_size_and_the_needed_tools(tmp_path: Path, benchmark: str, kind: str) -> None:
    def samples(size: int) -> Any:
        settings = Settings(benchmark, "scripted/oracle", limit=2, catalogue=f"{size}{kind}", runs=tmp_path)
        return Run.plan(settings).samples

    for small, large in zip(samples(16), samples(32), strict=True):
        names = offered(large)
        assert (len(offered(small)), len(names), len(set(names))) == (16, 32, 32)
        assert set(offered(small)) <= set(names)
        plan = large.gold["calls"] if benchmark == "nestools" else large.gold.plan
        needed = {step["api_name"] if benchmark == "nestools" else step.tool for step in plan}
        assert needed - {"ask_to_user"} <= set(names)


@pytest.mark.parametrize("benchmark", LIMIT)
def test_gold_reaches_one_in_a_longer_list(tmp_path: Path, benchmark: str) -> None:
    result = evaluate(benchmark, "scripted/oracle", style="search", catalogue="48", limit=2, runs=tmp_path)
    assert outcome(result) == 1.0


@pytest.mark.parametrize("wanted", ["0", "many", "64:off", "99999", "-3"])
def test_a_catalogue_that_is_no_number_is_refused(tmp_path: Path, wanted: str) -> None:
    with pytest.raises(UsageError, match="--catalogue"):
        Run.plan(Settings("nestools", "scripted/oracle", limit=1, catalogue=wanted, runs=tmp_path))


def test_a_tool_that_no_search_found_matches_no_gold_call(tmp_path: Path) -> None:
    run = Run.plan(Settings("nestools", "scripted/oracle", limit=1, runs=tmp_path))
    (call, *_) = run.samples[0].gold["calls"]
    function = {"name": call["api_name"], "arguments": json.dumps(call["parameters"])}

    def guess(request: Request) -> Completion:
        asked = any(message.role == "tool" for message in request.messages)
        call = {"id": "1", "type": "function", "function": function}
        return Completion("Done.", tool_calls=() if asked else (call,))

    def selection(style: str) -> float | None:
        result = evaluate("nestools", AnsweringModel(guess), style=style, limit=1, runs=tmp_path / style)
        return result.summaries["paper"].figures["selection_f1"].value

    assert (selection("search"), (selection("native") or 0) > 0) == (0.0, True)


@pytest.mark.parametrize(
    ("sizes", "complaint"), [("0,9999", "from 1 to 1,000"), ("8", "two numbers"), ("8,x", "from 1 to 1,000")]
)
def test_lengths_of_a_curve_are_numbers_of_tools(sizes: str, complaint: str) -> None:
    result = CliRunner().invoke(app, f"curve nestools -m scripted/oracle --sizes {sizes}")
    assert isinstance(result.exception, UsageError) and complaint in str(result.exception)


def test_a_table_of_ways_names_its_conditions_and_what_chance_reaches(tmp_path: Path) -> None:
    words = "ways nestools -m scripted/word-overlap --limit 3 --seed 2 --ways default,native --catalogue 16"
    result = CliRunner().invoke(app, f"{words} --runs {tmp_path} --json")
    found = json.loads(result.stdout)
    shared = {name: found[name] for name in ("model", "data", "samples", "seed", "catalogue")}
    assert shared == {
        "model": "scripted/word-overlap", "data": "starter", "samples": 3, "seed": 2, "catalogue": "16",
    }  # fmt: skip
    # The model is itself the best trivial baseline.
    assert "style" not in found and "; unread calls: " in found["note"]
    assert [cell["unread_calls"] for cell in found["settings"]] == [None, 0]
    assert all(cell["best_trivial_baseline"] == cell["value"] > 0 for cell in found["settings"])
    shown = CliRunner().invoke(app, f"{words} --runs {tmp_path}").stdout
    line = (
        "scripted/word-overlap on starter, 3 samples, seed 2, catalogue 16; chance: the best trivial baseline"
    )
    assert line in " ".join(shown.split())


def test_a_perturbation_that_changes_no_way_says_where_it_works() -> None:
    words = "ways toolbehonest -m scripted/empty --perturb noise=1"
    assert "it works for mtu --style native-executed" in str(CliRunner().invoke(app, words).exception)


@pytest.mark.parametrize(
    ("more", "played", "left_out"),
    [
        ("", "native-executed_native-parallel_code-executed_search", "default, native, code"),
        ("--ways native-executed,search", "native-executed_search", ""),
    ],
)
def test_ways_without_perturbation_are_named(tmp_path: Path, more: str, played: str, left_out: str) -> None:
    words = f"ways mtu -m scripted/empty --limit 1 --perturb noise=1 {more} --runs {tmp_path}"
    said = " ".join(CliRunner().invoke(app, words).stdout.split())
    found = re.findall(r"left out, as they show no results of calls: (.*?)(?:;|$)", said)
    assert found == ([left_out] if left_out else [])
    assert "on starter, 1 sample, seed 0" in said
    assert said.count("noise=1 changed results in 0 of 1 answer: it was not tried") == played.count("_") + 1
    assert [page.name for page in tmp_path.glob("*/*.html")] == [f"ways_{played}.html"]


@pytest.mark.parametrize("benchmark", ["nestools", "mtu", "toolbehonest"])
def test_the_scripted_oracle_calls_the_tools_that_it_is_offered(tmp_path: Path, benchmark: str) -> None:
    style = "native-executed" if benchmark == "mtu" else "native"
    rows = transcripts(tmp_path, benchmark, style, "scripted/oracle", limit=4)
    assert any(each["tool_calls"] for row in rows for each in row["completions"] if "tool_calls" in each)
    again = evaluate(benchmark, "scripted/oracle", style=style, limit=4, runs=tmp_path / "again")
    assert outcome(again) == 1.0


def test_the_knee_is_where_the_lead_over_chance_falls(tmp_path: Path) -> None:
    words = f"curve nestools -m scripted/word-overlap --limit 9 --sizes 128,8 --json --runs {tmp_path}"
    found = json.loads(CliRunner().invoke(app, words).stdout)
    short, long = found["settings"]
    assert (short["setting"], long["setting"], long["unread_calls"]) == ("8", "128", None)
    # The model is itself the best trivial baseline: its score falls, and its lead stays nothing.
    assert long["difference_interval"][1] < 0 and long["lead_difference"] == pytest.approx(0)
    assert found["knee"] is None and "unread calls" not in found["note"]
    cells = study_cells([(cell["setting"], tmp_path / cell["run"]) for cell in found["settings"]])
    lost = replace(cells[1], lead_difference=Estimate(-0.2, -0.3, -0.1))
    assert find_knee((cells[0], lost)) == "128"
    shown = study_table("", "tools", cells, "").columns
    assert "lead against 8 [95 %]" in shown and "unread calls" not in shown
