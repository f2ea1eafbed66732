"""What a reset and a step of each environment cost, and what agents without a model earn there.

    python bench/env.py [TASKS [BENCHMARK]]        writes bench/results/env.md, or prints the lines of one benchmark
    python bench/env.py pool TASKS RESETS          resets a second and memory over a pool, and 512 episodes at once

Seconds are of the processor, so that other programs on the machine do not count. The first task of a process imports the
world and builds tables; it is shown apart.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

from toolyard.env import Environment, environments
from toolyard.env.agent_baselines import COLUMNS, AgentEarnings, estimates
from toolyard.env.gym_task import SPLITS, Split, TaskPlace
from toolyard.env.task_agents import AGENTS, oracle
from toolyard.env.task_pool import TaskPool

OUT = Path(__file__).parent / "results" / "env.md"
TASKS = 60
COST = (
    "| benchmark | split | first reset, s | median reset, ms | longest, ms | median of the second half, ms "
    "| oracle plays, ms | tasks per second |"
)


def measured(benchmark: str, split: Split, tasks: int) -> tuple[str, list[str]]:
    """The line of costs and the lines of rewards."""
    environment = Environment(benchmark, split)
    resets, plays, played = [], [], AgentEarnings(AGENTS)
    for seed in range(tasks):
        start = time.process_time()
        environment.reset(seed)
        resets.append(time.process_time() - start)
        task = environment.task
        for name, agent in AGENTS.items():
            start = time.process_time()
            played.add(environment, task, name, agent)
            if name == "oracle":
                plays.append(time.process_time() - start)
    half = len(resets) // 2
    rate = len(resets[half:]) / (sum(resets[half:]) + sum(plays[half:]))
    cost = (
        f"| {benchmark} | {split} | {resets[0]:.1f} | {_median(resets[1:])} | {max(resets[1:]) * 1000:.0f} "
        f"| {_median(resets[half:])} | {_median(plays)} | {rate:.1f} |"
    )
    rewards = []
    for known, found in estimates(played).items():
        cells = [
            f"{found[name].value:.3f} [{found[name].low:.3f}, {found[name].high:.3f}]" for name in COLUMNS
        ]
        rewards.append(f"| {benchmark} | {split} | {known} | {' | '.join(cells)} |")
    return cost, rewards


def play_pool(tasks: int, resets: int, episodes: int = 512) -> str:
    """Resets a second of drawn tasks, what memory they add, and many episodes side by side in this process."""
    with tempfile.TemporaryDirectory() as folder:
        pool = TaskPool(Path(folder) / "tasks")
        pool.fill(TaskPlace("tooleyes"), range(tasks))
        environment, memory = Environment("tooleyes", pool=pool), []
        for seed in range(tasks):
            environment.reset(seed)
        start = time.process_time()
        for number in range(resets):
            environment.reset(number % tasks)
            if number in (resets // 10, resets - 1):
                memory.append(_resident_kilobytes())
        rate = resets / (time.process_time() - start)
        group = [Environment("tooleyes", pool=pool) for _ in range(episodes)]
        seen = [each.reset(number % tasks) for number, each in enumerate(group)]
        acts = [oracle(each.task) for each in group]
        while open_ones := [number for number, each in enumerate(group) if not each.over]:
            for number in open_ones:
                seen[number] = group[number].step(acts[number](seen[number])).observation
        earned = sum(each.earned.total for each in group) / episodes
    return (
        f"tooleyes, {tasks} tasks on disk, {resets} resets: {rate:.0f} resets a second of the processor; memory after a "
        f"tenth {memory[0] // 1024} MB, at the end {memory[-1] // 1024} MB; {episodes} oracles at once earn {earned:.3f}."
    )


def _resident_kilobytes() -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1])


def _median(seconds: list[float]) -> str:
    return f"{statistics.median(seconds) * 1000:.0f}"


def main() -> None:
    if sys.argv[1:2] == ["pool"]:
        print(play_pool(int(sys.argv[2]), int(sys.argv[3])))
        return
    tasks = int(sys.argv[1]) if len(sys.argv) > 1 else TASKS
    wanted = sys.argv[2:] or environments()
    costs, rewards = [], []
    for benchmark in wanted:
        for split in SPLITS:
            cost, lines = measured(benchmark, split, tasks)
            print("\n".join([cost, *lines]), flush=True)
            costs.append(cost)
            rewards += lines
    if len(sys.argv) < 3:
        OUT.write_text("\n".join(page(tasks, costs, rewards)) + "\n", encoding="utf-8")


def page(tasks: int, costs: list[str], rewards: list[str]) -> list[str]:
    return [
        "# Environments",
        "",
        f"`python bench/env.py {tasks}`: {tasks} tasks of each split; seconds of the processor.",
        "",
        "## Cost",
        "",
        COST,
        "|---" * 8 + "|",
        *costs,
        "",
        "The first reset of a process imports the world. Later ones get faster while tables are built and caches",
        "fill; tasks per second are of the second half, drawn and played by the oracle. `eval` takes one list of calls",
        "in four, hence more draws.",
        "",
        "## Reward of agents without a model, with 95 % intervals",
        "",
        f"| benchmark | split | agent | {' | '.join(COLUMNS)} |",
        "|---" * (len(COLUMNS) + 3) + "|",
        *rewards,
    ]


if __name__ == "__main__":
    main()
