"""Pairs from the world: the calls were executed, what is missing was needed, and no model took part."""

import json
import re
import tomllib
from collections import Counter
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from cases import each_case
from finished_pipelines import finish
from toolyard.benchmarks.toolbehonest.data.audit import audit
from toolyard.benchmarks.toolbehonest.data.rows import SUBTASKS, load
from toolyard.benchmarks.toolbehonest.data.subtask_shapes import tools_repeated_in_a_row
from toolyard.benchmarks.toolbehonest.data.tool_list import UNSOLVABLE_QUERY, working_tools
from toolyard.benchmarks.toolbehonest.synth import PIPELINES
from toolyard.benchmarks.toolbehonest.synth.row_rules import untrusted_fault
from toolyard.benchmarks.toolbehonest.synth.world.errands import errands_of_subtask
from toolyard.benchmarks.toolbehonest.synth.world.executed_plans import chain_from_json, re_execute
from toolyard.benchmarks.toolbehonest.synth.world.listed_tools import ids, offered_tools
from toolyard.benchmarks.toolbehonest.synth.world.missing_tool_proof import (
    answered_by,
    could_replace,
    field_names,
    may_replace,
    stands_in,
)
from toolyard.benchmarks.toolbehonest.synth.world.optimal_selection import (
    families_by_name,
    has_feature,
    may_have,
    unmet_constraints,
)
from toolyard.benchmarks.toolbehonest.synth.world.tasks import NUMBERS, task_phrases
from toolyard.core.nesting import texts_in
from toolyard.core.types import Options
from toolyard.run.grade.checking import check_benchmarks
from toolyard.synth.chains.execution import re_execution
from toolyard.synth.engines.local_engine import LocalEngine
from toolyard.synth.pipeline import Finished
from toolyard.synth.stages import Context
from toolyard.world import VERSION
from toolyard.world.kernel.executor import call
from toolyard.world.kernel.phrase import phrases
from toolyard.world.kernel.registry import library
from toolyard.world.kernel.state import World

WORLD = PIPELINES["world"]
ROWS = 70
Record = Mapping[str, Any]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    return finish(WORLD, tmp_path_factory.mktemp("world"), Context(rows=ROWS), engine=LocalEngine(2))


@pytest.fixture(scope="module")
def folder(finished: Finished, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("world_data")
    WORLD.write(finished.rows, out, Context(rows=ROWS))
    return out


@pytest.fixture(scope="module")
def records(folder: Path, finished: Finished) -> list[Record]:
    """The records of the file, each with what its row of the pipeline says of its execution."""
    found: list[Record] = json.loads((folder / "test_en.json").read_text("utf-8"))
    ordered = sorted(finished.rows, key=lambda row: SUBTASKS.index(row["subtask"]))
    return [{**record, "execution": row["execution"]} for record, row in zip(found, ordered, strict=True)]


def form(record: Record) -> str:
    return str(record["execution"]["unsolvable"]["form"])


def listed(record: Record, field: str) -> list[str]:
    return [tool.name for tool in working_tools(record[field])]


def test_there_are_as_many_pairs_of_each_subtask_as_were_wanted_and_reasons_for_the_rest(
    records: list[Record], finished: Finished
) -> None:
    assert Counter(record["subtask"] for record in records) == dict.fromkeys(SUBTASKS, ROWS // len(SUBTASKS))
    for line in finished.funnel[1:]:
        assert line.kept + sum(line.rejected.values()) == line.entered


def test_the_set_passes_the_check_of_the_command_line_and_has_no_findings(folder: Path) -> None:
    (folder / "synth.json").write_text(f'{{"world": "{VERSION}"}}')
    (result,) = check_benchmarks("toolbehonest", str(folder), {})
    assert result.passed, result.checks
    assert result.findings == audit(folder, load(folder, Options())) == ()


def test_every_plan_is_what_was_executed_and_gives_the_same_again(records: list[Record]) -> None:
    for record in records:
        steps = [offered_tools()[step["tool"]][0] for step in record["execution"]["steps"]]
        assert steps == record["planning_tools"][:-1]
        assert re_execute(record), record["id"]


def test_stored_calls_return_what_is_stored_changed_ones_do_not(folder: Path, records: list[Record]) -> None:
    found = re_execution(folder)
    assert found.lines == ROWS
    assert found.wrong == ()
    changed = json.loads(json.dumps(records[0]))
    changed["execution"]["steps"][0]["digest"] = "0" * 16
    assert not re_execute(changed)
    renamed = json.loads(json.dumps(records[0]))
    renamed["execution"]["steps"][0]["tool"] = "No/such/tool"
    assert not re_execute(renamed)


def test_nothing_that_is_left_can_stand_in_for_a_tool_that_was_taken_away(records: list[Record]) -> None:
    removed = [record for record in records if form(record) == "removed"]
    assert {record["subtask"] for record in removed} == set(SUBTASKS) - {"iter", "best"}
    for record in removed:
        chain = chain_from_json(record["execution"])
        left = [ids()[name] for name in listed(record, "unsolvable_tools")]
        for index, step in enumerate(record["planning_tools_unsolvable"]):
            if step == UNSOLVABLE_QUERY:
                needed = chain.steps[index].tool
                # A step that names a service cannot be done by another.
                assert not any(could_replace(other, needed, record["task"]) for other in left), record["id"]
                assert answered_by(chain, index, left) == (), record["id"]


def test_every_step_can_be_done_by_one_listed_tool_only(records: list[Record]) -> None:
    for record in records:
        if record["subtask"] != "best":
            shown = {ids()[name] for field in ("tools", "unsolvable_tools") for name in listed(record, field)}
            used = {step["tool"] for step in record["execution"]["steps"]}
            assert [
                (tool, needed) for tool in shown - used for needed in used if stands_in(tool, needed)
            ] == [], record["id"]


def test_the_table_of_stand_ins_names_tools_of_the_library() -> None:
    text = (
        resources.files("toolyard.benchmarks.toolbehonest.synth.world")
        .joinpath("stand_ins.toml")
        .read_text("utf-8")
    )
    table = tomllib.loads(text)
    names = {*table["searches"], *(name for line in table["answers"] for name in line)}
    assert [name for name in sorted(names) if not any(tool.endswith(f"/{name}") for tool in library())] == []


@each_case("other, needed")
def test_a_tool_that_answers_the_same_question_stands_in(other: str, needed: str) -> None:
    assert stands_in(other, needed)


def test_a_step_that_names_its_service_is_not_done_by_another() -> None:
    walmart, ebay = "Search/ShoppingSearch/walmart_search", "Search/ShoppingSearch/ebay_search"
    assert could_replace(walmart, ebay, "Find used headphones.")
    assert not could_replace(walmart, ebay, "Find used headphones on eBay.")


def test_every_errand_has_steps_to_say_in_two_ways_and_slots_that_are_said() -> None:
    for subtask in ("multi_step_w_rep", "multi_step_wo_rep", "os", "web"):
        for errand in errands_of_subtask(subtask):
            assert len(errand.opening) > 1 and all(len(wish.ways) > 1 for wish in errand.wishes)
            ways = [way for wish in errand.wishes for way in (*wish.ways, *wish.again)]
            given = json.dumps([str(wish.step.arguments) for wish in errand.wishes])
            said = " ".join([*errand.opening, *errand.both, *ways])
            for group in (joined.split("+") for joined in errand.slots):
                used = any(f"{{{name}}}" in given for name in group)
                assert not used or any(f"{{{name}}}" in said for name in group), group
            assert len(set(ways)) == len(ways), "a wish is repeated in other words"
            if not errand.whole:
                first = [way for wish in errand.wishes for way in wish.ways]
                assert not [way for way in first if way.startswith(("And ", "Then "))], "any order will do"
                assert all("2}" in way for wish in errand.wishes for way in wish.again)


def test_a_tool_that_is_wanted_twice_must_be_given_what_changes() -> None:
    # A tool that lists all without it would do both steps in one call.
    for errand in errands_of_subtask("multi_step_w_rep"):
        names = {name for joined in errand.slots for name in joined.split("+")}
        slots = [f"{{{name}}}" for name in names if f"{name}2" in names]
        for wish in (wish for wish in errand.wishes if wish.again):
            required = {item.name for item in library()[wish.step.tool].document.parameters if item.required}
            changing = {
                name
                for name, given in wish.step.arguments.items()
                if any(slot in str(given) for slot in slots)
            }
            assert changing and changing <= required, wish.step.tool


def test_without_the_missing_tool_all_other_steps_can_still_be_done(records: list[Record]) -> None:
    for record in records:
        if form(record) == "removed":
            steps = chain_from_json(record["execution"]).steps
            taken = {reference.step for step in steps for reference in step.references.values()}
            plan = record["planning_tools_unsolvable"]
            assert not [place for place in taken if plan[place] == UNSOLVABLE_QUERY], record["id"]
            chain, world = chain_from_json(record["execution"]), World.fresh(record["execution"]["seed"])
            for place, step in enumerate(steps):
                if plan[place] != UNSOLVABLE_QUERY:
                    assert call(world, step.tool, chain.resolved(place)).error is None, record["id"]


def test_the_proof_by_execution_finds_a_tool_that_gives_the_same() -> None:
    from toolyard.synth.chains.chain import Chain, PlannedStep, execute

    chain = execute((PlannedStep("IP/IP/ip_country", {"ip": "8.8.8.8"}),))
    assert isinstance(chain, Chain)
    step = {
        "tool": "IP/IP/ip_country",
        "arguments": {"ip": "8.8.8.8"},
        "result": {"country": "United States"},
    }
    only_country = chain_from_json({"seed": 0, "steps": [step]})
    assert answered_by(only_country, 0, ["IP/IP/ip_details", "Word/Word/get_rhymes"]) == ("IP/IP/ip_details",)


@each_case("other, needed, able")
def test_what_can_stand_in_for_what(other: str, needed: str, able: bool) -> None:
    assert may_replace(other, needed) is able


def test_limits_stand_in_the_task_and_in_the_list(records: list[Record]) -> None:
    found = Counter(form(record) for record in records if record["subtask"] == "iter")
    assert found["limit"] and found["function"] and found.total() == ROWS // len(SUBTASKS)
    for record in (record for record in records if record["subtask"] == "iter"):
        proof = record["execution"]["unsolvable"]
        (limited,) = [tool for tool in working_tools(record["tools"]) if " per call" in tool.description]
        assert limited.name in tools_repeated_in_a_row(record["planning_tools"])
        if proof["form"] == "limit":
            # One call short, so that one step is left whether a plan stops there or goes on.
            assert len(record["planning_tools"]) == len(record["planning_tools_unsolvable"])
            assert record["planning_tools_unsolvable"].index(UNSOLVABLE_QUERY) == proof["calls"]
            assert NUMBERS[proof["calls"]] in record["unsolvable_task"]
            assert NUMBERS[len(record["planning_tools"]) - 1] in record["task"]
        else:
            (less,) = [one for one in working_tools(record["unsolvable_tools"]) if one.name == limited.name]
            for value in proof["dropped"]:
                assert value in limited.description
                assert value not in less.description.split(" per call")[1]


def test_exactly_one_tool_meets_the_constraints_and_both_tasks_say_so(records: list[Record]) -> None:
    by_tools = {frozenset(family["tools"]): family for family in families_by_name().values()}
    for record in (record for record in records if record["subtask"] == "best"):
        proof = record["execution"]["unsolvable"]
        family = by_tools[frozenset(proof["lacked"])]
        meeting = [tool for tool in family["tools"] if not unmet_constraints(tool, family, proof["met"])]
        assert [offered_tools()[tool][0] for tool in meeting] == record["planning_tools"][:-1]
        assert all(unmet_constraints(tool, family, proof["wanted"]) for tool in family["tools"])
        assert all(say in record["unsolvable_task"] for say in proof["wanted"])
    chosen = [record for record in records if record["subtask"] == "best"]
    said: Counter[str] = Counter()
    for record in chosen:
        (sentence,) = [text for text in task_phrases()["one_tool"] if text in record["task"]]
        assert sentence in record["unsolvable_task"]
        said[sentence] += 1
    assert len(said) > 2


def feature(family: str, begins: str) -> Record:
    found: list[Record] = [
        item for item in families_by_name()[family]["features"] if item["say"].startswith(begins)
    ]
    assert len(found) == 1
    return found[0]


def test_a_tool_with_something_like_a_feature_neither_has_it_nor_lacks_it() -> None:
    delivery, walmart = (feature("shopping", "Can it be here within"), "Product/Walmart/walmart_search")
    assert not has_feature(walmart, delivery)
    assert may_have(walmart, delivery)
    assert unmet_constraints(walmart, families_by_name()["shopping"], [delivery["say"]]) == []
    assert has_feature(
        "Paper/meta_analysis/get_papers_by_keywords", feature("papers", "How often was each of them cited")
    )


def test_families_of_tools_are_told_apart_by_what_their_documents_say() -> None:
    for name, family in families_by_name().items():
        for item in family["features"]:
            plain = {key: value for key, value in item.items() if key not in ("always", "perhaps")}
            for tool in (*item.get("always", ()), *item.get("perhaps", ())):
                assert tool in family["tools"], (name, tool)
                assert not has_feature(tool, plain), (name, tool)
    for name, family in families_by_name().items():
        for tool in family["tools"]:
            document = library()[tool].document
            names = [*field_names(document.result), *(item.name for item in document.parameters)]
            text = " ".join([document.description, *names]).lower()
            assert not [word for _, word in family["absent"] if word in text], (name, tool)
    for name, family in families_by_name().items():
        for feature in family["features"]:
            able = [tool for tool in family["tools"] if has_feature(tool, feature)]
            assert 0 < len(able) < len(family["tools"]), (name, feature["say"])


def test_a_description_keeps_every_word_of_the_document_that_requests_use() -> None:
    described = [tool.id for tool in library().values() if tool.facts.described_as]
    assert len(described) > 20
    for tool in described:
        phrase = phrases()[tool]
        asked = " ".join([*(f"{piece.before} {piece.after}" for piece in phrase.pieces), phrase.noun])
        lost = stems(asked) & stems(library()[tool].document.description) - stems(offered_tools()[tool][1])
        assert not lost, (tool, lost)
    assert "what cites it" in offered_tools()["Paper/meta_analysis/get_paper_details"][1]


def stems(text: str) -> set[str]:
    return {word.rstrip("s") for word in re.findall("[a-z]{4,}", text.lower())} - {
        "that",
        "with",
        "list",
        "from",
    }


def test_no_text_of_the_world_is_taken_for_an_order_to_the_reader(records: list[Record]) -> None:
    shown = [
        *texts_in([list(tool) for tool in offered_tools().values()]),
        *texts_in(task_phrases()),
        *texts_in(families_by_name()),
    ]
    assert untrusted_fault([*shown, *(record["unsolvable_task"] for record in records)]) is None


def test_names_descriptions_openings_and_gaps_vary(records: list[Record]) -> None:
    names = [name for name, _ in offered_tools().values()]
    descriptions = [description for _, description in offered_tools().values()]
    assert len(set(names)) == len(names) == len(set(descriptions))
    assert all(re.fullmatch(r"[A-Za-z0-9]{5,}", name) for name in names)
    assert not [text for text in descriptions if "\n" in text or not text.endswith(".")]
    openings = {record["task"].split(". ")[0] for record in records}
    assert len(openings) > ROWS // 3
    assert all(len(set(sentences)) == len(sentences) for sentences in task_phrases().values())
    places = Counter(
        record["planning_tools_unsolvable"].index(UNSOLVABLE_QUERY)
        for record in records
        if record["subtask"] in ("multi_step_wo_rep", "os", "web")
    )
    assert len(places) >= 4


def test_another_seed_gives_other_pairs(tmp_path: Path, records: list[Record]) -> None:
    other = finish(WORLD, tmp_path, Context(seed=1, rows=7))
    assert not {row["task"] for row in other.rows} & {record["task"] for record in records}
