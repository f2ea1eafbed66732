"""What a reset and a step of each environment cost, and what agents without a model earn there.

    python bench/env.py [TASKS]                    writes bench/results/env.md; TASKS of each split, 100 by default
    python bench/env.py costs BENCHMARK SPLIT TASKS    one split in this process, as JSON
    python bench/env.py pool TASKS RESETS          resets a second and memory over a pool, and 512 episodes at once
    VERIFIERS=PYTHON python bench/env.py beside    the section of env.md about verifiers alone, by an interpreter that has it

Every split is measured in a process of its own. Seconds are of the processor, so that other programs on the machine do not
count, except that they slow its caches.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, cast

from toolyard.env import Environment, environments
from toolyard.env.agent_baselines import COLUMNS, AgentEarnings, agent_estimates
from toolyard.env.gym_task import SPLITS, Split, TaskPlace
from toolyard.env.rewards import Rewards
from toolyard.env.task_agents import AGENTS, oracle
from toolyard.env.task_pool import TaskPool

OUT = Path(__file__).parent / "results" / "env.md"
TASKS = 100
BESIDE_TASKS = 60
FIRST = 40
POOL = (2_000, 100_000)
COST = (
    "| benchmark | split | first reset, s | first 40 tasks a second | then tasks a second | longest reset, ms "
    "| oracle plays, ms |"
)
BESIDE = "## Beside a plain environment of verifiers"
Measured = dict[str, Any]


def measured(benchmark: str, split: Split, tasks: int) -> Measured:
    """Seconds of every reset and of every play of the oracle, and the rewards of all agents."""
    environment = Environment(benchmark, split)
    resets, plays, played = [], [], AgentEarnings(AGENTS)
    for seed in range(tasks):
        start = time.process_time() if seed else 0.0
        environment.reset(seed)
        resets.append(time.process_time() - start)
    for seed in range(tasks):
        environment.reset(seed)
        task = environment.task
        for name, agent in AGENTS.items():
            start = time.process_time()
            played.add(environment, task, name, agent)
            if name == "oracle":
                plays.append(time.process_time() - start)
    earned = {name: [[*each.families.values()] for each in found] for name, found in played.earned.items()}
    return {"benchmark": benchmark, "split": split, "resets": resets, "plays": plays, "earned": earned}


def measure_apart(benchmark: str, split: str, tasks: int) -> Measured:
    """The same in a fresh process."""
    command = [sys.executable, __file__, "costs", benchmark, split, str(tasks)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return cast(Measured, json.loads(done.stdout))


def cost_line(found: Measured) -> str:
    resets, plays = found["resets"], found["plays"]
    first, then = resets[1:FIRST], resets[FIRST:]
    return (
        f"| {found['benchmark']} | {found['split']} | {resets[0]:.1f} | {len(first) / sum(first):.1f} "
        f"| {len(then) / sum(then):.1f} | {max(then) * 1000:.0f} | {1000 * sum(plays) / len(plays):.0f} |"
    )


def reward_lines(splits: list[Measured]) -> list[str]:
    """What every agent earns over the tasks of both splits."""
    played = AgentEarnings(AGENTS)
    for name, found in played.earned.items():
        found += [Rewards(*families) for each in splits for families in each["earned"][name]]
    lines = []
    for name, found in agent_estimates(played).items():
        cells = [f"{found[key].value:.3f} [{found[key].low:.3f}, {found[key].high:.3f}]" for key in COLUMNS]
        lines.append(f"| {splits[0]['benchmark']} | {name} | {' | '.join(cells)} |")
    return lines


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


def verifiers_section(python: str) -> str:
    """What environments do in a second beside a plain one of verifiers, measured by an interpreter that has both."""
    here = Path(__file__).resolve().parent
    surroundings = {**os.environ, "PYTHONPATH": str(here.parent / "src")}

    def say(*words: str) -> str:
        command = [python, *words]
        return subprocess.run(command, check=True, capture_output=True, text=True, env=surroundings).stdout

    version = say("-c", "import importlib.metadata as found; print(found.version('verifiers'))").strip()
    rows = say(str(here / "verifiers_env.py"), str(BESIDE_TASKS))
    return (
        f"{BESIDE}\n\n`VERIFIERS=PYTHON python bench/env.py beside`: verifiers {version}, {BESIDE_TASKS} new tasks of each "
        "training split after 40 others, a second of the processor. The right actions are played; in verifiers a script "
        "stands in the model's place, so that no request is measured. The plain environment asks for a sum and compares "
        "the reply.\n\n| environment | draws | resets of a drawn task | steps | episodes | episodes in verifiers |\n"
        f"|---|---:|---:|---:|---:|---:|\n{rows}"
    )


def main() -> None:
    if sys.argv[1:2] == ["pool"]:
        print(play_pool(int(sys.argv[2]), int(sys.argv[3])))
        return
    if sys.argv[1:2] == ["costs"]:
        print(json.dumps(measured(sys.argv[2], cast(Split, sys.argv[3]), int(sys.argv[4]))))
        return
    others, _, section = OUT.read_text(encoding="utf-8").partition(BESIDE)
    if sys.argv[1:2] == ["beside"]:
        OUT.write_text(f"{others.rstrip()}\n\n{verifiers_section(os.environ['VERIFIERS'])}", encoding="utf-8")
        return
    tasks = int(sys.argv[1]) if len(sys.argv) > 1 else TASKS
    costs, rewards = [], []
    for benchmark in environments():
        found = [measure_apart(benchmark, split, tasks) for split in SPLITS]
        costs += map(cost_line, found)
        rewards += reward_lines(found)
        print("\n".join([*costs[-2:], *rewards[-len(AGENTS) :]]), flush=True)
    written = "\n".join(page(tasks, costs, play_pool(*POOL), rewards))
    OUT.write_text(f"{written}\n\n{BESIDE}{section}" if section else f"{written}\n", encoding="utf-8")


def page(tasks: int, costs: list[str], pool: str, rewards: list[str]) -> list[str]:
    return [
        "# Environments",
        "",
        f"`python bench/env.py {tasks}`: {tasks} tasks of each split, in a process of its own; seconds of the processor.",
        "",
        "## Cost of new tasks",
        "",
        COST,
        "|---" * 7 + "|",
        *costs,
        "",
        f"The first reset counts from the start of the process and imports the world. The other {FIRST - 1} of the first "
        f"{FIRST} build tables; what follows is the usual rate. Isolated tools run in a process that is not counted.",
        "",
        "## Tasks that were drawn",
        "",
        pool,
        "",
        "## Reward of agents without a model, with 95 % intervals",
        "",
        f"{2 * tasks} tasks of each benchmark, half of each split. `talk-only` says the right words of every turn and calls "
        "nothing; `replay` does what is right for the next task.",
        "",
        f"| benchmark | agent | {' | '.join(COLUMNS)} |",
        "|---" * (len(COLUMNS) + 2) + "|",
        *rewards,
    ]


if __name__ == "__main__":
    main()
