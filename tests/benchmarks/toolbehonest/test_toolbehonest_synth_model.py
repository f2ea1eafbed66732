"""The model pipeline as a whole: whatever the model does, every row is kept or rejected with its reason."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from chat_endpoint import chat, serve
from toolbehonest_author import WRONG_DRAFTS, WRONG_REVIEWS, author, bad_author, misbehaving
from toolyard.benchmarks import load_benchmark
from toolyard.benchmarks.toolbehonest.data.rows import SUBTASKS, read_items
from toolyard.benchmarks.toolbehonest.synth import PIPELINES
from toolyard.benchmarks.toolbehonest.synth.synthesis_rounds import SEED_PAIRS
from toolyard.core.errors import UsageError
from toolyard.run.grade.checking import check_benchmark
from toolyard.synth.engines.local_engine import LocalEngine
from toolyard.synth.pipeline import Finished, PipelineRun, StageProgress
from toolyard.synth.row_questions import Answering
from toolyard.synth.stages import Context

MODEL = PIPELINES["model"]
SMALL = {"per-subtask": "2", "target": "6", "shortlist": "4", "rounds": "2"}


def context(**options: str) -> Context:
    values = {choice.name: choice.default for choice in MODEL.choices}
    return Context(seed=5, options={**values, **SMALL, **options}, embedder="hash")


def finish(
    work: Path,
    model: object = author,
    show: Callable[[StageProgress], None] = lambda _: None,
    wanted: Context | None = None,
) -> Finished:
    answering = Answering(model, concurrency=4)  # type: ignore[arg-type]
    progress = StageProgress(show, len(MODEL.stages))
    return PipelineRun(MODEL, wanted or context(), LocalEngine(1), answering, work, progress).finish()


def file_of(finished: Finished, folder: Path) -> Path:
    folder.mkdir()
    MODEL.write(finished.rows, folder, context())
    return folder / "test_en.json"


def rejected(finished: Finished) -> Counter[str]:
    return sum((line.rejected for line in finished.funnel), Counter[str]())


def lines(finished: Finished) -> Mapping[str, Any]:
    return {line.stage: line for line in finished.funnel}


def test_a_good_author_fills_every_quota(tmp_path: Path) -> None:
    finished = finish(tmp_path)
    assert Counter(row["subtask"] for row in finished.rows) == dict.fromkeys(SUBTASKS, 2)
    funnel = lines(finished)
    assert (funnel["seeds"].kept, funnel["pool"].kept, funnel["shortlist"].kept) == (28, 42, 28)
    assert funnel["choose"].rejected == {"surplus": 14}


def test_a_wanted_number_of_rows_is_spread_over_the_subtasks(tmp_path: Path) -> None:
    wanted = Context(
        seed=5, rows=9, options={**context().options, "target": "0", "shortlist": "0"}, embedder="hash"
    )
    rows = finish(tmp_path, wanted=wanted).rows
    assert list(Counter(row["subtask"] for row in rows).values()) == [2, 2, 1, 1, 1, 1, 1]


def test_rows_in_are_rows_kept_and_rows_rejected_at_every_stage(tmp_path: Path) -> None:
    finished = finish(
        tmp_path, bad_author, wanted=context(**{"per-subtask": "6", "target": "20", "shortlist": "18"})
    )
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

    finish(tmp_path, listening)
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

    finish(tmp_path, listening, wanted=context(**{"other-tools": "no"}))
    # The choice of one tool, twice for each of four rows; and the iterative rows that have no limit on calls.
    assert 8 <= asked["Everything between"] <= 12


def test_over_http_the_written_set_loads_and_its_oracle_is_perfect(tmp_path: Path) -> None:
    async def answer(_request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
        return chat(misbehaving(body["messages"][0]["content"]))

    async def run() -> Finished:
        async with serve(answer) as url:
            return await asyncio.to_thread(finish, tmp_path / "work", f"openai/author?base_url={url}")

    finished = asyncio.run(run())
    path = file_of(finished, tmp_path / "out")
    assert len(read_items(path)) == len(finished.rows) > 7
    result = check_benchmark(load_benchmark("toolbehonest"), str(path.parent), {})
    assert result.passed, [check for check in result.checks if not check.passed]
    assert result.findings == ()


def test_the_table_shows_our_figures_and_the_papers(tmp_path: Path) -> None:
    [table] = MODEL.tables(finish(tmp_path).rows, context())
    shown = {row[0]: row for row in table.rows[::2]}
    assert shown["# of tools used (avg.)"][1:] == (2, 5, 6, 4, 4, 6, 2, 4.1)
    assert shown["# of unsolvable tools (avg.)"][1:4] == (1, 1, 2)
    assert table.rows[1][:3] == ("in the paper", 364.1, 449.5)


def test_a_count_that_is_none_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--target 'many' is not a number from 0 up"):
        finish(tmp_path, wanted=context(target="many"))
