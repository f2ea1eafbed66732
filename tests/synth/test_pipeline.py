"""The stage framework: what a pipeline promises, whatever its stages do."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from counting_pipeline import EVENS, HALVE, PIPELINE, SOURCE, SQUARE, TWICE, squaring, write
from toolyard.core.errors import BudgetExceeded, DataError, ProviderError
from toolyard.core.types import Decoding, Message
from toolyard.models.base import CallableModel, Price
from toolyard.models.request_costs import Budget
from toolyard.synth.data_card import CARD, MANIFEST, write_card
from toolyard.synth.engines.local_engine import ALONE, LocalEngine
from toolyard.synth.pipeline import Finished, PipelineRun, StageEngine, StageProgress
from toolyard.synth.row_questions import Answering
from toolyard.synth.stages import Context, Kept, Pipeline


def finish(
    work: Path,
    pipeline: Pipeline = PIPELINE,
    model: Callable[..., object] | None = squaring,
    engine: StageEngine | None = None,
    **context: int,
) -> Finished:
    progress = StageProgress(lambda _: None, len(pipeline.stages))
    wanted = Context(**{"rows": 40, **context})
    answering = Answering(model, concurrency=4)  # type: ignore[arg-type]
    return PipelineRun(pipeline, wanted, engine or LocalEngine(1), answering, work, progress).finish()


def test_every_row_is_kept_or_rejected_with_a_reason(tmp_path: Path) -> None:
    finished = finish(tmp_path)
    source, halved, doubled, squared, even = finished.funnel
    assert (source.kept, source.rejected) == (39, {"thirteen": 1})
    assert (halved.entered, halved.kept, halved.rejected["seven"]) == (39, 33, 6)
    assert halved.repaired["rounded"] == 16
    assert (doubled.entered, doubled.kept) == (33, 66)
    assert (squared.entered, squared.kept) == (66, 66)
    assert squared.usage.prompt_tokens > 0
    assert even.kept + even.rejected["odd"] == 66
    assert [row["id"] for row in finished.rows][:3] == ["1.0", "1.1", "4.0"]


def test_a_second_run_asks_nothing_and_gives_the_same(tmp_path: Path) -> None:
    first = list(finish(tmp_path).rows)

    async def silent(messages: list[dict[str, str]]) -> str:
        raise AssertionError("asked again")

    silent.__name__ = squaring.__name__
    silent.__qualname__ = squaring.__qualname__
    again = finish(tmp_path, model=silent)
    assert list(again.rows) == first
    assert again.funnel[3].usage.prompt_tokens > 0, "what it once cost stays in the funnel"


def test_only_a_changed_stage_and_those_behind_it_run_again(tmp_path: Path) -> None:
    finish(tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.glob("*.jsonl")}
    newer = replace(PIPELINE, stages=(SOURCE, HALVE, replace(TWICE, version=2), SQUARE, EVENS))
    finish(tmp_path, newer)
    changed = {path.name for path in tmp_path.glob("*.jsonl") if path.read_bytes() != before[path.name]}
    assert changed == {"03_twice.jsonl"}, "the same rows came out, so what follows stays"


def test_other_words_of_a_question_ask_again(tmp_path: Path) -> None:
    finish(tmp_path, rows=6)
    asked: list[str] = []

    async def listening(messages: list[dict[str, str]]) -> str:
        asked.append(messages[0]["content"])
        return await squaring(messages)

    listening.__name__ = squaring.__name__
    politely = replace(SQUARE, prompt=lambda row, _: (Message("user", f"square {row['half']} please"),))
    finish(tmp_path, replace(PIPELINE, stages=(SOURCE, HALVE, TWICE, politely, EVENS)), listening, rows=6)
    assert asked
    assert all(text.endswith("please") for text in asked)


def test_another_seed_is_another_set_and_the_first_is_still_there(tmp_path: Path) -> None:
    first = list(finish(tmp_path).rows)
    other = list(finish(tmp_path, seed=1).rows)
    assert other != first
    assert list(finish(tmp_path).rows) == first


def test_unanswered_rows_stop_the_run_and_are_asked_next_time(tmp_path: Path) -> None:
    down = True

    async def flaky(messages: list[dict[str, str]]) -> str:
        if down and messages[0]["content"] == "square 4":
            raise ProviderError("server_error", "the server is down")
        return await squaring(messages)

    with pytest.raises(ProviderError, match="4 rows of stage square got no answer"):
        finish(tmp_path, model=flaky, rows=10)
    down = False
    assert finish(tmp_path, model=flaky, rows=10).funnel[3].kept == 16


def test_a_text_that_is_not_accepted_is_asked_for_again_and_then_rejected(tmp_path: Path) -> None:
    asked: list[str] = []

    async def stubborn(messages: list[dict[str, str]]) -> str:
        asked.append(messages[0]["content"])
        return "no idea" if messages[0]["content"] == "square 4" else await squaring(messages)

    finished = finish(tmp_path, model=stubborn, rows=10)
    assert finished.funnel[3].rejected == {"not_a_number": 4}
    assert asked.count("square 4") == 8, "two attempts for each of four rows"


def test_a_request_that_can_never_be_answered_ends_its_row(tmp_path: Path) -> None:
    async def refusing(messages: list[dict[str, str]]) -> str:
        if messages[0]["content"] == "square 4":
            raise ProviderError("bad_request", "not that one")
        return await squaring(messages)

    assert finish(tmp_path, model=refusing, rows=10).funnel[3].rejected == {"provider_bad_request": 4}


def test_torn_lines_and_half_sources_are_made_again(tmp_path: Path) -> None:
    whole = list(finish(tmp_path).rows)
    log = tmp_path / "04_square.jsonl"
    log.write_bytes(log.read_bytes()[:-7])
    assert list(finish(tmp_path).rows) == whole
    source = tmp_path / "01_numbers.jsonl"
    source.rename(tmp_path / "01_numbers.part")
    assert list(finish(tmp_path).rows) == whole


def test_a_pool_of_processes_gives_the_same_rows(tmp_path: Path) -> None:
    alone = finish(tmp_path / "alone", rows=2 * ALONE)
    pooled = finish(tmp_path / "pooled", engine=LocalEngine(2), rows=2 * ALONE)
    assert list(pooled.rows) == list(alone.rows)
    assert pooled.funnel == alone.funnel


def test_faults_of_a_pipeline_are_named(tmp_path: Path) -> None:
    sly = replace(HALVE, gives=("whole",))
    with pytest.raises(ValueError, match="stage halve set half, which it does not give"):
        finish(tmp_path, replace(PIPELINE, stages=(SOURCE, sly)))
    blind = replace(HALVE, needs=())
    with pytest.raises(KeyError):
        finish(tmp_path / "blind", replace(PIPELINE, stages=(SOURCE, blind)))
    silent = replace(HALVE, work=lambda row, _: [])
    with pytest.raises(ValueError, match="made nothing of a row and gave no reason"):
        finish(tmp_path / "silent", replace(PIPELINE, stages=(SOURCE, silent)))
    alike = replace(TWICE, work=lambda row, _: [Kept({"part": 0}), Kept({"part": 1})])
    with pytest.raises(ValueError, match="two rows that enter square are called 1"):
        finish(tmp_path / "alike", replace(PIPELINE, stages=(SOURCE, HALVE, alike, SQUARE)))
    sly = replace(EVENS, work=lambda rows, _: ({**row, "secret": 1} for row in rows))
    with pytest.raises(ValueError, match="stage evens gave secret, which no stage declares"):
        finish(tmp_path / "whole", replace(PIPELINE, stages=(SOURCE, HALVE, TWICE, SQUARE, sly)))


def test_rows_a_stage_does_not_apply_to_pass_as_they_are(tmp_path: Path) -> None:
    some = replace(HALVE, applies=lambda row: row["n"] > 5)
    rows = list(finish(tmp_path, replace(PIPELINE, stages=(SOURCE, some)), rows=9).rows)
    assert [row.get("half") for row in rows] == [None] * 6 + [3, 4]


def test_card_and_manifest_hold_no_times_and_no_paths(tmp_path: Path) -> None:
    texts = []
    for name in ("one", "two"):
        finished = finish(tmp_path / name / "work")
        folder = tmp_path / name / "out"
        folder.mkdir()
        write(finished.rows, folder, Context(rows=40))
        write_card(PIPELINE, Context(rows=40), finished, "python/squaring", None, folder)
        texts.append((folder / CARD).read_text("utf-8") + (folder / MANIFEST).read_text("utf-8"))
    assert texts[0] == texts[1]
    assert str(tmp_path) not in texts[0]
    assert "thirteen 1" in texts[0]
    assert "- numbers: CC0" in texts[0]


@pytest.mark.parametrize("name", ["01_numbers.jsonl", "05_evens.jsonl"])
def test_a_whole_set_that_was_cut_at_the_end_of_a_line_is_made_again(name: str, tmp_path: Path) -> None:
    whole = list(finish(tmp_path).rows)
    log = tmp_path / name
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-2]))
    assert list(finish(tmp_path).rows) == whole


def test_a_damaged_log_is_told_in_one_line(tmp_path: Path) -> None:
    finish(tmp_path)
    log = tmp_path / "02_halve.jsonl"
    log.write_bytes(b"not JSON\n" + log.read_bytes())
    with pytest.raises(DataError, match=r"02_halve.jsonl is damaged; delete it"):
        finish(tmp_path)


def test_stages_of_another_world_run_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    executing = replace(PIPELINE, of_world=True)
    for pipeline in (executing, PIPELINE):
        work = tmp_path / str(pipeline.of_world)
        finish(work, pipeline)
        log = work / "02_halve.jsonl"
        before = log.stat().st_size
        finish(work, pipeline)
        assert log.stat().st_size == before
        with monkeypatch.context() as later:
            later.setattr("toolyard.synth.pipeline.VERSION", "next")
            finish(work, pipeline)
        assert log.stat().st_size == before * (2 if pipeline.of_world else 1)


def test_the_price_of_a_model_does_not_change_whose_rows_they_are() -> None:
    first, second = (Answering(f"openai/x?price=1,2&base_url=http://{host}/v1") for host in "ab")
    assert first.identity != second.identity
    assert first.identity == Answering("openai/x?base_url=http://a/v1&key_env=K").identity


def test_a_cost_limit_is_kept_over_all_runs_and_loses_no_answer(tmp_path: Path) -> None:
    asked = 0

    async def counting(messages: list[dict[str, str]]) -> str:
        nonlocal asked
        asked += 1
        return await squaring(messages)

    brief = replace(SQUARE, decoding=Decoding(max_tokens=10), attempts=1)
    pipeline = replace(PIPELINE, stages=(SOURCE, HALVE, TWICE, brief))
    price = Price(0.0, 1e6)
    for _ in range(3):
        progress = StageProgress(lambda _: None, 4, price=price)
        model = CallableModel(counting)
        model.price = price
        answering = Answering(model, concurrency=4, budget=Budget(25.0))
        run = PipelineRun(pipeline, Context(rows=40), LocalEngine(1), answering, tmp_path, progress)
        with pytest.raises(BudgetExceeded, match=r"--max-cost 25 .* rows remain"):
            run.finish()
        assert price.cost(progress.usage) <= 25.0
    logged = (tmp_path / "04_square.jsonl").read_bytes().count(b"\n")
    assert 0 < asked == logged, "every answer that was paid for is kept"
