"""The environment for OpenEnv: typed actions and observations, in Python or behind its HTTP server.

from toolyard.env.adapters.openenv import app
uvicorn.run(app("nestools"), port=8000)
"""

from __future__ import annotations

from openenv.core.env_server import create_fastapi_app
from openenv.core.env_server.interfaces import Environment as OpenEnvironment
from openenv.core.env_server.types import Action, Observation, State
from pydantic import Field
from starlette.applications import Starlette

from toolyard.core.types import JsonValue
from toolyard.env import environment as core
from toolyard.env.gym_task import Split


class ToolyardAction(Action):
    """Words, calls in the form of chat completions, or both."""

    content: str = ""
    tool_calls: list[dict[str, object]] = Field(default_factory=list)


class ToolyardObservation(Observation):
    """The conversation and the functions; families and reasons come with the last step."""

    messages: list[dict[str, object]] = Field(default_factory=list)
    tools: list[dict[str, object]] = Field(default_factory=list)
    families: dict[str, float] = Field(default_factory=dict)
    reasons: list[str] = Field(default_factory=list)


class ToolyardServed(OpenEnvironment):
    """One benchmark's tasks; without a seed they come in their order."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, benchmark: str, split: Split = "train", world_seed: int = 0) -> None:
        super().__init__()
        self._environment = core.Environment(benchmark, split, world_seed)
        self._state = State()
        self._next = 0

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        **kwargs: JsonValue,  # noqa: ARG002 - the interface of every environment
    ) -> ToolyardObservation:
        """The beginning of the task of that seed, or of the next one."""
        number = self._next if seed is None else seed
        self._next = number + 1
        seen = self._environment.reset(number)
        self._state = State(episode_id=episode_id or self._environment.task.id, step_count=0)
        return _openenv_observation(seen)

    def step(
        self,
        action: ToolyardAction,
        timeout_s: float | None = None,  # noqa: ARG002 - the interface of every environment
        **kwargs: JsonValue,  # noqa: ARG002
    ) -> ToolyardObservation:
        """What the action leads to."""
        step = self._environment.step({"content": action.content, "tool_calls": action.tool_calls})
        self._state.step_count += 1
        found = _openenv_observation(step.observation)
        found.done = step.terminated or step.truncated
        found.reward = step.reward
        found.families = step.info.get("families", {})
        found.reasons = step.info.get("reasons", [])
        return found

    @property
    def state(self) -> State:
        """Which task, and how many steps so far."""
        return self._state


def _openenv_observation(seen: core.TaskObservation) -> ToolyardObservation:
    return ToolyardObservation(messages=list(seen.messages), tools=list(seen.tools))


def app(benchmark: str, split: Split = "train", world_seed: int = 0) -> Starlette:
    """The HTTP server of the environment, as OpenEnv builds it."""
    served: Starlette = create_fastapi_app(
        lambda: ToolyardServed(benchmark, split, world_seed), ToolyardAction, ToolyardObservation
    )
    return served
