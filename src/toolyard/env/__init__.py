"""The yard as a gym: endless tasks with tools that run, rewards from execution, no model in the loop."""

from toolyard.env.environment import Environment, TaskObservation, TaskStep
from toolyard.env.gym_task import SPLITS
from toolyard.env.rewards import FAMILIES, Rewards
from toolyard.env.task_seeds import environments

__all__ = ["FAMILIES", "SPLITS", "Environment", "Rewards", "TaskObservation", "TaskStep", "environments"]
