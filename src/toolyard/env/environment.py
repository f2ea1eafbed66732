"""An endless environment of tasks whose calls are really executed; rewards come from execution, from no model.

environment = Environment("nestools")
observation = environment.reset(7)
while True:
    observation, reward, terminated, truncated, info = environment.step(agent(observation))
    if terminated or truncated:
        break
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from typing import NamedTuple

from toolyard.core.errors import UsageError
from toolyard.core.types import JsonValue, Record
from toolyard.env.gym_task import APART, SPLITS, Apart, EnvironmentTask, Split, TaskPlace
from toolyard.env.playing import Playing
from toolyard.env.rewards import Rewards, compute_rewards
from toolyard.env.task_pool import SHARED, TaskPool
from toolyard.env.task_seeds import task_source


@dataclass(frozen=True, slots=True)
class TaskObservation:
    """The conversation so far and the functions on offer, both as OpenAI-compatible endpoints take them."""

    messages: tuple[Record, ...]
    tools: tuple[Record, ...]


class TaskStep(NamedTuple):
    """What one action leads to; the reward comes with the last action of a task."""

    observation: TaskObservation
    reward: float
    terminated: bool
    truncated: bool
    info: Record


class Environment:
    """Tasks of one benchmark and one split, one at a time, played in one world: another one has other values.

    `apart` says by what the splits differ, `calls` bounds the calls of a task, `catalogue` is the fewest functions
    on offer. `pool` keeps tasks; without one, all environments of a process share one in memory.
    """

    def __init__(
        self,
        benchmark: str,
        split: Split = "train",
        world_seed: int = 0,
        *,
        apart: Apart = "calls",
        calls: tuple[int, int] = (0, 0),
        catalogue: int = 0,
        pool: TaskPool | None = None,
    ) -> None:
        task_source(benchmark)
        for given, known, name in ((split, SPLITS, "split"), (apart, APART, "way to keep splits apart")):
            if given not in known:
                raise UsageError(f"no {name} {given!r}; choose {' or '.join(known)}")
        self.place = TaskPlace(benchmark, split, 0, world_seed, apart, *calls, catalogue)
        self._pool = SHARED if pool is None else pool
        self._playing: Playing | None = None
        self._over = False

    def reset(self, seed: int = 0) -> TaskObservation:
        """The beginning of the task of that seed: always the same for the same seed and split."""
        if isinstance(seed, bool) or not isinstance(seed, int):
            raise UsageError(f"a seed is a whole number, got {type(seed).__name__}")
        return self.play(self._pool.task(replace(self.place, seed=seed)))

    def play(self, task: EnvironmentTask) -> TaskObservation:
        """The beginning of a task that was drawn before."""
        self._playing = Playing(task)
        self._over = False
        return self._observation()

    def step(self, action: object) -> TaskStep:
        """What the action leads to. Nothing that an agent may do raises; after the end nothing more happens."""
        playing = self._current_playing()
        if self._over:
            return TaskStep(
                self._observation(), 0.0, playing.ended, not playing.ended, {"fault": "task_is_over"}
            )
        fault = playing.act(action)
        info: dict[str, JsonValue] = {"task": playing.task.id, "fault": fault.kind if fault else ""}
        self._over = playing.ended or playing.cut_off
        reward = 0.0
        if self._over:
            earned = compute_rewards(playing)
            reward = earned.total
            info |= {"families": earned.families, "reasons": list(earned.reasons)}
        return TaskStep(self._observation(), reward, playing.ended, playing.cut_off, info)

    @property
    def task(self) -> EnvironmentTask:
        """The task being played, with its gold: for scripted agents and tests, not for a model."""
        return self._current_playing().task

    @property
    def earned(self) -> Rewards:
        """What the task has earned so far."""
        return compute_rewards(self._current_playing())

    @property
    def over(self) -> bool:
        """Whether the task has ended."""
        return self._over

    def _current_playing(self) -> Playing:
        if self._playing is None:
            raise UsageError("no task yet; call reset(seed) first")
        return self._playing

    def _observation(self) -> TaskObservation:
        playing = self._current_playing()
        functions = playing.task.draft.functions
        return TaskObservation(
            tuple(copy.deepcopy(playing.messages)), tuple(copy.deepcopy(each.schema) for each in functions)
        )
