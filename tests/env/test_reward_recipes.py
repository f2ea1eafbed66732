"""The recipes that train by reward: pools, scored completions, prompts that are cut, short items and the report."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from json_files import read_lines, write_lines
from toolyard.env import single_answers
from toolyard.env.single_answers import Answers
from toolyard.env.task_pool import TaskPool

RECIPES = Path(__file__).parents[2] / "recipes"


@pytest.fixture(autouse=True)
def recipes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(RECIPES))


@pytest.mark.parametrize("benchmark", ["mtu", "nestools", "toolbehonest"])
def test_a_pool_gives_the_same_prompts_and_rewards_without_a_draw(
    benchmark: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "answers.pool"
    drawn = Answers(benchmark, pool=TaskPool(file))
    prompt, right = drawn.prompt(1), drawn.right(1)
    assert prompt == Answers(benchmark).prompt(1)
    monkeypatch.setattr(single_answers, "drawn_sample", None)
    kept = Answers(benchmark, pool=TaskPool(file))
    assert kept.prompt(1) == prompt
    assert kept.rewards(1, right) == drawn.rewards(1, right)
    assert (kept.rewards(1, right).total, kept.rewards(1, "").total) == (1, 0)
    with pytest.raises(TypeError):
        kept.prompt(2)


def test_prompts_are_cut_by_tokens_to_as_many_of_each_benchmark(tmp_path: Path) -> None:
    from reward_training import rows_of

    pool = TaskPool(tmp_path / "answers.pool")
    answers = {name: Answers(name, pool=pool) for name in ("nestools", "mtu")}
    lengths = {
        name: [len(own.prompt(seed)[-1]["content"]) for seed in range(6)] for name, own in answers.items()
    }
    longest = sorted(lengths["nestools"])[2]
    rows = rows_of(answers, 6, lambda prompt: len(prompt[-1]["content"]), longest)
    fits = min(sum(length <= longest for length in own) for own in lengths.values())
    assert 0 < len(rows) == 2 * fits
    assert [row["benchmark"] for row in rows] == ["nestools", "mtu"] * fits
    assert all(lengths[row["benchmark"]][row["seed"]] <= longest for row in rows)


def test_every_completion_is_kept_with_its_rewards_and_the_report_tells_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import reward_report
    from reward_training import Scorer

    pool = tmp_path / "answers.pool"
    answers = {"nestools": Answers("nestools", pool=TaskPool(pool))}
    logged: dict[str, float] = {}
    score = Scorer(answers, tmp_path / "completions.jsonl", first=10)
    texts = [answers["nestools"].right(0), "[]"]
    asked: dict[str, Any] = {"benchmark": ["nestools"] * 2, "seed": [0, 0]}
    for step in (0, 30):
        state = SimpleNamespace(global_step=step)
        assert score(texts, **asked, trainer_state=state, log_metric=logged.__setitem__) == [1.0, 0.0]
    assert logged["outcome"] == 0.5
    lines = read_lines(tmp_path / "completions.jsonl")
    assert [(line["step"], line["reward"]) for line in lines] == [(10, 1), (10, 0), (40, 1), (40, 0)]

    step = {
        "loss": 0.1, "format": 1, "tool_choice": 0.5, "arguments": 0.5, "outcome": 0.5, "entropy": 1, "step_time": 3,
        "completions/mean_length": 80, "completions/clipped_ratio": 0,
    }  # fmt: skip
    write_lines(tmp_path / "log.jsonl", (step | {"step": each} for each in (11, 41)))
    earned = {"base": (0, 0), "sft": (0, 1), "grpo": (1, 1)}
    asked_later = Answers("nestools", "eval", pool=TaskPool(pool))
    held_out = [
        {
            "model": name,
            "benchmark": "nestools",
            "seed": seed,
            "reward": reward,
            "text": asked_later.right(seed) if reward else "[]",
        }
        for name, rewards in earned.items()
        for seed, reward in enumerate(rewards)
    ]
    write_lines(tmp_path / "answers.jsonl", held_out)
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- reward:start -->\nold\n<!-- reward:end -->\nafter\n", "utf-8")
    monkeypatch.setattr("sys.argv", ["", str(tmp_path), "--pool", str(pool), "--page", str(page)])
    reward_report.main()
    written = page.read_text("utf-8")
    assert "old" not in written
    assert written.startswith("before\n")
    assert (
        "| nestools, last 25 steps | 2 | 0.500 [0.500, 0.500] | 50 % 0.000 | 0 % - | 50 % 1.000 | 0 % - |"
        in written
    )
    assert "| 1-11 | 1 | 0.500 [0.500, 0.500] | 0.500 [0.500, 0.500] | 0.000 | 1.000 | 0.500 |" in written
    assert "| nestools | 2 | 0.000 [0.000, 0.000] | 0.500 [0.000, 1.000] | 1.000 [1.000, 1.000] |" in written
    assert "| 2, 1, 0 |" in written
    assert capsys.readouterr().out.strip() in written


def test_short_items_are_the_same_each_time_and_only_the_answer_counts() -> None:
    from short_items import earned, items

    first, other = items(0), items(1)
    assert first == items(0) != other
    assert len({str(item["messages"]) for item in first}) == 200
    assert {item["benchmark"] for item in first} == {"short arithmetic", "short extraction", "short form"}
    assert all(earned(f"Sure:\n{item['answer']}.", str(item["answer"])) == 1 for item in first)
    assert [earned(text, "RIVER LAMP") for text in ("RIVER LAMP", "river lamp", "RIVER LAMP\nDone", "")] == [
        1,
        0,
        0,
        0,
    ]
