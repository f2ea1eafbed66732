"""What a run costs: the judge is part of the price that is told and of the limit that is kept."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from answering_model import AnsweringModel
from json_files import read_json
from toolyard.cli.progress import announce_cost
from toolyard.core.benchmark import RunSetup
from toolyard.core.errors import BudgetExceeded, ProviderError, UsageError
from toolyard.core.types import (
    Completion,
    Conversation,
    Decoding,
    Episode,
    Generate,
    Message,
    Question,
    Request,
    Sample,
    Usage,
)
from toolyard.models.base import Price
from toolyard.run.api import answer_and_score
from toolyard.run.cost.estimate import JUDGE_REPLY_TOKENS, estimate_run, estimate_runs
from toolyard.run.cost.run_budget import planned_cost, run_budget, worst_case_cost
from toolyard.run.grade.evidence import Instruments
from toolyard.run.play.execute import RunResult, execute_run
from toolyard.run.play.side_models import paid_answers, side_cost
from toolyard.run.run import Run
from toolyard.run.settings import Settings
from toy_benchmark import TOOLS, judged_toy, toy_benchmark

JUDGE = "openai/judge?price=0,1000000"
FREE = Price(0, 0)
# A dollar for each token written: at most ten for a reply, two for one that is given.
DOLLAR_A_TOKEN = Price(0, 1e6)


def right_answers(price: Price | None) -> AnsweringModel:
    """Says the right tool, or two words as a judge."""
    return AnsweringModel(lambda asked: Completion(TOOLS[int(asked.sample) % 4], usage=Usage(5, 2)), price)


def play(
    tmp_path: Path,
    model: AnsweringModel,
    judge: AnsweringModel | None,
    name: str = JUDGE,
    *,
    count: int = 20,
    **settings: Any,
) -> RunResult:
    tmp_path.mkdir(exist_ok=True)
    data = tmp_path / "count.txt"
    data.write_text(str(count))
    base_settings = Settings(
        "toy", "answering", judge=name, runs=tmp_path, name="run", concurrency=1, **settings
    )
    plan = Run.plan(base_settings, judged_toy(data))
    instruments = Instruments(judge, name, decoding=plan.benchmark.judge_decoding)
    return asyncio.run(execute_run(plan, model, instruments))


def test_answers_that_could_not_be_judged_within_the_limit_are_not_asked_for(tmp_path: Path) -> None:
    model, judge = right_answers(FREE), right_answers(DOLLAR_A_TOKEN)
    with pytest.raises(BudgetExceeded, match=r"--max-cost 31 .* \$30.0000 set aside for the judge: 17 of 20"):
        play(tmp_path, model, judge, max_cost=31.0)
    assert (len(model.asked), len(judge.asked)) == (3, 0)


def test_a_limit_that_covers_model_and_judge_lets_both_finish(tmp_path: Path) -> None:
    model, judge = right_answers(FREE), right_answers(DOLLAR_A_TOKEN)
    result = play(tmp_path, model, judge, count=3, max_cost=31.0)
    assert (len(model.asked), len(judge.asked)) == (3, 3)
    manifest = read_json(result.folder / "manifest.json")
    spent = {"prompt_tokens": 15, "completion_tokens": 6, "reasoning_tokens": 0, "cached_tokens": 0,
             "batched_prompt_tokens": 0, "batched_completion_tokens": 0}  # fmt: skip
    assert manifest["judge_usage"] == spent
    assert (manifest["cost"], manifest["judge_cost"]) == (0.0, 6.0)


def test_judging_stops_at_the_limit_and_goes_on_with_a_higher_one(tmp_path: Path) -> None:
    play(tmp_path, right_answers(FREE), None, "")
    first, second = right_answers(DOLLAR_A_TOKEN), right_answers(DOLLAR_A_TOKEN)
    with pytest.raises(BudgetExceeded, match=r"\$22.0000 spent while judging: 9 of 20 questions"):
        play(tmp_path, right_answers(FREE), first, max_cost=31.0)
    assert len(first.asked) == 11
    play(tmp_path, right_answers(FREE), second, max_cost=100.0)
    assert len(second.asked) == 9


def test_what_the_model_cost_is_not_left_for_the_judge_and_a_judge_needs_a_price(tmp_path: Path) -> None:
    judge = right_answers(DOLLAR_A_TOKEN)
    with pytest.raises(BudgetExceeded, match="2 of 3 samples remain"):
        play(tmp_path, right_answers(Price(0, 1e6)), judge, count=3, max_cost=25.0)
    assert judge.asked == []
    model = right_answers(FREE)
    with pytest.raises(UsageError, match="add one to the judge"):
        play(tmp_path / "unpriced", model, right_answers(None), max_cost=31.0)
    assert model.asked == []
    assert not (tmp_path / "unpriced" / "run").exists()


def test_what_other_runs_under_the_same_limit_have_cost_counts_with_their_judges(tmp_path: Path) -> None:
    other = play(tmp_path / "other", right_answers(FREE), right_answers(DOLLAR_A_TOKEN), count=3).run
    named = replace(other, settings=replace(other.settings, model="openai/m?price=0,1000000"))
    assert planned_cost(named) == 6 + 6
    run = replace(
        Run.plan(Settings("toy", "m", runs=tmp_path, max_cost=21.5), other.benchmark), spent_beside=12.0
    )
    with pytest.raises(BudgetExceeded, match=r"--max-cost 21.5 with \$14.0000 spent: 2 of 3"):
        asyncio.run(execute_run(run, costly(Usage(5, 2)), Instruments()))


def test_a_judge_named_with_another_price_is_the_same_judge(tmp_path: Path) -> None:
    play(tmp_path, right_answers(FREE), right_answers(DOLLAR_A_TOKEN))
    again = right_answers(FREE)
    play(tmp_path, right_answers(FREE), again, "openai/judge?price=0,5&key_env=OTHER")
    assert again.asked == []
    play(tmp_path, right_answers(FREE), again, "openai/another")
    assert len(again.asked) == 20


def test_a_question_is_reckoned_with_its_repair() -> None:
    price, decoding = Price(1e6, 1e6), Decoding(max_tokens=10)
    once = Question("q", "judge", (Message("user", "x" * 40),))
    assert worst_case_cost(once, price, decoding) == 10 + 10
    assert worst_case_cost(replace(once, repair="y" * 8), price, decoding) == (10 + 10) + (10 + 10 + 2) + 10
    assert worst_case_cost(Question("s", "similarity", text="x" * 40), price, decoding) == 0


def base_settings(judge: str, **settings: Any) -> Settings:
    return Settings("tooleyes", "scripted/oracle", judge=judge, limit=3, **settings)


def test_the_price_told_includes_the_judge(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (alone,) = estimate_runs(base_settings(""))
    (judged,) = estimate_runs(base_settings("openai/judge?price=10,30"))
    assert (alone.judge_requests, alone.judge_cost, alone.cost) == (0, 0.0, 0.0)
    assert judged.judge_completion_tokens == judged.judge_requests * JUDGE_REPLY_TOKENS
    # Every question shows the judge the tool documents: no prompt is short.
    assert judged.judge_prompt_tokens > judged.judge_requests * 100
    paid = (judged.judge_prompt_tokens * 10 + judged.judge_completion_tokens * 30) / 1e6
    assert judged.cost == judged.judge_cost == pytest.approx(paid)
    (twice,) = estimate_runs(base_settings("openai/judge?price=10,30", judge_trials=2))
    assert twice.judge_cost == pytest.approx(2 * paid)
    plan = Run.plan(replace(base_settings("openai/judge?price=10,30"), runs=tmp_path))
    announce_cost([plan])
    (found,) = estimate_runs(base_settings("openai/judge?price=10,30"))
    assert f"price ${found.cost:.4f} (judge ${found.judge_cost:.4f})" in capsys.readouterr().err


def test_the_price_is_unknown_where_the_judges_is_and_nothing_where_nothing_is_judged() -> None:
    (found,) = estimate_runs(base_settings("openai/judge"))
    assert found.judge_requests > 0
    assert (found.judge_cost, found.cost) == (None, None)
    (found,) = estimate_runs(replace(base_settings("openai/judge"), benchmark="nestools"))
    assert (found.judge_requests, found.judge_cost, found.cost) == (0, 0.0, 0.0)


def test_only_what_is_not_answered_yet_is_estimated(tmp_path: Path) -> None:
    wanted = Settings("nestools", "scripted/oracle", limit=4, name="r", runs=tmp_path)
    before = estimate_run(Run.plan(wanted), Price(1.0, 1.0))
    asyncio.run(answer_and_score(Run.plan(wanted)))
    answers = tmp_path / "r" / "transcripts.jsonl"
    answers.write_bytes(b"".join(answers.read_bytes().splitlines(keepends=True)[:3]))
    after = estimate_run(Run.plan(wanted), Price(1.0, 1.0))
    assert (before.samples, before.kept, before.requests) == (4, 0, 4)
    assert (after.samples, after.kept, after.requests) == (4, 3, 1)
    assert 0 < after.prompt_tokens < before.prompt_tokens and after.exact
    assert after.cost is not None and before.cost is not None and 0 < after.cost < before.cost


def five_turns(samples: tuple[Sample, ...], setup: RunSetup) -> Episode:
    """An episode that asks five times before it has its answer."""
    conversations = []
    for sample in samples:
        messages = setup.benchmark.task.prompt(sample, setup.options)
        completions = []
        for _ in range(5):
            completion = yield Generate(Request(messages, setup.decoding, sample=sample.id))
            messages = (*messages, Message("assistant", completion.text), Message("user", "And?"))
            completions.append(completion)
        conversations.append(Conversation(messages, tuple(completions)))
    return tuple(conversations)


def costly(usage: Usage) -> AnsweringModel:
    """Two dollars an answer, whatever it says of its usage."""
    return AnsweringModel(lambda request: Completion("alphabet", usage=usage), DOLLAR_A_TOKEN)


def talk(tmp_path: Path, model: AnsweringModel, limit: float, concurrency: int) -> None:
    data = tmp_path / "count.txt"
    data.write_text("20")
    toy = toy_benchmark(data)
    many = replace(toy, task=replace(toy.task, episode=five_turns))
    settings = Settings("toy", "costly", runs=tmp_path, name="run", concurrency=concurrency, max_cost=limit)
    asyncio.run(execute_run(Run.plan(settings, many), model, Instruments()))


@pytest.mark.parametrize("usage", [Usage(5, 2), Usage(), Usage(-7, -100)])
@pytest.mark.parametrize("concurrency", [1, 4, 16])
def test_episodes_keep_the_limit_over_sessions(tmp_path: Path, usage: Usage, concurrency: int) -> None:
    asked = 0
    for _ in range(3):
        model = costly(usage)
        with pytest.raises(BudgetExceeded, match="stopped at --max-cost 31 "):
            talk(tmp_path, model, 31.0, concurrency)
        asked += len(model.asked)
        manifest = read_json(tmp_path / "run" / "manifest.json")
        assert manifest["cost"] == 2 * asked
    # Every request may write eight tokens: none is sent with less than that left.
    assert 2 * asked <= 31
    assert asked >= 10


def test_a_higher_limit_goes_on_and_ends(tmp_path: Path) -> None:
    with pytest.raises(BudgetExceeded):
        talk(tmp_path, costly(Usage(5, 2)), 31.0, 4)
    talk(tmp_path, costly(Usage(5, 2)), 1000.0, 4)
    scores = (tmp_path / "run" / "scores.jsonl").read_text().splitlines()
    assert len(scores) == 20


def rewritten(tmp_path: Path, price: str, limit: float) -> Run:
    """A planned run whose rewriter has a price."""
    settings = Settings(
        "nestools", "scripted/oracle", ids=("1", "2"), options={"variant": "no-conjunctions"},
        rewriter=f"openai/rewriter?base_url=http://127.0.0.1:9/v1{price}", runs=tmp_path, max_cost=limit,
    )  # fmt: skip
    return Run.plan(settings)


def test_what_a_rewriter_costs_is_kept_and_counted_against_the_limit(tmp_path: Path) -> None:
    run = rewritten(tmp_path, "&price=0,1000000", 25.0)
    rewriter, request = right_answers(DOLLAR_A_TOKEN), Request((), Decoding(max_tokens=10), sample="1")

    async def ask(times: int) -> float:
        with run.store.locked():
            budget = run_budget(run, right_answers(FREE), Instruments())
            answer = paid_answers(run, "rewriter", rewriter, budget)
            for _ in range(times):
                await answer(request)
        return budget.spent

    assert asyncio.run(ask(3)) == 6.0
    assert side_cost(run) == 6.0
    assert asyncio.run(ask(5)) == 16.0, "a later session counts on"
    with pytest.raises(ProviderError, match="--max-cost 25"):
        asyncio.run(ask(1))
    assert len(rewriter.asked) == 8


def test_a_limit_without_the_rewriters_price_is_refused_before_anything_is_sent(tmp_path: Path) -> None:
    run = rewritten(tmp_path, "", 25.0)
    with pytest.raises(UsageError, match="add one to the rewriter"):
        asyncio.run(execute_run(run, right_answers(FREE), Instruments()))
    assert not run.folder.exists()
