"""A run asks for what is missing, keeps what is there, and scores from its files."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest

from answering_model import AnsweringModel
from toolyard.core.errors import BudgetExceeded, ProviderError, RunMismatch, UsageError
from toolyard.core.types import Completion, Request, Usage
from toolyard.models.base import Price
from toolyard.run.grade.evidence import Instruments
from toolyard.run.play.execute import RunResult, execute, score_run
from toolyard.run.run import Run
from toolyard.run.settings import Settings
from toy_benchmark import TOOLS, toy_benchmark


def tool_namer(failing: Mapping[str, str] | None = None, price: Price | None = None) -> AnsweringModel:
    """Answers right; fails on the samples it is told to fail on."""

    def answer(request: Request) -> Completion:
        if request.sample in (failing or {}):
            raise ProviderError((failing or {})[request.sample], "did not work")
        return Completion(TOOLS[int(request.sample) % 4], usage=Usage(10, 1))

    return AnsweringModel(answer, price)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "count.txt"
    path.write_text("20")
    return path


def plan(data: Path, **settings: object) -> Run:
    base_settings = Settings(benchmark="toy", model="namer", runs=data.parent / "runs", **settings)  # type: ignore[arg-type]
    return Run.plan(base_settings, toy_benchmark(data))


def play(plan: Run, model: AnsweringModel) -> RunResult:
    return asyncio.run(execute(plan, model, Instruments()))


def test_a_finished_run_started_again_sends_nothing(data: Path) -> None:
    first, second = tool_namer(), tool_namer()
    result = play(plan(data), first)
    assert len(first.asked) == 20
    assert result.summaries["paper"].figures["accuracy"].value == 1.0
    scores = (result.folder / "scores.jsonl").read_bytes()
    play(plan(data), second)
    assert second.asked == []
    assert (result.folder / "scores.jsonl").read_bytes() == scores


def test_a_run_that_is_scored_half_way_is_not_called_finished(data: Path) -> None:
    run = plan(data)
    with pytest.raises(ProviderError):
        play(run, tool_namer({"3": "bad_key"}))
    assert 0 < len(run.store.transcripts()) < 20
    asyncio.run(score_run(plan(data), Instruments()))
    assert (run.store.manifest() or {})["finished"] is None
    play(plan(data), tool_namer({"3": "server_error"}))
    assert (run.store.manifest() or {})["finished"]


def test_failed_requests_are_unscored_and_tried_again(data: Path) -> None:
    failed = play(plan(data), tool_namer({"3": "timeout", "8": "server_error"})).summaries["paper"]
    assert (failed.samples, failed.unscored) == (18, 2)
    assert failed.unscored_reasons == {"server_error": 1, "timeout": 1}
    assert failed.figures["accuracy"].value == 1.0
    assert failed.withheld
    again = tool_namer()
    repaired = play(plan(data), again).summaries["paper"]
    assert sorted(again.asked) == [("3", 0), ("8", 0)]
    assert (repaired.samples, repaired.unscored, repaired.withheld) == (20, 0, False)


@pytest.mark.parametrize("kind", ["bad_key", "unreachable", "not_found"])
def test_a_hopeless_failure_stops_the_run(data: Path, kind: str) -> None:
    model = tool_namer({str(n): kind for n in range(20)})
    with pytest.raises(ProviderError, match="did not work"):
        play(plan(data, concurrency=2), model)
    assert len(model.asked) <= 4


def test_trials_are_apart_and_a_limit_takes_clusters_round_robin(data: Path) -> None:
    model = tool_namer()
    result = play(plan(data, trials=3, limit=2), model)
    assert sorted(model.asked) == [(sample, trial) for sample in ("0", "1") for trial in (0, 1, 2)]
    assert result.summaries["paper"].samples == 6
    assert [sample.gold for sample in plan(data, limit=4).samples] == list(TOOLS)


def test_unknown_ids_and_a_budget_without_a_price_are_refused(data: Path) -> None:
    with pytest.raises(UsageError, match="no sample has the id 99"):
        plan(data, ids=("3", "99"))
    with pytest.raises(UsageError, match="needs a price"):
        play(plan(data, max_cost=1.0), tool_namer())


def test_other_settings_under_the_same_name_are_refused_with_their_names(data: Path) -> None:
    play(plan(data, name="mine"), tool_namer())
    with pytest.raises(RunMismatch, match="seed differ"):
        play(plan(data, name="mine", seed=5), tool_namer())


def test_the_budget_stops_the_run_and_what_was_paid_for_is_kept(data: Path) -> None:
    model = tool_namer(price=Price(1e6, 0))
    with pytest.raises(BudgetExceeded, match=r"with \$50.0000 spent: 15 of 20 samples remain"):
        play(plan(data, max_cost=50.0, concurrency=1), model)
    assert len(model.asked) == 5
    more = tool_namer()
    play(plan(data), more)
    assert len(more.asked) == 15
