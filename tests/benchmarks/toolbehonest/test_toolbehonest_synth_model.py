"""The model pipeline and its parts: every row is kept or rejected with its reason."""

import asyncio
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st

from cases import cases, each_case
from chat_endpoint import chat, serve
from finished_pipelines import finish
from json_files import read_json
from toolbehonest_author import WRONG_DRAFTS, WRONG_REVIEWS, author, bad_author, misbehaving
from toolyard.benchmarks import load_benchmark
from toolyard.benchmarks.toolbehonest.data.rows import SUBTASKS, read_items
from toolyard.benchmarks.toolbehonest.synth import PIPELINES
from toolyard.benchmarks.toolbehonest.synth.data_files import item_to_row, write
from toolyard.benchmarks.toolbehonest.synth.diversity import farthest_first
from toolyard.benchmarks.toolbehonest.synth.drafting import read_sample, sample_text
from toolyard.benchmarks.toolbehonest.synth.row_rules import pair_fault, shared_description, solvable_fault
from toolyard.benchmarks.toolbehonest.synth.synthesis_rounds import SEED_PAIRS, distinct, seeds, take_review
from toolyard.benchmarks.toolbehonest.synth.unsolvable_twins import (
    break_plan,
    read_verdicts,
    requirements_fault,
    take_addition,
    take_what_fits,
    take_which_fits,
)
from toolyard.core.errors import UsageError
from toolyard.run.grade.checking import check_benchmark
from toolyard.synth.pipeline import Finished
from toolyard.synth.stages import Context, Kept, Rejected

MODEL = PIPELINES["model"]
SMALL = {"per-subtask": "2", "target": "6", "shortlist": "4", "rounds": "2"}


def context(**options: str) -> Context:
    values = {choice.name: choice.default for choice in MODEL.choices}
    return Context(seed=5, options={**values, **SMALL, **options}, embedder="hash")


def finish_model(work: Path, model: object = author, **options: str) -> Finished:
    return finish(MODEL, work, context(**options), model)


def file_of(finished: Finished, folder: Path) -> Path:
    folder.mkdir()
    MODEL.write(finished.rows, folder, context())
    return folder / "test_en.json"


def rejected(finished: Finished) -> Counter[str]:
    return sum((line.rejected for line in finished.funnel), Counter[str]())


def lines(finished: Finished) -> Mapping[str, Any]:
    return {line.stage: line for line in finished.funnel}


def test_a_good_author_fills_every_quota(tmp_path: Path) -> None:
    finished = finish_model(tmp_path)
    assert Counter(row["subtask"] for row in finished.rows) == dict.fromkeys(SUBTASKS, 2)
    funnel = lines(finished)
    assert (funnel["seeds"].kept, funnel["pool"].kept, funnel["shortlist"].kept) == (28, 42, 28)
    assert funnel["choose"].rejected == {"surplus": 14}


def test_a_wanted_number_of_rows_is_spread_over_the_subtasks(tmp_path: Path) -> None:
    wanted = Context(
        seed=5, rows=9, options={**context().options, "target": "0", "shortlist": "0"}, embedder="hash"
    )
    rows = finish(MODEL, tmp_path, wanted, author).rows
    assert list(Counter(row["subtask"] for row in rows).values()) == [2, 2, 1, 1, 1, 1, 1]


def test_rows_in_are_rows_kept_and_rows_rejected_at_every_stage(tmp_path: Path) -> None:
    options = {"per-subtask": "6", "target": "20", "shortlist": "18"}
    finished = finish_model(tmp_path, bad_author, **options)
    for line in finished.funnel:
        gone = sum(line.rejected.values())
        if line.stage.startswith("draw"):
            assert (line.kept >= line.entered, gone) == (True, 0), line.stage
        else:
            assert line.entered == line.kept + gone, line.stage
    found = rejected(finished)
    assert set(WRONG_DRAFTS) | set(WRONG_REVIEWS) <= set(found)
    assert {"verdicts_unreadable", "other_tool_fits", "still_solvable", "no_addition"} <= set(found)
    assert len(finished.rows) > 0


def test_accepted_rows_are_references_of_the_next_round(tmp_path: Path) -> None:
    asked: list[str] = []

    async def listening(messages: list[dict[str, str]]) -> str:
        asked.append(messages[0]["content"])
        return await author(messages)

    finish_model(tmp_path, listening)
    drafts = [prompt for prompt in asked if prompt.startswith("Write one new sample")]
    seeds = [item.task for item in read_items(SEED_PAIRS)]
    known = [any(task in prompt for task in seeds) for prompt in drafts]
    assert all(known[:21]), "the first round knows nothing but seeds"
    assert not all(known[21:])


def test_without_the_question_about_other_tools_removals_are_not_verified(tmp_path: Path) -> None:
    asked: Counter[str] = Counter()

    async def listening(messages: list[dict[str, str]]) -> str:
        asked[messages[0]["content"][:18]] += 1
        return await author(messages)

    finish_model(tmp_path, listening, **{"other-tools": "no"})
    # The choice of one tool, twice for each of four rows; and the iterative rows that have no limit on calls.
    assert 8 <= asked["Everything between"] <= 12


def test_over_http_the_written_set_loads_and_its_oracle_is_perfect(tmp_path: Path) -> None:
    async def answer(_request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
        return chat(misbehaving(body["messages"][0]["content"]))

    async def run() -> Finished:
        async with serve(answer) as url:
            return await asyncio.to_thread(finish_model, tmp_path / "work", f"openai/author?base_url={url}")

    finished = asyncio.run(run())
    path = file_of(finished, tmp_path / "out")
    assert len(read_items(path)) == len(finished.rows) > 7
    result = check_benchmark(load_benchmark("toolbehonest"), str(path.parent), {})
    assert result.passed, [check for check in result.checks if not check.passed]
    assert result.findings == ()


def test_the_table_shows_our_figures_and_the_papers(tmp_path: Path) -> None:
    [table] = MODEL.tables(finish_model(tmp_path).rows, context())
    shown = {row[0]: row for row in table.rows[::2]}
    assert shown["# of tools used (avg.)"][1:] == (2, 5, 6, 4, 4, 6, 2, 4.1)
    assert shown["# of unsolvable tools (avg.)"][1:4] == (1, 1, 2)
    assert table.rows[1][:3] == ("in the paper", 364.1, 449.5)


def test_a_count_that_is_none_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--target 'many' is not a number from 0 up"):
        finish_model(tmp_path, target="many")


ROWS = {item.cluster: item_to_row(item) for item in read_items(SEED_PAIRS)}
YES = Context(options={"other-tools": "yes", "similarity": "both"}, embedder="hash")
SAMPLE = """==== Sample Start ====
// Raw Input //
Task:
Feed the fish:
1. Buy flakes.
2. Scatter them.
3. Note the hour.
Tools:
1. Shop: Buys things.
2. Feeder: Scatters flakes.
3. Diary: Notes what was done.
4. Lamp: Lights a tank.
// Raw Output //
1. Shop
2. Feeder
3. Diary
==== Sample End ===="""
FISH: dict[str, Any] = cases(__file__, "FISH")


def fish(subtask: str = "multi_step_wo_rep", **changes: Any) -> dict[str, Any]:
    return {"id": "fish", "subtask": subtask, **FISH, **changes}


def reason(outcome: object) -> str | None:
    return outcome.reason if isinstance(outcome, Rejected) else None


def test_a_sample_is_read_between_its_last_markers() -> None:
    assert read_sample(SAMPLE) == Kept(FISH)
    text = SAMPLE.replace("Task:", "**Task:**").replace("1. Shop\n", "1. Shop: to buy flakes\n")
    assert read_sample(text) == Kept(FISH)
    echoed = "==== Sample Start ====\nTask:\n...\n==== Sample End ===="
    outcome = read_sample(f"{echoed}\n{SAMPLE}")
    assert isinstance(outcome, Kept)
    assert outcome.fields == FISH


@pytest.mark.parametrize(
    ("text", "repair"),
    [
        (
            f"Here is a sample that I like very much, I hope that it is fine:\n{SAMPLE}\nAnything else?",
            "prose_dropped",
        ),
        (SAMPLE.replace("3. Diary\n=", "3. Diary\n4. Finish\n="), "finish_dropped"),
        (SAMPLE.replace("// Raw O", "5. Finish: Ends.\n// Raw O"), "closing_tools_dropped"),
    ],
)
def test_what_does_no_harm_is_repaired_and_counted(text: str, repair: str) -> None:
    assert read_sample(text) == Kept(FISH, (repair,))


def test_a_sample_reads_back_as_it_was_shown() -> None:
    for row in ROWS.values():
        outcome = read_sample(f"==== Sample Start ====\n{sample_text(row)}\n==== Sample End ====")
        assert outcome == Kept({name: row[name] for name in ("task", "tools", "plan")})


@each_case("changes, wanted")
def test_each_rule_has_its_own_reason(changes: dict[str, Any], wanted: str | None) -> None:
    assert reason(solvable_fault(fish(**changes))) == wanted


def test_all_starter_pairs_pass_the_rules_and_are_written_byte_for_byte(tmp_path: Path) -> None:
    for row in ROWS.values():
        assert (solvable_fault(row), pair_fault(row)) == (None, None)
    records = read_json(SEED_PAIRS)
    write(tuple(ROWS.values())[: len(records)], tmp_path, Context())
    assert read_json(tmp_path / "test_en.json") == records


def test_there_are_four_seeds_of_each_subtask() -> None:
    assert Counter(row["subtask"] for row in seeds(Context())) == dict.fromkeys(SUBTASKS, 4)


def test_one_description_under_two_names_is_rejected_and_the_same_tool_again_is_not() -> None:
    names: dict[str, str] = {}
    assert shared_description(fish(), names) is None
    assert shared_description(fish(), names) is None
    other = fish(tools=[["Torch", "Lights a tank."]])
    assert reason(shared_description(other, names)) == "shared_description"
    twins = fish(tools=[["Net", "Catches."], ["Rod", "Catches."]])
    assert reason(shared_description(twins, {})) == "shared_description"


def candidates(*rows: dict[str, Any]) -> list[dict[str, Any]]:
    return [{**row, "id": str(number), "state": "candidate"} for number, row in enumerate(rows)]


@pytest.mark.parametrize(("similarity", "kept"), [("both", ["0", "2"]), ("either", ["0"])])
def test_near_copies_are_rejected_by_task_and_tools(similarity: str, kept: list[str]) -> None:
    same_task = fish(tools=[["Quay", "Berths ferries overnight."], ["Helm", "Steers along charts."]])
    context = Context(options={"similarity": similarity}, embedder="hash")
    made = list(distinct(candidates(fish(), fish(), same_task), context))
    assert [row["id"] for row in made if not isinstance(row, Rejected)] == kept
    assert {item.reason for item in made if isinstance(item, Rejected)} == {"too_similar"}


def test_minilm_sees_a_paraphrase_that_shares_few_words() -> None:
    reworded = fish(
        task="Give the fish their food:\n1. Purchase fish flakes.\n2. Scatter the flakes.\n3. Write down the hour.",
        tools=[["Store", "Purchases things."], ["Feeder", "Scatters fish flakes."],
               ["Diary", "Notes down what has been done."], ["Lamp", "Lights up a tank."]],
    )  # fmt: skip
    elsewhere = ROWS["multi_step_wo_rep/11"]
    context = Context(options={"similarity": "both"})
    made = list(distinct(candidates(fish(), reworded, elsewhere), context))
    assert [reason(item) for item in made] == [None, "too_similar", None]


def test_farthest_first_takes_the_corners_before_the_crowd_and_no_row_twice() -> None:
    points = np.array([[0, 0], [0.1, 0], [0, 0.1], [9, 0], [0, 9], [9.1, 0]], np.float32)
    assert farthest_first(points, 3) == [4, 5, 0]
    assert farthest_first(points, 6) == farthest_first(points, 99) == [0, 1, 2, 3, 4, 5]
    assert farthest_first(points, 0) == []
    assert sorted(farthest_first(np.ones((5, 3), np.float32), 4)) == [0, 1, 2, 3]


@each_case("text, wanted")
def test_every_label_but_clear_rejects(text: str, wanted: str | None) -> None:
    assert reason(take_review({}, text, YES)) == wanted


def broken(row: dict[str, Any]) -> dict[str, Any]:
    outcome = break_plan(row, YES)
    assert isinstance(outcome, Kept)
    return {**row, **outcome.fields}


@pytest.mark.parametrize(
    "name", [name for name in ROWS if name.split("/")[0] not in ("os", "web", "iter", "best")]
)
def test_removal_takes_the_needed_tool_and_marks_its_places(name: str) -> None:
    row = broken({**ROWS[name], **dict.fromkeys(("unsolvable_task", "unsolvable_tools", "unsolvable_plan"))})
    assert (pair_fault(row), requirements_fault(row)) == (None, None)


def test_a_limit_on_calls_ends_the_plan_where_the_calls_do() -> None:
    rows = [broken({**ROWS["iter/59"], "id": f"iter/{number}"}) for number in range(60)]
    limited = [row for row in rows if row["form"] == "limit"]
    assert 5 < len(limited) < 30
    for row in limited:
        assert (pair_fault(row), requirements_fault(row)) == (None, None)
        assert row["unsolvable_plan"][-1] == "UnsolvableQuery"
        assert row["unsolvable_task"].endswith(row["task"])
    words = {
        row["unsolvable_task"].split("tool call")[0].split()[-1]: len(row["unsolvable_plan"])
        for row in limited
    }
    assert words.items() <= {"one": 2, "two": 3, "three": 4, "four": 5}.items()


def test_a_system_row_in_which_every_tool_comes_twice_cannot_be_broken_once() -> None:
    assert reason(break_plan(fish("os", plan=["Shop", "Shop"]), YES)) == "no_removable_tool"


def added(row: dict[str, Any], text: str) -> Any:
    return take_addition(row, f"<addition>{text}</addition>", YES)


@each_case("name, text, wanted", besides=[("os/30", "A shell is open. " * 40, "addition_not_one_line")])
def test_what_the_model_adds_is_a_harmless_line_of_its_kind(name: str, text: str, wanted: str | None) -> None:
    row = broken(ROWS[name])
    outcome = added(row, text)
    assert reason(outcome) == wanted
    if wanted is None:
        row |= outcome.fields
        assert (pair_fault(row), requirements_fault(row)) == (None, None)


def test_a_twin_that_lost_or_changed_a_requirement_is_rejected() -> None:
    row = broken(ROWS["os/30"])
    for task in (row["task"].replace("nightly", "weekly"), row["task"] + "\n4. Sing."):
        assert reason(requirements_fault({**row, "unsolvable_task": task})) == "requirements_changed"


@each_case("text, wanted")
def test_every_tool_needs_exactly_one_verdict(text: str, wanted: list[str] | None) -> None:
    found = read_verdicts(text, ["A", "B"])
    assert (None if isinstance(found, Rejected) else found) == wanted


def test_a_tool_that_fits_after_all_ends_the_row() -> None:
    removal, stricter = broken(ROWS["single_step/0"]), broken(ROWS["best/60"])
    assert reason(take_what_fits(removal, "1. no\n2. yes\n3. no", YES)) == "other_tool_fits"
    assert reason(take_what_fits(stricter, "1. no\n2. no\n3. yes\n4. no", YES)) == "still_solvable"
    assert take_what_fits(removal, "1. no\n2. no\n3. no", YES) == Kept()


def test_of_a_choice_the_planned_tool_alone_must_fit() -> None:
    row = ROWS["best/60"]
    assert take_which_fits(row, "1. no\n2. no\n3. yes\n4. no", YES) == Kept()
    assert reason(take_which_fits(row, "1. no\n2. no\n3. no\n4. no", YES)) == "plan_does_not_fit"
    assert reason(take_which_fits(row, "1. yes\n2. no\n3. yes\n4. no", YES)) == "several_tools_fit"


PIECES = st.lists(
    st.sampled_from(
        [*SAMPLE.splitlines(keepends=True), "==== Sample Start ====", "// Raw Output //", "Tools:", "<addition>",
         "</addition>", "<think>", "1. yes\n", "9" * 50, "\ud800", "\r\n", "\x85", "1.", ":", "：", "= ", "clear\n"]
    )
    | st.text(max_size=12)
).map("".join)  # fmt: skip


@given(PIECES)
def test_no_text_of_a_model_makes_a_reader_raise(text: str) -> None:
    outcome = read_sample(text)
    if isinstance(outcome, Kept):
        solvable_fault({"id": "x", "subtask": "os", **outcome.fields})
    take_review({}, text, YES)
    read_verdicts(text, ["A", "B"])
    for name in ("os/30", "iter/52", "best/60"):
        row = broken(ROWS[name])
        taken = take_addition(row, text, YES)
        if isinstance(taken, Kept):
            pair_fault({**row, **taken.fields})


@given(PIECES, st.sampled_from(SUBTASKS))
def test_whatever_passes_the_rules_can_be_broken_or_says_why(text: str, subtask: str) -> None:
    outcome = read_sample(SAMPLE.replace("Feed", text, 1))
    if not isinstance(outcome, Kept):
        return
    row = {"id": "x", "subtask": subtask, **outcome.fields}
    if solvable_fault(row) is None:
        assert isinstance(break_plan(row, YES), Kept | Rejected)
