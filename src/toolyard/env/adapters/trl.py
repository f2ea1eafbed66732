"""The environment for trl's GRPOTrainer: a factory of environments, a data set of seeds, rewards by family.

    from toolyard.env.adapters.trl import dataset, environment_factory, family_rewards
    trainer = GRPOTrainer(model, train_dataset=dataset(2000),
                          environment_factory=environment_factory("nestools", "train"), args=GRPOConfig(...))

trl takes the methods of a class as tools, the same for every task, while each of our tasks has functions of its own. So
there are two tools: one that calls a function of the task, and one that answers the user. The reward is the
environment's own (`get_reward`); `family_rewards()` are further reward functions, one per family, to be logged or weighed.

Without tools, one completion per prompt in the benchmark's own form (nestools, mtu, toolbehonest):

    trainer = GRPOTrainer(model, train_dataset=answer_dataset("nestools", "train", 2000),
                          reward_funcs=answer_reward("nestools", "train"), args=GRPOConfig(...))
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from toolyard.core.types import JsonValue, Record
from toolyard.env.environment import Environment, TaskObservation
from toolyard.env.gym_task import Split
from toolyard.env.rewards import FAMILIES
from toolyard.env.single_answers import Answers
from toolyard.env.task_pool import TaskPool
from toolyard.env.text_form import new_messages_text, opening_text

if TYPE_CHECKING:
    from datasets import Dataset

OVER = "The task is over."


class ToolyardEnvironment:
    """One task at a time; its public methods are what the model may call."""

    def __init__(
        self, benchmark: str, split: Split = "train", world_seed: int = 0, pool: TaskPool | None = None
    ) -> None:
        self._environment = Environment(benchmark, split, world_seed, pool=pool)
        self._seen: TaskObservation | None = None

    def reset(self, seed: int, **row: object) -> str:  # noqa: ARG002 - trl gives the whole row
        """What the user wants, and which functions there are; trl puts it behind the prompt."""
        self._seen = self._environment.reset(int(seed))
        first = opening_text(self._seen, "two_tools")
        return f"{first.system}\n\n{first.user}"

    def call_function(self, name: str, arguments: dict[str, Any]) -> str:
        """
        Calls one of the functions of the task.

        Args:
            name: The name of the function.
            arguments: Its arguments by name.

        Returns:
            What the function returned, or why it could not be called.
        """
        return self._step({"tool_calls": [{"function": {"name": name, "arguments": arguments}}]})

    def answer_user(self, text: str) -> str:
        """
        Gives the answer to the user's request.

        Args:
            text: The whole answer, in words.

        Returns:
            What the user says next, or that the task is over.
        """
        return self._step({"content": text})

    def get_reward(self) -> float:
        """What the task has earned."""
        return self._environment.earned.total if self._seen is not None else 0.0

    def _families(self) -> dict[str, float]:
        return self._environment.earned.families if self._seen is not None else dict.fromkeys(FAMILIES, 0.0)

    def _step(self, action: JsonValue) -> str:
        if self._seen is None or self._environment.over:
            return OVER
        step = self._environment.step(action)
        said, self._seen = new_messages_text(self._seen, step.observation), step.observation
        return f"{said}\n{OVER}".strip() if self._environment.over else said


def environment_factory(
    benchmark: str, split: Split = "train", world_seed: int = 0, pool: TaskPool | None = None
) -> Callable[[], ToolyardEnvironment]:
    """What GRPOTrainer takes as `environment_factory`; a pool with a file keeps tasks for the next run."""
    return lambda: ToolyardEnvironment(benchmark, split, world_seed, pool)


def family_rewards() -> list[Callable[..., list[float]]]:
    """One reward function per family, for `reward_funcs`."""
    return [_family_reward(name) for name in FAMILIES]


def _family_reward(name: str) -> Callable[..., list[float]]:
    def reward(environments: list[ToolyardEnvironment], **columns: object) -> list[float]:  # noqa: ARG001
        return [environment._families()[name] for environment in environments]

    reward.__name__ = name
    return reward


def rows(tasks: int, first: int = 0) -> Iterator[dict[str, object]]:
    """The rows of a data set: an empty prompt, which `reset` completes, and the seed of the task."""
    for seed in range(first, first + tasks):
        yield {"prompt": [{"role": "user", "content": ""}], "seed": seed}


def dataset(tasks: int, first: int = 0) -> Dataset:
    """So many seeds as a data set; which split they are drawn from is the environment's business."""
    from datasets import Dataset

    return Dataset.from_list(list(rows(tasks, first)))


@functools.cache
def _shared_answers(benchmark: str, split: Split, pool: TaskPool | None) -> Answers:
    """Prompts and rewards of one split share what was drawn."""
    return Answers(benchmark, split, pool=pool)


def answer_rows(
    benchmark: str, split: Split, tasks: int, first: int = 0, pool: TaskPool | None = None
) -> Iterator[dict[str, object]]:
    """The rows of a data set that is answered at once: the benchmark's prompt, its name and the seed of the task."""
    answers = _shared_answers(benchmark, split, pool)
    for seed in range(first, first + tasks):
        yield {"prompt": answers.prompt(seed), "benchmark": benchmark, "seed": seed}


def answer_dataset(
    benchmark: str, split: Split, tasks: int, first: int = 0, pool: TaskPool | None = None
) -> Dataset:
    """So many prompts as a data set."""
    from datasets import Dataset

    return Dataset.from_list(list(answer_rows(benchmark, split, tasks, first, pool)))


def answer_reward(benchmark: str, split: Split, pool: TaskPool | None = None) -> Callable[..., list[float]]:
    """The reward function of such a data set."""
    answers = _shared_answers(benchmark, split, pool)

    def toolyard_reward(completions: list[Any], seed: list[int], **columns: object) -> list[float]:  # noqa: ARG001
        return [
            answers.rewards(number, completion_text(each)).total
            for number, each in zip(seed, completions, strict=True)
        ]

    return toolyard_reward


def completion_text(completion: str | Sequence[Record]) -> str:
    """The words of a completion, whether trl gives a text or messages."""
    return completion if isinstance(completion, str) else str(completion[-1].get("content") or "")
