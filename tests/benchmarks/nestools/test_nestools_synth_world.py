"""Nested records from the world: they load, their gold executes, and a model may only change the words."""

import json
from pathlib import Path
from typing import NoReturn

import pytest

from toolyard.benchmarks.nestools.data.distractors import is_distinct_name, prepare_distractors
from toolyard.benchmarks.nestools.data.rows import load
from toolyard.benchmarks.nestools.synth.made_records import chain_gold_calls, proved_alternatives
from toolyard.benchmarks.nestools.synth.record_documents import documented_fields, record_document
from toolyard.benchmarks.nestools.synth.similar_tools import draw_similar_tools
from toolyard.core.types import Options
from toolyard.run.grade.checking import check_benchmarks
from toolyard.synth.chains.chain import Chain, execute
from toolyard.synth.chains.execution import EXECUTION, re_execution
from toolyard.synth.chains.substitutes import can_replace, chain_jobs
from toolyard.synth.command import Made, synthesise
from toolyard.synth.goals.goal_plans import plan
from toolyard.synth.settings import SynthSettings
from toolyard.world.kernel.registry import library

ROWS = 8


def make(folder: Path, **base_settings: object) -> Made:
    return synthesise(
        SynthSettings("nestools", "world", rows=ROWS, seed=7, out=folder, workers=1, **base_settings)
    )  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return make(tmp_path_factory.mktemp("world") / "data")


def records(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "test_data.jsonl").read_text("utf-8").splitlines()]


def test_the_set_has_the_wanted_size_and_passes_check(made: Made) -> None:
    assert made.rows == made.wanted == ROWS
    result = check_benchmarks("nestools", str(made.folder), {})[0]
    assert result.passed, result
    assert "gold executes to its stored results" in {check.name for check in result.checks}
    assert not [finding for finding in result.findings if finding.severity == "defect"]


def test_another_seed_gives_other_records_that_say_who_wrote_their_words(made: Made, tmp_path: Path) -> None:
    other = synthesise(SynthSettings("nestools", "world", rows=ROWS, seed=8, out=tmp_path / "x", workers=1))
    tasks = {record["task"] for record in records(made.folder)}
    assert not tasks & {record["task"] for record in records(other.folder)}
    assert {record["origin"] for record in records(made.folder)} == {"goal"}


def test_a_changed_result_is_found(made: Made, tmp_path: Path) -> None:
    lines = [json.loads(line) for line in (made.folder / EXECUTION).read_text("utf-8").splitlines()]
    assert re_execution(made.folder).wrong == ()
    name = next(iter(lines[3]["calls"][0]["result"]))
    lines[3]["calls"][0]["result"][name] = "something else"
    (tmp_path / EXECUTION).write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    assert re_execution(tmp_path).wrong == (lines[3]["id"],)


def filled(value: object, produced: dict[str, object]) -> object:
    if isinstance(value, list):
        return [filled(item, produced) for item in value]
    return produced[value] if isinstance(value, str) and value.startswith("API_call_") else value


def test_nested_values_are_those_that_were_returned(made: Made) -> None:
    for sample, line in zip(
        load(made.folder, Options()), (made.folder / EXECUTION).read_text("utf-8").splitlines(), strict=True
    ):
        calls = json.loads(line)["calls"]
        produced: dict[str, object] = {}
        for gold, executed in zip(sample.gold["calls"], calls, strict=True):
            tool = next(each for each in sample.input["tools"] if each["api_name"] == gold["api_name"])
            for name, value in gold["parameters"].items():
                assert executed["arguments"][name] == filled(value, produced)
            values = [executed["result"].get(field) for field in tool["responses"]]
            produced.update(zip(gold["responses"], values, strict=True))


def test_every_tool_has_a_document_in_the_form_of_the_data() -> None:
    names = {record_document(tool_id)["api_name"] for tool_id in library()}
    assert len(names) == len(library())
    for tool_id in library():
        tool = record_document(tool_id)
        assert set(tool["required"]) <= set(tool["parameters"])
        assert tool["responses"], tool_id
    tool = record_document("Competition/API_F1/races")
    assert "One of: Race, Sprint, 1st Qualifying" in tool["parameters"]["type"]["description"]
    assert tool["parameters"]["timezone"]["description"].endswith("Default: UTC.")
    assert "YYYY-MM-DD" in tool["parameters"]["date"]["description"]


def test_five_distractors_per_gold_tool_with_names_of_their_own(made: Made) -> None:
    for sample in load(made.folder, Options()):
        gold = [tool["api_name"] for tool in sample.input["tools"]]
        offered = [tool["api_name"] for tool in sample.input["distractors"]]
        assert len(offered) == len(set(offered)) == 5 * len(gold)
        assert not set(offered) & set(gold)
        assert all(is_distinct_name(other, gold) for other in offered), sample.id

    def embed(texts: object) -> NoReturn:
        raise AssertionError(texts)

    assert prepare_distractors(made.folder, load(made.folder, Options()), embed, 0) == {}


def test_distractors_are_neighbours_that_cannot_do_the_job() -> None:
    steps = plan([["get_makes", {"manufacturer": "Honda"}], ["get_models", {"id": "$1.make_id"}]], "here")
    chain = execute(steps, 0, documented_fields)
    assert isinstance(chain, Chain)
    found = draw_similar_tools(chain, "Which makes does Honda have? List the models of the first.")
    assert len(found) == 10
    assert sum(tool.startswith("Vehicle/") for tool in found) >= 4
    assert not any(can_replace(tool, job) for tool in found for job in chain_jobs(chain))


def test_what_else_is_right_is_proved() -> None:
    calls = [
        ["weatherapi/search", {"q": "Lisbon"}],
        ["weatherapi/marine", {"q": "$1.coordinates", "tide": True}],
        ["openweathermap/current_weather", {"location": "Lisbon"}],
    ]
    chain = execute(plan(calls, "here"), 0, documented_fields)
    assert isinstance(chain, Chain)
    found = proved_alternatives(chain, "The sea at Lisbon, with tides.", {})
    assert {"call": 0, "parameter": "lang", "values": ["en"]} in found
    label = chain_gold_calls(chain)[0]["responses"][
        [field.name for field in documented_fields(chain.steps[0].tool)].index("city")
    ]
    places = [entry["values"] for entry in found if entry.get("call") == 2]
    assert label in places[0]
    assert found[-1] == {"order": "free"}


def test_a_value_under_two_labels_is_right_under_either() -> None:
    calls = [
        ["API_FOOTBALL/leagues", {"name": "Bundesliga"}],
        ["API_FOOTBALL/fixtures", {"league": "$1.football_league_id", "last": 1}],
    ]
    chain = execute(plan(calls, "here"), 0, documented_fields)
    assert isinstance(chain, Chain)
    assert not any(entry.get("parameter") == "league" for entry in proved_alternatives(chain, "", {}))


def test_rephrasing_changes_words_and_never_values(tmp_path: Path) -> None:
    async def shouting(messages: list[dict[str, str]]) -> str:
        request = messages[0]["content"].split("----------")[1].strip()
        return f"Please, {request}" if "weather" not in request else "I forgot what you wanted to know."

    made = make(tmp_path / "data", model=shouting)
    assert made.manifest["pipeline"] == "world+model"
    tasks = [str(record["task"]) for record in records(made.folder)]
    assert sum(task.startswith("Please, ") for task in tasks) == ROWS - made.manifest["stages"][-1][
        "repaired"
    ].get("rephrasing_dropped", 0)
    assert not any("I forgot" in task for task in tasks)


def test_a_rewording_about_something_else_is_not_taken(tmp_path: Path) -> None:
    async def dreaming(messages: list[dict[str, str]]) -> str:
        return "Purple bananas sing at dawn, and the sea is quiet again."

    made = make(tmp_path / "data", model=dreaming)
    assert made.manifest["stages"][-1]["repaired"] == {"rephrasing_dropped": ROWS}
    assert not any("bananas" in str(record["task"]) for record in records(made.folder))
