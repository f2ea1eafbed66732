"""The environment for Gymnasium: observations and actions are texts.

    import gymnasium
    environment = gymnasium.make("toolyard.env.adapters.gymnasium:toolyard/nestools-v0", split="train")
    observation, info = environment.reset(seed=7)

An observation is JSON, `{"messages": [...], "tools": [...]}`, in ASCII; an action is words or calls, see
`toolyard.env.action_reading`. Without a seed a reset draws the next task from the environment's own generator.
"""

from __future__ import annotations

import json
import string

import gymnasium

from toolyard.core.types import Record
from toolyard.env.environment import Environment, TaskObservation
from toolyard.env.gym_task import Split
from toolyard.env.task_pool import TaskPool
from toolyard.env.task_seeds import environments

CHARACTERS = string.printable
LONGEST_OBSERVATION = 4_000_000
LONGEST_ACTION = 8_192
_SEEDS = 2**31
ENTRY = f"{__name__}:GymnasiumEnvironment"


class GymnasiumEnvironment(gymnasium.Env[str, str]):
    """One benchmark's tasks; `info` of the last step has the families and why points were lost."""

    metadata: dict[str, object] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 - the base declares it so

    def __init__(
        self,
        benchmark: str,
        split: Split = "train",
        world_seed: int = 0,
        render_mode: str | None = None,
        pool: TaskPool | None = None,
    ) -> None:
        self.environment = Environment(benchmark, split, world_seed, pool=pool)
        self.render_mode = render_mode
        self.observation_space = gymnasium.spaces.Text(LONGEST_OBSERVATION, charset=CHARACTERS)
        self.action_space = gymnasium.spaces.Text(LONGEST_ACTION, min_length=0, charset=CHARACTERS)
        self._observation: TaskObservation | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, object] | None = None
    ) -> tuple[str, dict[str, object]]:
        """The beginning of the task of that seed, or of the next one."""
        super().reset(seed=seed, options=options)
        number = int(self.np_random.integers(_SEEDS)) if seed is None else seed
        self._observation = self.environment.reset(number)
        return observation_text(self._observation), {"task": self.environment.task.id, "seed": number}

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, object]]:
        """What the action leads to."""
        step = self.environment.step(action)
        self._observation = step.observation
        return observation_text(step.observation), *step[1:4], dict(step.info)

    def render(self) -> str | None:
        """The conversation so far."""
        if self.render_mode != "ansi" or self._observation is None:
            return None
        return "\n".join(_message_line(message) for message in self._observation.messages)


def observation_text(observation: TaskObservation) -> str:
    """The observation as text."""
    return json.dumps({"messages": observation.messages, "tools": observation.tools})


def _message_line(message: Record) -> str:
    calls = [call["function"] for call in message.get("tool_calls", ())]
    called = " ".join(f"{call['name']}({call['arguments']})" for call in calls)
    return f"{message['role']}: {message['content']} {called}".rstrip()


def register() -> None:
    """Makes `toolyard/BENCHMARK-v0` known; importing this module does it."""
    for benchmark in environments():
        name = f"toolyard/{benchmark}-v0"
        if name not in gymnasium.registry:
            gymnasium.register(name, entry_point=ENTRY, kwargs={"benchmark": benchmark})


register()
