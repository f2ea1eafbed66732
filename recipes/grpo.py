"""GRPO with trl in the environment, one completion per prompt; copy it. `reward_training.py` is the whole run.

    pip install 'toolyard[world]' trl==1.16.0 && python recipes/grpo.py --benchmark nestools --out grpo
    python recipes/grpo.py --dry                   the prompts and rewards alone, without trl, torch or a model

The same command again goes on from the last checkpoint. Needs a GPU.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from toolyard.env.adapters.trl import answer_dataset, answer_reward, answer_rows
from toolyard.env.single_answers import Answers


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--benchmark", default="nestools", help="nestools, mtu or toolbehonest")
    parser.add_argument("--model", default="Qwen/Qwen2.5-0.5B-Instruct")
    parser.add_argument("--tasks", type=int, default=2_000)
    parser.add_argument("--steps", type=int, default=150)
    parser.add_argument("--out", type=Path, default=Path("grpo"))
    parser.add_argument("--dry", action="store_true", help="score a right and an empty answer to each prompt")
    return parser.parse_args()


def dry(benchmark: str, tasks: int) -> tuple[float, float]:
    """The mean reward of right answers and of empty ones: 1 and 0."""
    reward, answers = answer_reward(benchmark, "train"), Answers(benchmark, "train")
    seeds = [row["seed"] for row in answer_rows(benchmark, "train", tasks)]
    right = reward(completions=[answers.right(seed) for seed in seeds], seed=seeds)
    empty = reward(completions=[""] * tasks, seed=seeds)
    return sum(right) / tasks, sum(empty) / tasks


def train(given: argparse.Namespace) -> None:
    from trl import GRPOConfig, GRPOTrainer  # type: ignore[import-not-found,unused-ignore]

    settings = GRPOConfig(
        output_dir=str(given.out), max_steps=given.steps, save_steps=25, logging_steps=1, seed=0,
        num_generations=8, per_device_train_batch_size=8, gradient_accumulation_steps=4,
        max_completion_length=512, temperature=1.0, learning_rate=1e-6, beta=0.0, report_to=[],
    )  # fmt: skip
    rows = answer_dataset(given.benchmark, "train", given.tasks)
    rewards = answer_reward(given.benchmark, "train")
    trainer = GRPOTrainer(given.model, reward_funcs=rewards, train_dataset=rows, args=settings)
    trainer.train(resume_from_checkpoint=any(given.out.glob("checkpoint-*")))
    trainer.save_model(str(given.out / "last"))


if __name__ == "__main__":
    given = arguments()
    if given.dry:
        print(dict(zip(("right", "empty"), dry(given.benchmark, min(given.tasks, 8)), strict=True)))
    else:
        train(given)
