"""Dialogues from the world: what every one of them promises, and that they come out the same again."""

import json
import random
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cases import cases, each_case
from finished_pipelines import finish
from toolyard.benchmarks.mtu import BENCHMARK
from toolyard.benchmarks.mtu.data.hard_types import is_nonsense
from toolyard.benchmarks.mtu.synth import PIPELINES
from toolyard.benchmarks.mtu.synth.world.dialogue_rules import (
    TODAY,
    fault,
    gold_answer,
    obeys_setting,
    question,
    underivable_values,
)
from toolyard.benchmarks.mtu.synth.world.dialogue_sentences import said_value
from toolyard.benchmarks.mtu.synth.world.moves import SCRIPTS
from toolyard.benchmarks.mtu.synth.world.pipeline import SETTINGS, rows_per_setting
from toolyard.benchmarks.mtu.synth.world.tool_documents import are_alike, document, names, parameter_schema
from toolyard.core.types import Options
from toolyard.run.grade.checking import check_benchmark
from toolyard.synth.chains.execution import EXECUTION, execution_holds, re_execution
from toolyard.synth.data_card import write_card
from toolyard.synth.pipeline import Finished, StageProgress
from toolyard.synth.stages import Context
from toolyard.world.kernel.phrase import speakable
from toolyard.world.kernel.registry import library

GRAMMAR = PIPELINES["grammar"]
DIALOGUES = 44
SEED = 3


def make(work: Path, rows: int, show: Callable[[StageProgress], None] = lambda _: None) -> Finished:
    return finish(GRAMMAR, work, Context(seed=SEED, rows=rows), show=show)


def written(finished: Finished, folder: Path, rows: int) -> dict[str, bytes]:
    folder.mkdir()
    GRAMMAR.write(finished.rows, folder, Context(seed=SEED, rows=rows))
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    return make(tmp_path_factory.mktemp("world") / "work", DIALOGUES)


@pytest.fixture(scope="module")
def dialogues(finished: Finished) -> list[dict[str, Any]]:
    return [dict(row) for row in finished.rows]


@pytest.fixture(scope="module")
def folder(finished: Finished, tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("data") / "mtu"
    written(finished, found, DIALOGUES)
    write_card(GRAMMAR, Context(seed=SEED, rows=DIALOGUES), finished, "", None, found)
    return found


def rows_in(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """The rows by dialogue."""
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for path in sorted(folder.glob("*_eval.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line)
            found["_".join(row["id"].split("_")[:2])].append(row)
    return found


def test_as_many_dialogues_as_wanted_evenly_over_settings(dialogues: list[dict[str, Any]]) -> None:
    assert rows_per_setting(10) == {"S-S": 3, "S-M": 3, "M-S": 2, "M-M": 2}
    counts = {setting: sum(row["setting"] == setting for row in dialogues) for setting in SETTINGS}
    assert counts == dict.fromkeys(SETTINGS, DIALOGUES // 4)


def test_nothing_vanishes_between_stages(finished: Finished) -> None:
    for before, line in zip(finished.funnel, finished.funnel[1:], strict=False):
        assert line.entered == before.kept
        assert line.kept + sum(line.rejected.values()) == line.entered


@each_case("setting, calls, obeyed")
def test_a_setting_is_told_by_its_calls_per_turn(setting: str, calls: list[int], obeyed: bool) -> None:
    assert obeys_setting(setting, calls) is obeyed


def test_every_dialogue_obeys_its_setting(dialogues: list[dict[str, Any]]) -> None:
    for row in dialogues:
        assert obeys_setting(row["setting"], [len(turn["calls"]) for turn in row["turns"]]), row["id"]


def test_calls_and_no_calls_follow_the_situation(dialogues: list[dict[str, Any]]) -> None:
    silent = {"missing", "exists", "chat", "inability"}
    seen = set()
    for row in dialogues:
        for turn in row["turns"]:
            assert bool(turn["calls"]) is (turn["situation"] not in silent), turn["user"]
            seen.add(turn["situation"])
    assert seen >= {*silent, "call", "inherited", "supplied", "changed"}


def test_what_is_missing_is_said_in_the_next_turn_only(dialogues: list[dict[str, Any]]) -> None:
    for row in dialogues:
        for place, turn in enumerate(row["turns"]):
            if turn["situation"] != "missing":
                continue
            later = row["turns"][place + 1]
            assert later["situation"] == "supplied"
            too_early = {**row, "turns": [*row["turns"][:place], {**later, "user": turn["user"]}]}
            assert list(underivable_values(too_early, place)), "the first turn alone must not be enough"
            assert turn["assistant"].endswith("?")


def test_a_changed_call_differs_in_one_value_only(dialogues: list[dict[str, Any]]) -> None:
    changed = [
        (row, place)
        for row in dialogues
        for place, turn in enumerate(row["turns"])
        if turn["situation"] == "changed"
    ]
    assert changed
    for row, place in changed:
        now = row["turns"][place]["calls"][0]
        past = [
            call for turn in row["turns"][:place] for call in turn["calls"] if call["name"] == now["name"]
        ][-1]
        assert past["arguments"].keys() == now["arguments"].keys()
        different = [name for name, value in now["arguments"].items() if past["arguments"][name] != value]
        assert len(different) == 1


def test_every_gold_value_can_be_derived(dialogues: list[dict[str, Any]]) -> None:
    for row in dialogues:
        for place in range(len(row["turns"])):
            assert list(underivable_values(row, place)) == [], row["id"]


def test_a_value_that_nobody_said_is_found(dialogues: list[dict[str, Any]]) -> None:
    row = next(row for row in dialogues if row["setting"] == "S-S" and row["turns"][0]["calls"])
    turn = row["turns"][0]
    call = turn["calls"][0]
    forged = dict.fromkeys(call["arguments"], "zq-never-said")
    wrong = {**row, "turns": [{**turn, "calls": [{**call, "arguments": forged}]}]}
    assert len(list(underivable_values(wrong, 0))) == len(forged) > 0
    assert fault(wrong) is not None


def test_gold_tools_are_listed_and_a_removed_tool_is_not(dialogues: list[dict[str, Any]]) -> None:
    for row in dialogues:
        listed = [tool["name"] for tool in row["tools"]]
        assert len(listed) == len(set(listed))
        used = {call["name"] for turn in row["turns"] for call in turn["calls"]}
        assert used <= set(listed)
        assert len(listed) >= len(used) + 2
        for turn in row["turns"]:
            if turn["situation"] == "inability":
                step = (row["removed"] or row["chain"])["steps"][0]
                assert names()[step["tool"]] not in listed


def test_no_distractor_could_do_the_job(dialogues: list[dict[str, Any]]) -> None:
    ids = {name: tool_id for tool_id, name in names().items()}
    for row in dialogues:
        wanted = [
            step["tool"] for step in [*row["chain"]["steps"], *(row["removed"] or {"steps": []})["steps"]]
        ]
        others = [ids[tool["name"]] for tool in row["tools"] if tool["name"] in ids]
        for other in others:
            if other not in wanted:
                assert not library()[other].general
                assert not any(are_alike(each, other) for each in wanted), (wanted, other)


def test_tools_that_do_the_same_are_alike() -> None:
    assert are_alike("Weather/weatherapi/current_weather", "Weather/openweathermap/current_weather")
    assert are_alike("Food/spoonacular_recipes_info/get_similar_recipes", "Food/Tasty/get_similar_recipes")
    assert are_alike("Weather/weatherapi/ip_lookup", "Anti_Malware/Anti_Malware/check_ip"), (
        "both tell where it is"
    )
    assert are_alike("Food/spoonacular_recipes_info/get_recipe_information", "Food/Tasty/get_more_info")
    assert not are_alike("Weather/weatherapi/current_weather", "Joke/jokes/random_joke")
    assert not are_alike("Word/Word/get_rhymes", "Translation/Translation/get_translation_baidu")


def test_hard_types_are_what_they_say(dialogues: list[dict[str, Any]]) -> None:
    built = {row["hard"] for row in dialogues} - {""}
    assert built == {script.hard for script in SCRIPTS} - {""}
    for row in dialogues:
        calls = [call for turn in row["turns"] for call in turn["calls"]]
        if row["hard"] == "interaction":
            assert len(calls) > 4
        if row["hard"] == "nonsensical_names":
            strange = [tool["name"] for tool in row["tools"] if is_nonsense(tool)]
            assert len(strange) == 1
            assert strange[0] in {call["name"] for call in calls}
        if row["hard"] == "specific_values":
            executed = row["turns"][0]["executed"][0]
            schemas = {name: parameter_schema(executed["tool"], name) for name in executed["arguments"]}
            said = {name: said_value(schemas[name], value) for name, value in executed["arguments"].items()}
            otherwise = [said[name] for name, value in executed["arguments"].items() if said[name] != value]
            assert otherwise
            assert all(text in row["turns"][0]["user"] for text in otherwise)


def test_every_call_returns_again_what_is_stored(folder: Path) -> None:
    found = re_execution(folder)
    assert found.lines == DIALOGUES
    assert found.calls >= DIALOGUES
    assert found.wrong == ()


def test_a_forged_result_does_not_pass(folder: Path) -> None:
    lines = map(json.loads, (folder / EXECUTION).read_text("utf-8").splitlines())
    line = next(line for line in lines if line["calls"])
    assert execution_holds(line)
    line["calls"][0]["result"]["forged"] = "never returned"
    assert not execution_holds(line)


def test_observations_hold_only_documented_results(dialogues: list[dict[str, Any]]) -> None:
    for row in dialogues:
        results = {tool["name"]: {one["name"] for one in tool["result_parameters"]} for tool in row["tools"]}
        for turn in row["turns"]:
            for call, executed in zip(turn["calls"], turn["executed"], strict=True):
                assert executed["result"].keys() <= results[call["name"]]


def test_the_set_passes_every_check_of_the_benchmark(folder: Path) -> None:
    result = check_benchmark(BENCHMARK, str(folder), {})
    assert [check for check in result.checks if not check.passed] == []
    assert [finding for finding in result.findings if finding.severity != "note"] == []
    assert [finding for finding in result.findings if "history" in finding.what] == []


def test_it_loads_with_settings_and_difficulty(folder: Path) -> None:
    samples = BENCHMARK.data.load(folder, Options())
    assert {sample.groups["setting"] for sample in samples} == set(SETTINGS)
    assert {sample.groups["difficulty"] for sample in samples} == {"normal", "hard"}
    assert len({sample.cluster for sample in samples}) == DIALOGUES


class Stop(Exception):
    """Raised in the middle of a run."""


def test_a_run_that_is_stopped_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    whole = written(make(tmp_path / "whole", 8), tmp_path / "a", 8)
    rng = random.Random(5)
    stops = 0
    for _ in range(4):
        left = rng.randrange(20, 150)

        def show(_: StageProgress) -> None:
            nonlocal left
            left -= 1
            if left < 0:
                raise Stop

        try:
            make(tmp_path / "parts", 8, show)
        except Stop:
            stops += 1
    assert stops > 0
    assert written(make(tmp_path / "parts", 8), tmp_path / "b", 8) == whole
    assert list(whole) == [*(f"{setting}_eval.jsonl" for setting in sorted(SETTINGS)), "execution.jsonl"]


def test_names_are_unique_readable_and_callable() -> None:
    found = list(names().values())
    assert len(set(found)) == len(speakable())
    assert all(name.isascii() and name.replace("_", "").isalnum() and name == name.lower() for name in found)
    assert names()["Mail/Mail/recieve_id"] == "receive_id"
    assert names()["Weather/weatherapi/history"] == "weatherapi_history"
    assert names()["Competition/API_F1/drivers_2"] == "f1_teams"


def test_documents_have_the_five_keys_with_choices_and_formats() -> None:
    found = document("Weather/weatherapi/forecast", "forecast")
    assert list(found) == cases(__file__, "documents_have_the_five_keys_with_choices_and_formats")
    optional = {item["name"]: item for item in found["optional_parameters"]}
    assert optional["lang"]["choices"] == ["en", "de", "es", "fr"]
    assert optional["dt"]["format"] == "YYYY-MM-DD"
    assert {item["name"] for item in found["required_parameters"]} == {"q", "days", "aqi"}


@each_case("schema, value, said")
def test_words_say_values_where_a_rule_leads_back(schema: dict[str, Any], value: Any, said: Any) -> None:
    assert said_value(schema, value) == said


def test_questions_have_the_layout_of_the_starter_sets() -> None:
    starter = BENCHMARK.data.starter
    for setting in SETTINGS:
        row = json.loads((starter / f"{setting}_eval.jsonl").read_text("utf-8").splitlines()[0])
        sample = BENCHMARK.data.load(starter / f"{setting}_eval.jsonl", Options())[0]
        made = question(setting, sample.input["tools"], [], sample.input["user"], TODAY)
        assert made == row["question"].replace("Thursday, 2024-05-16", "Wednesday, 2024-05-15")
    assert gold_answer("M-M", {}) == {}
    assert gold_answer("M-S", {}) == {"": {}}
