"""A model learns from its own right answers: sample in the environment, keep what earns everything, train on that.

    python recipes/rejection_sampling.py draw mtu,nestools,toolbehonest train 0:3000 tasks.jsonl
    python recipes/rejection_sampling.py sample tasks.jsonl MODEL rows.jsonl --samples 8
    toolyard train rows.jsonl --base FOLDER --out again
    python recipes/rejection_sampling.py draw mtu,nestools,toolbehonest eval 0:300 held_out.jsonl
    python recipes/rejection_sampling.py measure held_out.jsonl MODEL answers.jsonl --name again

MODEL is what `toolyard run -m` takes, such as openai/NAME?base_url=URL or hf/FOLDER. Rewards come from the benchmark's own
scorer over executed gold (`toolyard.env.single_answers`); no model judges. Tasks of `train` and `eval` are disjoint by
construction. `measure` asks greedily and appends a line per answer; it also takes the items of `short_items.py`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import short_items

from toolyard.core.types import Decoding, Message, Request
from toolyard.env.single_answers import Answers
from toolyard.env.task_pool import TaskPool
from toolyard.lines import Appender
from toolyard.models.loading import load_model

Task = dict[str, Any]
IN_FLIGHT, PERFECT, KEPT = 128, 0.999, 2
MOST_TOKENS = 640


@cache
def answers(benchmark: str, split: str, pool: Path | None) -> Answers:
    """The tasks of one benchmark and split, once per process."""
    kept = None if pool is None else TaskPool(pool)
    return Answers(benchmark, "eval" if split == "eval" else "train", pool=kept)


def drawn(task: tuple[str, str, int, Path | None]) -> Task:
    """One task with its prompt."""
    benchmark, split, seed, pool = task
    prompt = answers(benchmark, split, pool).prompt(seed)
    return {"benchmark": benchmark, "split": split, "seed": seed, "messages": prompt}


def earned(task: tuple[Task, str, Path | None]) -> float:
    """What an answer earns."""
    asked, text, pool = task
    if "answer" in asked:
        return short_items.earned(text, asked["answer"])
    return float(answers(asked["benchmark"], asked["split"], pool).rewards(asked["seed"], text).total)


async def texts_of(tasks: list[Task], spec: str, samples: int, decoding: Decoding) -> list[list[str]]:
    """The texts that the model gives to each task."""
    model, gate = load_model(spec, concurrency=IN_FLIGHT), asyncio.Semaphore(IN_FLIGHT)

    async def one(task: Task, number: int) -> str:
        messages = tuple(Message(each["role"], each["content"]) for each in task["messages"])
        async with gate:
            return (await model.generate(Request(messages, decoding, seed=number))).text

    try:
        found = await asyncio.gather(*(one(task, number) for task in tasks for number in range(samples)))
    finally:
        await model.close()
    return [list(found[first : first + samples]) for first in range(0, len(found), samples)]


def rewards(tasks: list[Task], texts: list[list[str]], given: argparse.Namespace) -> Iterator[list[float]]:
    """The rewards of all texts, task by task."""
    flat = [(task, text, given.pool) for task, own in zip(tasks, texts, strict=True) for text in own]
    # A process that holds a GPU is not forked.
    with ProcessPoolExecutor(given.workers, get_context("spawn")) as workers:
        found = iter(list(workers.map(earned, flat, chunksize=32)))
    for own in texts:
        yield [next(found) for _ in own]


def sample(tasks: list[Task], given: argparse.Namespace) -> None:
    """Writes the rows of right answers, at most two different ones of a task."""
    decoding = Decoding(temperature=given.temperature, max_tokens=MOST_TOKENS)
    texts = asyncio.run(texts_of(tasks, given.model, given.samples, decoding))
    kept, means = [], []
    for task, own, earnings in zip(tasks, texts, rewards(tasks, texts, given), strict=True):
        means.append(float(np.mean(earnings)))
        right = dict.fromkeys(text for text, reward in zip(own, earnings, strict=True) if reward >= PERFECT)
        name = f"{task['benchmark']}/{task['seed']}"
        for number, text in enumerate(list(right)[:KEPT]):
            messages = [*task["messages"], {"role": "assistant", "content": text}]
            kept.append({"id": f"{name}/{number}", "source": task["benchmark"], "messages": messages})
    given.out.write_text("".join(json.dumps(row) + "\n" for row in kept), encoding="utf-8")
    print(f"{len(tasks)} tasks, mean reward {np.mean(means):.3f}, {len(kept)} rows kept")


def measure(tasks: list[Task], given: argparse.Namespace) -> None:
    """Appends what greedy answers earn, and says the means."""
    decoding = Decoding(max_tokens=MOST_TOKENS)
    texts = asyncio.run(texts_of(tasks, given.model, 1, decoding))
    found: dict[str, list[float]] = {}
    with Appender(given.out) as file:
        for task, (text,), (reward,) in zip(tasks, texts, rewards(tasks, texts, given), strict=True):
            found.setdefault(task["benchmark"], []).append(reward)
            place = {"model": given.name or given.model, "benchmark": task["benchmark"], "seed": task["seed"]}
            file.append(place | {"reward": round(reward, 4), "text": text})
    for name, own in found.items():
        print(f"{given.name or given.model} {name}: {np.mean(own):.3f} over {len(own)}")


def draw(given: argparse.Namespace) -> None:
    """Writes tasks, those of the benchmarks in turn."""
    first, last = map(int, given.seeds.split(":"))
    wanted = [
        (benchmark, given.split, seed, given.pool)
        for seed in range(first, last)
        for benchmark in given.benchmarks.split(",")
    ]
    with ProcessPoolExecutor(given.workers) as workers:
        lines = [json.dumps(task) + "\n" for task in workers.map(drawn, wanted, chunksize=16)]
    given.out.write_text("".join(lines), encoding="utf-8")
    print(f"{len(lines)} tasks")


def main() -> None:
    """Draws tasks, samples answers to train on, or measures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--pool", type=Path, help="a file that keeps what is drawn")
    verbs = parser.add_subparsers(dest="verb", required=True)
    drawing = verbs.add_parser("draw")
    for name in ("benchmarks", "split", "seeds"):
        drawing.add_argument(name)
    drawing.add_argument("out", type=Path)
    for verb in ("sample", "measure"):
        asking = verbs.add_parser(verb)
        asking.add_argument("tasks", type=Path)
        asking.add_argument("model")
        asking.add_argument("out", type=Path)
        asking.add_argument("--name", default="", help="what the model is called in the lines")
        asking.add_argument("--samples", type=int, default=8)
        asking.add_argument("--temperature", type=float, default=0.8)
    given = parser.parse_args()
    if given.verb == "draw":
        draw(given)
        return
    tasks = [json.loads(line) for line in given.tasks.read_text(encoding="utf-8").splitlines()]
    (sample if given.verb == "sample" else measure)(tasks, given)


if __name__ == "__main__":
    main()
