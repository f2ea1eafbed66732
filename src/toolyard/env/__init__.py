"""The yard as a gym: endless tasks with tools that run, rewards from execution, no model in the loop."""

from toolyard.env.environment import Environment, TaskObservation, TaskStep
from toolyard.env.rewards import FAMILIES, Rewards
from toolyard.env.seeds import environments
from toolyard.env.task import SPLITS

__all__ = ["FAMILIES", "SPLITS", "Environment", "Rewards", "TaskObservation", "TaskStep", "environments"]
