"""The yard as a gym: endless tasks with tools that run, rewards from execution, no model in the loop."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolyard.env.environment import Environment, TaskObservation, TaskStep
    from toolyard.env.gym_task import SPLITS
    from toolyard.env.rewards import FAMILIES, Rewards
    from toolyard.env.task_pool import TaskPool
    from toolyard.env.task_seeds import environments

__all__ = [
    "FAMILIES",
    "SPLITS",
    "Environment",
    "Rewards",
    "TaskObservation",
    "TaskPool",
    "TaskStep",
    "environments",
]
HOMES = {
    "Environment": "environment",
    "FAMILIES": "rewards",
    "Rewards": "rewards",
    "SPLITS": "gym_task",
    "TaskObservation": "environment",
    "TaskPool": "task_pool",
    "TaskStep": "environment",
    "environments": "task_seeds",
}


def __getattr__(name: str) -> object:
    """A public name, imported when it is asked for: the command line knows `env` without loading the world."""
    from importlib import import_module

    if name not in HOMES:
        raise AttributeError(f"module {__name__} has no attribute {name}")
    return getattr(import_module(f"{__name__}.{HOMES[name]}"), name)
