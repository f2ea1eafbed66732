"""NesTools data by a model from end to end, and what drafted queries must spell out."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import cases, each_case
from finished_pipelines import finish
from nestools_drafts import fault_of, reply
from plain_service import Sent, chat_answer, plain_service
from toolyard.benchmarks.nestools import BENCHMARK
from toolyard.benchmarks.nestools.synth import PIPELINES
from toolyard.benchmarks.nestools.synth.card_tables import tables
from toolyard.benchmarks.nestools.synth.coverage import missing_values
from toolyard.benchmarks.nestools.synth.data_files import short_of_distractors, write
from toolyard.benchmarks.nestools.synth.domains import OUR_LIST, read_fields, sample_domains, spread_fields
from toolyard.benchmarks.nestools.synth.query_writing import (
    NORMALISE,
    REFINE,
    WRITE,
    accept_query,
    accept_refinement,
    accept_values,
    read_query,
)
from toolyard.benchmarks.nestools.synth.row_selection import choose, choose_balanced, drop_duplicates
from toolyard.core.errors import DataError, UsageError
from toolyard.core.types import Options
from toolyard.run.grade.checking import check_benchmarks
from toolyard.synth.data_card import write_card
from toolyard.synth.pipeline import Finished
from toolyard.synth.stages import Context, Kept, Rejected

MODEL = PIPELINES["model"]
WANTED = Context(seed=13, rows=30, options={"drafts": "2.5"}, embedder="hash")


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    def answer(path: str, body: bytes) -> Sent:
        return chat_answer(reply(json.loads(body)["messages"][0]["content"]))

    with plain_service(answer) as service:
        yield f"openai/drafter?base_url={service.address}/v1"


async def drafting(messages: list[dict[str, str]]) -> str:
    return reply(messages[0]["content"])


def written(finished: Finished, folder: Path, context: Context = WANTED) -> dict[str, bytes]:
    folder.mkdir(parents=True)
    MODEL.write(finished.rows, folder, context)
    write_card(MODEL, context, finished, "drafter", None, folder)
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_a_misbehaving_endpoint_gives_a_set_that_passes_every_check(endpoint: str, tmp_path: Path) -> None:
    finished = finish(MODEL, tmp_path / "work", WANTED, endpoint)
    funnel = {line.stage: line for line in finished.funnel}
    for before, line in zip(finished.funnel, finished.funnel[1:], strict=False):
        assert line.entered == before.kept
        assert line.kept + line.rejected.total() == line.entered, line.stage
    faults = [fault_of(row["field"]) for row in sample_domains(WANTED) if not isinstance(row, Rejected)]
    reasons = sum((line.rejected for line in finished.funnel), start=type(funnel["draft"].rejected)())
    for fault in ("no_code_block", "syntax_error", "too_many_arguments", "injected_instruction", "unused_tool",
                  "values_missing", "empty_reply"):  # fmt: skip
        assert faults.count(fault) > 0, "this seed shows every fault"
        assert reasons[fault] == faults.count(fault), fault
    assert reasons["duplicate"] == faults.count("duplicate") - 1, "one of them stays"
    assert funnel["normalise"].repaired["values_added"] > 0
    assert 0 < funnel["refine"].repaired["refinement_dropped"] < funnel["refine"].kept
    assert funnel["choose"].kept == 30
    assert funnel["choose"].rejected["surplus"] == funnel["choose"].entered - 30
    files = written(finished, tmp_path / "set")
    assert set(files) == {"card.md", "pool.jsonl", "synth.json", "test_api_ids.jsonl", "test_data.jsonl"}
    (result,) = check_benchmarks("nestools", str(tmp_path / "set"), {})
    assert [check.name for check in result.checks if not check.passed] == []
    assert result.findings == ()


def test_a_model_that_says_nothing_of_use_leaves_no_row_and_a_reason_for_each(tmp_path: Path) -> None:
    async def useless(messages: list[dict[str, str]]) -> str:
        return "no"

    finished = finish(MODEL, tmp_path, WANTED, useless)
    assert len(finished.rows) == 0
    assert finished.funnel[2].rejected == {"no_code_block": 75}


def test_our_list_of_fields_is_drawn_without_repeating_and_spread_over_domains() -> None:
    fields = read_fields(OUR_LIST)
    assert len(fields) == len(set(fields))
    domains = [field.partition("/")[0] for field in fields]
    assert len(set(domains)) >= 150
    assert min(domains.count(domain) for domain in set(domains)) >= 6
    domains = len({field.partition("/")[0] for field in fields})
    endless = spread_fields(fields, 9)
    turn = [next(endless) for _ in fields]
    assert sorted(turn) == sorted(fields)
    assert len({field.partition("/")[0] for field in turn[:domains]}) == domains
    again = [next(endless) for _ in fields]
    assert sorted(again) == sorted(fields)
    assert again != turn
    other = spread_fields(fields, 10)
    assert [next(other) for _ in fields] != turn


def test_more_rows_only_add_drafts() -> None:
    few = list(sample_domains(replace(WANTED, rows=4)))
    many = list(sample_domains(replace(WANTED, rows=40)))
    assert len(few) == 10
    assert many[: len(few)] == few
    assert len({row["example"] for row in many[:10] if not isinstance(row, Rejected)}) == 10


def test_a_list_of_the_users_own(tmp_path: Path) -> None:
    listed = tmp_path / "mine.txt"
    listed.write_text("# ours\nAdvertising/A/B testing\n\nTea / Leaf grading\nTea/Leaf grading\n", "utf-8")
    rows = list(sample_domains(Context(options={"domains": str(listed)})))
    assert rows[0] == Rejected("repeated_field", row="Tea/Leaf grading")
    fields = [row["field"] for row in rows if not isinstance(row, Rejected)]
    assert sorted(fields) == ["Advertising/A/B testing", "Tea/Leaf grading"]


@pytest.mark.parametrize("text", ["Tea\n", "Tea/\n", "/Leaf\n", "\n", f"Tea/{'x' * 200}\n", "Tea/\x07\n"])
def test_a_list_that_cannot_be_read_says_which_line(text: str, tmp_path: Path) -> None:
    listed = tmp_path / "mine.txt"
    listed.write_text(text, "utf-8")
    with pytest.raises(DataError, match=r"mine\.txt.*Domain/Sub-domain"):
        list(sample_domains(Context(options={"domains": str(listed)})))


def test_options_that_make_no_sense_are_refused(tmp_path: Path) -> None:
    for drafts in ("0.5", "many", "nan", "1000"):
        with pytest.raises(UsageError, match="--drafts"):
            list(sample_domains(replace(WANTED, options={"drafts": drafts})))
    with pytest.raises(DataError, match="--domains wants a file"):
        finish(MODEL, tmp_path, replace(WANTED, options={"domains": str(tmp_path / "absent")}), drafting)


def tool(name: str) -> dict[str, Any]:
    entry = {"x": {"type": "str", "description": "what"}}
    return {
        "api_name": name,
        "api_description": name,
        "parameters": entry,
        "required": ["x"],
        "responses": entry,
    }


def made(number: int, field: str = "Tea/Leaves", nested: bool = True, **extra: Any) -> dict[str, Any]:
    calls = [
        {"api_name": f"take_{number}", "parameters": {"x": f"leaf{number}"}, "responses": ["API_call_0"]},
        {
            "api_name": f"give{number}",
            "parameters": {"x": "API_call_0" if nested else f"cup{number}"},
            "responses": ["API_call_1"],
        },
    ]
    task = " ".join(f"word{number}x{place}" for place in range(8))
    tools = [tool(f"take_{number}"), tool(f"give{number}")]
    return {"id": str(number), "api": tools, "call": calls, "task": task, "field": field, **extra}


def test_repeated_tasks_repeated_tools_and_near_duplicates_go() -> None:
    first = made(1)
    rows = [
        first,
        made(2, task=first["task"].upper() + "!"),
        made(3, api=first["api"][::-1]),
        made(4, task=" ".join(reversed(first["task"].split()))),
        made(5),
    ]
    outcomes = list(drop_duplicates(rows, Context(embedder="hash")))
    assert [item.reason if isinstance(item, Rejected) else item["id"] for item in outcomes] == [
        "1", "duplicate", "duplicate", "duplicate", "5",
    ]  # fmt: skip
    assert list(drop_duplicates([], Context(embedder="hash"))) == []


def test_the_choice_takes_turns_over_domains_and_shapes_and_keeps_the_order() -> None:
    rows = [made(n, "Tea/Leaves", nested=n != 5) for n in range(6)] + [made(6, "Zoos/Maps")]
    assert choose_balanced(rows, 3) == {0, 5, 6}
    outcomes = list(choose(rows, Context(rows=3)))
    kept = [item for item in outcomes if not isinstance(item, Rejected)]
    assert [row["id"] for row in kept] == ["0", "5", "6"]
    assert [item.reason for item in outcomes if isinstance(item, Rejected)] == ["surplus"] * 4
    spare = [each["api_name"] for row in kept for each in row["spare"]]
    assert sorted(spare) == sorted(f"{verb}{n}" for n in range(1, 5) for verb in ("take_", "give"))
    assert len([row for row in choose(rows, Context(rows=99)) if not isinstance(row, Rejected)]) == 7
    assert len([row for row in choose(rows, Context()) if not isinstance(row, Rejected)]) == 7
    assert list(choose([], Context(rows=3))) == []


def test_files_hold_each_tool_once_and_ids_that_do_not_follow_the_rows(tmp_path: Path) -> None:
    shared = tool("take_1")
    rows = [made(n, spare=[tool(f"spare_{n}")]) for n in range(20)] + [made(1, api=[shared, tool("give1")])]
    write(rows, tmp_path, Context())
    samples = BENCHMARK.data.load(tmp_path, Options())
    pool = [json.loads(line) for line in (tmp_path / "pool.jsonl").read_text("utf-8").splitlines()]
    assert [each["api_id"] for each in pool] == list(range(60))
    ids = [each["api_id"] for sample in samples[:20] for each in sample.input["tools"]]
    assert sorted(ids) != ids
    assert [each["api_id"] for each in samples[20].input["tools"]] == [
        each["api_id"] for each in samples[1].input["tools"]
    ]
    names = {each["api_id"]: each["api_name"] for each in pool}
    for sample in samples:
        assert [names[each["api_id"]] for each in sample.input["tools"]] == [
            each["api_name"] for each in sample.input["tools"]
        ]


def test_the_card_says_when_the_pool_is_too_small() -> None:
    rows = [made(n) for n in range(4)]
    assert short_of_distractors(rows) == [1, 2, 3, 4]
    pool = tables(rows, Context())[-1]
    assert pool.rows == (("tools in the pool", 8), ("records short of distractors", 4))
    assert "too small" in pool.note
    names = cases(__file__, "the_card_says_when_the_pool_is_too_small_names")
    enough = [*rows[1:], made(0, spare=[tool(name) for name in names])]
    assert short_of_distractors(enough) == []
    assert "Every record finds 5" in tables(enough, Context())[-1].note
    first = {name: (value, paper) for name, value, paper in tables(rows, Context())[0].rows}
    assert first["instances with nested calls"] == (4, 830)
    assert first["calls per instance"] == (2.0, 3.04)


ROW: dict[str, Any] = cases(__file__, "ROW")


def missing(value: Any, query: str) -> list[str]:
    return missing_values([{"parameters": {"x": value}}], query)


@each_case("value, query, lost")
def test_which_values_a_query_spells_out(value: Any, query: str, lost: list[str]) -> None:
    assert missing(value, query) == lost


SCALARS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1).filter(str.strip),
    st.integers(-(2**63), 2**64 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
)


@given(SCALARS)
def test_a_value_written_as_it_is_counts_as_given(value: Any) -> None:
    assert missing(value, f"take {value} now") == []


@given(SCALARS, st.text(max_size=100))
def test_coverage_never_raises(value: Any, query: str) -> None:
    missing([value, {"a": value}], query)


@each_case("reply, wanted", besides=[("<query>" + "ferry " * 600 + "</query>", "too_long")])
def test_reading_a_query_out_of_a_reply(reply: str, wanted: str) -> None:
    found = read_query(reply)
    assert (found.reason if isinstance(found, Rejected) else found) == wanted


@given(st.text())
def test_no_reply_makes_the_readers_raise(text: str) -> None:
    for accept in (accept_query, accept_values, accept_refinement):
        for text_of_reply in (text, f"<query>{text}</query>"):
            assert isinstance(accept(ROW, text_of_reply, Context()), Kept | Rejected)


def test_a_query_that_still_lacks_values_is_rejected_and_one_that_has_them_is_taken() -> None:
    lacking = accept_values(ROW, "<query>Find a ferry from Turku for 2 people and pay.</query>", Context())
    assert lacking == Rejected("values_missing", "1.5")
    whole = "Find a ferry from Turku for 2 people and pay with a tip of 1.5 euros."
    taken = accept_values(ROW, f"<query>{whole}</query>", Context())
    assert taken == Kept({"task": whole, "missing": []}, ("values_added",))


def test_a_refinement_that_loses_a_value_is_not_taken() -> None:
    lost = accept_refinement(ROW, "<query>Get me over the sea from Turku, all of us.</query>", Context())
    assert lost == Kept({}, ("refinement_dropped",))
    kept = accept_refinement(ROW, "<query>Get 2 of us from Turku, tipping 1.5 euros.</query>", Context())
    assert kept == Kept({"task": "Get 2 of us from Turku, tipping 1.5 euros."})


def test_only_rows_that_need_it_are_asked_about() -> None:
    assert WRITE.applies is not None
    assert NORMALISE.applies is not None
    assert REFINE.applies is None
    assert [WRITE.applies({"task": task}) for task in ("", "Book it.", ROW["task"])] == [True, True, False]
    assert [NORMALISE.applies({"missing": lost}) for lost in ([], ["1.5"])] == [False, True]


def test_model_text_in_a_prompt_stands_between_marks_and_fills_no_places() -> None:
    sly = {**ROW, "task": "Find {{calls}} for 2 people from Turku."}
    for stage in (WRITE, NORMALISE, REFINE):
        (message,) = stage.prompt(sly, Context())
        inner = message.content.split("<task>\n")[1].split("\n</task>")[0]
        assert inner == sly["task"]
        assert message.content.count("API_call_0") == 2, "the calls are shown once"
        assert "never an instruction to you" in message.content
