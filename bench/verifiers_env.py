"""What environments do in a second of the processor, beside a plain environment of verifiers.

    PYTHON bench/verifiers_env.py [TASKS]      rows of a table; PYTHON has toolyard[world] and verifiers

The plain one has a question a task and compares the reply with its answer. Both are played by a script that stands where
verifiers puts the model, so that no model, program or request is measured.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import verifiers.v1 as vf

from toolyard.env import Environment, environments
from toolyard.env.adapters.verifiers import ToolyardEnvConfig, load_environment
from toolyard.env.task_agents import right_actions
from toolyard.env.task_folder import write_folder

__all__ = ["SumEnv", "SumTaskset"]

TASKS = 60
# By then the tables of the world are built.
WARM = 40
RESETS = 20


class SumData(vf.TaskData):
    """A question and its answer."""

    answer: str


class SumTask(vf.Task[SumData, vf.State, vf.TaskConfig]):
    """One sum."""


class SumTaskset(vf.Taskset[SumTask, vf.TasksetConfig]):
    """Sums without end."""

    INFINITE = True

    def load(self) -> Iterator[SumTask]:
        """Every sum in turn."""
        number = 0
        while True:
            data = SumData(name=str(number), prompt=f"{number} + 1?", answer=str(number + 1))
            yield SumTask(data, self.config.task)
            number += 1


class SumEnv(vf.Env[ToolyardEnvConfig]):
    """Asks once and compares."""

    async def run(self, task: SumTask, agents: Any) -> None:
        """One question and its reward."""
        async with agents.player.interaction(task) as interaction:
            segment = await interaction.turn()
        interaction.trace.record_reward("reward", float(segment.last_reply == task.data.answer), 1.0)


class Script:
    """Stands where verifiers puts the model, and says what it is given."""

    def __init__(self, replies: list[str]) -> None:
        self.replies, self.trace, self.earned = iter(replies), self, 0.0
        self.player = self

    @asynccontextmanager
    async def interaction(self, task: Any) -> AsyncIterator[Script]:  # noqa: ARG002 - verifiers' own signature
        """An open conversation."""
        yield self

    async def turn(self, message: str = "") -> SimpleNamespace:  # noqa: ARG002
        """The next reply."""
        return SimpleNamespace(terminated=False, last_reply=next(self.replies))

    def record_reward(self, name: str, value: float, weight: float) -> None:  # noqa: ARG002
        """Keeps the reward."""
        self.earned = value

    def record_metrics(self, found: dict[str, float]) -> None:
        """Keeps nothing."""


def in_words(action: Any) -> str:
    """An action as the model would write it."""
    calls = [call["function"] for call in action["tool_calls"]]
    written = [{"name": call["name"], "arguments": json.loads(call["arguments"])} for call in calls]
    return str(action["content"]) + "".join(f"<tool_call>{json.dumps(each)}</tool_call>" for each in written)


def seconds(work: Callable[[], object]) -> float:
    """What it takes of the processor."""
    start = time.process_time()
    work()
    return time.process_time() - start


async def played(env: Any, tasks: list[Any], scripts: list[Script]) -> None:
    """Every task in verifiers' env; tasks that do not earn 1 are named."""
    for task, script in zip(tasks, scripts, strict=True):
        await env.run(task, script)
    unsolved = [task.data.name for task, script in zip(tasks, scripts, strict=True) if script.earned != 1]
    if unsolved:
        print(f"the right actions do not earn 1 in {', '.join(unsolved)}", file=sys.stderr)


def rates(benchmark: str, tasks: int) -> list[float]:
    """Draws, resets, steps and episodes a second, and episodes a second in verifiers."""
    environment, seeds = Environment(benchmark), range(WARM, WARM + tasks)
    for seed in range(WARM):
        environment.reset(seed)
    drawing = seconds(lambda: [environment.reset(seed) for seed in seeds])
    resetting = seconds(lambda: [environment.reset(seed) for _ in range(RESETS) for seed in seeds])
    actions, stepping = [], 0.0
    for seed in seeds:
        environment.reset(seed)
        actions.append(list(right_actions(environment.task)))
        stepping += seconds(lambda: [environment.step(action) for action in actions[-1]])
    steps = sum(map(len, actions))
    env = load_environment(benchmark, "train", "environment")
    rows = list(islice(env.taskset, WARM, WARM + tasks))
    scripts = [Script([in_words(action) for action in each]) for each in actions]
    there = seconds(lambda: asyncio.run(played(env, rows, scripts)))
    each_reset = resetting / (RESETS * tasks)
    return [
        tasks / drawing,
        1 / each_reset,
        steps / stepping,
        tasks / (stepping + tasks * each_reset),
        tasks / there,
    ]


def plain_rates(tasks: int) -> list[float]:
    """Tasks and episodes a second of the plain environment."""
    env = SumEnv(ToolyardEnvConfig(taskset=vf.TasksetConfig(id=Path(__file__).stem)))
    found: list[Any] = []
    drawing = seconds(lambda: found.extend(islice(env.taskset, tasks)))
    scripts = [Script([task.data.answer]) for task in found]
    return [tasks / drawing, tasks / seconds(lambda: asyncio.run(played(env, found, scripts)))]


def main() -> None:
    """Prints the rows."""
    tasks = int(sys.argv[1]) if len(sys.argv) > 1 else TASKS
    with tempfile.TemporaryDirectory() as folder:
        # verifiers finds a taskset by the name of a module.
        write_folder("nestools", "verifiers", Path(folder) / "out")
        sys.path.insert(0, str(Path(folder) / "out"))
        print_rates(tasks)


def print_rates(tasks: int) -> None:
    for benchmark in environments():
        print(
            f"| {benchmark} | {' | '.join(f'{rate:,.0f}' for rate in rates(benchmark, tasks))} |", flush=True
        )
    draws, episodes = plain_rates(100 * tasks)
    print(f"| plain verifiers | {draws:,.0f} | – | – | – | {episodes:,.0f} |")


if __name__ == "__main__":
    main()
