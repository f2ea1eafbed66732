"""The environment for verifiers (its v1 interface): an endless taskset, and an env that plays tools and user.

    from environment import load_environment            # the folder that `toolyard env BENCH --to verifiers` writes
    environment = load_environment(split="train")

verifiers finds a taskset by the name of an importable module, which is why that folder has one. The model writes its
calls as text, see `toolyard.env.text_form`; the env executes them and answers as the user of the run.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import verifiers.v1 as vf

from toolyard.env.environment import Environment
from toolyard.env.gym_task import Split
from toolyard.env.task_agents import right_actions
from toolyard.env.text_form import new_messages_text, opening_text

REWARD = "reward"


class ToolyardConfig(vf.TasksetConfig):
    """Which tasks, a benchmark and a split, and in which world."""

    benchmark: str = "nestools"
    split: Split = "train"
    world_seed: int = 0


class ToolyardData(vf.TaskData):
    """What the env draws the task from again."""

    benchmark: str
    split: Split
    seed: int
    world_seed: int = 0


class ToolyardTask(vf.Task[ToolyardData, vf.State, vf.TaskConfig]):
    """One task; its reward is recorded by the env, which has seen the calls."""

    async def validate(self, runtime: Any) -> bool:  # noqa: ARG002 - the interface of every task
        """Whether the right actions earn everything, as verifiers' `vf-validate` asks."""
        environment = Environment(self.data.benchmark, self.data.split, self.data.world_seed)
        environment.reset(self.data.seed)
        for action in right_actions(environment.task):
            environment.step(action)
        return environment.earned.total == 1


class ToolyardTaskset(vf.Taskset[ToolyardTask, ToolyardConfig]):
    """The tasks of seeds 0, 1, 2, ... without end."""

    INFINITE = True

    def load(self) -> Iterator[ToolyardTask]:
        """Every task with its opening as prompt."""
        environment = Environment(self.config.benchmark, self.config.split, self.config.world_seed)
        for seed in itertools.count():
            first = opening_text(environment.reset(seed))
            data = ToolyardData(
                name=environment.task.id,
                prompt=first.user,
                system_prompt=first.system,
                benchmark=self.config.benchmark,
                split=self.config.split,
                seed=seed,
                world_seed=self.config.world_seed,
            )
            yield ToolyardTask(data, self.config.task)


class ToolyardEnvConfig(vf.EnvConfig):
    """One seat: the model that is trained; it needs no tools of its own."""

    player: vf.AgentConfig = vf.AgentConfig(harness=vf.HarnessConfig(id="null"))


class ToolyardEnv(vf.Env[ToolyardEnvConfig]):
    """Executes the calls in the model's words, and says what comes back."""

    async def run(self, task: ToolyardTask, agents: Any) -> None:
        """One task to its end; the reward and its families are recorded in the trace."""
        environment = Environment(task.data.benchmark, task.data.split, task.data.world_seed)
        seen = environment.reset(task.data.seed)
        async with agents.player.interaction(task) as interaction:
            segment = await interaction.turn()
            while not segment.terminated:
                step = environment.step(segment.last_reply)
                if environment.over:
                    break
                said, seen = new_messages_text(seen, step.observation), step.observation
                segment = await interaction.turn(said)
        earned = environment.earned
        interaction.trace.record_reward(REWARD, earned.total, 1.0)
        interaction.trace.record_metrics(earned.families)


def load_environment(benchmark: str, split: Split, module: str) -> ToolyardEnv:
    """verifiers' own env over the taskset that the module of that name exports."""
    taskset = ToolyardConfig(id=module, benchmark=benchmark, split=split)
    return ToolyardEnv(ToolyardEnvConfig(taskset=taskset))
