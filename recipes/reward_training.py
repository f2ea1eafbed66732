"""GRPO from an adapter on the tasks of several environments, one completion per prompt, in pieces; `grpo.py` is the
short form to copy.

    python recipes/reward_training.py draw --pool answers.pool --tasks 1500          # ahead: no GPU, no model
    python recipes/reward_training.py train BASE --adapter sft/adapter --pool answers.pool --out grpo --vllm

The same command goes on from the last checkpoint. From the adapter alone: `--adapter grpo/last --first STEP`, another
`--out`; the optimiser then starts anew and the tasks come in another order. `--out` gets `log.jsonl` (a line a step),
`completions.jsonl` (every completion with its rewards) and `last/` (the adapter).
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from statistics import fmean
from typing import Any

from toolyard.env.adapters.trl import completion_text
from toolyard.env.rewards import FAMILIES
from toolyard.env.single_answers import Answers
from toolyard.env.task_pool import TaskPool
from toolyard.lines import Appender

Row = dict[str, Any]
# Drawn in one piece by one worker.
PIECE = 50
# CUDA graphs without a compiler: vLLM then starts in seconds.
ENGINE = {"compilation_config": {"mode": 0, "cudagraph_mode": "FULL_DECODE_ONLY"}}


def arguments() -> argparse.Namespace:
    """What is drawn or trained, and how."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("verb", choices=("draw", "train"))
    parser.add_argument("base", nargs="?", help="a folder with weights")
    parser.add_argument("--pool", type=Path, required=True, help="the file of drawn tasks")
    parser.add_argument("--benchmarks", default="nestools,mtu")
    parser.add_argument("--split", default="train", choices=("train", "eval"), help="with draw: whose tasks")
    parser.add_argument("--tasks", type=int, default=1_500, help="of each benchmark")
    parser.add_argument("--workers", type=int, default=2, help="with draw: processes")
    parser.add_argument("--adapter", type=Path, help="where training starts")
    parser.add_argument("--out", type=Path, default=Path("grpo"))
    parser.add_argument("--steps", type=int, default=150, help="fixed beforehand")
    parser.add_argument("--first", type=int, default=0, help="steps that the adapter has behind it")
    parser.add_argument("--minutes", type=float, default=0.0, help="stop at a checkpoint after so long")
    parser.add_argument("--save-every", type=int, default=25)
    parser.add_argument("--longest", type=int, default=2_100, help="tokens of a prompt")
    parser.add_argument("--completion", type=int, default=384, help="tokens of a completion")
    parser.add_argument("--prompts", type=int, default=4, help="of a step")
    parser.add_argument("--group", type=int, default=8, help="completions of a prompt")
    parser.add_argument("--ahead", type=int, default=1, help="steps that one generation serves")
    parser.add_argument("--lr", type=float, default=4e-5)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--vllm", action="store_true", help="generate with vLLM beside the trainer")
    parser.add_argument(
        "--engine", type=json.loads, default=ENGINE, help="further arguments of vllm.LLM, as JSON"
    )
    parser.add_argument("--memory", type=float, default=0.15, help="share of the GPU's memory for vLLM")
    return parser.parse_args()


def draw_piece(piece: tuple[str, str, Path, range]) -> int:
    """Draws tasks into the pool."""
    benchmark, split, file, seeds = piece
    answers = Answers(benchmark, "eval" if split == "eval" else "train", pool=TaskPool(file))
    return sum(bool(answers.prompt(seed)) for seed in seeds)


def draw(given: argparse.Namespace) -> None:
    """Draws the tasks of all benchmarks ahead."""
    pieces = [
        (benchmark, given.split, given.pool, range(first, min(first + PIECE, given.tasks)))
        for first in range(0, given.tasks, PIECE)
        for benchmark in given.benchmarks.split(",")
    ]
    with ProcessPoolExecutor(given.workers) as workers:
        print(f"{sum(workers.map(draw_piece, pieces)):,} tasks in {given.pool}")


def rows_of(
    answers: dict[str, Answers], tasks: int, tokens_of: Callable[[Any], int], longest: int
) -> list[Row]:
    """The prompts that are short enough, as many of each benchmark, in turn."""
    short = [
        [
            {"prompt": prompt, "benchmark": benchmark, "seed": seed}
            for seed in range(tasks)
            if tokens_of(prompt := own.prompt(seed)) <= longest
        ]
        for benchmark, own in answers.items()
    ]
    return [row for rows in zip(*short, strict=False) for row in rows]


def ends_of(tokenizer: Any) -> list[int]:
    """The tokens that end an answer: the tokenizer's own, and the one that the chat template writes behind an answer."""
    asked, answer = {"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}
    prompt = tokenizer.apply_chat_template([asked], tokenize=False, add_generation_prompt=True)
    whole = tokenizer.apply_chat_template([asked, answer], tokenize=False)
    behind = tokenizer(whole[len(prompt) + 1 :], add_special_tokens=False)["input_ids"][:1]
    return sorted(
        {tokenizer.eos_token_id, *(each for each in behind if each in tokenizer.added_tokens_decoder)}
    )


class Scorer:
    """The reward function: each completion by its benchmark, and all of them kept with their parts."""

    __name__ = "toolyard"

    def __init__(self, answers: dict[str, Answers], file: Path, first: int = 0) -> None:
        self.answers, self.file, self.first = answers, file, first

    def __call__(
        self, completions: list[Any], benchmark: list[str], seed: list[int], trainer_state: Any, log_metric: Any,
        **_: Any,
    ) -> list[float]:  # fmt: skip
        step = self.first + trainer_state.global_step
        lines = [
            self._scored(name, number, completion_text(each)) | {"step": step}
            for name, number, each in zip(benchmark, seed, completions, strict=True)
        ]
        for name in FAMILIES:
            log_metric(name, fmean(line[name] for line in lines))
        with Appender(self.file) as file:
            for line in lines:
                file.append(line)
        return [line["reward"] for line in lines]

    def _scored(self, benchmark: str, seed: int, text: str) -> Row:
        found = self.answers[benchmark].rewards(seed, text)
        return {"benchmark": benchmark, "seed": seed, "text": text, "reward": found.total, **found.families}


def trained_model(given: argparse.Namespace) -> tuple[Any, Any, list[int]]:
    """The base with the adapter on it, its tokenizer, and the tokens that end an answer.

    For vLLM the adapter is merged into the base and taken out again every step: in bf16 the base would drift.
    """
    import torch
    from peft import PeftModel
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(given.base)
    exact = given.vllm or not torch.cuda.is_available()
    base = AutoModelForCausalLM.from_pretrained(given.base, dtype=torch.float32 if exact else torch.bfloat16)
    base.generation_config.eos_token_id = ends = ends_of(tokenizer)
    return PeftModel.from_pretrained(base, given.adapter, is_trainable=True), tokenizer, ends


def settings_of(given: argparse.Namespace, ends: list[int]) -> Any:
    """What trl is told."""
    import torch
    from trl import GRPOConfig

    with_vllm = {
        "use_vllm": True, "vllm_mode": "colocate", "vllm_gpu_memory_utilization": given.memory,
        "vllm_max_model_length": given.longest + given.completion, "generation_kwargs": {"stop_token_ids": ends},
        # One more pass over every prompt for a correction that is near 1: the weights are the same.
        "vllm_importance_sampling_correction": False,
    }  # fmt: skip
    return GRPOConfig(
        output_dir=str(given.out), max_steps=given.steps - given.first, seed=given.seed + given.first,
        save_steps=given.save_every, save_total_limit=2, logging_steps=1, report_to=[], disable_tqdm=True,
        num_generations=given.group, per_device_train_batch_size=given.group, gradient_accumulation_steps=given.prompts,
        steps_per_generation=given.prompts * given.ahead, max_completion_length=given.completion, temperature=1.0,
        learning_rate=given.lr, lr_scheduler_type="constant_with_warmup", warmup_steps=5, beta=0.0,
        epsilon_high=0.28, loss_type="dapo", mask_truncated_completions=True, gradient_checkpointing=False,
        bf16=torch.cuda.is_available(), use_cpu=not torch.cuda.is_available(), **(with_vllm if given.vllm else {}),
    )  # fmt: skip


def start_vllm_with(engine: Row) -> None:
    """Hands the engine's arguments to the one that trl starts; trl has no setting for them."""
    from functools import partial

    from trl.generation import vllm_generation

    vllm_generation.LLM = partial(vllm_generation.LLM, **engine)


def step_log(given: argparse.Namespace) -> Any:
    """What writes a line a step and stops when the time is up."""
    from transformers import TrainerCallback

    started = time.monotonic()

    class StepLog(TrainerCallback):  # type: ignore[misc,unused-ignore]
        def on_log(self, _args: Any, state: Any, _control: Any, logs: Row, **_: Any) -> None:
            line = {"step": given.first + state.global_step, "seconds": round(time.monotonic() - started, 2)}
            with Appender(given.out / "log.jsonl") as file:
                file.append(line | logs)

        def on_step_end(self, _args: Any, _state: Any, control: Any, **_: Any) -> None:
            if given.minutes and time.monotonic() - started > 60 * given.minutes:
                control.should_save = control.should_training_stop = True

    return StepLog()


def train(given: argparse.Namespace) -> None:
    """Trains, or goes on from the last checkpoint."""
    from datasets import Dataset
    from shared_prompts import send_weights_at_once, shared_prompt_trainer

    pool = TaskPool(given.pool)
    answers = {name: Answers(name, "train", pool=pool) for name in given.benchmarks.split(",")}
    model, tokenizer, ends = trained_model(given)

    def tokens_of(prompt: list[dict[str, str]]) -> int:
        return len(tokenizer.apply_chat_template(prompt, tokenize=True, return_dict=False))

    rows = rows_of(answers, given.tasks, tokens_of, given.longest)
    print(f"{len(rows):,} prompts of at most {given.longest:,} tokens", flush=True)
    if len(rows) < (least := given.prompts * given.ahead):
        raise SystemExit(f"{least} prompts are wanted at a time; raise --tasks or --longest")
    given.out.mkdir(parents=True, exist_ok=True)
    if given.vllm:
        start_vllm_with(given.engine)
        send_weights_at_once()
    trainer = shared_prompt_trainer()(
        model, args=settings_of(given, ends), train_dataset=Dataset.from_list(rows), processing_class=tokenizer,
        reward_funcs=Scorer(answers, given.out / "completions.jsonl", given.first), callbacks=[step_log(given)],
    )  # fmt: skip
    trainer.train(resume_from_checkpoint=any(given.out.glob("checkpoint-*")))
    trainer.save_model(str(given.out / "last"))


if __name__ == "__main__":
    given = arguments()
    (draw if given.verb == "draw" else train)(given)
