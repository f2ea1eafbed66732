"""What a reset and a step of each environment cost, and what agents without a model earn there.

    python bench/env.py [TASKS]        writes bench/results/env.md

Seconds are of the processor, so that other programs on the machine do not count. The first task of a process imports the
world and builds tables; it is shown apart.
"""

from __future__ import annotations

import statistics
import sys
import time
from pathlib import Path

from toolyard.env import Environment, environments
from toolyard.env.agents import oracle
from toolyard.env.trying import COLUMNS, tried

OUT = Path(__file__).parent / "results" / "env.md"
TASKS = 60


def costs(benchmark: str, split: str, tasks: int) -> tuple[float, list[float], list[float]]:
    """Seconds of the first reset, of the others, and of whole tasks after their reset."""
    environment = Environment(benchmark, split)  # type: ignore[arg-type]
    resets, plays = [], []
    for seed in range(tasks):
        start = time.process_time()
        observation = environment.reset(seed)
        resets.append(time.process_time() - start)
        act = oracle(environment.task)
        start = time.process_time()
        while not environment.over:
            observation = environment.step(act(observation)).observation
        plays.append(time.process_time() - start)
    return resets[0], resets[1:], plays


def cost_row(benchmark: str, split: str, tasks: int) -> str:
    first, resets, plays = costs(benchmark, split, tasks)
    later = resets[len(resets) // 2 :]
    rate = len(later) / (sum(later) + sum(plays[-len(later) :]))
    return (
        f"| {benchmark} | {split} | {first:.1f} | {statistics.median(resets) * 1000:.0f} | {max(resets) * 1000:.0f} "
        f"| {statistics.median(later) * 1000:.0f} | {statistics.median(plays) * 1000:.0f} | {rate:.1f} |"
    )


def reward_rows(benchmark: str, tasks: int) -> list[str]:
    rows = []
    for agent, found in tried(benchmark, "eval", tasks).items():
        cells = [
            f"{found[name].value:.3f} [{found[name].low:.3f}, {found[name].high:.3f}]" for name in COLUMNS
        ]
        rows.append(f"| {benchmark} | {agent} | {' | '.join(cells)} |")
    return rows


def main() -> None:
    tasks = int(sys.argv[1]) if len(sys.argv) > 1 else TASKS
    lines = [
        "# Environments",
        "",
        f"`python bench/env.py {tasks}`; seconds of the processor on one core.",
        "",
        "## Cost",
        "",
    ]
    lines += [
        "| benchmark | split | first reset, s | median reset, ms | longest, ms | median of the second half, ms "
        "| oracle plays, ms | tasks per second |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for benchmark in environments():
        for split in ("train", "eval"):
            lines.append(cost_row(benchmark, split, tasks))
            print(lines[-1], flush=True)
    lines += [
        "",
        "Resets get faster while tables of the world are built; tasks per second are of the second half, drawn and "
        "played by the oracle.",
        "",
        f"## Reward of agents without a model, {tasks} tasks of the evaluation split, 95 % intervals",
        "",
        f"| benchmark | agent | {' | '.join(COLUMNS)} |",
        "|---" * (len(COLUMNS) + 2) + "|",
    ]
    for benchmark in environments():
        lines += reward_rows(benchmark, tasks)
        print(lines[-1], flush=True)
    OUT.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
