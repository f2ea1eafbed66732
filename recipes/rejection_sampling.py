"""A model learns from its own right answers: sample in the environment, keep what earns everything, train on that.

    python recipes/rejection_sampling.py draw mtu,nestools,toolbehonest train 0:3000 tasks.jsonl
    python recipes/rejection_sampling.py sample tasks.jsonl http://127.0.0.1:8000/v1 NAME rows.jsonl --samples 8
    toolyard train rows.jsonl --base FOLDER --out again
    python recipes/rejection_sampling.py draw mtu,nestools,toolbehonest eval 0:400 held_out.jsonl
    python recipes/rejection_sampling.py measure held_out.jsonl http://127.0.0.1:8000/v1 NAME results.jsonl

Rewards come from the benchmark's own scorer over executed gold (`toolyard.env.single_answers`); no model judges. Tasks of
`train` and `eval` are disjoint by construction. `measure` asks greedily and appends one line per benchmark.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import aiohttp
import numpy as np

from toolyard.env.single_answers import Answers

Task = dict[str, Any]
IN_FLIGHT, PERFECT, KEPT = 128, 0.999, 2
MOST_TOKENS = 320


@cache
def answers(benchmark: str, split: str) -> Answers:
    """The tasks of one benchmark and split, once per process."""
    return Answers(benchmark, "eval" if split == "eval" else "train")


def drawn(task: tuple[str, str, int]) -> Task:
    """One task with its prompt."""
    benchmark, split, seed = task
    prompt = answers(benchmark, split).prompt(seed)
    return {"benchmark": benchmark, "split": split, "seed": seed, "messages": prompt}


def earned(task: tuple[str, str, int, str]) -> float:
    """What an answer earns."""
    benchmark, split, seed, text = task
    return float(answers(benchmark, split).rewards(seed, text).total)


async def asked(tasks: Iterable[Task], url: str, body: Task) -> list[list[str]]:
    """The texts that the endpoint gives to each task."""
    gate = asyncio.Semaphore(IN_FLIGHT)
    timeout = aiohttp.ClientTimeout(total=300)
    async with aiohttp.ClientSession(timeout=timeout, connector=aiohttp.TCPConnector(limit=0)) as session:

        async def one(task: Task) -> list[str]:
            async with (
                gate,
                session.post(f"{url}/chat/completions", json={**body, "messages": task["messages"]}) as reply,
            ):
                reply.raise_for_status()
                return [each["message"]["content"] or "" for each in (await reply.json())["choices"]]

        return await asyncio.gather(*map(one, tasks))


def rewards(tasks: list[Task], texts: list[list[str]], workers: int) -> Iterator[list[float]]:
    """The rewards of all texts, task by task."""
    flat = [
        (task["benchmark"], task["split"], task["seed"], text)
        for task, given in zip(tasks, texts, strict=True)
        for text in given
    ]
    with ProcessPoolExecutor(workers) as pool:
        found = iter(list(pool.map(earned, flat, chunksize=32)))
    for given in texts:
        yield [next(found) for _ in given]


def sample(tasks: list[Task], arguments: argparse.Namespace) -> None:
    """Writes the rows of right answers, at most two different ones of a task."""
    body = {
        "model": arguments.model, "n": arguments.samples, "temperature": arguments.temperature,
        "max_tokens": MOST_TOKENS, "seed": 0,
    }  # fmt: skip
    texts = asyncio.run(asked(tasks, arguments.url, body))
    kept, means = [], []
    for task, given, earnings in zip(tasks, texts, rewards(tasks, texts, arguments.workers), strict=True):
        means.append(float(np.mean(earnings)))
        right = dict.fromkeys(text for text, reward in zip(given, earnings, strict=True) if reward >= PERFECT)
        name = f"{task['benchmark']}/{task['seed']}"
        for number, text in enumerate(list(right)[:KEPT]):
            messages = [*task["messages"], {"role": "assistant", "content": text}]
            kept.append({"id": f"{name}/{number}", "source": task["benchmark"], "messages": messages})
    arguments.out.write_text("".join(json.dumps(row) + "\n" for row in kept), encoding="utf-8")
    print(f"{len(tasks)} tasks, mean reward {np.mean(means):.3f}, {len(kept)} rows kept")


def measure(tasks: list[Task], arguments: argparse.Namespace) -> None:
    """Appends the mean reward of greedy answers, with an interval over tasks."""
    body = {"model": arguments.model, "temperature": 0, "max_tokens": MOST_TOKENS}
    texts = asyncio.run(asked(tasks, arguments.url, body))
    found = [each[0] for each in rewards(tasks, texts, arguments.workers)]
    rng = np.random.default_rng(0)
    with arguments.out.open("a", encoding="utf-8") as file:
        for name in sorted({task["benchmark"] for task in tasks}):
            own = np.array(
                [each for each, task in zip(found, tasks, strict=True) if task["benchmark"] == name]
            )
            means = rng.choice(own, (2000, len(own))).mean(axis=1)
            low, high = np.quantile(means, (0.025, 0.975))
            line = {
                "model": arguments.model, "benchmark": name, "tasks": len(own), "reward": float(own.mean()),
                "low": float(low), "high": float(high), "right": float((own >= PERFECT).mean()),
                "rewards": [round(float(each), 4) for each in own],
            }  # fmt: skip
            file.write(json.dumps(line) + "\n")
            print(f"{arguments.model} {name}: {own.mean():.3f} [{low:.3f}, {high:.3f}] over {len(own)}")


def draw(arguments: argparse.Namespace) -> None:
    """Writes tasks, those of the benchmarks in turn."""
    first, last = map(int, arguments.seeds.split(":"))
    wanted = [
        (benchmark, arguments.split, seed)
        for seed in range(first, last)
        for benchmark in arguments.benchmarks.split(",")
    ]
    with ProcessPoolExecutor(arguments.workers) as pool:
        lines = [json.dumps(task) + "\n" for task in pool.map(drawn, wanted, chunksize=16)]
    arguments.out.write_text("".join(lines), encoding="utf-8")
    print(f"{len(lines)} tasks")


def main() -> None:
    """Draws tasks, samples answers to train on, or measures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--workers", type=int, default=2)
    verbs = parser.add_subparsers(dest="verb", required=True)
    drawing = verbs.add_parser("draw")
    for name in ("benchmarks", "split", "seeds"):
        drawing.add_argument(name)
    drawing.add_argument("out", type=Path)
    for verb in ("sample", "measure"):
        asking = verbs.add_parser(verb)
        asking.add_argument("tasks", type=Path)
        asking.add_argument("url")
        asking.add_argument("model")
        asking.add_argument("out", type=Path)
        asking.add_argument("--samples", type=int, default=8)
        asking.add_argument("--temperature", type=float, default=0.8)
    arguments = parser.parse_args()
    if arguments.verb == "draw":
        draw(arguments)
        return
    tasks = [json.loads(line) for line in arguments.tasks.read_text(encoding="utf-8").splitlines()]
    (sample if arguments.verb == "sample" else measure)(tasks, arguments)


if __name__ == "__main__":
    main()
